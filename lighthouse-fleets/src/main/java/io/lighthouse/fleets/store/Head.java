package io.lighthouse.fleets.store;

import java.util.Arrays;
import java.util.Objects;

/**
 * A fleet in the store: its number and name, and the end of its log. Immutable while callers leave
 * the hash alone.
 *
 * @param fleet its number, from 1, never given to another
 * @param name its name; of those that are not gone, no two have the same
 * @param generation that of the newest entry, from 1
 * @param hash the hash of the newest entry
 * @param gone whether it was deleted
 */
public record Head(long fleet, String name, long generation, byte[] hash, boolean gone) {
  /** Checks. */
  public Head {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(hash, "hash");
  }

  /**
   * Whether it is about the same entry of the same fleet.
   *
   * @param other another head
   * @return true if fleet, generation and hash are equal
   */
  public boolean isAt(Head other) {
    return fleet == other.fleet
        && generation == other.generation
        && Arrays.equals(hash, other.hash);
  }

  /**
   * The hash of all fields, by which a store detects that the row was altered.
   *
   * @return 32 bytes
   */
  public byte[] digest() {
    return new Digest().add(fleet).add(name).add(generation).add(hash).add(gone ? 1 : 0).toBytes();
  }
}
