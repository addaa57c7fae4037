package io.lighthouse.core.answer;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Names;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What would take away everything that stands against a workload on one node, but for others that
 * are placed: opening, tolerating, tagging, cutting, growing. Nothing where a reason is of another
 * sort.
 */
final class NodeRepair {
  /** Digits of the part of a requirement that is cut. */
  private static final int DIGITS = 9;

  private final Distributor fleet;
  private final Workload workload;
  private final NodeVerdict verdict;

  /** Conditions by what takes them away. */
  private final List<Change> opened = new ArrayList<>();

  private final Set<String> negative = new HashSet<>();
  private final Map<String, Quantity> tags = new TreeMap<>(Names.order());
  private final Map<String, Quantity> missing = new TreeMap<>(Names.order());

  /** By resource of the node: how much more it takes. */
  private final Map<String, Quantity> lacking = new TreeMap<>(Names.order());

  /** By resource of the node that is short: what is left. */
  private final Map<String, Quantity> left = new TreeMap<>(Names.order());

  /** By level and domain: how much more it takes there. */
  private final Map<List<String>, Map<String, Quantity>> inDomains = new LinkedHashMap<>();

  private boolean wards;
  private boolean others;

  NodeRepair(Distributor fleet, Workload workload, NodeVerdict verdict) {
    this.fleet = fleet;
    this.workload = workload;
    this.verdict = verdict;
    verdict.reasons().forEach(this::sort);
  }

  private void sort(Reason reason) {
    if (reason instanceof Reason.Cordoned) {
      opened.add(new Change.Uncordon(verdict.node()));
    } else if (reason instanceof Reason.Missing gone) {
      (gone.required().signum() == 0 ? tags : missing).put(gone.name(), gone.required());
    } else if (reason instanceof Reason.Insufficient small) {
      lacking.put(small.name(), small.lacking());
      left.put(small.name(), small.left());
    } else if (reason instanceof Reason.Negative below) {
      negative.add(below.name());
      wards |= below.left().isInfinite();
      if (!below.left().isInfinite()) {
        lacking.put(below.name(), below.lacking());
      }
    } else if (reason instanceof Reason.At at) {
      inDomain(at);
    } else {
      others = true;
    }
  }

  private void inDomain(Reason.At at) {
    Map<String, Quantity> there =
        inDomains.computeIfAbsent(
            List.of(at.at(), at.domain()), domain -> new TreeMap<>(Names.order()));
    if (at.reason() instanceof Reason.Cordoned) {
      opened.add(new Change.CordonDomain(at.at(), at.domain(), false));
    } else if (at.reason() instanceof Reason.Insufficient small) {
      there.put(small.name(), small.lacking());
    } else if (at.reason() instanceof Reason.Negative below) {
      negative.add(below.name());
      wards |= below.left().isInfinite();
      if (!below.left().isInfinite()) {
        there.put(below.name(), below.lacking());
      }
    } else if (at.reason() instanceof Reason.Missing gone) {
      there.put(gone.name(), gone.required());
    } else {
      others = true;
    }
    if (there.isEmpty()) {
      inDomains.remove(List.of(at.at(), at.domain()));
    }
  }

  /** How many conditions are broken. */
  private int conditions() {
    return verdict.reasons().size();
  }

  private int grown() {
    int grown = lacking.size() + missing.size();
    return grown + inDomains.values().stream().mapToInt(Map::size).sum();
  }

  /** The remedy of a kind; nothing where that kind alone is not enough here. */
  Optional<Remedies.Remedy> of(Remedies.Kind kind) {
    boolean nothingElse = !others && !verdict.fits();
    return switch (kind) {
      case UNCORDON ->
          nothingElse && opened.size() == conditions()
              ? remedy(kind, workload, opened, Quantity.of(opened.size()))
              : Optional.empty();
      case TOLERATE ->
          nothingElse && !negative.isEmpty() && negativeReasons() == conditions()
              ? remedy(kind, immune(), List.of(), Quantity.of(negative.size()))
              : Optional.empty();
      case TAG ->
          nothingElse && tags.size() == conditions()
              ? remedy(kind, workload, List.of(resized(tags)), Quantity.of(tags.size()))
              : Optional.empty();
      case CUT ->
          nothingElse && !left.isEmpty() && left.size() == conditions()
              ? remedy(kind, cut(), List.of(), part())
              : Optional.empty();
      case GROW ->
          nothingElse && !wards && grown() > 0 && grown() == conditions()
              ? remedy(kind, workload, growth(), Quantity.of(grown()))
              : Optional.empty();
      case COMBINED -> nothingElse ? combined() : Optional.empty();
      default -> Optional.empty();
    };
  }

