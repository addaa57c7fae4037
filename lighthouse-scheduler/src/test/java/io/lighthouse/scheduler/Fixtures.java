package io.lighthouse.scheduler;

import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterClient;
import io.lighthouse.scheduler.port.ClusterClient.Refusal;
import io.lighthouse.scheduler.port.ClusterNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;

/** Short words for what the tests are made of. */
public final class Fixtures {
  public static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  /** The four types of the scoring tables. */
  public static final List<Resources> TYPES =
      List.of(vector(1, 1024), vector(2, 4096), vector(4, 8192), vector(8, 16384));

  private Fixtures() {}

  /** {@code cpus, mem, disk, gpus}, as many as are given; a number, or a text for a decimal. */
  public static Resources vector(Object... amounts) {
    String[] names = {"cpus", "mem", "disk", "gpus"};
    Resources vector = Resources.none();
    for (int i = 0; i < amounts.length; i++) {
      vector = vector.with(names[i], amounts[i]);
    }
    return vector;
  }

  public static Resources gpus(Object cpus, Object mem, Object gpus) {
    return vector(cpus, mem).with("gpus", gpus);
  }

  /** Equal, where a name that is missing counts as 0. */
  public static void assertSame(Resources actual, Resources expected) {
    Assertions.assertThat(
            ResourceVectors.covers(actual, expected) && ResourceVectors.covers(expected, actual))
        .as("%s is %s", actual, expected)
        .isTrue();
    // covers() looks at the names of its second argument only: what the other lacks must be 0.
    for (String name : actual.names()) {
      Assertions.assertThat(actual.get(name).orElseThrow())
          .as(name)
          .isEqualTo(expected.get(name).orElse(Quantity.ZERO));
    }
  }

  public static PendingExecution pending(String id, int priority, Resources request) {
    return PendingExecution.of(id, "type", priority, NOW, request);
  }

  public static RunningExecution running(String id, int priority, String node, Resources request) {
    PendingExecution origin = pending(id, priority, request);
    return new RunningExecution(
        new Placement(origin, node, "agent_" + node), NOW, Step.main(origin));
  }

  public static ResourceOffer offer(String id, String agent, Resources resources) {
    return new ResourceOffer(id, agent, "session", resources, NOW);
  }

  public static JobType type(String name) {
    return JobType.of(name, vector(1, 128));
  }

  public static NodeCapacity capacity(Resources offered, Resources inUse, Resources watermark) {
    return new NodeCapacity(offered, inUse, watermark);
  }

  /** The capacity of a node that offers all that it has. */
  public static NodeCapacity offering(Resources all) {
    return new NodeCapacity(all, Resources.none(), all);
  }

  /** A node that is ready for everything, until told otherwise. */
  public static final class TestNode implements ClusterNode {
    public final String name;
    public String agent;
    public boolean newJobs = true;
    public boolean nextTasks = true;
    public boolean systemTasks = true;
    public final List<Task> due = new ArrayList<>();

    public TestNode(String name) {
      this.name = name;
      this.agent = "agent_" + name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String agent() {
      return agent;
    }

    @Override
    public boolean isReadyForNewJob() {
      return newJobs;
    }

    @Override
    public boolean isReadyForNextJobTask() {
      return nextTasks;
    }

    @Override
    public boolean isReadyForSystemTask() {
      return systemTasks;
    }

    @Override
    public List<Task> nodeTasks(Instant when) {
      return List.copyOf(due);
    }
  }

  /** A client that records its calls, and fails on demand. */
  public static class TestClient implements ClusterClient {
    public boolean connected = true;
    public String session = "session";
    public boolean failLaunch;
    public boolean failDecline;
    public final List<ResourceOffer> accepted = new ArrayList<>();
    public final List<ResourceOffer> declined = new ArrayList<>();
    public final List<Task> launched = new ArrayList<>();
    public int launchCalls;

    /** Connected, and nothing recorded. */
    public TestClient() {}

    @Override
    public boolean connected() {
      return connected;
    }

    @Override
    public String session() {
      return session;
    }

    @Override
    public List<Refusal> launch(String node, List<ResourceOffer> offers, List<Task> tasks) {
      launchCalls++;
      if (failLaunch) {
        throw new IllegalStateException("launching fails");
      }
      accepted.addAll(offers);
      launched.addAll(tasks);
      return List.of();
    }

    @Override
    public void decline(List<ResourceOffer> offers) {
      if (failDecline) {
        throw new IllegalStateException("declining fails");
      }
      declined.addAll(offers);
    }
  }
}
