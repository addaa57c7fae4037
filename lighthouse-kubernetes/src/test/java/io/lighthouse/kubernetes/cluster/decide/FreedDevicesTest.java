package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.device.ResourceClaim;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.control.Objects;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Which claims give their devices back, when devices are free, and which pods that helps. */
class FreedDevicesTest extends DeviceClaimsBench {
  @Test
  void aPodThatFitsNowhereGivesBackDevicesThatNoOtherPodHas() {
    claim("c", requests(exactly(GPU)));
    JsonNode allocation = allocated(pod("p", "c"));
    ObjectNode written =
        Objects.json(
            "{'metadata':{'name':'c','namespace':'default','uid':'c'},'spec':{'devices':{%s}},"
                + "'status':{'reservedFor':[{'uid':'p'}]}}",
            requests(exactly(GPU)));
    written.withObjectProperty("status").set("allocation", allocation);
    cluster.changed(Resource.RESOURCE_CLAIMS, written);
    assertThat(claimToFree("p")).as("while it is on the way").isEmpty();
    cluster.assumeFailed("p");
    ObjectNode other = written.deepCopy();
    ((ArrayNode) other.at("/status/reservedFor")).addObject().put("uid", "other");
    cluster.changed(Resource.RESOURCE_CLAIMS, other);
    assertThat(claimToFree("p")).as("another pod has it").isEmpty();
    cluster.changed(Resource.RESOURCE_CLAIMS, written);
    ResourceClaim claim = claimToFree("p").orElseThrow();
    assertThat(claim.name()).isEqualTo("c");
    // Until that has ended, the pod gets no node with the devices that go.
    assertThat(claimToFree("p")).as("a second time").isEmpty();
    Decision decision = cluster.decide(List.of("p")).get(0);
    assertThat(((Decision.Refused) decision).message())
        .contains("resource claim default/c is giving its devices back");
    cluster.devices().claims().freeEnded(claim);
    assertThat(cluster.decide(List.of("p")).get(0)).isInstanceOf(Decision.Bind.class);
  }

  /** The claim that a pod frees which was refused for devices. */
  private Optional<ResourceClaim> claimToFree(String uid) {
    return cluster.takeClaimToFree(
        new Decision.Refused(cluster.facts(uid).pod, "refused", Set.of(Filter.DYNAMIC_RESOURCES)));
  }

  @Test
  void aPodThatIsNotRefusedForDevicesFreesNothing() {
    given("c", "n1", "p");
    cluster.podChanged(pod("p", "c"));
    WaitingPod pod = cluster.facts("p").pod;
    for (Set<Filter> filters : List.of(Filter.ALL, Set.of(Filter.NODE_RESOURCES_FIT))) {
      Decision.Refused other = new Decision.Refused(pod, "refused", filters);
      assertThat(cluster.takeClaimToFree(other)).isEmpty();
    }
    assertThat(claimToFree("p")).isPresent();
  }

