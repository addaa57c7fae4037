package io.lighthouse.fleets.store;

/**
 * Which entries of a log may go when a snapshot makes them needless for recovery. One goes if it is
 * older than {@code oldest}, or is not among the newest {@code most} and older than {@code
 * youngest}.
 *
 * @param oldest milliseconds since 1970: what was made before goes
 * @param most how many of the newest entries stay
 * @param youngest milliseconds since 1970: what was made since stays, however many there are
 */
public record Retention(long oldest, long most, long youngest) {}
