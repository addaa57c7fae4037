package io.lighthouse.fleets;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/** One fleet: the queue of its calls, and its turns, one at a time. */
final class LiveFleet {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  /** The origin of the built-in strategies, which end when they are interrupted. */
  private static final String BUILT_IN = "class io.lighthouse.strategies.";

  /** A call that waits for its decision, and its future answer. Thread-safe. */
  static final class Pending {
    private final FleetCall call;
    private final CompletableFuture<Answer> answer;
    private final long since = System.nanoTime();

    /**
     * Set by its turn, which decides the call, or by the deadline of the queue, whichever is first.
     */
    private final AtomicBoolean taken = new AtomicBoolean();

    Pending(FleetCall call, CompletableFuture<Answer> answer) {
      this.call = call;
      this.answer = answer;
    }

    FleetCall call() {
      return call;
    }

    CompletableFuture<Answer> answer() {
      return answer;
    }

    /** Whether its decision may begin: false where it was refused for waiting too long. */
    boolean take() {
      return taken.compareAndSet(false, true);
    }

    /** Whether it has waited for {@code nanos}. */
    boolean hasWaited(long now, long nanos) {
      return now - since >= nanos;
    }

    void fail(Throwable why) {
      Fleets.refuse(answer, why);
    }
  }

  /** The fleet in memory. Used only in the fleet's turn. */
  static final class State implements Change.SomeCases<Void> {
    /** Null where the fleet is damaged. */
    final Distributor distributor;

    /** Why the fleet can only be deleted; null where it can be used. */
    final FleetException damage;

    /** The newest entry that the distributor has carried out. */
    Head head;

    /** The node of every workload. */
    final Map<String, String> where = new HashMap<>();

    /** How many nodes there are. */
    int nodes;

    /** What the command that is being decided has changed; its listener fills it. */
    final List<Change> noted = new ArrayList<>();

    /** The {@link Answer#life} of the fleet. */
    long life;

    /** The size in bytes of the entries after the newest snapshot. */
    long bytes;

    /** The generation of the newest known snapshot. */
    long snapshot;

    /** The size in bytes of the newest snapshot, not compressed. */
    long snapshotBytes;

    /** A damaged fleet. */
    State(FleetException damage, Head head) {
      this.distributor = null;
      this.damage = damage;
      this.head = head;
    }

    State(Distributor distributor, Head head) {
      this.distributor = distributor;
      this.damage = null;
      this.head = head;
      for (NodeState node : distributor.snapshot().nodes()) {
        nodes++;
        for (Workload workload : node.workloads()) {
          where.put(workload.name(), node.name());
        }
      }
      distributor.onChange((generation, changes) -> noted.addAll(changes));
    }

    Known known() {
      return new Known(head, nodes, where.size());
    }

    /** Updates the nodes of the workloads, and the number of nodes, after changes. */
    void follow(List<Change> changes) {
      changes.forEach(change -> change.match(this));
    }

    @Override
    public Void assign(Change.Assign assign) {
      where.put(assign.workload().name(), assign.node());
      return null;
    }

    @Override
    public Void move(Change.Move move) {
      where.put(move.workload(), move.to());
      return null;
    }

    @Override
    public Void release(Change.Release release) {
      where.remove(release.workload());
      return null;
    }

    @Override
    public Void addNode(Change.AddNode add) {
      nodes++;
      return null;
    }

    @Override
    public Void removeNode(Change.RemoveNode remove) {
      nodes--;
      return null;
    }

    @Override
    public Void other(Change other) {
      return null;
    }
  }

  /** The published facts of a fleet: all of them are durable. */
  record Known(Head head, int nodes, int workloads) {}

  private final Fleets fleets;
  private final long id;
  private final String name;
  private final List<Runnable> watchers = new CopyOnWriteArrayList<>();

  /** Guarded by this, as are the next four fields. */
  private final Deque<Pending> queue = new ArrayDeque<>();

  private boolean running;
  private Turn turn;

  /** The turn of stale questions beside a turn that waits for the store; guarded by this. */
  private Turn staleTurn;

  /** Null where the fleet is to be recovered before it is used. */
  private State state;

  /** Made in advance, as memory may be lacking when calls wait; so are the next two. */
  private final Runnable turns = () -> takeTurns(false);

  private final Runnable staleTurns = () -> takeTurns(true);

  private final Runnable poll = this::ask;

  private final Object rest = new Object();

  /** Whether a turn waits for a shared store before it changes anything; guarded by rest. */
  private boolean atRest;

  /** Whether a thread answers stale questions meanwhile; guarded by rest. */
  private boolean answersStale;

  private volatile Known known;

