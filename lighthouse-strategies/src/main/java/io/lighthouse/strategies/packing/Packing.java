package io.lighthouse.strategies.packing;

import io.lighthouse.api.strategy.BudgetOverException;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.strategies.packing.Valuation.Worth;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Places a batch on few nodes:
 *
 * <ol>
 *   <li>It takes the best of several starts, which are one-pass rules and simple strategies. Each
 *       is improved for a part of the steps before they are compared. It makes room for what the
 *       best one left out.
 *   <li>It begins again with each simple strategy that promises a better answer and was no start.
 *   <li>It empties node after node until the steps are spent.
 * </ol>
 *
 * If a simple strategy alone would have done better, its answer is the result. A large batch takes
 * the same way: one rule fills parts of the board on all cores ({@link Partition}). The answer
 * depends only on the problem and on the arguments.
 */
public final class Packing {
  /** The goal of the search. */
  public enum Goal {
    /** Place as many workloads as possible. */
    PLACE_ALL,
    /** Place as many workloads as possible, then lower the price. */
    CHEAPEST
  }

  /** A fleet is tight if more than this percentage of what is left of a resource is required. */
  private static final int TIGHT_PERCENT = 75;

  /** A simple strategy, and what its answer is worth. */
  private record Simple(Placer placer, Worth worth) {}

  /**
   * Each start is improved for this part of the steps before starts are compared: what is cheapest
   * at once is often not what ends cheapest (docs/lab/packings.md, "Starts that are tried").
   */
  private static final int TRIALS = 8;

  private final Session session;
  private final Board board;
  private final Valuation valuation;
  private final Settlement settlement;
  private final Filling filling;
  private final long seed;
  private final long[] prices;
  private final Goal goal;
  private final boolean firstFit;

  /** Simple strategies, each of which the answer is never worse than. */
  private final List<Placer> simple;

  /** Those whose whole answer has been compared. */
  private final Set<Placer> compared = new HashSet<>();

  /** The best of them so far; null before the first. */
  private Simple bestSimple;

  /** That which leaves out least before its answer is settled; null before the first. */
  private Simple mostPlaced;

  /** The least price of a start before it was improved; null before the first. */
  private BigInteger cheapestStart;

  /** What the state kept in the session is worth; null before the first. */
  private Worth kept;

  /**
   * Whether workloads may move when an answer is settled: where some have aversion groups or give a
   * resource.
   */
  private final boolean mayMove;

  /**
   * A packing of a batch.
   *
   * @param fleet the fleet
   * @param session the batch; none of its workloads is placed
   * @param steps how many nodes and workloads the search may examine, beside one-pass rules and
   *     simple strategies
   * @param seed the seed of the random numbers
   * @param goal the goal of the search
   * @param byNumber whether the number of placed workloads counts, not their size
   * @param simple placers that choose node by node; the answer is never worse than that of any
   * @param firstFit whether to begin with first fit in the order given, not with the best rule
   * @param prices the price of using each node, 0 or more
   * @param mostPairs the most pairs of a node and a workload that one round of a rule compares
   */
  public Packing(
      Fleet fleet,
      Session session,
      long steps,
      long seed,
      Goal goal,
      boolean byNumber,
      List<Placer> simple,
      boolean firstFit,
      long[] prices,
      long mostPairs) {
    this.session = session;
    this.goal = goal;
    this.simple = simple;
    this.firstFit = firstFit;
    this.prices = prices;
    board = new Board(fleet, session, steps);
    valuation = new Valuation(board, prices, goal == Goal.CHEAPEST, byNumber);
    settlement = new Settlement(fleet, board);
    filling = new Filling(board, mostPairs);
    this.seed = seed;
    mayMove =
        IntStream.range(0, board.loads)
            .anyMatch(load -> !board.movable[load] || board.groups[load].length > 0);
  }

  /** Places the batch. If the caller's budget ends that, the best state is kept. */
  public void run() {
    try {
      search();
    } catch (BudgetOverException ended) {
      keepIfBetter(); // Room may have been made since the last time.
      throw ended;
    }
  }

  private void search() {
    construct();
    keepIfBetter();
    board.goAhead();
    Improvement improvement = improvement();
    improvement.makeRoom();
    for (Placer placer : simple) {
      if (compared.contains(placer)) {
        continue;
      }
      if (isReached()) {
        break;
      }
      beginAgain(placer, improvement);
    }
    board.goAhead();
    if (goal == Goal.CHEAPEST) {
      improvement.empty();
    }
    Worth found = valuation.ofSession();
    settlement.settle();
    if (found.isBetterThan(valuation.ofSession())) {
      compareStopped();
    }
    if (bestSimple != null && bestSimple.worth.isBetterThan(valuation.ofSession())) {
      board.placeInTurn(bestSimple.placer);
      settlement.settle();
    }
    if (mostPlaced != null && mostPlaced.worth.unplaced() < valuation.ofSession().unplaced()) {
      board.placeInTurn(mostPlaced.placer);
      settlement.settleAndKeep(() -> valuation.ofSession().unplaced());
    }
  }

