package io.lighthouse.kubernetes.watch;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.ChangeStream;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.monitor.DaemonThreads;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Feeds a loop with the {@link Resource}s of a cluster. A {@link Reflector} of each puts messages
 * into the loop's inbox, and the loop hands them back here, to learn what is news of them. A change
 * to a state that is known already, or older than the one that is known, is none. A complete list
 * replaces all that is known, also by older states; what it does not hold has gone. An answer to a
 * write may be newer than a list that was under way, and stays then. An object that the listener
 * cannot read is logged and skipped. {@link #take} and what it answers are the loop's; {@link
 * #isSynced} is for any thread.
 */
public final class ClusterFeed implements AutoCloseable {
  private final Listener listener;
  private final SchedulerMetrics metrics;
  private final JsonLog log;
  private final List<Reflector> reflectors = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /** The version of every object that is known, by name or uid. */
  private final Map<Resource, Map<String, String>> known = new EnumMap<>(Resource.class);

  /** What a list that is under way has brought so far. */
  private final Map<Resource, Set<String>> listed = new EnumMap<>(Resource.class);

  /** The versions that were found during a list that is under way, by name or uid. */
  private final Map<Resource, Map<String, String>> foundMeanwhile = new EnumMap<>(Resource.class);

  private final Set<Resource> complete = EnumSet.noneOf(Resource.class);
  private volatile boolean synced;

  /** Takes the news. */
  public interface Listener {
    /**
     * An object has come or changed.
     *
     * @param key its {@link Resource#key}
     * @param isNew whether it was not known before
     * @throws InvalidInputException if it cannot be read; nothing has changed then
     */
    void changed(Resource resource, String key, JsonNode object, boolean isNew);

    /** An object has gone. */
    void gone(Resource resource, String key);
  }

  /**
   * Begins to list and to watch some resources.
   *
   * @param crashed takes what a thread of it ends by
   */
  public ClusterFeed(
      Set<Resource> resources,
      ApiServer server,
      Duration listAgain,
      WatchEvent.Inbox inbox,
      SchedulerMetrics metrics,
      JsonLog log,
      Listener listener,
      UncaughtExceptionHandler crashed) {
    this.listener = listener;
    this.metrics = metrics;
    this.log = log;
    for (Resource resource : resources) {
      known.put(resource, new HashMap<>());
      Reflector reflector = new Reflector(server, resource, inbox, listAgain, metrics, log);
      reflectors.add(reflector);
      Thread thread =
          new DaemonThreads("lighthouse-watch-" + resource.word(), crashed).newThread(reflector);
      threads.add(thread);
      thread.start();
    }
  }

  /**
   * Takes a message of a reflector.
   *
   * @return whether the whole cluster is known from now on, and was not before
   */
  public boolean take(WatchEvent message) {
    boolean wasSynced = synced;
    if (message instanceof WatchEvent.Seen seen) {
      seen(seen);
    } else if (message instanceof WatchEvent.Gone gone) {
      forget(gone.resource(), gone.resource().key(gone.object()));
    } else if (message instanceof WatchEvent.ListBegun begun) {
      listBegun(begun);
    } else if (message instanceof WatchEvent.ListEnded ended) {
      listEnded(ended);
    }
    return synced && !wasSynced;
  }

  private void listBegun(WatchEvent.ListBegun begun) {
    listed.put(begun.resource(), new HashSet<>());
    if (begun.wentBack()) {
      known.get(begun.resource()).replaceAll((key, version) -> "");
      foundMeanwhile.remove(begun.resource());
    } else {
      foundMeanwhile.put(begun.resource(), new HashMap<>());
    }
  }

  private void seen(WatchEvent.Seen seen) {
    String key = seen.resource().key(seen.object());
    Set<String> inList = listed.get(seen.resource());
    if (inList == null) {
      changed(seen.resource(), key, seen.object());
    } else {
      inList.add(key);
      if (!isFoundSince(seen.resource(), key, ObjectFields.version(seen.object()))) {
        replace(seen.resource(), key, seen.object());
      }
    }
  }

  /**
   * A state of an object that was read outside of list and watch. Of an object that is not known it
   * is no news: the object may have gone since it was read, and what has come the watch brings.
   */
  public void found(Resource resource, JsonNode object) {
    String key = resource.key(object);
    if (known.get(resource).containsKey(key)) {
      answered(resource, key, object);
    }
  }

  /** An object that was created here, and that neither list nor watch has shown yet. */
  public void created(Resource resource, JsonNode object) {
    answered(resource, resource.key(object), object);
  }

  private void answered(Resource resource, String key, JsonNode object) {
    changed(resource, key, object);
    Map<String, String> found = foundMeanwhile.get(resource);
    if (found != null) {
      found.put(key, known.get(resource).get(key));
    }
  }

  /** Whether an object was found in a newer state while the list was under way. */
  private boolean isFoundSince(Resource resource, String key, String version) {
    String found = foundMeanwhile.getOrDefault(resource, Map.of()).get(key);
    return found != null && ChangeStream.isOlder(version, found);
  }

  private void changed(Resource resource, String key, JsonNode object) {
    String last = known.get(resource).get(key);
    if (last == null || !ChangeStream.isOlder(ObjectFields.version(object), last)) {
      replace(resource, key, object);
    }
  }

  /** A state counts as known once the listener has taken it. */
  private void replace(Resource resource, String key, JsonNode object) {
    String version = ObjectFields.version(object);
    String last = known.get(resource).get(key);
    if (version.equals(last)) {
      return;
    }
    try {
      listener.changed(resource, key, object, last == null);
      known.get(resource).put(key, version);
    } catch (InvalidInputException unreadable) {
      String name = ObjectFields.text(object.path("metadata"), "name");
      log.error("message-failed", unreadable, "message", resource.word() + " " + name);
      metrics.failures.labelValues("message").inc();
    }
  }

  private void forget(Resource resource, String key) {
    known.get(resource).remove(key);
    listener.gone(resource, key);
  }

  private void listEnded(WatchEvent.ListEnded ended) {
    Resource resource = ended.resource();
    Set<String> inList = listed.remove(resource);
    List<String> gone = new ArrayList<>(known.get(resource).keySet());
    gone.removeAll(inList);
    // The watch from the list's version on tells what becomes of those that it is too old for.
    gone.removeIf(key -> isFoundSince(resource, key, ended.version()));
    gone.forEach(key -> forget(resource, key));
    foundMeanwhile.remove(resource);
    if (complete.add(resource) && complete.size() == known.size()) {
      synced = true;
    }
  }

  /** Whether there has been a complete list of everything. */
  public boolean isSynced() {
    return synced;
  }

  /** How many objects of a resource are known. */
  public int size(Resource resource) {
    return known.get(resource).size();
  }

  /** Ends the watches; nothing is put into the inbox afterwards. */
  @Override
  public void close() {
    reflectors.forEach(Reflector::close);
    threads.forEach(Thread::interrupt);
    boolean interrupted = Thread.interrupted();
    for (Thread thread : threads) {
      try {
        thread.join(1_000);
      } catch (InterruptedException impatient) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
