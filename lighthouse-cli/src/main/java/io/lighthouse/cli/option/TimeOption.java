package io.lighthouse.cli.option;

import io.lighthouse.json.TimeWords;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time with its unit, such as {@code 500ms}, {@code 10s}, {@code 5m} or {@code 1h}. */
public final class TimeOption implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    return TimeWords.parse(text)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'" + text + "' is not a time; allowed: a time such as 500ms, 10s, 5m or 1h"));
  }
}
