package io.lighthouse.fleets;

import io.lighthouse.api.Distributor;
import io.lighthouse.json.write.AnswerWriter;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A question to a fleet or a change of it. {@link FleetCommands} has all commands.
 *
 * <p>It runs in the fleet's turn, in one thread at a time. It changes the distributor by at most
 * one call, so that it makes all of its changes or none.
 */
public interface Command {
  /**
   * The kind of its entry in the log, if it changes anything.
   *
   * @return a word such as {@code placed}
   */
  String kind();

  /**
   * Decides the command.
   *
   * @param fleet the fleet
   * @return the reply
   * @throws FleetException if it cannot be carried out
   * @throws io.lighthouse.api.error.InvalidInputException if its input is invalid
   */
  Reply decide(View fleet);

  /**
   * Whether it uses the strategy to find nodes.
   *
   * @return true if so
   */
  default boolean asksStrategy() {
    return false;
  }

  /**
   * Whether it may change the fleet.
   *
   * @return false if it only reads
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
   * @param nodes how many nodes the fleet itself has
   * @param generation of the fleet before the command
   * @param name the name of the fleet
   * @param limits how large it may be
   */
  record View(
      Distributor distributor,
      Map<String, String> where,
      int nodes,
      long generation,
      String name,
      FleetLimits limits) {}

  /**
   * The reply to a command.
   *
   * @param outcome how the command ended
   * @param members writes the members of the answer, except its generation; null where it has no
   *     body
   */
  record Reply(Outcome outcome, Consumer<AnswerWriter> members) {
    /** A reply without a body. */
    public static final Reply EMPTY = new Reply(Outcome.EMPTY, null);
  }
}
