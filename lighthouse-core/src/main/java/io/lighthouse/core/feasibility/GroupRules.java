package io.lighthouse.core.feasibility;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Level;
import io.lighthouse.core.ledger.Members;
import io.lighthouse.core.ledger.NodeSet;
import io.lighthouse.core.ledger.SortedCounts;
import io.lighthouse.core.ledger.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Rules of a workload about who is already there: at most, at least, and no fuller than the
 * emptiest by more than so many. Each has an excess on a node; a hard one asks for 0.
 */
final class GroupRules extends Constraint {
  /**
   * A row is made of a rule's domains where they have no more nodes than a row has words, times
   * this; else it costs more than it spares.
   */
  private static final int ROW_WORTH = 2;

  /** The excess where the node stands in no domain that could keep the rule. */
  static final long NOWHERE = Long.MAX_VALUE;

  private final Ledger ledger;
  private final Topology topology;
  private final PossibleNodes possible;

  /** The rules of the workload at hand, its own and then those at the top that are for it. */
  private List<Rule> rules = List.of();

  /** The terms that they were read with, null for none, and when. */
  private Terms terms;

  private long turns;
  private int levelCount;

  /** Whether some rule is about a group. */
  private boolean any;

  /**
   * By rule: the level, the group, the bound (of a skew with the floor), and whether itself counts.
   */
  private int[] levels = new int[4];

  private int[] groups = new int[4];
  private long[] bounds = new long[4];
  private int[] owns = new int[4];
  private int[] floors = new int[4];
  private boolean lasting;

  /** Counts the workloads taken up. */
  private long questions;

  /** By rule and domain: the question at which it was looked at, and whether it keeps the rule. */
  private long[][] seenAt = new long[4][];

  private boolean[][] kept = new boolean[4][];

  private final DomainNodes standing;

  /** By rule: the nodes in the few domains that keep it. */
  private BitRow[] rows = new BitRow[4];

  /** By rule: whether it keeps all members on nodes of their own; and who holds members then. */
  private boolean[] apart = new boolean[4];

  private NodeSet[] holders = new NodeSet[4];

  /** By rule: all nodes but these, as they were after so many changes. */
  private NodeSet[] without = new NodeSet[4];

  private long[] withoutAt = new long[4];
  private long[][] withoutRows = new long[4][];

  /** Whether the rows that were added last say all that the rules do. */
  private boolean exact;

  GroupRules(Ledger ledger, PossibleNodes possible, DomainNodes standing) {
    this.ledger = ledger;
    topology = ledger.topology();
    this.possible = possible;
    this.standing = standing;
  }

  /** The hard rules of a workload: its own, then those at the top for members of its groups. */
  static List<Rule> hard(Ledger ledger, Demand demand) {
    List<Rule> own = demand.terms().rules();
    List<Rule> top = ledger.rules();
    if (top.isEmpty()) {
      return own;
    }
    List<Rule> all = new ArrayList<>(own);
    for (Rule rule : top) {
      String group = group(rule);
      if (group == null || isMember(demand, group)) {
        all.add(rule);
      }
    }
    return all;
  }

  private static String group(Rule rule) {
    return rule instanceof Rule.Most most
        ? most.group()
        : rule instanceof Rule.Least least
            ? least.group()
            : rule instanceof Rule.Skew skew ? skew.group() : null;
  }

  private static boolean isMember(Demand demand, String group) {
    return demand.terms().groups().contains(group)
        || demand.grouped() && demand.workload().aversionGroups().contains(group);
  }

  @Override
  boolean ask(Demand demand) {
    if (!demand.termed() && ledger.rules().isEmpty()) {
      return false;
    }
    List<Rule> hard = hard(ledger, demand);
    if (hard.isEmpty()) {
      rules = hard;
      return false;
    }
    return ask(demand, hard, hard);
  }

