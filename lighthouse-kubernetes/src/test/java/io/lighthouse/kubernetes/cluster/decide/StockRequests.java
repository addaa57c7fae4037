package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.decide.StockFilters.Fault;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * What the stock scheduler counts as a pod's requests: containers, init containers, sidecars,
 * overhead, requests of the whole pod, and resizes under way.
 */
final class StockRequests {
  private final Fault fault;

  StockRequests(Fault fault) {
    this.fault = fault;
  }

  /** What a pod holds, or would hold, of each resource in whole units. */
  Map<String, Long> of(JsonNode pod) {
    Map<String, BigDecimal> total = new HashMap<>();
    Map<String, BigDecimal> sidecars = new HashMap<>();
    Map<String, BigDecimal> peak = new HashMap<>();
    for (JsonNode container : pod.at("/spec/containers")) {
      plus(total, held(pod, container, "containerStatuses"));
    }
    for (JsonNode container : pod.at("/spec/initContainers")) {
      boolean sidecar = container.path("restartPolicy").asString("").equals("Always");
      Map<String, BigDecimal> own =
          sidecar
              ? held(pod, container, "initContainerStatuses")
              : amounts(container.at("/resources/requests"));
      if (fault == Fault.INIT_CONTAINERS_ARE_SUMMED) {
        plus(total, own);
      } else if (sidecar) {
        if (fault != Fault.SIDECARS_ARE_FORGOTTEN) {
          plus(total, own);
          plus(sidecars, own);
        }
      } else {
        Map<String, BigDecimal> beside = new HashMap<>(sidecars);
        plus(beside, own);
        beside.forEach((name, amount) -> peak.merge(name, amount, BigDecimal::max));
      }
    }
    peak.forEach((name, amount) -> total.merge(name, amount, BigDecimal::max));
    Map<String, BigDecimal> ofPod = amounts(pod.at("/spec/resources/requests"));
    if (pod.at("/status/resources").isObject() && fault != Fault.RESIZE_OF_A_POD_IS_IGNORED) {
      Map<String, BigDecimal> most = new HashMap<>(infeasible(pod) ? Map.of() : ofPod);
      for (String path : List.of("/status/resources/requests", "/status/allocatedResources")) {
        amounts(pod.at(path)).forEach((name, amount) -> most.merge(name, amount, BigDecimal::max));
      }
      ofPod.replaceAll((name, amount) -> most.getOrDefault(name, BigDecimal.ZERO));
    }
    ofPod.forEach(
        (name, amount) -> {
          if (fault == Fault.POD_LEVEL_IS_ADDED) {
            total.merge(name, amount, BigDecimal::add);
          } else {
            total.put(name, amount);
          }
        });
    if (fault != Fault.OVERHEAD_IS_FORGOTTEN) {
      plus(total, amounts(pod.at("/spec/overhead")));
    }
    Map<String, Long> request = new HashMap<>();
    total.forEach((name, amount) -> request.put(name, units(name, amount)));
    return request;
  }

  /** What a container that runs on holds: while it is resized, the most of three. */
  private Map<String, BigDecimal> held(JsonNode pod, JsonNode container, String statuses) {
    Map<String, BigDecimal> asked = amounts(container.at("/resources/requests"));
    for (JsonNode status : pod.path("status").path(statuses)) {
      if (status.path("name").equals(container.path("name"))
          && status.path("resources").isObject()
          && fault != Fault.RESIZE_COUNTS_WHAT_IS_ASKED) {
        Map<String, BigDecimal> most = new HashMap<>();
        if (!infeasible(pod)) {
          most.putAll(asked);
        }
        amounts(status.at("/resources/requests"))
            .forEach((name, amount) -> most.merge(name, amount, BigDecimal::max));
        amounts(status.path("allocatedResources"))
            .forEach((name, amount) -> most.merge(name, amount, BigDecimal::max));
        return most;
      }
    }
    return asked;
  }

  private static boolean infeasible(JsonNode pod) {
    boolean infeasible = false;
    for (JsonNode condition : pod.at("/status/conditions")) {
      infeasible |= condition.path("reason").asString("").equals("Infeasible");
    }
    return infeasible;
  }

  private static void plus(Map<String, BigDecimal> to, Map<String, BigDecimal> more) {
    more.forEach((name, amount) -> to.merge(name, amount, BigDecimal::add));
  }

  private static Map<String, BigDecimal> amounts(JsonNode object) {
    Map<String, BigDecimal> amounts = new HashMap<>();
    object.properties().forEach(entry -> amounts.put(entry.getKey(), exact(entry.getValue())));
    return amounts;
  }

  /** An amount in whole units: of cpu, thousandths. */
  long units(String name, BigDecimal amount) {
    RoundingMode mode = fault == Fault.ROUNDS_CPU_DOWN ? RoundingMode.FLOOR : RoundingMode.CEILING;
    BigDecimal units = name.equals("cpu") ? amount.multiply(new BigDecimal(1000)) : amount;
    return units.setScale(0, mode).longValueExact();
  }

  /** The generator writes few notations; each is spelled out here. */
  static BigDecimal exact(JsonNode value) {
    String text = value.asString("0");
    for (String[] suffix :
        new String[][] {
          {"Ki", "1024"},
          {"Mi", "1048576"},
          {"Gi", "1073741824"},
          {"k", "1000"},
          {"u", "0.000001"},
          {"m", "0.001"}
        }) {
      if (text.endsWith(suffix[0])) {
        String number = text.substring(0, text.length() - suffix[0].length());
        return new BigDecimal(number).multiply(new BigDecimal(suffix[1]));
      }
    }
    return new BigDecimal(text);
  }
}
