package io.lighthouse.core.question;

import io.lighthouse.api.Change;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Names;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.error.InvalidInputException;
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
 * Remedies for the reasons against a workload on one node: opening, tolerating, tagging, cutting,
 * growing. There is none where a reason can only be taken away by other placements.
 */
final class NodeRepair {
  /** Digits of the part of a requirement that is cut. */
  private static final int DIGITS = 9;

  /** If all reasons are of one of these kinds, its remedy equals the combined one. */
  private static final List<Remedies.Kind> ALONE =
      List.of(
          Remedies.Kind.UNCORDON, Remedies.Kind.TOLERATE, Remedies.Kind.TAG, Remedies.Kind.GROW);

  private final Distributor fleet;
  private final Workload workload;
  private final NodeVerdict verdict;
  private final Obstacles obstacles;

  NodeRepair(Distributor fleet, Workload workload, NodeVerdict verdict) {
    this.fleet = fleet;
    this.workload = workload;
    this.verdict = verdict;
    obstacles = new Obstacles(verdict);
  }

  /** How many conditions are broken, less those that may hold once others do. */
  private int conditions() {
    return verdict.reasons().size() - obstacles.skewed;
  }

  private int grown() {
    int grown = obstacles.lacking.size() + obstacles.missing.size();
    return grown + obstacles.inDomains.values().stream().mapToInt(Map::size).sum();
  }

  /** The remedy of a kind; nothing where that kind alone is not enough here. */
  Optional<RatedRemedy> of(Remedies.Kind kind) {
    if (!isEnough(kind)) {
      return Optional.empty();
    }
    Remedies.Remedy remedy =
        switch (kind) {
          case UNCORDON -> remedy(kind, workload, obstacles.closed, obstacles.closed.size());
          case TOLERATE -> remedy(kind, immune(), List.of(), obstacles.negative.size());
          case TAG ->
              remedy(kind, workload, List.of(resized(obstacles.tags)), obstacles.tags.size());
          case CUT -> remedy(kind, cut(), List.of(), part());
          case GROW -> remedy(kind, workload, growth(Set.of(), Map.of()), grown());
          default -> combined();
        };
    return Optional.of(new RatedRemedy(remedy, share()));
  }

  /**
   * Whether changes of a kind take all reasons away. Combined ones are of several kinds: a remedy
   * of one kind would be tried twice.
   */
  private boolean isEnough(Remedies.Kind kind) {
    boolean nothingElse = !obstacles.others && !verdict.fits();
    return switch (kind) {
      case UNCORDON -> nothingElse && obstacles.closed.size() == conditions();
      case TOLERATE ->
          !obstacles.negative.isEmpty() && verdict.reasons().stream().allMatch(this::isTolerated);
      case TAG -> nothingElse && obstacles.tags.size() == conditions();
      case CUT -> nothingElse && !obstacles.left.isEmpty() && obstacles.left.size() == conditions();
      case GROW -> nothingElse && !obstacles.wards && grown() > 0 && grown() == conditions();
      case COMBINED -> nothingElse && ALONE.stream().noneMatch(this::isEnough);
      default -> false;
    };
  }

  /** Whether the workload fits beside a reason once it is immune to all that is below 0. */
  private boolean isTolerated(Reason reason) {
    return reason instanceof Reason.Skewed skew
        ? obstacles.skewed > 0 && skew.floor() == 0
        : reason.kind() != Reason.Kind.MISSING
            && reason.resource().filter(obstacles.negative::contains).isPresent();
  }

  /** Whether a remedy may fail for a rule of skew: a larger one of its kind would fail, too. */
  boolean mayBeSkewed() {
    return obstacles.skewed > 0;
  }

  private Remedies.Remedy combined() {
    List<Change> changes = new ArrayList<>(obstacles.closed);
    changes.addAll(growth(obstacles.wards ? obstacles.negative : Set.of(), obstacles.tags));
    Workload tolerant = obstacles.wards ? immune() : workload;
    return remedy(Remedies.Kind.COMBINED, tolerant, changes, conditions());
  }

  private Remedies.Remedy remedy(
      Remedies.Kind kind, Workload as, List<Change> changes, int conditions) {
    return remedy(kind, as, changes, Quantity.of(conditions));
  }

  private Remedies.Remedy remedy(
      Remedies.Kind kind, Workload as, List<Change> changes, Quantity cost) {
    return new Remedies.Remedy(kind, verdict.node(), as, changes, cost, true);
  }

  private Workload immune() {
    Set<String> immune = new HashSet<>(workload.immunities());
    immune.addAll(obstacles.negative);
    return workload.withImmunities(immune.toArray(new String[0]));
  }

