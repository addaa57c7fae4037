package io.lighthouse.kubernetes.cluster.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.control.Objects;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolsTest {
  private static ResourceSlice sliceOf(String node) {
    return ResourceSlice.of(
        Objects.json(
            "{'metadata':{'name':'%s'},'spec':{'driver':'example.com','nodeName':'%s','pool':{"
                + "'name':'%s','generation':1,'resourceSliceCount':1},'devices':[{'name':'d'}]}}",
            node, node, node));
  }

  /** These names have one hash, so a table of hashes would have them in the order of arrival. */
  @Test
  void theOrderOfNodesDoesNotDependOnThatOfTheirArrival() {
    for (List<String> arriving : List.of(List.of("Aa", "BB"), List.of("BB", "Aa"))) {
      Pools pools = new Pools();
      arriving.forEach(node -> pools.changed(sliceOf(node)));
      assertThat(pools.nodesWithDevices()).containsExactly("Aa", "BB");
    }
  }

  private static ResourceSlice sliceFor(String nodes, String pool) {
    return ResourceSlice.of(
        Objects.json(
            "{'metadata':{'name':'%s'},'spec':{'driver':'example.com',%s,'pool':{"
                + "'name':'%s','generation':1,'resourceSliceCount':1},'devices':[{'name':'d'}]}}",
            pool, nodes, pool));
  }

  private static String zone(String value) {
    return "'nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':[{'key':"
        + "'topology.kubernetes.io/zone','operator':'In','values':['"
        + value
        + "']}]}]}";
  }

  @Test
  void aNodeReachesItsOwnDevicesAndThoseOfSelectionsInTheOrderOfPools() {
    Pools pools = new Pools();
    pools.changed(sliceFor(zone("west"), "d"));
    pools.changed(sliceFor("'allNodes':true", "c"));
    pools.changed(sliceFor("'nodeName':'n'", "b"));
    pools.changed(sliceFor(zone("west"), "a"));
    pools.changed(sliceFor(zone("east"), "e"));
    assertThat(poolsOf(pools, "n", "west")).containsExactly("a", "b", "c", "d");
    assertThat(poolsOf(pools, "m", "east")).containsExactly("c", "e");

    pools.gone("a");
    pools.gone("c");
    pools.gone("e");
    assertThat(poolsOf(pools, "n", "west")).containsExactly("b", "d");
    assertThat(poolsOf(pools, "m", "west")).containsExactly("d");
    pools.gone("d");
    assertThat(pools.areShared()).isFalse();
  }

  private static List<String> poolsOf(Pools pools, String node, String zone) {
    NodeFacts facts = NodeFacts.of(Objects.node(node, zone, "1", "1Gi", 10));
    return pools.devices(pools.reached(facts)).stream().map(device -> device.id().pool()).toList();
  }
}
