package io.lighthouse.fleets;

/**
 * What a command is answered when all it speaks of is durable. Immutable while callers leave the
 * body alone.
 *
 * @param outcome how the command ended
 * @param body one JSON object in UTF-8; empty for {@link Outcome#EMPTY}
 * @param generation the generation of the fleet that it speaks of
 * @param replayed whether the same call was answered so before
 */
public record Answer(Outcome outcome, byte[] body, long generation, boolean replayed) {}