  /** The turns whose decision was given up and still runs; guarded by this. */
  private final List<Turn> unending = new ArrayList<>();

  /** Why the stored fleet cannot be used, and its head at that time. */
  private record Damage(FleetException why, Head at) {}

  /** Null while no damage was found. */
  private volatile Damage damage;

  /** A snapshot is being written. */
  private volatile boolean saving;

  /** How many times the store was found to have lost durable entries. */
  private volatile int rewinds;

  /** The head of the fleet in a shared store when a poll last notified the watchers. */
  private Head told;

  private boolean asking;

  LiveFleet(Fleets fleets, Head head) {
    this.fleets = fleets;
    this.id = head.fleet();
    this.name = head.name();
    this.known = new Known(head, 0, 0);
  }

  String name() {
    return name;
  }

  long id() {
    return id;
  }

  Known known() {
    return known;
  }

  /** The number of this fleet if its name had an earlier fleet; else 0. Reads the store. */
  long life() throws StoreException {
    return fleets.journal().isFirst(name, id) ? 0 : id;
  }

  /**
   * Refuses a call that uses the strategy while an earlier decision of its kind does not end. Dry
   * runs and calls that change the fleet are different kinds, so that no dry run blocks a change.
   * Once the earlier decision has ended, the strategy is used again.
   */
  void requireStrategy(FleetCall call, Distributor distributor) {
    boolean runs;
    synchronized (this) {
      runs = unending.stream().anyMatch(turn -> turn.asksStrategy(call.changes()));
    }
    if (!call.command().asksStrategy() || !runs) {
      return;
    }
    String until =
        " of fleet '" + name + "' did not end when it was interrupted, and still runs; until then ";
    throw distributor.strategy().origin().startsWith(BUILT_IN)
        ? new FleetException(
            Kind.OVERLOAD, "a decision" + until + "its strategy is busy; try again")
        : new FleetException(
            Kind.STRATEGY_REFUSED,
            "a decision"
                + until
                + "its strategy is refused; the fleet can be read, and workloads released and"
                + " moved");
  }

  Fleets fleets() {
    return fleets;
  }

  /** Calls a watcher after every turn that wrote something, and when other processes wrote. */
  void watch(Runnable watcher) {
    watchers.add(watcher);
  }

  void watchNoMore(Runnable watcher) {
    watchers.remove(watcher);
  }

  /** Puts a call into the queue; its answer comes when everything that it reports is durable. */
  CompletableFuture<Answer> submit(FleetCall call) {
    return submit(new Pending(call, new CompletableFuture<>()));
  }

  /** The same with a future of the caller's. */
  CompletableFuture<Answer> submit(Pending pending) {
    boolean starts;
    synchronized (this) {
      int most = fleets.limits().waitingOfOne();
      if (queue.size() >= most) {
        throw new FleetException(
            Kind.OVERLOAD,
            "the " + most + " calls wait that may wait for fleet '" + name + "'; try again");
      }
      queue.add(pending);
      boolean counted = false;
      try {
        fleets.beginWaiting();
        counted = true;
      } finally {
        if (!counted) {
          queue.removeLast();
        }
      }
      starts = !running;
      running = true;
    }
    if (starts) {
      boolean started = false;
      try {
        start();
        started = true;
      } finally {
        if (!started) {
          withdraw(pending);
        }
      }
    }
    if (isStale(pending)) {
      answerStale();
    }
    return pending.answer();
  }

  /** Its caller gets an error now, so it is not to be carried out later. */
  private void withdraw(Pending pending) {
    boolean there;
    synchronized (this) {
      there = queue.remove(pending);
    }
    if (there) {
      fleets.taken(1);
    }
  }

  /** Whether a call of a shared store is answered without that store. */
  private boolean isStale(Pending pending) {
    return pending.call().needsMemoryOnly() && fleets.journal().isShared();
  }

  /** Whether a state is that of the fleet in memory still. */
  synchronized boolean has(State one) {
    return state == one;
  }

  /** Reads from the store. */
  interface Reading<T> {
    /** Reads. */
    T read() throws StoreException;
  }

  /**
   * Reads from the store in a turn that has changed nothing yet. Meanwhile stale questions are
   * answered in another thread, as all of the fleet in memory is durable.
   */
  <T> T atRest(Reading<T> reading) throws StoreException {
    if (!fleets.journal().isShared()) {
      return reading.read();
    }
    synchronized (rest) {
      atRest = true;
    }
    try {
      answerStale();
      return reading.read();
    } finally {
      endRest();
    }
  }

