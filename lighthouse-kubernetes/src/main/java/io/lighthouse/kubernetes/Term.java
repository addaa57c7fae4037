package io.lighthouse.kubernetes;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.Cluster;
import io.lighthouse.kubernetes.cluster.Decision;
import io.lighthouse.kubernetes.cluster.WaitingPod;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * One time of leading: begins with fresh lists, so that it knows all that anybody bound before, and
 * ends with everything thrown away. One thread, the loop, has the cluster and the queue to itself;
 * the others (reflectors, binder, reporter) tell it by messages.
 *
 * <pre>
 *   reflectors ── messages ──► loop: Cluster, PodQueue ── decisions ──► binder ── outcomes ──┐
 *                               ▲                          └── refusals ──► reporter          │
 *                               └─────────────────────────────────────────────────────────────┘
 * </pre>
 */
final class Term implements AutoCloseable {
  private static final int INBOX = 8_192;

  /** Messages that are taken before anything is decided again. */
  private static final int ROUND = 2_048;

  /**
   * How far apart the loop's turns are where messages come one after the other: one turn takes them
   * together, and decides about many pods at once.
   */
  private static final long TURN = TimeUnit.MILLISECONDS.toNanos(5);

  /** Decided again where this part of what may be in flight is free. */
  private static final int ROOM = 8;

  /** The longest that the loop waits without a look at who leads. */
  private static final long LONGEST_WAIT = TimeUnit.MILLISECONDS.toNanos(200);

  private final SchedulerSettings settings;
  private final BooleanSupplier mayAct;
  private final SchedulerMetrics metrics;
  private final JsonLog log;
  private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>(INBOX);
  private final Binder binder;
  private final Reporter reporter;
  private final Cluster cluster;
  private final PodQueue queue;

  /** What of a node decides who fits, to tell news from heartbeats. */
  private final Map<String, Integer> nodeTraits = new HashMap<>();

  /** The nodes there are, for the binder's threads. */
  private final Set<String> nodeNames = ConcurrentHashMap.newKeySet();

  private final ClusterFeed feed;
  private final Intake intake = new Intake();
  private final UncaughtExceptionHandler crashed;
  private volatile boolean closed;

  /** What a thread of this term ended by; null while all run. */
  private volatile RuntimeException broken;

  private volatile long turnedAt = System.nanoTime();

  /**
   * Begins one.
   *
   * @param crashed takes Errors by which a thread of the term ends; any other end of a thread ends
   *     the term
   */
  Term(
      ApiServer server,
      SchedulerSettings settings,
      Distributors.Builder engine,
      String identity,
      BooleanSupplier mayAct,
      SchedulerMetrics metrics,
      JsonLog log,
      Clock wall,
      UncaughtExceptionHandler crashed) {
    this.settings = settings;
    this.mayAct = mayAct;
    this.metrics = metrics;
    this.log = log;
    this.crashed = crashed;
    this.cluster = new Cluster(engine);
    this.queue = new PodQueue(settings.queue().firstPause(), settings.queue().longestPause());
    this.binder =
        new Binder(
            server,
            settings.binding().workers(),
            settings.binding().timeout(),
            inbox,
            mayAct,
            nodeNames::contains,
            metrics,
            this::threadFailed);
    TokenBucket rate =
        new TokenBucket(settings.events().perSecond(), settings.events().burst(), System::nanoTime);
    this.reporter =
        new Reporter(
            server,
            settings.schedulerName(),
            identity,
            rate,
            metrics,
            log,
            wall,
            this::threadFailed);
    this.feed =
        new ClusterFeed(
            server,
            settings.queue().listAgain(),
            inbox,
            metrics,
            log,
            new News(),
            this::threadFailed);
  }

  private void threadFailed(Thread thread, Throwable cause) {
    if (cause instanceof RuntimeException) {
      broken = new IllegalStateException(thread.getName() + " has ended: " + cause, cause);
    } else {
      crashed.uncaughtException(thread, cause);
    }
  }

