package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.device.DeviceWork;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster with extended resources that a DeviceClass provides. The nodes n1 and n2 have two
 * devices each, of the class gpu, which provides example.com/gpu.
 */
abstract class ExtendedResourcesBench extends DevicesBench {
  static final String GPU = "example.com/gpu";

  @BeforeEach
  void addDevices() {
    for (String node : List.of("n1", "n2")) {
      node(node, "");
      slice(node, 2);
    }
    deviceClass("gpu", 1, GPU);
  }

  Set<ClusterChange> node(String name, String more) {
    return node(name, "", more);
  }

  static String node(Decision decision) {
    return decision instanceof Decision.Bind bind ? bind.node() : "";
  }

  void slice(String node, int devices) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      all.add("{'name':'d" + i + "'}");
    }
    slice(node, "'nodeName':'" + node + "'", String.join(",", all));
  }

  /** A class of all devices that was made at some second. */
  Set<ClusterChange> deviceClass(String name, int second, String resource) {
    return cluster.changed(
        Resource.DEVICE_CLASSES,
        Objects.json(
            "{'metadata':{'name':'%s','creationTimestamp':'2026-01-01T00:00:0%dZ'},"
                + "'spec':{'extendedResourceName':'%s'}}",
            name, second, resource));
  }

  static ObjectNode pod(String name, String requests) {
    return podOf(name, "'containers':[{'name':'a','resources':{'requests':{%s}}}]", requests);
  }

  static ObjectNode podOf(String name, String spec, Object... values) {
    return Objects.json(
        "{'metadata':{'name':'%s','namespace':'default','uid':'uid-%s'},"
            + "'spec':{'schedulerName':'lighthouse',%s}}",
        name, name, spec.formatted(values));
  }

  static ObjectNode gpus(String name, int count) {
    return pod(name, "'cpu':'1','example.com/gpu':'" + count + "'");
  }

  DeviceWork work(ObjectNode pod) {
    assertThat(decide(pod)).isInstanceOf(Decision.Bind.class);
    return cluster.devices().assumed().work(uid(pod)).orElseThrow();
  }
}