  /** Takes up these rules of a workload, whose hard rules are those. */
  boolean ask(Demand demand, List<Rule> asked, List<Rule> hard) {
    questions++;
    if (!isRead(demand, asked)) {
      read(demand, asked);
    }
    for (int i = 0; any && i < rules.size(); i++) {
      if (apart[i]) {
        holders[i] = ledger.members().nodes(groups[i]);
      } else if (rules.get(i) instanceof Rule.Least least) {
        int all = ledger.members().total(groups[i]);
        bounds[i] = owns[i] == 0 ? least.least() : Math.min(least.least(), all);
      } else if (rules.get(i) instanceof Rule.Skew skew) {
        floors[i] = floor(demand, hard, skew, i);
      }
    }
    return any;
  }

  /** Whether these rules were read last, of a workload with the same terms, and say the same. */
  private boolean isRead(Demand demand, List<Rule> asked) {
    return asked == rules // Identity: a shortcut only.
        && demand.terms() == terms
        && !demand.grouped()
        && turns == ledger.members().turns()
        && levelCount == topology.levelCount();
  }

  /** Reads what the rules say, but for what every placement changes. */
  private void read(Demand demand, List<Rule> asked) {
    rules = asked;
    terms = demand.grouped() ? null : demand.terms();
    turns = ledger.members().turns();
    levelCount = topology.levelCount();
    int count = rules.size();
    if (count > levels.length) {
      levels = new int[2 * count];
      groups = new int[2 * count];
      bounds = new long[2 * count];
      owns = new int[2 * count];
      floors = new int[2 * count];
      seenAt = new long[2 * count][];
      kept = new boolean[2 * count][];
      rows = new BitRow[2 * count];
      apart = new boolean[2 * count];
      holders = new NodeSet[2 * count];
      without = new NodeSet[2 * count];
      withoutAt = new long[2 * count];
      withoutRows = new long[2 * count][];
    }
    lasting = true;
    any = false;
    for (int i = 0; i < count; i++) {
      Rule rule = rules.get(i);
      apart[i] = false;
      String group = group(rule);
      if (group == null) {
        levels[i] = Topology.NO_LEVEL;
        continue;
      }
      any = true;
      groups[i] = ledger.members().find(group);
      owns[i] = isMember(demand, group) ? 1 : 0;
      if (rule instanceof Rule.Most most) {
        levels[i] = topology.levelIndex(most.level());
        bounds[i] = most.most();
        apart[i] = levels[i] == Members.NODE && owns[i] == bounds[i];
      } else if (rule instanceof Rule.Least least) {
        levels[i] = topology.levelIndex(least.level());
        lasting = false;
      } else if (rule instanceof Rule.Skew skew) {
        levels[i] = topology.levelIndex(skew.level());
        bounds[i] = skew.skew();
        lasting = false;
      }
    }
  }

  private int floor(Demand demand, List<Rule> hard, Rule.Skew skew, int index) {
    if (levels[index] == Topology.NO_LEVEL) {
      return 0;
    }
    PossibleNodes.Shape shape = possible.of(demand, hard);
    int level = levels[index];
    if (skew.minDomains() > 1 && possible.known(shape, demand.terms(), level) < skew.minDomains()) {
      return 0;
    }
    PossibleNodes.Eligible eligible = possible.eligible(shape, level);
    if (level != Members.NODE) {
      return eligible.least(ledger.members().domains(groups[index], level));
    }
    int floor = Integer.MAX_VALUE;
    for (int node = 0; node < eligible.domains().length && floor > 0; node++) {
      if (eligible.domains()[node]) {
        floor = Math.min(floor, ledger.members().members(groups[index], level, node));
      }
    }
    return floor == Integer.MAX_VALUE ? 0 : floor;
  }

  /** How far a rule is from being kept on a node. */
  long excess(int rule, int node) {
    Rule of = rules.get(rule);
    if (of instanceof Rule.Named || of instanceof Rule.Where) {
      return 0;
    }
    int domain = topology.domainOf(levels[rule], node);
    if (domain == Level.NOWHERE) {
      return of instanceof Rule.Most ? 0 : NOWHERE;
    }
    return excessIn(rule, domain);
  }

