package io.lighthouse.strategies.packing;

import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.Session;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Places a batch on few nodes: the best of some one-pass rules, then room for what they left out,
 * then one node after the other is emptied, as long as the steps last. The answer depends on
 * nothing but the problem, the steps and the seed.
 */
public final class Packing {
  /** What is to be reached. */
  public enum Goal {
    /** As many placed as can be. */
    PLACE_ALL,
    /** That, then at the least price. */
    CHEAPEST
  }

  /** Turns that an attempt to empty a node may take, times how often it has failed, and one. */
  private static final int TURNS = 200;

  /** More than so much of what is left is asked for where a fleet is tight. */
  private static final int TIGHT_PERCENT = 75;

  /** A node that could not be emptied so often is left alone. */
  private static final int MOST_FAILURES = 24;

  private final Session session;
  private final Board board;
  private final Filling filling;
  private final Ejection ejection;
  private final long[] prices;
  private final Goal goal;
  private final boolean firstFit;

  /**
   * A packing of a batch.
   *
   * @param fleet the fleet
   * @param session the batch; nothing of it is placed
   * @param steps nodes and workloads that may be looked at
   * @param seed of the random numbers
   * @param goal what is to be reached
   * @param firstFit whether to begin with first fit in the order given, not with the best rule
   * @param prices by node what its use costs, 0 or more
   */
  public Packing(
      Fleet fleet,
      Session session,
      long steps,
      long seed,
      Goal goal,
      boolean firstFit,
      long[] prices) {
    this.session = session;
    this.goal = goal;
    this.firstFit = firstFit;
    this.prices = prices;
    board = new Board(fleet, session, steps);
    filling = new Filling(board);
    ejection = new Ejection(board, new Chance(seed));
  }

  /** Places the batch. */
  public void run() {
    construct();
    session.keep();
    board.goAhead();
    makeRoom();
    if (goal == Goal.CHEAPEST) {
      empty();
    }
    settle();
  }

  // ---- the best of the one-pass rules ----

  private void construct() {
    int[] asGiven = filling.asGiven();
    Runnable open = () -> filling.openFirst(Filling.LoadOrder.LARGEST);
    Runnable fill = () -> filling.fill(asGiven, Filling.Score.ALIGNED);
    Runnable fillLargest = () -> filling.fill(filling.largestFirst(), Filling.Score.ALIGNED);
    List<Runnable> rules;
    if (firstFit) {
      rules = List.of(() -> filling.firstFit(Filling.LoadOrder.GIVEN));
    } else if (Arrays.stream(prices).distinct().count() > 1) {
      Runnable cheapest = () -> filling.fill(filling.cheapestFirst(prices), Filling.Score.ALIGNED);
      rules = List.of(cheapest, open, fill);
    } else if (board.uniform) {
      rules =
          List.of(
              () -> filling.firstFit(Filling.LoadOrder.SQUARES),
              () -> filling.fill(asGiven, Filling.Score.DOT),
              fill);
    } else if (isTight()) { // Where the steps last for one rule, it is the one for this.
      rules = List.of(fill, open, fillLargest);
    } else {
      rules = List.of(open, fill, fillLargest);
    }
    long steps = board.steps;
    int best = -1;
    int last = -1;
    long bestLeft = Long.MAX_VALUE;
    long bestPrice = Long.MAX_VALUE;
    Board.Mark start = board.mark();
    for (int rule = 0; rule < rules.size(); rule++) {
      if (rule > 0 && board.steps < steps / 2) {
        break;
      }
      if (rule > 0) {
        board.back(start);
        start = board.mark();
      }
      rules.get(rule).run();
      last = rule;
      long unplaced = unplacedSize();
      long price = price();
      if (unplaced < bestLeft || (unplaced == bestLeft && price < bestPrice)) {
        bestLeft = unplaced;
        bestPrice = price;
        best = rule;
      }
    }
    if (best != last) {
      board.back(start);
      start = board.mark();
      rules.get(best).run();
    }
    board.forget(start);
  }

  /** Whether what is asked for is more than {@link #TIGHT_PERCENT} of what is left of something. */
  private boolean isTight() {
    for (int d = 0; d < board.dims; d++) {
      long wanted = 0;
      long offered = 0;
      for (int load = 0; load < board.loads; load++) {
        wanted += board.parts[load * board.dims + d];
      }
      for (int node = 0; node < board.nodes; node++) {
        offered += Units.parts(board.left[node * board.dims + d], board.mean[d]);
      }
      if (wanted > offered / 100 * TIGHT_PERCENT) {
        return true;
      }
    }
    return false;
  }

  private long unplacedSize() {
    long sum = 0;
    for (int load = 0; load < board.loads; load++) {
      sum += board.home[load] == Board.NOWHERE ? board.size[load] : 0;
    }
    return sum;
  }

