package io.lighthouse.tests.referee;

import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;

/** Changes, nodes and workloads in one line, without what is empty. */
final class Texts {
  private static final Cases<Change, String> CHANGES =
      Cases.<Change, String>of(Change.class)
          .on(Change.AddNode.class, add -> "add " + of(add.node()))
          .on(Change.Assign.class, assign -> assign + ": " + of(assign.workload()))
          .others(Object::toString)
          .complete();

  private Texts() {}

  static String of(Change change) {
    return CHANGES.apply(change);
  }

  static String of(Node node) {
    StringBuilder text = new StringBuilder("node " + node.name() + " " + node.resources());
    if (node.cordoned()) {
      text.append(" cordoned");
    }
    if (!node.domains().isEmpty()) {
      text.append(" in ").append(node.domains());
    }
    if (!node.units().isEmpty()) {
      text.append(" with units ").append(node.units());
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
    if (!workload.terms().equals(Terms.NONE)) {
      text.append(' ').append(workload.terms());
    }
    return text.toString();
  }
}
