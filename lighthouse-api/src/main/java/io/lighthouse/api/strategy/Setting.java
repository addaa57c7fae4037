package io.lighthouse.api.strategy;

/**
 * A setting that a strategy understands. Immutable.
 *
 * @param name what it is set by: lower-case letters, digits and hyphens
 * @param meaning what it does, its unit and range, in one line
 * @param defaultValue its value where nobody sets it
 */
public record Setting(String name, String meaning, String defaultValue) {}
