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
import java.util.TreeMap;

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

  /** By (id, level, domain): the members; of a node those beyond the first. */
  private final CountMap counts;

  /** By bound, and then by (id, level, domain): how often it is set there. */
  private final Map<Integer, CountMap> bounds = new HashMap<>();

  /**
   * By id: the bounds that are set in any domain of a level, with how often each is, by level plus
   * one; null for none.
   */
  private final List<List<TreeMap<Integer, Integer>>> bounded = new ArrayList<>();

  /** By level plus one: whether it is counted. */
  private boolean[] counted = new boolean[4];

  private boolean active;

  /** Counts what may change an answer. */
  private long changes;

  Members(Ledger ledger) {
    this.ledger = ledger;
    byName = new NameTable(id -> names.get(id));
    counts = new CountMap();
  }

  Members(Ledger ledger, Members other) {
    this.ledger = ledger;
    names.addAll(other.names);
    other.holders.forEach(set -> holders.add(set == null ? null : set.copy()));
    byName = other.byName.copy(id -> names.get(id));
    free.addAll(other.free);
    totals = other.totals.clone();
    users = other.users.clone();
    counts = new CountMap(other.counts);
    other.bounds.forEach((bound, set) -> bounds.put(bound, new CountMap(set)));
    for (List<TreeMap<Integer, Integer>> of : other.bounded) {
      bounded.add(of == null ? null : new ArrayList<>());
      for (int i = 0; of != null && i < of.size(); i++) {
        bounded.get(bounded.size() - 1).add(new TreeMap<>(of.get(i)));
      }
    }
    counted = other.counted.clone();
    active = other.active;
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
    NodeSet set = level == NODE ? holders(id) : null;
    if (set == null || set.has(domain) && (sign > 0 || counts.get(key(id, NODE, domain)) > 0)) {
      counts.add(key(id, level, domain), sign);
    } else if (sign > 0) {
      set.add(domain, ledger.nodes().slotCount());
    } else {
      set.remove(domain);
    }
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
    if (bounded.get(id) == null) {
      bounded.set(id, new ArrayList<>());
    }
    List<TreeMap<Integer, Integer>> levels = bounded.get(id);
    while (levels.size() <= level + 1) {
      levels.add(new TreeMap<>());
    }
    count(levels.get(level + 1), most.most(), sign);
    users[id] += sign;
    dropIfUnused(id);
  }

  private static void count(TreeMap<Integer, Integer> bounds, int bound, int sign) {
    if (bounds.merge(bound, sign, Integer::sum) == 0) {
      bounds.remove(bound);
    }
  }

  /** The nodes or domains have new slots. */
  void recount() {
    counts.clear();
    holders.replaceAll(any -> null);
    bounds.clear();
    bounded.replaceAll(any -> null);
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
    return byName.get(group);
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
      return counts.get(key(group, level, domain));
    }
    NodeSet set = holders.get(group);
    return set != null && set.has(domain) ? 1 + counts.get(key(group, NODE, domain)) : 0;
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
    List<TreeMap<Integer, Integer>> levels = group < 0 ? null : bounded.get(group);
    return levels == null || level + 1 >= levels.size() || levels.get(level + 1).isEmpty()
        ? UNBOUNDED
        : levels.get(level + 1).firstKey();
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
    if (leastBound(group, level) == UNBOUNDED) {
      return UNBOUNDED;
    }
    for (Integer bound : bounded.get(group).get(level + 1).keySet()) {
      if (bounds.get(bound).get(key(group, level, domain)) > 0) {
        return bound;
      }
    }
    return UNBOUNDED;
  }

  private int intern(String group) {
    int id = byName.get(group);
    if (id != NameTable.NONE) {
      return id;
    }
    id = free.isEmpty() ? names.size() : free.pop();
    if (id == names.size()) {
      names.add(null);
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
      names.set(id, null);
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
