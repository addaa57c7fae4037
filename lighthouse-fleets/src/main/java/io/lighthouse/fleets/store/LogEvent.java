package io.lighthouse.fleets.store;

import java.util.Optional;

/**
 * An entry of a fleet's log as followers of the fleet get it. Immutable while callers leave the
 * arrays alone.
 *
 * @param generation that of the entry
 * @param at when the entry was made, in milliseconds since 1970
 * @param hash the hash of the entry
 * @param bytes how many bytes its effect has
 * @param body its effect, as JSON; empty where it has more bytes than the reader's limit
 */
public record LogEvent(long generation, long at, byte[] hash, int bytes, Optional<byte[]> body) {}
