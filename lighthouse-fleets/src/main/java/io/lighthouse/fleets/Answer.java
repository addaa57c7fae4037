package io.lighthouse.fleets;

/**
 * The answer to a command, given when everything that it reports is durable. Immutable while
 * callers leave the body alone.
 *
 * @param outcome how the command ended
 * @param body one JSON object in UTF-8; empty for {@link Outcome#EMPTY}
 * @param generation the generation of the fleet that it reports
 * @param life the number of that fleet if its name had an earlier fleet; else 0
 * @param replayed whether it repeats the answer to an earlier call with the same key
 */
public record Answer(Outcome outcome, byte[] body, long generation, long life, boolean replayed) {}