  /** An improvement of the present state. All have the same random numbers. */
  private Improvement improvement() {
    Ejection ejection = new Ejection(board, new Chance(seed), valuation.byNumber);
    return new Improvement(board, prices, ejection, this::keepIfBetter);
  }

  // ---- the simple strategies ----

  /**
   * Begins again with the answer of a simple strategy if that is better than the present state, or
   * cheaper with few workloads left out, for which room is made. Keeps the result if it is better.
   */
  private void beginAgain(Placer placer, Improvement improvement) {
    Worth present = valuation.ofSession();
    board.goAhead();
    LimitedPlacer limit =
        new LimitedPlacer(placer, valuation, present, board.isAhead() && !mayMove, board.nodes);
    if (limit.isReached()) {
      return;
    }
    board.followInSession();
    Board.Mark before = board.mark();
    board.clearSession();
    if (placer == Placer.FIRST) { // The engine has a fast way for it.
      session.placeInTurn(placer);
    } else {
      session.placeInTurn(limit, limit);
    }
    settleSimple(placer, !limit.isReached());
    Worth found = valuation.ofSession();
    keepIfBetter();
    boolean isBetter = found.isBetterThan(present);
    if (isBetter || (found.isCheaperThan(present) && valuation.isNear(found.unplaced(), present))) {
      board.readHomes();
      long reserve = board.steps / 2;
      board.steps -= reserve;
      board.goAhead();
      improvement.makeRoom();
      board.followInSession();
      board.steps += reserve;
      isBetter = valuation.ofSession().isBetterThan(present);
    }
    if (isBetter) {
      board.forget(before);
      keepIfBetter();
    } else {
      board.back(before);
    }
  }

  /**
   * Whether the goal is to place all, and all are placed in the end. A gang that is not whole is
   * undone then, and a workload that lacks another one beside it may lose its node.
   */
  private boolean isReached() {
    if (goal != Goal.PLACE_ALL || valuation.ofSession().unplaced() > 0) {
      return false;
    }
    board.followInSession();
    Board.Mark before = board.mark();
    settlement.settle();
    boolean all = valuation.ofSession().unplaced() == 0;
    board.back(before);
    return all;
  }

  /** Settles the answer of a simple strategy. If it is whole, compares it before and after that. */
  private void settleSimple(Placer placer, boolean isWhole) {
    Worth found = valuation.ofSession();
    if (isWhole && (mostPlaced == null || found.unplaced() < mostPlaced.worth.unplaced())) {
      mostPlaced = new Simple(placer, found);
    }
    if (mayMove) { // A later workload may have made a node averse, or given what an earlier lacked.
      settlement.settle();
      found = valuation.ofSession();
    }
    if (isWhole && (bestSimple == null || found.isBetterThan(bestSimple.worth))) {
      bestSimple = new Simple(placer, found);
    }
    if (isWhole) {
      compared.add(placer);
    }
  }

  /**
   * Compares the whole answers of the simple strategies that were stopped. Each was stopped because
   * it could not win. Settlement has made the state worse since, so now it may win.
   */
  private void compareStopped() {
    for (Placer placer : simple) {
      if (!compared.contains(placer)) {
        Board.Mark before = board.mark();
        board.placeInTurn(placer);
        settleSimple(placer, true);
        board.back(before);
      }
    }
  }

  private void keepIfBetter() {
    Worth worth = valuation.ofSession();
    if (kept == null || worth.isBetterThan(kept)) {
      kept = worth;
      session.keep();
    }
  }

  // ---- the best of several starts ----

  private void construct() {
    if (filling.isLarge()) { // Copies of parts are filled, and room is made, with the board ahead.
      board.goAhead();
      board.noteRefusing();
    }
    int[] asGiven = filling.asGiven();
    boolean priced = Arrays.stream(prices).distinct().count() > 1;
    Runnable open = filling::openFirst;
    Runnable fill = () -> filling.fill(asGiven, Filling.Score.ALIGNED);
    Runnable fillLargest = () -> filling.fill(filling.largestFirst(), Filling.Score.ALIGNED);
    Runnable cheapest = () -> filling.fill(filling.cheapestFirst(prices), Filling.Score.ALIGNED);
    List<Runnable> rules;
    if (firstFit) {
      rules =
          filling.isLarge()
              ? List.of(() -> board.placeInTurn(Placer.FIRST)) // It does not scan the nodes.
              : List.of(() -> filling.firstFit(Filling.LoadOrder.GIVEN));
    } else if (filling.isLarge()) {
      rules = List.of(priced ? cheapest : fill);
    } else if (priced) {
      rules = List.of(cheapest, open, fill);
    } else if (board.uniform) {
      rules =
          List.of(
              () -> filling.firstFit(Filling.LoadOrder.SQUARES),
              () -> filling.fill(asGiven, Filling.Score.DOT),
              fill);
    } else if (isTight()) { // The first rule runs even if the steps allow no other.
      rules = List.of(fill, open, fillLargest);
    } else {
      rules = List.of(open, fill, fillLargest);
    }
    start(rules);
  }