  /**
   * Runs until the term is over: this process may not act any more, or it stops.
   *
   * @throws IllegalStateException if a thread of the term has ended
   */
  void run() throws InterruptedException {
    long taken = System.nanoTime() - TURN;
    while (!closed && mayAct.getAsBoolean()) {
      if (broken != null) {
        throw broken;
      }
      long now = System.nanoTime();
      turnedAt = now;
      long wait = feed.isSynced() && hasRoom() ? queue.nextTime(now) - now : LONGEST_WAIT;
      Message first = inbox.poll(Math.max(0, Math.min(wait, LONGEST_WAIT)), TimeUnit.NANOSECONDS);
      if (first != null) {
        TimeUnit.NANOSECONDS.sleep(taken + TURN - System.nanoTime());
        taken = System.nanoTime();
        List<Message> more = new ArrayList<>();
        inbox.drainTo(more, ROUND);
        take(first);
        more.forEach(this::take);
      }
      if (feed.isSynced() && mayAct.getAsBoolean() && hasRoom()) {
        decide();
      }
    }
  }

  private boolean hasRoom() {
    int most = settings.binding().inFlight();
    return (most - binder.inFlight()) * ROOM >= most;
  }

  /**
   * Takes a message. An object that cannot be read changes nothing and is left out. Anything else
   * that fails may leave the mirror half applied, so it ends the term.
   */
  private void take(Message message) {
    try {
      message.match(intake);
    } catch (InvalidInputException unreadable) {
      log.error("message-failed", unreadable, "message", words(message));
      metrics.failures.labelValues("message").inc();
    }
  }

  /** What each kind of message leads to. */
  private final class Intake implements Message.Cases<Void> {
    @Override
    public Void bindingEnded(Message.BindingEnded ended) {
      Term.this.bindingEnded(ended);
      return null;
    }

    @Override
    public Void look(Message.Look look) {
      look.with().accept(cluster);
      return null;
    }

    @Override
    public Void ofCluster(Message.OfCluster message) {
      boolean before = feed.isSynced();
      feed.take(message);
      if (!before && feed.isSynced()) {
        log.info(
            "synced",
            "nodes",
            feed.size(Resource.NODES),
            "pods",
            feed.size(Resource.PODS),
            "waiting",
            queue.size());
      }
      return null;
    }
  }

  private static String words(Message message) {
    return message instanceof Message.Seen seen
        ? seen.resource().word() + " " + seen.object().path("metadata").path("name").asString("")
        : message.toString();
  }

  /** What the news of the cluster mean to the queue. */
  private final class News implements ClusterFeed.Listener {
    @Override
    public void changed(Resource resource, String key, JsonNode object, boolean isNew) {
      switch (resource) {
        case NODES -> {
          cluster.nodeChanged(object);
          nodeNames.add(key);
          Integer traits = traits(object);
          if (!traits.equals(nodeTraits.put(key, traits))) {
            queue.wakeAll(System.nanoTime());
          }
        }
        case NAMESPACES -> {
          cluster.namespaceChanged(object);
          if (!isNew && feed.isSynced()) {
            queue.wakeAll(System.nanoTime());
          }
        }
        case PODS -> podSeen(key, object);
      }
    }

    @Override
    public void gone(Resource resource, String key) {
      switch (resource) {
        case NODES -> {
          nodeNames.remove(key);
          nodeTraits.remove(key);
          cluster.nodeGone(key);
          // A domain less may be what a spread constraint waited for.
          queue.wakeAll(System.nanoTime());
        }
        case NAMESPACES -> cluster.namespaceGone(key);
        case PODS -> {
          cluster.podGone(key);
          queue.remove(key);
          reporter.forget(key);
          queue.wakeAll(System.nanoTime());
        }
      }
    }
  }

  private static Integer traits(JsonNode node) {
    JsonNode status = node.path("status");
    return List.of(
            status.path("allocatable"),
            status.path("declaredFeatures"),
            node.path("spec"),
            node.path("metadata").path("labels"))
        .hashCode();
  }

  private void podSeen(String uid, JsonNode pod) {
    boolean assumed = cluster.assumedNode(uid).isPresent();
    boolean waited = queue.contains(uid);
    cluster.podChanged(pod);
    Optional<WaitingPod> waiting =
        cluster
            .waitingPod(uid)
            .filter(found -> found.schedulerName().equals(settings.schedulerName()))
            .filter(found -> !found.gated());
    long now = System.nanoTime();
    if (waiting.isPresent()) {
      queue.add(waiting.get(), PodHelp.ofArrivals(pod));
      queue.changed(uid, PodHelp.traits(pod), now);
      return;
    }
    boolean bound = !pod.path("spec").path("nodeName").asString("").isEmpty();
    if (bound || !assumed) {
      queue.remove(uid);
      if (waited && bound) {
        reporter.forget(uid);
      }
    }
    if (bound && pod.path("metadata").has("deletionTimestamp")) {
      // It holds its room until it is gone, but spread constraints do not count it any more.
      queue.wakeAll(now);
    } else if (bound) {
      queue.wakeHelpedByArrivals(now);
    }
  }

