package io.lighthouse.tests.referee;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Unit;
import io.lighthouse.api.Workload;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The books of a fleet with domains and rules: what there is, and who is where. What is left and
 * who belongs to what is added up at every question, straight from the second part of the
 * semantics.
 */
final class ClusterBooks {
  /** What a node or a declared domain has, and whether it is closed. */
  static final class Ground {
    final Map<String, Amount> capacity = new HashMap<>();
    final Map<String, Unit> units;
    boolean closed;

    Ground(Resources resources, Map<String, Unit> units, boolean closed) {
      resources.asMap().forEach((name, given) -> capacity.put(name, Amount.offered(given)));
      this.units = new HashMap<>(units);
      this.closed = closed;
    }

    void resize(Resources to) {
      capacity.clear();
      to.asMap().forEach((name, given) -> capacity.put(name, Amount.offered(given)));
      units.keySet().retainAll(capacity.keySet());
    }
  }

  /** A node: where it stands, and who is on it, in the order in which they came. */
  static final class Berth {
    final String name;
    final Ground ground;
    final Map<String, String> domains;
    final List<Workload> placed = new ArrayList<>();

    Berth(Node node) {
      name = node.name();
      ground = new Ground(node.resources(), node.units(), node.cordoned());
      domains = node.domains();
      placed.addAll(node.workloads());
    }

    /** Its domain at a level; nothing where it stands nowhere. */
    Optional<String> at(String level) {
      return level.equals(Rule.NODE)
          ? Optional.of(name)
          : level.equals(Rule.FLEET) ? Optional.of(level) : Optional.ofNullable(domains.get(level));
    }
  }

  /** A domain as a key. */
  record Spot(String level, String domain) {}

  static final Ground NOTHING = new Ground(Resources.none(), Map.of(), false);

  final Map<String, Berth> berths = new LinkedHashMap<>();
  final Map<Spot, Ground> declared = new HashMap<>();
  private final List<Rule> top;

  /** The books of a new fleet: what is given of a node or domain is left beside who is there. */
  ClusterBooks(List<Node> nodes, List<Domain> domains, List<Rule> top) {
    this.top = top;
    domains.forEach(this::declare);
    for (Node node : nodes) {
      Berth berth = open(node);
      for (Workload workload : berth.placed) {
        workload.terms().shared().forEach((level, shared) -> include(ground(berth, level), shared));
      }
    }
  }

  private static void include(Ground ground, Resources more) {
    more.asMap()
        .forEach((name, need) -> ground.capacity.merge(name, Amount.required(need), Amount::plus));
  }

  /** Opens the account of a node; what its workloads take of domains comes off what there is. */
  Berth open(Node node) {
    Berth berth = new Berth(node);
    node.workloads().forEach(workload -> include(berth.ground, workload.requirements()));
    berths.put(berth.name, berth);
    return berth;
  }

  void declare(Domain domain) {
    declared.put(
        new Spot(domain.level(), domain.name()),
        new Ground(domain.resources(), domain.units(), domain.cordoned()));
  }

  Berth berthOf(String workload) {
    return berths.values().stream()
        .filter(berth -> berth.placed.stream().anyMatch(one -> one.name().equals(workload)))
        .findFirst()
        .orElse(null);
  }

  /** Takes a placed workload from its node; answers it. */
  Workload remove(String workload) {
    Berth berth = berthOf(workload);
    for (Workload placed : berth.placed) {
      if (placed.name().equals(workload)) {
        berth.placed.remove(placed);
        return placed;
      }
    }
    throw new IllegalArgumentException(workload);
  }

  // ---- accounts ----

  /** What a workload requires at a level. */
  static Resources required(Workload workload, String level) {
    return level.equals(Rule.NODE)
        ? workload.requirements()
        : workload.terms().shared().getOrDefault(level, Resources.none());
  }

  Ground ground(Berth berth, String level) {
    return level.equals(Rule.NODE)
        ? berth.ground
        : declared.getOrDefault(new Spot(level, berth.at(level).orElseThrow()), NOTHING);
  }

  /** Those who stand in a domain. */
  List<Workload> within(Spot spot) {
    List<Workload> within = new ArrayList<>();
    for (Berth berth : berths.values()) {
      if (berth.at(spot.level()).equals(Optional.of(spot.domain()))) {
        within.addAll(berth.placed);
      }
    }
    return within;
  }

  Amount left(Ground ground, Spot spot, String resource) {
    Amount left = ground.capacity.get(resource);
    for (Workload workload : within(spot)) {
      left = left.minus(need(workload, spot.level(), resource));
    }
    return left;
  }

