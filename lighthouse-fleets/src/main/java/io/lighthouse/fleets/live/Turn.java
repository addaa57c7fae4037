package io.lighthouse.fleets.live;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.CallKey;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Hold;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.log.Effect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;

/**
 * One turn of a fleet: decides all waiting calls, makes their entries durable as one group, and
 * then answers. It runs in one thread; other threads only check whether it takes too long.
 */
final class Turn {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  /** The kind of an entry that changes nothing: a "no" that is kept for its key. */
  private static final String UNCHANGED = "unchanged";

  private final LiveFleet fleet;
  private final List<Pending> group;

  /** The outcome of each call, which it gets when all is durable: an answer or a throwable. */
  private final Object[] outcomes;

  /** The entries of this turn. */
  private final List<Entry> entries = new ArrayList<>();

  /** The entries of this turn that have keys. */
  private final Map<CallKey, Entry> written = new HashMap<>();

  private FleetState state;

  /** The generation before this turn, which is durable; -1 while it is not known. */
  private volatile long durable = -1;

  /** Whether a command may have left the fleet half changed. */
  private boolean broken;

  private final TurnHold hold;
  private final Decisions decisions = new Decisions();

  /** The stage of the turn, which decides what a failure means. */
  private Stage stage = Stage.DECIDING;

  private enum Stage {
    /** The store has nothing of the turn. */
    DECIDING,
    /** It is not known whether its entries are in the store. */
    WRITING,
    /** Its entries are in the store, or there were none to write. */
    DONE
  }

  Turn(LiveFleet fleet, List<Pending> group) {
    this.fleet = fleet;
    this.group = group;
    this.outcomes = new Object[group.size()];
    this.hold = new TurnHold(fleet.fleets());
  }

  int size() {
    return group.size();
  }

  /** Its decisions, of which other threads check that they end. */
  Decisions decisions() {
    return decisions;
  }

  /** What it holds in the store. */
  TurnHold hold() {
    return hold;
  }

  void run() {
    try {
      begin();
      if (state != null) {
        decideAndCommit();
      }
    } catch (Throwable bug) {
      fleet.drop();
      if (stage == Stage.DONE) {
        answerAll(); // The entries are durable, so the calls have not failed.
      } else {
        failAll(bug);
      }
    } finally {
      hold.release();
    }
  }

  /** Takes the turn in the store if a call may change the fleet; otherwise only reads the fleet. */
  private void begin() {
    try {
      StoredFleet store = fleet.stored();
      if (group.stream().anyMatch(one -> one.call().changes())) {
        state = take(store);
      } else {
        boolean asKnown = group.stream().allMatch(one -> one.call().stale());
        state = asKnown ? fleet.state() : store.now();
      }
    } catch (StoreException failed) {
      fleet.fleets().observer().storeFailed();
      LOG.log(
          System.Logger.Level.WARNING,
          "no turn of fleet ''{0}'' could begin: {1}",
          fleet.name(),
          failed.getMessage());
      failAll(new FleetException(Kind.STORE, failed.getMessage()));
    } catch (RuntimeException refused) {
      failAll(refused);
    }
  }

  private FleetState take(StoredFleet store) throws StoreException {
    try {
      return store.take(keys(), hold::take);
    } catch (FleetException refused) {
      if (refused.kind() != Kind.DAMAGED || group.stream().noneMatch(one -> one.call().deletes())) {
        throw refused;
      }
      return store.takeDamaged(refused, hold::take);
    }
  }

  /** The keys that the log may have already. */
  private Set<CallKey> keys() {
    return group.stream()
        .filter(one -> !one.call().dryRun())
        .flatMap(one -> one.call().callKey().stream())
        .collect(Collectors.toSet());
  }

  private void decideAndCommit() {
    Head before = state.head;
    durable = before.generation();
    long began = System.nanoTime();
    decisions.begin();
    for (int i = 0; i < group.size(); i++) {
      refuseOverdue(System.nanoTime());
      Pending one = group.get(i);
      try {
        outcomes[i] = one.take() ? outcome(one) : fleet.overdue();
      } catch (Throwable thrown) {
        outcomes[i] = toError(thrown, state.head.generation());
      }
      if (decisions.isAbandoned()) {
        return;
      }
      if (broken) {
        fleet.drop();
        failAll(
            outcomes[i] instanceof Throwable thrown
                ? thrown
                : new InternalErrorException("a command left a fleet half changed", null));
        return;
      }
    }
    long decided = System.nanoTime();
    stage = Stage.WRITING;
    if (!entries.isEmpty() && !commit(before)) {
      return;
    }
    stage = Stage.DONE;
    fleet
        .fleets()
        .observer()
        .turn(group.size(), entries.size(), decided - began, System.nanoTime() - decided);
    fleet.committed(this, state, !entries.isEmpty());
    hold.release();
    fleet.fleets().threads().answer(this::answerAll);
  }

