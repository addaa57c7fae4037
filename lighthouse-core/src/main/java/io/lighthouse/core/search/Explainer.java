package io.lighthouse.core.search;

import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.Names;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.constraint.Tally;
import io.lighthouse.core.ledger.Clock;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.order.ShapeTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Explains why nodes do not take a workload, from the current accounts.
 *
 * <p>A refusal first counts the broken conditions of all nodes, without an object per reason. Then
 * it selects the nearest nodes. Only these few get reasons. The same shape gets the same reasons
 * again as long as nothing has changed.
 *
 * <p>Without these remembered refusals, the case {@code EXPLAINED} of {@code CliffBenchmark}
 * (10,000 nodes) took 1.2 times as long on 2026-11-25, and a batch of 100 replicas that fit no node
 * 56 times as long.
 */
public final class Explainer {
  private static final Comparator<Reason> BY_RESOURCE =
      Comparator.comparing((Reason reason) -> reason.resource().orElse(""), Names.order())
          .thenComparing(reason -> reason.kind() != Reason.Kind.UNIT);

  private final Finder finder;
  private final Ledger ledger;
  private final Tally tally;

  /** The shapes that were refused since the last change. */
  private final ShapeTable shapes = new ShapeTable(8);

  /** By place: the refusal of its shape. */
  private final Refusal[] refusals = new Refusal[shapes.places()];

  /** When the first of these shapes was refused. */
  private final Clock.Stamp refusedAt;

  /** An explainer of one ledger. */
  public Explainer(Finder finder) {
    this.finder = finder;
    ledger = finder.ledger();
    tally = new Tally(ledger);
    refusedAt = ledger.clock().stamp(Clock.Scope.ANYTHING);
  }

  /**
   * Every broken condition of a node, rule by rule: the cordon first, then by resource name. Empty
   * where the workload fits.
   */
  public List<Reason> broken(int node, Query query) {
    List<Reason> reasons = new ArrayList<>();
    query.reportBroken(
        node,
        (by, condition, kind, key, lacking, against) -> reasons.add(by.reason(node, condition)));
    sort(reasons);
    return reasons;
  }

  /**
   * Sorts the reasons about the node's own resources by name; only a cordon precedes them. Sorts
   * the reasons about rules: the workload's own by their places, then those of placed workloads.
   */
  private static void sort(List<Reason> reasons) {
    int from = !reasons.isEmpty() && reasons.get(0) instanceof Reason.Cordoned ? 1 : 0;
    int to = from;
    while (to < reasons.size() && isOwn(reasons.get(to))) {
      to++;
    }
    reasons.subList(from, to).sort(BY_RESOURCE);
    while (to < reasons.size() && placeOfRule(reasons.get(to)) < 0) {
      to++;
    }
    int end = to;
    while (end < reasons.size() && placeOfRule(reasons.get(end)) >= 0) {
      end++;
    }
    reasons.subList(to, end).sort(Comparator.comparingInt(Explainer::placeOfRule));
  }

  /** The place of a reason's rule; -1 if it is about none. Bounds of placed workloads are last. */
  private static int placeOfRule(Reason reason) {
    boolean ofPlaced = reason instanceof Reason.Crowded crowded && crowded.by().isPresent();
    return ofPlaced ? Integer.MAX_VALUE : reason.rule();
  }

  private static boolean isOwn(Reason reason) {
    return reason.resource().isPresent() && reason.level().isEmpty();
  }

  /**
   * Why a node that fits is no candidate: another node is better by a preference. Friendly nodes
   * that fit go before averse ones.
   *
   * @param node the slot of a node that fits, friendly if any such node is
   * @return the reason; null where it is a candidate, or is not compared since it is in no domain
   *     that the query is confined to
   */
  public Reason worse(int node, Query query) {
    if (!query.hasPreferences() || !query.isWithin(node) || finder.isBest(query, node)) {
      return null;
    }
    return query.preferences.worse(node);
  }

  /**
   * How far a node that the workload fits is from satisfying each of its preferences, in their
   * order.
   */
  public List<Long> excesses(int node, Query query) {
    List<Long> excesses = new ArrayList<>();
    for (int i = 0; query.hasPreferences() && i < query.preferences.size(); i++) {
      excesses.add(query.preferences.excess(i, node));
    }
    return excesses;
  }

  /** Whether a workload fits some friendly node; then averse nodes are no candidates. */
  public boolean friendlyFits(Query query) {
    return finder.next(query, 0, true) != NodeTable.NONE;
  }

