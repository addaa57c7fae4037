package io.lighthouse.core.ledger;

import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many placed members each group has in each domain of the levels that rules ask about, and
 * which bounds the rules of placed workloads set there.
 *
 * <p>A workload is a member of its groups and of its aversion groups. Nothing is counted until the
 * first rule comes; a level is counted from the first rule on that names it, for all groups. So a
 * fleet without rules pays nothing.
 */
public final class Members {
  /** The level at which each node is a domain of its own: its slot. */
  public static final int NODE = -1;

  /** No bound. */
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  private final Ledger ledger;
  private final NameTable byName;

  /** By id; null where the id is free. */
  private final List<String> names = new ArrayList<>();

  private final Deque<Integer> free = new ArrayDeque<>();

  /** By id: how many members are placed. */
  private int[] totals = new int[8];

  /** By id: how many bounds are set, and for how many demands the id is kept. */
  private int[] users = new int[8];

  /** By id: the nodes that hold members; null for none. */
  private final List<NodeSet> holders = new ArrayList<>();

  /** By (id, node): the members on a node beyond the first. */
  private final CountMap more;

  /** By id, and then by level: the members by domain; null for none. */
  private final List<SortedCounts[]> counts = new ArrayList<>();

  /** By bound, and then by (id, level, domain): how often it is set there. */
  private final Map<Integer, CountMap> bounds = new HashMap<>();

  /**
   * By id, and then by level plus one: the bounds that are set in any domain of it, with how often
   * each is; null for none.
   */
  private final List<SortedCounts[]> bounded = new ArrayList<>();

  /** How many bounds are set. */
  private int boundCount;

  /** The name that was looked up last, and its id: a turn asks for the same one several times. */
  private String lastName;

  private int lastId;

  /** By level plus one: whether it is counted. */
  private boolean[] counted = new boolean[4];

  private boolean active;

  /** Counts what may change an answer. */
  private long changes;

  Members(Ledger ledger) {
    this.ledger = ledger;
    byName = new NameTable(id -> names.get(id));
    more = new CountMap();
  }

  Members(Ledger ledger, Members other) {
    this.ledger = ledger;
    names.addAll(other.names);
    other.holders.forEach(set -> holders.add(set == null ? null : set.copy()));
    byName = other.byName.copy(id -> names.get(id));
    free.addAll(other.free);
    totals = other.totals.clone();
    users = other.users.clone();
    more = new CountMap(other.more);
    other.counts.forEach(of -> counts.add(copy(of)));
    other.bounds.forEach((bound, set) -> bounds.put(bound, new CountMap(set)));
    other.bounded.forEach(of -> bounded.add(copy(of)));
    boundCount = other.boundCount;
    counted = other.counted.clone();
    active = other.active;
  }

  private static SortedCounts[] copy(SortedCounts[] of) {
    if (of == null) {
      return null;
    }
    SortedCounts[] copy = new SortedCounts[of.length];
    for (int i = 0; i < of.length; i++) {
      copy[i] = of[i] == null ? null : new SortedCounts(of[i]);
    }
    return copy;
  }

  /**
   * Counts what may change an answer.
   *
   * @return a number that grows
   */
  public long changes() {
    return changes;
  }

  /**
   * Whether anybody has asked about members yet.
   *
   * @return false while no rule has come
   */
  public boolean active() {
    return active;
  }

  /**
   * Counts the members of a level from now on.
   *
   * @param level the index of the level, or {@link #NODE}
   */
  public void count(int level) {
    if (!active) {
      active = true;
      Arrays.fill(totals, 0);
      everybody(true, NODE - 1);
    }
    if (level + 1 >= counted.length) {
      counted = Arrays.copyOf(counted, 2 * (level + 2));
    }
    if (!counted[level + 1]) {
      counted[level + 1] = true;
      everybody(false, level);
    }
  }

  /** Counts the members of the level that a rule asks about, from now on. */
  void countFor(Rule rule) {
    String level =
        rule instanceof Rule.Most most
            ? most.level()
            : rule instanceof Rule.Least least
                ? least.level()
                : rule instanceof Rule.Skew skew ? skew.level() : Rule.NODE;
    int index = ledger.topology.levelIndex(level);
    if (index != Topology.NO_LEVEL) {
      count(index);
    }
  }

