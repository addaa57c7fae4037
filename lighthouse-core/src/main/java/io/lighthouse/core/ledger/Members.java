package io.lighthouse.core.ledger;

import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The number of placed members of each group, by domain, for the levels that rules use. Also the
 * bounds that the rules of placed workloads set there.
 *
 * <p>A workload is a member of its groups and of its aversion groups. Nothing is counted before the
 * first rule. A level is counted, for all groups, from the first rule that names it. So a fleet
 * without rules pays nothing.
 */
public final class Members {
  /** The level at which each node is a domain; the domain's slot is the node's. */
  public static final int NODE = -1;

  /** No bound. */
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  private final Ledger ledger;
  private final NameTable byName;

  /** By id: the name; null where the id is free. */
  private final List<String> names = new ArrayList<>();

  private final Deque<Integer> free = new ArrayDeque<>();

  /** By id: how many members are placed. */
  private int[] totals = new int[8];

  /** By id: the number of bounds that are set and of demands that keep the id. */
  private int[] users = new int[8];

  /** By id: the nodes that hold members; null for none. */
  private final List<NodeSet> holders = new ArrayList<>();

  /** By group and node: the members on the node beyond the first. */
  private final CountMap more;

  /** By id, then by level: the members by domain; null for none. */
  private final List<SortedCounts[]> counts = new ArrayList<>();

  /** By id, then by level plus one: the bounds that are set; null for none. */
  private final List<LevelBounds[]> bounds = new ArrayList<>();

  /** The number of bounds that are set. */
  private int boundCount;

  /** Counts how often a group got or lost an id, or a least bound changed. */
  private long version;

  /** The name looked up last, and its id; a turn looks up the same name several times. */
  private String lastName;

  private int lastId;

  /** By level plus one: whether the level is counted. */
  private boolean[] counted = new boolean[4];

