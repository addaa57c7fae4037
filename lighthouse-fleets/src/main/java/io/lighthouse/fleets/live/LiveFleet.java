package io.lighthouse.fleets.live;

import io.lighthouse.api.error.Plural;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.StoreException;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** One fleet: the queue of its calls, and its turns, one at a time. */
final class LiveFleet {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  private final Fleets fleets;
  private final long id;
  private final String name;
  private final StoredFleet stored;
  private final StaleQuestions staleQuestions = new StaleQuestions(this);
  private final SnapshotWriter snapshots = new SnapshotWriter(this);
  private final Watchers watchers = new Watchers();

  /**
   * A list, since an {@link java.util.ArrayDeque} loses its calls where memory ends while it grows.
   * Guarded by this, as are the next four fields.
   */
  private final Deque<Pending> queue = new LinkedList<>();

  private boolean running;
  private Turn turn;

  /** The turn of stale questions beside a turn that waits for the store; guarded by this. */
  private Turn staleTurn;

  /** Null where the fleet is to be recovered before it is used. */
  private FleetState state;

  /** Made in advance, as memory may be lacking when calls wait; so is the next one. */
  private final Runnable turns = () -> takeTurns(false);

  private final Runnable staleTurns = () -> takeTurns(true);

  private volatile FleetState.Known known;

  private final UnendingDecisions unending;

  LiveFleet(Fleets fleets, Head head) {
    this.fleets = fleets;
    this.id = head.fleet();
    this.name = head.name();
    this.known = new FleetState.Known(head, 0, 0);
    this.stored = new StoredFleet(this);
    this.unending = new UnendingDecisions(name);
  }

  String name() {
    return name;
  }

  long id() {
    return id;
  }

  FleetState.Known known() {
    return known;
  }

  /** The number of this fleet if its name had an earlier fleet; else 0. Reads the store. */
  long life() throws StoreException {
    return fleets.journal().isFirst(name, id) ? 0 : id;
  }

  Fleets fleets() {
    return fleets;
  }

  StoredFleet stored() {
    return stored;
  }

  StaleQuestions staleQuestions() {
    return staleQuestions;
  }

  Watchers watchers() {
    return watchers;
  }

  UnendingDecisions unending() {
    return unending;
  }

  /** Puts a call into the queue; its answer comes when everything that it reports is durable. */
  CompletableFuture<Answer> submit(FleetCall call) {
    return submit(new Pending(call, new CompletableFuture<>()));
  }

  /** The same with a future of the caller's. */
  CompletableFuture<Answer> submit(Pending pending) {
    boolean starts;
    synchronized (this) {
      if (isFull()) {
        String most = "the limit of " + Plural.of(queue.size(), "waiting call");
        throw new FleetException(
            Kind.OVERLOAD, most + " for fleet '" + name + "' is reached; try again");
      }
      queue.add(pending);
      try {
        fleets.waitingCalls().begin();
      } catch (Throwable refused) {
        queue.removeLast();
        throw refused;
      }
      starts = !running;
      running = true;
    }
    if (starts) {
      try {
        start();
      } catch (Throwable failed) {
        withdraw(pending);
        throw failed;
      }
    }
    if (isStale(pending)) {
      staleQuestions.answer();
    }
    return pending.answer();
  }

  /** Whether as many calls wait for it as may. */
  synchronized boolean isFull() {
    return queue.size() >= fleets.limits().waitingOfOne();
  }

  /** Its caller gets an error now, so it is not to be carried out later. */
  private void withdraw(Pending pending) {
    boolean there;
    synchronized (this) {
      there = queue.remove(pending);
    }
    if (there) {
      fleets.waitingCalls().end(1);
    }
  }

  /** Whether a call of a shared store is answered without that store. */
  private boolean isStale(Pending pending) {
    return pending.call().needsMemoryOnly() && fleets.journal().isShared();
  }

  /** Whether a state is that of the fleet in memory still. */
  synchronized boolean has(FleetState one) {
    return state == one;
  }

  /** Reads from the store. */
  interface Reading<T> {
    /** Reads. */
    T read() throws StoreException;
  }

  /** Whether a stale question waits that can be answered from memory. */
  synchronized boolean isStaleWaiting() {
    return state != null && queue.stream().anyMatch(this::isStale);
  }

