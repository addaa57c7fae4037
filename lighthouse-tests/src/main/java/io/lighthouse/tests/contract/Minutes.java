package io.lighthouse.tests.contract;

import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.referee.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What was asked and answered, in order, for people. May be read while another thread writes. */
final class Minutes {
  private final List<String> lines = new ArrayList<>();

  synchronized void add(String line) {
    lines.add(line);
  }

  void begin(List<Node> nodes, Optional<String> lastPlaced) {
    StringBuilder text = new StringBuilder("made from " + nodes.size() + " nodes");
    lastPlaced.ifPresent(node -> text.append(", last placed on ").append(node));
    for (Node node : nodes) {
      // The call knows how a node reads.
      text.append("\n      ")
          .append(
              new Call.ShortForm(new Change.AddNode(node)).toString().substring("add ".length()));
    }
    add(text.toString());
  }

  void begin(RandomFleet fleet) {
    begin(fleet.nodes(), fleet.lastPlaced());
    add("domains " + fleet.domains() + ", rules " + fleet.rules());
  }

  synchronized String last() {
    return lines.isEmpty() ? "nothing was asked" : lines.get(lines.size() - 1);
  }

  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      text.append("\n  ").append(i + 1).append(". ").append(lines.get(i));
    }
    return text.toString();
  }
}
