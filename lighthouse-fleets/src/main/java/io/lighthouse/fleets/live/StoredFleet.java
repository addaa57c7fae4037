package io.lighthouse.fleets.live;

import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.CallKey;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Hold;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A fleet as its store has it: recovers it, applies to the fleet in memory what other processes
 * wrote to a shared store, and takes the fleet's turn there. Used only in the fleet's turn, except
 * {@link #rewinds}, {@link #wasRecovered} and {@link #isDamagedAt}, which any thread may call.
 */
final class StoredFleet {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  /** The maximum number of entries that are carried out while the turn in the store is held. */
  private static final int MOST = 1_000;

  private static final int TRIES = 50;

  private final LiveFleet fleet;
  private final Journal journal;

  /** Why the stored fleet cannot be used, and its head at that time. */
  private record Damage(FleetException why, Head at) {}

  /** Null while no damage was found. */
  private volatile Damage damage;

  /** Whether it was recovered before. */
  private volatile boolean recoveredOnce;

  /** How many times the store was found to have lost durable entries. */
  private volatile int rewinds;

  StoredFleet(LiveFleet fleet) {
    this.fleet = fleet;
    this.journal = fleet.fleets().journal();
  }

  /**
   * Takes the turn in the store, with the entries of these keys; no decision is made before. Where
   * a page is malformed that their entries need, takes it without: then each is read separately.
   *
   * @param holder receives the turn as soon as it is taken, and keeps it from then on; the last one
   *     counts
   * @return the fleet as it is then
   */
  FleetState take(Collection<CallKey> keys, Consumer<Hold> holder) throws StoreException {
    FleetState state = fleet.state();
    Collection<CallKey> asked = keys;
    for (int i = 0; i < TRIES; i++) {
      long known = state.head.generation();
      Collection<CallKey> together = asked;
      Hold hold;
      try {
        hold =
            fleet
                .staleQuestions()
                .whileReading(
                    () -> {
                      Hold taken = journal.hold(fleet.id(), known, together);
                      holder.accept(taken);
                      return taken;
                    });
      } catch (StoreException failed) {
        if (!failed.isDamage()) {
          throw failed;
        }
        // A new entry may be on the malformed page: then the fleet is damaged, and can be deleted.
        state = now();
        if (state.head.generation() == known) {
          if (asked.isEmpty()) {
            throw failed;
          }
          asked = List.of();
        }
        continue;
      }
      boolean kept = false;
      try {
        Head head = journal.isShared() ? present(hold.head()) : state.head;
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
   * @param why it cannot be used
   * @param holder receives the turn as soon as it is taken, and keeps it
   * @return the damaged fleet
   */
  FleetState takeDamaged(FleetException why, Consumer<Hold> holder) throws StoreException {
    long life = fleet.life(); // Before the turn, which has a connection of its own.
    Hold hold = journal.hold(fleet.id(), Long.MAX_VALUE, List.of()); // Reads none of its entries.
    holder.accept(hold);
    FleetState state = new FleetState(why, present(hold.head()));
    state.life = life;
    return state;
  }

  /**
   * The fleet as the store has it at this moment, or later. Takes no turn in the store, so that no
   * other process has to wait.
   */
  FleetState now() throws StoreException {
    FleetState state = fleet.state();
    if (!journal.isShared()) {
      return state;
    }
    Head head = present(fleet.staleQuestions().whileReading(() -> journal.head(fleet.id())));
    if (!fleet.has(state)) {
      return fleet.state(); // A stale question did not end meanwhile, or broke the fleet.
    }
    if (head.isAt(state.head)) {
      return state;
    }
    if (head.gone()) {
      fleet.leave();
      throw Fleets.noSuchFleet(fleet.name());
    }
    if (head.generation() > state.head.generation()
        && advance(state, head, (after, most) -> journal.entries(fleet.id(), after, most))) {
      return state;
    }
    fleet.drop();
    return fleet.state(); // Notices a rewind.
  }

  /**
   * Whether the log led to the head; false also where a page of it is malformed. If not, or if this
   * throws, the fleet in memory is dropped.
   */
  private boolean advance(FleetState state, Head head, Recovery.Log log) throws StoreException {
    try {
      state.noted.clear();
      Recovery.Found found = Recovery.advance(state.distributor, state.head, head, log);
      state.requireNoted();
      state.follow(state.noted);
      state.head = head;
      state.bytes += found.bytes();
      fleet.fleets().observer().caughtUp(found.entries());
      fleet.caughtUp(state);
      return true;
    } catch (FleetException elsewhere) {
      return cannotFollow(state, elsewhere);
    } catch (StoreException failed) {
      if (failed.isDamage()) {
        return cannotFollow(state, failed);
      }
      fleet.drop();
      throw failed;
    } catch (Throwable failed) {
      fleet.drop();
      throw failed;
    }
  }

  private boolean cannotFollow(FleetState state, Exception why) {
    fleet.drop();
    LOG.log(
        System.Logger.Level.WARNING,
        "fleet ''{0}'' at generation {1} cannot follow its log, and is recovered: {2}",
        fleet.name(),
        state.head.generation(),
        why.getMessage());
    return false;
  }

  /** Whether it was recovered before, so that its last known state is one that it had. */
  boolean wasRecovered() {
    return recoveredOnce;
  }

  /** Whether an attempt to recover it from this head has found it damaged. */
  boolean isDamagedAt(Head head) {
    return damage(head).isPresent();
  }

  private Optional<FleetException> damage(Head head) {
    return Optional.ofNullable(damage).filter(found -> head.isAt(found.at)).map(Damage::why);
  }

  /** Recovers the fleet. */
  FleetState recover() throws StoreException {
    Head head = present(journal.head(fleet.id()));
    try {
      return recover(head);
    } catch (StoreException failed) {
      if (!failed.isDamage()) {
        throw failed;
      }
      FleetException why = Recovery.damaged(fleet.name(), failed.getMessage());
      if (!journal.isShared()) { // A database may fail over to a server whose page is sound.
        damage = new Damage(why, head);
      }
      throw why;
    }
  }

  private FleetState recover(Head head) throws StoreException {
    long began = System.nanoTime();
    noticeRewind(head);
    if (head.gone()) {
      fleet.leave();
      throw Fleets.noSuchFleet(fleet.name());
    }
    Optional<FleetException> known = damage(head);
    if (known.isPresent()) {
      throw known.get(); // It is not repaired while it is open: no second attempt.
    }
    Recovery.Found found;
    try {
      found = Recovery.recover(journal, head, fleet.fleets().engine());
      requireKeys(found.snapshot());
    } catch (FleetException unusable) {
      if (!journal.isShared() || isEachSnapshotRead()) {
        damage = new Damage(unusable, head);
      }
      throw unusable;
    }
    FleetState recovered = new FleetState(found.distributor(), head);
    recovered.life = fleet.life();
    recovered.bytes = found.bytes();
    recovered.snapshot = found.snapshot();
    recovered.snapshotBytes = found.snapshotBytes();
    recoveredOnce = true;
    fleet.fleets().observer().recovered(found.entries(), System.nanoTime() - began);
    return recovered;
  }

  /** Whether no snapshot has a malformed page, for which recovery passes it over. */
  private boolean isEachSnapshotRead() throws StoreException {
    return journal.snapshots(fleet.id()).stream().allMatch(saved -> saved.body() != null);
  }

  /**
   * Throws where a call after a generation would be carried out again if it is repeated: its entry
   * is not found.
   */
  private void requireKeys(long after) throws StoreException {
    Optional<String> hidden = journal.hidden(fleet.id(), after);
    if (hidden.isPresent()) {
      throw Recovery.damaged(fleet.name(), "the index 'entry_key' " + hidden.get());
    }
  }

  /**
   * The head of this fleet, if the store still has the fleet. In a store that has gone back,
   * another fleet may have its number.
   */
  private Head present(Optional<Head> found) {
    return found.filter(head -> head.name().equals(fleet.name())).orElseThrow(this::missing);
  }

  private FleetException missing() {
    String words = "fleet '" + fleet.name() + "' is not in the store any more";
    if (!journal.isShared()) {
      return new FleetException(Kind.DAMAGED, words);
    }
    LOG.log(
        System.Logger.Level.ERROR,
        "{0}, and was not deleted: the store has gone back, as to a backup",
        words);
    rewound();
    fleet.leave();
    return Fleets.noSuchFleet(fleet.name());
  }

  /**
   * Checks whether a shared store has lost durable entries, and if so, counts and logs it. The last
   * durable head is known, even if the fleet in memory was dropped.
   */
  private void noticeRewind(Head found) throws StoreException {
    Head mine = fleet.known().head();
    if (!journal.isShared() || !isRewound(mine, found)) {
      return;
    }
    rewound();
    LOG.log(
        System.Logger.Level.ERROR,
        "fleet ''{0}'' was at generation {1}, and the store has it at {2} with another past: what it"
            + " had said was durable is lost, as when a standby is promoted that was behind",
        fleet.name(),
        mine.generation(),
        found.generation());
    fleet.goBackTo(found); // So it is reported once.
  }

  /**
   * Whether the store has another entry at the fleet's generation, or is before it. The log of a
   * deleted fleet is deleted in time, so that its entries may be missing.
   */
  private boolean isRewound(Head mine, Head found) throws StoreException {
    List<Entry> there = journal.entries(fleet.id(), mine.generation() - 1, 1);
    return there.isEmpty()
        ? found.generation() < mine.generation()
        : there.get(0).generation() == mine.generation()
            && !Arrays.equals(there.get(0).hash(), mine.hash());
  }

  /** Counts that the store has lost durable entries. */
  private void rewound() {
    rewinds++; // In the fleet's turn, or while a fleet that is new here is recovered.
    fleet.fleets().observer().rewound();
  }

  int rewinds() {
    return rewinds;
  }
}
