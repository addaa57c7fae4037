package io.lighthouse.core.engine;

import io.lighthouse.api.Gang;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.Refusal;
import io.lighthouse.core.constraint.Within;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import java.util.List;
import java.util.Optional;

/**
 * The turns of a gang: its members are placed one after the other, all or none. Within a level, the
 * gang goes to the domain of the first member's node. If that domain does not hold all, the first
 * member is placed again, without the domains tried before. So there is at most one attempt for
 * each domain. Members are not rearranged.
 */
final class GangTurn {
  private static final int NOBODY = -1;

  private final Ledger ledger;
  private final Batch batch;
  private final Gang gang;

  /** Indexes of the batch, in the order of turns. */
  private final int[] members;

  private final PlacementTurns turns;

  /** Whether attempts go on to their end, and refusals are wanted. */
  private final boolean explained;

  /** The domains that the next member is confined to. */
  private Within within = Within.FLEET;

  /** Of the best attempt: its number, how many it placed, where, and why not the others. */
  private int best = -1;

  private int placed;
  private String domain;
  private Refusal[] refusals;
  private int tried;

  GangTurn(
      Ledger ledger, Batch batch, List<Integer> members, PlacementTurns turns, boolean explained) {
    this.ledger = ledger;
    this.batch = batch;
    this.members = members.stream().mapToInt(Integer::intValue).toArray();
    this.turns = turns;
    this.explained = explained;
    gang = batch.workload(this.members[0]).terms().gang().orElseThrow();
  }

  /** Places all members, or none. */
  boolean place() {
    return run(Integer.MAX_VALUE, NOBODY);
  }

  /**
   * Goes as far as the turn of a member in the attempt that counts, and stops there. Returns the
   * domains that the member is confined to.
   */
  Within stopAt(int member) {
    tried = 0;
    run(best, member);
    return within;
  }

  /**
   * Runs attempts; stops in one of them before the turn of a member, where it is to be explained.
   */
  private boolean run(int stopAttempt, int stopMember) {
    if (gang.within().isEmpty()) {
      int before = ledger.savepoint();
      boolean stands = attempt(0, 0, stopAttempt, stopMember, null);
      if (!stands) {
        ledger.rollBack(before);
      }
      return stands;
    }
    String name = gang.within().get();
    int level = ledger.topology().levelIndex(name);
    boolean[] without =
        new boolean
            [level < 0
                ? ledger.nodes().slotCount()
                : ledger.topology().level(level).domains().slotCount()];
    for (int attempt = 0; ; attempt++) {
      within = new Within(name, Within.ANY, without);
      if (attempt == stopAttempt && stopMember == members[0]) {
        return true;
      }
      int before = ledger.savepoint();
      if (!turns.placeMember(batch, members[0], within)) {
        if (attempt == 0) {
          record(attempt, 0, null, refusalsOfFirst());
        }
        return false;
      }
      int in =
          ledger.topology().domainOf(level, ledger.placements().nodeOf(batch.entry(members[0])));
      tried++;
      within = new Within(name, in, without);
      if (attempt(attempt, 1, stopAttempt, stopMember, ledger.topology().domainName(level, in))) {
        return true;
      }
      ledger.rollBack(before);
      without[in] = true;
    }
  }

  private Refusal[] refusalsOfFirst() {
    Refusal[] of = new Refusal[members.length];
    if (explained) {
      of[0] = turns.refusal(batch, members[0], within);
    }
    return of;
  }

  /** The turns of the members from one on; returns whether all have a node, or it was to stop. */
  private boolean attempt(int attempt, int first, int stopAttempt, int stopMember, String in) {
    Refusal[] why = new Refusal[members.length];
    int count = first;
    for (int i = first; i < members.length; i++) {
      if (attempt == stopAttempt && members[i] == stopMember) {
        return true;
      }
      if (turns.placeMember(batch, members[i], within)) {
        count++;
      } else if (explained) {
        why[i] = turns.refusal(batch, members[i], within);
      } else {
        break;
      }
    }
    if (count == members.length) {
      best = attempt;
      return true;
    }
    record(attempt, count, in, why);
    return false;
  }

  private void record(int attempt, int count, String in, Refusal[] why) {
    if (best < 0 || count > placed) {
      best = attempt;
      placed = count;
      domain = in;
      refusals = why;
    }
  }

  /** Why it was not placed, after {@link #place} has answered no. */
  GangRefusal refusal() {
    return new GangRefusal(
        gang.name(),
        members.length,
        placed,
        Optional.ofNullable(domain),
        gang.within().isEmpty() ? -1 : tried);
  }

  /** Why a member was not placed, after {@link #place} has answered no. */
  Refusal refusal(int position, int nodes) {
    Refusal own = refusals[position];
    Optional<GangRefusal> whole = Optional.of(refusal());
    return own == null
        ? new Refusal(batch.workload(members[position]).name(), nodes, List.of(), List.of(), whole)
        : new Refusal(own.workload(), own.nodes(), own.counts(), own.nearest(), whole);
  }
}
