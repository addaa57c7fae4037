package io.lighthouse.core.plan;

import io.lighthouse.api.Rule;
import io.lighthouse.core.account.NodeTable;
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

/**
 * The members of one group in the domains of one level, from wave to wave, where rules count them.
 * What an arrival requires must hold in the worst order of its wave:
 *
 * <ul>
 *   <li>Most and apart: its domain holds all members that arrive in the wave, and no holder has
 *       left. A holder counts from the first wave on, also one that arrives later.
 *   <li>Least: all members that leave the domain in the wave have left, and no other one has come.
 *       New members of the fleet have gone to other domains.
 *   <li>Skew: its domain holds all members that arrive, and each other one has lost all that leave.
 * </ul>
 *
 * <p>This is exact but for such a holder, since some order of the wave leads there. A step may be
 * in a wave if all arrivals of the wave still have what they require, and if it may be in the later
 * ones, too. These need no second check: some order of a later wave has the step first. What holds
 * even with all steps in one wave is not checked. Where {@link Reads#MOST} are made, each step with
 * a rule gets a new wave, which is always right.
 *
 * <p>Only the domains that a step leaves or enters are counted from wave to wave. The others do not
 * change.
 */
final class GroupWaves {
  /** The wave of a step that is in none yet. */
  private static final int NO_WAVE = Integer.MAX_VALUE;

  private final Ledger ledger;
  private final PossibleNodes possible;
  private final Counted counted;
  private final List<Part> parts = new ArrayList<>();

  /** The number of the group in the ledger. */
  private final int group;

  /** By number in the ledger, the places of the domains that steps leave or enter. */
  private final Map<Integer, Integer> places = new LinkedHashMap<>();

  /** By place of a domain: the members before the first wave. */
  private int[] start;

  /** By place of a domain: the least limit of the holders there after all steps. */
  private int[] limits;

  /** The members in the fleet before the first wave. */
  private int total;

  /** By eligible domains: the least count of those that no step leaves or enters. */
  private final Map<boolean[], Integer> unchanged = new HashMap<>();

  private boolean keepsOrder;

  /** Whether each arrival has what it requires after the steps before it. */
  private boolean isFeasible = true;

  private final Reads reads;

  /** How many parts and counts the groups of a plan have read. */
  static final class Reads {
    /** The most for waves before the new one: about two seconds. */
    static final long MOST = 100_000_000;

    private long count;

    long count() {
      return count;
    }
  }

  /** A group that is counted in the domains of a level. */
  record Counted(String group, int level) {
    static Counted of(Ledger ledger, Rule.OfGroup rule) {
      return new Counted(rule.group(), ledger.topology().levelIndex(rule.level()));
    }
  }

  /**
   * A group without steps.
   *
   * @param ledger the accounts after all steps
   * @param reads those of all groups of the plan
   */
  GroupWaves(Ledger ledger, PossibleNodes possible, Counted counted, Reads reads) {
    this.ledger = ledger;
    this.possible = possible;
    this.counted = counted;
    this.reads = reads;
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
    start = new int[places.size()];
    limits = new int[places.size()];
    places.forEach(
        (domain, place) -> {
          start[place] = members(domain);
          limits[place] = ledger.members().bounds().in(group, counted.level, domain);
        });
    total = ledger.members().total(group);
    for (Part part : parts) {
      part.count(-1, start, start);
      total -= part.isNewMember() ? 1 : 0;
      part.wave = 0;
    }
    Counts together = new Counts(0);
    for (Part part : parts) {
      part.wave = NO_WAVE;
      part.required.removeIf(required -> required.test(together));
      keepsOrder |= !part.required.isEmpty();
    }
  }

  /** The members in a domain after all steps. */
  private int members(int domain) {
    return ledger.members().members(group, counted.level, domain);
  }

  boolean isFeasible() {
    return isFeasible;
  }

  /** Whether all arrivals of a wave have what they require. */
  private boolean isKept(int wave) {
    reads.count += parts.size();
    List<Part> arriving =
        parts.stream().filter(part -> part.wave == wave && !part.required.isEmpty()).toList();
    if (arriving.isEmpty()) {
      return true;
    }
    Counts counts = new Counts(wave);
    return arriving.stream()
        .allMatch(part -> part.required.stream().allMatch(required -> required.test(counts)));
  }

  /** A step of a member, or of a workload whose rules count members. */
  final class Part {
    private final int from;
    private final int to;
    private final boolean isMember;
    private final boolean isNew;

