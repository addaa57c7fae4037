package io.lighthouse.tests.referee;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Names;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.tests.referee.Books.Account;
import io.lighthouse.tests.referee.Books.Entry;
import io.lighthouse.tests.referee.Books.Place;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Where a workload fits if it comes now, and what stands against it elsewhere. It serves one
 * moment: the books must not change while it is in use.
 *
 * @param books the fleet
 * @param workload the workload
 * @param known the reasons against the nodes that were judged before
 */
record Fit(Books books, Workload workload, Map<Entry, List<Reason>> known) {
  Fit(Books books, Workload workload) {
    this(books, workload, new IdentityHashMap<>());
  }

  boolean fits(Entry node) {
    return reasons(node).isEmpty();
  }

  List<Entry> fitting() {
    return books.entries.stream().filter(this::fits).toList();
  }

  /** All that stands against the workload on a node, in its order. */
  List<Reason> reasons(Entry node) {
    return known.computeIfAbsent(node, this::judged);
  }

  private List<Reason> judged(Entry node) {
    List<Reason> reasons = new ArrayList<>(reasonsOfNode(node));
    for (String level : levels(node)) {
      reasons.addAll(reasonsOfLevel(node, level));
    }
    List<Condition> where = workload.terms().where();
    for (int i = 0; i < where.size(); i++) {
      if (!Conditions.hold(where.get(i), node)) {
        reasons.add(new Reason.NotSelected(i));
      }
    }
    List<Reason> own = new ArrayList<>();
    List<RuleJudge> rules = books.rules(workload);
    for (int i = 0; i < rules.size(); i++) {
      if (rules.indexOf(rules.get(i)) == i) { // A rule that is listed twice has one reason.
        rules.get(i).broken(this, node, i).ifPresent(own::add);
      }
    }
    reasons.addAll(own);
    reasons.addAll(boundsOfOthers(node, own));
    return reasons;
  }

  /** What the node itself has against the workload. */
  List<Reason> reasonsOfNode(Entry node) {
    return reasonsOfAccount(node.account, new Place(Rule.NODE, node.name));
  }

  private List<Reason> reasonsOfLevel(Entry node, String level) {
    Optional<String> domain = node.at(level);
    if (domain.isEmpty()) {
      return List.of(new Reason.NoDomain(level, -1));
    }
    List<Reason> reasons =
        reasonsOfAccount(books.accountOf(node, level), new Place(level, domain.get()));
    reasons.replaceAll(reason -> new Reason.At(level, domain.get(), reason));
    return reasons;
  }

  /** The levels above a node that concern the workload: by name, the fleet last. */
  private List<String> levels(Entry node) {
    Set<String> levels = new TreeSet<>(Names.order());
    levels.addAll(node.domains.keySet());
    levels.addAll(workload.terms().shared().keySet());
    levels.remove(Rule.FLEET);
    List<String> inOrder = new ArrayList<>(levels);
    inOrder.add(Rule.FLEET);
    return inOrder;
  }

  /** The cordon of a node or a domain, then its resources by name. */
  private List<Reason> reasonsOfAccount(Account account, Place place) {
    List<Reason> reasons = new ArrayList<>();
    if (account.cordoned) {
      reasons.add(new Reason.Cordoned());
    }
    Set<String> names = new TreeSet<>(Names.order());
    names.addAll(account.capacity.keySet());
    names.addAll(Books.required(workload, place.level()).names());
    List<Workload> there = books.within(place);
    for (String name : names) {
      Amount need = Books.need(workload, place.level(), name);
      if (!account.capacity.containsKey(name)) {
        reasons.add(new Reason.Missing(name, need.toQuantity()));
      } else if (!workload.immunities().contains(name)) {
        Unit unit = account.units.get(name);
        if (unit != null && !obeys(unit, need)) {
          reasons.add(new Reason.OffUnit(name, need.toQuantity(), unit));
        }
        Amount left = Books.left(account, place.level(), name, there);
        if (left.minus(need).signum() < 0) {
          reasons.add(tooLittle(name, left, need));
        }
      }
    }
    return reasons;
  }

  private static Reason tooLittle(String name, Amount left, Amount need) {
    Amount lacking = need.minus(left);
    return left.signum() < 0
        ? new Reason.Negative(name, left.toQuantity(), need.toQuantity(), lacking.toQuantity())
        : new Reason.Insufficient(name, left.toQuantity(), need.toQuantity(), lacking.toQuantity());
  }