  static Amount need(Workload workload, String level, String resource) {
    return required(workload, level).get(resource).map(Amount::required).orElse(Amount.ZERO);
  }

  Resources leftOfAll(Ground ground, Spot spot) {
    Map<String, Object> left = new TreeMap<>();
    ground.capacity.keySet().forEach(one -> left.put(one, left(ground, spot, one).toQuantity()));
    return Resources.of(left);
  }

  static Resources capacityOfAll(Ground ground) {
    Map<String, Object> all = new TreeMap<>();
    ground.capacity.forEach((one, amount) -> all.put(one, amount.toQuantity()));
    return Resources.of(all);
  }

  // ---- members and rules ----

  static boolean belongs(Workload workload, String group) {
    return workload.aversionGroups().contains(group) || workload.terms().groups().contains(group);
  }

  int members(String group, Spot spot) {
    return (int) within(spot).stream().filter(workload -> belongs(workload, group)).count();
  }

  /** The hard rules of a workload: its own, then those at the top that are its own as it were. */
  List<Rule> rules(Workload workload) {
    List<Rule> rules = new ArrayList<>(workload.terms().rules());
    top.stream()
        .filter(rule -> group(rule).isEmpty() || belongs(workload, group(rule).get()))
        .forEach(rules::add);
    return rules;
  }

  private static Optional<String> group(Rule rule) {
    return rule instanceof Rule.Most most
        ? Optional.of(most.group())
        : rule instanceof Rule.Least least
            ? Optional.of(least.group())
            : rule instanceof Rule.Skew skew ? Optional.of(skew.group()) : Optional.empty();
  }

  // ---- what stands against a newcomer ----

