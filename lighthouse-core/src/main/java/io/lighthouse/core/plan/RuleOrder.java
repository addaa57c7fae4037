package io.lighthouse.core.plan;

import io.lighthouse.api.Rule;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.index.PossibleNodes;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.HolderBounds;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Members;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which steps the rules of workloads keep in their order. Each dependency is between two steps, of
 * which the later one must be in a later wave.
 *
 * <ul>
 *   <li>Most and apart: an arrival in a domain follows the members and holders that have left it.
 *       Then a domain never holds more than at some time in the order of the steps. No order is
 *       kept in a domain that may hold all members that are ever there.
 *   <li>Least: an arrival follows the members that have arrived in its domain, and members leave
 *       the domain after it. New members of the fleet keep their order with arriving members. No
 *       order is kept if enough members stay in the domain.
 *   <li>Skew: {@link SkewWaves} counts the members in each wave.
 *   <li>A rule of a plug-in may read anything: the step is in a wave of its own.
 * </ul>
 */
final class RuleOrder {
  private final Ledger ledger;

  /** The groups that rules of the steps count, by the kind of the rules. */
  private final Set<Counted> most = new HashSet<>();

  private final Set<Counted> least = new HashSet<>();

  /** By group that rules of skew compare: its members. */
  private final Map<Counted, SkewWaves> skews = new HashMap<>();

  /** The first wave for a step that must follow such an event. */
  private final Map<Event, Integer> after = new HashMap<>();

  /** How many steps there are of each event. */
  private final Map<Event, Integer> counts = new HashMap<>();

  /** By event {@link Kind#LEAVES}: the least limit that a leaving holder sets. */
  private final Map<Event, Integer> limits = new HashMap<>();

  /** The first wave after the last step with a rule of a plug-in. */
  private int afterPlugins;

  /** A group that is counted in the domains of a level. */
  record Counted(String group, int level) {
    static Counted of(Ledger ledger, Rule.OfGroup rule) {
      return new Counted(rule.group(), ledger.topology().levelIndex(rule.level()));
    }

    int domain(Ledger ledger, int node) {
      return node == NodeTable.NONE ? NodeTable.NONE : ledger.topology().domainOf(level, node);
    }
  }

  /** What a step does that later steps may have to follow. */
  private enum Kind {
    /** A member or holder leaves a domain. */
    LEAVES,
    /** A member leaves a domain where rules bound the members. */
    LESSENS,
    /** A member arrives in a domain. */
    ARRIVES,
    /** A workload arrives in a domain where it needs members. */
    NEEDS,
    /** A member is new in the fleet. */
    IS_NEW,
    /** A member arrives that needs as many members as the fleet has. */
    COUNTS_ALL
  }

  /** Something that a step does in a domain; {@link #ANYWHERE} if the domain does not matter. */
  private record Event(Kind kind, Counted counted, int domain) {}

  private static final int ANYWHERE = -1;

  /** The events of a step, and those of earlier steps that it must follow. */
  private record Links(List<Event> own, List<Event> earlier) {
    void is(Kind kind, Counted counted, int domain) {
      own.add(new Event(kind, counted, domain));
    }

    void follows(Kind kind, Counted counted, int domain) {
      earlier.add(new Event(kind, counted, domain));
    }
  }

  /**
   * Reads the rules.
   *
   * @param ledger the accounts after all steps
   * @param possible the nodes that are possible for the workloads
   * @param demands that of each step
   */
  RuleOrder(
      Ledger ledger, PossibleNodes possible, List<PlanSession.Step> steps, List<Demand> demands) {
    this.ledger = ledger;
    Set<Counted> skew = new HashSet<>();
    for (Demand demand : demands) {
      for (Rule rule : demand.hardRules()) {
        if (rule instanceof Rule.OfGroup of) {
          Set<Counted> kind =
              of instanceof Rule.Least ? least : of instanceof Rule.Skew ? skew : most;
          kind.add(counted(of));
        }
      }
    }
    skew.forEach(of -> skews.put(of, new SkewWaves(ledger, possible, of)));
    for (int i = 0; i < steps.size(); i++) {
      Demand demand = demands.get(i);
      PlanSession.Step step = steps.get(i);
      skews(demand).forEach(of -> of.takeBack(step, demand));
      links(step, demand).own.forEach(event -> counts.merge(event, 1, Integer::sum));
      for (Rule rule : demand.hardRules()) {
        if (rule instanceof Rule.OfGroup of) {
          int from = counted(of).domain(ledger, step.from());
          limits.merge(new Event(Kind.LEAVES, counted(of), from), limit(of, demand), Math::min);
        }
      }
    }
  }

