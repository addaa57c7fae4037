package io.lighthouse.core.plan;

import io.lighthouse.api.Rule;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.index.PossibleNodes;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.HolderBounds;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The members of one group in the domains of one level, from wave to wave, where rules count them.
 * What an arrival requires must hold in the worst order of its wave:
 *
 * <ul>
 *   <li>Most and apart: its domain holds all members and holders that arrive. None has left.
 *   <li>Least: all members that leave the domain in the wave have left, and no other one has come.
 *       New members of the fleet have gone to other domains.
 *   <li>Skew: its domain holds all members that arrive, and each other one has lost all that leave.
 * </ul>
 *
 * <p>This is exact, since some order of the wave leads there. A step may be in a wave if all
 * arrivals of the wave still have what they require, and if it may be in the later ones, too. These
 * need no second check: some order of a later wave has the step first. So a step goes back from the
 * last wave on, and the counts with it: each other step of the group is read at most once. What
 * holds even with all steps in one wave is not checked. Where the budget ends, a step stays in the
 * earliest wave that was checked, or gets a new one, which is always right.
 *
 * <p>Only the domains that a step leaves or enters are counted from wave to wave. The others do not
 * change.
 */
final class GroupWaves {
  private final Ledger ledger;
  private final PossibleNodes possible;
  private final Counted counted;
  private final StepBudget budget;

  /** The number of the group in the ledger. */
  private final int group;

  /** The steps of the group, in the order in which they join waves. */
  private final List<Part> parts = new ArrayList<>();

  /** By wave, the steps that have joined it. */
  private final Map<Integer, List<Part>> waves = new HashMap<>();

  /** By number in the ledger, the places of the domains that steps leave or enter. */
  private final Map<Integer, Integer> places = new LinkedHashMap<>();

  /** By place of a domain: the members there after the steps that have joined a wave. */
  private int[] members;

  /** The members in the fleet after these steps. */
  private int total;

  /** The limits of the holders after these steps. */
  private HolderLimits limits;

  /** By eligible domains: the least count of those that no step leaves or enters. */
  private final Map<boolean[], Integer> unchanged = new HashMap<>();

  private boolean keepsOrder;

  /** Whether each arrival has what it requires after the steps before it. */
  private boolean isFeasible = true;

  /** A group that is counted in the domains of a level. */
  record Counted(String group, int level) {
    static Counted of(Ledger ledger, Rule.OfGroup rule) {
      return new Counted(rule.group(), ledger.topology().levelIndex(rule.level()));
    }
  }

  /**
   * A group without steps.
   *
   * @param session the accounts after all steps
   * @param budget what may be read
   */
  GroupWaves(PlanSession session, Counted counted, StepBudget budget) {
    ledger = session.ledger;
    possible = session.finder.possibleNodes();
    this.counted = counted;
    this.budget = budget;
    group = ledger.members().find(counted.group);
  }

  /** Adds a step that was made. */
  Part add(PlanSession.Step step, Demand demand) {
    Part part = new Part(step, demand);
    parts.add(part);
    return part;
  }

  /** Takes all steps back, before all waves, and removes what holds in whatever order. */
  void takeBack() {
    members = new int[places.size()];
    limits = limits();
    places.forEach((domain, place) -> members[place] = members(domain));
    total = ledger.members().total(group);
    for (Part part : parts) {
      part.count(members, limits, -1);
      total -= part.isNewMember ? 1 : 0;
    }
    Counts together = new Counts();
    parts.forEach(part -> together.count(part, 1));
    for (Part part : parts) {
      part.required.removeIf(required -> required.test(together));
      keepsOrder |= !part.required.isEmpty();
    }
  }

  /** The limits of the holders after all steps. */
  private HolderLimits limits() {
    Map<Integer, Part> last = new HashMap<>();
    parts.forEach(part -> last.put(part.entry, part));
    Map<Integer, Map<Integer, Integer>> moved = new HashMap<>();
    for (Part part : last.values()) {
      for (int i = 0; part.to != NodeTable.NONE && i < part.limits.length; i++) {
        moved
            .computeIfAbsent(part.to, any -> new HashMap<>())
            .merge(part.limits[i], 1, Integer::sum);
      }
    }
    int[] fixed = new int[places.size()];
    HolderBounds bounds = ledger.members().bounds();
    places.forEach(
        (domain, place) ->
            fixed[place] =
                bounds.inWithout(
                    group, counted.level, domain, moved.getOrDefault(place, Map.of())));
    int[] all =
        parts.stream()
            .flatMapToInt(part -> IntStream.of(part.limits))
            .distinct()
            .sorted()
            .toArray();
    HolderLimits limits = new HolderLimits(fixed, all);
    last.values().forEach(part -> limits.add(part.limits, part.to, 1));
    return limits;
  }

