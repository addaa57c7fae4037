package io.lighthouse.cli.option;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the name of a file or folder. An empty name is refused: it would mean the present folder.
 */
public final class PathOption implements ITypeConverter<Path> {
  @Override
  public Path convert(String name) {
    if (name.isEmpty()) {
      throw new TypeConversionException("'' is the name of no file or folder");
    }
    try {
      return Path.of(name);
    } catch (InvalidPathException none) {
      throw new TypeConversionException(
          "'" + name + "' is the name of no file or folder: " + none.getReason());
    }
  }
}