  private long negativeReasons() {
    return verdict.reasons().stream()
        .map(reason -> reason instanceof Reason.At at ? at.reason() : reason)
        .filter(Reason.Negative.class::isInstance)
        .count();
  }

  private Optional<Remedies.Remedy> combined() {
    Workload tolerant = wards ? immune() : workload;
    List<Change> changes = new ArrayList<>(opened);
    if (wards) {
      lacking.keySet().removeAll(negative);
      inDomains.values().forEach(domain -> domain.keySet().removeAll(negative));
      inDomains.values().removeIf(Map::isEmpty);
    }
    missing.putAll(tags);
    changes.addAll(growth());
    return remedy(Remedies.Kind.COMBINED, tolerant, changes, Quantity.of(conditions()));
  }

  private Optional<Remedies.Remedy> remedy(
      Remedies.Kind kind, Workload as, List<Change> changes, Quantity cost) {
    return Optional.of(new Remedies.Remedy(kind, verdict.node(), as, changes, cost, true));
  }

  private Workload immune() {
    Set<String> immune = new HashSet<>(workload.immunities());
    immune.addAll(negative);
    return workload.withImmunities(immune.toArray(new String[0]));
  }

  private Workload cut() {
    Map<String, Quantity> needs = new TreeMap<>(Names.order());
    for (int i = 0; i < workload.requirements().size(); i++) {
      String name = workload.requirements().name(i);
      Quantity need = workload.requirements().quantity(i);
      needs.put(name, left.getOrDefault(name, need));
    }
    return new Workload(
        workload.name(),
        Resources.of(needs),
        workload.immunities(),
        workload.aversionGroups(),
        workload.terms());
  }

  /** The largest part of a requirement that is cut, rounded up. */
  private Quantity part() {
    BigDecimal largest = BigDecimal.ZERO;
    for (Map.Entry<String, Quantity> small : left.entrySet()) {
      BigDecimal need = workload.requirements().get(small.getKey()).orElseThrow().toBigDecimal();
      BigDecimal part =
          need.subtract(small.getValue().toBigDecimal()).divide(need, DIGITS, RoundingMode.CEILING);
      largest = largest.max(part);
    }
    return Quantity.of(largest);
  }

  private Change resized(Map<String, Quantity> more) {
    Resources capacity = fleet.node(verdict.node()).capacity();
    return new Change.Resize(verdict.node(), more(capacity, more));
  }

  private List<Change> growth() {
    Map<String, Quantity> more = new TreeMap<>(lacking);
    more.putAll(missing);
    List<Change> changes = new ArrayList<>();
    if (!more.isEmpty()) {
      changes.add(resized(more));
    }
    inDomains.forEach(
        (domain, amounts) -> {
          Resources capacity = fleet.domain(domain.get(0), domain.get(1)).capacity();
          changes.add(
              new Change.ResizeDomain(domain.get(0), domain.get(1), more(capacity, amounts)));
        });
    return changes;
  }

  private static Resources more(Resources capacity, Map<String, Quantity> more) {
    Map<String, Quantity> amounts = new TreeMap<>(Names.order());
    for (int i = 0; i < capacity.size(); i++) {
      amounts.put(capacity.name(i), capacity.quantity(i));
    }
    more.forEach((name, amount) -> amounts.merge(name, amount, Quantity::plus));
    return Resources.of(amounts);
  }

  /**
   * The largest part of a requirement that is lacking here, to tell remedies of equal cost apart: 1
   * where it is not there at all, or nothing is required of it.
   */
  BigDecimal share() {
    BigDecimal largest =
        missing.isEmpty() && tags.isEmpty() && inDomains.isEmpty()
            ? BigDecimal.ZERO
            : BigDecimal.ONE;
    for (Map.Entry<String, Quantity> one : lacking.entrySet()) {
      Quantity need = workload.requirements().get(one.getKey()).orElse(Quantity.ZERO);
      BigDecimal part =
          need.signum() <= 0
              ? BigDecimal.ONE
              : one.getValue()
                  .toBigDecimal()
                  .divide(need.toBigDecimal(), DIGITS, RoundingMode.CEILING);
      largest = largest.max(part);
    }
    return largest;
  }

  /** What alone stands here and nothing above takes away; nothing where there is more than that. */
  Optional<Reason> awaited() {
    return conditions() == 1 && others ? Optional.of(verdict.reasons().get(0)) : Optional.empty();
  }
}
