package io.lighthouse.core.demand;

import io.lighthouse.api.Gang;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.core.account.Needs;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The needs of a batch's workloads, compiled when the batch opens. Requirements are ids and scaled
 * amounts. Groups are ids, which stay in use until the batch is closed. Terms that equal those of
 * the workload before, except for shares and gang, become the same object. So turns read neither
 * names nor distant terms, except for shares: these are compiled with each demand.
 *
 * <p>Without these shared terms, a batch of {@code RuleBenchmark} ({@code rule=DEPLOYMENT}, 1,000
 * nodes) took 1.65 times as long on 2026-11-24.
 */
final class BatchDemands {
  /** Flags: what a workload has beside its requirements. */
  private static final int IMMUNE = 1;

  private static final int AVERSE = 2;
  private static final int TERMED = 4;
  private static final int SHARING = 8;

  private static final int[][] NO_GROUPS = {};

  private final Ledger ledger;
  private final List<Workload> workloads;
  private final int size;

  /** By index: the flags of each workload. */
  private final byte[] flags;

  /** The flags that any workload has, combined. */
  private int anyFlags;

  private final Needs needs;

  /** By index: the terms of each workload; null where none has any. */
  private Terms[] terms;

  private boolean hasGangs;

  /** Whether the fleet has no terms; only other calls could change that. */
  private boolean fleetHasNoTerms;

  /** By index: the ids of its aversion groups, in use by this batch; null for one without any. */
  private int[][] groups = NO_GROUPS;

  BatchDemands(Ledger ledger, List<Workload> workloads) {
    this.ledger = ledger;
    this.workloads = workloads;
    size = workloads.size();
    flags = new byte[size];
    needs = new Needs(ledger.resources(), ledger.admission, size);
  }

  // ---- opening ----

  /** Reads the requirements of {@code count} workloads that have the same. */
  void read(int first, int count) {
    needs.read(first, count, workloads.get(first).requirements());
  }

  /** Sets the flags of a workload. */
  void setFlags(int index, Workload workload) {
    Terms of = workload.terms();
    flags[index] =
        (byte)
            ((workload.immunities().isEmpty() ? 0 : IMMUNE)
                | (workload.aversionGroups().isEmpty() ? 0 : AVERSE)
                | (of == Terms.NONE ? 0 : TERMED)
                | (of.shared().isEmpty() ? 0 : SHARING));
    anyFlags |= flags[index];
  }

  /**
   * Settles the scales for everything that was read, and compiles the terms.
   *
   * @throws io.lighthouse.api.error.InvalidInputException if a quantity is out of range
   */
  void settle() {
    if ((anyFlags & TERMED) != 0) {
      checkGangs();
    }
    needs.admit(workloads);
    if ((anyFlags & TERMED) != 0) {
      compileTerms();
    }
    if ((anyFlags & SHARING) != 0) {
      ledger.topology().admitShares(workloads);
    }
  }

  /** All members of a gang name the same level, or none. */
  private void checkGangs() {
    Map<String, Gang> gangs = new HashMap<>();
    Gang last = null;
    for (int i = 0; i < size; i++) {
      Gang gang = (flags[i] & TERMED) == 0 ? null : workloads.get(i).terms().gang().orElse(null);
      if (gang == null || gang == last) {
        continue;
      }
      last = gang;
      Gang first = gangs.putIfAbsent(gang.name(), gang);
      if (first != null && !first.equals(gang)) {
        throw new InvalidInputException(
            Thing.workload(workloads.get(i).name()),
            "gang.within",
            within(gang),
            within(first) + ", as the first member of gang '" + gang.name() + "'");
      }
    }
  }

  private static String within(Gang gang) {
    return gang.within().map(level -> "'" + level + "'").orElse("none");
  }

  /** Starts the counts of members that the rules need. */
  private void compileTerms() {
    terms = new Terms[size];
    Terms last = null;
    for (int i = 0; i < size; i++) {
      if ((flags[i] & TERMED) == 0) {
        continue;
      }
      Terms of = workloads.get(i).terms();
      if (of != last) {
        hasGangs |= of.gang().isPresent();
        if (last == null || !areAlike(of, last)) {
          last = of;
          ledger.members().countFor(of.rules());
          ledger.members().countFor(of.preferences());
        }
      }
      terms[i] = last;
    }
  }

  /** Whether terms are equal, except for shares and gang. */
  private static boolean areAlike(Terms some, Terms others) {
    return some.rules().equals(others.rules())
        && some.preferences().equals(others.preferences())
        && some.groups().equals(others.groups())
        && some.where().equals(others.where());
  }

  /** Completes the opening: looks up the aversion groups, so that no turn has to. */
  void useGroups() {
    fleetHasNoTerms = ledger.hasNoTerms();
    if ((anyFlags & AVERSE) == 0) {
      return;
    }
    int[][] used = new int[size][];
    for (int i = 0; i < size; i++) {
      if (is(i, AVERSE)) {
        Set<String> names = workloads.get(i).aversionGroups();
        used[i] = new int[names.size()];
        int at = 0;
        for (String group : names) {
          used[i][at++] = ledger.members().use(group);
        }
      }
    }
    groups = used;
  }

  /** Lets go of the groups; {@link #useGroups} looks them up again. */
  void unuseGroups() {
    int[][] used = groups;
    groups = NO_GROUPS;
    for (int[] of : used) {
      for (int i = 0; of != null && i < of.length; i++) {
        ledger.members().unuse(of[i]);
      }
    }
  }

  // ---- reading ----

  Needs needs() {
    return needs;
  }

  boolean hasTerms() {
    return terms != null;
  }

  boolean hasGangs() {
    return hasGangs;
  }

  private boolean is(int index, int flag) {
    return (flags[index] & flag) != 0;
  }

  /**
   * The terms of a workload, equal to its own but for shares and gang; the same object for
   * consecutive workloads with equal terms.
   */
  private Terms terms(int index) {
    return is(index, TERMED) ? terms[index] : Terms.NONE;
  }

  /** Whether the next workload requires the same, and neither the two nor the fleet have terms. */
  boolean continuesRun(int index) {
    return fleetHasNoTerms
        && index + 1 < size
        && flags[index] == 0
        && flags[index + 1] == 0
        && needs.isSameAsNext(index);
  }

  /** What a workload needs. */
  Demand demand(int index) {
    Workload workload = workloads.get(index);
    return new Demand(
        workload,
        index,
        needs.ids(index),
        needs.amounts(index),
        is(index, IMMUNE) ? workload.immunities() : Set.of(),
        terms(index),
        is(index, AVERSE) ? groups[index] : Demand.NO_GROUPS,
        is(index, SHARING),
        fleetHasNoTerms,
        ledger);
  }
}
