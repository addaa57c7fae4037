package io.lighthouse.tests.naive;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The three documented strategies, written from section 5 of the semantics, and the rules by load,
 * written from what the api says of them.
 */
public enum Rule {
  /** The first, in the order of nodes. */
  PRIORITIZED,
  /** The first after the node that took the last one, wrapping round once. */
  ROUND_ROBIN,
  /** The largest first, to the node with the least left; equal ones by name. */
  BIN_PACK,
  /** The largest share of the fleet first, to the node whose fullest resource stays emptiest. */
  SPREAD,
  /** To the node whose shares in use vary least. */
  BALANCE;

  List<Workload> turns(List<Workload> batch, List<NaiveNode> nodes, Rubric rubric) {
    List<Workload> turns = new ArrayList<>(batch);
    if (this == SPREAD) {
      turns.sort(
          Comparator.comparing((Workload workload) -> Load.size(workload, nodes)).reversed());
    }
    if (this == BIN_PACK) {
      turns.sort(
          (a, b) -> {
            int larger =
                score(Nanos.up(b.requirements()), rubric)
                    .compareTo(score(Nanos.up(a.requirements()), rubric));
            return larger != 0 ? larger : Names.compare(a.name(), b.name());
          });
    }
    return turns;
  }

  NaiveNode choose(
      Workload workload,
      List<NaiveNode> candidates,
      List<NaiveNode> all,
      int position,
      Rubric rubric) {
    switch (this) {
      case SPREAD:
        return first(candidates, node -> Load.fullest(node, workload));
      case BALANCE:
        return first(candidates, node -> Load.variance(node, workload));
      case ROUND_ROBIN:
        for (int step = 1; step <= all.size(); step++) {
          NaiveNode next = all.get((position + step) % all.size());
          if (candidates.contains(next)) {
            return next;
          }
        }
        throw new IllegalStateException("no candidate is a node");
      case BIN_PACK:
        return candidates.stream()
            .min(
                Comparator.<NaiveNode, Score>comparing(node -> score(node.left, rubric))
                    .thenComparing(node -> node.name, Names.order()))
            .orElseThrow();
      default:
        return candidates.get(0);
    }
  }

  private static NaiveNode first(
      List<NaiveNode> candidates, Function<NaiveNode, BigInteger> score) {
    return candidates.stream().min(Comparator.comparing(score)).orElseThrow();
  }

  /** A sum that infinities win: the negative before the positive. */
  private record Score(int infinity, BigDecimal sum) implements Comparable<Score> {
    @Override
    public int compareTo(Score other) {
      if (infinity != 0 || other.infinity != 0) {
        return Integer.compare(infinity, other.infinity);
      }
      return sum.compareTo(other.sum);
    }
  }

  private static Score score(java.util.Map<String, Nanos> quantities, Rubric rubric) {
    Resources weights = rubric.weights();
    boolean positive = false;
    boolean negative = false;
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 0; i < weights.size(); i++) {
      BigDecimal weight = weights.quantity(i).toBigDecimal();
      Nanos quantity = quantities.getOrDefault(weights.name(i), Nanos.ZERO);
      int sign = quantity.infinity() * weight.signum();
      positive |= sign > 0;
      negative |= sign < 0;
      sum = sum.add(new BigDecimal(quantity.units()).multiply(weight));
    }
    return new Score(negative ? -1 : positive ? 1 : 0, sum);
  }
}
