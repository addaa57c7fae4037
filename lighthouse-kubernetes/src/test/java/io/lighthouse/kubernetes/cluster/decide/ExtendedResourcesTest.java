package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.device.DeviceWork;
import io.lighthouse.kubernetes.cluster.device.ResourceClaim;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods that request an extended resource which a DeviceClass provides. The nodes n1 and n2 have two
 * devices each, of the class gpu, which provides example.com/gpu.
 */
class ExtendedResourcesTest {
  private static final String GPU = "example.com/gpu";

  private Cluster cluster = cluster(true, true);

  private static Cluster cluster(boolean preempts, boolean readsClaims) {
    return Cluster.withProfiles(
        new Profiles(Map.of("lighthouse", Clusters.standard("prioritized"))),
        names -> Distributors.installed().strategy("prioritized"),
        preempts,
        new PodFacts.Reads(false, readsClaims));
  }

  @BeforeEach
  void addDevices() {
    for (String node : List.of("n1", "n2")) {
      node(node, "");
      slice(node, 2);
    }
    deviceClass("gpu", 1, GPU);
  }

  private Set<ClusterChange> node(String name, String more) {
    return cluster.nodeChanged(
        Objects.json(
            "{'metadata':{'name':'%s'},'status':{'allocatable':{'cpu':'4','pods':'9'%s}}}",
            name, more));
  }

