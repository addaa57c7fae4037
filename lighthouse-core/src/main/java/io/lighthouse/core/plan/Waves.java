package io.lighthouse.core.plan;

import io.lighthouse.api.Change;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.ledger.Demand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Steps, each in the earliest wave that its dependencies allow. The steps of a wave may be carried
 * out in any order and at the same time. The steps are taken in some order, and a step never makes
 * one that is in a wave already wait.
 *
 * <p>First, the order is that in which the steps were found. Others are tried as long as they take
 * fewer waves, at most {@link #MOST_PASSES} times, and until the steps for that are spent or the
 * thread is interrupted. One is by wave, since a step may use room that one behind it frees. The
 * other is by about the latest wave that each may be in, so that those for which many wait come
 * first. The latest waves are the earliest ones of the way back, from the last step to the first,
 * where arrivals count as moves. They are of use where no rule keeps steps in their order (known as
 * double justification: Valls and others 2005).
 *
 * <p>A step depends on an earlier step of the same workload, on the room that others free ({@link
 * WaveRoom}), and on the placements that rules count ({@link RuleOrder}).
 */
final class Waves {
  /** How often other orders are tried at most; random plans end after two to five. */
  private static final int MOST_PASSES = 8;

  /** The steps that other orders of one plan may take at most: some seconds of one thread. */
  static final long MOST_STEPS = 2_000_000;

  /** The orders of a pass: by wave, and there and back by the latest wave. */
  private static final int ORDERS = 3;

  private final PlanSession session;
  private final int mostOfAGroup;
  private final List<List<PlanSession.Step>> waves = new ArrayList<>();

  /** Whether each step has room after those before it. */
  private boolean isFeasible = true;

  private final RuleOrder rules;
  private final WaveRoom room;

  /** By entry: the wave after the last one that moves the workload. */
  private final Map<Integer, Integer> next = new HashMap<>();

  /** By wave: the number of moved workloads of each aversion group. */
  private final List<Map<String, Integer>> ofGroup = new ArrayList<>();

  /** By aversion group: the waves that may move no more of it. */
  private final Map<String, BitSet> full = new HashMap<>();

  private Waves(
      PlanSession session, int mostOfAGroup, List<PlanSession.Step> steps, boolean isBack) {
    this.session = session;
    this.mostOfAGroup = mostOfAGroup;
    List<Demand> demands = steps.stream().map(step -> session.ledger.demand(step.entry())).toList();
    rules = new RuleOrder(session.ledger, steps, demands);
    room = new WaveRoom(session.ledger, steps, demands, isBack);
    for (int i = 0; i < demands.size(); i++) {
      add(i, steps.get(i), demands.get(i));
    }
  }

  /**
   * The waves of the steps that are done.
   *
   * @param session the ledger after all steps
   * @param mostOfAGroup the most workloads of one aversion group that are moved in one wave
   */
  static List<List<Change>> of(PlanSession session, int mostOfAGroup) {
    Waves found = new Waves(session, mostOfAGroup, session.done(), false);
    List<List<PlanSession.Step>> best = found.waves;
    int before = best.size() + 1;
    for (int pass = 0;
        pass < MOST_PASSES && best.size() < before && mayTry(session, before);
        pass++) {
      before = best.size();
      best = fewer(best, new Waves(session, mostOfAGroup, inOrder(best), false));
      if (found.rules.isEmpty()) {
        Waves back = new Waves(session, mostOfAGroup, inReverse(best), true);
        best = fewer(best, new Waves(session, mostOfAGroup, inReverse(back.waves), false));
      }
    }
    return best.stream().map(wave -> wave.stream().map(session::change).toList()).toList();
  }

  /** Whether other orders may be tried. A change reads the waves of its nodes. */
  private static boolean mayTry(PlanSession session, long waves) {
    return !Thread.currentThread().isInterrupted()
        && session.ordering.mayRead(ORDERS * waves * session.done().size());
  }

  private static List<List<PlanSession.Step>> fewer(
      List<List<PlanSession.Step>> best, Waves other) {
    return other.isFeasible && other.waves.size() < best.size() ? other.waves : best;
  }

  private static List<PlanSession.Step> inOrder(List<List<PlanSession.Step>> waves) {
    return waves.stream().flatMap(List::stream).toList();
  }

  /** The steps from the last to the first, each from its target to its source. */
  private static List<PlanSession.Step> inReverse(List<List<PlanSession.Step>> waves) {
    List<PlanSession.Step> steps = new ArrayList<>();
    for (PlanSession.Step step : inOrder(waves)) {
      steps.add(new PlanSession.Step(step.entry(), step.to(), step.from()));
    }
    Collections.reverse(steps);
    return steps;
  }

  private void add(int index, PlanSession.Step step, Demand demand) {
    int earliest =
        Math.max(next.getOrDefault(step.entry(), 0), rules.earliest(step, demand, waves.size()));
    BitSet refused = room.refused(index, waves.size());
    isFeasible &= !refused.get(waves.size());
    for (String group : groups(step)) {
      refused.or(full.getOrDefault(group, new BitSet()));
    }
    int wave = Math.min(refused.nextClearBit(earliest), waves.size());
    if (wave == waves.size()) {
      waves.add(new ArrayList<>());
      ofGroup.add(new HashMap<>());
    }
    waves.get(wave).add(step);
    room.add(index, wave);
    rules.add(step, demand, wave);
    next.put(step.entry(), wave + 1);
    for (String group : groups(step)) {
      if (ofGroup.get(wave).merge(group, 1, Integer::sum) >= mostOfAGroup) {
        full.computeIfAbsent(group, any -> new BitSet()).set(wave);
      }
    }
  }

  /** The aversion groups of a workload that is moved; none of a new one. */
  private Set<String> groups(PlanSession.Step step) {
    return step.from() == NodeTable.NONE
        ? Set.of()
        : session.ledger.placements().workload(step.entry()).aversionGroups();
  }
}
