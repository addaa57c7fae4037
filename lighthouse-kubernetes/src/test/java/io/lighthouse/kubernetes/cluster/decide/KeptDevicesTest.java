package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.control.GangKind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Where pods with claims preempt others, and which devices are kept for them until then. */
class KeptDevicesTest extends DeviceClaimsBench {
  @Test
  void nobodyIsEvictedForDevices() {
    claim("c", requests(exactly(GPU + ",'count':2")));
    claim("d", requests(exactly(GPU + ",'count':2")));
    claim("e", requests(exactly(GPU)));
    decide(pod("p", "c"));
    decide(pod("q", "d"));
    ObjectNode urgent = pod("r", "e");
    urgent.withObjectProperty("spec").put("priority", 1000);
    Decision decision = decide(urgent);
    assertThat(decision).isInstanceOf(Decision.Refused.class);
    assertThat(((Decision.Refused) decision).filters()).isEqualTo(Set.of(Filter.DYNAMIC_RESOURCES));
  }

  /** The pods on the nodes have the processors and all devices. */
  @Test
  void nobodyIsEvictedForProcessorsOfANodeWithoutDevices() {
    claim("c", requests(exactly(GPU + ",'count':2")));
    claim("d", requests(exactly(GPU + ",'count':2")));
    claim("e", requests(exactly(GPU)));
    assertThat(decide(podOf(0, "3", "p", "c"))).isInstanceOf(Decision.Bind.class);
    assertThat(decide(podOf(0, "3", "q", "d"))).isInstanceOf(Decision.Bind.class);
    Decision decision = decide(podOf(1000, "2", "r", "e"));
    assertThat(decision).isInstanceOf(Decision.Refused.class);
    assertThat(((Decision.Refused) decision).message())
        .startsWith(
            "0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available:"
                + " 2 cannot allocate all claims.");
  }

  /** Only on that node do the processors help. */
  @Test
  void podsAreEvictedOnTheNodeThatHasDevices() {
    claim("c", requests(exactly(GPU + ",'count':2")));
    claim("e", requests(exactly(GPU)));
    assertThat(((Decision.Bind) decide(podOf(0, "3", "p", "c"))).node()).isEqualTo("n1");
    assertThat(((Decision.Bind) decide(podOf(1, "3", "q"))).node()).isEqualTo("n2");
    Decision.Preempt preempt = (Decision.Preempt) decide(podOf(1000, "2", "r", "e"));
    assertThat(preempt.node()).isEqualTo("n2");
    assertThat(preempt.victims()).extracting(WaitingPod::name).containsExactly("q");
  }

  /** Pod r waits for processors of n2, and needs one of its two devices. */
  private void evictForDeviceOnN2() {
    claim("c", requests(exactly(GPU + ",'count':2")));
    claim("e", requests(exactly(GPU)));
    claim("f", requests(exactly(GPU + ",'count':2")));
    claim("g", requests(exactly(GPU)));
    decide(podOf(0, "3", "p", "c"));
    decide(podOf(1, "3", "q"));
    assertThat(((Decision.Preempt) decide(podOf(1000, "2", "r", "e"))).node()).isEqualTo("n2");
  }

  @Test
  void devicesThatAPodNeedsWhereOthersAreEvictedForItAreKeptForIt() {
    evictForDeviceOnN2();
    // They need no processors, so the room that was made is no matter to them.
    for (int priority : List.of(0, 1000)) {
      assertThat(refusal(podOf(priority, "0", "s", "f")))
          .startsWith("0/2 nodes are available: 2 cannot allocate all claims.");
    }
    assertThat(((Decision.Bind) decide(podOf(0, "0", "t", "g"))).node()).isEqualTo("n2");
    assertThat(cluster.podGone("q")).contains(ClusterChange.POD_LEFT);
    assertThat(((Decision.Bind) cluster.decide(List.of("r")).get(0)).node()).isEqualTo("n2");
  }

  /** What was kept for pod r when pod s was refused is that of pod t by now. */
  @Test
  void eachTurnLooksForThemAnew() {
    evictForDeviceOnN2();
    assertThat(refusal(podOf(0, "0", "s", "f"))).contains("2 cannot allocate all claims");
    assertThat(((Decision.Bind) decide(podOf(1001, "0", "t", "g"))).node()).isEqualTo("n2");
    claim("h", requests(exactly(GPU)));
    assertThat(refusal(podOf(0, "0", "u", "h"))).contains("2 cannot allocate all claims");
  }

