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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** One fleet: the queue of its calls, and its turns, one at a time. */
final class LiveFleet {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  /** Where our own strategies live: they end when they are interrupted. */
  private static final String BUILT_IN = "class io.lighthouse.strategies.";

  /** A call that waits for its decision, and its answer to be. Thread-safe. */
  static final class Pending {
    private final FleetCall call;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private final long since = System.nanoTime();

    /** Set by the first of two: its turn, which decides it, or the deadline of the queue. */
    private final AtomicBoolean taken = new AtomicBoolean();

    Pending(FleetCall call) {
      this.call = call;
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

    /** Whether it has waited for so long. */
    boolean hasWaited(long now, long nanos) {
      return now - since >= nanos;
    }

    void fail(Throwable why) {
      answer.completeExceptionally(why);
    }
  }

  /** The fleet in memory. Belongs to its turn. */
  static final class State implements Change.SomeCases<Void> {
    final Distributor distributor;

    /** Where the log ends that the distributor has carried out. */
    Head head;

    /** The node of every workload. */
    final Map<String, String> where = new HashMap<>();

    /** How many nodes there are. */
    int nodes;

    /** What the command that is being decided has changed; its listener fills it. */
    final List<Change> noted = new ArrayList<>();

    /** What the entries weigh that the newest snapshot does not have. */
    long bytes;

    /** The generation of the newest snapshot, as far as is known. */
    long snapshot;

    /** What the newest snapshot weighs as it is. */
    long snapshotBytes;

    State(Distributor distributor, Head head) {
      this.distributor = distributor;
      this.head = head;
      for (NodeState node : distributor.snapshot().nodes()) {
        nodes++;
        for (Workload workload : node.workloads()) {
          where.put(workload.name(), node.name());
        }
      }
      distributor.onChange((generation, changes) -> noted.addAll(changes));
    }

    /** Follows what was changed. */
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

  /** Guarded by this, as are the next three. */
  private final Deque<Pending> queue = new ArrayDeque<>();

  private boolean running;
  private Turn turn;

  /** Null where the fleet is to be recovered before it is used. */
  private State state;

  private volatile Known known;

  /** The turns whose decision was given up and still runs; guarded by this. */
  private final List<Turn> unending = new ArrayList<>();

  /** Why what the store holds of it cannot be used, and where it was then. */
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

  /**
   * Refuses a call that asks the strategy while an earlier one of its kind does not end. Dry runs
   * and calls that change the fleet are different kinds, so that no dry run refuses a change. Once
   * the earlier decision has ended, the strategy is in use again.
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

  /** Puts a call into the queue; its answer comes when all it speaks of is durable. */
  CompletableFuture<Answer> submit(FleetCall call) {
    Pending pending = new Pending(call);
    boolean starts;
    synchronized (this) {
      int most = fleets.limits().waitingOfOne();
      if (queue.size() >= most) {
        throw new FleetException(
            Kind.OVERLOAD,
            "the " + most + " calls wait that may wait for fleet '" + name + "'; try again");
      }
      queue.add(pending);
      starts = !running;
      running = true;
    }
    if (starts) {
      start();
    }
    return pending.answer();
  }

  /** Has a thread take the turns. Where there is none, all that wait are refused. */
  private void start() {
    try {
      fleets.execute(this::run);
    } catch (RejectedExecutionException stopping) {
      stop(new FleetException(Kind.CLOSED, "the service is stopping"));
    } catch (Throwable noThread) {
      LOG.log(
          System.Logger.Level.ERROR,
          "no thread could be started for fleet ''{0}'': {1}",
          name,
          noThread.toString());
      stop(
          new FleetException(
              Kind.OVERLOAD, "no thread could be started for fleet '" + name + "'; try again"));
    }
  }

  /** No thread takes turns any more, until the next call starts one. */
  private void stop(FleetException why) {
    synchronized (this) {
      running = false;
    }
    refuseAll(why);
  }

  private void refuseAll(FleetException why) {
    List<Pending> left;
    synchronized (this) {
      left = List.copyOf(queue);
      queue.clear();
    }
    fleets.taken(left.size());
    left.forEach(one -> one.fail(why));
  }

  /** Takes one turn after the other, as long as calls wait. */
  private void run() {
    boolean ended = false;
    Turn mine = null;
    try {
      for (mine = next(); mine != null; mine = next()) {
        fleets.taken(mine.size());
        mine.run();
        if (!isOver(mine)) {
          ended = true;
          return; // It was given up, and another thread goes on.
        }
        mine = null;
      }
      ended = true;
    } finally {
      if (!ended) {
        // Such as no memory even to fail the turn: the next call finds the fleet as the store has
        // it.
        drop();
        if (mine == null || isOver(mine)) {
          stop(
              new FleetException(
                  Kind.OVERLOAD, "a turn of fleet '" + name + "' failed; try again"));
        }
      }
    }
  }

  /** The next turn; null where no call waits, and then no thread takes turns any more. */
  private synchronized Turn next() {
    if (queue.isEmpty()) {
      running = false;
      return null;
    }
    List<Pending> group = new ArrayList<>();
    while (group.size() < fleets.limits().turn() && !queue.isEmpty()) {
      group.add(queue.poll());
    }
    turn = new Turn(this, group);
    return turn;
  }

  /** Ends a turn; false where it was given up before. */
  private synchronized boolean isOver(Turn mine) {
    if (turn != mine) {
      return false;
    }
    turn = null;
    return true;
  }