  /** Decides one call; returns its answer. */
  private Answer outcome(Pending pending) throws StoreException {
    FleetCall call = pending.call();
    if (state.damage != null && !call.deletes()) {
      throw state.damage;
    }
    Optional<Entry> earlier = earlier(call);
    if (earlier.isPresent()) {
      return again(call, earlier.get());
    }
    long now = state.head.generation();
    // A call that names this very fleet repeats none on an earlier fleet of its name.
    Optional<Answer> deletion =
        call.isFor(now, state.life)
            ? Optional.empty()
            : fleet.fleets().calls().deletion(fleet.name(), call, hold.get());
    if (deletion.isPresent()) {
      return deletion.get();
    }
    if (state.head.gone()) {
      throw Fleets.noSuchFleet(fleet.name());
    }
    call.requireFor(now, state.life);
    Optional<String> doubt = call.changes() ? fleet.fleets().journal().doubt() : Optional.empty();
    if (doubt.isPresent()) {
      throw new FleetException(Kind.STORE, "nothing has changed: " + doubt.get());
    }
    Command command = call.command();
    fleet.unending().requireStrategy(call, state.distributor);
    state.noted.clear();
    Command.Reply reply;
    broken = true; // Until the decision has ended with nothing half done.
    boolean late;
    decisions.begin(pending);
    try {
      Distributor live = state.distributor;
      reply =
          call.dryRun()
              ? live.tryOut(List.of(), trial -> command.decide(view(trial)))
              : command.decide(view(live));
    } catch (RuntimeException refused) {
      broken = state.isChanged() || refused instanceof InternalErrorException;
      throw refused;
    } finally {
      late = decisions.end();
    }
    if (decisions.isAbandoned()) {
      return null;
    }
    if (late) {
      broken = state.isChanged();
      throw late();
    }
    state.requireNoted();
    boolean deletes = call.deletes();
    boolean changed = deletes || state.isChanged();
    if (changed && !call.changes()) {
      throw new InternalErrorException("a command that only asks has changed a fleet", null);
    }
    boolean kept = changed || call.last() && call.changes();
    long generation = kept ? now + 1 : now;
    broken = changed; // Where nothing has changed, an answer that has no room fails only its call.
    byte[] body = Replies.body(reply, generation, call.dryRun(), call.room(), kept);
    Answer answer = new Answer(reply.outcome(), body, generation, state.life, false);
    if (kept) {
      write(call, changed ? command.kind() : UNCHANGED, answer, deletes);
    }
    broken = false;
    return answer;
  }

  private Command.View view(Distributor distributor) {
    return new Command.View(
        distributor,
        state.where,
        state.nodes,
        state.head.generation(),
        fleet.name(),
        fleet.fleets().limits());
  }

  /** The entry of an earlier call with the same key. */
  private Optional<Entry> earlier(FleetCall call) throws StoreException {
    if (call.key().isEmpty() || call.dryRun()) {
      return Optional.empty();
    }
    CallKey key = call.callKey().get();
    Entry here = written.get(key);
    if (here != null) {
      return Optional.of(here);
    }
    Hold held = hold.get();
    return held != null
        ? held.byKey(key.token(), key.key())
        : fleet.fleets().journal().byKey(fleet.id(), key.token(), key.key());
  }

  private Answer again(FleetCall call, Entry earlier) throws StoreException {
    if (state.damage == null) { // The deletion of a damaged fleet may follow no entry of its log.
      Hold held = hold.get();
      Journal journal = fleet.fleets().journal();
      Replies.requireUnaltered(
          earlier,
          held != null ? held::entries : (after, most) -> journal.entries(fleet.id(), after, most));
    }
    if (!Arrays.equals(earlier.request(), call.key().orElseThrow().request())) {
      throw new FleetException(
          Kind.KEY_REUSED,
          "the key '"
              + call.key().get().key()
              + "' was used for another call, which made generation "
              + earlier.generation());
    }
    return Replies.replayed(call, earlier, state.life, fleet.fleets().observer());
  }