  private boolean counting;

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
    other.counts.forEach(of -> counts.add(copy(of, SortedCounts[]::new, SortedCounts::new)));
    other.bounds.forEach(of -> bounds.add(copy(of, LevelBounds[]::new, LevelBounds::new)));
    boundCount = other.boundCount;
    counted = other.counted.clone();
    counting = other.counting;
  }

  private static <T> T[] copy(T[] of, IntFunction<T[]> array, UnaryOperator<T> copy) {
    return of == null
        ? null
        : Arrays.stream(of).map(one -> one == null ? null : copy.apply(one)).toArray(array);
  }

  /**
   * Counts how often a group got or lost an id, or its least bound at a level changed. While this
   * number stays the same, results of {@link #find} and {@link #leastBound} remain valid.
   *
   * @return a number that grows
   */
  public long version() {
    return version;
  }

  /**
   * Whether members are counted.
   *
   * @return false before the first rule
   */
  public boolean isCounting() {
    return counting;
  }

  /**
   * Counts the members of a level from now on.
   *
   * @param level the index of the level, or {@link #NODE}
   */
  public void count(int level) {
    if (!counting) {
      counting = true;
      Arrays.fill(totals, 0);
      countAllPlaced(true, NODE - 1);
    }
    if (level + 1 >= counted.length) {
      counted = Arrays.copyOf(counted, 2 * (level + 2));
    }
    if (!counted[level + 1]) {
      counted[level + 1] = true;
      countAllPlaced(false, level);
    }
  }

  /** Counts the members at the level of a rule from now on. */
  void countFor(Rule rule) {
    String level = rule instanceof Rule.OfGroup of ? of.level() : Rule.NODE;
    int index = ledger.topology.levelIndex(level);
    if (index != Topology.NO_LEVEL) {
      count(index);
    }
  }

  /** Counts all placed workloads: in total, if {@code whole}; else by domain of one level. */
  private void countAllPlaced(boolean whole, int level) {
    for (int node = 0; node < ledger.nodes.slotCount(); node++) {
      if (!ledger.nodes.alive(node)) {
        continue;
      }
      for (Workload workload : ledger.placements.workloads(node)) {
        if (whole) {
          eachGroup(workload, group -> add(intern(group), 1));
        } else {
          int domain = ledger.topology.domainOf(level, node);
          if (domain != NodeTable.NONE) {
            eachGroup(workload, group -> count(intern(group), level, domain, 1));
          }
        }
      }
    }
  }

  private interface OfGroup {
    void accept(String group);
  }

  private static void eachGroup(Workload workload, OfGroup each) {
    eachGroup(workload.aversionGroups(), workload.terms(), each);
  }

  private static void eachGroup(Set<String> averse, Terms terms, OfGroup each) {
    for (String group : averse) {
      each.accept(group);
    }
    for (String group : terms.groups()) {
      if (averse.isEmpty() || !averse.contains(group)) {
        each.accept(group);
      }
    }
  }

  /**
   * Accounts for a placement (sign 1) or its end (sign -1): members and bounds.
   *
   * @param averse the aversion groups of the workload
   * @param terms its terms
   */
  void account(Set<String> averse, Terms terms, int node, int sign) {
    if (!counting) {
      return;
    }
    eachGroup(averse, terms, group -> addMember(group, node, sign));
    setLimits(averse, terms, node, sign);
  }

  /** Sets the limits that a workload's rules put on newcomers (sign 1), or removes them (-1). */
  private void setLimits(Set<String> averse, Terms terms, int node, int sign) {
    List<Rule> rules = terms.rules();
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i) instanceof Rule.OfGroup of) {
        int limit = of.limitForNewcomers(isMember(averse, terms, of.group()));
        if (limit != UNBOUNDED) {
          setLimit(of, limit, node, sign);
        }
      }
    }
  }

  /**
   * Whether a workload is a member of a group.
   *
   * @param averse its aversion groups
   * @param terms its terms
   * @param group the name of the group
   * @return whether either names the group
   */
  public static boolean isMember(Set<String> averse, Terms terms, String group) {
    return terms.groups().contains(group) || averse.contains(group);
  }

  private void addMember(String group, int node, int sign) {
    int id = intern(group);
    for (int level = NODE; level + 1 < counted.length; level++) {
      if (counted[level + 1]) {
        int domain = ledger.topology.domainOf(level, node);
        if (domain != NodeTable.NONE) {
          count(id, level, domain, sign);
        }
      }
    }
    add(id, sign);
  }

  private void count(int id, int level, int domain, int sign) {
    if (level != NODE) {
      at(counts, id, level, SortedCounts[]::new, SortedCounts::new).add(domain, sign);
      return;
    }
    NodeSet set = holders(id);
    if (sign > 0 ? !set.add(domain, ledger.nodes.slotCount()) : holdsMore(id, domain)) {
      more.add(key(id, NODE, domain), sign);
    } else if (sign < 0) {
      set.remove(domain);
    }
  }

  /** Whether a node holds a member of a group beyond the first. */
  private boolean holdsMore(int id, int node) {
    return more.size() > 0 && more.get(key(id, NODE, node)) > 0;
  }

  /** The object of an id at an index, created if missing. */
  private static <T> T at(
      List<T[]> byId, int id, int index, IntFunction<T[]> array, Supplier<T> fresh) {
    T[] of = byId.get(id);
    if (of == null || of.length <= index) {
      of = of == null ? array.apply(index + 1) : Arrays.copyOf(of, index + 1);
      byId.set(id, of);
    }
    if (of[index] == null) {
      of[index] = fresh.get();
    }
    return of[index];
  }

  private NodeSet holders(int id) {
    if (holders.get(id) == null) {
      holders.set(id, new NodeSet());
    }
    return holders.get(id);
  }

  private void setLimit(Rule.OfGroup rule, int limit, int node, int sign) {
    int level = ledger.topology.levelIndex(rule.level());
    int domain =
        level == Topology.NO_LEVEL ? NodeTable.NONE : ledger.topology.domainOf(level, node);
    if (domain == NodeTable.NONE) {
      return;
    }
    int id = intern(rule.group());
    LevelBounds of = at(bounds, id, level + 1, LevelBounds[]::new, LevelBounds::new);
    int least = of.least();
    of.add(limit, domain, sign);
    version += of.least() == least ? 0 : 1;
    boundCount += sign;
    users[id] += sign;
    dropIfUnused(id);
  }

  /** Counts again after nodes or domains got new slots. */
  void recount() {
    more.clear();
    counts.replaceAll(any -> null);
    holders.replaceAll(any -> null);
    bounds.replaceAll(any -> null);
    boundCount = 0;
    version++;
    Arrays.fill(totals, 0);
    boolean wasActive = counting;
    counting = false;
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
          setLimits(workload.aversionGroups(), workload.terms(), node, 1);
        }
      }
    }
  }

  // ---- reading ----

  /**
   * The id of a group, valid until the next change.
   *
   * @param group its name
   * @return its id, or -1 where it has no member and no bound
   */
  public int find(String group) {
    if (group != lastName) { // Identity is only a shortcut.
      lastId = byName.get(group);
      lastName = group;
    }
    return lastId;
  }

  /**
   * The number of members of a group that are placed in a domain.
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
    return set == null || !set.has(domain)
        ? 0
        : more.size() == 0 ? 1 : 1 + more.get(key(group, NODE, domain));
  }

  /**
   * The domains of a level that hold members of a group, with the number of members in each.
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
   * The number of placed members of a group.
   *
   * @param group its id, or -1
   * @return 0 or more
   */
  public int total(int group) {
    return group < 0 ? 0 : totals[group];
  }

  /**
   * The least bound that a placed workload sets to a group in any domain of a level.
   *
   * @param group its id, or -1
   * @param level the index of a level, or {@link #NODE}
   * @return the bound, or {@link #UNBOUNDED}
   */
  public int leastBound(int group, int level) {
    LevelBounds set = boundsOf(group, level);
    return set == null ? UNBOUNDED : set.least();
  }

  private LevelBounds boundsOf(int group, int level) {
    LevelBounds[] of = group < 0 ? null : bounds.get(group);
    return of == null || of.length <= level + 1 ? null : of[level + 1];
  }

  /**
   * Whether any placed workload sets a bound.
   *
   * @return false where {@link #leastBound} returns {@link #UNBOUNDED} for every group
   */
  public boolean hasBounds() {
    return boundCount > 0;
  }

  /**
   * The least bound that a workload placed in a domain sets to a group.
   *
   * @param group its id, or -1
   * @param level the index of a level, or {@link #NODE}
   * @param domain the slot of the domain
   * @return the bound, or {@link #UNBOUNDED}
   */
  public int bound(int group, int level, int domain) {
    LevelBounds set = boundsOf(group, level);
    return set == null ? UNBOUNDED : set.in(domain);
  }

  private int intern(String group) {
    int id = find(group);
    if (id != NameTable.NONE) {
      return id;
    }
    lastName = null;
    version++;
    id = free.isEmpty() ? names.size() : free.pop();
    if (id == names.size()) {
      names.add(null);
      counts.add(null);
      bounds.add(null);
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
      version++;
      names.set(id, null);
      counts.set(id, null);
      bounds.set(id, null);
      holders.set(id, null);
      free.push(id);
    }
  }

  /** Packs a key. The level gets 12 bits, enough for more levels than any fleet has. */
  private static long key(int group, int level, int domain) {
    return (long) group << 44 | (long) (level + 1) << 32 | domain & 0xFFFF_FFFFL;
  }

  // ---- audit ----

  /** Counts all members and bounds again. */
  void audit(Audit audit) {
    if (!counting) {
      return;
    }
    Members fresh = new Members(ledger);
    fresh.counting = true;
    fresh.counted = counted.clone();
    fresh.recount();
    audit.equal("bounds that are set", fresh.boundCount, boundCount);
    for (String group : names) {
      if (group != null) {
        compare(audit, group, fresh, byName.get(group), fresh.byName.get(group));
      }
    }
    for (String group : fresh.names) {
      if (group != null) {
        audit.equal("group '" + group + "' has an id", true, byName.get(group) >= 0);
      }
    }
  }

  private void compare(Audit audit, String group, Members fresh, int id, int same) {
    String of = "group '" + group + "': ";
    audit.equal(of + "members", fresh.total(same), total(id));
    audit.equal(of + "rules that name it", same < 0 ? 0 : fresh.users[same], users[id]);
    for (int level = NODE; level + 1 < counted.length; level++) {
      if (level >= ledger.topology.levelCount() || !counted[level + 1]) {
        continue;
      }
      audit.equal(
          of + "least bound at level", level, fresh.leastBound(same, level), leastBound(id, level));
      int domains =
          level == NODE
              ? ledger.nodes.slotCount()
              : ledger.topology.level(level).domains().slotCount();
      for (int domain = 0; domain < domains; domain++) {
        audit.equal(
            of + "members at level " + level + " in domain",
            domain,
            fresh.members(same, level, domain),
            members(id, level, domain));
        audit.equal(
            of + "bound at level " + level + " in domain",
            domain,
            fresh.bound(same, level, domain),
            bound(id, level, domain));
      }
    }
  }
}
