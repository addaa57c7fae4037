package io.lighthouse.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a whole number that must be in a range. Each class in it is a range. */
public final class NumberOption {
  private NumberOption() {}

  /** A port of this machine; 0 for any that is free. */
  public static final class Port implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) parse(text, 0, 65_535);
    }
  }

  /** A number of things, which may be none. */
  public static final class Count implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) parse(text, 0, Integer.MAX_VALUE);
    }
  }

  /** A number of things, at least one. */
  public static final class Positive implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) parse(text, 1, Integer.MAX_VALUE);
    }
  }

  /** A number of steps of a search. */
  public static final class Steps implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return parse(text, 0, Long.MAX_VALUE);
    }
  }

  private static long parse(String text, long least, long most) {
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException none) {
      // The same message as for a number out of range.
    }
    throw new TypeConversionException(
        "'" + text + "' is not a whole number from " + least + " to " + most);
  }
}
