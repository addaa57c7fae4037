package io.lighthouse.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a text, such as a name. An empty one is refused: it is most often a variable of a script
 * that is not set.
 */
public final class TextOption implements ITypeConverter<String> {
  /** What is wrong with an empty text. */
  public static final String EMPTY = "'' is empty; allowed: at least one character";

  @Override
  public String convert(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException(EMPTY);
    }
    return text;
  }

  /** Reads a text where an empty one has a meaning. */
  public static final class OrEmpty implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      return text;
    }
  }
}
