package io.lighthouse.fleets;

import io.lighthouse.fleets.store.CallKey;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A command with the options of its execution. Immutable and thread-safe where the command is.
 *
 * @param command the command
 * @param token identifies the caller's token; empty where no token is needed
 * @param key identifies the call when it is repeated, with the hash of its whole request
 * @param generation the generation that the fleet must be at; empty where any will do
 * @param life the {@link Answer#life} of the fleet that the generation is of
 * @param dryRun whether it is only tried out: the answer is that of a real call, and nothing
 *     changes
 * @param stale whether a question may be answered from the fleet as this process knows it. A shared
 *     store is then not checked for newer entries; what the answer reports is durable all the same
 * @param last whether the answer is kept for its key even where it changes nothing; otherwise a
 *     "no" is not kept, and the call is decided anew when it is repeated
 * @param room the memory in which its answer is written
 */
public record FleetCall(
    Command command,
    String token,
    Optional<Key> key,
    OptionalLong generation,
    long life,
    boolean dryRun,
    boolean stale,
    boolean last,
    AnswerRoom room) {
  /**
   * Identifies a call when it is repeated.
   *
   * @param key the key that the caller chose
   * @param request the hash of the request
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
   * @return a call without a token and without a key, at any generation
   */
  public static FleetCall of(Command command) {
    return new FleetCall(
        command,
        "",
        Optional.empty(),
        OptionalLong.empty(),
        0,
        false,
        false,
        false,
        AnswerRoom.UNLIMITED);
  }

  /**
   * Whether it may change the fleet.
   *
   * @return false if it only reads, or is a dry run
   */
  public boolean changes() {
    return command.changes() && !dryRun;
  }

  /**
   * Whether the fleet is gone after it.
   *
   * @return true if so
   */
  public boolean deletes() {
    return command.deletes() && !dryRun;
  }

  /**
   * Whether the call names the generation that a fleet is at.
   *
   * @param now the generation of the fleet
   * @param of the {@link Answer#life} of the fleet
   * @return false also where any generation will do
   */
  public boolean isFor(long now, long of) {
    return generation.isPresent() && generation.getAsLong() == now && life == of;
  }

  /**
   * Checks that a fleet is at the generation that the call is for, where it is for one.
   *
   * @param now the generation of the fleet
   * @param of the {@link Answer#life} of the fleet
   * @throws FleetException of the kind {@link FleetException.Kind#GENERATION} if it is not
   */
  public void requireFor(long now, long of) {
    if (generation.isPresent() && !isFor(now, of)) {
      throw new FleetException(
              FleetException.Kind.GENERATION,
              "the call is for generation "
                  + generation.getAsLong()
                  + (life == of ? "" : " of another fleet of that name")
                  + ", the fleet is at "
                  + now)
          .at(now, of);
    }
  }

  /**
   * Whether it is answered from the fleet in memory alone.
   *
   * @return false if the store or the strategy is used
   */
  public boolean needsMemoryOnly() {
    return stale && !command.changes() && !command.asksStrategy() && key.isEmpty();
  }

  /**
   * Its key as the store knows it.
   *
   * @return empty where it has no key
   */
  public Optional<CallKey> callKey() {
    return key.map(one -> new CallKey(token, one.key()));
  }

  /**
   * The same with a key.
   *
   * @param word the key that the caller chose
   * @param request the hash of the request
   * @return a new call
   */
  public FleetCall withKey(String word, byte[] request) {
    return new FleetCall(
        command,
        token,
        Optional.of(new Key(word, request)),
        generation,
        life,
        dryRun,
        stale,
        last,
        room);
  }

  /**
   * The same as a trial.
   *
   * @return a new call
   */
  public FleetCall asDryRun() {
    return new FleetCall(command, token, key, generation, life, true, stale, last, room);
  }

  /**
   * The same at a generation of the first fleet of its name.
   *
   * @param wanted the generation that the fleet must be at
   * @return a new call
   */
  public FleetCall at(long wanted) {
    return at(wanted, 0);
  }

  /**
   * The same at a generation.
   *
   * @param wanted the generation that the fleet must be at
   * @param of the {@link Answer#life} of the fleet
   * @return a new call
   */
  public FleetCall at(long wanted, long of) {
    return new FleetCall(
        command, token, key, OptionalLong.of(wanted), of, dryRun, stale, last, room);
  }

  /**
   * The same, answered as this process knows the fleet.
   *
   * @return a new call
   */
  public FleetCall asStale() {
    return new FleetCall(command, token, key, generation, life, dryRun, true, last, room);
  }

  /**
   * The same, answered for good.
   *
   * @return a new call, whose key no other attempt can use any more once it is answered
   */
  public FleetCall asLast() {
    return new FleetCall(command, token, key, generation, life, dryRun, stale, true, room);
  }
}
