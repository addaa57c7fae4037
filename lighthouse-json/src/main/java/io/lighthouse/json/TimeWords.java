package io.lighthouse.json;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A time with its unit, as a person types it: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h}.
 */
public final class TimeWords {
  private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  private TimeWords() {}

  /**
   * Understands a time.
   *
   * @param text a whole number of at most nine digits, and {@code ms}, {@code s}, {@code m} or
   *     {@code h}
   * @return the time, 0 or more; empty where the text is none
   */
  public static Optional<Duration> parse(String text) {
    Matcher typed = TIME.matcher(text);
    if (!typed.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(typed.group(1));
    return Optional.of(
        switch (typed.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          case "m" -> Duration.ofMinutes(number);
          default -> Duration.ofHours(number);
        });
  }
}