  private Counted counted(Rule.OfGroup rule) {
    return Counted.of(ledger, rule);
  }

  /** Where rules of skew compare a group of the workload, or are its own. */
  private Set<SkewWaves> skews(Demand demand) {
    Set<SkewWaves> of = new LinkedHashSet<>();
    for (Rule rule : demand.hardRules()) {
      if (rule instanceof Rule.Skew skew) {
        of.add(skews.get(counted(skew)));
      }
    }
    for (String group : groups(demand)) {
      for (int level = Members.NODE; level < ledger.topology().levelCount(); level++) {
        of.add(skews.get(new Counted(group, level)));
      }
    }
    of.remove(null);
    return of;
  }

  private static Set<String> groups(Demand demand) {
    Set<String> groups = new LinkedHashSet<>(demand.terms().groups());
    groups.addAll(demand.workload().aversionGroups());
    return groups;
  }

  /**
   * The first wave that a step may be in.
   *
   * @param waves the number of waves that there are
   * @return at most that number
   */
  int earliest(PlanSession.Step step, Demand demand, int waves) {
    if (hasPlugin(demand)) {
      return waves;
    }
    int wave = afterPlugins;
    for (Event event : links(step, demand).earlier) {
      wave = Math.max(wave, after.getOrDefault(event, 0));
    }
    for (SkewWaves skew : skews(demand)) {
      wave = Math.max(wave, skew.earliest());
    }
    return wave;
  }

  /** Whether a step may be in a wave that there is, and that is not before the earliest one. */
  boolean allows(PlanSession.Step step, Demand demand, int wave) {
    return skews(demand).stream().allMatch(skew -> skew.allows(step, demand, wave));
  }

  /** Notes a step that is in a wave now. */
  void add(PlanSession.Step step, Demand demand, int wave) {
    if (hasPlugin(demand)) {
      afterPlugins = wave + 1;
    }
    for (Event event : links(step, demand).own) {
      after.merge(event, wave + 1, Math::max);
    }
    skews(demand).forEach(skew -> skew.add(step, demand, wave));
  }

  /** About how much is read for each step, beside its own rules. */
  long reads() {
    return skews.values().stream().mapToLong(SkewWaves::reads).sum();
  }

  /** Whether no step does anything that another one may have to follow. */
  boolean isEmpty() {
    return after.isEmpty() && skews.isEmpty() && afterPlugins == 0;
  }

  private static boolean hasPlugin(Demand demand) {
    return demand.hardRules().stream().anyMatch(Rule.Named.class::isInstance);
  }

  private Links links(PlanSession.Step step, Demand demand) {
    Links links = new Links(new ArrayList<>(), new ArrayList<>());
    Holder holder = new Holder(step, demand, links);
    for (Rule rule : demand.hardRules()) {
      rule.match(holder);
    }
    groups(demand).forEach(group -> visitMember(step, group, links));
    return links;
  }

  /** What a step does and follows because its workload has a hard rule, for each kind of rule. */
  private final class Holder implements Rule.Cases<Void> {
    private final PlanSession.Step step;
    private final Demand demand;
    private final Links links;

    Holder(PlanSession.Step step, Demand demand, Links links) {
      this.step = step;
      this.demand = demand;
      this.links = links;
    }

