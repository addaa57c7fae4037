package io.lighthouse.fleets;

import io.lighthouse.fleets.store.CallKey;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Hold;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Applies to a fleet in memory the entries that other processes wrote to a shared store, and takes
 * the fleet's turn there. Used only in the fleet's turn.
 */
final class CatchUp {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  /** The maximum number of entries that are carried out while the turn in the store is held. */
  static final int MOST = 1_000;

  private static final int TRIES = 50;

  private final LiveFleet fleet;
  private final Journal journal;

  CatchUp(LiveFleet fleet) {
    this.fleet = fleet;
    this.journal = fleet.fleets().journal();
  }

  /**
   * Takes the turn in the store, with the entries of these keys; no decision is made before.
   *
   * @param holder receives the turn as soon as it is taken, and keeps it from then on; the last one
   *     counts
   * @return the fleet as it is then
   */
  LiveFleet.State take(Collection<CallKey> keys, Consumer<Hold> holder) throws StoreException {
    LiveFleet.State state = fleet.state();
    for (int i = 0; i < TRIES; i++) {
      long known = state.head.generation();
      Hold hold =
          fleet.atRest(
              () -> {
                Hold taken = journal.hold(fleet.id(), known, keys);
                holder.accept(taken);
                return taken;
              });
      boolean kept = false;
      try {
        Head head = journal.isShared() ? fleet.present(hold.head()) : state.head;
        long behind = head.generation() - state.head.generation();
        if (fleet.has(state)
            && !head.gone()
            && (head.isAt(state.head)
                || behind > 0 && behind <= MOST && advance(state, head, hold::entries))) {
          kept = true;
          return state;
        }
      } finally {
        if (!kept) {
          hold.close();
        }
      }
      state = now(); // Other processes may write meanwhile.
    }
    throw new StoreException(
        "fleet '" + fleet.name() + "' is written to faster than this service can follow", null);
  }

  /**
   * Takes the turn of a damaged fleet in the store, so that it can be deleted.
   *
   * @param damage why it cannot be used
   * @param holder receives the turn as soon as it is taken, and keeps it
   * @return the damaged fleet
   */
  LiveFleet.State takeDamaged(FleetException damage, Consumer<Hold> holder) throws StoreException {
    Hold hold = journal.hold(fleet.id(), Long.MAX_VALUE, List.of()); // Reads none of its entries.
    holder.accept(hold);
    LiveFleet.State state = new LiveFleet.State(damage, fleet.present(hold.head()));
    state.life = fleet.life();
    return state;
  }

  /**
   * The fleet as the store has it at this moment, or later. Takes no turn in the store, so that no
   * other process has to wait.
   */
  LiveFleet.State now() throws StoreException {
    LiveFleet.State state = fleet.state();
    if (!journal.isShared()) {
      return state;
    }
    Head head = fleet.present(fleet.atRest(() -> journal.head(fleet.id())));
    if (!fleet.has(state)) {
      return fleet.state(); // A stale question did not end meanwhile, or broke the fleet.
    }
    if (head.isAt(state.head)) {
      return state;
    }
    if (head.gone()) {
      fleet.leave();
      throw fleet.gone();
    }
    if (head.generation() > state.head.generation()
        && advance(state, head, (after, most) -> journal.entries(fleet.id(), after, most))) {
      return state;
    }
    fleet.drop();
    return fleet.state(); // Notices a rewind.
  }

  /** Whether the log led to the head; if not, the fleet in memory is dropped. */
  private boolean advance(LiveFleet.State state, Head head, Recovery.Log log)
      throws StoreException {
    boolean done = false;
    try {
      state.noted.clear();
      Recovery.Found found = Recovery.advance(state.distributor, state.head, head, log);
      state.follow(state.noted);
      state.head = head;
      state.bytes += found.bytes();
      fleet.fleets().observer().caughtUp(found.entries());
      fleet.caughtUp(state);
      done = true;
      return true;
    } catch (FleetException elsewhere) {
      LOG.log(
          System.Logger.Level.WARNING,
          "fleet ''{0}'' at generation {1} cannot follow its log, and is recovered: {2}",
          fleet.name(),
          state.head.generation(),
          elsewhere.getMessage());
      return false;
    } finally {
      if (!done) {
        fleet.drop();
      }
    }
  }

  /**
   * Whether the store has another entry at the fleet's generation, or no entry of that generation
   * or later.
   */
  private boolean isRewound(Head mine) throws StoreException {
    List<Entry> there = journal.entries(fleet.id(), mine.generation() - 1, 1);
    return there.isEmpty()
        || there.get(0).generation() == mine.generation()
            && !Arrays.equals(there.get(0).hash(), mine.hash());
  }

  /**
   * Checks whether a shared store has lost durable entries; if so, counts and logs it.
   *
   * @return whether it has
   */
  boolean noticeRewind(Head mine, Head found) throws StoreException {
    if (!journal.isShared() || !isRewound(mine)) {
      return false;
    }
    fleet.rewound();
    LOG.log(
        System.Logger.Level.ERROR,
        "fleet ''{0}'' was at generation {1}, and the store has it at {2} with another past: what it"
            + " had said was durable is lost, as when a standby is promoted that was behind",
        fleet.name(),
        mine.generation(),
        found.generation());
    return true;
  }
}
