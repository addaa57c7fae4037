package io.lighthouse.kubernetes.control;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Objects for tests. */
public final class Objects {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** Takes away the taint that every new node has. */
  public static final JsonNode READY = json("{'spec':{'taints':null}}");

  private Objects() {}

  /** JSON with single quotes. */
  public static ObjectNode json(String text, Object... parts) {
    return (ObjectNode) MAPPER.readTree(text.formatted(parts).replace('\'', '"'));
  }

  /** A node in a zone, with the given resources. */
  public static ObjectNode node(String name, String zone, String cpu, String memory, int pods) {
    return json(
        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'%s','labels':{"
            + "'kubernetes.io/hostname':'%s','topology.kubernetes.io/zone':'%s'}},"
            + "'status':{'capacity':{'cpu':'%s','memory':'%s','pods':'%d'},"
            + "'allocatable':{'cpu':'%s','memory':'%s','pods':'%d'}}}",
        name, name, zone, cpu, memory, pods, cpu, memory, pods);
  }

  /** A pod of our scheduler, with the given requests. */
  public static ObjectNode pod(String name, String cpu, String memory) {
    return json(
        "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'%s','namespace':'default',"
            + "'labels':{'app':'test'}},"
            + "'spec':{'schedulerName':'lighthouse','containers':[{'name':'c','image':'none',"
            + "'resources':{'requests':{'cpu':'%s','memory':'%s'}}}]}}",
        name, cpu, memory);
  }

  /** The affinity of a pod that shares no host with pods of a group. */
  public static ObjectNode apartFrom(String group) {
    return json(
        "{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
            + "'topologyKey':'kubernetes.io/hostname','labelSelector':{'matchLabels':"
            + "{'group':'%s'}}}]}}",
        group);
  }
}
