package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.ClusterChange;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.monitor.ClusterService;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import io.lighthouse.kubernetes.monitor.TermFailure;
import io.lighthouse.kubernetes.profile.ProfiledCluster;
import io.lighthouse.kubernetes.watch.ClusterFeed;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * One term of leadership. It begins with fresh lists, so that it knows all earlier bindings, and
 * discards all state at its end. One thread, the loop, owns the cluster and the queue, and decides
 * ({@link SchedulingCycle}). The others (reflectors, binder, reporter) send it messages.
 *
 * <pre>
 *   reflectors ── messages ──► loop: Cluster, PodQueue ── decisions ──► binder ── outcomes ──┐
 *                               ▲                          └── refusals ──► reporter          │
 *                               └─────────────────────────────────────────────────────────────┘
 * </pre>
 */
final class Term implements AutoCloseable {
  private static final int INBOX = 8_192;

  /** The maximum number of messages that are taken between two decisions. */
  private static final int ROUND = 2_048;

  /**
   * The minimum time between the loop's turns while messages keep arriving. One turn takes them
   * together, and decides about many pods at once.
   */
  private static final long TURN = TimeUnit.MILLISECONDS.toNanos(5);

  /** The maximum time that the loop waits before it checks that it still leads. */
  private static final long LONGEST_WAIT = TimeUnit.MILLISECONDS.toNanos(200);

  private final SchedulerSettings settings;
  private final BooleanSupplier mayAct;
  private final JsonLog log;
  final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>(INBOX);
  final Binder binder;
  private final VolumeWriter volumeWriter;
  private final DeviceWriter deviceWriter;
  private final PodsOnTheWay onTheWay;
  final Preemptor preemptor;
  private final SchedulingCycle cycle;
  private final Reporter reporter;

  /** Read and changed in the loop's thread alone. */
  final Cluster cluster;

  private final PodQueue queue;

  /** The names of the present nodes, for the binder's threads. */
  private final Set<String> nodeNames = ConcurrentHashMap.newKeySet();

  private final ClusterFeed feed;
  private final TermFailure failure;
  private volatile boolean closed;

  private volatile long turnedAt = System.nanoTime();

  /**
   * Begins a term.
   *
   * @param service receives an Error that ends a thread of the term; any other failure of a thread
   *     ends the term
   */
  Term(
      ClusterService service,
      SchedulerSettings settings,
      String identity,
      BooleanSupplier mayAct,
      Clock wall) {
    ApiServer server = service.server();
    this.settings = settings;
    this.mayAct = mayAct;
    SchedulerMetrics metrics = service.metrics();
    this.log = service.log();
    this.failure = new TermFailure(service::crash);
    this.cluster = ProfiledCluster.forScheduler(service, settings);
    this.queue =
        new PodQueue(
            settings.queue().firstPause(), settings.queue().longestPause(), cluster::gangKey);
    this.binder =
        new Binder(
            server,
            workers("lighthouse-bind", settings.binding().workers()),
            nodeNames::contains,
            metrics);
    CallWorkers volumes = workers("lighthouse-volumes", settings.binding().workers());
    this.volumeWriter =
        new VolumeWriter(new ObjectWrites(server, volumes, metrics, "volume"), volumes);
    CallWorkers devices = workers("lighthouse-devices", settings.binding().workers());
    this.deviceWriter =
        new DeviceWriter(new ObjectWrites(server, devices, metrics, "device"), devices, wall);
    TokenBucket rate = new TokenBucket(settings.eventsPerSecond(), System::nanoTime);
    TokenBucket updates = new TokenBucket(Reporter.UPDATES, System::nanoTime);
    this.reporter = new Reporter(server, identity, rate, updates, metrics, log, wall, failure);
    this.onTheWay =
        new PodsOnTheWay(
            service, settings, cluster, queue, reporter, binder, volumeWriter, deviceWriter);
    this.preemptor =
        new Preemptor(
            server, reporter, workers("lighthouse-preempt", Preemptor.THREADS), metrics, log, wall);
    this.cycle =
        new SchedulingCycle(
            service,
            settings.binding(),
            cluster,
            queue,
            reporter,
            onTheWay,
            preemptor,
            deviceWriter);
    this.feed =
        new ClusterFeed(
            resources(settings),
            server,
            settings.queue().listAgain(),
            event -> inbox.put(new Message.Watched(event)),
            metrics,
            log,
            new QueueNews(
                schedulerNames(settings),
                cluster,
                queue,
                reporter,
                onTheWay,
                nodeNames,
                this::isSynced),
            failure);
  }

  private CallWorkers workers(String name, int count) {
    // They are closed one after another, but from the beginning of that none sends anything more.
    BooleanSupplier maySend = () -> !closed && mayAct.getAsBoolean();
    return new CallWorkers(name, count, settings.binding().timeout(), inbox, maySend, failure);
  }

