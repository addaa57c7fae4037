package io.lighthouse.fleets;

import io.lighthouse.fleets.store.LogEvent;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a reader has read the log of a fleet: a generation, and the mark of its entry. The mark
 * shows whether the store has lost that entry and has another one of the same generation. Immutable
 * and thread-safe.
 *
 * @param generation that of the entry that was read last; 0 where none was
 * @param mark the beginning of its hash; empty where it is not known, and then not checked
 */
public record LogPlace(long generation, String mark) {
  /** The length of a mark, in bytes of the hash. */
  private static final int BYTES = 8;

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})(?:-([0-9a-f]{16}))?");

  /**
   * The place of an entry that was read.
   *
   * @param event the entry
   * @return the place, with its mark
   */
  public static LogPlace of(LogEvent event) {
    return new LogPlace(event.generation(), HexFormat.of().formatHex(event.hash(), 0, BYTES));
  }

  /**
   * Parses a place.
   *
   * @param text a generation, or what {@link #toText} gave
   * @return the place; empty where the text is neither
   */
  public static Optional<LogPlace> of(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new LogPlace(
                Long.parseLong(matcher.group(1)), Optional.ofNullable(matcher.group(2)).orElse("")))
        : Optional.empty();
  }

  /**
   * The place as a text.
   *
   * @return the generation, and where the mark is known, a hyphen and the mark
   */
  public String toText() {
    return mark.isEmpty() ? Long.toString(generation) : generation + "-" + mark;
  }
}
