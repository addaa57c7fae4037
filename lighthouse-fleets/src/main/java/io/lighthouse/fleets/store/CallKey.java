package io.lighthouse.fleets.store;

/**
 * Identifies a call when it is repeated: the caller's token, and the key that the caller chose.
 *
 * @param token identifies the caller's token; empty where no token is needed
 * @param key the key that the caller chose
 */
public record CallKey(String token, String key) {}
