package io.lighthouse.core.plan;

import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.Requirements;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Level;
import io.lighthouse.core.ledger.Members;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * The room of nodes and domains from wave to wave. Within a wave the worst order is assumed: what
 * arrives is there before anything has left. This is exact for each resource, since some order of
 * the wave leaves the least of it.
 */
final class WaveRoom {
  private static final long UNCHECKED = Long.MAX_VALUE;

  private final Ledger ledger;
  private final StepBudget budget;

  /** By level, then by slot. */
  private final List<Map<Integer, Place>> places = new ArrayList<>();

  /** By index of a step: what it does to places. */
  private final List<List<Effect>> effects = new ArrayList<>();

  /**
   * What a step does to the accounts of a place.
   *
   * @param added by slot of the layout, the change of what is left
   * @param arriving what must fit there; null if the workload does not go there
   */
  private record Effect(Place place, long[] added, Requirements arriving) {}

  /** A wave at a place. Each array is by slot of the layout. */
  private static final class PlaceWave {
    /** The change of what is left, by all steps together. */
    final long[] added;

    /** The part of it that lessens what is left. */
    final long[] taken;

    /** The least that an arriving workload itself gives; {@link #UNCHECKED} if none is checked. */
    final long[] given;

    PlaceWave(int size) {
      added = new long[size];
      taken = new long[size];
      given = new long[size];
      Arrays.fill(given, UNCHECKED);
    }
  }

  /** A node or a domain. */
  private static final class Place {
    final NodeAccounts accounts;
    final int slot;
    final Layout layout;

    /** By slot of the layout: what is left before the first wave. */
    final long[] before;

    /** The waves that change it, by their index. */
    final NavigableMap<Integer, PlaceWave> waves = new TreeMap<>();

    Place(NodeAccounts accounts, int slot) {
      this.accounts = accounts;
      this.slot = slot;
      layout = accounts.layout(slot);
      before = new long[layout.size()];
      for (int at = 0; at < before.length; at++) {
        before[at] = accounts.left(slot, at);
      }
    }

    boolean isEndless(int at) {
      long capacity = accounts.capacity(slot, at);
      return capacity == Long.MAX_VALUE || capacity == Long.MIN_VALUE;
    }

    /**
     * Adds the waves that a step may not join: it has no room there, or something that arrives from
     * then on has none.
     *
     * @param end the number of waves; a new wave is that one
     */
    void refuse(Effect effect, int end, BitSet refused) {
      for (int at = 0; at < before.length; at++) {
        boolean isChecked = isChecked(effect, at);
        if (!isEndless(at) && (isChecked || effect.added[at] < 0)) {
          refuse(at, effect.added[at], isChecked, end, refused);
        }
      }
    }

    /** The same for one resource, from the last wave to the first. */
    private void refuse(int at, long added, boolean isChecked, int end, BitSet refused) {
      long left = before[at];
      for (PlaceWave each : waves.values()) {
        left += each.added[at];
      }
      long given = isChecked ? Math.max(0, added) : UNCHECKED;
      long spare = Long.MAX_VALUE; // The least room that the later waves leave.
      int next = end + 1;
      for (Map.Entry<Integer, PlaceWave> each : waves.descendingMap().entrySet()) {
        if (spare < -added || isChecked && left + added < 0) {
          refused.set(each.getKey() + 1, next);
        }
        next = each.getKey();
        PlaceWave wave = each.getValue();
        left -= wave.added[at];
        long least = Math.min(given, wave.given[at]);
        if (spare < -added
            || least != UNCHECKED && left + wave.taken[at] + Math.min(0, added) + least < 0) {
          refused.set(next);
        }
        if (wave.given[at] != UNCHECKED) {
          spare = Math.min(spare, left + wave.taken[at] + wave.given[at]);
        }
      }
      if (spare < -added || isChecked && left + added < 0) {
        refused.set(0, next);
      }
    }

    private boolean isChecked(Effect effect, int at) {
      return effect.arriving != null && !effect.arriving.isImmuneTo(layout.id(at));
    }

    void add(Effect effect, int wave) {
      PlaceWave of = waves.computeIfAbsent(wave, any -> new PlaceWave(before.length));
      for (int at = 0; at < before.length; at++) {
        of.added[at] += effect.added[at];
        of.taken[at] += Math.min(0, effect.added[at]);
        if (isChecked(effect, at)) {
          of.given[at] = Math.min(of.given[at], Math.max(0, effect.added[at]));
        }
      }
    }
  }

  /**
   * Reads the effects of all steps.
   *
   * @param ledger the accounts after all of them, or before them if they are the way back
   * @param demands what the workloads need, by entry
   * @param budget what counts the waves that are read
   */
  WaveRoom(
      Ledger ledger,
      IntFunction<Demand> demands,
      List<PlanSession.Step> steps,
      StepBudget budget,
      boolean isBack) {
    this.ledger = ledger;
    this.budget = budget;
    for (int level = Members.NODE; level < ledger.topology().levelCount(); level++) {
      places.add(new HashMap<>());
    }
    for (PlanSession.Step step : steps) {
      effects.add(effects(step, demands.apply(step.entry())));
    }
    for (List<Effect> of : effects) {
      for (Effect effect : of) {
        for (int at = 0; at < effect.added.length; at++) {
          effect.place.before[at] -= isBack || effect.place.isEndless(at) ? 0 : effect.added[at];
        }
      }
    }
  }

  private List<Effect> effects(PlanSession.Step step, Demand demand) {
    List<Effect> all = new ArrayList<>();
    addEffects(Members.NODE, ledger.accounts(), step.from(), step.to(), demand, all);
    for (int i = 0; i < demand.levelCount(); i++) {
      if (demand.shared(i) != null) {
        Level level = ledger.topology().level(i);
        int from = step.from() == NodeTable.NONE ? NodeTable.NONE : level.domainOf(step.from());
        int to = step.to() == NodeTable.NONE ? NodeTable.NONE : level.domainOf(step.to());
        addEffects(i, level.accounts(), from, to, demand.shared(i), all);
      }
    }
    return all;
  }

  private void addEffects(
      int level, NodeAccounts accounts, int from, int to, Requirements needed, List<Effect> all) {
    if (from != NodeTable.NONE && from != to) {
      Place place = place(level, accounts, from);
      all.add(new Effect(place, added(place.layout, needed, 1), null));
    }
    if (to != NodeTable.NONE) {
      Place place = place(level, accounts, to);
      all.add(new Effect(place, added(place.layout, needed, from == to ? 0 : -1), needed));
    }
  }

  private Place place(int level, NodeAccounts accounts, int slot) {
    return places.get(level - Members.NODE).computeIfAbsent(slot, at -> new Place(accounts, at));
  }

  private static long[] added(Layout layout, Requirements needed, int sign) {
    long[] added = new long[layout.size()];
    for (int i = 0; needed.areAllIn(layout) && i < needed.size(); i++) {
      added[layout.slot(needed.id(i))] = sign * needed.need(i);
    }
    return added;
  }

  /**
   * The waves that a step may not join: it has no room there, or something that arrives from then
   * on has none.
   *
   * @param end the number of waves; a new wave is that one
   */
  BitSet refused(int step, int end) {
    BitSet refused = new BitSet(end);
    for (Effect effect : effects.get(step)) {
      budget.mayRead(effect.place.waves.size());
      effect.place.refuse(effect, end, refused);
    }
    return refused;
  }

  /** Adds a step to a wave. */
  void add(int step, int wave) {
    effects.get(step).forEach(effect -> effect.place.add(effect, wave));
  }
}
