package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.device.DeviceWork;
import io.lighthouse.kubernetes.cluster.device.ResourceClaim;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.control.GangKind;
import io.lighthouse.kubernetes.control.Objects;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is written into claims to devices, and what claims are refused. The nodes n1 and n2 have two
 * devices each, of the classes gpu and any.
 */
class DeviceClaimsTest {
  private static final String GPU = "'deviceClassName':'gpu'";

  private final Cluster cluster = cluster(true);

  private static Cluster cluster(boolean readsClaims) {
    return Cluster.withProfiles(
        new Profiles(
            Map.of(
                "lighthouse",
                Clusters.standard("prioritized"),
                "second",
                Clusters.standard("prioritized"))),
        names -> Distributors.installed().strategy("prioritized"),
        true,
        new PodFacts.Reads(false, readsClaims));
  }

  @BeforeEach
  void addDevices() {
    for (String node : List.of("n1", "n2")) {
      node(node, "a");
      slice(node, "'nodeName':'" + node + "'", "{'name':'d0'},{'name':'d1'}");
    }
    deviceClass(
        "gpu",
        "'selectors':[{'cel':{'expression':'device.driver == \\\"example.com\\\"'}}],'config':"
            + "[{'opaque':{'driver':'example.com','parameters':{'of':'class'}}}]");
    deviceClass("any", "'selectors':[]");
  }

  private void node(String name, String zone) {
    cluster.nodeChanged(
        Objects.json(
            "{'metadata':{'name':'%s','labels':{'zone':'%s'}},'status':{'allocatable':"
                + "{'cpu':'4','pods':'9'}}}",
            name, zone));
  }

  private void slice(String pool, String reach, String devices) {
    cluster.changed(
        Resource.RESOURCE_SLICES,
        Objects.json(
            "{'metadata':{'name':'%s'},'spec':{'driver':'example.com','pool':{'name':'%s',"
                + "'generation':1,'resourceSliceCount':1},%s,'devices':[%s]}}",
            pool, pool, reach, devices));
  }

  private void deviceClass(String name, String spec) {
    cluster.changed(
        Resource.DEVICE_CLASSES,
        Objects.json("{'metadata':{'name':'%s'},'spec':{%s}}", name, spec));
  }

