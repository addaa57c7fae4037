package io.lighthouse.tests.plans;

import io.lighthouse.api.Change;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/** Judges the waves of a plan by carrying its changes out in other orders. */
public final class WaveJudge {
  /** A wave of at most this many changes is tried in every order. */
  private static final int ALL_ORDERS = 6;

  private static final int SHUFFLES = 10;

  private final Predicate<List<Change>> lawful;

  /**
   * Creates a judge.
   *
   * @param lawful whether changes can be carried out one after the other, from the fleet before the
   *     plan on
   */
  public WaveJudge(Predicate<List<Change>> lawful) {
    this.lawful = lawful;
  }

  /** An order of a wave, behind the waves before it, that fails; empty if none is found. */
  public Optional<List<Change>> failingOrder(List<List<Change>> waves, Random random) {
    List<Change> before = new ArrayList<>();
    for (List<Change> wave : waves) {
      for (List<Change> order : orders(before, wave, random)) {
        if (!lawful.test(order)) {
          return Optional.of(order);
        }
      }
      before.addAll(wave);
    }
    return Optional.empty();
  }

  private static List<List<Change>> orders(List<Change> before, List<Change> wave, Random random) {
    List<List<Change>> orders = new ArrayList<>();
    if (wave.size() <= ALL_ORDERS) {
      permute(before, wave, orders);
      return orders;
    }
    for (int i = 0; i < SHUFFLES; i++) {
      List<Change> shuffled = new ArrayList<>(wave);
      Collections.shuffle(shuffled, random);
      orders.add(with(before, shuffled));
    }
    for (Change last : wave) {
      orders.add(with(before, first(wave, last, other -> to(other).equals(to(last)))));
      orders.add(with(before, first(wave, last, other -> from(other).equals(to(last)))));
    }
    return orders;
  }

  /** Some changes of a wave, then one, then the others. */
  private static List<Change> first(List<Change> wave, Change one, Predicate<Change> isFirst) {
    List<Change> order = new ArrayList<>(wave);
    order.removeIf(change -> change.equals(one) || !isFirst.test(change));
    order.add(one);
    wave.stream().filter(change -> !order.contains(change)).forEach(order::add);
    return order;
  }

  private static String to(Change change) {
    return change instanceof Change.Move move ? move.to() : ((Change.Assign) change).node();
  }

  private static String from(Change change) {
    return change instanceof Change.Move move ? move.from() : "";
  }

  private static List<Change> with(List<Change> before, List<Change> more) {
    List<Change> all = new ArrayList<>(before);
    all.addAll(more);
    return all;
  }

  private static void permute(List<Change> before, List<Change> rest, List<List<Change>> orders) {
    if (rest.isEmpty()) {
      orders.add(before);
    }
    for (Change next : rest) {
      List<Change> others = new ArrayList<>(rest);
      others.remove(next);
      permute(with(before, List.of(next)), others, orders);
    }
  }

  /**
   * The least number of waves in which some changes can be carried out, by trying all.
   *
   * @param changes few changes, lawful in this order
   * @param mayShare whether changes may be in one wave as far as the limits say
   */
  public int leastWaves(List<Change> changes, Predicate<List<Change>> mayShare) {
    int all = (1 << changes.size()) - 1;
    boolean[] reached = new boolean[all + 1];
    reached[0] = true;
    boolean[][] lawfulAfter = lawfulAfter(changes);
    for (int waves = 0; ; waves++) {
      if (reached[all]) {
        return waves;
      }
      boolean[] next = new boolean[all + 1];
      for (int done = 0; done <= all; done++) {
        for (int wave = 1; reached[done] && wave <= all; wave++) {
          if ((done & wave) == 0
              && mayShare.test(some(changes, wave))
              && isFree(done, wave, lawfulAfter)) {
            next[done | wave] = true;
          }
        }
      }
      reached = next;
    }
  }

  /** By the set of changes that are done, whether each other one is lawful then. */
  private boolean[][] lawfulAfter(List<Change> changes) {
    List<List<Change>> orders = new ArrayList<>(Collections.nCopies(1 << changes.size(), null));
    orders.set(0, List.of());
    boolean[][] lawfulAfter = new boolean[orders.size()][changes.size()];
    for (int done = 0; done < orders.size(); done++) {
      for (int i = 0; orders.get(done) != null && i < changes.size(); i++) {
        if ((done & 1 << i) == 0) {
          List<Change> order = with(orders.get(done), List.of(changes.get(i)));
          lawfulAfter[done][i] = lawful.test(order);
          if (lawfulAfter[done][i]) {
            orders.set(done | 1 << i, order);
          }
        }
      }
    }
    return lawfulAfter;
  }

  /** Whether every order of a wave is lawful. */
  private static boolean isFree(int done, int wave, boolean[][] lawfulAfter) {
    for (int part = wave; part > 0; part = part - 1 & wave) {
      int others = wave & ~part;
      for (int i = 0; i < lawfulAfter[0].length; i++) {
        if ((part & 1 << i) != 0 && !lawfulAfter[done | others][i]) {
          return false;
        }
      }
    }
    return true;
  }

  private static List<Change> some(List<Change> changes, int set) {
    List<Change> some = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      if ((set & 1 << i) != 0) {
        some.add(changes.get(i));
      }
    }
    return some;
  }
}
