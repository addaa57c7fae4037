package io.lighthouse.fleets;

/**
 * What a command is answered when all it speaks of is durable. Immutable, if nobody writes into the
 * body.
 *
 * @param status the HTTP status
 * @param body one JSON object in UTF-8; empty where the status says that there is none
 * @param generation the generation of the fleet that it speaks of
 * @param replayed whether the same call was answered so before
 */
public record Answer(int status, byte[] body, long generation, boolean replayed) {}
