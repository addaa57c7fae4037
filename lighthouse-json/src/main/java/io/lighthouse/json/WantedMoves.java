package io.lighthouse.json;

import io.lighthouse.api.Change;
import java.util.List;
import java.util.OptionalLong;

/**
 * Moves that are to be carried out, as a plan has them. Immutable and thread-safe.
 *
 * @param generation that of the fleet that the plan was made for; nothing where each move is to be
 *     judged by the fleet as it is
 * @param cordon nodes that are cordoned before anything moves, in order
 * @param moves the moves, in order
 */
public record WantedMoves(OptionalLong generation, List<String> cordon, List<Change.Move> moves) {
  /** Copies. */
  public WantedMoves {
    cordon = List.copyOf(cordon);
    moves = List.copyOf(moves);
  }
}
