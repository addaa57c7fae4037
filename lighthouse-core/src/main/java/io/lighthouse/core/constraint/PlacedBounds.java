package io.lighthouse.core.constraint;

import io.lighthouse.api.Names;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.index.DomainNodes;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.HolderBounds;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Members;
import io.lighthouse.core.ledger.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A member of a group is not placed where it would break the {@code most} rule of a workload there.
 * Hard anti-affinity binds both sides.
 *
 * <p>Without the bitmaps of domains that have no room, the case {@code HELD} of {@code
 * CliffBenchmark} takes 27 times as long on 1,000 nodes (2026-11-25).
 */
final class PlacedBounds extends Constraint {
  /** At a level of more domains for each 64 nodes, checking the nodes costs less than a bitmap. */
  private static final int DOMAINS_PER_WORD = 4;

  private final Ledger ledger;
  private final Topology topology;
  private final HolderBounds bounds;
  private final DomainNodes domainNodes;

  /** The hard rules of the workload. */
  private List<Rule> own = List.of();

  /** A group of the workload, by name and id, that is bounded at a level. */
  private record Bounded(String group, int id, int level) {}

  private final List<Bounded> bounded = new ArrayList<>();

  /**
   * By place in {@link #bounded}: a bitmap to fill. Where one was made for each query, here and in
   * {@link GroupRules}, a batch took 1.25 times as long on 100,000 nodes in 1,000 racks
   * (2026-11-29). {@code RuleBenchmark} (RACKS, 20,000 nodes) took 1.02 times as long.
   */
  private BitRow[] rows = new BitRow[4];

  /** The holders that reasons have named, by place in {@link #bounded} and domain. */
  private final Map<List<Integer>, String> holders = new HashMap<>();

  PlacedBounds(Ledger ledger, DomainNodes domainNodes) {
    this.ledger = ledger;
    this.domainNodes = domainNodes;
    topology = ledger.topology();
    bounds = ledger.members().bounds();
  }

  @Override
  boolean prepare(Demand demand) {
    if (!ledger.members().isCounting() || (!demand.hasTerms() && !demand.hasAversionGroups())) {
      return false;
    }
    own = demand.hardRules();
    read(demand);
    return !bounded.isEmpty();
  }

  @Override
  boolean concernsPlain() {
    return false;
  }

  private void read(Demand demand) {
    bounded.clear();
    holders.clear();
    Set<String> all = demand.terms().groups();
    if (demand.hasAversionGroups()) {
      all = new TreeSet<>(Names.order());
      all.addAll(demand.workload().aversionGroups());
      all.addAll(demand.terms().groups());
    }
    for (String group : all) {
      int id = ledger.members().find(group);
      for (int level = Members.NODE; level < topology.levelCount(); level++) {
        int least = bounds.least(id, level);
        if (least != HolderBounds.UNBOUNDED && !keeps(group, level, least)) {
          bounded.add(new Bounded(group, id, level));
        }
      }
    }
  }

  /** Whether a rule of the workload's own, which is checked anyway, is at least as strict. */
  private boolean keeps(String group, int level, int bound) {
    for (int i = 0; i < own.size(); i++) {
      if (own.get(i) instanceof Rule.OfGroup of
          && of.limitForNewcomers(true) <= bound
          && of.group().equals(group)
          && topology.levelIndex(of.level()) == level) {
        return true;
      }
    }
    return false;
  }

  /** Whether the workload would exceed the strictest bound in the node's domain. */
  private boolean broken(Bounded of, int node) {
    int domain = topology.domainOf(of.level, node);
    return domain != NodeTable.NONE && isFull(of, domain);
  }

  private boolean isFull(Bounded of, int domain) {
    int bound = bounds.in(of.id, of.level, domain);
    return bound != HolderBounds.UNBOUNDED && members(of, domain) + 1 > bound;
  }

  private int members(Bounded of, int domain) {
    return ledger.members().members(of.id, of.level, domain);
  }

