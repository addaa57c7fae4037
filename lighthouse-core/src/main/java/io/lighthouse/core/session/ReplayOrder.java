package io.lighthouse.core.session;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.search.Finder;
import io.lighthouse.core.view.FleetView;
import io.lighthouse.core.view.Interruption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An order in which the placements of a whole batch can be repeated one by one, each fitting at its
 * turn. A session allows more. It may have let in a workload as company for others, and taken it
 * away again. This is possible with rules that are judged at the turn alone ({@code least}, {@code
 * skew} and those of plug-ins), and with what a workload gives to a domain.
 *
 * <p>The present order is tried first. A workload that does not fit at its turn waits until others
 * are placed. Workloads that still do not fit are placed before all others in the next attempt.
 */
final class ReplayOrder {
  private static final int MOST_ATTEMPTS = 8;

  private final FleetView fleet;
  private final Ledger ledger;
  private final Batch batch;

  /** The state of the ledger's log before the batch. */
  private final int before;

  ReplayOrder(FleetView fleet, Batch batch, int before) {
    this.fleet = fleet;
    this.batch = batch;
    this.before = before;
    ledger = fleet.ledger();
  }

  /** Whether what fits at its turn may not fit once another has been taken away. */
  boolean matters() {
    if (ledger.rules().stream().anyMatch(ReplayOrder::isOfTheTurn)) {
      return true;
    }
    for (int i = 0; batch.hasTerms() && i < batch.size(); i++) {
      Workload workload = batch.workload(i);
      if (workload.terms().rules().stream().anyMatch(ReplayOrder::isOfTheTurn)
          || workload.terms().shared().values().stream().anyMatch(ReplayOrder::gives)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfTheTurn(Rule rule) {
    return !(rule instanceof Rule.OfGroup of && of.monotone());
  }

  private static boolean gives(Resources shared) {
    return IntStream.range(0, shared.size()).anyMatch(i -> shared.quantity(i).signum() < 0);
  }

  /**
   * Places all of the batch again, each on its node, in an order in which each fits. A workload
   * that fits in no order tried is without a node afterwards. Returns whether all were placed.
   */
  boolean run() {
    int start = ledger.savepoint();
    int[] order = Arrays.stream(ledger.placedSince(before)).map(batch::indexOf).toArray();
    int[] nodes = new int[batch.size()];
    for (int index : order) {
      nodes[index] = ledger.placements().nodeOf(batch.entry(index));
    }
    for (int index : order) {
      ledger.remove(batch.entry(index), batch.demand(index));
    }
    int empty = ledger.savepoint();
    if (placeFitting(order, nodes).length == 0) {
      ledger.rollBack(start); // The present order can be repeated.
      return true;
    }
    int[] fewest = order;
    int left = Integer.MAX_VALUE;
    int[] tried = order;
    for (int attempt = 0; attempt < MOST_ATTEMPTS && left > 0; attempt++) {
      ledger.rollBack(empty);
      int[] waiting = placeWhileSomeFit(tried, nodes);
      if (waiting.length < left) {
        left = waiting.length;
        fewest = tried;
      }
      tried = first(waiting, tried);
    }
    if (left > 0) {
      ledger.rollBack(empty);
      placeWhileSomeFit(fewest, nodes);
    }
    return left == 0;
  }

  /** Tries the workloads that did not fit again, until none fits; returns those. */
  private int[] placeWhileSomeFit(int[] order, int[] nodes) {
    int last = Integer.MAX_VALUE;
    int[] waiting = order;
    while (waiting.length < last) {
      last = waiting.length;
      waiting = placeFitting(waiting, nodes);
    }
    return waiting;
  }

  /** Places the workloads that fit, one after the other; returns those that did not. */
  private int[] placeFitting(int[] order, int[] nodes) {
    List<Integer> waiting = new ArrayList<>();
    Finder finder = fleet.finder();
    for (int index : order) {
      Interruption.check();
      Demand demand = batch.demand(index);
      if (finder.fits(nodes[index], demand)) {
        ledger.place(batch.entry(index), nodes[index], demand);
      } else {
        waiting.add(index);
      }
    }
    return waiting.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Some of an order before the others of it. */
  private static int[] first(int[] some, int[] order) {
    Set<Integer> taken = Arrays.stream(some).boxed().collect(Collectors.toSet());
    IntStream others = Arrays.stream(order).filter(index -> !taken.contains(index));
    return IntStream.concat(Arrays.stream(some), others).toArray();
  }
}