  private static Set<String> schedulerNames(SchedulerSettings settings) {
    return settings.profiles().stream()
        .map(SchedulerSettings.Profile::schedulerName)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The resources that the settings need. */
  private static Set<Resource> resources(SchedulerSettings settings) {
    Set<Resource> resources = ProfiledCluster.resources(settings.profiles());
    if (settings.preemption()) {
      resources.add(Resource.BUDGETS);
    }
    if (settings.podGroups()) {
      resources.add(Resource.POD_GROUPS);
    }
    if (settings.resourceClaims()) {
      resources.addAll(Resource.OF_DEVICES);
    }
    return resources;
  }

  /**
   * Runs until the term is over: this process may not act any more, or it stops.
   *
   * @throws IllegalStateException if a thread of the term has ended, or if it is not known whether
   *     a binding or a write has happened
   */
  void run() throws InterruptedException {
    long taken = System.nanoTime() - TURN;
    while (!closed && mayAct.getAsBoolean()) {
      failure.throwIfPresent();
      long now = System.nanoTime();
      turnedAt = now;
      long wait = feed.isSynced() && cycle.hasRoom() ? queue.nextTime(now) - now : LONGEST_WAIT;
      Message first = inbox.poll(Math.max(0, Math.min(wait, LONGEST_WAIT)), TimeUnit.NANOSECONDS);
      if (first != null) {
        TimeUnit.NANOSECONDS.sleep(taken + TURN - System.nanoTime());
        taken = System.nanoTime();
        List<Message> more = new ArrayList<>();
        inbox.drainTo(more, ROUND);
        // Where one fails, the mirror may be half updated, so that ends the term.
        first.arriveAt(this);
        more.forEach(message -> message.arriveAt(this));
      }
      if (feed.isSynced() && mayAct.getAsBoolean() && cycle.hasRoom()) {
        cycle.run();
      }
    }
  }

  void watched(Message.Watched message) {
    if (feed.take(message.event())) {
      log.info(
          "synced",
          "nodes",
          feed.size(Resource.NODES),
          "pods",
          feed.size(Resource.PODS),
          "waiting",
          queue.size());
    }
  }

  void bindingEnded(Message.BindingEnded ended) {
    if (ended.outcome() == Binder.Outcome.UNKNOWN) {
      // The pod may be on its node: a new term learns it from fresh lists.
      failure.fail("a binding may have happened: " + ended.detail());
    }
    if (ended.pod() != null) {
      found(Resource.PODS, ended.pod());
    }
    onTheWay.bindingEnded(ended);
  }

  /** Takes over an answer of the server. One that cannot be read is left to the watch. */
  private void found(Resource resource, JsonNode object) {
    if (resource == Resource.RESOURCE_CLAIMS && cluster.devices().assumed().isUnseen(object)) {
      feed.created(resource, object);
    } else {
      feed.found(resource, object);
    }
  }

  void devicesWritten(Message.DevicesWritten written) {
    written.found().forEach(found -> found(found.resource(), found.object()));
    if (written.isUnknown()) {
      // Its devices may be taken: a new term learns it from fresh lists.
      failure.fail("a write may have happened: " + written.failure());
      return;
    }
    onTheWay.devicesWritten(written);
  }

  void devicesFreed(Message.DevicesFreed freed) {
    long now = System.nanoTime();
    cluster.devices().claims().freeEnded(freed.claim());
    if (freed.failure().isEmpty() && freed.now() == null) {
      log.info("claim-deleted", "claim", freed.claim().key());
    } else if (freed.failure().isEmpty()) {
      found(Resource.RESOURCE_CLAIMS, freed.now());
      queue.wake(Set.of(ClusterChange.DEVICES), now);
    } else {
      log.warning("devices-not-freed", "claim", freed.claim().key(), "error", freed.failure());
      // Its next turn, after its pause, tries to free them again.
      queue.retry(freed.podUid(), now);
    }
    queue.wake(Set.of(ClusterChange.RESOURCE_CLAIM), now);
  }

  void volumesWritten(Message.VolumesWritten written) {
    written.found().forEach(found -> found(found.resource(), found.object()));
    onTheWay.volumesWritten(written);
  }

  /** The pod is tried again after its pause: events may have come while it was not refused. */
  void preemptionEnded(Message.PreemptionEnded ended) {
    Decision.Preempt decision = ended.decision();
    long now = System.nanoTime();
    ended.pods().forEach(pod -> found(Resource.PODS, pod));
    cluster.preemptionEnded(decision, ended.evicted());
    queue.retry(decision.pod().uid(), now);
    if (ended.outcome() != Preemptor.Outcome.DONE) {
      onTheWay.wakeForRoom(now);
    }
    log.info(
        "preemption-ended",
        "pod",
        decision.pod().key(),
        "node",
        decision.node(),
        "outcome",
        ended.outcome(),
        "evicted",
        ended.evicted().size(),
        "error",
        ended.detail());
  }

  /** Whether the whole cluster is known, and the term can go on. */
  boolean isSynced() {
    return !failure.isPresent() && feed.isSynced();
  }

  /** The time since the loop's last turn, in seconds. */
  long secondsSinceLastTurn() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - turnedAt);
  }

  PodQueue queue() {
    return queue;
  }

  int inFlight() {
    return onTheWay.inFlight() + onTheWay.waiting();
  }

  int preemptionsInFlight() {
    return preemptor.inFlight();
  }

  int reportsWaiting() {
    return reporter.waiting();
  }

  /**
   * Sends nothing more, and waits until no binding, nomination, eviction or write of a claim takes
   * effect.
   */
  @Override
  public void close() {
    closed = true;
    // The interrupt that asked for the end must not cut the calls that are waited for.
    boolean interrupted = Thread.interrupted();
    reporter.close();
    feed.close();
    inbox.clear();
    volumeWriter.close();
    deviceWriter.close();
    preemptor.close();
    binder.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
