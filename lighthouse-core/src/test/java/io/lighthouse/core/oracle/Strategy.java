package io.lighthouse.core.oracle;

import io.lighthouse.api.Names;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The three documented strategies and the rules by load, written from what the api says of them.
 */
public enum Strategy {
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

  /** The one of a name, such as {@code bin-pack}. */
  public static Strategy named(String name) {
    return valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT));
  }

  /** Its name, such as {@code bin-pack}. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A batch in the order in which its workloads have their turns. */
  List<Workload> turns(List<Workload> batch, World world, Rubric rubric) {
    List<Workload> turns = new ArrayList<>(batch);
    if (this == SPREAD) {
      turns.sort(
          Comparator.comparing((Workload workload) -> Load.size(workload, world.spots)).reversed());
    }
    if (this == BIN_PACK) {
      turns.sort(
          Comparator.<Workload, Score>comparing(
                  workload -> Score.of(Nanos.up(workload.requirements()), rubric))
              .reversed()
              .thenComparing(Workload::name, Names.order()));
    }
    return turns;
  }

  /** One of the candidates, of which there is one at least. */
  Spot choose(Workload workload, List<Spot> candidates, World world, Rubric rubric) {
    return switch (this) {
      case PRIORITIZED -> candidates.get(0);
      case SPREAD -> first(candidates, spot -> Load.fullest(spot, workload));
      case BALANCE -> first(candidates, spot -> Load.variance(spot, workload));
      case BIN_PACK ->
          candidates.stream()
              .min(
                  Comparator.<Spot, Score>comparing(spot -> Score.of(spot.account.left, rubric))
                      .thenComparing(spot -> spot.name, Names.order()))
              .orElseThrow();
      case ROUND_ROBIN -> {
        for (int step = 1; step <= world.spots.size(); step++) {
          Spot next = world.spots.get((world.position + step) % world.spots.size());
          if (candidates.contains(next)) {
            yield next;
          }
        }
        throw new IllegalStateException("no candidate is a node");
      }
    };
  }

  private static Spot first(List<Spot> candidates, Function<Spot, BigInteger> score) {
    return candidates.stream().min(Comparator.comparing(score)).orElseThrow();
  }
}
