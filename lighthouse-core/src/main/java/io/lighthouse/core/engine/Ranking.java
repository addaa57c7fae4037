package io.lighthouse.core.engine;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.advice.Choice.Candidate;
import io.lighthouse.api.advice.Choice.Decider;
import io.lighthouse.api.advice.Choice.Order;
import io.lighthouse.api.advice.Choice.Term;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.load.LoadRule;
import io.lighthouse.core.share.Share;
import io.lighthouse.core.view.FleetView;
import io.lighthouse.core.view.NodeView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The nodes that a workload fits, in the order of its strategy's query, with the score of each. It
 * is computed from the quantities, for explanations. The choice itself was made by the indexes.
 */
final class Ranking {
  /** A candidate, with what it is compared by. */
  private record Ranked(NodeView node, boolean candidate, Candidate shown) {}

  private final FleetView fleet;
  private final Query query;
  private final Demand demand;
  private final RecordedCandidates.Query asked;

  private final Placer placer;
  private final StrategyCalls calls;

  /** Whether nodes are compared by shares in use, and how. */
  private final boolean byShare;

  private final LoadRule rule;

  Ranking(
      FleetView fleet,
      Query query,
      RecordedCandidates.Query asked,
      Placer placer,
      StrategyCalls calls) {
    this.fleet = fleet;
    this.query = query;
    demand = query.demand();
    this.asked = asked;
    this.placer = placer;
    this.calls = calls;
    rule = asked.order() == Order.FULLEST ? LoadRule.FULLEST : LoadRule.VARIANCE;
    byShare = asked.order() == Order.FULLEST || asked.order() == Order.VARIANCE;
  }

  /** The choice of a node; {@link NodeTable#NONE} where none takes the workload. */
  Choice choice(int chosen) {
    List<Ranked> ranked = new ArrayList<>();
    boolean friendly = fleet.explainer().friendlyFits(query);
    for (int slot = fleet.finder().next(query, 0, false);
        slot != NodeTable.NONE;
        slot = fleet.finder().next(query, slot + 1, false)) {
      Ranked node = ranked(slot, friendly);
      ranked.add(place(node, ranked), node);
    }
    if (chosen != NodeTable.NONE) { // A whole batch may have needed its room at another moment.
      ranked.removeIf(node -> node.node().slot() == chosen);
      ranked.add(0, ranked(chosen, friendly));
    }
    boolean placed = chosen != NodeTable.NONE;
    Decider decider = Decider.NOTHING;
    String detail = "";
    if (placed && ranked.size() > 1) {
      decider = decider(ranked.get(0), ranked.get(1));
      detail = detail(decider, ranked.get(0).shown(), ranked.get(1).shown());
    }
    return new Choice(
        demand.workload().name(),
        asked.order(),
        asked.kept() != null && asked.kept().isDescending(),
        placed,
        ranked.stream().map(Ranked::shown).toList(),
        decider,
        detail);
  }

  private Ranked ranked(int slot, boolean friendly) {
    NodeView node = fleet.at(slot);
    List<Term> terms = terms(node);
    Optional<Quantity> score = score(node, terms);
    terms.addAll(calls.call("its terms", () -> List.copyOf(placer.terms(demand.workload(), node))));
    return new Ranked(
        node,
        fleet.finder().isCandidate(query, slot, friendly),
        new Candidate(
            node.name(),
            query.averse(slot),
            fleet.explainer().excesses(slot, query),
            score,
            terms));
  }

  // ---- scores ----

  private List<Term> terms(NodeView node) {
    List<Term> terms = new ArrayList<>();
    if (asked.order() == Order.SCORE) {
      Resources weights = asked.kept().rubric().weights();
      for (int i = 0; i < weights.size(); i++) {
        String name = weights.name(i);
        Quantity weight = weights.quantity(i);
        node.left(name)
            .ifPresent(left -> terms.add(new Term(name, left, weight, product(weight, left))));
      }
    } else if (byShare) {
      Resources capacities = node.capacity();
      for (int i = 0; i < capacities.size(); i++) {
        share(node, capacities.name(i), capacities.quantity(i)).ifPresent(terms::add);
      }
    }
    terms.sort(Comparator.comparing(Term::name, Names.order()));
    return terms;
  }

  /** What would be in use of a resource with the workload on the node, where its share counts. */
  private Optional<Term> share(NodeView node, String name, Quantity capacity) {
    int id = fleet.ledger().resources().resourceId(name);
    int at = fleet.ledger().accounts().layout(node.slot()).slot(id);
    long all = fleet.ledger().accounts().capacity(node.slot(), at);
    if (!Share.measurable(all)) {
      return Optional.empty();
    }
    int required = demand.indexOf(id);
    long inUse =
        all
            - fleet.ledger().accounts().left(node.slot(), at)
            + (required < 0 ? 0 : demand.need(required));
    return Optional.of(
        new Term(
            name,
            fleet.ledger().resources().quantity(id, inUse),
            capacity,
            Quantity.of(Share.exact(inUse, all, rule.bits()))));
  }

