package io.lighthouse.fleets;

import io.lighthouse.api.Distributor;
import io.lighthouse.json.write.AnswerWriter;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What is asked of a fleet. {@link FleetCommands} has those there are.
 *
 * <p>It is asked in the fleet's turn, by one thread at a time. It changes the distributor by one
 * call at most, so that it has changed all it wanted or nothing.
 */
public interface Command {
  /**
   * The kind of its entry in the log, if it changes anything.
   *
   * @return a word such as {@code placed}
   */
  String kind();

  /**
   * Decides.
   *
   * @param fleet the fleet
   * @return what it is to be answered
   * @throws FleetException if it cannot be carried out
   * @throws io.lighthouse.api.error.InvalidInputException if it is wrong in itself
   */
  Reply decide(View fleet);

  /**
   * Whether it asks the strategy for places.
   *
   * @return true if so
   */
  default boolean asksStrategy() {
    return false;
  }

  /**
   * Whether it may change the fleet.
   *
   * @return false if it only asks
   */
  default boolean changes() {
    return true;
  }

  /**
   * Whether the fleet is gone afterwards.
   *
   * @return true if so
   */
  default boolean deletes() {
    return false;
  }

  /**
   * A fleet in its turn.
   *
   * @param distributor the fleet itself, or a trial of it
   * @param where the node of every placed workload; follows the fleet itself, not a trial
   * @param generation of the fleet before the command
   * @param name the name of the fleet
   * @param limits how large it may be
   */
  record View(
      Distributor distributor,
      Map<String, String> where,
      long generation,
      String name,
      FleetLimits limits) {}

  /**
   * What a command is to be answered.
   *
   * @param outcome how the command ended
   * @param members writes the members of the answer but its generation; null where it has no body
   */
  record Reply(Outcome outcome, Consumer<AnswerWriter> members) {
    /** Nothing to say. */
    static final Reply EMPTY = new Reply(Outcome.EMPTY, null);
  }
}