  private void slice(String node, int devices) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      all.add("{'name':'d" + i + "'}");
    }
    cluster.changed(
        Resource.RESOURCE_SLICES,
        Objects.json(
            "{'metadata':{'name':'%s'},'spec':{'driver':'example.com','pool':{'name':'%s',"
                + "'generation':1,'resourceSliceCount':1},'nodeName':'%s','devices':[%s]}}",
            node, node, node, String.join(",", all)));
  }

  /** A class of all devices that was made at some second. */
  private Set<ClusterChange> deviceClass(String name, int second, String resource) {
    return cluster.changed(
        Resource.DEVICE_CLASSES,
        Objects.json(
            "{'metadata':{'name':'%s','creationTimestamp':'2026-01-01T00:00:0%dZ'},"
                + "'spec':{'extendedResourceName':'%s'}}",
            name, second, resource));
  }

  private static ObjectNode pod(String name, String requests) {
    return podOf(name, "'containers':[{'name':'a','resources':{'requests':{%s}}}]", requests);
  }

  private static ObjectNode podOf(String name, String spec, Object... values) {
    return Objects.json(
        "{'metadata':{'name':'%s','namespace':'default','uid':'uid-%s'},"
            + "'spec':{'schedulerName':'lighthouse',%s}}",
        name, name, spec.formatted(values));
  }

  private static ObjectNode gpus(String name, int count) {
    return pod(name, "'cpu':'1','example.com/gpu':'" + count + "'");
  }

  private Decision decide(ObjectNode pod) {
    cluster.podChanged(pod);
    return cluster.decide(List.of(uid(pod))).get(0);
  }

  private static String uid(JsonNode pod) {
    return pod.at("/metadata/uid").asString();
  }

  private static String node(Decision decision) {
    return decision instanceof Decision.Bind bind ? bind.node() : "";
  }

  private DeviceWork work(ObjectNode pod) {
    assertThat(decide(pod)).isInstanceOf(Decision.Bind.class);
    return cluster.devices().assumed().work(uid(pod)).orElseThrow();
  }

  /** The requests of the claim of a pod, each such as {@code container-0-request-0 2 gpu}. */
  private static List<String> requests(DeviceWork work) {
    List<String> all = new ArrayList<>();
    for (JsonNode one :
        work.writes().get(0).claim().json().path("spec").path("devices").path("requests")) {
      JsonNode exactly = one.path("exactly");
      assertThat(exactly.path("allocationMode").asString()).isEqualTo("ExactCount");
      all.add(
          one.path("name").asString()
              + " "
              + exactly.path("count").asInt()
              + " "
              + exactly.path("deviceClassName").asString());
    }
    return all;
  }

  /** The mappings in the status of a pod, each such as {@code a example.com/gpu container-0...}. */
  private static List<String> mappings(DeviceWork work) {
    List<String> all = new ArrayList<>();
    for (JsonNode one : work.podStatus().at("/extendedResourceClaimStatus/requestMappings")) {
      all.add(
          one.path("containerName").asString()
              + " "
              + one.path("resourceName").asString()
              + " "
              + one.path("requestName").asString());
    }
    return all;
  }

  private static String message(Decision decision) {
    return decision instanceof Decision.Unsupported not
        ? not.message()
        : ((Decision.Refused) decision).message();
  }

  @Test
  void aPodGetsAClaimOfItsOwn() {
    DeviceWork work = work(gpus("p", 2));
    assertThat(work.writes()).hasSize(1);
    DeviceWork.Write write = work.writes().get(0);
    assertThat(write.claim().json().toString())
        .isEqualTo(
            Objects.json(
                    "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':{"
                        + "'name':'p-extended-resources-uid-p','namespace':'default','annotations':{"
                        + "'resource.kubernetes.io/extended-resource-claim':'true'},'finalizers':["
                        + "'resource.kubernetes.io/delete-protection'],"
                        + "'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'p',"
                        + "'uid':'uid-p','controller':true}]},'spec':{'devices':{'requests':[{"
                        + "'name':'container-0-request-1','exactly':{'deviceClassName':'gpu',"
                        + "'allocationMode':'ExactCount','count':2}}]}}}")
                .toString());
    assertThat(write.allocation().json().toString())
        .contains("\"request\":\"container-0-request-1\"", "\"device\":\"d0\"", "\"device\":\"d1\"")
        .contains("metadata.name");
    assertThat(work.podStatus())
        .isEqualTo(
            Objects.json(
                "{'extendedResourceClaimStatus':{'resourceClaimName':'p-extended-resources-uid-p',"
                    + "'requestMappings':[{'containerName':'a','resourceName':'example.com/gpu',"
                    + "'requestName':'container-0-request-1'}]}}"));
  }

  @Test
  void devicesAreCountedFromTheDecisionOn() {
    assertThat(node(decide(gpus("a", 1)))).isEqualTo("n1");
    assertThat(node(decide(gpus("b", 2)))).isEqualTo("n2");
    assertThat(node(decide(gpus("c", 1)))).isEqualTo("n1");
    assertThat(message(decide(gpus("d", 1))))
        .startsWith("0/2 nodes are available: 2 cannot allocate all claims.");
    assertThat(cluster.assumeFailed("uid-b")).isTrue();
    assertThat(node(decide(gpus("d", 1)))).isEqualTo("n2");
  }

  @Test
  void theImplicitNameOfAClassWillDo() {
    deviceClass("other", 1, "");
    DeviceWork work = work(pod("p", "'deviceclass.resource.kubernetes.io/other':'1'"));
    assertThat(requests(work)).containsExactly("container-0-request-0 1 other");
  }

  @Test
  void ofTwoClassesTheNewestProvidesAResource() {
    deviceClass("newer", 2, GPU);
    deviceClass("z-newer", 2, GPU);
    assertThat(requests(work(gpus("p", 1)))).containsExactly("container-0-request-1 1 newer");
    assertThat(cluster.gone(Resource.DEVICE_CLASSES, "newer")).contains(ClusterChange.DEVICES);
    assertThat(requests(work(gpus("q", 1)))).containsExactly("container-0-request-1 1 z-newer");
  }

  @Test
  void withoutAClassTheResourceIsMissing() {
    cluster.gone(Resource.DEVICE_CLASSES, "gpu");
    Decision decision = decide(gpus("p", 1));
    assertThat(message(decision)).startsWith("0/2 nodes are available: 2 Insufficient " + GPU);
    assertThat(((Decision.Refused) decision).filters()).containsExactly(Filter.NODE_RESOURCES_FIT);
    assertThat(deviceClass("gpu", 1, GPU)).contains(ClusterChange.NODE_ALLOCATABLE);
    assertThat(node(decide(gpus("p", 1)))).isEqualTo("n1");
    cluster.assumeFailed("uid-p");
    cluster.gone(Resource.DEVICE_CLASSES, "gpu");
    assertThat(message(decide(gpus("p", 1)))).contains("2 Insufficient " + GPU);
  }

  @Test
  void aNodeThatOffersTheResourceItselfNeedsNoDevices() {
    node("n1", ",'example.com/gpu':'3'");
    assertThat(node(decide(gpus("a", 3)))).isEqualTo("n1");
    assertThat(cluster.devices().assumed().work("uid-a")).isEmpty();
    assertThat(node(decide(gpus("b", 1)))).isEqualTo("n2");
    assertThat(cluster.devices().assumed().work("uid-b")).isPresent();
    assertThat(message(decide(gpus("c", 2))))
        .startsWith(
            "0/2 nodes are available: 1 Insufficient example.com/gpu, 1 cannot allocate all"
                + " claims.");
  }

  @Test
  void aNodeThatGetsTheResourceItselfMayHelp() {
    decide(gpus("a", 2));
    decide(gpus("b", 2));
    Decision decision = decide(gpus("c", 1));
    assertThat(((Decision.Refused) decision).filters()).containsExactly(Filter.DYNAMIC_RESOURCES);
    assertThat(node("n2", ",'example.com/gpu':'3'")).contains(ClusterChange.NODE_ALLOCATABLE);
    assertThat(Filter.DYNAMIC_RESOURCES.helpedBy()).contains(ClusterChange.NODE_ALLOCATABLE);
    assertThat(node(decide(gpus("c", 1)))).isEqualTo("n2");
    assertThat(cluster.devices().assumed().work("uid-c")).isEmpty();
  }

  @Test
  void aNodeThatGivesUpTheResourceForDevicesMayHelp() {
    node("n1", ",'example.com/gpu':'1'");
    node("n2", ",'example.com/gpu':'1'");
    assertThat(node(decide(gpus("a", 1)))).isEqualTo("n1");
    assertThat(node(decide(gpus("b", 1)))).isEqualTo("n2");
    Decision decision = decide(gpus("c", 1));
    assertThat(((Decision.Refused) decision).filters()).containsExactly(Filter.NODE_RESOURCES_FIT);
    assertThat(node("n2", ",'example.com/gpu':'0'")).contains(ClusterChange.NODE_ALLOCATABLE);
    assertThat(node(decide(gpus("c", 1)))).isEqualTo("n2");
    assertThat(cluster.devices().assumed().work("uid-c")).isPresent();
  }

  @Test
  void onlyTheResourcesThatANodeLacksAreClaimed() {
    deviceClass("nic", 1, "example.com/nic");
    node("n1", ",'example.com/nic':'1'");
    DeviceWork work = work(pod("p", "'example.com/gpu':'1','example.com/nic':'1'"));
    assertThat(requests(work)).containsExactly("container-0-request-0 1 gpu");
    work = work(pod("q", "'example.com/gpu':'1','example.com/nic':'1'"));
    assertThat(requests(work))
        .containsExactly("container-0-request-0 1 gpu", "container-0-request-1 1 nic");
  }

  @Test
  void theClaimsOfThePodGetOtherDevices() {
    cluster.changed(
        Resource.RESOURCE_CLAIMS,
        Objects.json(
            "{'metadata':{'name':'c','namespace':'default','uid':'c'},'spec':{'devices':{"
                + "'requests':[{'name':'r','exactly':{'deviceClassName':'gpu'}}]}}}"));
    ObjectNode pod = gpus("p", 1);
    pod.withObjectProperty("spec")
        .putArray("resourceClaims")
        .addObject()
        .put("name", "c")
        .put("resourceClaimName", "c");
    DeviceWork work = work(pod);
    assertThat(work.writes())
        .extracting(write -> write.allocation().json().at("/devices/results/0/device").asString())
        .containsExactly("d0", "d1");
    ObjectNode large = gpus("q", 2);
    large.withObjectProperty("spec").set("resourceClaims", pod.at("/spec/resourceClaims"));
    assertThat(message(decide(large)))
        .contains("1 cannot allocate all claims, 1 resourceclaim not available on the node");
  }

  @Test
  void aContainerHasARequestForEachResource() {
    slice("n1", 9);
    deviceClass("nic", 1, "example.com/nic");
    String one = "{'name':'%s','resources':{'requests':{%s}}}";
    ObjectNode pod =
        podOf(
            "p",
            "'containers':[" + one + "," + one + "," + one + "]",
            "a",
            "'cpu':'1','example.com/gpu':'1','example.com/nic':'2'",
            "b",
            "'cpu':'1'",
            "c",
            "'example.com/gpu':'3'");
    DeviceWork work = work(pod);
    assertThat(requests(work))
        .containsExactly(
            "container-0-request-1 1 gpu",
            "container-0-request-2 2 nic",
            "container-2-request-0 3 gpu");
    assertThat(mappings(work))
        .containsExactly(
            "a example.com/gpu container-0-request-1",
            "c example.com/gpu container-2-request-0",
            "a example.com/nic container-0-request-2");
  }

  /** Of the containers behind it. What it needs beyond that, those that end first share. */
  @Test
  void anInitContainerUsesTheDevicesOfOtherContainers() {
    slice("n1", 9);
    String one = "{'name':'%s'%s,'resources':{'requests':{'example.com/gpu':'%s'}}}";
    String always = ",'restartPolicy':'Always'";
    ObjectNode pod =
        podOf(
            "p",
            "'initContainers':["
                + String.join(",", one, one, one, one)
                + "],'containers':["
                + one
                + "]",
            "first",
            "",
            "2",
            "sidecar",
            always,
            "1",
            "second",
            "",
            "5",
            "third",
            "",
            "4",
            "main",
            "",
            "2");
    DeviceWork work = work(pod);
    assertThat(requests(work))
        .containsExactly(
            "container-1-request-0 1 gpu",
            "container-2-request-0 3 gpu",
            "container-4-request-0 2 gpu");
    assertThat(mappings(work))
        .containsExactly(
            "sidecar example.com/gpu container-1-request-0",
            "main example.com/gpu container-4-request-0",
            "first example.com/gpu container-1-request-0",
            "first example.com/gpu container-4-request-0",
            "second example.com/gpu container-4-request-0",
            "second example.com/gpu container-2-request-0",
            "third example.com/gpu container-4-request-0",
            "third example.com/gpu container-2-request-0");
  }

  @Test
  void moreDevicesThanAClaimMayHaveAreNowhere() {
    slice("n1", 40);
    assertThat(message(decide(gpus("p", 33)))).contains("2 cannot allocate all claims");
    assertThat(node(decide(gpus("q", 32)))).isEqualTo("n1");
  }

  @Test
  void aClassThatIsNotSupportedIsNamed() {
    cluster.changed(
        Resource.DEVICE_CLASSES,
        Objects.json(
            "{'metadata':{'name':'gpu'},'spec':{'extendedResourceName':'example.com/gpu',"
                + "'selectors':[{'cel':{'expression':'device.driver.matches(\\\"a\\\")'}}]}}"));
    assertThat(message(decide(gpus("p", 1)))).startsWith("not supported: device class gpu: ");
    // A node that offers the resource itself does not need the class.
    node("n2", ",'example.com/gpu':'1'");
    assertThat(node(decide(gpus("p", 1)))).isEqualTo("n2");
    assertThat(message(decide(gpus("q", 1))))
        .contains("1 Insufficient example.com/gpu", "1 cannot allocate all claims");
    assertThat(cluster.gone(Resource.DEVICE_CLASSES, "gpu")).contains(ClusterChange.DEVICES);
  }

  @Test
  void whereClaimsAreNotReadTheResourceIsMissing() {
    Cluster other = cluster(true, false);
    other.nodeChanged(
        Objects.json("{'metadata':{'name':'n'},'status':{'allocatable':{'cpu':'4','pods':'9'}}}"));
    other.changed(
        Resource.DEVICE_CLASSES,
        Objects.json(
            "{'metadata':{'name':'gpu'},'spec':{'extendedResourceName':'example.com/gpu'}}"));
    other.podChanged(gpus("p", 1));
    assertThat(message(other.decide(List.of("uid-p")).get(0))).contains("Insufficient " + GPU);
  }

  // ---- claims of earlier attempts ----

  private Optional<ResourceClaim> claimToDelete(String uid) {
    return cluster.devices().claims().takeToDelete(cluster.facts(uid).pod);
  }

  /** The claim of a pod that was placed and could not be bound. */
  private ObjectNode left(ObjectNode pod) {
    ObjectNode claim = left(work(pod), "any-name");
    cluster.assumeFailed(uid(pod));
    return claim;
  }

  private ObjectNode left(DeviceWork work, String name) {
    ObjectNode claim = (ObjectNode) work.writes().get(0).claim().json().deepCopy();
    claim.withObjectProperty("metadata").put("name", name).put("uid", "uid-of-claim");
    claim.withObjectProperty("status").set("allocation", work.writes().get(0).allocation().json());
    return claim;
  }

  @Test
  void aClaimOfAnEarlierAttemptIsDeletedFirst() {
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(work(pod), "any-name");
    assertThat(claimToDelete("uid-p")).isEmpty();
    cluster.assumeFailed("uid-p");
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);

    Decision decision = decide(pod);
    assertThat(message(decision))
        .startsWith("0/2 nodes are available: cannot schedule extended resource claim.");
    Optional<ResourceClaim> deleted = claimToDelete("uid-p");
    assertThat(deleted.map(ResourceClaim::name)).contains("any-name");
    assertThat(claimToDelete("uid-p")).isEmpty();
    // Its devices count until it has gone.
    assertThat(node(decide(gpus("q", 1)))).isEqualTo("n2");
    assertThat(cluster.gone(Resource.RESOURCE_CLAIMS, "default/any-name"))
        .contains(ClusterChange.DEVICES);
    cluster.devices().claims().freeEnded(deleted.orElseThrow());
    assertThat(node(decide(pod))).isEqualTo("n1");
  }

  /** As after the restart of a scheduler that had written the claim and not bound the pod. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNominatedPodKeepsItsNodeAndDevicesWhileAClaimOfAnEarlierAttemptGoes(boolean preempts) {
    cluster = cluster(preempts, true);
    addDevices();
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(pod);
    pod.putObject("status").put("nominatedNodeName", "n1");
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    assertNominatedToN1(pod);
    assertThat(claimToDelete("uid-p")).isPresent();
    assertNominatedToN1(pod);
    assertThat(node(decide(gpus("q", 1)))).isEqualTo("n2");
    claim.withObjectProperty("status").remove("allocation");
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    assertNominatedToN1(pod);
    assertThat(node(decide(gpus("r", 1)))).isEqualTo("n2");
    cluster.gone(Resource.RESOURCE_CLAIMS, "default/any-name");
    assertThat(message(decide(gpus("s", 1)))).contains("2 cannot allocate all claims");
    assertThat(node(decide(pod))).isEqualTo("n1");
  }

  private void assertNominatedToN1(ObjectNode pod) {
    Decision.Refused refused = (Decision.Refused) decide(pod);
    assertThat(refused.message()).contains("cannot schedule extended resource claim");
    assertThat(refused.lostNomination()).isEmpty();
    assertThat(cluster.nominatedNode(uid(pod))).contains("n1");
  }

  /** Its answer counts before the watch shows it, but does not revive it once it has gone. */
  @Test
  void aClaimIsUnseenUntilAnEventShowsIt() {
    ObjectNode pod = gpus("p", 1);
    ObjectNode claim = left(work(pod), "p-extended-resources-uid-p");
    assertThat(cluster.devices().assumed().isUnseen(claim)).isTrue();
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    assertThat(cluster.devices().assumed().isUnseen(claim)).isFalse();
    cluster.gone(Resource.RESOURCE_CLAIMS, "default/p-extended-resources-uid-p");
    assertThat(cluster.devices().assumed().isUnseen(claim)).isFalse();
    cluster.assumeFailed("uid-p");
    decide(pod);
    assertThat(cluster.devices().assumed().isUnseen(claim)).isTrue();
    cluster.assumeFailed("uid-p");
    assertThat(cluster.devices().assumed().isUnseen(claim)).isFalse();
  }

  @Test
  void theEndOfAClaimWithoutDevicesHelpsItsPod() {
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(work(pod), "any-name");
    claim.remove("status");
    cluster.assumeFailed("uid-p");
    assertThat(cluster.changed(Resource.RESOURCE_CLAIMS, claim)).isEmpty();
    assertThat(((Decision.Refused) decide(pod)).filters()).containsExactly(Filter.PRE_FILTER);
    assertThat(cluster.gone(Resource.RESOURCE_CLAIMS, "default/any-name"))
        .containsExactly(ClusterChange.RESOURCE_CLAIM);
    assertThat(node(decide(pod))).isEqualTo("n1");
  }

  @Test
  void aClaimOfAnotherPodOrOfATemplateIsNotDeleted() {
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(pod);
    claim.withObjectProperty("metadata").remove("annotations");
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    assertThat(claimToDelete("uid-p")).isEmpty();
    assertThat(node(decide(pod))).isEqualTo("n2");
  }

  /** A claim made in one namespace does not stop the pods of another. */
  @Test
  void aClaimOfAnotherNamespaceIsNotThatOfThePod() {
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(pod);
    claim.withObjectProperty("metadata").put("namespace", "other");
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    assertThat(claimToDelete("uid-p")).isEmpty();
    assertThat(node(decide(pod))).isEqualTo("n2");
  }

  @Test
  void aClaimThatGetsAnotherOwnerDoesNotStopItsFirst() {
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(pod);
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    ObjectNode moved = claim.deepCopy();
    ((ObjectNode) moved.at("/metadata/ownerReferences/0")).put("uid", "uid-q");
    cluster.changed(Resource.RESOURCE_CLAIMS, moved);
    assertThat(claimToDelete("uid-p")).isEmpty();
    cluster.gone(Resource.RESOURCE_CLAIMS, "default/any-name");
    assertThat(claimToDelete("uid-p")).isEmpty();
    assertThat(node(decide(pod))).isEqualTo("n1");
  }

  @Test
  void aClaimThatOtherPodsUseIsNotDeleted() {
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(pod);
    ArrayNode users = claim.withObjectProperty("status").putArray("reservedFor");
    users.addObject().put("resource", "pods").put("uid", "uid-p");
    ObjectNode shared = claim.deepCopy();
    ((ArrayNode) shared.at("/status/reservedFor")).addObject().put("uid", "uid-other");
    cluster.changed(Resource.RESOURCE_CLAIMS, shared);
    assertThat(claimToDelete("uid-p")).isEmpty();
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    assertThat(claimToDelete("uid-p")).isPresent();
  }

  /** Else the kubelet would wait for a claim that is not there. */
  @Test
  void aPodThatNeedsNoClaimAnyMoreNamesNone() {
    node("n1", ",'example.com/gpu':'3'");
    ObjectNode pod = gpus("p", 1);
    pod.withObjectProperty("status")
        .putObject("extendedResourceClaimStatus")
        .put("resourceClaimName", "c");
    DeviceWork work = work(pod);
    assertThat(work.writes()).isEmpty();
    assertThat(work.podStatus()).isEqualTo(Objects.json("{'extendedResourceClaimStatus':null}"));
  }
}
