package io.lighthouse.core.oracle;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Names;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Where one workload fits, and why not elsewhere; at one moment. */
final class Question {
  private static final long UNBOUNDED = Long.MAX_VALUE;

  private final World world;
  private final Workload workload;
  private final Terms terms;
  private final List<Rule> hard;

  /** What it needs of its node, and by level what it shares of domains. */
  private final Map<String, Nanos> needs;

  private final Map<String, Map<String, Nanos>> shared = new HashMap<>();

  /** The bounds of all placed workloads that concern it; null until first needed. */
  private List<Bound> bounds;

  Question(World world, Workload workload) {
    this.world = world;
    this.workload = workload;
    this.terms = workload.terms();
    this.hard = world.rulesOf(workload);
    this.needs = Account.needs(workload.requirements(), world.fault);
    terms.shared().forEach((level, some) -> shared.put(level, Account.needs(some, world.fault)));
  }

  boolean fits(Spot spot) {
    return reasons(spot, 1).isEmpty();
  }

  boolean friendly(Spot spot) {
    return rivalries(spot).isEmpty();
  }

  /** The aversion groups that it has in common with those on a node. */
  Set<String> rivalries(Spot spot) {
    Set<String> rivalries = new HashSet<>();
    if (workload.aversionGroups().isEmpty() || faulty(Fault.FORGETS_AVERSION)) {
      return rivalries;
    }
    for (Workload other : spot.placed) {
      if (!faulty(Fault.FORGETS_BROUGHT_RIVALS) || !spot.brought.contains(other.name())) {
        rivalries.addAll(other.aversionGroups());
      }
    }
    if (faulty(Fault.REMEMBERS_RELEASED_RIVALS)) {
      rivalries.addAll(spot.onceHere);
    }
    rivalries.retainAll(workload.aversionGroups());
    return rivalries;
  }

  /** All broken conditions, in order. */
  List<Reason> reasons(Spot spot) {
    return reasons(spot, Account.ALL);
  }

  /** The same; once a number of them is known, nothing more is checked. */
  private List<Reason> reasons(Spot spot, int enough) {
    List<Reason> reasons = new ArrayList<>();
    if (spot.account.cordoned && !faulty(Fault.IGNORES_CORDONS)) {
      reasons.add(new Reason.Cordoned());
    }
    reasons.addAll(spot.account.broken(needs, workload.immunities(), enough));
    if (reasons.size() >= enough) {
      return reasons;
    }
    for (String level : levels(spot)) {
      reasons.addAll(atLevel(spot, level));
    }
    for (int i = 0; i < terms.where().size(); i++) {
      if (!terms.where().get(i).match(holding(spot))) {
        reasons.add(new Reason.NotSelected(i));
      }
    }
    List<Reason.Crowded> own = new ArrayList<>();
    for (int i = 0; i < hard.size(); i++) {
      Reason reason = hard.indexOf(hard.get(i)) < i ? null : ofRule(i, spot);
      if (reason != null) {
        reasons.add(reason);
      }
      if (reason instanceof Reason.Crowded crowded) {
        own.add(crowded);
      }
    }
    reasons.addAll(ofOthers(spot, own));
    return reasons;
  }

  private boolean faulty(Fault fault) {
    return world.fault == fault;
  }

  /** The levels that matter here, by name, the fleet last. */
  private List<String> levels(Spot spot) {
    Set<String> levels = new TreeSet<>(Names.order());
    levels.addAll(spot.domains.keySet());
    levels.addAll(terms.shared().keySet());
    levels.remove(Rule.FLEET);
    List<String> ordered = new ArrayList<>(levels);
    ordered.add(Rule.FLEET);
    return ordered;
  }

  private List<Reason> atLevel(Spot spot, String level) {
    String domain = spot.at(level);
    if (domain == null) {
      return List.of(new Reason.NoDomain(level, -1));
    }
    Account account = world.account(level, domain);
    List<Reason> there = new ArrayList<>();
    if (account.cordoned && !faulty(Fault.PLACES_IN_CLOSED_DOMAINS)) {
      there.add(new Reason.Cordoned());
    }
    Set<String> immunities =
        faulty(Fault.LETS_IMMUNITY_HOLD_ON_NODES_ONLY) ? Set.of() : workload.immunities();
    if (!shared(level).isEmpty() || !faulty(Fault.LOOKS_ONLY_AT_WHAT_IS_SHARED)) {
      there.addAll(account.broken(shared(level), immunities));
    }
    List<Reason> reasons = new ArrayList<>();
    there.forEach(reason -> reasons.add(new Reason.At(level, domain, reason)));
    return reasons;
  }