  private Workload cut() {
    Map<String, Quantity> needs = new LinkedHashMap<>(workload.requirements().asMap());
    needs.putAll(obstacles.left);
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
    for (Map.Entry<String, Quantity> small : obstacles.left.entrySet()) {
      BigDecimal need = workload.requirements().get(small.getKey()).orElseThrow().toBigDecimal();
      BigDecimal part =
          need.subtract(small.getValue().toBigDecimal()).divide(need, DIGITS, RoundingMode.CEILING);
      largest = largest.max(part);
    }
    return Quantity.of(largest);
  }

  private Change resized(Map<String, Quantity> more) {
    Resources capacity = fleet.node(verdict.node()).capacity();
    return new Change.Resize(verdict.node(), plus(capacity, more));
  }

  /**
   * Growth of the node and of its domains.
   *
   * @param tolerated resources that the workload becomes immune to, which need not grow
   * @param tags resources that the node has to have besides
   */
  private List<Change> growth(Set<String> tolerated, Map<String, Quantity> tags) {
    Map<String, Quantity> more = without(tolerated, obstacles.lacking);
    more.putAll(obstacles.missing);
    more.putAll(tags);
    List<Change> changes = new ArrayList<>();
    if (!more.isEmpty()) {
      changes.add(resized(more));
    }
    obstacles.inDomains.forEach(
        (domain, lacking) -> {
          Map<String, Quantity> amounts = without(tolerated, lacking);
          if (!amounts.isEmpty()) {
            changes.add(grown(domain.get(0), domain.get(1), amounts));
          }
        });
    return changes;
  }

  private static Map<String, Quantity> without(
      Set<String> tolerated, Map<String, Quantity> amounts) {
    Map<String, Quantity> others = new TreeMap<>(amounts);
    others.keySet().removeAll(tolerated);
    return others;
  }

  private Change grown(String level, String domain, Map<String, Quantity> more) {
    DomainState state;
    try {
      state = fleet.domain(level, domain);
    } catch (InvalidInputException undeclared) {
      return new Change.Declare(Domain.of(level, domain, Resources.of(more)));
    }
    return new Change.ResizeDomain(level, domain, plus(state.capacity(), more));
  }

  /**
   * Whether a remedy of a kind may take away a reason here, and is not tried: a unit, what a domain
   * is short of, or a condition about an amount.
   */
  boolean isUntried(Remedies.Kind kind) {
    return switch (kind) {
      case CUT -> obstacles.offUnit || obstacles.shortInDomain;
      case TAG, GROW, COMBINED -> obstacles.notSelected.stream().anyMatch(this::isAboutAmounts);
      default -> false;
    };
  }

  private boolean isAboutAmounts(int condition) {
    Condition where = workload.terms().where().get(condition);
    return where instanceof Condition.Has || where instanceof Condition.Any;
  }

  /**
   * How much more there is of each resource after a remedy that tags or grows. The name of a
   * resource of a domain is followed by {@code @} and the level.
   */
  Map<String, Quantity> more(Remedies.Kind kind) {
    Map<String, Quantity> more = new TreeMap<>(Names.order());
    if (kind == Remedies.Kind.TAG) {
      more.putAll(obstacles.tags);
      return more;
    }
    more.putAll(obstacles.lacking);
    more.putAll(obstacles.missing);
    obstacles.inDomains.forEach(
        (domain, amounts) ->
            amounts.forEach((name, amount) -> more.put(name + "@" + domain.get(0), amount)));
    return more;
  }

  private static Resources plus(Resources capacity, Map<String, Quantity> more) {
    Map<String, Quantity> amounts = new LinkedHashMap<>(capacity.asMap());
    more.forEach((name, amount) -> amounts.merge(name, amount, Quantity::plus));
    return Resources.of(amounts);
  }

  /**
   * The largest part of a requirement that is lacking here, to order remedies of equal cost: 1
   * where it is not there at all, or nothing is required of it.
   */
  private BigDecimal share() {
    BigDecimal largest =
        obstacles.missing.isEmpty() && obstacles.tags.isEmpty() && obstacles.inDomains.isEmpty()
            ? BigDecimal.ZERO
            : BigDecimal.ONE;
    for (Map.Entry<String, Quantity> one : obstacles.lacking.entrySet()) {
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

  /** The only reason, if no remedy takes it away. */
  Optional<Reason> awaited() {
    return verdict.reasons().size() == 1 && obstacles.others
        ? Optional.of(verdict.reasons().get(0))
        : Optional.empty();
  }
}
