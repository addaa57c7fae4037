package io.lighthouse.core.ledger;

import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What is placed of one group. A workload is a member of its groups and of its aversion groups.
 * Workloads averse to the group are counted always, members only after the first rule.
 *
 * <p>Levels are arrays, not lists: a search in 50 zones reads them a hundred times, and took 1.45
 * times as long with lists ({@code CliffBenchmark}, {@code HELD}, 2026-11-29).
 */
final class Group {
  final String name;

  /** How many workloads of open batches name the group. */
  int users;

  /** The number of bounds that are set. */
  int boundCount;

  /** By node: the workloads that have this aversion group. */
  final NodeCounts averse;

  /** By node: the members; null before the first. */
  NodeCounts members;

  /** How many members are placed. */
  int total;

  /** By level: the members by domain; null for none. */
  private SortedCounts[] domains = {};

  /** By level plus one: the bounds that are set; null for none. */
  private LevelBounds[] bounds = {};

  Group(String name) {
    this.name = name;
    averse = new NodeCounts();
  }

  /** A copy that shares nothing that changes, and that no open batch names. */
  Group(Group other) {
    name = other.name;
    boundCount = other.boundCount;
    averse = new NodeCounts(other.averse);
    members = other.members == null ? null : new NodeCounts(other.members);
    total = other.total;
    domains = copy(other.domains, SortedCounts::new);
    bounds = copy(other.bounds, LevelBounds::new);
  }

  private static <T> T[] copy(T[] of, UnaryOperator<T> copy) {
    T[] copies = of.clone();
    Arrays.setAll(copies, i -> of[i] == null ? null : copy.apply(of[i]));
    return copies;
  }

  /** Whether nothing is placed of the group, no bound is set and no open batch names it. */
  boolean isUnused() {
    return users == 0 && boundCount == 0 && total == 0 && averse.nodes().size() == 0;
  }

  /** The members by domain of a level; null for none. */
  SortedCounts domains(int level) {
    return level < domains.length ? domains[level] : null;
  }

  /** The members by domain of a level, created if missing. */
  SortedCounts countedDomains(int level) {
    domains = withElement(domains, level, SortedCounts[]::new, SortedCounts::new);
    return domains[level];
  }

  /** The bounds at a level or at {@link Members#NODE}; null for none. */
  LevelBounds bounds(int level) {
    return level + 1 < bounds.length ? bounds[level + 1] : null;
  }

  /** The bounds at a level or at {@link Members#NODE}, created if missing. */
  LevelBounds setBounds(int level) {
    bounds = withElement(bounds, level + 1, LevelBounds[]::new, LevelBounds::new);
    return bounds[level + 1];
  }

  private static <T> T[] withElement(
      T[] of, int index, IntFunction<T[]> array, Supplier<T> element) {
    T[] all = of;
    if (index >= of.length) {
      all = array.apply(index + 1);
      System.arraycopy(of, 0, all, 0, of.length);
    }
    if (all[index] == null) {
      all[index] = element.get();
    }
    return all;
  }

  /** Forgets the members and the bounds; the averse workloads remain. */
  void clearMembers() {
    members = null;
    total = 0;
    boundCount = 0;
    domains = new SortedCounts[0];
    bounds = new LevelBounds[0];
  }
}