  private Map<String, Nanos> shared(String level) {
    return shared.getOrDefault(level, Map.of());
  }

  private boolean allHold(List<Condition> conditions, Spot spot) {
    Holding holding = holding(spot);
    return conditions.stream().allMatch(condition -> condition.match(holding));
  }

  private Holding holding(Spot spot) {
    return new Holding(spot, world.fault);
  }

  /** Apart is at most one for a member of the group, and none for others. */
  private static Rule bounded(Rule rule, Workload holder) {
    return rule instanceof Rule.Apart apart
        ? new Rule.Most(World.isMember(holder, apart.group()) ? 1 : 0, apart.group(), apart.level())
        : rule;
  }

  private Reason ofRule(int index, Spot spot) {
    return bounded(hard.get(index), workload).match(new Breach(index, spot));
  }

  /** Why a hard rule, by its place, rejects a node; null where it does not. */
  private final class Breach implements Rule.Cases<Reason> {
    private final int index;
    private final Spot spot;

    Breach(int index, Spot spot) {
      this.index = index;
      this.spot = spot;
    }

    @Override
    public Reason most(Rule.Most most) {
      String domain = spot.at(most.level());
      if (domain == null) {
        return null;
      }
      int members = world.members(most.group(), most.level(), domain);
      int excess = members + own(most.group()) - most.most();
      return excess <= 0
          ? null
          : new Reason.Crowded(
              most.group(),
              most.level(),
              domain,
              members,
              most.most(),
              excess,
              index,
              Optional.empty());
    }

    @Override
    public Reason least(Rule.Least least) {
      String domain = spot.at(least.level());
      if (domain == null) {
        return new Reason.NoDomain(least.level(), index);
      }
      int members = world.members(least.group(), least.level(), domain);
      int wanted = wanted(least);
      return members >= wanted
          ? null
          : new Reason.Alone(
              least.group(), least.level(), domain, members, wanted, wanted - members, index);
    }

    @Override
    public Reason skew(Rule.Skew skew) {
      String domain = spot.at(skew.level());
      if (domain == null) {
        return new Reason.NoDomain(skew.level(), index);
      }
      int members = world.members(skew.group(), skew.level(), domain);
      int floor = floor(skew);
      int excess = members + own(skew.group()) - floor - skew.skew();
      return excess <= 0
          ? null
          : new Reason.Skewed(
              skew.group(), skew.level(), domain, members, floor, skew.skew(), excess, index);
    }

    @Override
    public Reason apart(Rule.Apart apart) {
      throw new IllegalStateException("is bounded: " + apart);
    }

    @Override
    public Reason where(Rule.Where where) {
      throw new IllegalStateException("is a preference only: " + where);
    }

    @Override
    public Reason named(Rule.Named named) {
      throw new IllegalStateException("has no meaning here: " + named);
    }
  }

  /** How far a preference, by its place, would be from being kept. */
  long excess(int preference, Spot spot) {
    return bounded(terms.preferences().get(preference), workload).match(new Excess(spot));
  }

  private final class Excess implements Rule.Cases<Long> {
    private final Spot spot;

    Excess(Spot spot) {
      this.spot = spot;
    }

    @Override
    public Long most(Rule.Most most) {
      String domain = spot.at(most.level());
      return domain == null
          ? 0
          : over(
              world.members(most.group(), most.level(), domain) + own(most.group()) - most.most());
    }

    @Override
    public Long least(Rule.Least least) {
      String domain = spot.at(least.level());
      return domain == null
          ? UNBOUNDED
          : over(wanted(least) - world.members(least.group(), least.level(), domain));
    }

    @Override
    public Long skew(Rule.Skew skew) {
      String domain = spot.at(skew.level());
      return domain == null
          ? UNBOUNDED
          : over(
              world.members(skew.group(), skew.level(), domain)
                  + own(skew.group())
                  - floor(skew)
                  - skew.skew());
    }

    @Override
    public Long apart(Rule.Apart apart) {
      throw new IllegalStateException("is bounded: " + apart);
    }

    @Override
    public Long where(Rule.Where where) {
      return allHold(where.conditions(), spot) ? 0L : 1L;
    }

    @Override
    public Long named(Rule.Named named) {
      throw new IllegalStateException("has no meaning here: " + named);
    }
  }

  private static long over(int excess) {
    return Math.max(0, excess);
  }

  private int own(String group) {
    return World.isMember(workload, group) && !faulty(Fault.COUNTS_ITSELF_AS_A_STRANGER) ? 1 : 0;
  }

  /** The first of its kind needs no more than there are. */
  private int wanted(Rule.Least least) {
    return own(least.group()) == 0 || faulty(Fault.LETS_NOBODY_BE_THE_FIRST)
        ? least.least()
        : Math.min(least.least(), world.members(least.group(), Rule.FLEET, Rule.FLEET));
  }