  /** Counts all that is placed: in the whole, with their bounds; or at one level. */
  private void everybody(boolean whole, int level) {
    for (int node = 0; node < ledger.nodes.slotCount(); node++) {
      if (!ledger.nodes.alive(node)) {
        continue;
      }
      for (Workload workload : ledger.placements.workloads(node)) {
        if (whole) {
          eachGroup(workload, group -> add(intern(group), 1));
        } else {
          int domain = ledger.topology.domainOf(level, node);
          if (domain != Level.NOWHERE) {
            eachGroup(workload, group -> count(intern(group), level, domain, 1));
          }
        }
      }
    }
    changes++;
  }

  private interface OfGroup {
    void accept(String group);
  }

  private static void eachGroup(Workload workload, OfGroup each) {
    for (String group : workload.aversionGroups()) {
      each.accept(group);
    }
    for (String group : workload.terms().groups()) {
      if (!workload.aversionGroups().contains(group)) {
        each.accept(group);
      }
    }
  }

  /** Accounts for a placement (sign 1) or its end (sign -1): members and bounds. */
  void account(Workload workload, int node, int sign) {
    if (!active) {
      return;
    }
    eachGroup(workload, group -> member(group, node, sign));
    for (Rule rule : workload.terms().rules()) {
      if (rule instanceof Rule.Most most) {
        bound(most, node, sign);
      }
    }
    changes++;
  }

  private void member(String group, int node, int sign) {
    int id = intern(group);
    for (int level = NODE; level + 1 < counted.length; level++) {
      if (counted[level + 1]) {
        int domain = ledger.topology.domainOf(level, node);
        if (domain != Level.NOWHERE) {
          count(id, level, domain, sign);
        }
      }
    }
    add(id, sign);
  }

  private void count(int id, int level, int domain, int sign) {
    if (level != NODE) {
      at(counts, id, level).add(domain, sign);
      return;
    }
    NodeSet set = holders(id);
    if (set.has(domain) && (sign > 0 || more.get(key(id, NODE, domain)) > 0)) {
      more.add(key(id, NODE, domain), sign);
    } else if (sign > 0) {
      set.add(domain, ledger.nodes().slotCount());
    } else {
      set.remove(domain);
    }
  }

  /** The counts of an id at an index, which it gets. */
  private static SortedCounts at(List<SortedCounts[]> byId, int id, int index) {
    SortedCounts[] of = byId.get(id);
    if (of == null || of.length <= index) {
      of = of == null ? new SortedCounts[index + 1] : Arrays.copyOf(of, index + 1);
      byId.set(id, of);
    }
    if (of[index] == null) {
      of[index] = new SortedCounts();
    }
    return of[index];
  }

  private NodeSet holders(int id) {
    if (holders.get(id) == null) {
      holders.set(id, new NodeSet());
    }
    return holders.get(id);
  }

  private void bound(Rule.Most most, int node, int sign) {
    int level = ledger.topology.levelIndex(most.level());
    int domain = level == Topology.NO_LEVEL ? Level.NOWHERE : ledger.topology.domainOf(level, node);
    if (domain == Level.NOWHERE) {
      return;
    }
    int id = intern(most.group());
    bounds.computeIfAbsent(most.most(), any -> new CountMap()).add(key(id, level, domain), sign);
    at(bounded, id, level + 1).add(most.most(), sign);
    boundCount += sign;
    users[id] += sign;
    dropIfUnused(id);
  }

  /** The nodes or domains have new slots. */
  void recount() {
    more.clear();
    counts.replaceAll(any -> null);
    holders.replaceAll(any -> null);
    bounds.clear();
    bounded.replaceAll(any -> null);
    boundCount = 0;
    Arrays.fill(totals, 0);
    boolean wasActive = active;
    active = false;
    boolean[] levels = counted;
    counted = new boolean[levels.length];
    Arrays.fill(users, 0);
    for (int id = 0; id < names.size(); id++) {
      dropIfUnused(id);
    }
    if (!wasActive) {
      return;
    }
    count(NODE);
    for (int level = NODE; level + 1 < levels.length; level++) {
      if (levels[level + 1]) {
        count(level);
      }
    }
    for (int node = 0; node < ledger.nodes.slotCount(); node++) {
      if (ledger.nodes.alive(node)) {
        for (Workload workload : ledger.placements.workloads(node)) {
          for (Rule rule : workload.terms().rules()) {
            if (rule instanceof Rule.Most most) {
              bound(most, node, 1);
            }
          }
        }
      }
    }
  }

  // ---- reading ----

