package io.lighthouse.scheduler;

import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A batch of one workload, for a strategy that places whole batches. */
final class SingleSession implements Session {
  private final Workload workload;
  private final SchedulerCandidates candidates;

  /** The node that it is on; null if on none. */
  private FleetNode chosen;

  /** What {@code chosen} was at each mark. */
  private final List<FleetNode> marks = new ArrayList<>();

  SingleSession(Workload workload, SchedulerCandidates candidates) {
    this.workload = workload;
    this.candidates = candidates;
  }

  /** Where it was left; declined if nowhere. */
  FleetNode chosen() {
    return chosen == null ? candidates.decline() : chosen;
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public Workload workload(int at) {
    Objects.checkIndex(at, 1);
    return workload;
  }

  @Override
  public int nodeOf(int at) {
    Objects.checkIndex(at, 1);
    return chosen == null ? -1 : chosen.index();
  }

  @Override
  public boolean fits(int at, int node) {
    Objects.checkIndex(at, 1);
    return chosen == null && candidate(node) != null;
  }

  /** Nobody here has aversion groups. */
  @Override
  public boolean averse(int at, int node) {
    Objects.checkIndex(at, 1);
    return false;
  }

  @Override
  public Candidates candidates(int at) {
    Objects.checkIndex(at, 1);
    return candidates;
  }

  @Override
  public void assign(int at, int node) {
    Objects.checkIndex(at, 1);
    FleetNode candidate = candidate(node);
    if (chosen != null || candidate == null) {
      throw new IllegalStateException(
          "workload '"
              + workload.name()
              + (chosen != null ? "' is placed already" : "' does not fit node " + node));
    }
    chosen = candidate;
  }

  @Override
  public void release(int at) {
    Objects.checkIndex(at, 1);
    if (chosen == null) {
      throw new IllegalStateException("workload '" + workload.name() + "' is not placed");
    }
    chosen = null;
  }

  @Override
  public int savepoint() {
    marks.add(chosen);
    return marks.size() - 1;
  }

  @Override
  public void rollBack(int mark) {
    if (mark < 0 || mark >= marks.size()) {
      throw new IllegalStateException("mark " + mark + " is gone");
    }
    chosen = marks.get(mark);
    marks.subList(mark + 1, marks.size()).clear();
  }

  private FleetNode candidate(int node) {
    for (FleetNode candidate : candidates) {
      if (candidate.index() == node) {
        return candidate;
      }
    }
    return null;
  }
}