  /** The members in a domain after all steps. */
  private int members(int domain) {
    return ledger.members().members(group, counted.level, domain);
  }

  boolean isFeasible() {
    return isFeasible;
  }

  /** A step of a member, or of a workload whose rules count members. */
  final class Part {
    private final int entry;
    private final int from;
    private final int to;
    private final boolean isMember;

    /** Whether the workload is a member that is new in the fleet. */
    private final boolean isNewMember;

    /** The least number of members that a rule for the workload permits in its domain. */
    private final int limit;

    /**
     * How many each rule of the workload permits there to newcomers, as {@link
     * Rule.OfGroup#limitForNewcomers}.
     */
    private final int[] limits;

    /** What must hold when the workload arrives. */
    private final List<Predicate<Counts>> required = new ArrayList<>();

    private Part(PlanSession.Step step, Demand demand) {
      boolean isNew = step.from() == NodeTable.NONE;
      entry = step.entry();
      from = isNew ? NodeTable.NONE : place(step.from());
      to = place(step.to());
      isMember = demand.isMember(counted.group);
      isNewMember = isMember && isNew;
      int least = HolderBounds.UNBOUNDED;
      for (Rule rule : demand.hardRules()) {
        if (counts(rule)) {
          Rule.OfGroup of = (Rule.OfGroup) rule;
          least = Math.min(least, of.limitForNewcomers(isMember));
          required.add(of.match(new Requirement(this, demand)));
        }
      }
      limit = least;
      limits =
          demand.terms().rules().stream()
              .filter(this::counts)
              .mapToInt(rule -> ((Rule.OfGroup) rule).limitForNewcomers(isMember))
              .filter(each -> each != HolderBounds.UNBOUNDED)
              .toArray();
      if (isMember) {
        required.add(this::isWithinLimits);
      }
      if (to == NodeTable.NONE) {
        required.clear();
      }
    }

    /** The place of the domain of a node; {@link NodeTable#NONE} without one. */
    private int place(int node) {
      int domain = ledger.topology().domainOf(counted.level, node);
      return domain == NodeTable.NONE
          ? NodeTable.NONE
          : places.computeIfAbsent(domain, any -> places.size());
    }

    private boolean counts(Rule rule) {
      return rule instanceof Rule.OfGroup of && Counted.of(ledger, of).equals(counted);
    }

    /** Counts the workload where the step leads (sign 1), or where it came from (-1). */
    private void count(int[] members, HolderLimits of, int sign) {
      if (isMember) {
        add(members, from, -sign);
        add(members, to, sign);
      }
      of.add(limits, from, -sign);
      of.add(limits, to, sign);
    }

    private boolean isWithinLimits(Counts counts) {
      return counts.most(to) <= (isMember ? Math.min(limit, counts.limits.least(to)) : limit);
    }

    private boolean hasEnough(int least, Counts counts) {
      int others = counts.total - counts.added[to] - (isMember && !isNewMember ? 1 : 0);
      int there = counts.least(to) - (isMember && from == to ? 1 : 0);
      return there >= (isMember ? Math.min(least, others) : least);
    }

    private boolean isKept(Counts counts) {
      for (Predicate<Counts> requirement : required) {
        if (!requirement.test(counts)) {
          return false;
        }
      }
      return true;
    }

    /**
     * The first wave that the step may be in.
     *
     * @param from no earlier one is tried
     * @param end the number of waves that there are; a new wave is always possible
     */
    int earliest(int from, int end) {
      if (!keepsOrder) {
        return from;
      }
      budget.mayRead((long) members.length + GroupWaves.this.limits.size());
      Counts counts = new Counts();
      counts.count(this, 1);
      isFeasible &= isKept(counts);
      int earliest = end;
      boolean goesOn = true;
      while (goesOn && earliest > from) {
        List<Part> wave = waves.getOrDefault(earliest - 1, List.of());
        goesOn = budget.mayRead(1 + wave.size()) && counts.areKept(wave, this);
        earliest -= goesOn ? 1 : 0;
      }
      return earliest;
    }

    void join(int wave) {
      waves.computeIfAbsent(wave, any -> new ArrayList<>()).add(this);
      count(members, GroupWaves.this.limits, 1);
      total += isNewMember ? 1 : 0;
    }
  }

  private static void add(int[] counts, int place, int count) {
    if (place != NodeTable.NONE) {
      counts[place] += count;
    }
  }

