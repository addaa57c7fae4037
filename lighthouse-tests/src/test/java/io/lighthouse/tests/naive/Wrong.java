package io.lighthouse.tests.naive;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is refused: names, and the range of section 2.4, added up anew every time. */
final class Wrong {
  private static final BigDecimal LIMIT = new BigDecimal(BigInteger.TWO.pow(62));

  private Wrong() {}

  static InvalidInputException unknown(String what, String name) {
    return new InvalidInputException(what, "name", "'" + name + "'", "a known one");
  }

  static void batch(List<Workload> batch, NaiveDistributor distributor, Fault fault) {
    if (fault != Fault.TAKES_NAMESAKES) {
      names(batch, placed(distributor.nodes()));
    }
    for (Workload workload : batch) {
      if (distributor.leftTaken.contains(workload.name())) {
        throw new InvalidInputException("workload", "name", workload.name(), "one not taken");
      }
    }
    quantities(batch, distributor, fault);
  }

  static void node(Node node, NaiveDistributor distributor) {
    for (NaiveNode other : distributor.nodes()) {
      if (other.name.equals(node.name())) {
        throw new InvalidInputException("node", "name", "'" + node.name() + "'", "a new one");
      }
    }
    names(node.workloads(), placed(distributor.nodes()));
    List<NaiveNode> all = new ArrayList<>(distributor.nodes());
    all.add(new NaiveNode(node, Fault.NONE));
    range(all, List.of());
  }

  static void capacity(NaiveNode node, Resources capacity, NaiveDistributor distributor) {
    for (Workload workload : node.placed) {
      if (!capacity.names().containsAll(workload.requirements().names())) {
        throw new InvalidInputException("node", "capacity", capacity.toString(), "what is in use");
      }
    }
    List<NaiveNode> all = new ArrayList<>(distributor.nodes());
    NaiveNode resized = new NaiveNode(node);
    resized.resize(capacity);
    all.set(all.indexOf(node), resized);
    range(all, List.of());
  }

  static void quantities(List<Workload> batch, NaiveDistributor distributor, Fault fault) {
    if (fault != Fault.LETS_QUANTITIES_WRAP_ROUND) {
      range(distributor.nodes(), batch);
    }
  }

  private static List<Workload> placed(List<NaiveNode> nodes) {
    return nodes.stream().flatMap(node -> node.placed.stream()).toList();
  }

  private static void names(List<Workload> incoming, List<Workload> placed) {
    Set<String> names = new HashSet<>();
    placed.forEach(workload -> names.add(workload.name()));
    for (Workload workload : incoming) {
      if (!names.add(workload.name())) {
        throw new InvalidInputException(
            "workload", "name", "'" + workload.name() + "'", "one that is not taken");
      }
    }
  }

  private static void range(List<NaiveNode> nodes, List<Workload> batch) {
    List<Workload> all = new ArrayList<>(placed(nodes));
    all.addAll(batch);
    Set<String> names = new HashSet<>();
    nodes.forEach(node -> names.addAll(node.capacity.keySet()));
    all.forEach(workload -> names.addAll(workload.requirements().names()));
    for (String name : names) {
      BigDecimal largest = BigDecimal.ZERO;
      BigDecimal sum = BigDecimal.ZERO;
      int digits = 0;
      for (NaiveNode node : nodes) {
        Quantity capacity = node.capacity.getOrDefault(name, Nanos.ZERO).quantity();
        if (!capacity.isInfinite()) {
          largest = largest.max(capacity.toBigDecimal().abs());
          digits = Math.max(digits, capacity.scale());
        }
      }
      for (Workload workload : all) {
        Quantity need = workload.requirements().get(name).orElse(Quantity.ZERO);
        BigDecimal rounded = Nanos.of(need, RoundingMode.CEILING).quantity().toBigDecimal();
        sum = sum.add(rounded.abs());
        digits = Math.max(digits, rounded.scale());
      }
      if (largest.add(sum).compareTo(LIMIT.movePointLeft(digits)) >= 0) {
        throw new InvalidInputException(
            "resource '" + name + "'", "sum", largest.add(sum).toPlainString(), "below 2^62");
      }
    }
  }
}