  private void bindingEnded(Message.BindingEnded ended) {
    Binding binding = ended.binding();
    String uid = binding.uid();
    long now = System.nanoTime();
    switch (ended.outcome()) {
      case BOUND -> {
        log.info(
            "bound",
            "pod",
            binding.pod(),
            "node",
            binding.node(),
            "strategy",
            binding.decision().strategy(),
            "decision",
            binding.decision().hash(),
            "micros",
            (now - binding.decidedAt()) / 1_000);
        reporter.scheduled(binding.decision());
        queue.remove(uid);
        return;
      }
      case ELSEWHERE -> {
        feed.found(Resource.PODS, ended.pod());
        queue.remove(uid);
      }
      case GONE -> {
        cluster.assumeFailed(uid);
        queue.remove(uid);
        queue.wakeAll(now);
      }
      case REFUSED, WITHDRAWN -> {
        cluster.assumeFailed(uid);
        queue.retry(uid, now);
        queue.wakeAll(now);
      }
      case UNKNOWN -> {
        // This process does not lead any more: the term is over, and with it what is assumed.
      }
    }
    log.warning(
        "not-bound",
        "pod",
        binding.pod(),
        "node",
        binding.node(),
        "outcome",
        ended.outcome(),
        "error",
        ended.detail());
  }

  private void decide() {
    long now = System.nanoTime();
    int most =
        Math.min(settings.binding().batch(), settings.binding().inFlight() - binder.inFlight());
    List<String> pods = queue.take(most, now);
    if (pods.isEmpty()) {
      return;
    }
    List<Decision> decisions;
    try {
      decisions = cluster.decide(pods);
    } catch (LighthouseException broken) {
      log.error("decision-failed", broken, "pods", pods.size());
      metrics.failures.labelValues("decide").inc();
      for (String uid : pods) {
        cluster
            .waitingPod(uid)
            .ifPresent(pod -> reporter.refused(pod, "SchedulerError", broken.getMessage()));
        queue.retry(uid, now);
      }
      return;
    }
    metrics.decided(pods.size(), System.nanoTime() - now);
    Set<String> open = new HashSet<>(pods);
    for (Decision decision : decisions) {
      open.remove(decision.pod().uid());
      carryOut(decision, now);
    }
    // Passed over: bound, assumed or gated meanwhile; whatever made them so takes care of them.
    open.stream().filter(uid -> cluster.assumedNode(uid).isEmpty()).forEach(queue::remove);
  }

  private void carryOut(Decision decision, long now) {
    decision.match(
        new Decision.Cases<Void>() {
          @Override
          public Void bind(Decision.Bind bind) {
            metrics.placements.inc();
            binder.submit(new Binding(bind, now));
            return null;
          }

          @Override
          public Void refused(Decision.Refused refused) {
            metrics.refusals.labelValues("no-node").inc();
            refuse(refused.pod(), refused.message(), now);
            return null;
          }

          @Override
          public Void unsupported(Decision.Unsupported unsupported) {
            metrics.refusals.labelValues("unsupported").inc();
            refuse(unsupported.pod(), unsupported.message(), now);
            return null;
          }
        });
  }

  private void refuse(WaitingPod pod, String message, long now) {
    queue.refuse(pod.uid(), now);
    reporter.refused(pod, "Unschedulable", message);
    log.info("refused", "pod", pod.namespace() + "/" + pod.name(), "message", message);
  }

  /** Has the loop show its cluster to somebody, some time. */
  void look(Consumer<Cluster> with) throws InterruptedException {
    inbox.put(new Message.Look(with));
  }

  boolean isSynced() {
    return feed.isSynced();
  }

  /** How long the loop has not turned, in seconds. */
  long stoodFor() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - turnedAt);
  }

  PodQueue queue() {
    return queue;
  }

  int inFlight() {
    return binder.inFlight();
  }

  int reportsWaiting() {
    return reporter.waiting();
  }

  @Override
  public void close() {
    closed = true;
    reporter.close();
    feed.close();
    inbox.clear();
    binder.close();
  }
}
