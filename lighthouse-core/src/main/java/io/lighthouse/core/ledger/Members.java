package io.lighthouse.core.ledger;

import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * The number of placed members of each group, by domain, for the levels that rules use.
 *
 * <p>A workload is a member of its groups and of its aversion groups. Nothing is counted before the
 * first rule, so a fleet without rules pays nothing. A level is counted, for all groups, from the
 * first rule that names it. A level that appears after the first rule is counted from then on.
 */
public final class Members {
  /** The level at which each node is a domain; the domain's slot is the node's. */
  public static final int NODE = -1;

  private final Ledger ledger;
  private final Groups groups;
  private final HolderBounds bounds;

  /** Runs when the id of a group or a level, or a least bound, has changed. */
  private final Runnable changed;

  /** By level plus one: whether the level is counted. */
  private final BitSet counted = new BitSet();

  private boolean counting;

  Members(Ledger ledger) {
    this(ledger, ledger.clock::countGroups);
  }

  private Members(Ledger ledger, Runnable changed) {
    this.ledger = ledger;
    this.changed = changed;
    groups = new Groups(changed);
    bounds = new HolderBounds(ledger, groups, changed);
  }

  Members(Ledger ledger, Members other) {
    this.ledger = ledger;
    changed = ledger.clock::countGroups;
    groups = new Groups(other.groups, changed);
    bounds = new HolderBounds(ledger, groups, changed);
    counted.or(other.counted);
    counting = other.counting;
  }

  /** The bounds that the rules of placed workloads set. */
  public HolderBounds bounds() {
    return bounds;
  }

  /** Whether members are counted; false before the first rule. */
  public boolean isCounting() {
    return counting;
  }

  /**
   * Counts the members at the levels of some rules from now on, also at a level that appears later.
   */
  public void countFor(List<Rule> rules) {
    boolean more = false;
    for (Rule rule : rules) {
      if (rule instanceof Rule.OfGroup of) {
        more |= !counting;
        counting = true;
        more |= mark(ledger.topology.levelIndex(of.level()));
      }
    }
    if (more) {
      recount();
    }
  }

  /** Marks a level as counted; returns whether it exists and was not counted before. */
  private boolean mark(int level) {
    boolean fresh = level != Topology.NO_LEVEL && !counted.get(level + 1);
    if (fresh) {
      counted.set(level + 1);
    }
    return fresh;
  }

  /**
   * Counts a new level, at which no node is yet. A rule of a placed workload may name it. Which
   * levels such rules name is not remembered, so every new level is counted after the first rule.
   */
  void levelAdded(int level) {
    changed.run();
    if (counting) {
      mark(level);
    }
  }

  /** Removes a level; the indexes of those behind it are one less. Count again after the last. */
  void levelRemoved(int level) {
    for (int at = level + 1; at < counted.length(); at++) {
      counted.set(at, counted.get(at + 1));
    }
  }

  /** Accounts for a placement (sign 1) or its end (sign -1): members and bounds. */
  void account(Set<String> averse, Terms terms, int node, int sign) {
    if (!counting) {
      return;
    }
    for (String group : averse) {
      addMember(group, node, sign);
    }
    for (String group : terms.groups()) {
      if (averse.isEmpty() || !averse.contains(group)) {
        addMember(group, node, sign);
      }
    }
    bounds.account(averse, terms, node, sign);
  }

  /** Whether a group is one of a workload's groups or aversion groups. */
  public static boolean isMember(Set<String> averse, Terms terms, String group) {
    return terms.groups().contains(group) || averse.contains(group);
  }

  private void addMember(String name, int node, int sign) {
    int id = groups.intern(name);
    for (int at = counted.nextSetBit(0); at >= 0; at = counted.nextSetBit(at + 1)) {
      int domain = ledger.topology.domainOf(at - 1, node);
      if (domain != NodeTable.NONE) {
        count(id, at - 1, domain, sign);
      }
    }
    groups.get(id).total += sign;
    groups.dropIfUnused(id);
  }

  private void count(int id, int level, int domain, int sign) {
    Group group = groups.get(id);
    if (level != NODE) {
      group.countedDomains(level).add(domain, sign);
      return;
    }
    group.members = group.members == null ? new NodeCounts() : group.members;
    group.members.add(domain, ledger.nodes.slotCount(), sign);
  }

  // ---- aversion groups ----

  /** The id of a group, which stays in use until {@link #unuse}. */
  public int use(String group) {
    return groups.use(group);
  }

  public void unuse(int id) {
    groups.unuse(id);
  }

  /** The nodes that hold workloads averse to a group; the set stays the same while it has an id. */
  NodeSet averseNodes(int group) {
    return groups.get(group).averse.nodes();
  }

  /** The number of workloads on a node that have an aversion group; 0 for group -1. */
  public int averse(int group, int node) {
    return group < 0 ? 0 : groups.get(group).averse.of(node);
  }