  /** Starts a thread that answers stale questions; false where none is there. */
  boolean beginStaleTurns() {
    return fleets.threads().begin(staleTurns);
  }

  /** Begins the turn of the first stale question. */
  synchronized Turn takeStale() {
    staleTurn = take(this::isStale, 1);
    return staleTurn;
  }

  /**
   * A turn of the first calls of a kind. They leave the queue when it is made, so that none is lost
   * for lack of memory.
   */
  private synchronized Turn take(Predicate<Pending> wanted, int most) {
    List<Pending> group = new ArrayList<>();
    Iterator<Pending> waiting = queue.iterator();
    while (group.size() < most && waiting.hasNext()) {
      Pending one = waiting.next();
      if (wanted.test(one)) {
        group.add(one);
      }
    }
    Turn made = new Turn(this, group);
    for (Pending one : group) {
      queue.remove(one);
    }
    return made;
  }

  /**
   * Starts a thread that takes the turns. Where none can be started, all waiting calls are refused.
   */
  private void start() {
    if (!fleets.threads().begin(turns)) {
      stop();
      refuseAll(fleets.noThread("fleet '" + name + "'"));
    }
  }

  /**
   * No thread takes turns any more; the next call starts one again. Called before the refusal is
   * made, as memory may be lacking for it.
   */
  private synchronized void stop() {
    running = false;
  }

  /** Refuses all waiting calls. */
  private void refuseAll(FleetException why) {
    refuse(one -> true, why);
  }

  /** Refuses the first waiting calls, as far as they are of a kind. */
  private void refuse(Predicate<Pending> kind, FleetException why) {
    for (Pending one = poll(kind); one != null; one = poll(kind)) {
      fleets.waitingCalls().end(1);
      one.fail(why);
    }
  }

  private synchronized Pending poll(Predicate<Pending> kind) {
    return isFirst(kind) ? queue.poll() : null;
  }

  /** Whether a call waits, and the first one is of a kind. */
  private synchronized boolean isFirst(Predicate<Pending> kind) {
    return !queue.isEmpty() && kind.test(queue.peek());
  }

  /**
   * Takes one turn after the other, as long as calls wait; or answers stale questions, until there
   * are none or the store has answered.
   */
  private void takeTurns(boolean ofStale) {
    Turn mine = null;
    try {
      for (mine = next(ofStale); mine != null; mine = next(ofStale)) {
        fleets.waitingCalls().end(mine.size());
        mine.run();
        if (!isOver(mine)) {
          return; // The turn was abandoned, and another thread takes the next ones.
        }
        mine = null;
      }
    } catch (Throwable failed) {
      // The turn itself failed, such as for lack of memory: the next call recovers the fleet from
      // the store.
      drop();
      if (mine == null || isOver(mine)) {
        breakOff(ofStale);
      }
      throw failed;
    }
  }

  private Turn next(boolean ofStale) {
    return ofStale ? staleQuestions.next() : next();
  }

  private void breakOff(boolean ofStale) {
    if (ofStale) {
      staleQuestions.end();
      return;
    }
    stop();
    refuseAll(
        new FleetException(Kind.OVERLOAD, "a turn of fleet '" + name + "' failed; try again"));
  }

  /**
   * Begins the next turn; null where no call waits, and then the thread takes no more turns. Stale
   * questions have turns of their own, or are answered while a turn waits for the store.
   */
  private synchronized Turn next() {
    if (queue.isEmpty()) {
      running = false;
      return null;
    }
    boolean onlyStale = queue.stream().allMatch(this::isStale);
    turn = take(one -> onlyStale || !isStale(one), fleets.limits().turn());
    return turn;
  }

  /** Ends a turn; false where it was abandoned before. */
  private synchronized boolean isOver(Turn mine) {
    if (turn == mine) {
      turn = null;
    } else if (staleTurn == mine) {
      staleTurn = null;
    } else {
      return false;
    }
    return true;
  }

  /**
   * Recovers the fleet before its first turn. Calls that are submitted meanwhile wait. Does nothing
   * where a turn runs, since that recovers the fleet.
   */
  void recover() throws StoreException {
    synchronized (this) {
      if (running) {
        return;
      }
      running = true;
    }
    try {
      state();
    } finally {
      boolean starts;
      synchronized (this) {
        starts = !queue.isEmpty();
        running = starts;
      }
      if (starts) {
        start();
      }
    }
  }

