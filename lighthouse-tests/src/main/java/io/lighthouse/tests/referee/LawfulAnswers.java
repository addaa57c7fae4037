package io.lighthouse.tests.referee;

import io.lighthouse.api.Node;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.BatchOrder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All lawful answers to a batch, found by trying every answer: a second opinion on small cases. It
 * shares neither code nor method with {@link Referee}: it keeps running balances.
 *
 * <p>Assumes turns as given and a strategy that does not decline. Cost: the number of nodes plus
 * one to the power of the number of workloads.
 */
public final class LawfulAnswers {
  private final List<Node> nodes;
  private final List<Workload> batch;

  /** What is left per node, by resource; an infinite quantity is not in the map of its node. */
  private final List<Map<String, BigDecimal>> left = new ArrayList<>();

  /** The workloads of each node. */
  private final List<List<Workload>> present = new ArrayList<>();

  /** The node of each workload of the batch, or null; a turn fills its place. */
  private final String[] answer;

  private final Set<List<Optional<String>>> lawful = new LinkedHashSet<>();

  private LawfulAnswers(List<Node> nodes, List<Workload> batch) {
    this.nodes = nodes;
    this.batch = batch;
    answer = new String[batch.size()];
    for (Node node : nodes) {
      Map<String, BigDecimal> finite = new LinkedHashMap<>();
      node.resources()
          .asMap()
          .forEach(
              (name, quantity) -> {
                if (!quantity.isInfinite()) {
                  finite.put(name, rounded(quantity, RoundingMode.FLOOR));
                }
              });
      left.add(finite);
      present.add(new ArrayList<>(node.workloads()));
    }
  }

  /**
   * All lawful answers.
   *
   * @param nodes the fleet
   * @param batch the workloads, whose turns come as given ({@link BatchOrder.AsGiven})
   * @return for each lawful answer the node of every workload, or nothing, in the order given
   */
  public static Set<List<Optional<String>>> to(List<Node> nodes, List<Workload> batch) {
    LawfulAnswers search = new LawfulAnswers(nodes, batch);
    search.turn(0);
    return search.lawful;
  }

  private void turn(int index) {
    if (index == batch.size()) {
      lawful.add(Arrays.stream(answer).map(Optional::ofNullable).toList());
      return;
    }
    Workload workload = batch.get(index);
    List<Integer> friendly = new ArrayList<>();
    List<Integer> averse = new ArrayList<>();
    for (int node = 0; node < nodes.size(); node++) {
      if (fits(node, workload)) {
        (averse(node, workload) ? averse : friendly).add(node);
      }
    }
    List<Integer> open = friendly.isEmpty() ? averse : friendly;
    if (open.isEmpty()) {
      answer[index] = null;
      turn(index + 1);
    }
    for (int node : open) {
      answer[index] = nodes.get(node).name();
      move(node, workload, -1);
      present.get(node).add(workload);
      turn(index + 1);
      present.get(node).remove(workload);
      move(node, workload, 1);
    }
  }

  private boolean fits(int node, Workload workload) {
    if (nodes.get(node).cordoned()) {
      return false;
    }
    move(node, workload, -1);
    boolean fits =
        nodes.get(node).resources().names().containsAll(workload.requirements().names())
            && nodes.get(node).resources().names().stream()
                .allMatch(name -> workload.immunities().contains(name) || sign(node, name) >= 0);
    move(node, workload, 1);
    return fits;
  }

  private int sign(int node, String name) {
    BigDecimal finite = left.get(node).get(name);
    return finite != null
        ? finite.signum()
        : nodes.get(node).resources().get(name).map(Quantity::signum).orElse(0);
  }

  private boolean averse(int node, Workload workload) {
    return present.get(node).stream()
        .flatMap(other -> other.aversionGroups().stream())
        .anyMatch(workload.aversionGroups()::contains);
  }

  private void move(int node, Workload workload, int sign) {
    workload
        .requirements()
        .asMap()
        .forEach(
            (name, quantity) ->
                left.get(node)
                    .computeIfPresent(
                        name,
                        (same, balance) ->
                            balance.add(
                                rounded(quantity, RoundingMode.CEILING)
                                    .multiply(BigDecimal.valueOf(sign)))));
  }

  private static BigDecimal rounded(Quantity quantity, RoundingMode mode) {
    BigDecimal value = quantity.toBigDecimal();
    return value.scale() <= 9 ? value : value.setScale(9, mode);
  }
}
