package io.lighthouse.core.plan;

import io.lighthouse.api.Rule;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.index.PossibleNodes;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The members of one group by domain, from wave to wave, where rules of skew compare them. Within a
 * wave the worst order is assumed: the domain of an arrival holds all members that arrive in the
 * wave, and each other domain has lost all that leave. This is exact, since for each two domains
 * some order of the wave leads there.
 *
 * <p>No step that counts is in a wave before the last one in which counts are compared.
 */
final class SkewWaves {
  /** The wave of what happens before the first one. */
  private static final int BEFORE = -1;

  private final Ledger ledger;
  private final PossibleNodes possible;
  private final RuleOrder.Counted counted;

  /** Where members go, from the state after all steps on: first each step is taken back. */
  private final List<Shift> shifts = new ArrayList<>();

  /** The last wave in which counts are compared, and what must hold in it. */
  private int last;

  private final Set<Bound> bounds = new HashSet<>();

  /** A member leaves a domain and joins another in a wave; {@link NodeTable#NONE} for none. */
  private record Shift(int wave, int from, int to) {
    /** Counts it; the two arrays are the same, or one has what leaves and one what arrives. */
    void add(int[] left, int[] joined) {
      if (from != NodeTable.NONE) {
        left[from]--;
      }
      if (to != NodeTable.NONE) {
        joined[to]++;
      }
    }
  }

  /**
   * What an arrival requires: its domain holds at most {@code skew} members more than each other
   * eligible one. There is null for these where the floor is 0.
   */
  private record Bound(int domain, int skew, boolean[] eligible) {
    boolean holds(Floor floor, int[] most) {
      return most[domain] - floor.without(domain) <= skew;
    }
  }

  /** The least count of some domains, the domain that has it, and the least one of the others. */
  private record Floor(int domain, int least, int next) {
    static Floor of(boolean[] eligible, int[] counts) {
      if (eligible == null) {
        return new Floor(NodeTable.NONE, 0, 0);
      }
      int domain = NodeTable.NONE;
      int least = Integer.MAX_VALUE;
      int next = Integer.MAX_VALUE;
      for (int other = 0; other < eligible.length; other++) {
        if (eligible[other] && counts[other] < least) {
          next = least;
          least = counts[other];
          domain = other;
        } else if (eligible[other]) {
          next = Math.min(next, counts[other]);
        }
      }
      return new Floor(domain, least, next);
    }

    int without(int left) {
      return left == domain ? next : least;
    }
  }

  /** Counts nothing yet; the ledger has the accounts after all steps. */
  SkewWaves(Ledger ledger, PossibleNodes possible, RuleOrder.Counted counted) {
    this.ledger = ledger;
    this.possible = possible;
    this.counted = counted;
  }

  /** Takes a step back, before all waves. */
  void takeBack(PlanSession.Step step, Demand demand) {
    Shift shift = shift(step, demand, BEFORE);
    shifts.add(new Shift(BEFORE, shift.to, shift.from));
  }

  private Shift shift(PlanSession.Step step, Demand demand, int wave) {
    int from = counted.domain(ledger, step.from());
    int to = counted.domain(ledger, step.to());
    return demand.isMember(counted.group()) && from != to
        ? new Shift(wave, from, to)
        : new Shift(wave, NodeTable.NONE, NodeTable.NONE);
  }

  private Set<Bound> bounds(PlanSession.Step step, Demand demand) {
    Set<Bound> own = new HashSet<>();
    for (Rule rule : demand.hardRules()) {
      if (rule instanceof Rule.Skew skew && RuleOrder.Counted.of(ledger, skew).equals(counted)) {
        PossibleNodes.Shape shape = possible.of(demand);
        boolean[] eligible =
            possible.known(shape, counted.level()) < skew.minDomains()
                ? null
                : possible.eligible(shape, counted.level()).domains();
        own.add(new Bound(counted.domain(ledger, step.to()), skew.skew(), eligible));
      }
    }
    return own;
  }

  /** About how much is read for each step. */
  int reads() {
    return ledger.topology().domainCount(counted.level()) + shifts.size();
  }

  /** The first wave that a step may be in. */
  int earliest() {
    return last;
  }

  /** Whether a step may be in a wave, which is not before the earliest one. */
  boolean allows(PlanSession.Step step, Demand demand, int wave) {
    Set<Bound> all = bounds(step, demand);
    all.addAll(wave == last ? bounds : Set.of());
    if (all.isEmpty()) {
      return true;
    }
    int group = ledger.members().find(counted.group());
    int[] least =
        IntStream.range(0, ledger.topology().domainCount(counted.level()))
            .map(domain -> ledger.members().members(group, counted.level(), domain))
            .toArray();
    shifts.stream().filter(shift -> shift.wave < wave).forEach(shift -> shift.add(least, least));
    int[] most = least.clone();
    shifts.stream().filter(shift -> shift.wave == wave).forEach(shift -> shift.add(least, most));
    shift(step, demand, wave).add(least, most);
    Map<boolean[], Floor> floors = new HashMap<>();
    return all.stream()
        .allMatch(
            bound ->
                bound.holds(
                    floors.computeIfAbsent(bound.eligible, of -> Floor.of(of, least)), most));
  }

  /** Notes a step that is in a wave now. */
  void add(PlanSession.Step step, Demand demand, int wave) {
    shifts.add(shift(step, demand, wave));
    Set<Bound> own = bounds(step, demand);
    if (!own.isEmpty() && wave > last) {
      last = wave;
      bounds.clear();
    }
    bounds.addAll(own);
  }
}