  /** Counts a placed workload of an aversion group (sign 1), or its end (-1). */
  void countAverse(int group, int node, int sign) {
    groups.get(group).averse.add(node, ledger.nodes.slotCount(), sign);
    groups.dropIfUnused(group);
  }

  /** The id of a group; a new group gets one. */
  int intern(String group) {
    return groups.intern(group);
  }

  /** Gives every node its new slot. */
  void renumber(int[] renumbered) {
    for (int id = 0; id < groups.ids(); id++) {
      if (groups.get(id) != null) {
        groups.get(id).averse.renumber(renumbered);
      }
    }
    recount();
  }

  /** Counts members and bounds again, after a level is counted or domains got new slots. */
  void recount() {
    changed.run();
    for (int id = 0; id < groups.ids(); id++) {
      if (groups.get(id) != null) {
        groups.get(id).clearMembers();
      }
    }
    for (int node = 0; counting && node < ledger.nodes.slotCount(); node++) {
      if (ledger.nodes.alive(node)) {
        for (Workload workload : ledger.placements.workloads(node)) {
          account(workload.aversionGroups(), workload.terms(), node, 1);
        }
      }
    }
    for (int id = 0; id < groups.ids(); id++) {
      groups.dropIfUnused(id);
    }
  }

  // ---- reading ----

  /** The id of a group, valid until the next change; -1 where it has no member and no bound. */
  public int find(String group) {
    return groups.find(group);
  }

  /**
   * The number of members of a group that are placed in a domain; 0 for group -1. The level is one
   * that is counted, or {@link #NODE} with a node for a domain.
   */
  public int members(int group, int level, int domain) {
    if (group < 0) {
      return 0;
    }
    if (level != NODE) {
      SortedCounts of = domains(group, level);
      return of == null ? 0 : of.of(domain);
    }
    NodeCounts of = groups.get(group).members;
    return of == null ? 0 : of.of(domain);
  }

  /**
   * The number of members of a group by the domain that holds them. The level is one that is
   * counted, from 0. The counts change with the group; null for none, and for group -1.
   */
  public SortedCounts domains(int group, int level) {
    return group < 0 ? null : groups.get(group).domains(level);
  }

  /**
   * The nodes that hold members of a group. The set changes with the group; null for none, and for
   * group -1.
   */
  public NodeSet nodes(int group) {
    NodeCounts of = group < 0 ? null : groups.get(group).members;
    return of == null ? null : of.nodes();
  }

  /** The number of placed members of a group; 0 for group -1. */
  public int total(int group) {
    return group < 0 ? 0 : groups.get(group).total;
  }

  // ---- audit ----

  /** Counts all members, averse workloads and bounds again. */
  void audit(Audit audit) {
    Members fresh = new Members(ledger, () -> {});
    fresh.counting = counting;
    fresh.counted.or(counted);
    for (int node = 0; node < ledger.nodes.slotCount(); node++) {
      for (Workload workload : ledger.placements.workloads(node)) {
        for (String group : workload.aversionGroups()) {
          fresh.countAverse(fresh.intern(group), node, 1);
        }
      }
    }
    fresh.recount();
    for (int id = 0; id < groups.ids(); id++) {
      if (groups.get(id) != null) {
        compare(audit, id, fresh, fresh.intern(groups.get(id).name));
      }
    }
    for (int id = 0; id < fresh.groups.ids(); id++) {
      if (fresh.groups.get(id) != null) {
        String name = fresh.groups.get(id).name;
        audit.equal("group '" + name + "' has an id", true, find(name) >= 0);
      }
    }
  }

  private void compare(Audit audit, int id, Members fresh, int same) {
    Group group = groups.get(id);
    Group recounted = fresh.groups.get(same);
    String of = "group '" + group.name + "': ";
    audit.equal(of + "members", recounted.total, group.total);
    audit.equal(of + "bounds that are set", recounted.boundCount, group.boundCount);
    audit.equal(of + "averse nodes", averseSize(recounted), averseSize(group));
    for (int node = 0; node < ledger.nodes.slotCount(); node++) {
      audit.equal(
          of + "averse workloads on node", node, fresh.averse(same, node), averse(id, node));
    }
    for (int level = NODE; level < ledger.topology.levelCount(); level++) {
      if (!counted.get(level + 1)) {
        continue;
      }
      audit.equal(
          of + "least bound at level",
          level,
          fresh.bounds.least(same, level),
          bounds.least(id, level));
      for (int domain = 0; domain < ledger.topology.domainCount(level); domain++) {
        audit.equal(
            of + "members at level " + level + " in domain",
            domain,
            fresh.members(same, level, domain),
            members(id, level, domain));
        audit.equal(
            of + "bound at level " + level + " in domain",
            domain,
            fresh.bounds.in(same, level, domain),
            bounds.in(id, level, domain));
      }
    }
  }

  private static int averseSize(Group group) {
    return group.averse.nodes().size();
  }
}
