package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Where searches for devices end, and what they have in common. */
class DeviceSearchLimitsTest extends DeviceClaimsBench {
  /** There are too many combinations to try them all, and none will do. */
  @Test
  @Timeout(60)
  void aSearchThatIsTooLongFindsNothing() {
    slice("many", "'nodeName':'n1'", groups(40, 2));
    claimOfPairs("c");
    assertThat(refusal(pod("p", "c")))
        .startsWith("0/2 nodes are available: 2 cannot allocate all claims.");
    claim("d", requests(exactly("'deviceClassName':'any','count':30")));
    assertThat(((Decision.Bind) decide(pod("q", "d"))).node()).isEqualTo("n1");
  }

  /** Each search is too long, so that all of them together would be, too. */
  @Test
  @Timeout(60)
  void nodesThatReachTheSameDevicesAreSearchedOnce() {
    for (int i = 0; i < 60; i++) {
      node("n" + (i + 10), "far");
    }
    slice("many", RandomDevices.zone("far"), groups(40, 2));
    node("z", "near");
    slice("few", "'nodeName':'z'", groups(30, 3));
    claimOfPairs("c");
    assertThat(((Decision.Bind) decide(pod("p", "c"))).node()).isEqualTo("z");
  }

  @Test
  @Timeout(60)
  void nodesAreSearchedByNameWhateverTheOrderOfTheirArrival() {
    for (int i = 10; i < 70; i++) {
      node("n" + i, "far");
      slice("many-" + i, "'nodeName':'n" + i + "'", groups(40, 2));
    }
    slice("shared", RandomDevices.zone("near"), "{'name':'d'}");
    node("a", "far");
    slice("few", "'nodeName':'a'", groups(30, 3));
    claimOfPairs("c");
    assertThat(((Decision.Bind) decide(pod("p", "c"))).node()).isEqualTo("a");
  }

  /**
   * The last pod of the gang would find a device. Where those before it have used up the steps of
   * the gang, it does not look for one; the next pod does.
   */
  @ParameterizedTest
  @CsvSource({"3, 1", "5, 0"})
  void thePodsOfAGangShareTheStepsOfFour(int hard, int found) {
    for (int i = 10; i < 70; i++) {
      node("n" + i, "far");
      slice("many-" + i, "'nodeName':'n" + i + "'", groups(40, 2));
    }
    List<String> pods = new ArrayList<>();
    for (int i = 0; i < hard; i++) {
      claimOfPairs("c" + i);
      cluster.podChanged(member("g", hard + 1, "p" + i, "c" + i));
      pods.add("p" + i);
    }
    for (String easy : List.of("d", "e")) {
      claim(easy, requests(exactly("'deviceClassName':'any'")));
    }
    cluster.podChanged(member("g", hard + 1, "last", "d"));
    cluster.podChanged(pod("next", "e"));
    pods.addAll(List.of("last", "next"));
    Map<String, Decision> decisions =
        cluster.decide(pods).stream()
            .collect(Collectors.toMap(decision -> decision.pod().uid(), decision -> decision));
    assertThat(decisions.get("p0")).isInstanceOf(Decision.Refused.class);
    assertThat(((Decision.Refused) decisions.get("last")).message())
        .contains(
            found == 1
                ? "pod group g has only 1 of " + (hard + 1) + " waiting pods with a node"
                : "cannot allocate all claims");
    assertThat(decisions.get("next")).isInstanceOf(Decision.Bind.class);
  }

  /**
   * Pods of a higher priority are nominated to nodes without the devices that they need. After the
   * searches for 51 of them, the newcomer has no steps left.
   */
  @ParameterizedTest
  @CsvSource({"50, Bind", "51, Refused"})
  void searchesForNominatedPodsCountInTheTurnOfTheNewcomer(int nominated, String decision) {
    nominateWithLongSearches(nominated);
    claim("d", requests(exactly("'deviceClassName':'any'")));
    assertThat(decide(pod("q", "d")).getClass().getSimpleName()).isEqualTo(decision);
  }

  /** They take 600,000 steps, and the gang has 4,000,000: too few for each of its eight pods. */
  @Test
  @Timeout(60)
  void aGangSearchesOnceForTheNominatedPods() {
    nominateWithLongSearches(30);
    for (int i = 0; i < 8; i++) {
      claim("d" + i, requests(exactly("'deviceClassName':'any'")));
      cluster.podChanged(member("g", 8, "q" + i, "d" + i));
    }
    assertThat(cluster.decide(List.of("q0")))
        .hasSize(8)
        .allMatch(decision -> decision instanceof Decision.Bind);
  }

  /** So the nominated pods of one priority do not keep one another from devices for ever. */
  @Test
  void aNominatedPodThatHasNoStepsLeftLosesItsNomination() {
    nominateWithLongSearches(51);
    claim("d", requests(exactly("'deviceClassName':'any'")));
    Decision.Refused refused = (Decision.Refused) decide(nominated("q", "d", "n10"));
    assertThat(refused.message()).contains("cannot allocate all claims");
    assertThat(refused.lostNomination()).isEqualTo("n10");
  }

  private void nominateWithLongSearches(int pods) {
    for (int i = 10; i < 30; i++) {
      node("n" + i, "far");
      slice("many-" + i, "'nodeName':'n" + i + "'", groups(40, 2));
    }
    for (int i = 0; i < pods; i++) {
      claimOfPairs("c" + i);
      cluster.podChanged(nominated("p" + i, "c" + i, "n" + (10 + i % 20)));
    }
  }

  private static ObjectNode nominated(String name, String claim, String node) {
    ObjectNode pod = pod(name, claim);
    pod.withObjectProperty("spec").put("priority", 9);
    pod.withObjectProperty("status").put("nominatedNodeName", node);
    return pod;
  }

  /** Devices in groups of some size. */
  private static String groups(int count, int size) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{'name':'x%d','attributes':{'group':{'int':%d}}}".formatted(i, i / size))
        .collect(Collectors.joining(","));
  }

  /** Ten pairs, each in one group, and one more device of the first pair's group. */
  private void claimOfPairs(String name) {
    List<String> pairs =
        new ArrayList<>(Collections.nCopies(10, exactly("'deviceClassName':'any','count':2")));
    pairs.add(exactly("'deviceClassName':'any'"));
    StringBuilder constraints = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      constraints.append("{'requests':['r%d'],'matchAttribute':'example.com/group'},".formatted(i));
    }
    claim(
        name,
        requests(pairs.toArray(String[]::new))
            + ",'constraints':["
            + constraints
            + "{'requests':['r0','r10'],'matchAttribute':'example.com/group'}]");
  }
}
