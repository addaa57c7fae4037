package io.lighthouse.fleets.store;

import java.util.Optional;

/**
 * What followers of a fleet get of an entry of its log. Immutable, if nobody writes into the
 * arrays.
 *
 * @param generation that of the entry
 * @param at when the entry was made, in milliseconds since 1970
 * @param hash the hash of the entry
 * @param bytes how many bytes its effect has
 * @param body its effect, as JSON; nothing where it has more bytes than were asked for
 */
public record LogEvent(long generation, long at, byte[] hash, int bytes, Optional<byte[]> body) {}
