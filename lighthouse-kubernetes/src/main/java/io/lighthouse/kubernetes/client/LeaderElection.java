package io.lighthouse.kubernetes.client;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One of several replicas leads: the holder of a Lease. No wall clock decides. A lease has run out
 * when <em>this</em> process has seen it unchanged for its whole duration, on its monotonic clock.
 * The holder stops by its own monotonic clock, counted from before it sent the renewal. So clocks
 * that jump or differ do no harm. The leader checks its {@link #tenure()} before each step that
 * only one replica may take. It turns false early enough for a call under way to end before another
 * replica may begin. {@link #mayAct()} alone does not show that another one led in between.
 *
 * <p>Source: the algorithm of Kubernetes' own client, described in the package {@code
 * leaderelection} of client-go; after C. Gray and D. Cheriton, "Leases", SOSP 1989. Thread-safe.
 */
public final class LeaderElection {
  private final ApiServer server;
  private final String path;
  private final String namespace;
  private final String name;
  private final String identity;
  private final Duration duration;
  private final long safe;
  private final Clock wall;

  /** What the last lease seen said, and when it was first seen so. */
  private JsonNode observed = MissingNode.getInstance();

  private long observedAt;

  /** Until when this process may act; in the past while it does not lead. */
  private volatile long actUntil;

  private volatile boolean leads;

  /** How often this process has begun to lead. */
  private volatile long tenures;

  private boolean released;

  /**
   * An election that this process has not taken part in yet.
   *
   * @param server the server
   * @param namespace where the lease is
   * @param name its name
   * @param identity the name of this process; no other may have the same
   * @param duration how long the lease lasts unless it is renewed
   * @param longestCall how long a call that was begun may still take effect; shorter than the lease
   * @param wall the wall clock, for the times that people read in the lease; nothing is decided by
   *     it, so it may jump or stand still
   */
  public LeaderElection(
      ApiServer server,
      String namespace,
      String name,
      String identity,
      Duration duration,
      Duration longestCall,
      Clock wall) {
    this.wall = wall;
    this.server = server;
    this.path = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    this.namespace = namespace;
    this.name = name;
    this.identity = identity;
    this.duration = duration;
    this.safe = duration.minus(longestCall).toNanos();
    this.actUntil = System.nanoTime() - 1;
  }

  /** Whether this process leads, and may go on for as long as a call takes. */
  public boolean mayAct() {
    return leads && System.nanoTime() - actUntil < 0;
  }

  /**
   * Whether this process {@linkplain #mayAct() may act}, and leads without a break since this call.
   * Where it has lost the lease and got it back, another replica may have acted in between.
   *
   * @return false for good once this process has begun to lead anew
   */
  public BooleanSupplier tenure() {
    long present = tenures;
    return () -> mayAct() && tenures == present;
  }

  /**
   * Takes the lease, or renews it. To be called again and again, several times in a duration.
   *
   * @return whether this process leads now; false once it has given the lease up
   * @throws IOException if the server does not answer, or refuses; then it leads until its time is
   *     over, unless it has seen that the lease is not its own
   */
  public synchronized boolean attempt() throws IOException {
    if (released) {
      return false;
    }
    long began = System.nanoTime();
    try {
      JsonNode lease = read();
      JsonNode spec = lease.path("spec");
      String holder = holder(lease);
      boolean ours = holder.equals(identity);
      if (lease.isMissingNode()) {
        server.post(path, lease(null, 0));
        return lead(began);
      }
      if (!spec.equals(observed)) {
        observed = spec;
        observedAt = System.nanoTime();
      }
      long lasts = Duration.ofSeconds(spec.path("leaseDurationSeconds").asInt(0)).toNanos();
      if (!ours && !holder.isEmpty() && System.nanoTime() - observedAt < lasts) {
        return follow();
      }
      int transitions = spec.path("leaseTransitions").asInt(0) + (ours ? 0 : 1);
      JsonNode taken = server.put(path + "/" + name, lease(lease, transitions));
      observed = taken.path("spec");
      observedAt = System.nanoTime();
      return lead(began);
    } catch (ApiException refused) {
      if (refused.code() == 409) {
        // The lease has changed since it was read. A leader goes on if it is still the holder.
        if (leads) {
          read();
        }
        return mayAct();
      }
      throw refused;
    } finally {
      if (leads && System.nanoTime() - actUntil >= 0) {
        leads = false;
      }
    }
  }

  /**
   * Reads the lease; a missing node for none. Where another one holds it, this one leads no more.
   */
  private JsonNode read() throws IOException {
    JsonNode lease = server.find(path + "/" + name);
    if (!holder(lease).equals(identity)) {
      // Another may have led in between, even where this process still may act by its clock.
      leads = false;
    }
    return lease;
  }

  private static String holder(JsonNode lease) {
    return lease.path("spec").path("holderIdentity").asString("");
  }

  /** Gives the lease up for good, so that another need not wait. One that is not held stays. */
  public synchronized void release() {
    released = true;
    if (!leads) {
      return;
    }
    follow();
    try {
      JsonNode lease = server.get(path + "/" + name);
      if (holder(lease).equals(identity)) {
        ObjectNode free = (ObjectNode) lease.deepCopy();
        ((ObjectNode) free.path("spec")).put("holderIdentity", "").put("leaseDurationSeconds", 1);
        server.put(path + "/" + name, free);
      }
    } catch (IOException notNow) {
      // It runs out by itself.
    }
  }

  private boolean lead(long began) {
    if (!mayAct()) {
      tenures++;
    }
    actUntil = began + safe;
    leads = true;
    return true;
  }

  private boolean follow() {
    leads = false;
    return false;
  }

  /** The lease as held by this process. */
  private ObjectNode lease(JsonNode before, int transitions) {
    Instant time = wall.instant().truncatedTo(ChronoUnit.MICROS);
    if (before != null
        && before
            .path("spec")
            .path("renewTime")
            .asString("")
            .equals(ApiServer.MICRO_TIME.format(time))) {
      // A renewal that changes nothing is none to the others: they see a lease that runs out.
      time = time.plus(1, ChronoUnit.MICROS);
    }
    String now = ApiServer.MICRO_TIME.format(time);
    ObjectNode lease =
        before == null ? JsonNodeFactory.instance.objectNode() : (ObjectNode) before.deepCopy();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    ObjectNode metadata = lease.withObjectProperty("metadata");
    metadata.put("name", name).put("namespace", namespace);
    ObjectNode spec = lease.withObjectProperty("spec");
    boolean ours = Objects.equals(spec.path("holderIdentity").asString(""), identity);
    spec.put("holderIdentity", identity);
    // Whole seconds, rounded up: others may wait longer than this process acts, never less.
    spec.put("leaseDurationSeconds", (int) duration.plusMillis(999).toSeconds());
    if (!ours) {
      spec.put("acquireTime", now);
    }
    spec.put("renewTime", now);
    spec.put("leaseTransitions", transitions);
    return lease;
  }
}
