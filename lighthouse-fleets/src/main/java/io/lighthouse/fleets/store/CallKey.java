package io.lighthouse.fleets.store;

/**
 * By what a call is known when it comes again: who called, and the caller's word for it.
 *
 * @param token who called, empty where anybody may
 * @param key the caller's word
 */
public record CallKey(String token, String key) {}
