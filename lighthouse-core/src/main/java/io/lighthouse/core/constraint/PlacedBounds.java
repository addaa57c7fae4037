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
  private final DomainNodes standing;

  /** The hard rules of the workload. */
  private List<Rule> own = List.of();

  /** By index: the bounded groups of the workload, with the level of each bound. */
  private final List<String> groups = new ArrayList<>();

  private int[] ids = new int[4];
  private int[] levels = new int[4];

  /** By index: a bitmap to fill. */
  private BitRow[] rows = new BitRow[4];

  /** The holders that reasons have named. */
  private final Map<Bound, String> holders = new HashMap<>();

  /** A bound of the workload in one domain. */
  private record Bound(int index, int domain) {}

  PlacedBounds(Ledger ledger, DomainNodes standing) {
    this.ledger = ledger;
    this.standing = standing;
    topology = ledger.topology();
    bounds = ledger.members().bounds();
  }

  @Override
  boolean prepare(Demand demand) {
    if (!bounds.any() || (!demand.hasTerms() && !demand.hasAversionGroups())) {
      return false;
    }
    own = demand.hardRules();
    read(demand);
    return !groups.isEmpty();
  }

  @Override
  boolean concernsPlain() {
    return false;
  }

  private void read(Demand demand) {
    groups.clear();
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
          add(group, id, level);
        }
      }
    }
  }

  /** Whether a rule of the workload's own, which is checked anyway, allows no more members. */
  private boolean keeps(String group, int level, int least) {
    for (int i = 0; i < own.size(); i++) {
      if (own.get(i) instanceof Rule.OfGroup of
          && of.limitForNewcomers(true) <= least
          && of.group().equals(group)
          && topology.levelIndex(of.level()) == level) {
        return true;
      }
    }
    return false;
  }

  private void add(String group, int id, int level) {
    if (groups.size() == ids.length) {
      ids = Arrays.copyOf(ids, 2 * ids.length);
      levels = Arrays.copyOf(levels, ids.length);
      rows = Arrays.copyOf(rows, ids.length);
    }
    ids[groups.size()] = id;
    levels[groups.size()] = level;
    groups.add(group);
  }

  /** Whether the workload would exceed the strictest bound in the node's domain. */
  private boolean broken(int index, int node) {
    int domain = topology.domainOf(levels[index], node);
    return domain != NodeTable.NONE && isFull(index, domain);
  }

  private boolean isFull(int index, int domain) {
    int bound = bounds.in(ids[index], levels[index], domain);
    return bound != HolderBounds.UNBOUNDED
        && ledger.members().members(ids[index], levels[index], domain) + 1 > bound;
  }

  @Override
  boolean admits(int node) {
    for (int i = 0; i < groups.size(); i++) {
      if (broken(i, node)) {
        return false;
      }
    }
    return true;
  }

  /** Adds bitmaps for levels above the nodes. */
  @Override
  void addRows(RowScan scan) {
    for (int i = 0; i < groups.size(); i++) {
      if (levels[i] != Members.NODE) {
        addRow(scan, i);
      }
    }
  }

  private void addRow(RowScan scan, int index) {
    int level = levels[index];
    int domains = topology.level(level).domains().slotCount();
    if (domains <= DomainNodes.MOST_IN_A_SET) {
      long open = -1L >>> Long.SIZE - domains;
      for (int domain = 0; domain < domains; domain++) {
        open &= isFull(index, domain) ? ~(1L << domain) : -1L;
      }
      scan.add(standing.ofSet(level, open, true));
      return;
    }
    int words = (ledger.nodes().slotCount() + 63) >> 6;
    if (domains > DOMAINS_PER_WORD * words) {
      return;
    }
    if (rows[index] == null || rows[index].words.length != words) {
      rows[index] = new BitRow(words);
    }
    BitRow row = rows[index];
    row.copy(standing.all());
    for (int domain = 0; domain < domains; domain++) {
      if (isFull(index, domain)) {
        standing.set(row, level, domain, false);
      }
    }
    scan.add(row);
  }

  @Override
  void reportBroken(int node, Broken broken) {
    List<Integer> inOrder = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      if (broken(i, node) && !isReportedByOwnRule(i, node)) {
        inOrder.add(i);
      }
    }
    inOrder.sort(
        (a, b) -> {
          int byGroup = Names.compare(groups.get(a), groups.get(b));
          return byGroup != 0 ? byGroup : Names.compare(level(a), level(b));
        });
    for (int index : inOrder) {
      broken.add(this, index, Reason.Kind.CROWDED, index, 1, 0);
    }
  }

  /** Whether a rule of the workload's own, at least as strict, is broken there, too. */
  private boolean isReportedByOwnRule(int index, int node) {
    int domain = topology.domainOf(levels[index], node);
    int bound = bounds.in(ids[index], levels[index], domain);
    int members = ledger.members().members(ids[index], levels[index], domain);
    for (Rule rule : own) {
      if (rule instanceof Rule.OfGroup of
          && of.group().equals(groups.get(index))
          && of.level().equals(level(index))
          && of.limitForNewcomers(true) <= bound
          && members + 1 > of.limitForNewcomers(true)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Reason reason(int node, int condition) {
    int domain = topology.domainOf(levels[condition], node);
    int bound = bounds.in(ids[condition], levels[condition], domain);
    int members = ledger.members().members(ids[condition], levels[condition], domain);
    return new Reason.Crowded(
        groups.get(condition),
        level(condition),
        topology.domainName(levels[condition], domain),
        members,
        bound,
        members + 1 - bound,
        -1,
        Optional.of(
            holders.computeIfAbsent(new Bound(condition, domain), at -> holder(at, bound))));
  }

  /** The first by name of the workloads in a domain whose rules set this bound. */
  private String holder(Bound at, int bound) {
    int level = levels[at.index];
    int[] nodes = level == Members.NODE ? new int[] {at.domain} : standing.nodes(level, at.domain);
    String first = null;
    for (int node : nodes) {
      for (Workload placed : ledger.placements().workloads(node)) {
        if (placed.terms().rules().stream().anyMatch(rule -> sets(placed, rule, at.index, bound))
            && (first == null || Names.compare(placed.name(), first) < 0)) {
          first = placed.name();
        }
      }
    }
    return first;
  }

  private boolean sets(Workload holder, Rule rule, int index, int bound) {
    String group = groups.get(index);
    boolean member = Members.isMember(holder.aversionGroups(), holder.terms(), group);
    return rule instanceof Rule.OfGroup of
        && of.limitForNewcomers(member) == bound
        && of.group().equals(group)
        && of.level().equals(level(index));
  }

  @Override
  String level(int key) {
    return levels[key] == Members.NODE ? Rule.NODE : topology.level(levels[key]).name();
  }

  @Override
  String about(int key) {
    return groups.get(key);
  }
}
