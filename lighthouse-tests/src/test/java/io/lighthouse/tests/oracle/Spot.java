package io.lighthouse.tests.oracle;

import io.lighthouse.api.Node;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A node: its account, where it stands, and who is on it. */
final class Spot {
  final String name;
  final Account account;
  final Map<String, String> domains;
  final List<Workload> placed = new ArrayList<>();

  Spot(Node node) {
    name = node.name();
    account = new Account(node.resources(), node.units(), node.cordoned());
    domains = node.domains();
    for (Workload workload : node.workloads()) {
      placed.add(workload);
      account.include(workload.requirements());
    }
  }

  Spot(Spot other) {
    name = other.name;
    account = new Account(other.account);
    domains = other.domains;
    placed.addAll(other.placed);
  }

  /** Its domain of a level; null where it stands nowhere. */
  String at(String level) {
    return switch (level) {
      case Rule.NODE -> name;
      case Rule.FLEET -> Rule.FLEET;
      default -> domains.get(level);
    };
  }

  boolean isIn(String level, String domain) {
    return domain.equals(at(level));
  }
}