  @Override
  boolean admits(int node) {
    for (int i = 0; i < bounded.size(); i++) {
      if (broken(bounded.get(i), node)) {
        return false;
      }
    }
    return true;
  }

  /** Adds bitmaps for levels above the nodes. */
  @Override
  void addRows(RowScan scan) {
    for (int i = 0; i < bounded.size(); i++) {
      if (bounded.get(i).level != Members.NODE) {
        addRow(scan, i);
      }
    }
  }

  private void addRow(RowScan scan, int index) {
    Bounded of = bounded.get(index);
    int domains = topology.level(of.level).domains().slotCount();
    if (domains <= DomainNodes.MOST_IN_A_SET) {
      long open = -1L >>> Long.SIZE - domains;
      for (int domain = 0; domain < domains; domain++) {
        open &= isFull(of, domain) ? ~(1L << domain) : -1L;
      }
      scan.add(domainNodes.ofSet(of.level, open, true));
      return;
    }
    int words = (ledger.nodes().slotCount() + 63) >> 6;
    if (domains > DOMAINS_PER_WORD * words) {
      return;
    }
    if (index >= rows.length) {
      rows = Arrays.copyOf(rows, 2 * index);
    }
    if (rows[index] == null || rows[index].words.length != words) {
      rows[index] = new BitRow(words);
    }
    BitRow row = rows[index];
    row.copy(domainNodes.all());
    for (int domain = 0; domain < domains; domain++) {
      if (isFull(of, domain)) {
        domainNodes.set(row, of.level, domain, false);
      }
    }
    scan.add(row);
  }

  @Override
  void reportBroken(int node, Broken broken) {
    List<Integer> inOrder = new ArrayList<>();
    for (int i = 0; i < bounded.size(); i++) {
      Bounded of = bounded.get(i);
      int domain = topology.domainOf(of.level, node);
      // A rule of the workload's own that is at least as strict is broken, too, and reported.
      if (broken(of, node) && !keeps(of.group, of.level, bounds.in(of.id, of.level, domain))) {
        inOrder.add(i);
      }
    }
    inOrder.sort(
        Comparator.comparing(this::about, Names.order()).thenComparing(this::level, Names.order()));
    for (int index : inOrder) {
      broken.add(this, index, Reason.Kind.CROWDED, index, 1, 0);
    }
  }

  @Override
  public Reason reason(int node, int condition) {
    Bounded of = bounded.get(condition);
    int domain = topology.domainOf(of.level, node);
    int bound = bounds.in(of.id, of.level, domain);
    int members = members(of, domain);
    return new Reason.Crowded(
        of.group,
        level(condition),
        topology.domainName(of.level, domain),
        members,
        bound,
        members + 1 - bound,
        -1,
        Optional.of(
            holders.computeIfAbsent(List.of(condition, domain), at -> holder(of, domain, bound))));
  }

  /** The first by name of the workloads in a domain whose rules set this bound. */
  private String holder(Bounded of, int domain, int bound) {
    int[] nodes =
        of.level == Members.NODE ? new int[] {domain} : domainNodes.nodes(of.level, domain);
    String first = null;
    for (int node : nodes) {
      for (Workload placed : ledger.placements().workloads(node)) {
        if (placed.terms().rules().stream().anyMatch(rule -> sets(placed, rule, of, bound))
            && (first == null || Names.compare(placed.name(), first) < 0)) {
          first = placed.name();
        }
      }
    }
    return first;
  }

  private boolean sets(Workload holder, Rule rule, Bounded set, int bound) {
    boolean member = Members.isMember(holder.aversionGroups(), holder.terms(), set.group);
    return rule instanceof Rule.OfGroup of
        && of.limitForNewcomers(member) == bound
        && of.group().equals(set.group)
        && topology.levelIndex(of.level()) == set.level;
  }

  @Override
  String level(int key) {
    int level = bounded.get(key).level;
    return level == Members.NODE ? Rule.NODE : topology.level(level).name();
  }

  @Override
  String about(int key) {
    return bounded.get(key).group;
  }
}
