package io.lighthouse.core.index;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.Requirements;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Level;
import io.lighthouse.core.ledger.SortedCounts;
import io.lighthouse.core.ledger.Topology;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The nodes that are possible for a workload: static properties alone decide, which no placement
 * and no release can change. Each shape of workloads has one bitmap, made once and valid until the
 * fleet changes. For each level there are the domains that have such a node.
 *
 * <p>Without the memory of the last shape, a batch of {@code RuleBenchmark} (DEPLOYMENT, 10,000
 * nodes) took 1.5 times as long on 2026-11-24.
 */
public final class PossibleNodes {
  /** How many shapes are kept. */
  private static final int MOST_SHAPES = 512;

  private final Ledger ledger;
  private final Topology topology;
  private final SelectionRows selection;

  private final ShapeCache<Key, Shape> shapes;

  /** The demand of the last question, null before the first, and its shape. */
  private Demand lastDemand;

  private Shape lastShape;

  /** Everything that decides which nodes are possible. */
  private record Key(
      Object required, Object shared, Set<String> immunities, Object where, Set<String> levels) {}

  /** The possible nodes of a shape, and what is derived from them. */
  public static final class Shape {
    final BitRow nodes;

    /** A demand of the shape. */
    private final Demand demand;

    /** By level plus one: the domains that have a possible node; null before the first query. */
    private final Eligible[] eligible;

    /** By level plus one: how many domains {@code where} knows; -1 before the first query. */
    private final int[] known;

    private Shape(BitRow nodes, int levelCount, Demand demand) {
      this.nodes = nodes;
      this.demand = demand;
      eligible = new Eligible[levelCount + 1];
      known = new int[levelCount + 1];
      Arrays.fill(known, -1);
    }
  }

  /** Which domains of a level have a possible node, and their number. */
  public record Eligible(boolean[] domains, int count) {
    /**
     * The least count of these domains.
     *
     * @param counts by domain; null where all are 0
     * @return 0 where there are no such domains
     */
    public int least(SortedCounts counts) {
      if (counts == null || counts.size() < count) {
        return 0;
      }
      int least = Integer.MAX_VALUE;
      int found = 0;
      for (int i = 0; i < counts.size(); i++) {
        int domain = counts.number(i);
        if (domain < domains.length && domains[domain]) {
          least = Math.min(least, counts.count(i));
          found++;
        }
      }
      return found < count || count == 0 ? 0 : least;
    }
  }

  public PossibleNodes(Ledger ledger, SelectionRows selection) {
    this.ledger = ledger;
    topology = ledger.topology();
    shapes = new ShapeCache<>(ledger, MOST_SHAPES);
    this.selection = selection;
  }

  /** The shape of a workload with its hard rules, including the top-level ones. */
  public Shape of(Demand demand) {
    if (shapes.renew()) {
      lastDemand = null;
    }
    if (lastDemand == null || !areAlike(demand, lastDemand)) {
      lastShape = shape(demand);
    }
    lastDemand = demand;
    return lastShape;
  }

  private Shape shape(Demand demand) {
    Workload workload = demand.workload();
    Terms terms = workload.terms();
    Set<String> levels = new TreeSet<>();
    for (Rule rule : demand.hardRules()) {
      if (levelAsked(rule) != null) {
        levels.add(levelAsked(rule));
      }
    }
    boolean units = ledger.accounts().units().any();
    Map<String, Object> shared = new HashMap<>();
    terms.shared().forEach((level, of) -> shared.put(level, hasUnits(level) ? of : of.names()));
    Key key =
        new Key(
            units ? workload.requirements() : workload.requirements().names(),
            shared,
            workload.immunities(),
            terms.where(),
            levels);
    return shapes.get(key, () -> new Shape(row(demand, levels), topology.levelCount(), demand));
  }

  /**
   * Whether two workloads surely have the same shape; cheaper than their keys. As long as the fleet
   * does not change, an id belongs to one resource, or to one that no node has.
   */
  private boolean areAlike(Demand one, Demand other) {
    return !ledger.accounts().units().any()
        && isPlain(one)
        && isPlain(other)
        && one.hasSameIds(other)
        && (one.terms() == other.terms() || one.terms().where().equals(other.terms().where()))
        && (one.hardRules() == other.hardRules() || askTheSame(one.hardRules(), other.hardRules()));
  }

  private static boolean isPlain(Demand demand) {
    return !demand.hasShares() && !demand.hasImmunities();
  }

  /** Whether hard rules require the same levels, one by one. */
  private static boolean askTheSame(List<Rule> hard, List<Rule> others) {
    boolean same = hard.size() == others.size();
    for (int i = 0; same && i < hard.size(); i++) {
      same = Objects.equals(levelAsked(hard.get(i)), levelAsked(others.get(i)));
    }
    return same;
  }

