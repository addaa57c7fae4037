package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.device.DeviceWork;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.GangKind;
import io.lighthouse.kubernetes.control.Objects;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster with claims to devices. The nodes n1 and n2 have two devices each, of the classes gpu
 * and any.
 */
abstract class DeviceClaimsBench extends DevicesBench {
  static final String GPU = "'deviceClassName':'gpu'";

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

  void node(String name, String zone) {
    node(name, "'zone':'" + zone + "'", "");
  }

  void deviceClass(String name, String spec) {
    cluster.changed(
        Resource.DEVICE_CLASSES,
        Objects.json("{'metadata':{'name':'%s'},'spec':{%s}}", name, spec));
  }

  void claim(String name, String devices) {
    cluster.changed(
        Resource.RESOURCE_CLAIMS,
        Objects.json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'%s'},'spec':{'devices':{%s}}}",
            name, name, devices));
  }

  static String requests(String... each) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < each.length; i++) {
      all.add("{'name':'r" + i + "'," + each[i] + "}");
    }
    return "'requests':[" + String.join(",", all) + "]";
  }

  static String exactly(String fields) {
    return "'exactly':{" + fields + "}";
  }

  static ObjectNode pod(String name, String... claims) {
    ObjectNode pod = Objects.pod(name, "1", "0");
    pod.withObjectProperty("metadata").put("uid", name);
    ArrayNode used = pod.withObjectProperty("spec").putArray("resourceClaims");
    for (String claim : claims) {
      used.addObject().put("name", claim).put("resourceClaimName", claim);
    }
    return pod;
  }

  /** The allocation of the only claim of a pod. */
  JsonNode allocated(ObjectNode pod) {
    Decision decision = decide(pod);
    assertThat(decision).isInstanceOf(Decision.Bind.class);
    DeviceWork work = cluster.devices().assumed().work(decision.pod().uid()).orElseThrow();
    assertThat(work.writes()).hasSize(1);
    assertThat(work.writes().get(0).isNew()).isTrue();
    return work.writes().get(0).allocation().json();
  }

  String refusal(ObjectNode pod) {
    return message(decide(pod));
  }

  static ObjectNode member(String gang, int size, String name, String... claims) {
    return GangKind.LABELS.member(pod(name, claims), gang, size);
  }
}
