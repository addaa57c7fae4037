package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.device.DeviceWork;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods that request an extended resource which a DeviceClass provides. */
class ExtendedResourcesTest extends ExtendedResourcesBench {
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
}