  /** A claim that has the first device of a node and is reserved for some pods. */
  private Set<ClusterChange> given(String name, String node, String... pods) {
    ObjectNode claim =
        Objects.json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'%s'},'spec':{'devices':{%s}},"
                + "'status':{'allocation':{'devices':{'results':[{'request':'r0','driver':"
                + "'example.com','pool':'%s','device':'d0'}]},'nodeSelector':{"
                + "'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'In',"
                + "'values':['%s']}]}]}}}}",
            name, name, requests(exactly(GPU)), node, node);
    ArrayNode reservedFor = claim.withObjectProperty("status").putArray("reservedFor");
    for (String pod : pods) {
      reservedFor.addObject().put("resource", "pods").put("name", pod).put("uid", pod);
    }
    return cluster.changed(Resource.RESOURCE_CLAIMS, claim);
  }

  /** Every member gives back what it has, also one that fits: the gang needs other devices. */
  @Test
  void aGangThatLacksDevicesGivesBackThoseThatItHas() {
    given("c", "n1", "p");
    claim("d", requests(exactly(GPU + ",'count':2")));
    claim("e", requests(exactly(GPU + ",'count':2")));
    cluster.podChanged(member("g", 3, "p", "c"));
    cluster.podChanged(member("g", 3, "q", "d"));
    cluster.podChanged(member("g", 3, "r", "e"));
    List<Optional<ResourceClaim>> freed = new ArrayList<>();
    for (Decision decision : cluster.decide(List.of("p", "q", "r"))) {
      assertThat(((Decision.Refused) decision).filters()).isEqualTo(Filter.ALL);
      freed.add(cluster.takeClaimToFree((Decision.Refused) decision));
    }
    assertThat(freed.get(0)).map(ResourceClaim::name).contains("c");
    assertThat(freed.subList(1, 3)).containsOnly(Optional.empty());
  }

  /** The devices of all nodes restrict no pod, but another may need them to go on. */
  @Test
  void aPodThatLacksADeviceGivesBackThoseOfAllNodesToo() {
    ObjectNode given =
        Objects.json(
            "{'metadata':{'name':'c','namespace':'default','uid':'c'},'spec':{'devices':{%s}},"
                + "'status':{'allocation':{'devices':{'results':[{'request':'r0','driver':"
                + "'example.com','pool':'wide','device':'w'}]}},'reservedFor':[{'uid':'p'}]}}",
            requests(exactly(GPU)));
    cluster.changed(Resource.RESOURCE_CLAIMS, given);
    claim("d", requests(exactly(GPU + ",'count':3")));
    cluster.podChanged(pod("p", "c", "d"));
    Decision.Refused refused = (Decision.Refused) cluster.decide(List.of("p")).get(0);
    assertThat(cluster.takeClaimToFree(refused)).map(ResourceClaim::name).contains("c");
  }

  @Test
  void aGangThatLacksOtherThingsGivesItsDevicesBack() {
    given("c", "n1", "p");
    cluster.podChanged(member("g", 2, "p", "c"));
    assertThat(freed("p")).as("a member is not there").containsExactly("c");
    ObjectNode large = member("g", 2, "q");
    ((ObjectNode) large.at("/spec/containers/0/resources/requests")).put("cpu", "5");
    cluster.podChanged(large);
    given("d", "n1", "p");
    cluster.podChanged(member("g", 2, "p", "d"));
    assertThat(freed("p", "q")).as("a member is too large").containsExactly("d");
  }

  /** The claims that refused pods give back. */
  private List<String> freed(String... pods) {
    return cluster.decide(List.of(pods)).stream()
        .map(refused -> cluster.takeClaimToFree((Decision.Refused) refused))
        .flatMap(Optional::stream)
        .map(ResourceClaim::name)
        .toList();
  }

  /** Pods that share a claim, and of which none is bound. */
  @Test
  void podsOfTheSchedulerThatWaitDoNotKeepTheDevicesOfTheirClaim() {
    given("c", "n1", "p", "q");
    cluster.podChanged(pod("p", "c"));
    assertThat(claimToFree("p")).as("the other pod is not known").isEmpty();
    ObjectNode other = pod("q", "c");
    other.withObjectProperty("spec").put("schedulerName", "another");
    cluster.podChanged(other);
    assertThat(claimToFree("p")).as("another scheduler may bind it").isEmpty();
    ObjectNode bound = pod("q", "c");
    bound.withObjectProperty("spec").put("nodeName", "n1");
    cluster.podChanged(bound);
    assertThat(claimToFree("p")).as("it is bound").isEmpty();
    cluster.podGone("q");
    ObjectNode nominated = pod("q", "c");
    nominated.withObjectProperty("status").put("nominatedNodeName", "n1");
    cluster.podChanged(nominated);
    assertThat(claimToFree("p")).as("pods are evicted for it").isEmpty();
    ObjectNode waiting = pod("q", "c");
    waiting.withObjectProperty("spec").put("schedulerName", "second");
    cluster.podChanged(waiting);
    assertThat(claimToFree("p")).map(ResourceClaim::name).contains("c");
  }

  /** A claim to one device that something controls. */
  private static ObjectNode claimOf(String kind) {
    return Objects.json(
        "{'metadata':{'name':'c','namespace':'default','uid':'c','ownerReferences':[{"
            + "'kind':'%s','name':'p','uid':'p','controller':true}]},'spec':{'devices':{%s}}}",
        kind, requests(exactly(GPU)));
  }

  /** Its pods wait for it to be made anew. */
  @Test
  void aClaimOfAControllerThatIsNoPodHelpsItsPodsWhenItGoes() {
    cluster.changed(Resource.RESOURCE_CLAIMS, claimOf("Training"));
    assertThat(cluster.gone(Resource.RESOURCE_CLAIMS, "default/c"))
        .isEqualTo(Set.of(ClusterChange.DEVICES));
  }

  @ParameterizedTest
  @CsvSource({"Pod,false", "Training,true"})
  void aClaimThatGetsDevicesHelpsOtherPodsUnlessItIsOfOnePod(String kind, boolean helps) {
    ObjectNode claim = claimOf(kind);
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    JsonNode allocation = allocated(pod("p", "c"));
    ObjectNode written = claim.deepCopy();
    written.putObject("status").set("allocation", allocation);
    assertThat(cluster.changed(Resource.RESOURCE_CLAIMS, written))
        .isEqualTo(helps ? Set.of(ClusterChange.DEVICES) : Set.of());
  }

  @Test
  void aClaimThatGoesFreesItsDevices() {
    cluster.changed(Resource.RESOURCE_CLAIMS, claimOf("Pod"));
    assertThat(cluster.gone(Resource.RESOURCE_CLAIMS, "default/c"))
        .as("it had none, and was made for one pod")
        .isEmpty();
    given("d", "n1");
    assertThat(cluster.gone(Resource.RESOURCE_CLAIMS, "default/d"))
        .isEqualTo(Set.of(ClusterChange.DEVICES));
    assertThat(cluster.gone(Resource.RESOURCE_CLAIMS, "default/none")).isEmpty();
  }

  /** Its pods may have been refused for devices, and can give back those that it has now. */
  @Test
  void aClaimThatLosesAUserMayGiveItsDevicesBack() {
    given("c", "n1", "p", "q");
    assertThat(given("c", "n1", "p")).isEqualTo(Set.of(ClusterChange.DEVICES));
    assertThat(given("c", "n1", "p")).isEmpty();
  }

  /** The claim may get them nevertheless, so they are free only once the write has ended. */
  @Test
  void devicesOfAPodThatGoesWhileItsClaimIsWrittenAreNotFreeYet() {
    claim("c", requests(exactly(GPU + ",'count':2")));
    claim("d", requests(exactly(GPU + ",'count':2")));
    claim("e", requests(exactly(GPU)));
    decide(pod("p", "c"));
    decide(pod("q", "d"));
    assertThat(cluster.devices().assumed().takeWork("p")).isPresent();
    assertThat(cluster.podGone("p")).doesNotContain(ClusterChange.DEVICES);
    assertThat(refusal(pod("r", "e"))).contains("2 cannot allocate all claims");
    assertThat(cluster.devices().assumed().writeEnded("p")).isTrue();
    assertThat(cluster.decide(List.of("r")).get(0)).isInstanceOf(Decision.Bind.class);
    assertThat(cluster.podGone("q")).contains(ClusterChange.DEVICES);
  }

  /** A list may bring the claim as it was before it was written. */
  @Test
  void devicesOfABoundPodAreTakenWhateverAListSaysOfItsClaim() {
    String open =
        "{'metadata':{'name':'c','namespace':'default','uid':'c'},'spec':{'devices':{%s}}}";
    ObjectNode before = Objects.json(open, requests(exactly(GPU + ",'count':2")));
    claim("d", requests(exactly(GPU + ",'count':2")));
    claim("e", requests(exactly(GPU)));
    cluster.changed(Resource.RESOURCE_CLAIMS, before);
    ObjectNode pod = pod("p", "c");
    ObjectNode written = before.deepCopy();
    written.putObject("status").set("allocation", allocated(pod));
    decide(pod("q", "d"));
    cluster.devices().assumed().takeWork("p");
    cluster.changed(Resource.RESOURCE_CLAIMS, written);
    cluster.devices().assumed().writeEnded("p");
    pod.withObjectProperty("spec").put("nodeName", "n1");
    assertThat(cluster.podChanged(pod)).doesNotContain(ClusterChange.DEVICES);
    cluster.changed(Resource.RESOURCE_CLAIMS, before);
    assertThat(refusal(pod("r", "e"))).contains("2 cannot allocate all claims");
    cluster.changed(Resource.RESOURCE_CLAIMS, written);
    assertThat(cluster.podGone("p")).contains(ClusterChange.DEVICES);
    assertThat(Clusters.verdict(cluster, "r", "n1"))
        .as("until the claim gives them back")
        .isNotEmpty();
    cluster.changed(Resource.RESOURCE_CLAIMS, before);
    assertThat(Clusters.verdict(cluster, "r", "n1")).isEmpty();
  }

  /** Another scheduler gives a claim devices while ours are being written: both are taken. */
  @Test
  void devicesOfAWriteThatIsOvertakenAreNotFreeYet() {
    claim("c", requests(exactly(GPU)));
    claim("d", requests(exactly(GPU + ",'count':2")));
    claim("e", requests(exactly(GPU)));
    decide(pod("q", "d"));
    JsonNode first = allocated(pod("p", "c"));
    assertThat(first.at("/devices/results/0/device").asString()).isEqualTo("d0");
    cluster.devices().assumed().takeWork("p");
    ObjectNode other =
        Objects.json(
            "{'metadata':{'name':'c','namespace':'default','uid':'c'},'spec':{'devices':{%s}}}",
            requests(exactly(GPU)));
    ObjectNode second = (ObjectNode) first.deepCopy();
    ((ObjectNode) second.at("/devices/results/0")).put("device", "d1");
    other.putObject("status").set("allocation", second);
    cluster.changed(Resource.RESOURCE_CLAIMS, other);
    assertThat(refusal(pod("r", "e"))).contains("2 cannot allocate all claims");
    cluster.devices().assumed().writeEnded("p");
    cluster.assumeFailed("p");
    assertThat(cluster.decide(List.of("r")).get(0)).isInstanceOf(Decision.Bind.class);
  }
}
