package io.lighthouse.scheduler;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;

/** The open nodes that one request fits, by the scheduler's rule of fit. */
final class SchedulerCandidates implements Candidates {
  private final SchedulerFleet fleet;
  private final FitIndex index;
  private final Resources request;

  /** Null where every node is allowed. */
  private final IntPredicate allowed;

  private boolean closed;

  SchedulerCandidates(
      SchedulerFleet fleet, FitIndex index, Resources request, IntPredicate allowed) {
    this.fleet = fleet;
    this.index = index;
    this.request = request;
    this.allowed = allowed;
  }

  boolean isEmpty() {
    return fitting(0) < 0;
  }

  /** The same candidates, to be handed out and closed. */
  SchedulerCandidates again() {
    return new SchedulerCandidates(fleet, index, request, allowed);
  }

  /** The turn is over, or the state has changed: no more questions. */
  void close() {
    closed = true;
  }

  /** The place in the index of an offered candidate; -1 if it is none. */
  int indexOf(FleetNode node) {
    for (int i = fitting(0); i >= 0; i = fitting(i + 1)) {
      if (view(i) == node) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public FleetNode first() {
    checkOpen();
    return viewOrDecline(fitting(0));
  }

  @Override
  public FleetNode firstAfter(int place) {
    checkOpen();
    Objects.checkIndex(place + 1, fleet.size() + 1);
    for (int i = fitting(0); i >= 0; i = fitting(i + 1)) {
      if (view(i).index() > place) {
        return view(i);
      }
    }
    return first();
  }

  @Override
  public FleetNode first(NodeOrder order) {
    if (!fleet.keeps(order)) {
      throw new IllegalArgumentException("the order is of another fleet");
    }
    return best(order);
  }

  @Override
  public FleetNode emptiest() {
    return least(SharesInUse::fullest);
  }

  @Override
  public FleetNode mostEven() {
    return least(SharesInUse::variance);
  }

  /** What a node with the request on it is rated by; the lowest is the best. */
  private interface Rating {
    long of(Resources capacity, Resources left, Resources request);
  }

  private FleetNode least(Rating rating) {
    FleetNode best = null;
    long lowest = 0;
    for (FleetNode node : this) {
      long rated = rating.of(node.capacity(), node.left(), request);
      if (best == null || rated < lowest) {
        best = node;
        lowest = rated;
      }
    }
    return best == null ? decline() : best;
  }

  @Override
  public FleetNode best(Comparator<? super FleetNode> comparator) {
    FleetNode best = null;
    for (FleetNode node : this) {
      if (best == null || comparator.compare(node, best) < 0) {
        best = node;
      }
    }
    return best == null ? decline() : best;
  }

  @Override
  public FleetNode decline() {
    return Nobody.NODE;
  }

  @Override
  public Iterator<FleetNode> iterator() {
    checkOpen();
    return new Iterator<>() {
      private int at = fitting(0);

      @Override
      public boolean hasNext() {
        return at >= 0;
      }

      @Override
      public FleetNode next() {
        checkOpen();
        if (at < 0) {
          throw new NoSuchElementException();
        }
        FleetNode node = view(at);
        at = fitting(at + 1);
        return node;
      }
    };
  }

  private int fitting(int from) {
    int found = index.firstFitting(request, from);
    while (found >= 0 && allowed != null && !allowed.test(found)) {
      found = index.firstFitting(request, found + 1);
    }
    return found;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException(
          "the turn of these candidates has ended, or the state has changed since");
    }
  }

  private FleetNode viewOrDecline(int found) {
    return found < 0 ? decline() : view(found);
  }

  private SchedulerFleet.View view(int found) {
    return fleet.view(index.node(found).name());
  }

  /** The answer that wants no node. */
  private enum Nobody implements FleetNode {
    NODE;

    @Override
    public int index() {
      return -1;
    }

    @Override
    public Optional<Quantity> left(String resource) {
      return Optional.empty();
    }

    @Override
    public Optional<Quantity> capacity(String resource) {
      return Optional.empty();
    }

    @Override
    public Resources left() {
      return Resources.none();
    }

    @Override
    public Resources capacity() {
      return Resources.none();
    }

    @Override
    public int placedCount() {
      return 0;
    }

    @Override
    public List<Workload> workloads() {
      return List.of();
    }
  }
}
