package io.lighthouse.kubernetes.control;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ChangeStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import tools.jackson.databind.JsonNode;

/**
 * Watches claims and pods, and judges every change with rules of its own. No device is in two
 * allocations at once. A claim with devices has the finalizer, its devices are those of one node or
 * of all, and other devices take their place only after they were given back. The claims of a bound
 * pod have devices that the pod's node reaches and are reserved for the pod. The pools are those of
 * {@link DeviceObjects}.
 */
public final class DeviceAuditor implements AutoCloseable {
  private final Bench bench;
  private final DeviceObjects objects;
  private final Queue<String> findings = new ConcurrentLinkedQueue<>();

  /** The last state of each claim, by its uid. */
  private final Map<String, JsonNode> claims = new HashMap<>();

  /** The bound pods with claims, as they were first seen so, by their uid. */
  private final Map<String, JsonNode> bound = new HashMap<>();

  private final List<Follower> followers;
  private int marks;

  /** Begins to watch. */
  public DeviceAuditor(Bench bench) throws IOException {
    this.bench = bench;
    objects = new DeviceObjects(bench);
    followers =
        List.of(
            new Follower(DeviceObjects.CLAIMS_EVERYWHERE, claims, this::claimSeen),
            new Follower("/api/v1/pods", bound, this::podSeen));
  }

  private interface Seen {
    void take(JsonNode object);
  }

  /** Follows the objects of one kind. */
  private final class Follower implements AutoCloseable {
    private final String path;
    private final Map<String, JsonNode> known;
    private final Seen seen;
    private final Thread thread;
    private volatile boolean closed;
    private volatile ChangeStream watch;

    Follower(String path, Map<String, JsonNode> known, Seen seen) throws IOException {
      this.path = path;
      this.known = known;
      this.seen = seen;
      String version = list();
      thread = new Thread(() -> follow(version), "device-auditor");
      thread.setDaemon(true);
      thread.start();
    }

    private String list() throws IOException {
      List<JsonNode> all = new ArrayList<>();
      String version = bench.admin().list(path, all::add);
      synchronized (DeviceAuditor.this) {
        Set<String> there = new TreeSet<>();
        all.forEach(object -> there.add(DeviceObjects.uid(object)));
        known.keySet().retainAll(there);
        all.forEach(seen::take);
      }
      return version;
    }

    private void follow(String version) {
      String from = version;
      while (!closed) {
        watch = new ChangeStream(bench.admin(), path, from, Duration.ofMinutes(1));
        try {
          watch.run(this::take);
          from = watch.version();
        } catch (IOException cut) {
          try {
            from = list();
          } catch (IOException down) {
            Thread.onSpinWait();
          }
        }
      }
    }

    private void take(String type, JsonNode object) {
      synchronized (DeviceAuditor.this) {
        if (type.equals("DELETED")) {
          known.remove(DeviceObjects.uid(object));
        } else {
          seen.take(object);
        }
      }
    }

