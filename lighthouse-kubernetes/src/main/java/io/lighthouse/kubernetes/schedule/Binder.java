package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Pause;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Binds pods to nodes, several at a time. The server binds a pod once and never again, so no pod is
 * bound twice; what it does not check is room. So a binding whose outcome is unknown is looked up.
 * While the pod is unbound, it is sent <em>to the same node again</em>: until the outcome is known,
 * that node's room is taken (page 48 of the decisions). The uid in every binding distinguishes a
 * pod from its namesake. Thread-safe.
 */
final class Binder implements AutoCloseable {
  /** How often a binding is retried after an error, while the pod is still unbound. */
  private static final int TRIES = 4;

  private final ApiServer server;
  private final Predicate<String> nodeIsThere;
  private final SchedulerMetrics metrics;
  private final CallWorkers workers;

  /** How a binding ended. */
  enum Outcome {
    /** The pod is on the node. */
    BOUND,
    /** Another scheduler bound it to another node. */
    ELSEWHERE,
    /** There is no such pod any more, or it is being deleted. */
    GONE,
    /** The server does not bind it. It is not bound, or this process may not read it. */
    REFUSED,
    /** It has no effect: the node has gone, or this process does not lead any more. */
    WITHDRAWN,
    /** The outcome is unknown, and this process may not go on. */
    UNKNOWN
  }

  /**
   * A binder.
   *
   * @param workers its threads; they are closed with this
   * @param nodeIsThere checked before every binding is sent
   */
  Binder(
      ApiServer server,
      CallWorkers workers,
      Predicate<String> nodeIsThere,
      SchedulerMetrics metrics) {
    this.server = server;
    this.nodeIsThere = nodeIsThere;
    this.metrics = metrics;
    this.workers = workers;
  }

  /** Binds in the background; the end is a message in the inbox. */
  void submit(Binding binding) {
    workers.submit(binding.priority(), () -> carryOut(binding));
  }

  /** Bindings that have not ended. */
  int inFlight() {
    return workers.inFlight();
  }

  private Message carryOut(Binding binding) throws InterruptedException {
    Pause pause = Pause.betweenCalls();
    ObjectNode body = body(binding);
    boolean uncertain = false;
    long noEffectFrom = System.nanoTime();
    for (int tries = 1; ; tries++) {
      if (!workers.maySend()) {
        return ended(binding, uncertain ? Outcome.UNKNOWN : Outcome.WITHDRAWN, null, "no leader");
      }
      if (!nodeIsThere.test(binding.node())) {
        String detail = "the node has gone";
        return notBound(binding, Outcome.WITHDRAWN, detail, uncertain, noEffectFrom);
      }
      String detail;
      int asked = 0;
      boolean answered = true;
      long until = workers.noEffectFrom();
      try {
        workers.send(() -> server.post(binding.path() + "/binding", body));
        return ended(binding, Outcome.BOUND, null, "");
      } catch (ApiException refused) {
        detail = refused.getMessage();
        asked = refused.retryAfter();
        if (refused.code() == 429) {
          metrics.failures.labelValues("bind").inc();
          pause.sleep(asked);
          tries--;
          continue;
        }
        if (!refused.isRefused()) {
          uncertain = true;
          noEffectFrom = until;
        }
      } catch (IOException unknown) {
        detail = unknown.getMessage();
        answered = false;
        uncertain = true;
        noEffectFrom = until;
      }
      metrics.failures.labelValues("bind").inc();
      try {
        JsonNode pod = look(binding, pause);
        Outcome found = judge(binding, pod);
        if (found != null) {
          return ended(binding, found, pod, detail);
        }
        boolean gated = !pod.path("spec").path("schedulingGates").isEmpty();
        if (answered && (gated || tries >= TRIES)) {
          return notBound(binding, Outcome.REFUSED, detail, uncertain, noEffectFrom);
        }
      } catch (IOException notToBeKnown) {
        return unread(binding, detail, uncertain, notToBeKnown);
      }
      pause.sleep(asked);
    }
  }

  /**
   * The end of a binding for which nothing more is sent.
   *
   * @param outcome the outcome if the pod stays unbound
   * @param uncertain whether a call may take effect until {@code noEffectFrom}: then the pod is
   *     looked up once more at that time, and until then no thread waits for it
   * @return null where it ends later
   */
  private Message notBound(
      Binding binding, Outcome outcome, String detail, boolean uncertain, long noEffectFrom) {
    if (!uncertain) {
      return ended(binding, outcome, null, detail);
    }
    boolean endsLater =
        workers.submitAfter(
            noEffectFrom - System.nanoTime(),
            () -> {
              try {
                JsonNode pod = look(binding, Pause.betweenCalls());
                Outcome found = judge(binding, pod);
                return ended(binding, found == null ? outcome : found, pod, detail);
              } catch (IOException notToBeKnown) {
                return unread(binding, detail, true, notToBeKnown);
              }
            });
    return endsLater ? null : ended(binding, Outcome.UNKNOWN, null, detail);
  }

  /** The end of a binding whose pod could not be looked up. */
  private Message unread(Binding binding, String detail, boolean uncertain, IOException failed) {
    boolean isRefused = isForbidden(failed) && !uncertain;
    Outcome outcome = isRefused ? Outcome.REFUSED : Outcome.UNKNOWN;
    return ended(binding, outcome, null, detail + "; " + failed.getMessage());
  }

  private Message ended(Binding binding, Outcome outcome, JsonNode pod, String detail) {
    metrics.bound(outcome.name().toLowerCase(Locale.ROOT), System.nanoTime() - binding.decidedAt());
    return new Message.BindingEnded(
        binding, outcome, outcome == Outcome.ELSEWHERE ? pod : null, detail);
  }

  /**
   * The pod as the server has it; a missing node if it is gone. Retries until it is answered.
   *
   * @throws IOException if this process may not read pods, or may not act any more
   */
  private JsonNode look(Binding binding, Pause pause) throws IOException, InterruptedException {
    while (true) {
      try {
        return server.find(binding.path());
      } catch (IOException failed) {
        if (!workers.maySend() || isForbidden(failed)) {
          throw failed;
        }
        pause.sleep(failed);
      }
    }
  }

  private static boolean isForbidden(IOException failed) {
    return failed instanceof ApiException refused && refused.code() == 403;
  }

  /** The outcome that the pod's state shows; null while it is unbound and may be bound. */
  private static Outcome judge(Binding binding, JsonNode pod) {
    if (!ObjectFields.uid(pod).equals(binding.uid())) {
      return Outcome.GONE;
    }
    String node = ObjectFields.node(pod);
    if (!node.isEmpty()) {
      return node.equals(binding.node()) ? Outcome.BOUND : Outcome.ELSEWHERE;
    }
    return ObjectFields.isDeleting(pod) ? Outcome.GONE : null;
  }

  private static ObjectNode body(Binding binding) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("apiVersion", "v1").put("kind", "Binding");
    body.putObject("metadata")
        .put("name", binding.decision().pod().name())
        .put("uid", binding.uid());
    body.putObject("target")
        .put("apiVersion", "v1")
        .put("kind", "Node")
        .put("name", binding.node());
    return body;
  }

  /** Sends nothing more, not even queued bindings, and waits until none takes effect any more. */
  @Override
  public void close() {
    workers.close();
  }
}