  /**
   * Keeps the best of the starts: best fillings where they suit, rules in order, then simple
   * strategies where starts are tried. A rule replaces best fillings that are equally good, because
   * these leave less to improve. On equal nodes it also replaces an equal rule
   * (docs/lab/packings.md, "Nodes filled with the best of few kinds").
   */
  private void start(List<Runnable> rules) {
    boolean several = !firstFit && !filling.isLarge();
    long steps = board.steps;
    long trial = several && goal == Goal.CHEAPEST && !board.uniform ? steps / TRIALS : 0;
    Optional<BestFilling> fillings = several ? BestFilling.of(board, prices) : Optional.empty();
    Worth best = null;
    if (fillings.isPresent()) {
      best = start(fillings.get()::fill, null, trial, true);
    }
    Worth filled = best;
    long half = board.steps / 2;
    for (Runnable rule : rules) {
      if (best == null || board.steps >= half) {
        best = start(whole(rule), best, trial, best == filled || board.uniform);
      }
    }
    for (Placer placer : trial > 0 ? simple : List.<Placer>of()) {
      // The size of what is unplaced is at least its number, so this limit is a wide one.
      Worth most = new Worth(best.unplaced(), mostForStart());
      LimitedPlacer limit = new LimitedPlacer(placer, valuation, most, true, board.nodes);
      best = start(() -> placeInTurn(placer, limit), best, trial, false);
    }
    board.steps = Math.max(board.steps, steps / 2); // The search is to have its share.
  }

  /**
   * Makes a start, and improves it for some steps unless it is far costlier than others. Keeps it
   * if it is better than the best one before, or as good where that is enough; else all is as
   * before. If the first start is cut short, all is as before, too. Returns what the better one is
   * worth; null if there is none.
   */
  private Worth start(BooleanSupplier start, Worth best, long some, boolean orEqual) {
    Board.Mark before = board.mark();
    if (best != null) {
      board.clear();
    }
    boolean isWhole = start.getAsBoolean();
    keepIfBetter(); // A budget may end in the next start.
    if (some > 0 && isWhole) {
      BigInteger price = valuation.priceOfBoard();
      cheapestStart = cheapestStart == null ? price : cheapestStart.min(price);
      if (price.compareTo(mostForStart()) <= 0) {
        improveFor(some);
      }
    }
    Worth found = valuation.ofBoard();
    boolean isChosen = isWhole;
    if (best != null) {
      isChosen = orEqual ? !best.isBetterThan(found) : found.isBetterThan(best);
      isChosen = isChosen && isFriendly();
    }
    if (isChosen) {
      board.forget(before);
      return found;
    }
    board.back(before);
    return best;
  }

  private static BooleanSupplier whole(Runnable rule) {
    return () -> {
      rule.run();
      return true;
    };
  }

  /** What a start may cost to be improved: twice as much as the cheapest one. */
  private BigInteger mostForStart() {
    return cheapestStart.shiftLeft(1);
  }

  /** Whether no workload of the batch is on an averse node. */
  private boolean isFriendly() {
    return IntStream.range(0, board.loads)
        .noneMatch(
            load ->
                board.groups[load].length > 0
                    && board.home[load] != Board.NOWHERE
                    && session.averse(load, board.home[load]));
  }

  /**
   * Places the batch by a simple strategy. Returns false if its limit is reached before the end.
   */
  private boolean placeInTurn(Placer placer, LimitedPlacer limit) {
    session.placeInTurn(limit, limit);
    boolean isWhole = !limit.isReached();
    settleSimple(placer, isWhole);
    board.readHomes();
    return isWhole;
  }

  /** Improves the present state for some steps. */
  private void improveFor(long some) {
    long rest = board.steps - some;
    board.steps = some;
    board.goAhead();
    Improvement trial = improvement();
    trial.makeRoom();
    trial.empty();
    board.followInSession();
    board.steps += rest;
  }

  /** Whether the batch requires more than {@link #TIGHT_PERCENT} of what is left of a resource. */
  private boolean isTight() {
    for (int d = 0; d < board.dims; d++) {
      long wanted = board.demand(d);
      long offered = 0;
      for (int node = 0; node < board.nodes; node++) {
        offered += Units.parts(board.left[node * board.dims + d], board.mean[d]);
      }
      if (wanted > offered / 100 * TIGHT_PERCENT) {
        return true;
      }
    }
    return false;
  }
}
