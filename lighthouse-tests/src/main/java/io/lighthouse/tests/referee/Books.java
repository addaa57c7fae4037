package io.lighthouse.tests.referee;

import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The books of a fleet: capacities and who is where. What is left is added up at every question.
 */
final class Books {
  /** One node. */
  static final class Account {
    final String name;
    final Map<String, Amount> capacity = new TreeMap<>(Names.order());
    final List<Workload> placed = new ArrayList<>();
    boolean cordoned;

    Account(String name) {
      this.name = name;
    }

    Amount left(String resource) {
      Amount left = capacity.get(resource);
      for (Workload workload : placed) {
        left = left.minus(required(workload, resource));
      }
      return left;
    }

    /** What stands against a newcomer: the cordon first, then by resource name. */
    List<Reason> against(Workload workload) {
      List<Reason> reasons = new ArrayList<>();
      if (cordoned) {
        reasons.add(new Reason.Cordoned());
      }
      Set<String> names = new TreeSet<>(capacity.keySet());
      names.addAll(workload.requirements().names());
      List<String> inOrder = new ArrayList<>(names);
      inOrder.sort(Names.order());
      for (String name : inOrder) {
        Amount need = required(workload, name);
        if (!capacity.containsKey(name)) {
          reasons.add(new Reason.Missing(name, need.toQuantity()));
        } else if (!workload.immunities().contains(name)) {
          Amount left = left(name);
          Amount lacking = need.minus(left);
          if (left.minus(need).signum() >= 0) {
            continue;
          }
          reasons.add(
              left.signum() < 0
                  ? new Reason.Negative(
                      name, left.toQuantity(), need.toQuantity(), lacking.toQuantity())
                  : new Reason.Insufficient(
                      name, left.toQuantity(), need.toQuantity(), lacking.toQuantity()));
        }
      }
      return reasons;
    }

    boolean fits(Workload workload) {
      return against(workload).isEmpty();
    }

    /** The aversion groups that others placed here share with a workload. */
    Set<String> shared(Workload workload) {
      Set<String> shared = new TreeSet<>(Names.order());
      for (Workload other : placed) {
        if (!other.name().equals(workload.name())) {
          shared.addAll(other.aversionGroups());
        }
      }
      shared.retainAll(workload.aversionGroups());
      return shared;
    }

    Resources leftOfAll() {
      Map<String, Object> left = new TreeMap<>();
      capacity.keySet().forEach(resource -> left.put(resource, left(resource).toQuantity()));
      return Resources.of(left);
    }

    Resources capacityOfAll() {
      Map<String, Object> all = new TreeMap<>();
      capacity.forEach((resource, amount) -> all.put(resource, amount.toQuantity()));
      return Resources.of(all);
    }
  }

  /** In the order of nodes. */
  final List<Account> accounts = new ArrayList<>();

  /** The index of the node that took the last placed workload; -1 before the first. */
  int position = -1;

  void open(Node node) {
    Account account = new Account(node.name());
    account.cordoned = node.cordoned();
    account.placed.addAll(node.workloads());
    node.resources()
        .asMap()
        .forEach(
            (resource, left) -> {
              Amount capacity = Amount.offered(left);
              for (Workload workload : node.workloads()) {
                capacity = capacity.plus(required(workload, resource));
              }
              account.capacity.put(resource, capacity);
            });
    accounts.add(account);
  }

  void close(String node) {
    int index = indexOf(node);
    accounts.remove(index);
    if (index <= position) {
      position--;
    }
  }

  /** Takes a placed workload from its node; answers it. */
  Workload remove(String workload) {
    for (Account account : accounts) {
      for (Workload placed : account.placed) {
        if (placed.name().equals(workload)) {
          account.placed.remove(placed);
          return placed;
        }
      }
    }
    throw new IllegalArgumentException("nobody placed is named " + workload);
  }

  void resize(String node, Resources capacity) {
    Account account = account(node);
    account.capacity.clear();
    capacity.asMap().forEach((name, all) -> account.capacity.put(name, Amount.offered(all)));
  }

  /** The index of a node; -1 where there is none. */
  int indexOf(String node) {
    for (int i = 0; i < accounts.size(); i++) {
      if (accounts.get(i).name.equals(node)) {
        return i;
      }
    }
    return -1;
  }

  Account account(String node) {
    return accounts.get(indexOf(node));
  }

  /** The nodes that a workload fits. */
  List<Account> fitting(Workload workload) {
    return accounts.stream().filter(account -> account.fits(workload)).toList();
  }

  /** What a workload takes of a resource: 0 where it does not name it. */
  static Amount required(Workload workload, String resource) {
    return workload.requirements().get(resource).map(Amount::required).orElse(Amount.ZERO);
  }

  /** A batch in the order in which its workloads take their turns. */
  List<Workload> inTurn(List<Workload> batch, BatchOrder order) {
    List<Workload> turns = new ArrayList<>(batch);
    if (order instanceof BatchOrder.ScoreDescending byScore) {
      Comparator<Workload> score = Comparator.comparing(load -> score(load, byScore.rubric()));
      turns.sort(score.reversed().thenComparing(Workload::name, Names.order()));
    }
    if (order instanceof BatchOrder.SizeDescending) {
      turns.sort(Comparator.comparing(this::size).reversed());
    }
    return Collections.unmodifiableList(turns);
  }

  /** Shares of what all nodes have together: each in parts of 2^40, the sum in parts of 2^32. */
  private BigInteger size(Workload workload) {
    BigInteger size = BigInteger.valueOf(1 << 7);
    for (String resource : workload.requirements().names()) {
      BigDecimal total = BigDecimal.ZERO;
      for (Account account : accounts) {
        Amount capacity = account.capacity.getOrDefault(resource, Amount.ZERO);
        total = capacity.signum() > 0 ? total.add(capacity.finite()) : total;
      }
      if (total.signum() > 0) {
        BigDecimal parts =
            required(workload, resource).finite().multiply(BigDecimal.valueOf(1L << 40));
        size = size.add(parts.divide(total, 0, RoundingMode.FLOOR).toBigInteger());
      }
    }
    return size.shiftRight(8);
  }

  private static Amount score(Workload workload, Rubric rubric) {
    Amount score = Amount.ZERO;
    for (int i = 0; i < rubric.weights().size(); i++) {
      Amount required = required(workload, rubric.weights().name(i));
      score = score.plus(required.times(rubric.weights().quantity(i).toBigDecimal()));
    }
    return score;
  }
}
