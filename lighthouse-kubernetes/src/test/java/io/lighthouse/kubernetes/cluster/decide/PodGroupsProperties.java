package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which pods of random PodGroups get a node, beside a naive model. All pods need one of the places
 * of a single node, so the model only counts places.
 */
class PodGroupsProperties {
  private static final int CLUSTERS = 500;

  /** What the model may get wrong. */
  private enum Fault {
    NONE,
    ALL_MEMBERS_NEEDED,
    MIN_COUNT_BY_ONE_LESS,
    PLACED_ONES_DO_NOT_COUNT,
    BASIC_IS_A_GANG,
    MISSING_GROUP_IS_BASIC,
    PRIORITY_DOES_NOT_COUNT
  }

  /** A pod; {@code group} is the number of its group, or -1. */
  private record Pod(String name, int group, int priority, boolean placed) {}

  @Test
  void asManyPodsOfAGroupArePlacedAsItsPolicyWants() {
    for (int seed = 0; seed < CLUSTERS; seed++) {
      Case one = new Case(seed);
      assertThat(one.placed()).as("seed %s: %s", seed, one).isEqualTo(one.model(Fault.NONE));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFaultIsNoticed(Fault fault) {
    boolean noticed = false;
    for (int seed = 0; seed < CLUSTERS && !noticed; seed++) {
      Case one = new Case(seed);
      noticed = !one.placed().equals(one.model(fault));
    }
    assertThat(noticed).isTrue();
  }

  private static final class Case {
    private final List<Pod> pods = new ArrayList<>();

    /** The minCount of each group; 0 for the basic policy, -1 where there is no object. */
    private final List<Integer> groups = new ArrayList<>();

    private final int places;

    Case(long seed) {
      Random random = new Random(seed);
      for (int i = 0; i < 3; i++) {
        groups.add(random.nextInt(6) - 1);
      }
      int count = 1 + random.nextInt(14);
      for (int i = 0; i < count; i++) {
        boolean placed = random.nextInt(5) == 0;
        pods.add(new Pod("p" + i, random.nextInt(4) - 1, random.nextInt(3), placed));
      }
      long there = pods.stream().filter(Pod::placed).count();
      places = (int) there + random.nextInt(10);
    }

    /** The pods that the engine places. */
    Set<String> placed() {
      Cluster cluster = PodGroupsTest.cluster(true);
      cluster.nodeChanged(
          ClusterBench.json(
              "{'metadata':{'name':'n'},'status':{'allocatable':{'pods':'" + places + "'}}}"));
      for (int i = 0; i < groups.size(); i++) {
        int least = groups.get(i);
        if (least >= 0) {
          String policy = least == 0 ? "'basic':{}" : "'gang':{'minCount':" + least + "}";
          cluster.podGroupChanged(
              "default/g" + i, ClusterBench.json("{'spec':{'schedulingPolicy':{" + policy + "}}}"));
        }
      }
      for (Pod pod : pods) {
        cluster.podChanged(
            ClusterBench.json(
                ("{'metadata':{'name':'%s','namespace':'default','uid':'%s'},'spec':{%s%s"
                        + "'schedulerName':'lighthouse','preemptionPolicy':'Never',"
                        + "'priority':%d}}")
                    .formatted(
                        pod.name,
                        pod.name,
                        pod.group < 0
                            ? ""
                            : "'schedulingGroup':{'podGroupName':'g" + pod.group + "'},",
                        pod.placed ? "'nodeName':'n'," : "",
                        pod.priority)));
      }
      List<String> queue =
          Clusters.waiting(cluster, "lighthouse").stream().map(WaitingPod::uid).toList();
      Set<String> placed = new TreeSet<>();
      for (Decision decision : cluster.decide(queue)) {
        if (decision instanceof Decision.Bind bind) {
          placed.add(bind.pod().name());
        }
      }
      return placed;
    }

    /** The pods that are to be placed. */
    Set<String> model(Fault fault) {
      int left = places - (int) pods.stream().filter(Pod::placed).count();
      List<Pod> turns = new ArrayList<>(pods.stream().filter(pod -> !pod.placed).toList());
      if (fault != Fault.PRIORITY_DOES_NOT_COUNT) {
        turns.sort(Comparator.comparingInt(Pod::priority).reversed());
      }
      Set<String> placed = new TreeSet<>();
      Map<Integer, Boolean> done = new LinkedHashMap<>();
      for (Pod pod : turns) {
        int least = pod.group < 0 ? 0 : groups.get(pod.group);
        if (least < 0 && fault == Fault.MISSING_GROUP_IS_BASIC) {
          least = 0;
        }
        if (least == 0 && pod.group >= 0 && fault == Fault.BASIC_IS_A_GANG) {
          least = 2;
        }
        if (least > 1 && fault == Fault.MIN_COUNT_BY_ONE_LESS) {
          least--;
        }
        if (least == 0 && left > 0) {
          placed.add(pod.name);
          left--;
        }
        if (least > 0 && done.put(pod.group, true) == null) {
          List<Pod> waiting = turns.stream().filter(one -> one.group == pod.group).toList();
          long there = pods.stream().filter(one -> one.placed && one.group == pod.group).count();
          int fit = Math.min(left, waiting.size());
          if (fault == Fault.PLACED_ONES_DO_NOT_COUNT) {
            there = 0;
          }
          boolean all = fault != Fault.ALL_MEMBERS_NEEDED || fit == waiting.size();
          if (there + fit >= least && all) {
            waiting.subList(0, fit).forEach(one -> placed.add(one.name));
            left -= fit;
          }
        }
      }
      return placed;
    }

    @Override
    public String toString() {
      return places + " places, groups " + groups + ", " + pods;
    }
  }
}