  private Optional<Quantity> score(NodeView node, List<Term> terms) {
    int nodes = fleet.size();
    return switch (asked.order()) {
      case NODES -> Optional.of(Quantity.of(node.index() + 1L));
      case TURN ->
          Optional.of(Quantity.of(Math.floorMod(node.index() - asked.after() - 1, nodes) + 1L));
      case SCORE -> Optional.of(sum(terms));
      case FULLEST, VARIANCE ->
          Optional.of(Quantity.of(fleet.loads(rule).score(node.slot(), demand)));
      default -> Optional.empty();
    };
  }

  private static Quantity product(Quantity weight, Quantity left) {
    if (weight.signum() == 0) {
      return Quantity.ZERO;
    }
    if (left.isInfinite()) {
      return left.signum() == weight.signum() ? Quantity.INFINITY : Quantity.NEGATIVE_INFINITY;
    }
    return Quantity.of(weight.toBigDecimal().multiply(left.toBigDecimal()));
  }

  /** The sum of the values; minus infinity wins. */
  private static Quantity sum(List<Term> terms) {
    Quantity sum = Quantity.ZERO;
    for (Term term : terms) {
      boolean lost = sum.equals(Quantity.NEGATIVE_INFINITY);
      if (term.value().isInfinite()) {
        sum = lost ? sum : term.value();
      } else if (!sum.isInfinite()) {
        sum = Quantity.of(sum.toBigDecimal().add(term.value().toBigDecimal()));
      }
    }
    return sum;
  }

  // ---- order ----

  /** Where a node belongs, found by bisection: unlike a sort it ends for any comparator. */
  private int place(Ranked node, List<Ranked> sorted) {
    int from = 0;
    int to = sorted.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (compare(sorted.get(middle), node) <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private int compare(Ranked a, Ranked b) {
    int tier = Boolean.compare(a.shown().averse(), b.shown().averse());
    for (int i = 0; tier == 0 && i < a.shown().excess().size(); i++) {
      tier = Long.compare(a.shown().excess().get(i), b.shown().excess().get(i));
    }
    int by = tier != 0 ? tier : compareByOrder(a, b);
    return by != 0 ? by : Integer.compare(a.node().slot(), b.node().slot());
  }

  private int compareByOrder(Ranked a, Ranked b) {
    return switch (asked.order()) {
      case SCORE -> asked.kept().compare(a.node(), b.node());
      case TURN, FULLEST, VARIANCE ->
          a.shown().score().orElseThrow().compareTo(b.shown().score().orElseThrow());
      case COMPARATOR ->
          a.candidate() && b.candidate()
              ? calls.call("its comparison", () -> asked.comparator().compare(a.node(), b.node()))
              : 0;
      case STRATEGY -> compareTerms(a.shown(), b.shown());
      default -> 0;
    };
  }

  private static int compareTerms(Candidate a, Candidate b) {
    int at = firstDifference(a, b);
    return at < 0 ? 0 : a.terms().get(at).value().compareTo(b.terms().get(at).value());
  }

  /** The place of the first of the terms that differs; -1 where none does. */
  private static int firstDifference(Candidate a, Candidate b) {
    for (int i = 0; i < Math.min(a.terms().size(), b.terms().size()); i++) {
      if (a.terms().get(i).value().compareTo(b.terms().get(i).value()) != 0) {
        return i;
      }
    }
    return -1;
  }

  // ---- what decided ----

  private Decider decider(Ranked chosen, Ranked next) {
    if (asked.order() == Order.BATCH || compare(chosen, next) > 0) {
      return Decider.STRATEGY;
    }
    if (chosen.shown().averse() != next.shown().averse()) {
      return Decider.AVERSION;
    }
    if (!chosen.shown().excess().equals(next.shown().excess())) {
      return Decider.PREFERENCE;
    }
    if (asked.order() == Order.NODES || asked.order() == Order.TURN) {
      return Decider.NODES;
    }
    if (asked.order() == Order.SCORE) {
      Quantity score = chosen.shown().score().orElseThrow();
      return score.compareTo(next.shown().score().orElseThrow()) == 0
          ? Decider.NAME
          : Decider.SCORE;
    }
    if (compareByOrder(chosen, next) == 0) {
      return asked.order() == Order.STRATEGY ? Decider.STRATEGY : Decider.NODES;
    }
    if (byShare) {
      return Decider.SCORE;
    }
    return firstDifference(chosen.shown(), next.shown()) >= 0 ? Decider.TERM : Decider.COMPARATOR;
  }

  private static String detail(Decider decider, Candidate chosen, Candidate next) {
    if (decider == Decider.PREFERENCE) {
      int at = 0;
      while (chosen.excess().get(at).equals(next.excess().get(at))) {
        at++;
      }
      return String.valueOf(at + 1);
    }
    return decider == Decider.TERM ? chosen.terms().get(firstDifference(chosen, next)).name() : "";
  }
}
