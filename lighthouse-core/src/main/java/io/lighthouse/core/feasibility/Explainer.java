package io.lighthouse.core.feasibility;

import io.lighthouse.api.Names;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Workload;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Layout;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Says why nodes do not take a workload, from the accounts as they are now. */
public final class Explainer {
  /** How many nodes a refusal names. */
  private static final int NEAREST = 3;

  private static final Comparator<Reason> BY_RESOURCE =
      Comparator.comparing(reason -> reason.resource().orElse(""), Names.order());

  private final Ledger ledger;

  /**
   * An explainer of one ledger.
   *
   * @param ledger the accounts
   */
  public Explainer(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * Every broken condition of a node.
   *
   * @param node the index of a node
   * @param demand what the workload needs
   * @return the cordon first, then by resource name; empty where the workload fits
   */
  public List<Reason> broken(int node, Demand demand) {
    List<Reason> reasons = new ArrayList<>();
    if (ledger.cordoned(node)) {
      reasons.add(new Reason.Cordoned());
    }
    Layout layout = ledger.layout(node);
    for (int i = 0; i < demand.size(); i++) {
      int slot = layout.slot(demand.id(i));
      Reason reason = slot < 0 ? missing(demand, i) : required(node, slot, demand, i);
      if (reason != null) {
        reasons.add(reason);
      }
    }
    for (int slot = 0; ledger.negatives(node) > 0 && slot < layout.size(); slot++) {
      int id = layout.id(slot);
      if (ledger.left(node, slot) < 0 && demand.indexOf(id) < 0 && !demand.immuneTo(id)) {
        reasons.add(negative(node, slot, Quantity.ZERO));
      }
    }
    reasons.sort(BY_RESOURCE);
    return reasons;
  }

  private Reason missing(Demand demand, int index) {
    int id = demand.id(index);
    return new Reason.Missing(ledger.resource(id), ledger.quantity(id, demand.need(index)));
  }

  /** The broken condition of a required resource that the node has; null where it holds. */
  private Reason required(int node, int slot, Demand demand, int index) {
    long left = ledger.left(node, slot);
    long need = demand.need(index);
    if (left >= need || demand.immune(index)) {
      return null;
    }
    int id = demand.id(index);
    Quantity required = ledger.quantity(id, need);
    return left < 0
        ? negative(node, slot, required)
        : new Reason.Short(
            ledger.resource(id),
            ledger.quantity(id, left),
            required,
            ledger.quantity(id, need - left));
  }

  private Reason negative(int node, int slot, Quantity required) {
    int id = ledger.layout(node).id(slot);
    Quantity left = ledger.quantity(id, ledger.left(node, slot));
    return new Reason.Negative(ledger.resource(id), left, required, required.minus(left));
  }

  /**
   * The groups for which a node is averse to a workload.
   *
   * @param node the index of an averse node
   * @param demand what the workload needs
   * @return the reason
   */
  public Reason averse(int node, Demand demand) {
    Set<String> shared = new TreeSet<>(Names.order());
    for (String group : demand.workload().aversionGroups()) {
      NodeSet holders = ledger.holders(group);
      if (holders != null && holders.has(node)) {
        shared.add(group);
      }
    }
    return new Reason.Averse(shared);
  }

  /**
   * Whether a workload fits some friendly node.
   *
   * @param demand what the workload needs
   * @return true if it does; then averse nodes are no candidates
   */
  public boolean friendlyFits(Demand demand) {
    for (int node = 0; node < ledger.slotCount(); node++) {
      if (!Fit.averse(node, demand) && Fit.fits(ledger, node, demand)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Why a workload found no node, over all nodes. Where it would have fitted one, the strategy
   * declined it, or it was averse and no candidate.
   *
   * @param demand what the workload needs
   * @return counts and the nearest nodes; cost linear in nodes
   */
  public Refusal refusal(Demand demand) {
    Tally tally = new Tally();
    boolean friendly = demand.grouped() && friendlyFits(demand);
    for (int node = 0; node < ledger.slotCount(); node++) {
      if (!ledger.alive(node)) {
        continue;
      }
      List<Reason> reasons = broken(node, demand);
      boolean fits = reasons.isEmpty();
      if (fits) {
        boolean offered = !friendly || !Fit.averse(node, demand);
        reasons = List.of(offered ? new Reason.Declined() : averse(node, demand));
      }
      tally.add(node, fits, reasons, demand);
    }
    return tally.refusal(demand.workload());
  }

  /**
   * The same over verdicts that are known already.
   *
   * @param demand what the workload needs
   * @param verdicts the verdict of every node
   * @return counts and the nearest nodes that do not take it
   */
  public Refusal summary(Demand demand, List<NodeVerdict> verdicts) {
    Tally tally = new Tally();
    for (int node = 0; node < verdicts.size(); node++) {
      NodeVerdict verdict = verdicts.get(node);
      if (!verdict.chosen()) {
        tally.add(ledger.slot(node), verdict.fits(), verdict.reasons(), demand);
      }
    }
    return tally.refusal(demand.workload());
  }

  /** Counts reasons and keeps the nearest nodes. */
  private final class Tally {
    private final Map<Reason.Kind, Map<String, Integer>> counts = new TreeMap<>();
    private final List<Distance> nearest = new ArrayList<>();

    void add(int node, boolean fits, List<Reason> reasons, Demand demand) {
      for (Reason reason : reasons) {
        counts
            .computeIfAbsent(reason.kind(), kind -> new TreeMap<>(Names.order()))
            .merge(reason.resource().orElse(""), 1, Integer::sum);
      }
      keep(nearest, new Distance(fits ? 0 : reasons.size(), node, reasons, demand, ledger));
    }

    Refusal refusal(Workload workload) {
      List<ReasonCount> listed = new ArrayList<>();
      counts.forEach(
          (kind, byName) ->
              byName.forEach((name, n) -> listed.add(new ReasonCount(kind, name, n))));
      List<NodeVerdict> verdicts = new ArrayList<>();
      for (Distance near : nearest) {
        verdicts.add(new NodeVerdict(ledger.nodeName(near.node), near.broken == 0, near.reasons));
      }
      return new Refusal(workload.name(), ledger.nodeCount(), listed, verdicts);
    }
  }

  private static void keep(List<Distance> nearest, Distance next) {
    int at = nearest.size();
    while (at > 0 && next.compareTo(nearest.get(at - 1)) < 0) {
      at--;
    }
    if (at < NEAREST) {
      nearest.add(at, next);
      if (nearest.size() > NEAREST) {
        nearest.remove(NEAREST);
      }
    }
  }

  /** How far a node is from fitting: conditions broken, then the largest relative shortfall. */
  private static final class Distance implements Comparable<Distance> {
    private final int broken;
    private final int node;
    private final List<Reason> reasons;

    /** The largest shortfall as a fraction of the requirement; a denominator of 0 is infinite. */
    private long numerator;

    private long denominator = 1;

    Distance(int broken, int node, List<Reason> reasons, Demand demand, Ledger ledger) {
      this.broken = broken;
      this.node = node;
      this.reasons = reasons;
      Layout layout = ledger.layout(node);
      for (int i = 0; i < demand.size(); i++) {
        int slot = layout.slot(demand.id(i));
        long need = demand.need(i);
        if (slot < 0) {
          widen(Math.abs(need), Math.abs(need));
        } else if (ledger.left(node, slot) < need && !demand.immune(i)) {
          long left = ledger.left(node, slot);
          widen(left == Long.MIN_VALUE ? 1 : need - left, left == Long.MIN_VALUE ? 0 : need);
        }
      }
      for (Reason reason : reasons) {
        boolean measured = reason.resource().map(name -> requires(demand, name)).orElse(true);
        if (!measured) {
          widen(1, 0);
        }
      }
    }

    private static boolean requires(Demand demand, String name) {
      return demand.workload().requirements().has(name);
    }

    private void widen(long lacking, long need) {
      long against = Math.abs(need);
      long by = against == 0 ? 1 : lacking;
      if (compare(numerator, denominator, by, against) < 0) {
        numerator = by;
        denominator = against;
      }
    }

    @Override
    public int compareTo(Distance other) {
      if (broken != other.broken) {
        return Integer.compare(broken, other.broken);
      }
      int shortfalls = compare(numerator, denominator, other.numerator, other.denominator);
      return shortfalls != 0 ? shortfalls : Integer.compare(node, other.node);
    }

    /** Compares two fractions of numbers from 0 to 2^63; the products take 128 bits. */
    private static int compare(long a, long overA, long b, long overB) {
      return Scores.compare(
          Math.multiplyHigh(a, overB), a * overB, Math.multiplyHigh(b, overA), b * overA);
    }
  }
}
