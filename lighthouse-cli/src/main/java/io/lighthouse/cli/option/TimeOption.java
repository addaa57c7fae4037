package io.lighthouse.cli.option;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time with its unit, such as {@code 500ms}, {@code 10s}, {@code 5m} or {@code 1h}. */
public final class TimeOption implements ITypeConverter<Duration> {
  private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  @Override
  public Duration convert(String text) {
    Matcher typed = TIME.matcher(text);
    if (!typed.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a time; allowed: a time such as 500ms, 10s, 5m or 1h");
    }
    long number = Long.parseLong(typed.group(1));
    return switch (typed.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }
}