    /** What the workload permits in its domain, as {@link Rule.OfGroup#limitForNewcomers}. */
    private final int limit;

    /** What must hold when the workload arrives. */
    private final List<Predicate<Counts>> required = new ArrayList<>();

    private int wave = NO_WAVE;

    private Part(PlanSession.Step step, Demand demand) {
      isNew = step.from() == NodeTable.NONE;
      from = isNew ? NodeTable.NONE : place(step.from());
      to = place(step.to());
      isMember = demand.isMember(counted.group);
      int least = HolderBounds.UNBOUNDED;
      for (Rule rule : demand.hardRules()) {
        if (rule instanceof Rule.OfGroup of && Counted.of(ledger, of).equals(counted)) {
          least = Math.min(least, of.limitForNewcomers(isMember));
          required.add(of.match(new Requirement(this, demand)));
        }
      }
      limit = least;
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

    private boolean isNewMember() {
      return isMember && isNew;
    }

    private void count(int sign, int[] left, int[] joined) {
      if (isMember && from != to) {
        add(left, from, -sign);
        add(joined, to, sign);
      }
    }

    private boolean isWithinLimits(Counts counts) {
      return counts.most[to] <= (isMember ? Math.min(limit, counts.limit(to)) : limit);
    }

    private boolean hasEnough(int least, Counts counts) {
      int others = counts.total - counts.added.getOrDefault(to, 0) - (isMember && !isNew ? 1 : 0);
      int there = counts.least[to] - (isMember && from == to ? 1 : 0);
      return there >= (isMember ? Math.min(least, others) : least);
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
      int earliest = end;
      wave = end;
      isFeasible &= isKept(end);
      boolean goesOn = true;
      while (goesOn && earliest > from && reads.count < Reads.MOST) {
        wave = earliest - 1;
        goesOn = isKept(wave);
        earliest -= goesOn ? 1 : 0;
      }
      wave = NO_WAVE;
      return earliest;
    }

    void join(int wave) {
      this.wave = wave;
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
      return counts -> counts.most[part.to] - counts.floor(eligible, part.to) <= rule.skew();
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

  /** The counts of a wave by place of a domain, in the worst order for each rule. */
  private final class Counts {
    private final int[] least = start.clone();
    private final int[] most;

    /** The new members of the wave. */
    private final Map<Integer, Integer> added = new HashMap<>();

    /** The least limit of the holders that leave in the wave or later. */
    private final Map<Integer, Integer> leaving = new HashMap<>();

    /** The members in the fleet, with all new ones of the wave. */
    private int total = GroupWaves.this.total;

    /** The floors by eligible domains. */
    private final Map<boolean[], Floor> floors = new HashMap<>();

    Counts(int wave) {
      reads.count += start.length;
      for (Part part : parts) {
        if (part.wave < wave) {
          part.count(1, least, least);
        }
        total += part.wave <= wave && part.isNewMember() ? 1 : 0;
      }
      most = least.clone();
      for (Part part : parts) {
        if (part.wave == wave) {
          part.count(1, least, most);
          added.merge(part.to, part.isNewMember() ? 1 : 0, Integer::sum);
        }
        if (part.wave >= wave) {
          leaving.merge(part.from, part.limit, Math::min);
        }
      }
    }

    /** What all holders in a domain permit, also those that leave it. */
    int limit(int place) {
      return Math.min(limits[place], leaving.getOrDefault(place, HolderBounds.UNBOUNDED));
    }

    /** The least count of the eligible domains beside one; 0 where they are null. */
    int floor(boolean[] eligible, int beside) {
      return eligible == null
          ? 0
          : Math.min(
              unchanged.computeIfAbsent(eligible, GroupWaves.this::unchanged),
              floors.computeIfAbsent(eligible, this::floor).without(beside));
    }

    private Floor floor(boolean[] eligible) {
      Floor floor = new Floor(NodeTable.NONE, Integer.MAX_VALUE, Integer.MAX_VALUE);
      for (Map.Entry<Integer, Integer> domain : places.entrySet()) {
        if (eligible[domain.getKey()]) {
          floor = floor.with(domain.getValue(), least[domain.getValue()]);
        }
      }
      return floor;
    }
  }

  /** The least count of the eligible domains that no step leaves or enters. */
  private int unchanged(boolean[] eligible) {
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