  /** Section 8: all that stands against a newcomer on a node, in its order. */
  List<Reason> against(Workload workload, Berth berth) {
    List<Reason> reasons = new ArrayList<>();
    if (berth.ground.closed) {
      reasons.add(new Reason.Cordoned());
    }
    reasons.addAll(account(workload, berth.ground, new Spot(Rule.NODE, berth.name)));
    for (String level : levels(workload, berth)) {
      Optional<String> domain = berth.at(level);
      if (domain.isEmpty()) {
        reasons.add(new Reason.NoDomain(level, -1));
        continue;
      }
      Ground ground = ground(berth, level);
      List<Reason> there = new ArrayList<>();
      if (ground.closed) {
        there.add(new Reason.Cordoned());
      }
      there.addAll(account(workload, ground, new Spot(level, domain.get())));
      there.forEach(reason -> reasons.add(new Reason.At(level, domain.get(), reason)));
    }
    List<Condition> where = workload.terms().where();
    for (int i = 0; i < where.size(); i++) {
      if (!holds(where.get(i), berth)) {
        reasons.add(new Reason.NotSelected(i));
      }
    }
    List<Rule> rules = rules(workload);
    List<Reason.Crowded> own = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      Optional<Reason> broken = broken(rules.get(i), i, workload, berth);
      broken.ifPresent(reasons::add);
      broken.ifPresent(
          reason -> {
            if (reason instanceof Reason.Crowded crowded) {
              own.add(crowded);
            }
          });
    }
    reasons.addAll(heldByOthers(workload, berth, own));
    return reasons;
  }

  boolean fits(Workload workload, Berth berth) {
    return against(workload, berth).isEmpty();
  }

  private static List<String> levels(Workload workload, Berth berth) {
    TreeSet<String> levels = new TreeSet<>(Names.order());
    levels.addAll(berth.domains.keySet());
    levels.addAll(workload.terms().shared().keySet());
    levels.remove(Rule.FLEET);
    List<String> inOrder = new ArrayList<>(levels);
    inOrder.add(Rule.FLEET);
    return inOrder;
  }

  private List<Reason> account(Workload workload, Ground ground, Spot spot) {
    List<Reason> reasons = new ArrayList<>();
    TreeSet<String> names = new TreeSet<>(Names.order());
    names.addAll(ground.capacity.keySet());
    names.addAll(required(workload, spot.level()).names());
    for (String name : names) {
      Amount need = need(workload, spot.level(), name);
      if (!ground.capacity.containsKey(name)) {
        reasons.add(new Reason.Missing(name, need.toQuantity()));
        continue;
      }
      if (workload.immunities().contains(name)) {
        continue;
      }
      Unit unit = ground.units.get(name);
      if (unit != null && !obeys(unit, need)) {
        reasons.add(new Reason.OffUnit(name, need.toQuantity(), unit));
      }
      Amount left = left(ground, spot, name);
      if (left.minus(need).signum() < 0) {
        Amount lacking = need.minus(left);
        reasons.add(
            left.signum() < 0
                ? new Reason.Negative(
                    name, left.toQuantity(), need.toQuantity(), lacking.toQuantity())
                : new Reason.Insufficient(
                    name, left.toQuantity(), need.toQuantity(), lacking.toQuantity()));
      }
    }
    return reasons;
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

  private static boolean holds(Condition condition, Berth berth) {
    if (condition instanceof Condition.Any any) {
      return any.lists().stream().anyMatch(list -> allHold(list, berth));
    }
    if (condition instanceof Condition.Has has) {
      Amount capacity = berth.ground.capacity.get(has.resource());
      return capacity != null
          && capacity.toQuantity().compareTo(has.least()) >= 0
          && capacity.toQuantity().compareTo(has.most()) <= 0;
    }
    if (condition instanceof Condition.Lacks lacks) {
      return !berth.ground.capacity.containsKey(lacks.resource());
    }
    if (condition instanceof Condition.In in) {
      return berth.at(in.level()).filter(in.names()::contains).isPresent();
    }
    if (condition instanceof Condition.NotIn not) {
      return berth.at(not.level()).filter(not.names()::contains).isEmpty();
    }
    return condition instanceof Condition.Somewhere somewhere
        ? berth.at(somewhere.level()).isPresent()
        : berth.at(((Condition.Nowhere) condition).level()).isEmpty();
  }

  static boolean allHold(List<Condition> conditions, Berth berth) {
    return conditions.stream().allMatch(condition -> holds(condition, berth));
  }

  private Optional<Reason> broken(Rule rule, int index, Workload workload, Berth berth) {
    if (rule instanceof Rule.Most most) {
      if (berth.at(most.level()).isEmpty()) {
        return Optional.empty();
      }
      Spot spot = new Spot(most.level(), berth.at(most.level()).get());
      int excess = (int) excess(rule, workload, berth);
      return excess == 0
          ? Optional.empty()
          : Optional.of(
              new Reason.Crowded(
                  most.group(),
                  spot.level(),
                  spot.domain(),
                  members(most.group(), spot),
                  most.most(),
                  excess,
                  index,
                  Optional.empty()));
    }
    if (!(rule instanceof Rule.Least) && !(rule instanceof Rule.Skew)) {
      return Optional.empty();
    }
    String level = rule instanceof Rule.Least least ? least.level() : ((Rule.Skew) rule).level();
    if (berth.at(level).isEmpty()) {
      return Optional.of(new Reason.NoDomain(level, index));
    }
    Spot spot = new Spot(level, berth.at(level).get());
    int excess = (int) excess(rule, workload, berth);
    if (excess == 0) {
      return Optional.empty();
    }
    if (rule instanceof Rule.Least least) {
      int members = members(least.group(), spot);
      return Optional.of(
          new Reason.Alone(
              least.group(), level, spot.domain(), members, members + excess, excess, index));
    }
    Rule.Skew skew = (Rule.Skew) rule;
    return Optional.of(
        new Reason.Skewed(
            skew.group(),
            level,
            spot.domain(),
            members(skew.group(), spot),
            floor(skew, workload),
            skew.skew(),
            excess,
            index));
  }

  /** Section 4: how far a rule is from being kept; the largest number stands for unbounded. */
  long excess(Rule rule, Workload workload, Berth berth) {
    if (rule instanceof Rule.Where where) {
      return allHold(where.conditions(), berth) ? 0 : 1;
    }
    String level =
        rule instanceof Rule.Most most
            ? most.level()
            : rule instanceof Rule.Least least ? least.level() : ((Rule.Skew) rule).level();
    if (berth.at(level).isEmpty()) {
      return rule instanceof Rule.Most ? 0 : Long.MAX_VALUE;
    }
    Spot spot = new Spot(level, berth.at(level).get());
    String group = group(rule).orElseThrow();
    int own = belongs(workload, group) ? 1 : 0;
    int members = members(group, spot);
    if (rule instanceof Rule.Least least) {
      int all = members(group, new Spot(Rule.FLEET, Rule.FLEET));
      return Math.max(0, (own == 1 ? Math.min(least.least(), all) : least.least()) - members);
    }
    return rule instanceof Rule.Most most
        ? Math.max(0, members + own - most.most())
        : Math.max(
            0, members + own - floor((Rule.Skew) rule, workload) - ((Rule.Skew) rule).skew());
  }

  private int floor(Rule.Skew skew, Workload workload) {
    Set<String> selected = new LinkedHashSet<>();
    int floor = Integer.MAX_VALUE;
    for (Berth berth : berths.values()) {
      Optional<String> domain = berth.at(skew.level());
      if (domain.isPresent() && allHold(workload.terms().where(), berth)) {
        selected.add(domain.get());
        if (possible(workload, berth)) {
          floor = Math.min(floor, members(skew.group(), new Spot(skew.level(), domain.get())));
        }
      }
    }
    return selected.size() < skew.minDomains() || floor == Integer.MAX_VALUE ? 0 : floor;
  }

  /** Section 3: nothing that no placement and no release can change speaks against it. */
  boolean possible(Workload workload, Berth berth) {
    List<String> levels = levels(workload, berth);
    levels.add(0, Rule.NODE);
    for (String level : levels) {
      if (berth.at(level).isEmpty()) {
        return false;
      }
      Ground ground = ground(berth, level);
      boolean barred =
          account(workload, ground, new Spot(level, berth.at(level).get())).stream()
              .map(Reason::kind)
              .anyMatch(
                  kind ->
                      kind == Reason.Kind.MISSING
                          || kind == Reason.Kind.UNIT
                          || kind == Reason.Kind.WARD);
      if (ground.closed || barred) {
        return false;
      }
    }
    return allHold(workload.terms().where(), berth)
        && rules(workload).stream().allMatch(rule -> standsFor(rule, berth));
  }

  /** Whether a node stands at the level that a hard rule asks for. */
  private static boolean standsFor(Rule rule, Berth berth) {
    String level =
        rule instanceof Rule.Least least
            ? least.level()
            : rule instanceof Rule.Skew skew ? skew.level() : Rule.FLEET;
    return berth.at(level).isPresent();
  }

  /** Bounds held by those placed: by group and level the strictest, unless an own is as strict. */
  private List<Reason> heldByOthers(Workload workload, Berth berth, List<Reason.Crowded> own) {
    Comparator<Reason.Crowded> place =
        Comparator.comparing(Reason.Crowded::group, Names.order())
            .thenComparing(Reason.Crowded::at, Names.order());
    Comparator<Reason.Crowded> strictness =
        place
            .thenComparing(Reason.Crowded::most)
            .thenComparing(one -> one.by().orElseThrow(), Names.order());
    TreeSet<Reason.Crowded> all = new TreeSet<>(strictness);
    for (Berth other : berths.values()) {
      for (Workload holder : other.placed) {
        for (Rule rule : rules(holder)) {
          if (rule instanceof Rule.Most most
              && belongs(workload, most.group())
              && berth.at(most.level()).isPresent()
              && berth.at(most.level()).equals(other.at(most.level()))) {
            Spot spot = new Spot(most.level(), berth.at(most.level()).get());
            int members = members(most.group(), spot);
            if (members + 1 > most.most()) {
              all.add(
                  new Reason.Crowded(
                      most.group(),
                      spot.level(),
                      spot.domain(),
                      members,
                      most.most(),
                      members + 1 - most.most(),
                      -1,
                      Optional.of(holder.name())));
            }
          }
        }
      }
    }
    List<Reason> told = new ArrayList<>();
    Reason.Crowded last = null;
    for (Reason.Crowded crowded : all) {
      boolean first = last == null || place.compare(last, crowded) != 0;
      last = crowded;
      if (first
          && own.stream()
              .noneMatch(
                  mine -> place.compare(mine, crowded) == 0 && mine.most() <= crowded.most())) {
        told.add(crowded);
      }
    }
    return told;
  }

  /** Section 7: of the nodes that fit the friendly ones, of these the best by each preference. */
  List<String> candidates(Workload workload) {
    List<Berth> candidates =
        berths.values().stream().filter(berth -> fits(workload, berth)).toList();
    List<Berth> friendly =
        candidates.stream()
            .filter(
                berth ->
                    berth.placed.stream()
                        .flatMap(other -> other.aversionGroups().stream())
                        .noneMatch(workload.aversionGroups()::contains))
            .toList();
    candidates = friendly.isEmpty() ? candidates : friendly;
    for (Rule preference : workload.terms().preferences()) {
      long least =
          candidates.stream()
              .mapToLong(berth -> excess(preference, workload, berth))
              .min()
              .orElse(0);
      candidates =
          candidates.stream()
              .filter(berth -> excess(preference, workload, berth) == least)
              .toList();
    }
    return candidates.stream().map(berth -> berth.name).toList();
  }
}
