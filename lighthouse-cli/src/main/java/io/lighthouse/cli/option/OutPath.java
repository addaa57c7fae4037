package io.lighthouse.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the name of a file that is written. It is checked before any work: its folder must be
 * there. A word of {@code --output} is refused: it means the form of the answer.
 */
public final class OutPath implements ITypeConverter<Path> {
  @Override
  public Path convert(String name) {
    if (name.equals("-")) {
      throw new TypeConversionException(
          "'-' is standard output, which holds the answer; a file of that name is ./-");
    }
    if (AnswerOption.WORDS.contains(name)) {
      throw new TypeConversionException(
          "'%1$s' is a form of the answer, as in --output %1$s; a file of that name is ./%1$s"
              .formatted(name));
    }
    Path path = new PathOption().convert(name);
    Path folder = path.toAbsolutePath().getParent();
    if (Files.isDirectory(path)) {
      throw new TypeConversionException(
          "'" + name + "' cannot be written; allowed: a file in this folder");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw new TypeConversionException(
          "'" + name + "' cannot be written; allowed: a file in a folder that is there");
    }
    return path;
  }
}