  /**
   * The id of a group; it is good until the next change.
   *
   * @param group its name
   * @return its id, or -1 where it has no member and no bound
   */
  public int find(String group) {
    if (group != lastName) { // Identity: a shortcut only.
      lastId = byName.get(group);
      lastName = group;
    }
    return lastId;
  }

  /**
   * How many members of a group are placed in a domain.
   *
   * @param group its id, or -1
   * @param level the index of a level that is counted, or {@link #NODE}
   * @param domain the slot of the domain; of a node at level {@link #NODE}
   * @return 0 or more
   */
  public int members(int group, int level, int domain) {
    if (group < 0) {
      return 0;
    }
    if (level != NODE) {
      SortedCounts of = domains(group, level);
      return of == null ? 0 : of.of(domain);
    }
    NodeSet set = holders.get(group);
    return set != null && set.has(domain) ? 1 + more.get(key(group, NODE, domain)) : 0;
  }

  /**
   * The domains of a level that hold members of a group, with how many each holds.
   *
   * @param group its id, or -1
   * @param level the index of a level that is counted, from 0
   * @return counts by the slot of the domain, which change with the group; null for none
   */
  public SortedCounts domains(int group, int level) {
    SortedCounts[] of = group < 0 ? null : counts.get(group);
    return of == null || of.length <= level ? null : of[level];
  }

  /**
   * The nodes that hold members of a group.
   *
   * @param group its id, or -1
   * @return a set that changes with the group; null for none
   */
  public NodeSet nodes(int group) {
    return group < 0 ? null : holders.get(group);
  }

  /**
   * How many members of a group are placed.
   *
   * @param group its id, or -1
   * @return 0 or more
   */
  public int total(int group) {
    return group < 0 ? 0 : totals[group];
  }

  /**
   * The least bound that somebody placed sets to a group in any domain of a level.
   *
   * @param group its id, or -1
   * @param level the index of a level, or {@link #NODE}
   * @return the bound, or {@link #UNBOUNDED}
   */
  public int leastBound(int group, int level) {
    SortedCounts set = boundsOf(group, level);
    return set == null || set.size() == 0 ? UNBOUNDED : set.number(0);
  }

  private SortedCounts boundsOf(int group, int level) {
    SortedCounts[] of = group < 0 ? null : bounded.get(group);
    return of == null || of.length <= level + 1 ? null : of[level + 1];
  }

  /**
   * Whether anybody placed sets a bound anywhere.
   *
   * @return false where {@link #leastBound} is none of any group
   */
  public boolean bounds() {
    return boundCount > 0;
  }

  /**
   * The least bound that somebody placed in a domain sets to a group.
   *
   * @param group its id, or -1
   * @param level the index of a level, or {@link #NODE}
   * @param domain the slot of the domain
   * @return the bound, or {@link #UNBOUNDED}
   */
  public int bound(int group, int level, int domain) {
    SortedCounts set = boundsOf(group, level);
    for (int i = 0; set != null && i < set.size(); i++) {
      if (bounds.get(set.number(i)).get(key(group, level, domain)) > 0) {
        return set.number(i);
      }
    }
    return UNBOUNDED;
  }

  private int intern(String group) {
    int id = find(group);
    if (id != NameTable.NONE) {
      return id;
    }
    lastName = null;
    id = free.isEmpty() ? names.size() : free.pop();
    if (id == names.size()) {
      names.add(null);
      counts.add(null);
      bounded.add(null);
      holders.add(null);
      if (id >= totals.length) {
        totals = Arrays.copyOf(totals, 2 * id);
      }
      if (id >= users.length) {
        users = Arrays.copyOf(users, 2 * id);
      }
    }
    names.set(id, group);
    totals[id] = 0;
    byName.add(group, id);
    return id;
  }

  private void add(int id, int more) {
    totals[id] += more;
    dropIfUnused(id);
  }

  private void dropIfUnused(int id) {
    if (names.get(id) != null && totals[id] == 0 && users[id] == 0) {
      byName.remove(names.get(id));
      lastName = null;
      names.set(id, null);
      counts.set(id, null);
      bounded.set(id, null);
      holders.set(id, null);
      free.push(id);
    }
  }

  /** Levels take 12 bits, so many are more than any fleet has. */
  private static long key(int group, int level, int domain) {
    return (long) group << 44 | (long) (level + 1) << 32 | domain & 0xFFFF_FFFFL;
  }
}
