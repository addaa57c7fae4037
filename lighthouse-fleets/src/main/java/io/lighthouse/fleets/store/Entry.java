package io.lighthouse.fleets.store;

import java.util.Arrays;

/**
 * One entry of a fleet's log: the effect of one call, and its answer. Its hash covers the entry and
 * the hash of the entry before. So a log is a hash chain, in which an altered, missing or moved
 * entry is detected. Immutable while callers leave the arrays alone.
 *
 * @param fleet the number of the fleet
 * @param generation its place in the log: 1, 2, 3 and so on
 * @param at when it was made, in milliseconds since 1970: for people, and for its age, by which old
 *     entries are deleted
 * @param token identifies the caller's token; empty where no token is needed; null in a damaged row
 * @param key the key that identifies the call when it is repeated; null where it has none
 * @param request the hash of the call; null where it has no key
 * @param status the number of the outcome; 0 where there is no key
 * @param answer the body of the answer; null where there is no key
 * @param body the effect, as JSON; null in a damaged row
 * @param hash the hash of all that and of the entry before; null in a damaged row
 */
public record Entry(
    long fleet,
    long generation,
    long at,
    String token,
    String key,
    byte[] request,
    int status,
    byte[] answer,
    byte[] body,
    byte[] hash) {
  /** The hash before the first entry. */
  private static final byte[] NONE = new byte[32];

  /**
   * The hash that a log begins with.
   *
   * @return 32 bytes of 0
   */
  public static byte[] beginning() {
    return NONE.clone();
  }

  /**
   * The same entry with its hash.
   *
   * @param before the hash of the entry before
   * @return a new entry
   */
  public Entry chained(byte[] before) {
    byte[] hashed =
        new Digest()
            .add(before)
            .add(fleet)
            .add(generation)
            .add(at)
            .add(token)
            .add(key)
            .add(request)
            .add(status)
            .add(answer)
            .add(body)
            .toBytes();
    return new Entry(fleet, generation, at, token, key, request, status, answer, body, hashed);
  }

  /**
   * Whether its hash is correct.
   *
   * @param before the hash of the entry before
   * @return true if nothing of it was altered
   */
  public boolean follows(byte[] before) {
    return Arrays.equals(hash, chained(before).hash);
  }

  /**
   * Its approximate size in the store.
   *
   * @return bytes
   */
  public long size() {
    return body.length + (answer == null ? 0 : answer.length) + (key == null ? 0 : key.length());
  }
}
