package io.lighthouse.benchmarks.measure;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.decide.Profiles;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Decisions of the Kubernetes scheduler, without the server: a batch of waiting pods in a cluster
 * with two pods on each node. Beside JMH's time, reports the thread's processor time of the best
 * batch, in nanoseconds for one pod.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
public class KubernetesBenchmark {
  /** The number of pods in a batch; the scheduler decides about each by itself. */
  private static final int BATCH = 512;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** The requirements of the pods. */
  public enum Shape {
    PLAIN("plain", ""),
    SPREAD(
        "spread over three zones",
        ",'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'topology.kubernetes.io/zone',"
            + "'whenUnsatisfiable':'DoNotSchedule','labelSelector':{'matchLabels':{'app':'a'}}}]"),
    ANTI_AFFINITY(
        "anti-affinity by host, groups of 20",
        ",'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
            + "'topologyKey':'kubernetes.io/hostname',"
            + "'labelSelector':{'matchLabels':{'group':'g%1$d'}}}]}}"),
    SERVICE("spread by default, Services of 20", ""),
    IMAGE("an image that every second node has", "");

    private final String label;
    private final String spec;

    Shape(String label, String spec) {
      this.label = label;
      this.spec = spec;
    }

    @Override
    public String toString() {
      return label;
    }

    JsonNode pod(int number, String node) {
      String bound = node.isEmpty() ? "" : ",'nodeName':'" + node + "'";
      String text =
          "{'metadata':{'name':'p%2$d','namespace':'default','uid':'u%2$d',"
              + "'resourceVersion':'1','labels':{'app':'a','group':'g%1$d'}},"
              + "'spec':{'schedulerName':'lighthouse','containers':[{'name':'c','image':'app:v1',"
              + "'resources':{'requests':{'cpu':'100m','memory':'256Mi'}}}]"
              + spec
              + bound
              + "}}";
      return json(String.format(Locale.ROOT, text, number / 20, number));
    }
  }

  /** The requirements of the pods. */
  @Param({"PLAIN", "SPREAD", "ANTI_AFFINITY", "SERVICE", "IMAGE"})
  public Shape shape;

  /** The strategy. */
  @Param("spread")
  public String strategy;

  /** The number of nodes. */
  @Param("5000")
  public int nodes;

  private Cluster cluster;
  private final List<JsonNode> waiting = new ArrayList<>();
  private final List<String> uids = new ArrayList<>();
  private long best = Long.MAX_VALUE;
  private long placed;

  private static JsonNode json(String text) {
    return MAPPER.readTree(text.replace('\'', '"'));
  }

  /** Makes the cluster, and places two pods on each node, which are seen as bound. */
  @Setup(Level.Trial)
  public void makeCluster() {
    Profiles.Profile profile =
        new Profiles.Profile(
            strategy, List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone"), true);
    cluster =
        Cluster.withProfiles(
            new Profiles(Map.of("", profile)),
            names -> Distributors.installed().strategy(strategy),
            false,
            PodFacts.Reads.NEITHER);
    cluster.namespaceChanged(json("{'metadata':{'name':'default'}}"));
    for (int i = 0; i < nodes; i++) {
      cluster.nodeChanged(
          json(
              String.format(
                  Locale.ROOT,
                  "{'metadata':{'name':'n%1$d','labels':{'kubernetes.io/hostname':'n%1$d',"
                      + "'topology.kubernetes.io/zone':'z%2$d'}},'status':{'allocatable':"
                      + "{'cpu':'16','memory':'64Gi','pods':'110'}%3$s}}",
                  i,
                  i % 3,
                  shape == Shape.IMAGE && i % 2 == 0
                      ? ",'images':[{'names':['app:v1'],'sizeBytes':900000000}]"
                      : "")));
    }
    for (int group = 0; shape == Shape.SERVICE && group <= (2 * nodes + BATCH) / 20; group++) {
      String text =
          "{'metadata':{'name':'g%1$d','namespace':'default'},"
              + "'spec':{'selector':{'group':'g%1$d'}}}";
      cluster.changed(Resource.SERVICES, json(String.format(Locale.ROOT, text, group)));
    }
    for (int i = 0; i < 2 * nodes; i++) {
      cluster.podChanged(shape.pod(i, ""));
      for (Decision decision : cluster.decide(List.of("u" + i))) {
        cluster.podChanged(shape.pod(i, ((Decision.Bind) decision).node()));
      }
    }
    for (int i = 0; i < BATCH; i++) {
      waiting.add(shape.pod(2 * nodes + i, ""));
      uids.add("u" + (2 * nodes + i));
    }
  }

  /** Removes the pods of the last batch, and adds them again as waiting. */
  @Setup(Level.Invocation)
  public void podsWait() {
    uids.forEach(cluster::podGone);
    waiting.forEach(cluster::podChanged);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public List<Decision> decide() {
    long began = THREADS.getCurrentThreadCpuTime();
    List<Decision> decisions = cluster.decide(uids);
    best = Math.min(best, THREADS.getCurrentThreadCpuTime() - began);
    placed = decisions.stream().filter(Decision.Bind.class::isInstance).count();
    return decisions;
  }

  /**
   * Records the time for a pod in the best batch, and how many pods of the last batch were placed.
   */
  @TearDown(Level.Trial)
  public void tell() {
    Outcome.add("processorNanosOfAPod", best / BATCH);
    Outcome.add("placed", placed);
  }
}
