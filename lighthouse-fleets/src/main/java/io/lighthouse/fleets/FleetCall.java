package io.lighthouse.fleets;

import io.lighthouse.fleets.store.CallKey;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A command, and how it is to be taken. Immutable and thread-safe where the command is.
 *
 * @param command the command
 * @param token who calls; empty where anybody may
 * @param key by which the call is known when it comes again, with the hash of all that it asks for
 * @param generation the generation that the fleet must be at; nothing where any will do
 * @param dryRun whether it is only tried out: answered as if, and nothing changes
 * @param stale whether a question may be answered as this process knows the fleet, without asking a
 *     shared store whether others have written since; all that is said is durable all the same
 * @param last whether what it is answered stands for its key also where it changes nothing; else a
 *     "no" is not remembered, and the call is decided anew when it comes again
 * @param room the memory in which its answer is written
 */
public record FleetCall(
    Command command,
    String token,
    Optional<Key> key,
    OptionalLong generation,
    boolean dryRun,
    boolean stale,
    boolean last,
    AnswerRoom room) {
  /**
   * How a call is known when it comes again.
   *
   * @param key the caller's word
   * @param request the hash of what is asked for
   */
  public record Key(String key, byte[] request) {}

  /** Checks. */
  public FleetCall {
    Objects.requireNonNull(command, "command");
    Objects.requireNonNull(token, "token");
    Objects.requireNonNull(room, "room");
    if (last && key.isEmpty()) {
      throw new IllegalArgumentException("an answer for good needs a key that it stands for");
    }
  }

  /**
   * A plain call.
   *
   * @param command the command
   * @return a call of nobody, without a key, at any generation
   */
  public static FleetCall of(Command command) {
    return new FleetCall(
        command,
        "",
        Optional.empty(),
        OptionalLong.empty(),
        false,
        false,
        false,
        AnswerRoom.UNLIMITED);
  }

  /**
   * Whether it may change the fleet.
   *
   * @return false if it only asks or tries out
   */
  boolean changes() {
    return command.changes() && !dryRun;
  }

  /** By what it is known when it comes again; nothing where it has no key. */
  Optional<CallKey> callKey() {
    return key.map(one -> new CallKey(token, one.key()));
  }

  /**
   * The same with a key.
   *
   * @param word the caller's word
   * @param request the hash of what is asked for
   * @return a new call
   */
  public FleetCall withKey(String word, byte[] request) {
    return new FleetCall(
        command, token, Optional.of(new Key(word, request)), generation, dryRun, stale, last, room);
  }

  /**
   * The same as a trial.
   *
   * @return a new call
   */
  public FleetCall asDryRun() {
    return new FleetCall(command, token, key, generation, true, stale, last, room);
  }

  /**
   * The same at a generation.
   *
   * @param wanted the generation that the fleet must be at
   * @return a new call
   */
  public FleetCall at(long wanted) {
    return new FleetCall(command, token, key, OptionalLong.of(wanted), dryRun, stale, last, room);
  }

  /**
   * The same, answered as this process knows the fleet.
   *
   * @return a new call
   */
  public FleetCall asStale() {
    return new FleetCall(command, token, key, generation, dryRun, true, last, room);
  }

  /**
   * The same, answered for good.
   *
   * @return a new call, whose key no other attempt can use any more once it is answered
   */
  public FleetCall asLast() {
    return new FleetCall(command, token, key, generation, dryRun, stale, true, room);
  }
}
