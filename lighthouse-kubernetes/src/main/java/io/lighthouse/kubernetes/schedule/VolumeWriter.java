package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Pause;
import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import io.lighthouse.kubernetes.cluster.volume.VolumeWork;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import io.lighthouse.kubernetes.schedule.Message.VolumesWritten.Found;
import io.lighthouse.kubernetes.watch.Resource;
import java.io.IOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells the volume controllers where the claims of a pod are needed: a volume gets its claim, and a
 * claim for which a volume is made gets its node. Each write names the version that was decided on,
 * so it has no effect once the object has changed. A write whose outcome is unknown is looked up.
 * What was written stays, also where the pod goes elsewhere later, as in the stock scheduler.
 * Thread-safe.
 */
final class VolumeWriter implements AutoCloseable {
  /** How often a write is sent while it fails without an effect. */
  private static final int TRIES = 4;

  private static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  private final ApiServer server;
  private final BooleanSupplier mayAct;
  private final SchedulerMetrics metrics;
  private final Duration limit;
  private final CallWorkers workers;
  private volatile boolean closed;

  /** A write that has not happened, and will not. */
  private static final class NotWrittenException extends Exception {
    private static final long serialVersionUID = 1L;

    NotWrittenException(String message) {
      super(message);
    }
  }

  /**
   * A writer.
   *
   * @param workers the largest number of threads
   * @param limit the longest that a call may take
   * @param mayAct checked before every write is sent
   * @param crashed receives the throwable that ends one of its threads
   */
  VolumeWriter(
      ApiServer server,
      int workers,
      Duration limit,
      BlockingQueue<Message> inbox,
      BooleanSupplier mayAct,
      SchedulerMetrics metrics,
      UncaughtExceptionHandler crashed) {
    this.server = server;
    this.limit = limit;
    this.mayAct = mayAct;
    this.metrics = metrics;
    this.workers = new CallWorkers("lighthouse-volumes", workers, limit, inbox, crashed);
  }

  /** Writes in the background; the end is a message in the inbox. */
  void submit(Binding binding, VolumeWork work) {
    workers.submit(() -> carryOut(binding, work));
  }

  private Message.VolumesWritten carryOut(Binding binding, VolumeWork work)
      throws InterruptedException {
    List<Found> found = new ArrayList<>();
    List<VolumeWork.Match> matches = new ArrayList<>();
    List<ClaimFacts> provisions = new ArrayList<>();
    String failure = "";
    try {
      for (VolumeWork.Match match : work.matches()) {
        matches.add(new VolumeWork.Match(match.claim(), written(match, found)));
      }
      for (ClaimFacts claim : work.provisions()) {
        provisions.add(written(claim, work.node(), found));
      }
    } catch (NotWrittenException failed) {
      failure = failed.getMessage();
    }
    VolumeWork written = new VolumeWork(work.node(), matches, provisions);
    return new Message.VolumesWritten(binding, written, found, failure);
  }

  private VolumeFacts written(VolumeWork.Match match, List<Found> found)
      throws NotWrittenException, InterruptedException {
    VolumeFacts volume = match.volume();
    ClaimFacts claim = match.claim();
    if (volume.claim().equals(claim.key()) && volume.claimUid().equals(claim.uid())) {
      return volume;
    }
    ObjectNode patch = patch(volume.version());
    if (!volume.isFor(claim)) {
      annotate(patch, BOUND_BY_CONTROLLER, "yes");
    }
    patch
        .putObject("spec")
        .putObject("claimRef")
        .put("apiVersion", "v1")
        .put("kind", "PersistentVolumeClaim")
        .put("namespace", claim.namespace())
        .put("name", claim.name())
        .put("uid", claim.uid())
        .put("resourceVersion", claim.version());
    JsonNode now =
        write(
            "/api/v1/persistentvolumes/" + volume.name(),
            patch,
            object -> VolumeFacts.of(object).claimUid().equals(claim.uid()));
    found.add(new Found(Resource.VOLUMES, now));
    return VolumeFacts.of(now);
  }

  private ClaimFacts written(ClaimFacts claim, String node, List<Found> found)
      throws NotWrittenException, InterruptedException {
    if (node.equals(claim.selectedNode())) {
      return claim;
    }
    ObjectNode patch = patch(claim.version());
    annotate(patch, ClaimFacts.SELECTED_NODE, node);
    JsonNode now =
        write(
            "/api/v1/namespaces/" + claim.namespace() + "/persistentvolumeclaims/" + claim.name(),
            patch,
            object -> isSelected(ClaimFacts.of(object), claim, node));
    found.add(new Found(Resource.CLAIMS, now));
    return ClaimFacts.of(now);
  }

  private static boolean isSelected(ClaimFacts now, ClaimFacts claim, String node) {
    return now.uid().equals(claim.uid()) && node.equals(now.selectedNode());
  }

  private static ObjectNode patch(String version) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("resourceVersion", version);
    return patch;
  }

  private static void annotate(ObjectNode patch, String name, String value) {
    patch.withObjectProperty("metadata").putObject("annotations").put(name, value);
  }

  /** Writes once, and returns the object as the server has it then. */
  private JsonNode write(String path, JsonNode patch, Predicate<JsonNode> isDone)
      throws NotWrittenException, InterruptedException {
    Pause pause = Pause.betweenCalls();
    String detail = "";
    for (int tries = 1; tries <= TRIES; tries++) {
      requireMayAct();
      int asked = 0;
      boolean isFinal = false;
      try {
        return server.patch(path + "?timeout=" + limit.toMillis() + "ms", patch);
      } catch (ApiException refused) {
        detail = refused.getMessage();
        asked = refused.retryAfter();
        metrics.failures.labelValues("volume").inc();
        if (refused.code() == 429) {
          tries--;
          pause.sleep(asked);
          continue;
        }
        isFinal = refused.isRefused();
      } catch (IOException unknown) {
        detail = unknown.getMessage();
        metrics.failures.labelValues("volume").inc();
      }
      JsonNode now = look(path, pause);
      if (isDone.test(now)) {
        return now;
      }
      if (isFinal) {
        break;
      }
      pause.sleep(asked);
    }
    throw new NotWrittenException(detail);
  }

  private void requireMayAct() throws NotWrittenException {
    if (closed || !mayAct.getAsBoolean()) {
      throw new NotWrittenException("no leader");
    }
  }

  /** The object as the server has it. Retries until there is an answer. */
  private JsonNode look(String path, Pause pause) throws NotWrittenException, InterruptedException {
    while (true) {
      requireMayAct();
      try {
        return server.get(path);
      } catch (ApiException refused) {
        if (refused.code() == 404 || refused.code() == 403) {
          throw new NotWrittenException(refused.getMessage());
        }
        pause.sleep(refused.retryAfter());
      } catch (IOException noAnswer) {
        pause.sleep(0);
      }
    }
  }

  /** Sends nothing more, and waits for the calls under way. The inbox must have room. */
  @Override
  public void close() {
    closed = true;
    workers.close();
  }
}
