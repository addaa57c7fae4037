package io.lighthouse.core.constraint;

/**
 * The domains of a level that a query is confined to.
 *
 * @param domain the slot of the one domain; {@link #ANY} for any that has not been tried
 * @param tried by domain, whether it has been tried
 */
public record Within(String level, int domain, boolean[] tried) {
  /** Any domain that has not been tried. */
  public static final int ANY = -1;

  /** The whole fleet. */
  public static final Within FLEET = new Within("", ANY, new boolean[0]);
}