  /** The fleet in memory, recovered where it must be. */
  State state() throws StoreException {
    synchronized (this) {
      if (state != null) {
        return state;
      }
    }
    long began = System.nanoTime();
    Head head = present(fleets.journal().head(id));
    // Whatever dropped the state in memory, what was durable last is still known.
    if (new CatchUp(this).noticeRewind(known.head(), head)) {
      known = new Known(head, known.nodes(), known.workloads()); // It is noticed once.
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
    recovered.bytes = found.bytes();
    recovered.snapshot = found.snapshot();
    recovered.snapshotBytes = found.snapshotBytes();
    fleets.observer().recovered(found.entries(), System.nanoTime() - began);
    synchronized (this) {
      state = recovered;
      known = new Known(head, recovered.nodes, recovered.where.size());
    }
    return recovered;
  }

  /**
   * What the store has of this fleet; another may have its number where the store has gone back.
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
    return new FleetException(Kind.NO_SUCH_FLEET, "there is no fleet '" + name + "'");
  }

  /** From now on the fleet in memory is not used; it is recovered when it is needed. */
  synchronized void drop() {
    state = null;
  }

  /** What others have written was carried out. */
  void caughtUp(State at) {
    synchronized (this) {
      known = new Known(at.head, at.nodes, at.where.size());
    }
    tellWatchers();
  }

  /** The store has lost something. */
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
    boolean begun =
        fleets.begin(
            () -> {
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
                synchronized (this) {
                  asking = false;
                }
              }
            });
    if (!begun) {
      synchronized (this) {
        asking = false;
      }
    }
  }

  /** A turn's entries are durable. */
  void committed(Turn by, State at, boolean wrote) {
    synchronized (this) {
      if (turn != by) {
        return;
      }
      known = new Known(at.head, at.nodes, at.where.size());
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
      } catch (RuntimeException | Error failed) { // What was committed is durable all the same.
        LOG.log(System.Logger.Level.WARNING, "no snapshot of a fleet was begun", failed);
      }
    }
  }

  private void beginSnapshot(State at) {
    Head head = at.head;
    Problem problem = Problem.of(at.distributor);
    long bytes = at.bytes;
    long last = at.snapshot;
    saving = true;
    at.bytes = 0;
    at.snapshot = head.generation();
    if (!fleets.begin(() -> save(head, problem, at, last))) {
      saving = false;
      at.bytes = bytes;
      at.snapshot = last;
    }
  }

  private void tellWatchers() {
    for (Runnable watcher : watchers) {
      try {
        watcher.run();
      } catch (RuntimeException | Error broken) { // The other watchers and the turn go on.
        LOG.log(System.Logger.Level.WARNING, "a watcher of a fleet failed", broken);
      }
    }
  }

  private void save(Head head, Problem problem, State at, long last) {
    try {
      if (fleets.journal().isShared() && fleets.journal().newestSnapshot(id).orElse(0L) > last) {
        return; // Another process has come first.
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

  /** Ends what takes too long: waiting in the queue, and a decision. */
  void look(long now) {
    refuseOverdue(now);
    Turn present;
    synchronized (this) {
      unending.removeIf(turn -> !turn.urge());
      present = turn;
    }
    if (present == null) {
      return;
    }
    present.refuseOverdue(now);
    Pending late = present.newlyOverdue(now, fleets.limits().decision().toNanos());
    if (late != null) {
      fleets.answer(() -> late.fail(Turn.late()));
    }
    if (present.isUnending()) {
      giveUp(present);
    } else if (present.isQuiet(now)) {
      fleets.begin(present::keep);
    }
  }

  /** Refuses the calls that have waited in the queue for as long as they may. */
  private void refuseOverdue(long now) {
    List<Pending> overdue = new ArrayList<>();
    synchronized (this) {
      while (!queue.isEmpty() && queue.peek().hasWaited(now, fleets.limits().queue().toNanos())) {
        overdue.add(queue.poll());
      }
    }
    if (!overdue.isEmpty()) {
      fleets.taken(overdue.size());
      fleets.answer(() -> overdue.forEach(one -> one.fail(overdue())));
    }
  }

  /** Why a call is refused that has waited for as long as it may. */
  FleetException overdue() {
    return new FleetException(
        Kind.OVERLOAD,
        "the call waited "
            + fleets.limits().queue().toMillis()
            + " ms for its decision on fleet '"
            + name
            + "', as long as it may; nothing has changed, try again");
  }

  /** The turn's thread does not come back: all it was doing is refused, and the rest goes on. */
  private void giveUp(Turn lost) {
    synchronized (this) {
      if (turn != lost || !lost.abandon()) {
        return;
      }
      unending.add(lost);
      state = null;
      turn = null;
    }
    LOG.log(
        System.Logger.Level.ERROR,
        "a decision of fleet ''{0}'' does not end: its thread is left to itself, and the fleet is"
            + " recovered from the store",
        name);
    FleetException why =
        new FleetException(
            Kind.DECISION_TIMEOUT,
            "a decision of the same turn did not end; nothing has changed, try again");
    fleets.answer(() -> lost.failAll(why));
    fleets.begin(lost::release);
    start();
  }

  /** Refuses all that wait. */
  void close() {
    refuseAll(new FleetException(Kind.CLOSED, "the service is stopping"));
    tellWatchers();
  }
}
