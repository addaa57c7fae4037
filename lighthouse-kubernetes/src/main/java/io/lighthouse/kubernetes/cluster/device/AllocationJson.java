package io.lighthouse.kubernetes.cluster.device;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes {@code status.allocation} of a claim. */
final class AllocationJson {
  private AllocationJson() {}

  /**
   * The allocation of a claim.
   *
   * @param choices what was chosen, also for other claims
   */
  static Allocation of(
      ResourceClaim claim, List<DeviceSearch.Choice> choices, Map<String, DeviceClass> classes) {
    List<DeviceSearch.Choice> own =
        choices.stream().filter(choice -> choice.claim() == claim).toList();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ObjectNode devices = json.putObject("devices");
    ArrayNode results = devices.putArray("results");
    own.forEach(choice -> addResult(results, choice));
    ArrayNode config = JsonNodeFactory.instance.arrayNode();
    addClassConfig(config, own, classes);
    addClaimConfig(config, claim, own);
    if (!config.isEmpty()) {
      devices.set("config", config);
    }
    addNodeSelector(json, own);
    return Allocation.of(json);
  }

  private static void addResult(ArrayNode results, DeviceSearch.Choice choice) {
    Device device = choice.device();
    ObjectNode result =
        results
            .addObject()
            .put("request", choice.option().name())
            .put("driver", device.id().driver())
            .put("pool", device.id().pool())
            .put("device", device.id().name());
    if (!choice.option().toleration().isEmpty()) {
      result.set("tolerations", choice.option().toleration());
    }
    if (device.allowsMultipleAllocations()) {
      String share = choice.claim().key() + choice.claim().uid() + "/" + results.size();
      UUID id = UUID.nameUUIDFromBytes(share.getBytes(StandardCharsets.UTF_8));
      result.put("shareID", id.toString());
      ObjectNode taken = result.putObject("consumedCapacity");
      choice.taken().forEach((name, amount) -> taken.put(name, amount.toPlainString()));
    }
  }

  /** The configuration of a class is added once, with the names of all requests for it. */
  private static void addClassConfig(
      ArrayNode config, List<DeviceSearch.Choice> own, Map<String, DeviceClass> classes) {
    Map<String, Set<String>> requests = new LinkedHashMap<>();
    for (DeviceSearch.Choice choice : own) {
      requests
          .computeIfAbsent(choice.option().deviceClass(), none -> new LinkedHashSet<>())
          .add(choice.option().name());
    }
    requests.forEach(
        (name, names) -> {
          for (JsonNode one : classes.get(name).config()) {
            ObjectNode copy = config.addObject().put("source", "FromClass");
            ArrayNode of = copy.putArray("requests");
            names.forEach(of::add);
            copy.setAll((ObjectNode) one);
          }
        });
  }

  /** The configuration of the claim for requests that it has devices for. */
  private static void addClaimConfig(
      ArrayNode config, ResourceClaim claim, List<DeviceSearch.Choice> own) {
    for (JsonNode one : claim.json().path("spec").path("devices").path("config")) {
      JsonNode requests = one.path("requests");
      boolean applies = requests.isEmpty();
      for (JsonNode name : requests) {
        applies |=
            own.stream()
                .anyMatch(
                    choice ->
                        name.asString("").equals(choice.option().name())
                            || name.asString("").equals(choice.request().name()));
      }
      if (applies) {
        config.addObject().put("source", "FromClaim").setAll((ObjectNode) one);
      }
    }
  }

  /** The nodes that reach all devices: one node, or those with all the labels. */
  private static void addNodeSelector(ObjectNode json, List<DeviceSearch.Choice> own) {
    for (DeviceSearch.Choice choice : own) {
      String node = choice.device().reach().node();
      if (!node.isEmpty()) {
        term(json)
            .putArray("matchFields")
            .addObject()
            .put("key", "metadata.name")
            .put("operator", "In")
            .putArray("values")
            .add(node);
        return;
      }
    }
    Map<String, Set<JsonNode>> parts = new LinkedHashMap<>();
    for (DeviceSearch.Choice choice : own) {
      for (JsonNode term : choice.device().reach().selector().path("nodeSelectorTerms")) {
        for (Map.Entry<String, JsonNode> part : term.properties()) {
          Set<JsonNode> all = parts.computeIfAbsent(part.getKey(), none -> new LinkedHashSet<>());
          part.getValue().forEach(all::add);
        }
      }
    }
    if (!parts.isEmpty()) {
      ObjectNode term = term(json);
      parts.forEach((name, all) -> term.putArray(name).addAll(all));
    }
  }

  private static ObjectNode term(ObjectNode json) {
    return json.putObject("nodeSelector").putArray("nodeSelectorTerms").addObject();
  }
}