  /**
   * Why no node was chosen for a workload, over all nodes. A node that it would have fitted was
   * declined by the strategy, or was averse and so no candidate.
   *
   * @return counts and the nearest nodes; cost linear in nodes
   */
  public Refusal refusal(Query query) {
    return remembered(query, () -> fresh(query, true));
  }

  /**
   * The refusal of a workload of the same shape if nothing has changed since, else a fresh one. All
   * fresh ones of an explainer must be made in the same way.
   */
  public Refusal remembered(Query query, Supplier<Refusal> fresh) {
    if (refusedAt.renew()) {
      shapes.clear();
    }
    // An id of a resource that no node has may later be reused for another resource.
    boolean alike = query.isRemembered() && !query.demand().requiresMissingResource();
    int place = alike ? shapes.place(query.demand()) : -1;
    if (place >= 0 && shapes.holds(place, query.demand())) {
      Refusal same = refusals[place];
      Refusal refusal =
          new Refusal(
              query.demand().workload().name(), same.nodes(), same.counts(), same.nearest());
      assert ledger.nodes().slotCount() > Finder.ASSERTED_NODES || refusal.equals(fresh.get())
          : "a remembered refusal of another workload: " + refusal;
      return refusal;
    }
    Refusal refusal = fresh.get();
    if (place >= 0) {
      shapes.put(place, query.demand());
      refusals[place] = refusal;
    }
    return refusal;
  }

  /**
   * The refusal of a workload, made anew.
   *
   * @param withFitting whether nodes that the workload fits are counted and are the nearest
   */
  public Refusal fresh(Query query, boolean withFitting) {
    finder.index();
    tally.begin();
    query.count(tally);
    boolean friendly = query.prefersFriendly() && friendlyFits(query);
    Nearest nearest = new Nearest(query);
    Map<Reason.Kind, Integer> others = new EnumMap<>(Reason.Kind.class);
    for (int node = 0; node < tally.nodes(); node++) {
      int broken = tally.broken(node);
      boolean isLeftOut = broken == Tally.LEFT_OUT || broken == 0 && !withFitting;
      if (isLeftOut || broken > nearest.limit()) {
        continue;
      }
      if (broken == 0) {
        boolean offered = !friendly || !query.averse(node);
        others.merge(offered ? Reason.Kind.DECLINED : Reason.Kind.AVERSE, 1, Integer::sum);
      }
      nearest.add(node, broken);
    }
    List<ReasonCount> counts = new ArrayList<>(tally.counts());
    others.forEach((kind, nodes) -> counts.add(new ReasonCount(kind, "", nodes)));
    List<NodeVerdict> verdicts = new ArrayList<>();
    for (int i = 0; i < nearest.size(); i++) {
      int node = nearest.node(i);
      boolean fits = tally.broken(node) == 0;
      boolean averse = fits && friendly && query.averse(node);
      List<Reason> reasons =
          !fits
              ? broken(node, query)
              : List.of(averse ? query.aversion.reason(node, 0) : new Reason.Declined());
      verdicts.add(new NodeVerdict(ledger.nodes().nodeName(node), fits, reasons));
    }
    return new Refusal(
        query.demand().workload().name(), ledger.nodes().nodeCount(), counts, verdicts);
  }

  /**
   * The same as {@link #refusal}, from known verdicts.
   *
   * @param gang why its gang is not placed; empty where it is, and for a workload without one
   * @return counts and the nearest nodes that do not take it
   */
  public Refusal summary(Query query, List<NodeVerdict> verdicts, Optional<GangRefusal> gang) {
    Nearest nearest = new Nearest(query);
    Tally.Counts counts = new Tally.Counts();
    for (int node = 0; node < verdicts.size(); node++) {
      NodeVerdict verdict = verdicts.get(node);
      if (verdict.chosen()) {
        continue;
      }
      for (Reason reason : verdict.reasons()) {
        counts.add(reason.kind(), reason.level().orElse(""), reason.about(), node);
      }
      nearest.add(ledger.nodes().slot(node), verdict.fits() ? 0 : verdict.reasons().size());
    }
    List<NodeVerdict> near = new ArrayList<>();
    for (int i = 0; i < nearest.size(); i++) {
      near.add(verdicts.get(ledger.nodes().index(nearest.node(i))));
    }
    return new Refusal(
        query.demand().workload().name(), ledger.nodes().nodeCount(), counts.listed(), near, gang);
  }
}
