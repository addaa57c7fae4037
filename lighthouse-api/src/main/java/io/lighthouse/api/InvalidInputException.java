package io.lighthouse.api;

/**
 * A caller's mistake: the input is wrong in itself. It is thrown before anything changes, and names
 * the thing, the field, the value found and what is allowed.
 */
public class InvalidInputException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Longest text of a found value that a message repeats, in characters. */
  private static final int LONGEST = 200;

  /** The thing that is wrong. */
  private final String subject;

  /** The field of it. */
  private final String field;

  /** The value found, shortened. */
  private final String found;

  /** What is allowed. */
  private final String allowed;

  /**
   * Makes the message {@code subject: field is found; allowed: ...}.
   *
   * @param subject the thing, such as {@code node 'n1'}
   * @param field its field, such as {@code resources.cpu}
   * @param found the value found; a long one is shortened
   * @param allowed what is allowed there
   */
  public InvalidInputException(String subject, String field, String found, String allowed) {
    super(subject + ": " + field + " is " + shortened(found) + "; allowed: " + allowed);
    this.subject = subject;
    this.field = field;
    this.found = shortened(found);
    this.allowed = allowed;
  }

  /**
   * The thing that is wrong.
   *
   * @return such as {@code node 'n1'}
   */
  public String subject() {
    return subject;
  }

  /**
   * The field of the thing.
   *
   * @return such as {@code resources.cpu}
   */
  public String field() {
    return field;
  }

  /**
   * The value found there.
   *
   * @return its text, shortened where it is long
   */
  public String found() {
    return found;
  }

  /**
   * What is allowed there.
   *
   * @return a phrase
   */
  public String allowed() {
    return allowed;
  }

  private static String shortened(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return text.substring(0, end) + "... (" + text.length() + " characters)";
  }
}