  private void write(FleetCall call, String kind, Answer answer, boolean deletes) {
    List<Change> changes = List.copyOf(state.noted);
    Optional<FleetCall.Key> key = call.key();
    Head last = state.head;
    Entry entry =
        new Entry(
                fleet.id(),
                answer.generation(),
                fleet.fleets().clock().millis(),
                call.token(),
                key.map(FleetCall.Key::key).orElse(null),
                key.map(FleetCall.Key::request).orElse(null),
                key.isPresent() ? answer.outcome().code() : 0,
                key.isPresent() ? answer.body() : null,
                Effect.of(kind, changes).toJson(),
                null)
            .chained(last.hash());
    entries.add(entry);
    call.callKey().ifPresent(one -> written.put(one, entry));
    state.follow(changes);
    state.bytes += entry.size();
    state.head = new Head(fleet.id(), fleet.name(), entry.generation(), entry.hash(), deletes);
  }

  /**
   * Makes the group durable. Where that fails, reads from the store whether the group is there, and
   * fails the calls if not. Returns whether the group is durable.
   */
  private boolean commit(Head before) {
    try {
      hold.get().append(before, entries, state.head);
      return true;
    } catch (StoreException failed) {
      fleet.fleets().observer().storeFailed();
      LOG.log(
          System.Logger.Level.WARNING,
          "the store failed, and what it holds is read anew: {0}",
          failed.getMessage());
      fleet.drop();
      if (failed.nothingWritten()) {
        failAll(new FleetException(Kind.STORE, "nothing has changed: " + failed.getMessage()));
        return false;
      }
      return isThere(failed);
    }
  }

  /**
   * Whether the store has the group. Its last entry shows that, since a group is written as a whole
   * or not at all. The store is trusted only where its report is durable; otherwise the outcome is
   * unknown.
   */
  private boolean isThere(StoreException failed) {
    hold.release();
    try {
      if (Recovery.isDurable(fleet.fleets().journal(), state.head)) {
        return true;
      }
      failAll(new FleetException(Kind.STORE, "nothing has changed: " + failed.getMessage()));
    } catch (StoreException noProof) {
      failAll(unknown(failed));
    }
    return false;
  }

  private static FleetException unknown(StoreException failed) {
    return new FleetException(
        Kind.OUTCOME_UNKNOWN,
        "whether it was done is not known; ask again, with the same Idempotency-Key: "
            + failed.getMessage());
  }

  private void answerAll() {
    for (int i = 0; i < group.size(); i++) {
      if (outcomes[i] instanceof Answer answer) {
        group.get(i).complete(answer);
      } else {
        group.get(i).fail((Throwable) outcomes[i]);
      }
    }
  }

  /**
   * Fails all calls, also those that were decided already: their effects are not durable. Where
   * memory is lacking for that, waits until there is some.
   */
  void failAll(Throwable why) {
    Throwable error = null;
    while (error == null) {
      try {
        error = toError(stage == Stage.WRITING ? brokenOff(why) : why, durable);
      } catch (OutOfMemoryError none) {
        Replies.awaitMemory();
      }
    }
    for (int i = 0; i < group.size(); i++) {
      group.get(i).fail(error);
    }
  }

  /** Why a call has failed whose write may have broken off. */
  private static Throwable brokenOff(Throwable why) {
    return why instanceof FleetException
        ? why
        : new FleetException(
            Kind.OUTCOME_UNKNOWN,
            "whether it was done is not known, since the write broke off; ask again");
  }

  /** The error for the caller, with the generation it refers to; -1 where there is none. */
  private Throwable toError(Throwable thrown, long generation) {
    if (thrown instanceof StoreException failed) {
      fleet.fleets().observer().storeFailed();
      return new FleetException(Kind.STORE, "nothing has changed: " + failed.getMessage())
          .at(generation, life());
    }
    if (thrown instanceof FleetException refused) {
      if (refused.kind().isAboutTheState()) {
        fleet.fleets().observer().conflict();
      }
      return generation < 0 || refused.generation() >= 0 ? refused : refused.at(generation, life());
    }
    if (thrown instanceof CancellationException) {
      return late();
    }
    return thrown;
  }

  private long life() {
    return state == null ? 0 : state.life;
  }

  /** The answer to a call whose decision is over its time. */
  static FleetException late() {
    return new FleetException(
        Kind.DECISION_TIMEOUT,
        "the decision did not end in the time allowed, and nothing has changed");
  }

  /** Refuses the calls that have waited for the decisions before them for the maximum time. */
  void refuseOverdue(long now) {
    if (!decisions.haveTaken(now, fleet.fleets().limits().queue().toNanos())) {
      return;
    }
    for (Pending one : group) {
      if (one.take()) {
        fleet.fleets().threads().answer(() -> one.fail(fleet.overdue()));
      }
    }
  }
}
