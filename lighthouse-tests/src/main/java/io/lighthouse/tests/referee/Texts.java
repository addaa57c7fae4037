package io.lighthouse.tests.referee;

import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import io.lighthouse.api.Workload;

/** Changes, nodes and workloads in one line, without what is empty. */
final class Texts {
  private Texts() {}

  static String of(Change change) {
    if (change instanceof Change.AddNode add) {
      return "add " + of(add.node());
    }
    return change instanceof Change.Assign assign
        ? change + ": " + of(assign.workload())
        : change.toString();
  }

  static String of(Node node) {
    StringBuilder text = new StringBuilder("node " + node.name() + " " + node.resources());
    if (node.cordoned()) {
      text.append(" cordoned");
    }
    if (!node.workloads().isEmpty()) {
      text.append(" with");
      node.workloads().forEach(workload -> text.append(" [").append(of(workload)).append(']'));
    }
    return text.toString();
  }

  static String of(Workload workload) {
    StringBuilder text =
        new StringBuilder("workload " + workload.name() + " " + workload.requirements());
    if (!workload.immunities().isEmpty()) {
      text.append(" immune to ").append(workload.immunities());
    }
    if (!workload.aversionGroups().isEmpty()) {
      text.append(" averse in ").append(workload.aversionGroups());
    }
    return text.toString();
  }
}
