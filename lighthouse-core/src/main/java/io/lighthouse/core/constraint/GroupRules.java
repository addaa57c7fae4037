package io.lighthouse.core.constraint;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.index.DomainNodes;
import io.lighthouse.core.index.PossibleNodes;
import io.lighthouse.core.ledger.Clock;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeSet;
import io.lighthouse.core.ledger.SortedCounts;
import io.lighthouse.core.ledger.Topology;
import java.util.Arrays;
import java.util.List;

/**
 * The counting rules of a workload. Each kind of rule is a {@link GroupRule}. This class derives
 * the check of a node, the bitmaps and the reasons from its excess for a number of members.
 *
 * <p>Without the memory of the rules read last, a batch of {@code RuleBenchmark} (DEPLOYMENT,
 * 10,000 nodes) took 1.23 times as long on 2026-11-24.
 */
final class GroupRules extends Constraint {
  /**
   * A bitmap is made of single nodes only if there are at most this many for each of its words.
   * With more nodes, making it costs more than it saves.
   */
  private static final int NODES_PER_WORD = 2;

  private final Ledger ledger;
  private final Topology topology;
  private final PossibleNodes possible;
  private final DomainNodes domainNodes;

  /** The rules as given. */
  private List<Rule> rules = List.of();

  /** The terms that {@link #checkers} were made with; null for none. */
  private Terms terms;

  private final Clock.Stamp read;

  /** One checker for each rule; null for a rule that counts no group. */
  private GroupRule[] checkers = {};

  /**
   * By rule: a bitmap to fill. Where one was made for each query, a batch with {@code most} 1 by
   * rack took 1.35 times as long on 100,000 nodes in 1,000 racks (2026-11-29). {@code
   * RuleBenchmark} (RACKS, 20,000 nodes) took 1.05 times as long.
   */
  private BitRow[] rows = {};

  /** By rule: bitmaps of the nodes without a member. */
  private NodesWithout[] without = {};

  GroupRules(Ledger ledger, Constraints shared) {
    this.ledger = ledger;
    topology = ledger.topology();
    read = ledger.clock().stamp(Clock.Scope.GROUPS);
    possible = shared.possible;
    domainNodes = shared.domainNodes;
  }

  @Override
  boolean prepare(Demand demand) {
    return !demand.hardRules().isEmpty() && prepare(demand, demand.hardRules());
  }

  @Override
  boolean concernsPlain() {
    return false;
  }

  /** Prepares some rules of a workload; returns whether one counts a group. */
  boolean prepare(Demand demand, List<Rule> asked) {
    if (!isRead(demand, asked)) {
      read(demand, asked);
    }
    boolean any = false;
    for (GroupRule checker : checkers) {
      if (checker != null) {
        checker.refresh(demand);
        any = true;
      }
    }
    return any;
  }

  /** Whether the checkers were made for the same rules and terms, and the ids are still valid. */
  private boolean isRead(Demand demand, List<Rule> asked) {
    return asked == rules // Identity is only a shortcut.
        && demand.terms() == terms
        && !demand.hasAversionGroups()
        && read.isCurrent();
  }

  private void read(Demand demand, List<Rule> asked) {
    rules = asked;
    terms = demand.hasAversionGroups() ? null : demand.terms();
    read.renew();
    if (checkers.length != rules.size()) {
      checkers = new GroupRule[rules.size()];
    }
    if (rows.length < rules.size()) {
      rows = new BitRow[rules.size()];
      without = new NodesWithout[rules.size()];
    }
    for (int i = 0; i < checkers.length; i++) {
      boolean member = rules.get(i) instanceof Rule.OfGroup of && demand.isMember(of.group());
      checkers[i] = GroupRule.of(rules.get(i), ledger, possible, member);
    }
  }

  /** How far a rule is from being kept on a node; 0 for a rule that counts no group. */
  long excess(int rule, int node) {
    GroupRule checker = checkers[rule];
    if (checker == null) {
      return 0;
    }
    int domain = topology.domainOf(checker.level, node);
    return domain == NodeTable.NONE
        ? checker.excessOutside()
        : checker.excess(ledger.members().members(checker.group, checker.level, domain));
  }