  /** Pod r waits for one device of n2; the other one is free. */
  @Test
  void noMemberOfAGangGetsThem() {
    evictForDeviceOnN2();
    claim("h", requests(exactly(GPU)));
    cluster.podChanged(GangKind.LABELS.member(podOf(0, "0", "s", "g"), "gang", 2));
    cluster.podChanged(GangKind.LABELS.member(podOf(0, "0", "t", "h"), "gang", 2));
    assertThat(cluster.decide(List.of("s", "t")))
        .hasSize(2)
        .allMatch(decision -> decision instanceof Decision.Refused)
        .anyMatch(decision -> decision.toString().contains("2 cannot allocate all claims"));
    cluster.podGone("r");
    assertThat(cluster.decide(List.of("s", "t")))
        .hasSize(2)
        .allMatch(decision -> decision instanceof Decision.Bind);
  }

  /**
   * For the member of a low priority, a search for pod early precedes that for pod r, and finds
   * what was r's before. Each of the three devices of n2 is for one of these and the first member.
   */
  @Test
  void devicesAreKeptForAllPodsThatWaitForThemOnANode() {
    claim("i", requests(exactly(GPU)));
    ObjectNode early = podOf(1, "0", "early", "i");
    early.withObjectProperty("status").put("nominatedNodeName", "n2");
    cluster.podChanged(early);
    evictForDeviceOnN2();
    slice("n2", "'nodeName':'n2'", "{'name':'d0'},{'name':'d1'},{'name':'d2'}");
    claim("h", requests(exactly(GPU)));
    cluster.podChanged(GangKind.LABELS.member(podOf(2, "0", "s", "g"), "gang", 2));
    cluster.podChanged(GangKind.LABELS.member(podOf(0, "0", "t", "h"), "gang", 2));
    assertThat(cluster.decide(List.of("s", "t")))
        .hasSize(2)
        .allMatch(decision -> decision instanceof Decision.Refused);
    cluster.podGone("early");
    assertThat(cluster.decide(List.of("s", "t")))
        .hasSize(2)
        .allMatch(decision -> decision instanceof Decision.Bind);
  }

  /** Pod s has the claim of pod r itself, so the others may have no device but one. */
  @ParameterizedTest
  @CsvSource({"2, 1", "1, 2"})
  void aMemberWithTheSameClaimGetsThemAndTheOthersDoNot(int ofS, int ofT) {
    evictForDeviceOnN2();
    cluster.podChanged(GangKind.LABELS.member(podOf(ofS, "0", "s", "e"), "gang", 2));
    cluster.podChanged(GangKind.LABELS.member(podOf(ofT, "0", "t", "g"), "gang", 2));
    assertThat(cluster.decide(List.of("s", "t")))
        .hasSize(2)
        .allMatch(decision -> decision instanceof Decision.Bind bind && bind.node().equals("n2"));
    claim("h", requests(exactly(GPU)));
    assertThat(refusal(podOf(0, "0", "u", "h"))).contains("2 cannot allocate all claims");
  }

  @Test
  void aPodOfAHigherPriorityOrWithTheSameClaimGetsThem() {
    evictForDeviceOnN2();
    assertThat(decide(podOf(0, "0", "s", "e", "g"))).isInstanceOf(Decision.Bind.class);
    cluster.podGone("s");
    assertThat(decide(podOf(1001, "0", "s", "f"))).isInstanceOf(Decision.Bind.class);
  }

  @Test
  void devicesAreKeptNoLongerThanThePodWaitsThere() {
    evictForDeviceOnN2();
    ObjectNode other = podOf(0, "0", "s", "f");
    refusal(other);
    assertThat(cluster.podGone("r")).contains(ClusterChange.DEVICES);
    assertThat(decide(other)).isInstanceOf(Decision.Bind.class);
    cluster.podGone("s");
    ObjectNode nominated = podOf(1000, "2", "r", "e");
    nominated.withObjectProperty("status").put("nominatedNodeName", "n2");
    cluster.podChanged(nominated);
    refusal(other);
    assertThat(cluster.podChanged(podOf(1000, "2", "r", "e"))).contains(ClusterChange.DEVICES);
    assertThat(decide(other)).isInstanceOf(Decision.Bind.class);
  }

  private static ObjectNode podOf(int priority, String cpu, String name, String... claims) {
    ObjectNode pod = pod(name, claims);
    pod.withObjectProperty("spec").put("priority", priority);
    ((ObjectNode) pod.at("/spec/containers/0/resources/requests")).put("cpu", cpu);
    return pod;
  }
}