    @Override
    public Void most(Rule.Most rule) {
      visitMost(step, counted(rule), limit(rule, demand), links);
      return null;
    }

    @Override
    public Void apart(Rule.Apart rule) {
      visitMost(step, counted(rule), limit(rule, demand), links);
      return null;
    }

    @Override
    public Void least(Rule.Least rule) {
      Counted counted = counted(rule);
      int to = counted.domain(ledger, step.to());
      boolean member = demand.isMember(rule.group());
      int own = member && counted.domain(ledger, step.from()) == to ? 1 : 0;
      if (staying(counted, to) - own < rule.least()) {
        links.follows(Kind.ARRIVES, counted, to);
        links.is(Kind.NEEDS, counted, to);
        if (member) {
          links.follows(Kind.IS_NEW, counted, ANYWHERE);
          links.is(Kind.COUNTS_ALL, counted, ANYWHERE);
        }
      }
      return null;
    }

    @Override
    public Void skew(Rule.Skew rule) {
      return null; // SkewWaves counts the members.
    }

    @Override
    public Void where(Rule.Where rule) {
      throw new IllegalStateException("not a hard rule: " + rule);
    }

    @Override
    public Void named(Rule.Named rule) {
      return null; // The step is in a wave of its own.
    }
  }

  /** At least how many members stay in a domain, whatever the order of the steps. */
  private int staying(Counted counted, int domain) {
    if (domain == NodeTable.NONE) {
      return 0; // On the way back, a new workload goes to no node.
    }
    int group = ledger.members().find(counted.group);
    return ledger.members().members(group, counted.level, domain)
        - counts.getOrDefault(new Event(Kind.ARRIVES, counted, domain), 0);
  }

  private static int limit(Rule.OfGroup rule, Demand demand) {
    return rule.limitForNewcomers(demand.isMember(rule.group()));
  }

  /**
   * Whether all members that are ever in a domain are more than some limit that ever holds there.
   *
   * @param limit that of the workload that arrives
   */
  private boolean mayBeCrowded(Counted counted, int domain, int limit) {
    int group = ledger.members().find(counted.group);
    int left = counts.getOrDefault(new Event(Kind.LESSENS, counted, domain), 0);
    int leaving = limits.getOrDefault(new Event(Kind.LEAVES, counted, domain), limit);
    int staying = ledger.members().bounds().in(group, counted.level, domain);
    return ledger.members().members(group, counted.level, domain) + left
        > Math.min(Math.min(limit, leaving), staying);
  }

  private void visitMost(PlanSession.Step step, Counted counted, int limit, Links links) {
    int from = counted.domain(ledger, step.from());
    int to = counted.domain(ledger, step.to());
    if (to != NodeTable.NONE && mayBeCrowded(counted, to, limit)) {
      links.follows(Kind.LEAVES, counted, to);
    }
    if (from != NodeTable.NONE && from != to) {
      links.is(Kind.LEAVES, counted, from);
    }
  }

  private void visitMember(PlanSession.Step step, String group, Links links) {
    int id = ledger.members().find(group);
    for (int level = Members.NODE; level < ledger.topology().levelCount(); level++) {
      Counted counted = new Counted(group, level);
      int from = counted.domain(ledger, step.from());
      int to = counted.domain(ledger, step.to());
      if (most.contains(counted)
          || ledger.members().bounds().least(id, level) != HolderBounds.UNBOUNDED) {
        visitMost(step, counted, HolderBounds.UNBOUNDED, links);
        if (from != NodeTable.NONE && from != to) {
          links.is(Kind.LESSENS, counted, from);
        }
      }
      if (least.contains(counted) && from != to) {
        links.follows(Kind.NEEDS, counted, from);
        links.is(Kind.ARRIVES, counted, to);
      }
      if (least.contains(counted) && step.from() == NodeTable.NONE) {
        links.follows(Kind.COUNTS_ALL, counted, ANYWHERE);
        links.is(Kind.IS_NEW, counted, ANYWHERE);
      }
    }
  }
}
