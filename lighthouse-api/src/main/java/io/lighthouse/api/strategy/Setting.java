package io.lighthouse.api.strategy;

/**
 * A setting that a strategy or rule accepts. Immutable.
 *
 * @param name its name: lower-case letters, digits and hyphens
 * @param meaning what it does, its unit and range, in one line
 * @param defaultValue its value if it is not set
 */
public record Setting(String name, String meaning, String defaultValue) {}
