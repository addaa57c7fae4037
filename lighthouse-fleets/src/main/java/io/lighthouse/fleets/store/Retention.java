package io.lighthouse.fleets.store;

/**
 * Which entries of a log may be deleted when recovery does not need them any more. An entry is
 * deleted if it is older than {@code oldest}, or if it is older than {@code youngest} and not among
 * the newest {@code most}.
 *
 * @param oldest milliseconds since 1970; older entries are deleted
 * @param most the number of newest entries that are kept, unless they are older than {@code oldest}
 * @param youngest milliseconds since 1970; entries that are not older are kept, however many there
 *     are
 */
public record Retention(long oldest, long most, long youngest) {}