  /** The level at which a rule requires a domain; null for none. */
  private static String levelAsked(Rule rule) {
    return rule instanceof Rule.OfGroup of && of.needsDomain() ? of.level() : null;
  }

  private boolean hasUnits(String level) {
    int index = topology.levelIndex(level);
    return index >= 0 && topology.level(index).accounts().units().any();
  }

  private BitRow row(Demand demand, Set<String> levels) {
    BitRow selected = selection.row(demand.terms().where());
    int[] asked = levels.stream().mapToInt(topology::levelIndex).toArray();
    return BitRow.of(
        ledger.nodes().slotCount(),
        node ->
            !demand.sharesUnknownLevel() && selected.has(node) && isPossible(node, demand, asked));
  }

  private boolean isPossible(int node, Demand demand, int[] asked) {
    for (int level : asked) {
      if (topology.domainOf(level, node) == NodeTable.NONE) {
        return false;
      }
    }
    Workload workload = demand.workload();
    if (!stands(ledger.accounts(), node, demand, workload.requirements(), workload)) {
      return false;
    }
    for (int i = 0; i < demand.levelCount(); i++) {
      Level level = topology.level(i);
      int domain = level.domainOf(node);
      Requirements required = demand.shared(i);
      Resources shared = workload.terms().shared().getOrDefault(level.name(), Resources.none());
      if (required != null
          && (domain == NodeTable.NONE
              ? required.size() > 0
              : !stands(level.accounts(), domain, required, shared, workload))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether it is open, has all that is required in the units of it, and has no ward without an
   * immunity of the workload.
   */
  private static boolean stands(
      NodeAccounts accounts, int slot, Requirements required, Resources named, Workload workload) {
    Layout layout = accounts.layout(slot);
    if (accounts.cordoned(slot)
        || !required.areAllIn(layout)
        || !accounts.units().allow(slot, named, workload.immunities())) {
      return false;
    }
    for (int i = 0; accounts.negatives(slot) > 0 && i < layout.size(); i++) {
      if (accounts.left(slot, i) == Long.MIN_VALUE && !required.isImmuneTo(layout.id(i))) {
        return false;
      }
    }
    return true;
  }

  /** Which domains of a level have a possible node. */
  public Eligible eligible(Shape shape, int level) {
    Eligible known = shape.eligible[level + 1];
    if (known == null) {
      boolean[] domains = domains(shape.nodes, level);
      known = new Eligible(domains, count(domains));
      shape.eligible[level + 1] = known;
    }
    return known;
  }

  /** How many domains of a level have a node that the workload's {@code where} allows. */
  public int known(Shape shape, int level) {
    if (shape.known[level + 1] < 0) {
      BitRow selected = selection.row(shape.demand.terms().where());
      shape.known[level + 1] = count(domains(selected, level));
    }
    return shape.known[level + 1];
  }

  private static int count(boolean[] domains) {
    int count = 0;
    for (boolean has : domains) {
      count += has ? 1 : 0;
    }
    return count;
  }

  private boolean[] domains(BitRow nodes, int level) {
    int slots = ledger.nodes().slotCount();
    boolean[] has = new boolean[level < 0 ? slots : topology.level(level).domains().slotCount()];
    for (int node = 0; node < slots; node++) {
      int domain = nodes.has(node) ? topology.domainOf(level, node) : NodeTable.NONE;
      if (domain != NodeTable.NONE) {
        has[domain] = true;
      }
    }
    return has;
  }

  /** Compares each shape and what is derived from it, where valid, with a fresh one. */
  public void audit(Audit audit) {
    PossibleNodes fresh = new PossibleNodes(ledger, new SelectionRows(ledger));
    for (Shape shape : shapes.valid().values()) {
      Shape same = fresh.of(shape.demand);
      String what = " for " + shape.demand.workload().name();
      shape.nodes.audit(
          audit, "possible nodes" + what, same.nodes::has, ledger.nodes().slotCount());
      for (int level = -1; level < topology.levelCount(); level++) {
        Eligible eligible = shape.eligible[level + 1];
        if (eligible != null) {
          Eligible recomputed = fresh.eligible(same, level);
          audit.equal(
              "domains with a possible node" + what,
              Arrays.toString(recomputed.domains),
              Arrays.toString(eligible.domains));
          audit.equal(
              "number of domains with a possible node" + what, recomputed.count, eligible.count);
        }
        if (shape.known[level + 1] >= 0) {
          audit.equal(
              "number of selected domains" + what,
              fresh.known(same, level),
              shape.known[level + 1]);
        }
      }
    }
  }
}