  /** The fleet in memory, recovered where it must be. Called only while {@link #running}. */
  FleetState state() throws StoreException {
    synchronized (this) {
      if (state != null) {
        return state;
      }
    }
    FleetState recovered = stored.recover();
    synchronized (this) {
      state = recovered;
      known = recovered.known();
    }
    return recovered;
  }

  /**
   * Removes the fleet, which was deleted or is not in the store any more; notifies the watchers.
   */
  void leave() {
    fleets.remove(this);
    drop();
    watchers.call();
  }

  /** Drops the fleet in memory; it is recovered when it is needed. */
  synchronized void drop() {
    state = null;
  }

  /** Entries that other processes wrote were carried out. */
  void caughtUp(FleetState at) {
    synchronized (this) {
      known = at.known();
    }
    watchers.call();
  }

  /** The store has lost durable entries, and has this head. */
  void goBackTo(Head head) {
    known = new FleetState.Known(head, known.nodes(), known.workloads());
  }

  /** A turn's entries are durable. */
  void committed(Turn by, FleetState at, boolean wrote) {
    synchronized (this) {
      if (turn != by) {
        return;
      }
      known = at.known();
    }
    if (wrote) {
      watchers.call();
    }
    if (at.head.gone()) {
      fleets.remove(this);
      drop();
    } else {
      snapshots.beginWhereDue(at);
    }
  }

  /** Ends what takes too long: calls that wait in the queue, and a decision. */
  void checkDeadlines(long now) {
    refuseOverdue(now);
    unending.urge();
    Turn present;
    Turn stale;
    synchronized (this) {
      present = turn;
      stale = staleTurn;
    }
    if (stale != null) {
      checkDeadlines(stale, now);
    }
    if (present != null) {
      checkDeadlines(present, now);
    }
  }

  private void checkDeadlines(Turn present, long now) {
    present.refuseOverdue(now);
    Pending late = present.decisions().newlyOverdue(now, fleets.limits().decision().toNanos());
    if (late != null) {
      fleets.threads().answer(() -> late.fail(Turn.late()));
    }
    if (present.decisions().isUnending()) {
      giveUp(present);
    } else {
      present.hold().keepIfQuiet(now);
    }
  }

  /** Refuses the calls that have waited in the queue for the maximum time. */
  private void refuseOverdue(long now) {
    long most = fleets.limits().queue().toNanos();
    Predicate<Pending> overdue = one -> one.hasWaited(now, most);
    if (isFirst(overdue)) {
      FleetException why = overdue();
      fleets.threads().answer(() -> refuse(overdue, why));
    }
  }

  /** The refusal of a call that has waited for the maximum time. */
  FleetException overdue() {
    return new FleetException(
        Kind.OVERLOAD,
        "the call waited "
            + fleets.limits().queue().toMillis()
            + " ms for its decision on fleet '"
            + name
            + "', as long as it may; nothing has changed, try again");
  }

  /**
   * Abandons a turn whose thread does not end: its calls are refused, and another thread takes the
   * next turns.
   */
  private void giveUp(Turn lost) {
    FleetException why = // First, as memory may be lacking; so are the next two.
        new FleetException(
            Kind.DECISION_TIMEOUT,
            "a decision of the same turn did not end; nothing has changed, try again");
    Runnable answers = () -> lost.failAll(why);
    Runnable release = lost.hold()::release;
    boolean beside;
    synchronized (this) {
      beside = staleTurn == lost;
      if (turn != lost && !beside || !unending.abandon(lost.decisions())) {
        return;
      }
      state = null;
      isOver(lost);
    }
    fleets.threads().answer(answers);
    if (beside) {
      staleQuestions.end();
    } else {
      fleets.threads().begin(release);
      start();
    }
    LOG.log(
        System.Logger.Level.ERROR,
        "a decision of fleet ''{0}'' does not end: its thread is left to itself, and the fleet is"
            + " recovered from the store",
        name);
  }

  /** Refuses all waiting calls. */
  void close() {
    refuseAll(Fleets.closing());
    watchers.call();
  }
}