  @Override
  boolean admits(int node) {
    for (int i = 0; i < checkers.length; i++) {
      if (excess(i, node) > 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  void addRows(RowScan scan) {
    int words = (ledger.nodes().slotCount() + 63) >> 6;
    for (int i = 0; i < checkers.length; i++) {
      if (checkers[i] != null) {
        addRow(scan, i, words);
      }
    }
  }

  /** Adds a bitmap of the nodes that keep a rule, if it is worth its cost. */
  private void addRow(RowScan scan, int rule, int words) {
    GroupRule checker = checkers[rule];
    if (checker.excludesHolders()) {
      addNodesWithout(scan, rule, words);
      return;
    }
    if (checker.level < 0) {
      return;
    }
    SortedCounts held = ledger.members().domains(checker.group, checker.level);
    boolean keptByEmpty = checker.excess(0) == 0;
    boolean keptOutside = checker.excessOutside() == 0;
    int domains = topology.level(checker.level).domains().slotCount();
    if (domains <= DomainNodes.MOST_IN_A_SET) {
      long set = keptByEmpty && domains > 0 ? -1L >>> Long.SIZE - domains : 0;
      for (int i = 0; held != null && i < held.size(); i++) {
        long bit = 1L << held.number(i);
        set = checker.excess(held.count(i)) == 0 ? set | bit : set & ~bit;
      }
      scan.add(domainNodes.ofSet(checker.level, set, keptOutside));
    } else if (keptByEmpty == keptOutside) {
      addRowOfHeld(scan, rule, held, !keptByEmpty, words);
    }
  }

  /**
   * Adds a bitmap made of domains that hold members: either the domains that keep the rule, or all
   * nodes except those that break it. Adds none if these domains have too many nodes.
   */
  private void addRowOfHeld(RowScan scan, int rule, SortedCounts held, boolean kept, int words) {
    GroupRule checker = checkers[rule];
    int count = 0;
    int nodes = 0;
    int last = NodeTable.NONE;
    for (int i = 0; held != null && i < held.size(); i++) {
      if ((checker.excess(held.count(i)) == 0) == kept) {
        count++;
        last = held.number(i);
        nodes += domainNodes.count(checker.level, last);
        if (nodes > NODES_PER_WORD * words) {
          return;
        }
      }
    }
    if (kept && count == 1) {
      scan.add(domainNodes.ofOne(checker.level, last));
      return;
    }
    if (!kept && count == 0) {
      return;
    }
    if (rows[rule] == null || rows[rule].words.length != words) {
      rows[rule] = new BitRow(words);
    }
    BitRow row = rows[rule];
    if (kept) {
      row.clear();
    } else {
      row.copy(domainNodes.all());
    }
    for (int i = 0; held != null && i < held.size(); i++) {
      if ((checker.excess(held.count(i)) == 0) == kept) {
        domainNodes.set(row, checker.level, held.number(i), kept);
      }
    }
    scan.add(row);
  }

  private void addNodesWithout(RowScan scan, int rule, int words) {
    NodeSet holders = ledger.members().nodes(checkers[rule].group);
    if (holders == null) {
      return;
    }
    if (without[rule] == null) {
      without[rule] = new NodesWithout();
    }
    scan.add(without[rule].row(holders, words), ledger.nodes().slotCount() - holders.size());
  }

  /**
   * A bitmap of the nodes that hold no member of a group. It is kept from one query to the next and
   * follows the set of holders by its number of changes.
   *
   * <p>Where it was filled anew for each query, a batch of {@code RuleBenchmark} (MOST) took 1.17
   * times as long on 100,000 nodes on 2026-11-25, and 1.07 times on 10,000. Without the bitmap, it
   * took 1.33 times as long on 10,000.
   */
  private static final class NodesWithout {
    private NodeSet holders;
    private long changes;
    private long[] row;

    long[] row(NodeSet of, int words) {
      long[] free = of.free(words);
      if (free != null) {
        return free;
      }
      boolean known = holders == of && row.length == words;
      if (known && of.changes() == changes + 1 && of.lastAdded() >= 0) {
        row[of.lastAdded() >> 6] &= ~(1L << of.lastAdded());
      } else if (!known || of.changes() != changes) {
        if (row == null || row.length != words) {
          row = new long[words];
        }
        Arrays.fill(row, -1L);
        of.clearFrom(row);
      }
      holders = of;
      changes = of.changes();
      return row;
    }
  }

  /**
   * The condition is the index of a rule, and so is the key. For a node outside the level, the key
   * is the index plus the number of rules.
   */
  @Override
  void reportBroken(int node, Broken broken) {
    for (int i = 0; i < checkers.length; i++) {
      // A rule that is listed twice has one reason.
      if (excess(i, node) > 0 && rules.indexOf(rules.get(i)) == i) {
        boolean outside = topology.domainOf(checkers[i].level, node) == NodeTable.NONE;
        broken.add(
            this,
            i,
            outside ? Reason.Kind.NO_DOMAIN : checkers[i].kind(),
            outside ? checkers.length + i : i,
            1,
            0);
      }
    }
  }

  @Override
  public Reason reason(int node, int condition) {
    GroupRule checker = checkers[condition];
    int domain = topology.domainOf(checker.level, node);
    return domain == NodeTable.NONE
        ? new Reason.NoDomain(checker.rule.level(), condition)
        : checker.reason(
            condition,
            topology.domainName(checker.level, domain),
            ledger.members().members(checker.group, checker.level, domain));
  }

  @Override
  String level(int key) {
    return checkers[key % checkers.length].rule.level();
  }

  @Override
  String about(int key) {
    return key < checkers.length ? checkers[key].rule.group() : "";
  }
}
