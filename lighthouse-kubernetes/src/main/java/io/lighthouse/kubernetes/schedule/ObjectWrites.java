package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Pause;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes of objects that a decision was made on. Each write names the version or the uid that was
 * decided on, so it has no effect on another state or object. A write whose outcome is unknown is
 * looked up. Thread-safe.
 */
final class ObjectWrites {
  /** How often a write is sent while it fails without an effect. */
  static final int TRIES = 4;

  private final ApiServer server;
  private final CallWorkers workers;
  private final SchedulerMetrics metrics;
  private final String failures;

  /**
   * A write that has not happened, and will not, or of which this is not known before the server's
   * own limit of it has passed.
   */
  static final class NotWrittenException extends Exception {
    private static final long serialVersionUID = 1L;
    private final boolean mayHaveHappened;

    NotWrittenException(String message, boolean mayHaveHappened) {
      super(message);
      this.mayHaveHappened = mayHaveHappened;
    }

    /** Whether it was sent, and its outcome is not known. */
    boolean mayHaveHappened() {
      return mayHaveHappened;
    }
  }

  /**
   * Writes to a server.
   *
   * @param workers the threads that write
   * @param failures what failed calls are counted as
   */
  ObjectWrites(ApiServer server, CallWorkers workers, SchedulerMetrics metrics, String failures) {
    this.server = server;
    this.workers = workers;
    this.metrics = metrics;
    this.failures = failures;
  }

  /** A patch that has an effect only while the object has a version. */
  static ObjectNode patch(String version) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("resourceVersion", version);
    return patch;
  }

  /**
   * Writes once, and returns the object as the server has it then.
   *
   * @param path the path of the object
   * @param part what of it is written: empty for all but its status, or {@code /status}
   * @param isDone whether the object shows that the write has happened
   */
  JsonNode write(String path, String part, JsonNode patch, Predicate<JsonNode> isDone)
      throws NotWrittenException, InterruptedException {
    return send(path, () -> server.patch(path + part, patch), isDone, false);
  }

  /** The same; a missing node where the object has gone. */
  JsonNode writeIfThere(String path, String part, JsonNode patch, Predicate<JsonNode> isDone)
      throws NotWrittenException, InterruptedException {
    return send(path, () -> server.patch(path + part, patch), isDone, true);
  }

  /**
   * Creates an object, and returns it as the server has it then.
   *
   * @param collection the path of its collection
   * @param path its own path
   * @param isDone whether an object there is the one that was to be created
   */
  JsonNode create(String collection, String path, JsonNode object, Predicate<JsonNode> isDone)
      throws NotWrittenException, InterruptedException {
    return send(path, () -> server.post(collection, object), isDone, true);
  }

  /** Replaces an object, if it is there, and returns it as the server has it then. */
  JsonNode replace(String path, JsonNode object, Predicate<JsonNode> isDone)
      throws NotWrittenException, InterruptedException {
    return send(path, () -> server.put(path, object), isDone, true);
  }

  /** The options of a deletion that has an effect only on the object with a uid. */
  private static ObjectNode deletion(String uid) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.putObject("preconditions").put("uid", uid);
    return options;
  }

  /**
   * Deletes an object, unless the server has another of its name or none. Returns what the server
   * answers, or has by this name.
   */
  JsonNode delete(String path, String uid) throws NotWrittenException, InterruptedException {
    return send(
        path, () -> server.delete(path, deletion(uid)), now -> isGoneOrEnding(now, uid), true);
  }

  /** Whether an object is none any more, but one of its name at most, or is being deleted. */
  static boolean isGoneOrEnding(JsonNode now, String uid) {
    return !ObjectFields.uid(now).equals(uid) || ObjectFields.isDeleting(now);
  }

  /**
   * Sends a call until it has happened.
   *
   * @param mayLack whether the object need not be there; then it is a missing node
   */
  private JsonNode send(
      String path, CallWorkers.Write write, Predicate<JsonNode> isDone, boolean mayLack)
      throws NotWrittenException, InterruptedException {
    Pause pause = Pause.betweenCalls();
    String detail = "";
    boolean isUncertain = false;
    long noEffectFrom = System.nanoTime();
    for (int tries = 1; tries <= TRIES; tries++) {
      requireMayAct(isUncertain);
      int asked = 0;
      boolean isFinal = false;
      long until = workers.noEffectFrom();
      try {
        return workers.send(write);
      } catch (ApiException refused) {
        detail = refused.getMessage();
        asked = refused.retryAfter();
        metrics.failures.labelValues(failures).inc();
        if (refused.code() == 429) {
          tries--;
          pause.sleep(asked);
          continue;
        }
        isFinal = refused.isRefused();
        if (!isFinal) {
          isUncertain = true;
          noEffectFrom = until;
        }
      } catch (IOException unknown) {
        detail = unknown.getMessage();
        isUncertain = true;
        noEffectFrom = until;
        metrics.failures.labelValues(failures).inc();
      }
      JsonNode now = read(path, pause, isUncertain, mayLack);
      if (isDone.test(now)) {
        return now;
      }
      if (isFinal) {
        break;
      }
      pause.sleep(asked);
    }
    throw new NotWrittenException(detail, noEffectFrom - System.nanoTime() > 0);
  }

  private void requireMayAct(boolean isUncertain) throws NotWrittenException {
    if (!workers.maySend()) {
      throw new NotWrittenException("no leader", isUncertain);
    }
  }

  /** The object as the server has it. Retries until there is an answer. */
  JsonNode read(String path) throws NotWrittenException, InterruptedException {
    return read(path, Pause.betweenCalls(), false, false);
  }

  /** The same; a missing node where it is not there. */
  JsonNode find(String path) throws NotWrittenException, InterruptedException {
    return read(path, Pause.betweenCalls(), false, true);
  }

  /**
   * The object as the server has it.
   *
   * @param isUncertain whether the outcome of a write depends on it
   * @param mayLack whether the object need not be there; then it is a missing node
   */
  private JsonNode read(String path, Pause pause, boolean isUncertain, boolean mayLack)
      throws NotWrittenException, InterruptedException {
    while (true) {
      requireMayAct(isUncertain);
      try {
        return mayLack ? server.find(path) : server.get(path);
      } catch (IOException failed) {
        if (failed instanceof ApiException refused
            && (refused.code() == 404 || refused.code() == 403)) {
          boolean mayHaveHappened = isUncertain && refused.code() == 403;
          throw new NotWrittenException(refused.getMessage(), mayHaveHappened);
        }
        pause.sleep(failed);
      }
    }
  }
}
