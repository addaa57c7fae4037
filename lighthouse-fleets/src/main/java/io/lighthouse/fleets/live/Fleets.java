package io.lighthouse.fleets.live;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetEngine;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.Retention;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
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

  private final Journal journal;
  private final FleetEngine engine;
  private final FleetLimits limits;
  private final FleetObserver observer;
  private final Clock clock;
  private final FleetThreads threads;
  private final long snapshotAfter;
  private final Map<String, LiveFleet> fleets = new ConcurrentSkipListMap<>();
  private final WaitingCalls waiting = new WaitingCalls(this);

  private final StoreReadings readings = new StoreReadings(this);
  private final FleetCalls calls = new FleetCalls(this, readings);
  private final OldLogs oldLogs = new OldLogs(this);

  private final FleetCreation creation = new FleetCreation(this);

  private volatile boolean closed;

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
    this(journal, engine, limits, observer, clock, new FleetThreads(executor), snapshotAfter);
  }

  private Fleets(
      Journal journal,
      FleetEngine engine,
      FleetLimits limits,
      FleetObserver observer,
      Clock clock,
      FleetThreads threads,
      long snapshotAfter)
      throws StoreException {
    this.journal = journal;
    this.engine = engine;
    this.limits = limits;
    this.observer = observer;
    this.clock = clock;
    this.threads = threads;
    this.snapshotAfter = snapshotAfter;
    oldLogs.delete(find());
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
   * newer one. An older one was deleted.
   */
  LiveFleet take(Head head) {
    LiveFleet before = fleets.get(head.name());
    LiveFleet taken =
        fleets.compute(
            head.name(),
            (name, there) ->
                there != null && there.id() >= head.fleet() ? there : new LiveFleet(this, head));
    if (before != null && before != taken) {
      before.leave();
    }
    return taken;
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
   * @param answering completes the answers of a turn, so that actions that follow an answer ({@link
   *     CompletableFuture#whenComplete}) delay no turn of its fleet; accepts work until this is
   *     closed; {@code Runnable::run} where nothing follows
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
    FleetThreads threads = FleetThreads.ofTheirOwn(answering);
    Fleets opened = new Fleets(journal, engine, limits, observer, clock, threads, SNAPSHOT_AFTER);
    threads.checkDeadlines(new FleetDeadlines(opened, opened.creation, opened.oldLogs)::check);
    return opened;
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
    checkName(name);
    Distributor wanted = engine.create(problem);
    Problem whole = Problem.of(wanted);
    int workloads = whole.nodes().stream().mapToInt(node -> node.workloads().size()).sum();
    if (whole.nodes().size() > limits.nodes() || workloads > limits.workloads()) {
      throw new FleetException(
          Kind.TOO_LARGE,
          "the fleet has more than "
              + Plural.of(limits.nodes(), "node")
              + " or "
              + Plural.of(limits.workloads(), "workload"));
    }
    return creation.create(
        new FleetCreation.Wanted(
            name, whole, workloads, token, dryRun, beforeWrite, System.nanoTime()));
  }

  /**
   * Checks the name of a fleet that is to be created.
   *
   * @param name the name
   * @throws InvalidInputException if no fleet can have it
   */
  public static void checkName(String name) {
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
    return calls.submit(name, call);
  }

  /** Whether a shared store may have a fleet of this name that is not here. */
  boolean mayBeShared(String name) {
    return journal.isShared() && NAME.matcher(name).matches();
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

  /** The fleet of a name, looked up in a shared store where it is not in memory. */
  LiveFleet find(String name) {
    LiveFleet fleet = fleets.get(name);
    return fleet == null ? findInStore(name) : fleet;
  }

  private LiveFleet findInStore(String name) {
    return read(() -> journal.named(name)).map(this::take).orElseThrow(() -> noSuchFleet(name));
  }

  /**
   * The refusal of a call to a fleet that there is not, or that the caller may not see.
   *
   * @param name the name that the call has
   * @return the exception; a long name is shortened
   */
  public static FleetException noSuchFleet(String name) {
    String found = InvalidInputException.shortened(name);
    return new FleetException(Kind.NO_SUCH_FLEET, "there is no fleet '" + found + "'");
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
   * durable. A fleet of a shared store whose turn does not come within 2 seconds, because another
   * process has it, is listed as this process last knew it. So is one on which as many calls wait
   * as may.
   *
   * @param visible the names that may be listed; no other fleet is read
   * @param stale whether to list them as this process knows them, without reading a shared store
   * @return in the order of names; or a FleetException where the store fails, or does not answer
   *     within the time of the queue
   */
  public CompletableFuture<List<Listed>> list(Predicate<String> visible, boolean stale) {
    FleetList list = new FleetList(this, visible);
    if (!journal.isShared() || stale) {
      return CompletableFuture.completedFuture(list.known());
    }
    return list.read(readings);
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
    FleetState.Known known = fleet.known();
    return ((long) known.nodes() + known.workloads()) * BYTES_OF_ONE;
  }

  /**
   * The log of a fleet, to be read and followed, also to its end after the fleet is deleted. It is
   * looked up in a shared store: another process may have deleted the fleet that is known here.
   *
   * @param name the name of the fleet
   * @return its log
   * @throws FleetException if there is no such fleet, or the store fails
   */
  public FleetLog log(String name) {
    LiveFleet fleet = mayBeShared(name) ? findInStore(name) : fleets.get(name);
    if (fleet == null) {
      throw noSuchFleet(name);
    }
    return new FleetLog(fleet);
  }

  /**
   * How many calls wait for their turn.
   *
   * @return 0 or more
   */
  public int waiting() {
    return waiting.count();
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
    readings.close();
    fleets.values().forEach(LiveFleet::close);
    threads.close(limits.decision());
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

  WaitingCalls waitingCalls() {
    return waiting;
  }

  FleetCalls calls() {
    return calls;
  }

  FleetThreads threads() {
    return threads;
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

  void remove(LiveFleet fleet) {
    fleets.remove(fleet.name(), fleet);
  }
}
