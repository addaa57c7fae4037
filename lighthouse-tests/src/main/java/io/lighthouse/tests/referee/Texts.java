package io.lighthouse.tests.referee;

import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import java.util.stream.Collectors;

/** Changes, nodes, domains and workloads in one line, without what is empty. */
final class Texts {
  private static final Cases<Change, String> CHANGES =
      Cases.<Change, String>of(Change.class)
          .on(Change.AddNode.class, add -> "add " + of(add.node()))
          .on(Change.Declare.class, declare -> "declare " + of(declare.domain()))
          .on(
              Change.Assign.class,
              assign -> "assign to node " + assign.node() + ": " + of(assign.workload()))
          .others(Object::toString)
          .complete();

  private Texts() {}

  static String of(Change change) {
    return CHANGES.apply(change);
  }

  static String of(Node node) {
    return "node "
        + node.name()
        + " "
        + node.resources()
        + (node.cordoned() ? " cordoned" : "")
        + unlessEmpty(" in ", node.domains())
        + unlessEmpty(" with units ", node.units())
        + node.workloads().stream()
            .map(workload -> " with [" + of(workload) + "]")
            .collect(Collectors.joining());
  }

  private static String of(Domain domain) {
    return "domain "
        + domain.level()
        + " "
        + domain.name()
        + " "
        + domain.resources()
        + (domain.cordoned() ? " cordoned" : "")
        + unlessEmpty(" with units ", domain.units());
  }

  static String of(Workload workload) {
    Terms terms = workload.terms();
    return "workload "
        + workload.name()
        + " "
        + workload.requirements()
        + unlessEmpty(" immune to ", workload.immunities())
        + unlessEmpty(" averse in ", workload.aversionGroups())
        + unlessEmpty(" sharing ", terms.shared())
        + unlessEmpty(" in groups ", terms.groups())
        + unlessEmpty(" where ", terms.where())
        + unlessEmpty(" with rules ", terms.rules())
        + unlessEmpty(" preferring ", terms.preferences())
        + terms.gang().map(Gang::toString).map(" in "::concat).orElse("");
  }

  private static String unlessEmpty(String word, Object some) {
    String text = some.toString();
    return text.equals("[]") || text.equals("{}") ? "" : word + text;
  }
}