  private long excessIn(int rule, int domain) {
    return excessOf(rule, ledger.members().members(groups[rule], levels[rule], domain));
  }

  /** The excess in a domain that holds so many. */
  private long excessOf(int rule, long members) {
    Rule of = rules.get(rule);
    if (of instanceof Rule.Most) {
      return Math.max(0, members + owns[rule] - bounds[rule]);
    }
    if (of instanceof Rule.Least) {
      return Math.max(0, bounds[rule] - members);
    }
    return Math.max(0, members + owns[rule] - floors[rule] - bounds[rule]);
  }

  @Override
  boolean admits(int node) {
    for (int i = 0; i < rules.size(); i++) {
      if (!keeps(i, node)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a rule is kept on a node. */
  private boolean keeps(int rule, int node) {
    if (apart[rule]) {
      return holders[rule] == null || !holders[rule].has(node);
    }
    int domain = levels[rule] < 0 ? Level.NOWHERE : topology.domainOf(levels[rule], node);
    return domain == Level.NOWHERE ? excess(rule, node) == 0 : keepsIn(rule, domain);
  }

  /** Whether a rule is kept in a domain of many nodes; of each that is looked up once. */
  private boolean keepsIn(int rule, int domain) {
    if (seenAt[rule] == null || domain >= seenAt[rule].length) {
      int domains = topology.level(levels[rule]).domains().slotCount();
      seenAt[rule] = new long[domains];
      kept[rule] = new boolean[domains];
    }
    if (seenAt[rule][domain] != questions) {
      seenAt[rule][domain] = questions;
      kept[rule][domain] = excessIn(rule, domain) == 0;
    }
    return kept[rule][domain];
  }

  /**
   * The rows of rules of levels that have few domains; at others, of rules that few domains keep,
   * such as the company of a small group; and of those that every node keeps but those that hold
   * members.
   */
  @Override
  void addRows(RowScan scan) {
    int words = (ledger.nodes().slotCount() + 63) >> 6;
    exact = true;
    for (int i = 0; i < rules.size(); i++) {
      if (apart[i]) {
        if (holders[i] != null) {
          scan.add(without(i, holders[i], words), ledger.nodes().slotCount() - holders[i].size());
        }
      } else if (group(rules.get(i)) != null) {
        exact &= levels[i] >= 0 && !(rules.get(i) instanceof Rule.Most) && addRow(scan, i, words);
      }
    }
  }

  @Override
  boolean rowsAreExact() {
    return exact;
  }

  /**
   * The nodes of the domains that keep a rule which no node keeps that stands in none. Answers
   * false where that is not worth a row.
   */
  private boolean addRow(RowScan scan, int rule, int words) {
    int level = levels[rule];
    SortedCounts held = ledger.members().domains(groups[rule], level);
    int domains = topology.level(level).domains().slotCount();
    boolean keptByEmpty = excessOf(rule, 0) == 0;
    if (domains <= DomainNodes.FEW) {
      long set = keptByEmpty && domains > 0 ? -1L >>> Long.SIZE - domains : 0;
      for (int i = 0; held != null && i < held.size(); i++) {
        long bit = 1L << held.number(i);
        set = excessOf(rule, held.count(i)) == 0 ? set | bit : set & ~bit;
      }
      scan.add(standing.ofSet(level, set));
      return true;
    }
    return !keptByEmpty && addRowOfHeld(scan, rule, held, words);
  }

  /** The same where only domains that hold members keep it, unless these have too many nodes. */
  private boolean addRowOfHeld(RowScan scan, int rule, SortedCounts held, int words) {
    int level = levels[rule];
    int keep = 0;
    int nodes = 0;
    int last = Level.NOWHERE;
    for (int i = 0; held != null && i < held.size() && nodes <= ROW_WORTH * words; i++) {
      if (excessOf(rule, held.count(i)) == 0) {
        keep++;
        last = held.number(i);
        nodes += standing.count(level, last);
      }
    }
    if (keep == 1) {
      scan.add(standing.ofOne(level, last));
      return true;
    }
    if (nodes <= ROW_WORTH * words) {
      rows[rule] = cleared(rows[rule], words);
      for (int i = 0; held != null && i < held.size(); i++) {
        if (excessOf(rule, held.count(i)) == 0) {
          standing.addTo(rows[rule], level, held.number(i));
        }
      }
      scan.add(rows[rule]);
      return true;
    }
    return false;
  }

  private static BitRow cleared(BitRow row, int words) {
    if (row == null || row.words.length != words) {
      return new BitRow(words);
    }
    row.clear();
    return row;
  }

  /** A bit for each node that holds nobody of a group: kept from one member to the next. */
  private long[] without(int rule, NodeSet of, int words) {
    long[] free = of.free(words);
    if (free != null) {
      return free;
    }
    boolean known = without[rule] == of && withoutRows[rule].length == words;
    if (known && of.changes() == withoutAt[rule] + 1 && of.lastAdded() >= 0) {
      withoutRows[rule][of.lastAdded() >> 6] &= ~(1L << of.lastAdded());
    } else if (!known || of.changes() != withoutAt[rule]) {
      if (withoutRows[rule] == null || withoutRows[rule].length != words) {
        withoutRows[rule] = new long[words];
      }
      Arrays.fill(withoutRows[rule], -1L);
      of.clearFrom(withoutRows[rule]);
    }
    without[rule] = of;
    withoutAt[rule] = of.changes();
    return withoutRows[rule];
  }

  /** Someone placed elsewhere can open a node to who wants company, or a spread. */
  @Override
  boolean lasting() {
    return lasting;
  }

  @Override
  boolean uniform() {
    return false;
  }

  /**
   * The condition is the index of a rule; so is the key, or the index behind those of all rules.
   */
  @Override
  void tell(int node, Broken told) {
    for (int i = 0; i < rules.size(); i++) {
      if (excess(i, node) > 0) {
        Rule rule = rules.get(i);
        boolean nowhere = topology.domainOf(levels[i], node) == Level.NOWHERE;
        Reason.Kind kind =
            nowhere
                ? Reason.Kind.NO_DOMAIN
                : rule instanceof Rule.Most
                    ? Reason.Kind.CROWDED
                    : rule instanceof Rule.Least ? Reason.Kind.ALONE : Reason.Kind.SKEWED;
        told.add(this, i, kind, nowhere ? rules.size() + i : i, 1, 0);
      }
    }
  }

  @Override
  Reason reason(int node, int condition) {
    Rule rule = rules.get(condition);
    int domain = topology.domainOf(levels[condition], node);
    if (domain == Level.NOWHERE) {
      return new Reason.NoDomain(level(condition), condition);
    }
    String name = topology.domainName(levels[condition], domain);
    int members = ledger.members().members(groups[condition], levels[condition], domain);
    int excess = (int) excess(condition, node);
    if (rule instanceof Rule.Most most) {
      return new Reason.Crowded(
          most.group(),
          most.level(),
          name,
          members,
          most.most(),
          excess,
          condition,
          Optional.empty());
    }
    if (rule instanceof Rule.Least least) {
      return new Reason.Alone(
          least.group(), least.level(), name, members, (int) bounds[condition], excess, condition);
    }
    Rule.Skew skew = (Rule.Skew) rule;
    return new Reason.Skewed(
        skew.group(),
        skew.level(),
        name,
        members,
        floors[condition],
        skew.skew(),
        excess,
        condition);
  }

  @Override
  String level(int key) {
    Rule rule = rules.get(key % rules.size());
    return rule instanceof Rule.Most most
        ? most.level()
        : rule instanceof Rule.Least least ? least.level() : ((Rule.Skew) rule).level();
  }

  @Override
  String about(int key) {
    return key < rules.size() ? group(rules.get(key)) : "";
  }
}
