package io.lighthouse.core.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What is placed of one group. A workload is a member of its groups and of its aversion groups.
 * Workloads averse to the group are counted always, members only after the first rule.
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
  private final List<SortedCounts> domains = new ArrayList<>();

  /** By level plus one: the bounds that are set; null for none. */
  private final List<LevelBounds> bounds = new ArrayList<>();

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
    other.domains.forEach(one -> domains.add(one == null ? null : new SortedCounts(one)));
    other.bounds.forEach(one -> bounds.add(one == null ? null : new LevelBounds(one)));
  }

  /** Whether nothing is placed of the group, no bound is set and no open batch names it. */
  boolean isUnused() {
    return users == 0 && boundCount == 0 && total == 0 && averse.nodes().size() == 0;
  }

  /** The members by domain of a level; null for none. */
  SortedCounts domains(int level) {
    return level < domains.size() ? domains.get(level) : null;
  }

  /** The members by domain of a level, created if missing. */
  SortedCounts countedDomains(int level) {
    return element(domains, level, SortedCounts::new);
  }

  /** The bounds at a level or at {@link Members#NODE}; null for none. */
  LevelBounds bounds(int level) {
    return level + 1 < bounds.size() ? bounds.get(level + 1) : null;
  }

  /** The bounds at a level or at {@link Members#NODE}, created if missing. */
  LevelBounds setBounds(int level) {
    return element(bounds, level + 1, LevelBounds::new);
  }

  private static <T> T element(List<T> of, int index, Supplier<T> fresh) {
    while (of.size() <= index) {
      of.add(null);
    }
    if (of.get(index) == null) {
      of.set(index, fresh.get());
    }
    return of.get(index);
  }

  /** Forgets the members and the bounds; the averse workloads remain. */
  void clearMembers() {
    members = null;
    total = 0;
    boundCount = 0;
    domains.clear();
    bounds.clear();
  }
}
