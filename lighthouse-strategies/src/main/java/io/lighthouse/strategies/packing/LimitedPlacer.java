package io.lighthouse.strategies.packing;

import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.strategies.packing.Valuation.Worth;
import java.math.BigInteger;
import java.util.function.BooleanSupplier;

/**
 * A simple strategy that stops when its answer can no longer be of use. That is when it has refused
 * more than a few workloads, or has used nodes that cost more than a state that places all.
 * Benchmark: {@code fleet-problem 10000 100000 2 95} (docs/lab/packings.md, "Large fleets in
 * parts").
 */
final class LimitedPlacer implements Placer, BooleanSupplier {
  private final Placer placer;
  private final Valuation valuation;

  /** What a state is worth that the answer is to be better than. */
  private final Worth present;

  /** Whether what a simple strategy places or refuses stays so in the end. */
  private final boolean isFinal;

  private final boolean[] used;
  private BigInteger price = BigInteger.ZERO;
  private long turns;
  private long placed;

  LimitedPlacer(Placer placer, Valuation valuation, Worth present, boolean isFinal, int nodes) {
    this.placer = placer;
    this.valuation = valuation;
    this.present = present;
    this.isFinal = isFinal;
    used = new boolean[nodes];
  }

  @Override
  public FleetNode choose(Workload workload, Candidates candidates) {
    FleetNode chosen = placer.choose(workload, candidates);
    int node = chosen.index();
    placed++;
    if (!used[node]) {
      price = price.add(valuation.priceOf(node));
    }
    used[node] = true;
    return chosen;
  }

  @Override
  public BatchOrder order() {
    return placer.order();
  }

  /** Whether to go on; called before each turn. */
  @Override
  public boolean getAsBoolean() {
    boolean goesOn = !isReached();
    turns++;
    return goesOn;
  }

  boolean isReached() {
    boolean refusesMore = valuation.byNumber && !valuation.isNear(turns - placed, present);
    return isFinal
        && (refusesMore || (present.unplaced() == 0 && price.compareTo(present.price()) >= 0));
  }
}
