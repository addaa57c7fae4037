package io.lighthouse.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a folder that is read. It is checked before any work. */
public final class FolderPath implements ITypeConverter<Path> {
  @Override
  public Path convert(String name) {
    Path path = new PathOption().convert(name);
    if (!Files.isDirectory(path) || !Files.isReadable(path)) {
      throw new TypeConversionException("'" + name + "' cannot be read; allowed: a directory");
    }
    return path;
  }
}