    @Override
    public void close() {
      closed = true;
      if (watch != null) {
        watch.close();
      }
      try {
        thread.join(5_000);
      } catch (InterruptedException impatient) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void claimSeen(JsonNode claim) {
    String name = Bench.name(claim);
    JsonNode before = claims.put(DeviceObjects.uid(claim), claim);
    List<String> devices = DeviceObjects.devicesOf(claim);
    if (DeviceObjects.isAllocated(claim)) {
      if (before != null
          && DeviceObjects.isAllocated(before)
          && !DeviceObjects.devicesOf(before).equals(devices)) {
        findings.add(name + " had " + DeviceObjects.devicesOf(before) + " and has " + devices);
      }
      if (!claim.path("metadata").path("finalizers").toString().contains(DeviceObjects.FINALIZER)) {
        findings.add(name + " has devices and no finalizer");
      }
      if (devices.isEmpty() || nodesOf(devices).size() > 1) {
        findings.add(name + " has no devices or those of several nodes: " + devices);
      }
      for (JsonNode other : claims.values()) {
        for (String device : DeviceObjects.devicesOf(other)) {
          if (other != claim && devices.contains(device)) {
            findings.add(device + " is given to " + name + " and " + Bench.name(other));
          }
        }
      }
    }
    for (JsonNode pod : List.copyOf(bound.values())) {
      // The two watches are not in step: an earlier state of the claim may be seen later.
      if (DeviceObjects.claimsOf(pod).contains(name)
          && ChangeStream.isOlder(version(pod), version(claim))) {
        judge(pod, claim);
      }
    }
  }

  private void podSeen(JsonNode pod) {
    List<String> names = DeviceObjects.claimsOf(pod);
    if (!Bench.nodeOf(pod).isEmpty()
        && !names.isEmpty()
        && bound.putIfAbsent(DeviceObjects.uid(pod), pod) == null) {
      names.forEach(name -> judge(pod, claim(name)));
    }
  }

  private static String version(JsonNode object) {
    return object.path("metadata").path("resourceVersion").asString("");
  }

  /** The claim as the server has it after the pod was bound; null where it is not there. */
  private JsonNode claim(String name) {
    try {
      return objects.claim(name);
    } catch (ApiException gone) {
      return null;
    } catch (IOException down) {
      findings.add("not checked: " + name + ", " + down);
      return null;
    }
  }

  /** Judges a state of a claim that is later than the binding of a pod. */
  private void judge(JsonNode pod, JsonNode claim) {
    String wrong = wrong(pod, claim);
    if (!wrong.isEmpty() && isThere(pod)) {
      findings.add(Bench.name(pod) + " on " + Bench.nodeOf(pod) + " " + wrong);
    }
  }

  private static String wrong(JsonNode pod, JsonNode claim) {
    if (claim == null) {
      return "has a claim that is not there";
    }
    String name = Bench.name(claim);
    if (!DeviceObjects.isAllocated(claim)) {
      return "is bound, and " + name + " has no devices";
    }
    if (!DeviceObjects.reservedFor(claim).contains(DeviceObjects.uid(pod))) {
      return "is bound, and " + name + " is not reserved for it";
    }
    List<String> devices = DeviceObjects.devicesOf(claim);
    return Set.of(Bench.nodeOf(pod)).containsAll(nodesOf(devices))
        ? ""
        : "is bound, and " + name + " has " + devices;
  }

  /** The nodes that devices bind a pod to: those with the names of their pools. */
  private static Set<String> nodesOf(List<String> devices) {
    Set<String> nodes = new TreeSet<>();
    devices.forEach(device -> nodes.add(device.substring(0, device.indexOf('/'))));
    nodes.remove(DeviceObjects.OF_ALL_NODES);
    return nodes;
  }

  /** The claims of a pod that has gone may be given back before its end is seen here. */
  private boolean isThere(JsonNode pod) {
    try {
      return DeviceObjects.uid(bench.pod(Bench.name(pod))).equals(DeviceObjects.uid(pod));
    } catch (ApiException gone) {
      return false;
    } catch (IOException down) {
      return true;
    }
  }

  /** What was wrong so far. All changes before the call are judged. */
  public List<String> findings() throws Exception {
    // Changes are seen in their order, so a claim that comes now is the last.
    String mark = "mark-" + marks++;
    objects.addClaim(mark, 1);
    Bench.until(() -> isSeen(mark), () -> "the auditor does not see " + mark);
    for (JsonNode pod : bench.pods()) {
      Bench.until(() -> isJudged(pod), () -> "the auditor does not see " + Bench.name(pod));
    }
    List<String> all = new ArrayList<>(findings);
    for (JsonNode pod : bench.pods()) {
      if (Bench.nodeOf(pod).isEmpty()) {
        continue;
      }
      for (String name : DeviceObjects.claimsOf(pod)) {
        String wrong = wrong(pod, claim(name));
        if (!wrong.isEmpty() && isThere(pod)) {
          all.add(Bench.name(pod) + " in the end " + wrong);
        }
      }
    }
    return all;
  }

  private synchronized boolean isJudged(JsonNode pod) throws IOException {
    return Bench.nodeOf(pod).isEmpty()
        || DeviceObjects.claimsOf(pod).isEmpty()
        || bound.containsKey(DeviceObjects.uid(pod))
        || !isThere(pod);
  }

  private synchronized boolean isSeen(String name) {
    return claims.values().stream().anyMatch(claim -> Bench.name(claim).equals(name));
  }

  @Override
  public void close() {
    followers.forEach(Follower::close);
  }
}
