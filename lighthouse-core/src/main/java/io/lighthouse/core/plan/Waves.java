package io.lighthouse.core.plan;

import io.lighthouse.api.Change;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.ledger.Demand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * Steps, each in the earliest wave that its dependencies allow. The steps of a wave may be carried
 * out in any order and at the same time. The steps are taken in some order, and a step never makes
 * one that is in a wave already wait.
 *
 * <p>First, the order is that in which the steps were found. Then other orders are tried, {@link
 * #MOST_TURNS} times at most, until one changes nothing. Each turn starts from the order of the
 * last one, and the first order with the fewest waves is kept.
 *
 * <p>Which of the steps with the same latest wave comes first decides which one gets the room. So
 * at last, the steps of each wave are shuffled, {@link #MOST_SHUFFLES} times at most, and less
 * often in a plan of many steps. The shuffles are always the same, so the same input has the same
 * waves. Each turn starts from the last order with no more waves than the one before it.
 *
 * <p>The first order has a budget, and all others together have one. Where it is spent, or the
 * thread is interrupted, each further step of an order has a wave of its own, which is always
 * right.
 *
 * <p>The other order is that of about the latest wave that each step may be in, so that those for
 * which many wait come first. The latest waves are the earliest ones of the way back, from the last
 * wave to the first. On it, arrivals count as moves and no rule holds (known as double
 * justification: Valls and others 2005). A step may have no room in that order, break a rule, or
 * have a rule of a plug-in. Then the other order is that by wave, since a step may use room that
 * one behind it frees.
 *
 * <p>A step depends on an earlier step of the same workload, on the room that others free ({@link
 * WaveRoom}), and on the placements that rules count ({@link RuleOrder}).
 */
final class Waves {
  /** How often other orders are tried at most. */
  private static final int MOST_TURNS = 8;

  /** How often orders with shuffled waves are tried at most. */
  private static final int MOST_SHUFFLES = 64;

  /** How many steps are taken in orders with shuffled waves at most, all turns together. */
  private static final int SHUFFLED_STEPS = 20_000;

  /** The steps of the budget of the first order, and of the others: some seconds of one thread. */
  static final long MOST_STEPS = 2_000_000;

  private final PlanSession session;
  private final IntFunction<Demand> demands;
  private final StepBudget budget;
  private final List<List<PlanSession.Step>> waves = new ArrayList<>();

  /** Whether each step is known to have room after those before it. */
  private boolean isFeasible = true;

  private final RuleOrder rules;
  private final WaveRoom room;

  /** By entry: the wave after the last one that moves the workload. */
  private final Map<Integer, Integer> next = new HashMap<>();

  /** By wave: the number of moved workloads of each aversion group. */
  private final List<Map<String, Integer>> ofGroup = new ArrayList<>();

  /** By aversion group: the waves that may move no more of it. */
  private final Map<String, BitSet> full = new HashMap<>();

  /**
   * The waves of some steps.
   *
   * @param demands what the workloads need, by entry
   * @param budget what may be read
   * @param isBack whether the steps are the way back
   */
  private Waves(
      PlanSession session,
      IntFunction<Demand> demands,
      List<PlanSession.Step> steps,
      StepBudget budget,
      boolean isBack) {
    this.session = session;
    this.demands = demands;
    this.budget = budget;
    rules = new RuleOrder(session, demands, isBack ? List.of() : steps, budget);
    room = new WaveRoom(session.ledger, demands, steps, budget, isBack);
    for (int i = 0; i < steps.size(); i++) {
      add(i, steps.get(i));
    }
  }

  /** The waves of the steps that are done; the ledger is that after all of them. */
  static List<List<Change>> of(PlanSession session) {
    Map<Integer, Demand> compiled = new HashMap<>(); // Once for all orders.
    IntFunction<Demand> demands = entry -> compiled.computeIfAbsent(entry, session.ledger::demand);
    Waves best = new Waves(session, demands, session.done, session.firstOrder, false);
    Waves last = best;
    boolean changes = true; // Equal waves would be found again in each later turn.
    for (int turn = 0; turn < MOST_TURNS && changes && last.mayTry(); turn++) {
      Waves next = last.inOtherOrder(UnaryOperator.identity());
      changes = !next.waves.equals(last.waves);
      last = next;
      best = last.waves.size() < best.waves.size() ? last : best;
    }
    best = best.shuffled();
    return best.waves.stream().map(wave -> wave.stream().map(session::change).toList()).toList();
  }

  /**
   * Shuffles copies of lists, each one differently, and the same on every machine. The numbers are
   * those of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
   * 2014).
   */
  private static final class Shuffle implements UnaryOperator<List<PlanSession.Step>> {
    private long state;

    @Override
    public List<PlanSession.Step> apply(List<PlanSession.Step> wave) {
      List<PlanSession.Step> steps = new ArrayList<>(wave);
      for (int i = steps.size() - 1; i > 0; i--) {
        Collections.swap(steps, i, (int) Long.remainderUnsigned(next(), i + 1));
      }
      return steps;
    }

    private long next() {
      state += 0x9E3779B97F4A7C15L;
      long mixed = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
      mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
      return mixed ^ mixed >>> 31;
    }
  }

  /**
   * Tries orders in which the steps of each wave are shuffled.
   *
   * @return the first one with the fewest waves; these if there is none with fewer
   */
  private Waves shuffled() {
    Shuffle shuffle = new Shuffle();
    int turns = Math.min(MOST_SHUFFLES, SHUFFLED_STEPS / Math.max(1, session.done.size()));
    int least = least(session);
    Waves best = this;
    Waves last = this;
    for (int turn = 0; turn < turns && best.waves.size() > least && best.mayTry(); turn++) {
      Waves next = last.inOtherOrder(shuffle);
      last = next.waves.size() <= last.waves.size() ? next : last;
      best = last.waves.size() < best.waves.size() ? last : best;
    }
    return best;
  }

  /**
   * A lower bound of the waves in any order, 2 or more. A workload moves once in a wave. A wave
   * moves no more of an aversion group than the limit says.
   */
  private static int least(PlanSession session) {
    Map<Integer, Integer> ofWorkload = new HashMap<>();
    Map<String, Integer> ofGroup = new HashMap<>();
    int least = 2;
    for (PlanSession.Step step : session.done) {
      least = Math.max(least, ofWorkload.merge(step.entry(), 1, Integer::sum));
      for (String group : groups(session, step)) {
        int before = ofGroup.merge(group, 1, Integer::sum) - 1;
        least = Math.max(least, before / session.limits.mostOfAGroup() + 1);
      }
    }
    return least;
  }

  /** Whether another order may be tried. */
  private boolean mayTry() {
    return waves.size() > 1
        && !Thread.currentThread().isInterrupted()
        && !session.otherOrders.isOver();
  }

  /**
   * The same steps, taken in the next order to be tried.
   *
   * @param shuffle gives the steps of a wave in another order
   */
  private Waves inOtherOrder(UnaryOperator<List<PlanSession.Step>> shuffle) {
    if (rules.mayReorder()) {
      Waves back = new Waves(session, demands, wayBack(shuffle), session.otherOrders, true);
      Waves there = new Waves(session, demands, back.wayBack(shuffle), session.otherOrders, false);
      if (there.isFeasible && there.rules.isFeasible()) {
        return there;
      }
    }
    List<PlanSession.Step> byWave = waves.stream().map(shuffle).flatMap(List::stream).toList();
    return new Waves(session, demands, byWave, session.otherOrders, false);
  }

  /** The steps from the last wave to the first, each from its target to its source. */
  private List<PlanSession.Step> wayBack(UnaryOperator<List<PlanSession.Step>> shuffle) {
    List<PlanSession.Step> steps = new ArrayList<>();
    for (int wave = waves.size() - 1; wave >= 0; wave--) {
      for (PlanSession.Step step : shuffle.apply(waves.get(wave))) {
        steps.add(new PlanSession.Step(step.entry(), step.to(), step.from()));
      }
    }
    return steps;
  }

  private void add(int index, PlanSession.Step step) {
    int wave = mayRead() ? earliest(index, step) : waves.size();
    if (wave == waves.size()) {
      waves.add(new ArrayList<>());
      ofGroup.add(new HashMap<>());
    }
    waves.get(wave).add(step);
    room.add(index, wave);
    rules.add(index, wave);
    next.put(step.entry(), wave + 1);
    for (String group : groups(session, step)) {
      if (ofGroup.get(wave).merge(group, 1, Integer::sum) >= session.limits.mostOfAGroup()) {
        full.computeIfAbsent(group, any -> new BitSet()).set(wave);
      }
    }
  }

  /** Whether the waves may be read for one more step. */
  private boolean mayRead() {
    if (Thread.currentThread().isInterrupted()) {
      budget.end();
    }
    boolean mayRead = budget.mayRead(1 + waves.size() / Long.SIZE); // As rows of bits.
    isFeasible &= mayRead;
    return mayRead;
  }

  /** The earliest wave that a step may be in; their number for a new one. */
  private int earliest(int index, PlanSession.Step step) {
    BitSet refused = room.refused(index, waves.size());
    isFeasible &= !refused.get(waves.size());
    for (String group : groups(session, step)) {
      refused.or(full.getOrDefault(group, new BitSet()));
    }
    // Rules read other members of a group for each wave, so the others are left out first.
    int first = refused.nextClearBit(next.getOrDefault(step.entry(), 0));
    int earliest = rules.earliest(index, first, waves.size());
    return Math.min(refused.nextClearBit(earliest), waves.size());
  }

  /** The aversion groups of a workload that is moved; none of a new one. */
  private static Set<String> groups(PlanSession session, PlanSession.Step step) {
    return step.from() == NodeTable.NONE
        ? Set.of()
        : session.ledger.placements().workload(step.entry()).aversionGroups();
  }
}