  private long price() {
    long sum = 0;
    for (int node = 0; node < board.nodes; node++) {
      sum += board.held[node] > 0 && !board.inhabited[node] ? prices[node] : 0;
    }
    return sum;
  }

  private boolean addUnplaced() {
    boolean any = false;
    for (int load = 0; load < board.loads; load++) {
      if (board.home[load] == Board.NOWHERE && board.movable[load]) {
        ejection.add(load);
        any = true;
      }
    }
    return any;
  }

  /** Looks for room for what is left out. */
  private void makeRoom() {
    boolean again = true;
    while (again) {
      ejection.clear();
      if (!addUnplaced()) {
        return;
      }
      boolean ahead = board.isAhead();
      ejection.sort();
      ejection.run(Long.MAX_VALUE, true);
      session.keep();
      again = ahead && !board.isAhead(); // There is a rule that the board does not know.
    }
  }

  // ---- emptying ----

  private void empty() {
    int[] failures = new int[board.nodes];
    // An emptied node stays closed; so does every node that nobody needed so far.
    board.close(node -> !board.inUse(node));
    long turns = board.uniform ? 40L * TURNS : TURNS;
    while (board.steps > 0) {
      int node = cheapestToEmpty(failures);
      if (node == Board.NOWHERE) {
        break;
      }
      Board.Mark before = board.mark();
      board.close(other -> other == node || board.closed(other));
      ejection.clear();
      for (int load : Arrays.copyOf(board.on[node], board.held[node])) {
        board.take(load);
        ejection.add(load);
      }
      ejection.sort();
      if (ejection.run(turns * (1 + failures[node]), false) && board.carryOut(before)) {
        board.forget(before);
        session.keep();
      } else {
        board.back(before);
        board.close(other -> other != node && board.closed(other));
        failures[node]++;
      }
    }
    board.close(node -> false);
  }

  /** The node with the least on it for its price, that has not failed too often. */
  private int cheapestToEmpty(int[] failures) {
    int found = Board.NOWHERE;
    long least = Long.MAX_VALUE;
    for (int node = 0; node < board.nodes; node++) {
      if (board.held[node] == 0
          || board.inhabited[node]
          || failures[node] >= MOST_FAILURES
          || prices[node] == 0
          || !allMovable(node)) {
        continue;
      }
      board.steps--;
      long cost = (board.loadOf(node) + board.sizeOf(node) / 2) * (1 + failures[node]);
      cost = (cost << 12) / prices[node];
      if (cost < least) {
        least = cost;
        found = node;
      }
    }
    return found;
  }

  private boolean allMovable(int node) {
    for (int i = 0; i < board.held[node]; i++) {
      if (!board.movable[board.on[node][i]]) {
        return false;
      }
    }
    return true;
  }

  // ---- what every answer owes ----

  /**
   * Places whoever fits somewhere, and moves who is on an averse node to a friendly one that it
   * fits, until nothing of that is left to do. Each turn places one more, or ends a quarrel; but
   * who leaves others that live on it, which it does once, no more. So it comes to an end.
   */
  private void settle() {
    boolean[] left = new boolean[board.loads];
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int load = 0; load < board.loads; load++) {
        if (session.nodeOf(load) < 0) {
          int node = firstFor(load);
          if (node >= 0) {
            session.assign(load, node);
            changed = true;
          }
        } else if (board.groups[load].length > 0) {
          changed |= befriend(load, left);
        }
      }
    }
  }

  /** The first candidate of a workload; -1 where there is none. */
  private int firstFor(int load) {
    Candidates candidates = session.candidates(load);
    FleetNode first = candidates.first();
    return first == candidates.decline() ? -1 : first.index();
  }

  private boolean befriend(int load, boolean[] left) {
    int node = session.nodeOf(load);
    if (!session.averse(load, node)) {
      return false;
    }
    boolean needed = !session.releasable(load);
    if (needed && left[load]) {
      return false;
    }
    int before = session.savepoint();
    session.release(load);
    int friendly = firstFor(load);
    if (friendly >= 0 && !session.averse(load, friendly)) {
      session.assign(load, friendly);
      session.forget(before);
      if (needed) {
        left[load] = true;
        comeAgain(node);
      }
      return true;
    }
    session.rollBack(before);
    session.forget(before);
    return false;
  }

  /** Lets those on a node come anew; who does not fit any more is without a node. */
  private void comeAgain(int node) {
    int[] members =
        IntStream.range(0, board.loads).filter(load -> session.nodeOf(load) == node).toArray();
    for (int load : members) {
      session.release(load);
    }
    for (int load : members) {
      if (session.fits(load, node)) {
        session.assign(load, node);
      }
    }
  }
}
