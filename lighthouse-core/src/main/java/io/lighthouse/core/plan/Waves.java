package io.lighthouse.core.plan;

import io.lighthouse.api.Change;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.ledger.Demand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Steps, each in the earliest wave that its dependencies allow. The steps of a wave may be carried
 * out in any order and at the same time. The steps are taken in the order in which they were found,
 * and a step never makes one that is in a wave already wait.
 *
 * <p>A step depends on an earlier step of the same workload, on the room that others free ({@link
 * WaveRoom}), and on the placements that rules count ({@link RuleOrder}).
 */
final class Waves {
  private final PlanSession session;
  private final int mostOfAGroup;
  private final List<List<Change>> waves = new ArrayList<>();
  private final RuleOrder rules;
  private final WaveRoom room;

  /** By entry: the wave after the last one that moves the workload. */
  private final Map<Integer, Integer> next = new HashMap<>();

  /** By wave: the number of moved workloads of each aversion group. */
  private final List<Map<String, Integer>> ofGroup = new ArrayList<>();

  /** By aversion group: a wave before which no wave may move more of it. */
  private final Map<String, Integer> full = new HashMap<>();

  private Waves(PlanSession session, int mostOfAGroup) {
    this.session = session;
    this.mostOfAGroup = mostOfAGroup;
    List<Demand> demands =
        session.done().stream().map(step -> session.ledger.demand(step.entry())).toList();
    rules = new RuleOrder(session.ledger, demands);
    room = new WaveRoom(session.ledger, session.done(), demands);
    for (int i = 0; i < demands.size(); i++) {
      add(i, session.done().get(i), demands.get(i));
    }
  }

  /**
   * The waves of the steps that are done.
   *
   * @param session the ledger after all steps
   * @param mostOfAGroup the most workloads of one aversion group that are moved in one wave
   */
  static List<List<Change>> of(PlanSession session, int mostOfAGroup) {
    return new Waves(session, mostOfAGroup).waves;
  }

  private void add(int index, PlanSession.Step step, Demand demand) {
    int wave =
        Math.max(next.getOrDefault(step.entry(), 0), rules.earliest(step, demand, waves.size()));
    wave = Math.max(wave, firstThatMayMove(step));
    BitSet refused = room.refused(index, waves.size());
    while (wave < waves.size() && (refused.get(wave) || !mayMove(wave, step))) {
      wave = refused.nextClearBit(wave + 1);
    }
    if (wave == waves.size()) {
      waves.add(new ArrayList<>());
      ofGroup.add(new HashMap<>());
    }
    waves.get(wave).add(session.change(step));
    room.add(index, wave);
    rules.add(step, demand, wave);
    next.put(step.entry(), wave + 1);
    if (step.from() != NodeTable.NONE) {
      for (String group : groups(step)) {
        ofGroup.get(wave).merge(group, 1, Integer::sum);
      }
    }
  }

  /** Whether a wave moves few enough workloads of each group of a workload. */
  private boolean mayMove(int wave, PlanSession.Step step) {
    return step.from() == NodeTable.NONE
        || groups(step).stream()
            .allMatch(group -> ofGroup.get(wave).getOrDefault(group, 0) < mostOfAGroup);
  }

  /** A wave before which no wave may move a workload. */
  private int firstThatMayMove(PlanSession.Step step) {
    int first = 0;
    for (String group : step.from() == NodeTable.NONE ? Set.<String>of() : groups(step)) {
      int wave = full.getOrDefault(group, 0);
      while (wave < waves.size() && ofGroup.get(wave).getOrDefault(group, 0) >= mostOfAGroup) {
        wave++;
      }
      full.put(group, wave);
      first = Math.max(first, wave);
    }
    return first;
  }

  private Set<String> groups(PlanSession.Step step) {
    return session.ledger.placements().workload(step.entry()).aversionGroups();
  }
}
