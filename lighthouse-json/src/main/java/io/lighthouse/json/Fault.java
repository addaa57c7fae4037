package io.lighthouse.json;

import io.lighthouse.api.error.InvalidInputException;

/**
 * One thing that is wrong with the text of a problem. Immutable and thread-safe.
 *
 * @param kind what sort of wrong
 * @param place where
 * @param found the value found there, shortened where it is long
 * @param allowed what is allowed there
 */
public record Fault(Kind kind, Place place, String found, String allowed) {

  /** The sorts of wrong. After the first two nothing more of the text is read. */
  public enum Kind {
    /** The text is no JSON in UTF-8. */
    SYNTAX,
    /** The text goes beyond the {@link Limits}. */
    LIMIT,
    /** The JSON is sound, but an object has a member that is not known there. */
    UNKNOWN_MEMBER,
    /** The JSON is sound, but it is no sound problem. */
    MEANING
  }

  /** Shortens what was found, and escapes lone surrogates. */
  public Fault {
    found = wellFormed(InvalidInputException.shortened(found));
  }

  /** The text with an escape for each lone surrogate, which UTF-8 cannot encode. */
  private static String wellFormed(String text) {
    StringBuilder formed = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (Character.getType(c) == Character.SURROGATE) {
                formed.append(String.format("\\u%04x", c));
              } else {
                formed.appendCodePoint(c);
              }
            });
    return formed.toString();
  }

  /**
   * The fault in one line.
   *
   * @return such as {@code line 7, column 31: nodes[3].resources.cpu is 'six'; allowed: a JSON
   *     number, ...}
   */
  public String message() {
    return asException().getMessage();
  }

  InvalidInputException asException() {
    return new InvalidInputException(subject(), field(), found, allowed);
  }

  String subject() {
    return "line " + place.line() + ", column " + place.column();
  }

  String field() {
    return place.path().isEmpty() ? "the text" : place.path();
  }
}