  private void claim(String name, String devices) {
    cluster.changed(
        Resource.RESOURCE_CLAIMS,
        Objects.json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'%s'},'spec':{'devices':{%s}}}",
            name, name, devices));
  }

  private static String requests(String... each) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < each.length; i++) {
      all.add("{'name':'r" + i + "'," + each[i] + "}");
    }
    return "'requests':[" + String.join(",", all) + "]";
  }

  private static String exactly(String fields) {
    return "'exactly':{" + fields + "}";
  }

  private static ObjectNode pod(String name, String... claims) {
    ObjectNode pod = Objects.pod(name, "1", "0");
    pod.withObjectProperty("metadata").put("uid", name);
    ArrayNode used = pod.withObjectProperty("spec").putArray("resourceClaims");
    for (String claim : claims) {
      used.addObject().put("name", claim).put("resourceClaimName", claim);
    }
    return pod;
  }

  private Decision decide(ObjectNode pod) {
    cluster.podChanged(pod);
    return cluster.decide(List.of(pod.at("/metadata/uid").asString())).get(0);
  }

  /** The allocation of the only claim of a pod. */
  private JsonNode allocated(ObjectNode pod) {
    Decision decision = decide(pod);
    assertThat(decision).isInstanceOf(Decision.Bind.class);
    DeviceWork work = cluster.devices().assumed().work(decision.pod().uid()).orElseThrow();
    assertThat(work.writes()).hasSize(1);
    assertThat(work.writes().get(0).isNew()).isTrue();
    return work.writes().get(0).allocation().json();
  }

  private String refusal(ObjectNode pod) {
    Decision decision = decide(pod);
    return decision instanceof Decision.Unsupported not
        ? not.message()
        : ((Decision.Refused) decision).message();
  }

  @Test
  void anAllocationHasTheDevicesTheirNodeAndWhatDriversAreTold() {
    String config =
        ",'config':[{'requests':['r1'],'opaque':{'driver':'example.com','parameters':{'of':"
            + "'second'}}},{'opaque':{'driver':'example.com','parameters':{'of':'all'}}}]";
    claim(
        "c",
        requests(exactly(GPU + ",'tolerations':[{'operator':'Exists'}]"), exactly(GPU)) + config);
    assertThat(allocated(pod("p", "c")))
        .isEqualTo(
            Objects.json(
                "{'devices':{'results':[{'request':'r0','driver':'example.com','pool':'n1',"
                    + "'device':'d0','tolerations':[{'operator':'Exists'}]},{'request':'r1',"
                    + "'driver':'example.com','pool':'n1','device':'d1'}],'config':["
                    + "{'source':'FromClass','requests':['r0','r1'],'opaque':{'driver':"
                    + "'example.com','parameters':{'of':'class'}}},"
                    + "{'source':'FromClaim','requests':['r1'],'opaque':{'driver':'example.com',"
                    + "'parameters':{'of':'second'}}},"
                    + "{'source':'FromClaim','opaque':{'driver':'example.com','parameters':{'of':"
                    + "'all'}}}]},'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':"
                    + "'metadata.name','operator':'In','values':['n1']}]}]}}"));
  }

  @Test
  void driversAreToldAboutTheWayThatWasTaken() {
    String ways =
        "'firstAvailable':[{'name':'many',%s,'count':3},{'name':'one','deviceClassName':'any'}]";
    claim(
        "c",
        requests(ways.formatted(GPU))
            + ",'config':[{'requests':['r0/many'],'opaque':{'driver':'x','parameters':{}}},"
            + "{'requests':['r0/one'],'opaque':{'driver':'y','parameters':{}}}]");
    JsonNode devices = allocated(pod("p", "c")).path("devices");
    assertThat(devices.at("/results/0/request").asString()).isEqualTo("r0/one");
    assertThat(devices.path("config"))
        .isEqualTo(
            Objects.json(
                    "{'is':[{'source':'FromClaim','requests':['r0/one'],'opaque':{'driver':'y',"
                        + "'parameters':{}}}]}")
                .path("is"));
  }

  @Test
  void theNodesOfAllDevicesOfAClaimAreSelected() {
    String zone = RandomDevices.zone("a");
    slice("zonal", zone, "{'name':'s'}");
    slice("wide", "'allNodes':true", "{'name':'w'}");

    claim("c", requests(exactly("'deviceClassName':'any','count':4")));
    JsonNode four = allocated(pod("p", "c"));
    assertThat(four.at("/nodeSelector/nodeSelectorTerms/0/matchFields/0/values/0").asString())
        .isEqualTo("n1");
    // Both devices of n1 are taken with those of the zone and of all nodes: n2 has its own two.
    claim("d", requests(exactly("'deviceClassName':'any','count':3")));
    assertThat(refusal(pod("q", "d")))
        .startsWith("0/2 nodes are available: 2 cannot allocate all claims.");
    cluster.podGone("p");
    claim("e", requests(exactly("'deviceClassName':'any','count':2")));
    cluster.gone(Resource.RESOURCE_SLICES, "n1");
    cluster.gone(Resource.RESOURCE_SLICES, "n2");
    assertThat(allocated(pod("r", "e")).path("nodeSelector"))
        .isEqualTo(Objects.json("{" + zone + "}").path("nodeSelector"));
  }

  @Test
  void podsThatShareAClaimGetTheSameAllocation() {
    claim("c", requests(exactly(GPU)));
    JsonNode first = allocated(pod("p", "c"));
    assertThat(allocated(pod("q", "c"))).isEqualTo(first);
    // As long as one of them is on the way, the claim has its devices.
    cluster.assumeFailed("p");
    cluster.podGone("p");
    claim("d", requests(exactly(GPU + ",'count':2")));
    assertThat(((Decision.Bind) decide(pod("r", "d"))).node()).isEqualTo("n2");
    cluster.assumeFailed("q");
    cluster.podGone("q");
    claim("e", requests(exactly(GPU + ",'count':2")));
    assertThat(((Decision.Bind) decide(pod("s", "e"))).node()).isEqualTo("n1");
  }

  @Test
  void aNodeThatComesOrGetsAnotherLabelMayReachDevices() {
    slice("far", RandomDevices.zone("b"), "{'name':'f0'},{'name':'f1'},{'name':'f2'}");
    claim("c", requests(exactly(GPU + ",'count':3")));
    Decision decision = decide(pod("p", "c"));
    assertThat(((Decision.Refused) decision).filters()).isEqualTo(Set.of(Filter.DYNAMIC_RESOURCES));
    String node =
        "{'metadata':{'name':'%s','labels':{'zone':'b'}},'status':{'allocatable':"
            + "{'cpu':'4','pods':'9'}}}";
    for (String name : List.of("n2", "n3")) {
      Set<ClusterChange> changes = cluster.nodeChanged(Objects.json(node, name));
      assertThat(Filter.DYNAMIC_RESOURCES.helpedBy()).containsAll(changes);
      assertThat(changes).isNotEmpty();
    }
    assertThat(Clusters.verdict(cluster, "p", "n1")).containsExactly("cannot allocate all claims");
    assertThat(Clusters.verdict(cluster, "p", "n2")).isEmpty();
    assertThat(Clusters.verdict(cluster, "p", "n3")).isEmpty();
  }

  @Test
  void aClaimThatIsMadeAnewMayHelp() {
    claim("c", requests(exactly(GPU + ",'count':3")));
    Decision decision = decide(pod("p", "c"));
    assertThat(((Decision.Refused) decision).filters()).isEqualTo(Set.of(Filter.DYNAMIC_RESOURCES));
    assertThat(cluster.gone(Resource.RESOURCE_CLAIMS, "default/c"))
        .containsExactly(ClusterChange.DEVICES);
    decision = decide(pod("p", "c"));
    assertThat(((Decision.Refused) decision).filters()).isEqualTo(Set.of(Filter.PRE_FILTER));
    assertThat(madeAnew("c", "u2", 3)).containsExactly(ClusterChange.RESOURCE_CLAIM);
    decision = decide(pod("p", "c"));
    assertThat(((Decision.Refused) decision).filters()).isEqualTo(Set.of(Filter.DYNAMIC_RESOURCES));
    // That it was deleted may be missed.
    assertThat(madeAnew("c", "u3", 2)).containsExactly(ClusterChange.DEVICES);
    assertThat(decide(pod("p", "c"))).isInstanceOf(Decision.Bind.class);
  }

  private Set<ClusterChange> madeAnew(String name, String uid, int count) {
    return cluster.changed(
        Resource.RESOURCE_CLAIMS,
        Objects.json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'%s'},'spec':{'devices':{%s}}}",
            name, uid, requests(exactly(GPU + ",'count':" + count))));
  }

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

  private static ObjectNode member(String gang, int size, String name, String... claims) {
    return GangKind.LABELS.member(pod(name, claims), gang, size);
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

  @Test
  void aClaimHasAtMost32Devices() {
    StringBuilder devices = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      devices.append(i == 0 ? "" : ",").append("{'name':'x%d'}".formatted(i));
    }
    slice("many", "'nodeName':'n1'", devices.toString());
    String twenty = exactly("'deviceClassName':'any','count':20");
    claim("c", requests(twenty, twenty));
    assertThat(refusal(pod("p", "c")))
        .isEqualTo("not supported: resource claim c: more than 32 devices");
    String some =
        "'firstAvailable':[{'name':'many','deviceClassName':'any','count':20},"
            + "{'name':'few','deviceClassName':'any','count':12}]";
    claim("d", requests(twenty, some));
    JsonNode results = allocated(pod("q", "d")).at("/devices/results");
    assertThat(results).hasSize(32);
    assertThat(results.get(31).path("request").asString()).isEqualTo("r1/few");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'exactly':{'deviceClassName':'gpu','allocationMode':'All'}"
            + "|request r0.allocationMode: All",
        "'exactly':{'deviceClassName':'gpu','adminAccess':true}|request r0.adminAccess",
        "'exactly':{'deviceClassName':'gpu','count':33}|request r0: more than 32 devices",
        "'exactly':{'deviceClassName':'gpu','new':1}|request r0.new",
        "'later':{'a':1}|request r0.later",
        "'exactly':{'deviceClassName':'gpu','selectors':[{'cel':{'expression':'1 + 1 == 2'}}]}"
            + "|arithmetic with '+' in the CEL expression '1 + 1 == 2'",
      })
  void whatIsNotSupportedIsRefusedByName(String request, String why) {
    claim("c", requests(request));
    assertThat(refusal(pod("p", "c"))).isEqualTo("not supported: resource claim c: " + why);
  }

  @Test
  void aClassThatIsNotSupportedIsRefusedByName() {
    deviceClass("odd", "'selectors':[{'cel':{'expression':'device.driver.matches(\\\"a\\\")'}}]");
    claim("c", requests(exactly("'deviceClassName':'odd'")));
    assertThat(refusal(pod("p", "c")))
        .startsWith("not supported: device class odd: the function matches()");
  }

  @Test
  void withoutTheSettingClaimsAreRefusedAsBefore() {
    Cluster plain = cluster(false);
    plain.nodeChanged(
        Objects.json("{'metadata':{'name':'n'},'status':{'allocatable':{'cpu':'4','pods':'9'}}}"));
    plain.podChanged(pod("p", "c"));
    assertThat(((Decision.Unsupported) plain.decide(List.of("p")).get(0)).message())
        .isEqualTo("not supported: resourceClaims");
  }

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
    for (int i = 10; i < 30; i++) {
      node("n" + i, "far");
      slice("many-" + i, "'nodeName':'n" + i + "'", groups(40, 2));
    }
    for (int i = 0; i < nominated; i++) {
      claimOfPairs("c" + i);
      ObjectNode pod = pod("p" + i, "c" + i);
      pod.withObjectProperty("spec").put("priority", 9);
      pod.withObjectProperty("status").put("nominatedNodeName", "n" + (10 + i % 20));
      cluster.podChanged(pod);
    }
    claim("d", requests(exactly("'deviceClassName':'any'")));
    assertThat(decide(pod("q", "d")).getClass().getSimpleName()).isEqualTo(decision);
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
