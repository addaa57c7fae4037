package io.lighthouse.api.strategy;

/**
 * A setting that a strategy or rule accepts. Immutable.
 *
 * @param name its name: lower-case letters, digits and hyphens
 * @param meaning what it does, its unit and range, in one line
 * @param defaultValue its value if it is not set
 * @param namesLevel whether its value is the name of a level of domains, or empty. {@code
 *     lighthouse check} remarks on a level that no node names
 */
public record Setting(String name, String meaning, String defaultValue, boolean namesLevel) {
  /**
   * A setting whose value is not the name of a level.
   *
   * @param name its name: lower-case letters, digits and hyphens
   * @param meaning what it does, its unit and range, in one line
   * @param defaultValue its value if it is not set
   */
  public Setting(String name, String meaning, String defaultValue) {
    this(name, meaning, defaultValue, false);
  }
}