  private int floor(Rule.Skew skew) {
    Set<String> known = new HashSet<>();
    Set<String> eligible = new HashSet<>();
    for (Spot spot : world.spots) {
      String domain = spot.at(skew.level());
      if (domain != null && allHold(terms.where(), spot)) {
        known.add(domain);
        if (possible(spot) || faulty(Fault.COUNTS_CLOSED_DOMAINS_FOR_THE_FLOOR)) {
          eligible.add(domain);
        }
      }
    }
    if (known.size() < skew.minDomains() && !faulty(Fault.IGNORES_MIN_DOMAINS)) {
      return 0;
    }
    return eligible.stream().mapToInt(domain -> counted(skew, domain)).min().orElse(0);
  }

  private int counted(Rule.Skew skew, String domain) {
    int all = world.members(skew.group(), skew.level(), domain);
    if (faulty(Fault.COUNTS_ONLY_POSSIBLE_NODES_FOR_THE_FLOOR)) {
      for (Spot spot : world.spots) {
        if (spot.isIn(skew.level(), domain) && !possible(spot)) {
          for (Workload placed : spot.placed) {
            all -= World.isMember(placed, skew.group()) ? 1 : 0;
          }
        }
      }
    }
    return all;
  }

  /** What no placement and no release can change lets the workload come here. */
  boolean possible(Spot spot) {
    if (!spot.account.possible(needs, workload.immunities()) || !allHold(terms.where(), spot)) {
      return false;
    }
    for (String level : levels(spot)) {
      String domain = spot.at(level);
      if (domain == null
          || !world.account(level, domain).possible(shared(level), workload.immunities())) {
        return false;
      }
    }
    for (Rule rule : hard) {
      if (rule instanceof Rule.Least least && spot.at(least.level()) == null
          || rule instanceof Rule.Skew skew && spot.at(skew.level()) == null) {
        return false;
      }
    }
    return true;
  }

  /** Bounds that those placed in a domain of the node hold, and the workload would break. */
  private List<Reason> ofOthers(Spot spot, List<Reason.Crowded> own) {
    if (faulty(Fault.FORGETS_THE_BOUNDS_OF_OTHERS)) {
      return List.of();
    }
    Map<String, Map<String, List<Reason.Crowded>>> broken = new TreeMap<>(Names.order());
    for (Bound bound : bounds()) {
      String level = bound.most.level();
      String domain = spot.at(level);
      if (domain != null && bound.at.isIn(level, domain)) {
        int members = world.members(bound.most.group(), level, domain);
        int excess = members + 1 - bound.most.most();
        if (excess > 0) {
          broken
              .computeIfAbsent(bound.most.group(), any -> new TreeMap<>(Names.order()))
              .computeIfAbsent(level, any -> new ArrayList<>())
              .add(
                  new Reason.Crowded(
                      bound.most.group(),
                      level,
                      domain,
                      members,
                      bound.most.most(),
                      excess,
                      -1,
                      Optional.of(bound.holder)));
        }
      }
    }
    List<Reason> reasons = new ArrayList<>();
    for (Map<String, List<Reason.Crowded>> byLevel : broken.values()) {
      for (List<Reason.Crowded> all : byLevel.values()) {
        Reason.Crowded strictest =
            all.stream()
                .min(
                    Comparator.comparingInt(Reason.Crowded::most)
                        .thenComparing(crowded -> crowded.by().orElseThrow(), Names.order()))
                .orElseThrow();
        boolean told =
            own.stream()
                .anyMatch(
                    mine ->
                        mine.group().equals(strictest.group())
                            && mine.at().equals(strictest.at())
                            && mine.most() <= strictest.most());
        if (!told) {
          reasons.add(strictest);
        }
      }
    }
    return reasons;
  }

  private List<Bound> bounds() {
    if (bounds == null) {
      bounds = new ArrayList<>();
      for (Spot spot : world.spots) {
        for (Workload holder : spot.placed) {
          for (Rule rule : world.rulesOf(holder)) {
            boolean forgotten =
                rule instanceof Rule.Apart && faulty(Fault.LETS_APART_BIND_ITS_HOLDER_ONLY);
            if (bounded(rule, holder) instanceof Rule.Most most
                && !forgotten
                && World.isMember(workload, most.group())) {
              bounds.add(new Bound(most, holder.name(), spot));
            }
          }
        }
      }
    }
    return bounds;
  }

  /** A bound that a placed workload holds, and its node. */
  private record Bound(Rule.Most most, String holder, Spot at) {}
}
