package io.lighthouse.fleets;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.Retention;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The fleets of a store, live.
 *
 * <p><b>Guarantees.</b> A call is answered when everything that its answer reports is durable in
 * the store. Calls on one fleet take effect one after another. An answered change survives a killed
 * process or a power cut, as far as the store keeps its promise ({@link Journal}). A call with a
 * key takes effect once, however often it is repeated, and gets the same answer each time, as long
 * as its entry is kept.
 *
 * <p>Where the store fails, the fleet in memory is dropped and recovered from what the store holds.
 * The calls of that turn fail with {@link Kind#STORE} where the store has nothing of them, and with
 * {@link Kind#OUTCOME_UNKNOWN} where the store cannot prove what it holds. Thread-safe.
 */
public final class Fleets implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  /** Valid names of fleets; they are safe in URL paths. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /** The minimum total size of entries, in bytes, after which a snapshot is written. */
  private static final long SNAPSHOT_AFTER = 4L << 20;

  /** The minimum size of a node, or of a workload, in JSON. */
  private static final long BYTES_OF_ONE = 64;

  private static final int LOOK_MILLIS = 50;

  /** How long a list waits for fleets whose turn another process has. */
  private static final int LIST_MILLIS = 2_000;

  /** The time between two checks for old logs of deleted fleets. */
  private static final long FORGET_MILLIS = Duration.ofHours(1).toMillis();

  /**
   * In a shared store, every {@value}th look checks whether other processes have written to a
   * watched fleet.
   */
  private static final int POLL = 4;

  private final Journal journal;
  private final FleetEngine engine;
  private final FleetLimits limits;
  private final FleetObserver observer;
  private final Clock clock;
  private final Executor executor;
  private final long snapshotAfter;
  private final Map<String, LiveFleet> fleets = new ConcurrentSkipListMap<>();
  private final AtomicInteger waiting = new AtomicInteger();

  /** What is read from a shared store for calls that wait for it. */
  private final TaskQueue<Reading<?>> readings = new TaskQueue<>(this, "the search for fleets");

  /**
   * The reading of all heads that lists wait for; null where none does; guarded by {@link
   * #readings}.
   */
  private Reading<List<Head>> heads;

  /** Creates fleets. */
  private final FleetCreation creation = new FleetCreation(this);

  private volatile boolean closed;

  /** Completes the answers of a turn while the next turn runs. */
  private volatile Executor answering = Runnable::run;

  /** The number of looks so far; used only by the thread that looks. */
  private int looks;

  /** When the logs of deleted fleets were last checked for old ones, in milliseconds since 1970. */
  private volatile long forgotten;

  /** Null where the executor belongs to the caller. */
  private ExecutorService threads;

  private ScheduledExecutorService looking;

  /** With the executor of a caller, which also checks for decisions that take too long. */
  Fleets(
      Journal journal,
      FleetEngine engine,
      FleetLimits limits,
      FleetObserver observer,
      Clock clock,
      Executor executor,
      long snapshotAfter)
      throws StoreException {
    this.journal = journal;
    this.engine = engine;
    this.limits = limits;
    this.observer = observer;
    this.clock = clock;
    this.executor = executor;
    this.snapshotAfter = snapshotAfter;
    forgetOld(find());
  }

  /**
   * Adds the fleets of the store that are not here yet; returns all heads. Called while no fleet is
   * created.
   */
  List<Head> find() throws StoreException {
    List<Head> heads = journal.heads();
    creation.numbered(heads.size()); // The numbers of fleets have no gaps.
    for (Head head : heads) {
      LiveFleet there = fleets.get(head.name());
      if (head.gone() && there != null && there.id() == head.fleet()) {
        there.leave();
      } else if (!head.gone() && (there == null || there.id() != head.fleet())) {
        recover(take(head));
      }
    }
    return heads;
  }

  /**
   * The fleet of a head that is not gone; the fleet that is here already, if it is the same or a
   * newer one.
   */
  LiveFleet take(Head head) {
    return fleets.compute(
        head.name(),
        (name, there) ->
            there != null && there.id() >= head.fleet() ? there : new LiveFleet(this, head));
  }

  /**
   * Opens the fleets of a store, and recovers them. A damaged fleet is logged. It can be deleted,
   * and every other call on it fails with {@link Kind#DAMAGED}; the other fleets work.
   *
   * @param journal the store; closed with this
   * @param engine makes the distributors
   * @param limits the limits of the fleets
   * @param observer receives events, to count them
   * @param clock the time of entries, also for their age
   * @return the fleets
   * @throws StoreException if the store fails, or the rows of its fleets are damaged
   */
  public static Fleets open(
      Journal journal, FleetEngine engine, FleetLimits limits, FleetObserver observer, Clock clock)
      throws StoreException {
    return open(journal, engine, limits, observer, clock, Runnable::run);
  }

  /**
   * The same with separate threads for answers: actions that follow an answer ({@link
   * CompletableFuture#whenComplete}) do not delay the turns of its fleet.
   *
   * @param journal the store; closed with this
   * @param engine makes the distributors
   * @param limits the limits of the fleets
   * @param observer receives events, to count them
   * @param clock the time of entries, also for their age
   * @param answering completes the answers of a turn; accepts work until this is closed
   * @return the fleets
   * @throws StoreException if the store fails, or the rows of its fleets are damaged
   */
  public static Fleets open(
      Journal journal,
      FleetEngine engine,
      FleetLimits limits,
      FleetObserver observer,
      Clock clock,
      Executor answering)
      throws StoreException {
    AtomicInteger number = new AtomicInteger();
    ExecutorService threads =
        Executors.newCachedThreadPool(
            work -> daemon(work, "lighthouse-fleet-" + number.incrementAndGet()));
    Fleets opened = new Fleets(journal, engine, limits, observer, clock, threads, SNAPSHOT_AFTER);
    opened.answerBy(answering);
    opened.threads = threads;
    opened.looking =
        Executors.newSingleThreadScheduledExecutor(
            work -> daemon(work, "lighthouse-fleet-deadlines"));
    opened.looking.scheduleWithFixedDelay(
        opened::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    return opened;
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Checks all deadlines. Catches everything, because the executor would not look again. */
  private void look() {
    try {
      lookAtAll();
    } catch (Throwable bug) {
      observer.storeFailed();
    }
  }

  private void lookAtAll() {
    long now = System.nanoTime();
    if (Math.abs(clock.millis() - forgotten) > FORGET_MILLIS) {
      forgotten = clock.millis();
      begin(this::forgetOldEachHour);
    }
    creation.look(now);
    boolean polls = journal.isShared() && ++looks % POLL == 0;
    for (LiveFleet fleet : fleets.values()) {
      try {
        fleet.look(now);
        if (polls) {
          fleet.poll();
        }
      } catch (RuntimeException | Error bug) { // The executor would not look again.
        LOG.log(System.Logger.Level.ERROR, "a deadline of a fleet could not be kept", bug);
      }
    }
  }

  static void recover(LiveFleet fleet) {
    try {
      fleet.recover();
    } catch (FleetException | StoreException failed) {
      LOG.log(System.Logger.Level.ERROR, failed.getMessage());
    } catch (RuntimeException
        | Error unusable) { // It is there all the same; each call tries again.
      LOG.log(
          System.Logger.Level.ERROR, "fleet '" + fleet.name() + "' cannot be recovered", unusable);
    }
  }

  /** Deletes the logs of deleted fleets that are old enough. */
  private void forgetOld(List<Head> heads) throws StoreException {
    for (Head head : heads) {
      if (head.gone()) {
        forgetIfOld(head);
      }
    }
    forgotten = clock.millis();
  }

  /** The same, from a timer; logs a failure. */
  private void forgetOldEachHour() {
    try {
      forgetOld(journal.heads());
    } catch (StoreException failed) {
      observer.storeFailed();
      LOG.log(
          System.Logger.Level.WARNING,
          "the logs of deleted fleets are not cleaned up: {0}",
          failed.getMessage());
    }
  }

  private void forgetIfOld(Head head) throws StoreException {
    List<Entry> last = journal.entries(head.fleet(), head.generation() - 1, 1);
    if (!last.isEmpty() && last.get(0).at() < clock.millis() - limits.retention().toMillis()) {
      journal.forget(head.fleet());
    }
  }

  /**
   * Creates a fleet.
   *
   * @param name its name: letters, digits, points, hyphens and underscores, at most 100, and a
   *     letter or digit first
   * @param problem the fleet, with a strategy and without workloads to place
   * @param token identifies the caller's token; empty where no token is needed
   * @param dryRun whether it is only tried out
   * @return answers {@link Outcome#CREATED}, or {@link Outcome#DONE} where an equal fleet exists
   *     already
   * @throws InvalidInputException if the name or the problem is wrong
   * @throws FleetException if a different fleet of that name exists, or it cannot be created; in a
   *     shared store the answer mostly fails instead
   */
  public CompletableFuture<Answer> create(
      String name, Problem problem, String token, boolean dryRun) {
    return create(name, problem, token, dryRun, () -> {});
  }

  /**
   * Creates a fleet, unless the caller cancels it before it is written.
   *
   * @param name its name: letters, digits, points, hyphens and underscores, at most 100, and a
   *     letter or digit first
   * @param problem the fleet, with a strategy and without workloads to place
   * @param token identifies the caller's token; empty where no token is needed
   * @param dryRun whether it is only tried out
   * @param beforeWrite called before anything is written, perhaps several times; where it throws,
   *     nothing has changed, and its exception is thrown here, or the answer fails with it
   * @return answers {@link Outcome#CREATED}, or {@link Outcome#DONE} where an equal fleet exists
   *     already
   * @throws InvalidInputException if the name or the problem is wrong
   * @throws FleetException if a different fleet of that name exists, or it cannot be created; in a
   *     shared store the answer mostly fails instead
   */
  public CompletableFuture<Answer> create(
      String name, Problem problem, String token, boolean dryRun, Runnable beforeWrite) {
    requireName(name);
    Distributor wanted = engine.create(problem);
    Problem whole = Problem.of(wanted);
    int workloads = whole.nodes().stream().mapToInt(node -> node.workloads().size()).sum();
    if (whole.nodes().size() > limits.nodes() || workloads > limits.workloads()) {
      throw new FleetException(
          Kind.TOO_LARGE,
          "the fleet has more than "
              + limits.nodes()
              + " nodes or "
              + limits.workloads()
              + " workloads");
    }
    return creation.create(
        new FleetCreation.Wanted(
            name, whole, workloads, token, dryRun, beforeWrite, System.nanoTime()));
  }

  private static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidInputException(
          "fleet",
          "name",
          "'" + name + "'",
          "1 to 100 letters, digits, points, hyphens and underscores, a letter or digit first");
    }
  }

  /**
   * Submits a call to a fleet.
   *
   * @param name the name of the fleet
   * @param call the call
   * @return the answer, when everything that it reports is durable; or fails with {@link
   *     FleetException}, {@link InvalidInputException} or the exception of a strategy
   * @throws FleetException if there is no such fleet, or too many calls wait; where a shared store
   *     is read for the name, the answer fails instead
   */
  public CompletableFuture<Answer> submit(String name, FleetCall call) {
    LiveFleet here = fleets.get(name);
    if (here != null) {
      return submitHereOrToSuccessor(here, call);
    }
    if (!mayBeShared(name)) {
      return repeated(name, call).orElseThrow(() -> noSuchFleet(name));
    }
    return lookUp(name)
        .handle(
            (fleet, failed) ->
                failed == null
                    ? submitHereOrToSuccessor(fleet, call)
                    : repeatedOr(name, call, failed))
        .thenCompose(answer -> answer);
  }

  /** The answer to a repeated deletion of a fleet that is not there, or why it is not. */
  private CompletableFuture<Answer> repeatedOr(String name, FleetCall call, Throwable none) {
    Throwable why = cause(none);
    return isGone(why)
        ? repeated(name, call).orElseGet(() -> CompletableFuture.failedFuture(why))
        : CompletableFuture.failedFuture(why);
  }

  /** Why a future failed, without the wrapping that dependent futures add. */
  private static Throwable cause(Throwable failed) {
    return failed instanceof CompletionException ? failed.getCause() : failed;
  }

  private CompletableFuture<Answer> submitHereOrToSuccessor(LiveFleet fleet, FleetCall call) {
    CompletableFuture<Answer> answer = fleet.submit(call);
    return journal.isShared() || call.command().deletes()
        ? answer
            .handle((done, refused) -> isGone(refused) ? submitToSuccessor(fleet, call) : answer)
            .thenCompose(last -> last)
        : answer;
  }

  /** Submits a call again, to the fleet that may have been created under the name of a gone one. */
  private CompletableFuture<Answer> submitToSuccessor(LiveFleet gone, FleetCall call) {
    fleets.remove(gone.name(), gone);
    return submit(gone.name(), call);
  }

  /** Whether a call was refused because there is no such fleet. */
  static boolean isGone(Throwable refused) {
    return refused instanceof FleetException why && why.kind() == Kind.NO_SUCH_FLEET;
  }

  /** The answer of a gone fleet to the repetition of the call that deleted it. */
  private Optional<CompletableFuture<Answer>> repeated(String name, FleetCall call) {
    return read(() -> deletion(name, call)).map(CompletableFuture::completedFuture);
  }

  /**
   * The answer to a call that has deleted a fleet of this name, so that its repetition deletes no
   * later fleet of that name.
   */
  Optional<Answer> deletion(String name, FleetCall call) throws StoreException {
    if (!call.deletes() || call.key().isEmpty()) {
      return Optional.empty();
    }
    FleetCall.Key key = call.key().get();
    Optional<Entry> earlier = journal.byKeyOfGone(name, call.token(), key.key(), key.request());
    if (earlier.isEmpty()) {
      return Optional.empty();
    }
    long fleet = earlier.get().fleet();
    long life = journal.isFirst(name, fleet) ? 0 : fleet;
    return Optional.of(Turn.replayed(call, earlier.get(), life, observer));
  }

  /** Counts one more call that waits, unless there are as many as may. */
  void beginWaiting() {
    requireOpen();
    if (waiting.incrementAndGet() > limits.waiting()) {
      waiting.decrementAndGet();
      throw new FleetException(
          Kind.OVERLOAD, "the " + limits.waiting() + " calls wait that may wait; try again");
    }
  }

  /** Whether a shared store may have a fleet of this name that is not here. */
  private boolean mayBeShared(String name) {
    return journal.isShared() && NAME.matcher(name).matches();
  }

  /** Finds a fleet that is not here in a shared store, without blocking the caller. */
  private CompletableFuture<LiveFleet> lookUp(String name) {
    Reading<LiveFleet> reading = new Reading<>(() -> find(name));
    beginWaiting();
    readings.add(reading);
    return inTime(reading.answer, "whether there is a fleet '" + name + "'");
  }

  /** What a shared store answers within the time of the queue, to a call that waits until then. */
  private <T> CompletableFuture<T> inTime(CompletableFuture<T> answer, String what) {
    return answer
        .orTimeout(limits.queue().toMillis(), TimeUnit.MILLISECONDS)
        .handle(
            (found, failed) -> {
              waiting.decrementAndGet();
              if (failed == null) {
                return found;
              }
              if (failed instanceof TimeoutException) {
                throw new FleetException(
                    Kind.OVERLOAD, "the store did not answer in time " + what + "; try again");
              }
              Throwable why = cause(failed); // A copy of a future wraps it.
              throw why instanceof FleetException refused ? refused : new CompletionException(why);
            });
  }

  /** Reads from the store; where that fails, throws a FleetException. */
  <T> T read(LiveFleet.Reading<T> reading) {
    try {
      return reading.read();
    } catch (StoreException failed) {
      observer.storeFailed();
      throw new FleetException(Kind.STORE, failed.getMessage());
    }
  }

  private LiveFleet find(String name) {
    LiveFleet fleet = fleets.get(name);
    if (fleet == null && mayBeShared(name)) {
      fleet = read(() -> journal.named(name)).map(this::take).orElse(null);
    }
    if (fleet == null) {
      throw noSuchFleet(name);
    }
    return fleet;
  }

  static FleetException noSuchFleet(String name) {
    return new FleetException(Kind.NO_SUCH_FLEET, "there is no fleet '" + name + "'");
  }

  /**
   * A fleet in a list.
   *
   * @param name its name
   * @param generation its generation
   * @param nodes how many nodes it has
   * @param workloads how many workloads it holds
   */
  public record Listed(String name, long generation, int nodes, int workloads) {}

  /**
   * All fleets. What is reported of them is durable.
   *
   * @return in the order of names
   */
  public List<Listed> list() {
    return list(false);
  }

  /**
   * All fleets. What is reported of them is durable.
   *
   * @param stale whether to list them as this process knows them, without reading a shared store
   * @return in the order of names
   */
  public List<Listed> list(boolean stale) {
    try {
      return list(name -> true, stale).join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof FleetException why ? why : failed;
    }
  }

  /**
   * The fleets with certain names, without blocking the caller. What is reported of them is
   * durable. A fleet of a shared store whose turn does not come within {@value #LIST_MILLIS} ms,
   * because another process has it, is listed as this process last knew it.
   *
   * @param visible the names that may be listed; no other fleet is read
   * @param stale whether to list them as this process knows them, without reading a shared store
   * @return in the order of names; or a FleetException where the store fails, or does not answer
   *     within the time of the queue
   */
  public CompletableFuture<List<Listed>> list(Predicate<String> visible, boolean stale) {
    if (!journal.isShared() || stale) {
      return CompletableFuture.completedFuture(known(visible));
    }
    beginWaiting();
    return inTime(headsFromNow(), "which fleets there are")
        .thenCompose(heads -> followOthers(heads, visible).handle((done, late) -> null))
        .handleAsync(
            (done, failed) -> {
              if (failed != null) {
                throw failed instanceof CompletionException why
                    ? why
                    : new CompletionException(failed);
              }
              return known(visible);
            },
            this::answer);
  }

  /**
   * The heads of a shared store at this moment, or later. All that ask before a reading begins
   * share it.
   */
  private CompletableFuture<List<Head>> headsFromNow() {
    Reading<List<Head>> mine;
    boolean isNew;
    synchronized (readings) {
      isNew = heads == null || !readings.waits(heads);
      heads = isNew ? new Reading<>(this::readHeads) : heads;
      mine = heads;
    }
    if (isNew) {
      readings.add(mine);
    }
    return mine.answer.copy();
  }

  /** Lists that ask from here on get a later reading. */
  private List<Head> readHeads() throws StoreException {
    synchronized (readings) {
      heads = null;
    }
    return journal.heads();
  }

  /** Something that is read from a shared store, unless it has been answered already. */
  private final class Reading<T> implements TaskQueue.Task {
    private final LiveFleet.Reading<T> reading;
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    Reading(LiveFleet.Reading<T> reading) {
      this.reading = reading;
    }

    @Override
    public void run() {
      if (answer.isDone()) {
        return;
      }
      try {
        answer.complete(Fleets.this.read(reading));
      } catch (RuntimeException | Error failed) {
        Fleets.refuse(answer, failed);
      }
    }

    @Override
    public void refuse(FleetException why) {
      Fleets.refuse(answer, why);
    }
  }

  /**
   * Tasks that one thread does, one after the other. It runs only while some wait. So a store that
   * does not answer keeps one thread, however many wait for it. Thread-safe.
   */
  static final class TaskQueue<T extends TaskQueue.Task> {
    /** Something that is done or refused. */
    interface Task extends Runnable {
      /** Refuses it: there is no thread for it, or its thread has failed. */
      void refuse(FleetException why);
    }

    private final Fleets fleets;
    private final String what;

    /** Made in advance, as memory may be lacking when a task waits; so is the next one. */
    private final Runnable work = this::runAll;

    private final FleetException brokenOff;

    /** Guarded by itself. */
    private final Deque<T> waiting = new ArrayDeque<>();

    /** The task that runs, or for which a thread starts; null for none; guarded by waiting. */
    private T present;

    TaskQueue(Fleets fleets, String what) {
      this.fleets = fleets;
      this.what = what;
      this.brokenOff = new FleetException(Kind.OVERLOAD, what + " failed; try again");
    }

    /** Adds a task. Where no thread can be started, all that wait are refused. */
    void add(T task) {
      boolean starts;
      synchronized (waiting) {
        waiting.add(task);
        starts = present == null;
        present = starts ? task : present;
      }
      if (starts && !fleets.begin(work)) {
        stop();
        try {
          refuseAll(fleets.noThread(what));
        } finally {
          remove(task); // If it could not be refused, its caller gets an error now.
        }
      }
    }

    private void runAll() {
      boolean ended = false;
      T one = null;
      try {
        for (one = next(); one != null; one = next()) {
          one.run();
        }
        ended = true;
      } finally {
        if (!ended) {
          stop(); // Such as for lack of memory.
          if (one != null) {
            one.refuse(brokenOff);
          }
          refuseAll(brokenOff);
        }
      }
    }

    /**
     * The next task starts a thread again. Called before a refusal is made, as memory may be
     * lacking for it.
     */
    private void stop() {
      synchronized (waiting) {
        present = null;
      }
    }

    private T next() {
      synchronized (waiting) {
        present = waiting.poll();
        return present;
      }
    }

    /** Refuses all that wait. */
    void refuseAll(FleetException why) {
      for (T one = poll(); one != null; one = poll()) {
        one.refuse(why);
      }
    }

    private T poll() {
      synchronized (waiting) {
        return waiting.poll();
      }
    }

    private void remove(T task) {
      synchronized (waiting) {
        waiting.remove(task);
      }
    }

    /** Whether a task has not begun, and a thread will come to it. */
    boolean waits(T task) {
      synchronized (waiting) {
        return present != null && waiting.contains(task);
      }
    }

    /** Moves the waiting tasks of a kind to a list, and adds the one that runs, if it is one. */
    void takeAll(Predicate<T> kind, List<T> into) {
      synchronized (waiting) {
        waiting.removeIf(one -> kind.test(one) && into.add(one));
        if (present != null && kind.test(present)) {
          into.add(present);
        }
      }
    }
  }

  private List<Listed> known(Predicate<String> visible) {
    return fleets.values().stream()
        .filter(fleet -> visible.test(fleet.name()))
        .map(
            fleet -> {
              LiveFleet.Known known = fleet.known();
              return new Listed(
                  fleet.name(), known.head().generation(), known.nodes(), known.workloads());
            })
        .toList();
  }

  /**
   * Updates the visible fleets to their state in the store at these heads, as far as time allows.
   */
  private CompletableFuture<Void> followOthers(List<Head> heads, Predicate<String> visible) {
    List<CompletableFuture<Answer>> behind = new ArrayList<>();
    for (Head head : heads) {
      LiveFleet there = fleets.get(head.name());
      if (!visible.test(head.name())) {
        continue;
      }
      if (head.gone()) {
        if (there != null && there.id() == head.fleet()) {
          there.leave();
        }
        continue;
      }
      LiveFleet fleet = take(head);
      if (fleet != there || !fleet.known().head().isAt(head)) {
        behind.add(
            fleet.submit(FleetCall.of(new FleetCommands.Question(now -> Command.Reply.EMPTY))));
      }
    }
    return CompletableFuture.allOf(behind.toArray(CompletableFuture[]::new))
        .orTimeout(LIST_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * A rough size of a whole fleet in JSON, as this process knows the fleet.
   *
   * @param name the name of the fleet
   * @return bytes, 0 or more; 0 where the fleet is not known
   */
  public long roughBytes(String name) {
    LiveFleet fleet = fleets.get(name);
    if (fleet == null) {
      return 0;
    }
    LiveFleet.Known known = fleet.known();
    return ((long) known.nodes() + known.workloads()) * BYTES_OF_ONE;
  }

  /**
   * The log of a fleet, to be read and followed, also to its end after the fleet is deleted.
   *
   * @param name the name of the fleet
   * @return its log
   * @throws FleetException if there is no such fleet
   */
  public FleetLog log(String name) {
    return new FleetLog(find(name));
  }

  /**
   * How many calls wait for their turn.
   *
   * @return 0 or more
   */
  public int waiting() {
    return waiting.get();
  }

  /**
   * Why nothing is written to the store until it is opened again; reading still works.
   *
   * @return the reason; empty while the effect of every commit is known
   */
  public Optional<String> doubt() {
    return journal.doubt();
  }

  /** Takes no more calls, refuses those that wait, and closes the store. */
  @Override
  public void close() {
    closed = true; // A creation that has begun may end: no call on its fleet is taken any more.
    creation.close();
    readings.refuseAll(closing());
    fleets.values().forEach(LiveFleet::close);
    if (threads != null) {
      looking.shutdownNow();
      threads.shutdown();
      try {
        threads.awaitTermination(limits.decision().toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException hurry) {
        Thread.currentThread().interrupt();
      }
    }
    journal.close();
  }

  // ---- for its fleets ----

  /** The fleets that are here, by name. */
  Map<String, LiveFleet> live() {
    return fleets;
  }

  void requireOpen() {
    if (closed) {
      throw closing();
    }
  }

  static FleetException closing() {
    return new FleetException(Kind.CLOSED, "the service is stopping");
  }

  /** Why something was not begun for which there is no thread. */
  FleetException noThread(String what) {
    return closed
        ? closing()
        : new FleetException(
            Kind.OVERLOAD, "no thread could be started for " + what + "; try again");
  }

  Journal journal() {
    return journal;
  }

  FleetEngine engine() {
    return engine;
  }

  FleetLimits limits() {
    return limits;
  }

  FleetObserver observer() {
    return observer;
  }

  Clock clock() {
    return clock;
  }

  long snapshotAfter() {
    return snapshotAfter;
  }

  Retention retention() {
    long now = clock.millis();
    return new Retention(
        now - limits.retention().toMillis(), limits.entries(), now - Duration.ofDays(1).toMillis());
  }

  /** Starts work that runs beside the turns; returns false where no thread is available. */
  boolean begin(Runnable work) {
    try {
      executor.execute(work);
      return true;
    } catch (RejectedExecutionException stopping) {
      return false;
    } catch (Throwable noThread) {
      try {
        LOG.log(
            System.Logger.Level.WARNING, "no thread could be started: {0}", noThread.toString());
      } catch (Throwable mute) {
        // There is no memory to log it.
      }
      return false;
    }
  }

  /**
   * Fails an answer. Where memory is lacking for that, waits until there is some: nothing else
   * would end the call.
   */
  static void refuse(CompletableFuture<?> answer, Throwable why) {
    while (!answer.isDone()) {
      try {
        answer.completeExceptionally(why);
      } catch (OutOfMemoryError none) {
        awaitMemory();
      }
    }
  }

  /** Waits a moment, in which memory may become free. */
  static void awaitMemory() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
  }

  void answerBy(Executor others) {
    answering = others;
  }

  /**
   * Completes the answers of a turn in another thread; where none takes them, in the turn's own.
   */
  void answer(Runnable completing) {
    try {
      answering.execute(completing);
    } catch (RejectedExecutionException | Error noThread) {
      completing.run();
    }
  }

  /** Counts calls that wait no more, because their turn begins or they are refused. */
  void taken(int calls) {
    waiting.addAndGet(-calls);
  }

  void remove(LiveFleet fleet) {
    fleets.remove(fleet.name(), fleet);
  }
}
