package io.lighthouse.core.oracle;

import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A node: its account, its domains and its workloads. */
final class Spot {
  final String name;
  final Account account;
  final Map<String, String> domains;
  final List<Workload> placed = new ArrayList<>();

  /** The workloads that it brought, and the groups of all that were ever placed; for faults. */
  final Set<String> brought = new HashSet<>();

  final Set<String> onceHere = new HashSet<>();

  Spot(Node node, Fault fault) {
    name = node.name();
    account = new Account(node.resources(), node.units(), node.cordoned(), fault);
    domains = node.domains();
    for (Workload workload : node.workloads()) {
      placed.add(workload);
      brought.add(workload.name());
      account.include(workload.requirements());
    }
  }

  Spot(Spot other) {
    name = other.name;
    account = new Account(other.account);
    domains = other.domains;
    placed.addAll(other.placed);
    brought.addAll(other.brought);
    onceHere.addAll(other.onceHere);
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

  /** Whether what is left is the capacity less all that is placed here. */
  boolean conserves() {
    Account anew = new Account(account);
    anew.resize(
        Nanos.resources(account.capacity), placed.stream().map(Workload::requirements).toList());
    return anew.left.equals(account.left);
  }

  NodeState state(Fault fault) {
    return new NodeState(
        name,
        Nanos.resources(account.capacity),
        Nanos.resources(account.left),
        placed,
        account.cordoned && fault != Fault.WRITES_OUT_WITHOUT_CORDONS,
        domains,
        account.units);
  }
}
