package io.lighthouse.tests.contract;

import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.referee.Call;
import java.util.ArrayList;
import java.util.List;

/** Calls and answers in order, as readable lines. One thread may read while another writes. */
final class Minutes {
  private final List<String> lines = new ArrayList<>();

  synchronized void add(String line) {
    lines.add(line);
  }

  void begin(RandomFleet fleet) {
    StringBuilder text = new StringBuilder("made from " + fleet.nodes().size() + " nodes");
    fleet.lastPlaced().ifPresent(node -> text.append(", last placed on ").append(node));
    for (Node node : fleet.nodes()) {
      // The call knows how a node reads.
      Call added = new Call.Attempt(new Change.AddNode(node));
      text.append("\n      ").append(added.toString().substring("attempt add ".length()));
    }
    if (!fleet.domains().isEmpty()) {
      text.append("\n      domains ").append(fleet.domains());
    }
    if (!fleet.rules().isEmpty()) {
      text.append("\n      rules ").append(fleet.rules());
    }
    add(text.toString());
  }

  synchronized String last() {
    return lines.isEmpty() ? "no call yet" : lines.get(lines.size() - 1);
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
