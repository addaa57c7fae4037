package io.lighthouse.fleets;

import io.lighthouse.api.error.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where a page of a list ended. Immutable and thread-safe.
 *
 * @param generation the generation of the fleet then
 * @param name the last name of the page
 */
public record PageCursor(long generation, String name) {
  /**
   * The cursor as an opaque text.
   *
   * @return letters, digits, hyphens and underscores
   */
  public String toText() {
    byte[] plain = (generation + "." + name).getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(plain);
  }

  /**
   * Parses a cursor.
   *
   * @param text the text
   * @return the cursor
   * @throws InvalidInputException if it is not a cursor
   */
  public static PageCursor of(String text) {
    try {
      String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
      int point = plain.indexOf('.');
      return new PageCursor(
          Long.parseLong(plain.substring(0, Math.max(0, point))), plain.substring(point + 1));
    } catch (IllegalArgumentException broken) {
      throw new InvalidInputException(
          "query", "after", "'" + text + "'", "the 'next' of a page that was answered before");
    }
  }
}