  /** What the counts must be for an arrival to keep a rule, for each kind of rule. */
  private final class Requirement implements Rule.Cases<Predicate<Counts>> {
    private final Part part;
    private final Demand demand;

    Requirement(Part part, Demand demand) {
      this.part = part;
      this.demand = demand;
    }

    @Override
    public Predicate<Counts> most(Rule.Most rule) {
      return part::isWithinLimits;
    }

    @Override
    public Predicate<Counts> apart(Rule.Apart rule) {
      return part::isWithinLimits;
    }

    @Override
    public Predicate<Counts> least(Rule.Least rule) {
      return counts -> part.hasEnough(rule.least(), counts);
    }

    @Override
    public Predicate<Counts> skew(Rule.Skew rule) {
      PossibleNodes.Shape shape = possible.of(demand);
      boolean[] eligible =
          possible.known(shape, counted.level) < rule.minDomains()
              ? null
              : possible.eligible(shape, counted.level).domains();
      return counts -> counts.most(part.to) - counts.floor(eligible, part.to) <= rule.skew();
    }

    @Override
    public Predicate<Counts> where(Rule.Where rule) {
      throw new IllegalStateException("counts no group: " + rule);
    }

    @Override
    public Predicate<Counts> named(Rule.Named rule) {
      throw new IllegalStateException("counts no group: " + rule);
    }
  }

  /**
   * The counts of a wave, in the worst order for each rule. They begin behind all waves and go back
   * wave by wave. Each array is by place of a domain.
   */
  private final class Counts {
    /** The members before the wave. */
    private final int[] before = members.clone();

    /** The members that leave in the wave, that arrive in it, and those of them that are new. */
    private final int[] leaving = new int[before.length];

    private final int[] arriving = new int[before.length];
    private final int[] added = new int[before.length];

    /** The limits of the holders before the wave, and of those that arrive in it. */
    private final HolderLimits limits = new HolderLimits(GroupWaves.this.limits);

    /** The members in the fleet, with all new ones of the wave. */
    private int total = GroupWaves.this.total;

    /** The floors of the wave by eligible domains. */
    private final Map<boolean[], Floor> floors = new HashMap<>();

    /** Counts a step as one of the wave (sign 1), or no longer (-1). */
    void count(Part part, int sign) {
      if (part.isMember && part.from != part.to) {
        add(leaving, part.from, sign);
        add(arriving, part.to, sign);
      }
      if (part.isNewMember) {
        add(added, part.to, sign);
        total += sign;
      }
      limits.add(part.limits, part.to, sign);
    }

    /** Goes back to the wave before; returns whether its arrivals and one more keep their rules. */
    boolean areKept(List<Part> wave, Part more) {
      for (Part part : wave) {
        part.count(before, limits, -1);
        total -= part.isNewMember ? 1 : 0;
        count(part, 1);
      }
      floors.clear();
      boolean areKept = more.isKept(this);
      for (int i = 0; areKept && i < wave.size(); i++) {
        areKept = wave.get(i).isKept(this);
      }
      wave.forEach(part -> count(part, -1));
      return areKept;
    }

    int most(int place) {
      return before[place] + arriving[place];
    }

    int least(int place) {
      return before[place] - leaving[place];
    }

    /** The least count of the eligible domains beside one; 0 where they are null. */
    int floor(boolean[] eligible, int beside) {
      return eligible == null ? 0 : floors.computeIfAbsent(eligible, this::floor).without(beside);
    }

    private Floor floor(boolean[] eligible) {
      budget.mayRead(places.size());
      int least = unchanged.computeIfAbsent(eligible, GroupWaves.this::unchanged);
      Floor floor = new Floor(NodeTable.NONE, least, least);
      for (Map.Entry<Integer, Integer> domain : places.entrySet()) {
        if (eligible[domain.getKey()]) {
          floor = floor.with(domain.getValue(), least(domain.getValue()));
        }
      }
      return floor;
    }
  }

  /** The least count of the eligible domains that no step leaves or enters. */
  private int unchanged(boolean[] eligible) {
    budget.mayRead(eligible.length);
    int least = Integer.MAX_VALUE;
    for (int domain = 0; domain < eligible.length; domain++) {
      if (eligible[domain] && !places.containsKey(domain)) {
        least = Math.min(least, members(domain));
      }
    }
    return least;
  }

  /** The place with the least count of some, that count, and the least one of the others. */
  private record Floor(int place, int least, int next) {
    Floor with(int other, int count) {
      return count < least
          ? new Floor(other, count, least)
          : new Floor(place, least, Math.min(next, count));
    }

    int without(int left) {
      return left == place ? next : least;
    }
  }
}
