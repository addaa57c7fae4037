package io.lighthouse.core.ledger;

import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The whole visible state of a ledger as values, to see whether two moments are equal. */
final class NodeBooks {
  final List<NodeState> nodes = new ArrayList<>();
  final List<Resources> lefts = new ArrayList<>();
  final List<Integer> negatives = new ArrayList<>();
  private final int lastPlaced;
  private final int placed;

  NodeBooks(Ledger ledger) {
    for (int index = 0; index < ledger.nodes().nodeCount(); index++) {
      int node = ledger.nodes().slot(index);
      NodeState state = ledger.state(node);
      nodes.add(state);
      lefts.add(state.left());
      negatives.add(ledger.accounts().negatives(node));
    }
    lastPlaced = ledger.lastPlaced() < 0 ? -1 : ledger.nodes().index(ledger.lastPlaced());
    placed = ledger.placements().placedCount();
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof NodeBooks other
        && nodes.equals(other.nodes)
        && negatives.equals(other.negatives)
        && lastPlaced == other.lastPlaced
        && placed == other.placed;
  }

  @Override
  public int hashCode() {
    return Objects.hash(nodes, negatives, lastPlaced, placed);
  }

  @Override
  public String toString() {
    return nodes + ", last placed " + lastPlaced + ", " + placed + " placed";
  }
}