  private static boolean obeys(Unit unit, Amount need) {
    if (need.signum() <= 0) {
      return true;
    }
    BigDecimal step = unit.step().toBigDecimal();
    return need.toQuantity().compareTo(unit.min()) >= 0
        && need.toQuantity().compareTo(unit.max()) <= 0
        && (step.signum() == 0 || need.finite().remainder(step).signum() == 0);
  }

  boolean isSelected(Entry node) {
    return Conditions.allHold(workload.terms().where(), node);
  }

  /** Whether there is no reason against the node that placements and releases can never change. */
  boolean isPossible(Entry node) {
    List<Reason> reasons = reasonsOfNode(node);
    levels(node).forEach(level -> reasons.addAll(reasonsOfLevel(node, level)));
    return isSelected(node)
        && reasons.stream().noneMatch(reason -> isLasting(reason.kind()))
        && books.rules(workload).stream().allMatch(rule -> rule.hasDomain(node));
  }

  /** Whether no placement and no release can take away a reason of a kind. */
  static boolean isLasting(Reason.Kind kind) {
    return switch (kind) {
      case CORDONED, MISSING, WARD, NO_DOMAIN, UNIT, NOT_SELECTED -> true;
      case SHORT, SHORTCOMING, CROWDED, ALONE, SKEWED, RULE, DECLINED, AVERSE, WORSE, LATER ->
          false;
    };
  }

  /**
   * Bounds that placed workloads hold: for each group and level the strictest. Of equally strict
   * ones the first name counts. None where an own broken bound of that group and level is as
   * strict.
   */
  private List<Reason> boundsOfOthers(Entry node, List<Reason> own) {
    Comparator<Reason.Crowded> place =
        Comparator.comparing(Reason.Crowded::group, Names.order())
            .thenComparing(Reason.Crowded::at, Names.order());
    List<Reason.Crowded> all = new ArrayList<>();
    for (Entry other : books.entries) {
      for (Workload holder : other.placed) {
        for (RuleJudge rule : books.rules(holder)) {
          rule.bound(holder)
              .flatMap(most -> most.heldBy(holder, other, this, node))
              .ifPresent(all::add);
        }
      }
    }
    all.sort(
        place
            .thenComparing(Reason.Crowded::most)
            .thenComparing(one -> one.by().orElseThrow(), Names.order()));
    Map<List<String>, Reason> strictest = new LinkedHashMap<>();
    for (Reason.Crowded crowded : all) {
      strictest.putIfAbsent(List.of(crowded.group(), crowded.at()), crowded);
    }
    for (Reason reason : own) {
      if (reason.kind() == Reason.Kind.CROWDED) {
        Reason.Crowded mine = (Reason.Crowded) reason;
        strictest.computeIfPresent(
            List.of(mine.group(), mine.at()),
            (same, other) -> mine.most() <= ((Reason.Crowded) other).most() ? null : other);
      }
    }
    return List.copyOf(strictest.values());
  }

  // ---- candidates ----

  /** The aversion groups that other workloads on a node share with this one. */
  Set<String> sharedGroups(Entry node) {
    Set<String> shared = new TreeSet<>(Names.order());
    for (Workload other : node.placed) {
      if (!other.name().equals(workload.name())) {
        shared.addAll(other.aversionGroups());
      }
    }
    shared.retainAll(workload.aversionGroups());
    return shared;
  }

  /**
   * Of the nodes that fit the friendly ones, of these the best by each preference. Why another one
   * that fits is passed over is put into the map.
   */
  List<Entry> candidates(Predicate<Entry> among, Map<Entry, Reason> passedOver) {
    List<Entry> candidates = new ArrayList<>(fitting());
    candidates.removeIf(among.negate());
    if (candidates.stream().anyMatch(node -> sharedGroups(node).isEmpty())) {
      for (Entry node : List.copyOf(candidates)) {
        if (!sharedGroups(node).isEmpty()) {
          candidates.remove(node);
          passedOver.put(node, new Reason.Averse(sharedGroups(node)));
        }
      }
    }
    List<Rule> preferences = workload.terms().preferences();
    for (int i = 0; i < preferences.size(); i++) {
      RuleJudge preference = RuleJudge.of(preferences.get(i));
      Map<Entry, Long> excesses = new LinkedHashMap<>();
      candidates.forEach(node -> excesses.put(node, preference.excess(this, node)));
      long least = excesses.values().stream().min(Comparator.naturalOrder()).orElse(0L);
      int index = i;
      excesses.forEach(
          (node, excess) -> {
            if (excess > least) {
              candidates.remove(node);
              passedOver.put(node, new Reason.Worse(index, excess, least));
            }
          });
    }
    return candidates;
  }
}
