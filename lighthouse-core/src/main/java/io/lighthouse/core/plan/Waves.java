package io.lighthouse.core.plan;

import io.lighthouse.api.Change;
import io.lighthouse.core.account.NodeTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Steps, cut into waves in their order. The steps of a wave may be carried out in any order, since
 * no node is both left and taken in it. What arrives on a node fits there all together.
 */
final class Waves {
  private final PlanSession session;
  private final int mostOfAGroup;
  private final List<List<Change>> waves = new ArrayList<>();
  private final Set<Integer> left = new HashSet<>();
  private final Set<Integer> taken = new HashSet<>();
  private final Set<Integer> moved = new HashSet<>();
  private final Map<String, Integer> ofGroup = new HashMap<>();

  /** Whether the last wave is closed to further steps. */
  private boolean full = true;

  private Waves(PlanSession session, int mostOfAGroup) {
    this.session = session;
    this.mostOfAGroup = mostOfAGroup;
  }

  static List<List<Change>> of(PlanSession session, int mostOfAGroup) {
    Waves waves = new Waves(session, mostOfAGroup);
    session.done().forEach(waves::add);
    return waves.waves;
  }

  private void add(PlanSession.Step step) {
    boolean special = session.isSpecial(step.entry());
    if (full || special || !joins(step)) {
      waves.add(new ArrayList<>());
      left.clear();
      taken.clear();
      moved.clear();
      ofGroup.clear();
    }
    full = special;
    waves.get(waves.size() - 1).add(session.change(step));
    moved.add(step.entry());
    taken.add(step.to());
    if (step.from() != NodeTable.NONE) {
      left.add(step.from());
      groups(step).forEach(group -> ofGroup.merge(group, 1, Integer::sum));
    }
  }

  private boolean joins(PlanSession.Step step) {
    return !moved.contains(step.entry())
        && !left.contains(step.to())
        && !taken.contains(step.from())
        && (step.from() == NodeTable.NONE
            || groups(step).stream()
                .allMatch(group -> ofGroup.getOrDefault(group, 0) < mostOfAGroup));
  }

  private Set<String> groups(PlanSession.Step step) {
    return session.ledger.placements().workload(step.entry()).aversionGroups();
  }
}
