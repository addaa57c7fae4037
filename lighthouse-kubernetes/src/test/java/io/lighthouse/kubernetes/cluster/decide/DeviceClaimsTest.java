package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What is written into claims to devices, and what claims are refused. */
class DeviceClaimsTest extends DeviceClaimsBench {
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
    Cluster plain = cluster(true, false);
    plain.nodeChanged(
        Objects.json("{'metadata':{'name':'n'},'status':{'allocatable':{'cpu':'4','pods':'9'}}}"));
    plain.podChanged(pod("p", "c"));
    assertThat(((Decision.Unsupported) plain.decide(List.of("p")).get(0)).message())
        .isEqualTo("not supported: resourceClaims");
  }
}
