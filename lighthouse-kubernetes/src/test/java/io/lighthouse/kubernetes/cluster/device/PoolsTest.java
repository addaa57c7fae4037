package io.lighthouse.kubernetes.cluster.device;

import static org.assertj.core.api.Assertions.assertThat;

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
}