  /** Waits for the stale question that is being answered; its limits end it. */
  private void endRest() {
    boolean interrupted = false;
    synchronized (rest) {
      atRest = false;
      while (answersStale) {
        try {
          rest.wait();
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Starts a thread that answers the stale questions, if a turn waits for the store. Where there is
   * no thread, they wait for that turn.
   */
  private void answerStale() {
    synchronized (rest) {
      if (!atRest || answersStale || !isStaleWaiting()) {
        return;
      }
      answersStale = true;
    }
    if (!fleets.begin(staleTurns)) {
      endStale();
    }
  }

  private synchronized boolean isStaleWaiting() {
    return state != null && queue.stream().anyMatch(this::isStale);
  }

  private void endStale() {
    synchronized (rest) {
      answersStale = false;
      rest.notifyAll();
    }
  }

  /**
   * Begins the turn of the next stale question; null where the thread takes no more of them. It is
   * one, so that the turn that waits for the store waits for one at most.
   */
  private Turn nextStale() {
    synchronized (rest) {
      if (!atRest || !isStaleWaiting()) {
        endStale();
        return null;
      }
      synchronized (this) {
        staleTurn = take(this::isStale, 1);
        return staleTurn;
      }
    }
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
    if (!fleets.begin(turns)) {
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
      fleets.taken(1);
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
    boolean ended = false;
    Turn mine = null;
    try {
      for (mine = next(ofStale); mine != null; mine = next(ofStale)) {
        fleets.taken(mine.size());
        mine.run();
        if (!isOver(mine)) {
          ended = true;
          return; // The turn was abandoned, and another thread takes the next ones.
        }
        mine = null;
      }
      ended = true;
    } finally {
      if (!ended) {
        // The turn itself failed, such as for lack of memory: the next call recovers the fleet from
        // the store.
        drop();
        if (mine == null || isOver(mine)) {
          breakOff(ofStale);
        }
      }
    }
  }

  private Turn next(boolean ofStale) {
    return ofStale ? nextStale() : next();
  }

  private void breakOff(boolean ofStale) {
    if (ofStale) {
      endStale();
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
  State state() throws StoreException {
    synchronized (this) {
      if (state != null) {
        return state;
      }
    }
    long began = System.nanoTime();
    Head head = present(fleets.journal().head(id));
    // The last durable head is still known, even if the state in memory was dropped.
    if (new CatchUp(this).noticeRewind(known.head(), head)) {
      known = new Known(head, known.nodes(), known.workloads()); // So it is reported once.
    }
    if (head.gone()) {
      leave();
      throw gone();
    }
    Damage before = damage;
    if (before != null && head.isAt(before.at)) {
      throw before.why; // It is not repaired while it is open: no second attempt.
    }
    Recovery.Found found;
    try {
      found = Recovery.recover(fleets.journal(), head, fleets.engine());
    } catch (FleetException unusable) {
      damage = new Damage(unusable, head);
      throw unusable;
    }
    State recovered = new State(found.distributor(), head);
    recovered.life = life();
    recovered.bytes = found.bytes();
    recovered.snapshot = found.snapshot();
    recovered.snapshotBytes = found.snapshotBytes();
    fleets.observer().recovered(found.entries(), System.nanoTime() - began);
    synchronized (this) {
      state = recovered;
      known = recovered.known();
    }
    return recovered;
  }

  /**
   * The head of this fleet, if the store still has the fleet. In a store that has gone back,
   * another fleet may have its number.
   */
  Head present(Optional<Head> found) {
    return found.filter(head -> head.name().equals(name)).orElseThrow(this::missing);
  }

  private FleetException missing() {
    String words = "fleet '" + name + "' is not in the store any more";
    if (!fleets.journal().isShared()) {
      return new FleetException(Kind.DAMAGED, words);
    }
    LOG.log(
        System.Logger.Level.ERROR,
        "{0}, and was not deleted: the store has gone back, as to a backup",
        words);
    rewound();
    leave();
    return gone();
  }

  /**
   * Removes the fleet, which was deleted or is not in the store any more; notifies the watchers.
   */
  void leave() {
    fleets.remove(this);
    drop();
    tellWatchers();
  }

  FleetException gone() {
    return Fleets.noSuchFleet(name);
  }

  /** Drops the fleet in memory; it is recovered when it is needed. */
  synchronized void drop() {
    state = null;
  }

  /** Entries that other processes wrote were carried out. */
  void caughtUp(State at) {
    synchronized (this) {
      known = at.known();
    }
    tellWatchers();
  }

  /** Counts that the store has lost durable entries. */
  void rewound() {
    rewinds++; // In the fleet's turn, or while a fleet that is new here is recovered.
    fleets.observer().rewound();
  }

  int rewinds() {
    return rewinds;
  }

  /** Where the fleet is watched, checks whether other processes have written to a shared store. */
  void poll() {
    synchronized (this) {
      if (watchers.isEmpty() || asking) {
        return;
      }
      asking = true;
    }
    if (!fleets.begin(poll)) {
      endAsking();
    }
  }

  private void ask() {
    try {
      Optional<Head> head = fleets.journal().head(id);
      boolean moved = head.isPresent() && (told == null || !head.get().isAt(told));
      told = head.orElse(told);
      if (moved) {
        tellWatchers();
      }
    } catch (StoreException away) {
      LOG.log(System.Logger.Level.DEBUG, "fleet ''{0}'' could not be asked for", name);
    } finally {
      endAsking();
    }
  }

  private synchronized void endAsking() {
    asking = false;
  }

  /** A turn's entries are durable. */
  void committed(Turn by, State at, boolean wrote) {
    synchronized (this) {
      if (turn != by) {
        return;
      }
      known = at.known();
    }
    if (wrote) {
      tellWatchers();
    }
    if (at.head.gone()) {
      fleets.remove(this);
      drop();
    } else if (!saving && at.bytes > Math.max(fleets.snapshotAfter(), at.snapshotBytes)) {
      try {
        beginSnapshot(at);
      } catch (RuntimeException | Error failed) { // The commit is durable all the same.
        LOG.log(System.Logger.Level.WARNING, "no snapshot of a fleet was begun", failed);
      }
    }
  }

  private void beginSnapshot(State at) {
    Head head = at.head;
    Problem problem = Problem.of(at.distributor);
    long bytes = at.bytes;
    long last = at.snapshot;
    Runnable work = () -> save(head, problem, at, last); // First, as memory may be lacking for it.
    saving = true;
    at.bytes = 0;
    at.snapshot = head.generation();
    if (!fleets.begin(work)) {
      saving = false;
      at.bytes = bytes;
      at.snapshot = last;
    }
  }

  private void tellWatchers() {
    for (Runnable watcher : watchers) {
      try {
        watcher.run();
      } catch (RuntimeException | Error broken) { // The other watchers are called all the same.
        LOG.log(System.Logger.Level.WARNING, "a watcher of a fleet failed", broken);
      }
    }
  }

  private void save(Head head, Problem problem, State at, long last) {
    try {
      if (fleets.journal().isShared() && fleets.journal().newestSnapshot(id).orElse(0L) > last) {
        return; // Another process has written a newer one.
      }
      Recovery.Written written = Recovery.write(problem);
      fleets
          .journal()
          .save(Saved.of(id, head.generation(), head.hash(), written.gzip()), fleets.retention());
      at.snapshotBytes = written.plain();
      fleets.observer().saved();
    } catch (StoreException failed) {
      fleets.observer().storeFailed();
      LOG.log(
          System.Logger.Level.WARNING,
          "no snapshot of fleet ''{0}'' was written, and its log stays whole: {1}",
          name,
          failed.getMessage());
    } finally {
      saving = false;
    }
  }

  /** Ends what takes too long: calls that wait in the queue, and a decision. */
  void look(long now) {
    refuseOverdue(now);
    Turn present;
    Turn stale;
    synchronized (this) {
      unending.removeIf(turn -> !turn.urge());
      present = turn;
      stale = staleTurn;
    }
    if (stale != null) {
      look(stale, now);
    }
    if (present != null) {
      look(present, now);
    }
  }

  private void look(Turn present, long now) {
    present.refuseOverdue(now);
    Pending late = present.newlyOverdue(now, fleets.limits().decision().toNanos());
    if (late != null) {
      fleets.answer(() -> late.fail(Turn.late()));
    }
    if (present.isUnending()) {
      giveUp(present);
    } else {
      present.keepIfQuiet(now);
    }
  }

  /** Refuses the calls that have waited in the queue for the maximum time. */
  private void refuseOverdue(long now) {
    long most = fleets.limits().queue().toNanos();
    Predicate<Pending> overdue = one -> one.hasWaited(now, most);
    if (isFirst(overdue)) {
      FleetException why = overdue();
      fleets.answer(() -> refuse(overdue, why));
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
    Runnable release = lost::release;
    boolean beside;
    synchronized (this) {
      beside = staleTurn == lost;
      if (turn != lost && !beside) {
        return;
      }
      unending.add(lost);
      if (!lost.abandon()) {
        unending.remove(lost);
        return;
      }
      state = null;
      isOver(lost);
    }
    fleets.answer(answers);
    if (beside) {
      endStale();
    } else {
      fleets.begin(release);
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
    tellWatchers();
  }
}
