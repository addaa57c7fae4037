package io.lighthouse.kubernetes.cluster.decide;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A naive model of how images count: every object is read as it is at each question. The points are
 * written from {@code imagelocality} of kube-scheduler 1.36; the bound of the load is ours. It
 * shares no code with what it judges.
 */
final class StockImages {
  /** Ways of getting a rule wrong. */
  enum Fault {
    NONE,
    NO_IMAGES,
    LOAD_IGNORED,
    BOUND_IS_THE_SAME_FOR_ALL_POINTS,
    EMPTY_FLEET_AS_BOUND,
    ONLY_CPU_IS_LOAD,
    NOT_SCALED_BY_SHARE,
    EVERY_POINT_COUNTS,
    ANY_IMAGE_COUNTS,
    CONTAINERS_DO_NOT_RAISE_THE_LIMIT,
    VOLUMES_RAISE_THE_LIMIT,
    NO_LEAST_SIZE,
    NO_TAG_ADDED,
    TAG_ADDED_TO_A_PORT,
    INIT_CONTAINERS_IGNORED,
    VOLUMES_IGNORED,
    ONLY_THE_FIRST_NAME,
    IMAGES_OF_ALL_NODES_IGNORED,
    EACH_IMAGE_ONCE
  }

  private static final double CLOSE = 1e-9;
  private static final double MEGABYTE = 1024 * 1024;

  private final List<JsonNode> nodes;
  private final List<JsonNode> pods;
  private final Fault fault;

  StockImages(List<JsonNode> nodes, List<JsonNode> pods, Fault fault) {
    this.nodes = nodes;
    this.pods = pods;
    this.fault = fault;
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asString();
  }

  /** The names of the best nodes for a pod; empty where a load is too close to its bound. */
  Optional<List<String>> best(JsonNode pod) {
    List<String> images = images(pod);
    int without = steps(sum(images, null), pod);
    int most = 0;
    List<String> best = new ArrayList<>();
    for (JsonNode node : nodes) {
      int ahead = steps(sum(images, node), pod) - without;
      int step = fault == Fault.EVERY_POINT_COUNTS ? 1 : 10;
      double points = fault == Fault.BOUND_IS_THE_SAME_FOR_ALL_POINTS ? 10 : ahead * step;
      double fleet = fault == Fault.EMPTY_FLEET_AS_BOUND ? 0 : load(nodes);
      double room = fleet + points / 100 - load(List.of(node));
      if (ahead > 0 && Math.abs(room) < CLOSE) {
        return Optional.empty();
      }
      int counts = ahead > 0 && (room > 0 || fault == Fault.LOAD_IGNORED) ? ahead : 0;
      counts = fault == Fault.NO_IMAGES ? 0 : counts;
      if (fault == Fault.ANY_IMAGE_COUNTS) {
        counts = Math.min(counts, 1);
      }
      if (counts > most) {
        best.clear();
        most = counts;
      }
      if (counts == most) {
        best.add(name(node));
      }
    }
    return Optional.of(best);
  }

  private int steps(double sum, JsonNode pod) {
    int containers = pod.at("/spec/containers").size() + pod.at("/spec/initContainers").size();
    switch (fault) {
      case CONTAINERS_DO_NOT_RAISE_THE_LIMIT -> containers = 1;
      case VOLUMES_RAISE_THE_LIMIT -> containers += pod.at("/spec/volumes").size();
      default -> {}
    }
    double least = fault == Fault.NO_LEAST_SIZE ? 0 : 23 * MEGABYTE;
    double most = 1000 * MEGABYTE * containers;
    double points = 100 * (Math.min(most, Math.max(least, sum)) - least) / (most - least);
    return fault == Fault.EVERY_POINT_COUNTS
        ? (int) Math.floor(points)
        : (int) Math.floor(points) / 10;
  }

  private List<String> images(JsonNode pod) {
    List<String> images = new ArrayList<>();
    pod.at("/spec/containers").forEach(one -> add(images, one.path("image").asString("")));
    if (fault != Fault.INIT_CONTAINERS_IGNORED) {
      pod.at("/spec/initContainers").forEach(one -> add(images, one.path("image").asString("")));
    }
    if (fault != Fault.VOLUMES_IGNORED) {
      pod.at("/spec/volumes")
          .forEach(one -> add(images, one.path("image").path("reference").asString("")));
    }
    return fault == Fault.EACH_IMAGE_ONCE ? images.stream().distinct().toList() : images;
  }

  private void add(List<String> images, String image) {
    String end = image.substring(image.lastIndexOf('/') + 1);
    boolean tagged = fault == Fault.TAG_ADDED_TO_A_PORT ? image.contains(":") : end.contains(":");
    images.add(tagged || fault == Fault.NO_TAG_ADDED ? image : image + ":latest");
  }

  /** The scaled sizes of images on a node; of null, a node with those that all nodes have. */
  private double sum(List<String> images, JsonNode node) {
    double sum = 0;
    for (String image : images) {
      double size = 0;
      int count = 0;
      boolean here = false;
      for (JsonNode one : nodes) {
        double found = size(one, image);
        if (found > 0) {
          size = found;
          count++;
          here |= node != null && name(one).equals(name(node));
        }
      }
      boolean everywhere = count == nodes.size();
      if (everywhere && fault == Fault.IMAGES_OF_ALL_NODES_IGNORED) {
        continue;
      }
      if (here || everywhere) {
        double share = fault == Fault.NOT_SCALED_BY_SHARE ? 1 : (double) count / nodes.size();
        sum += Math.floor(size * share);
      }
    }
    return sum;
  }

  /** The size of an image on a node; 0 where it is not there or too small. */
  private double size(JsonNode node, String image) {
    for (JsonNode one : node.at("/status/images")) {
      double size = one.path("sizeBytes").asDouble();
      boolean first = true;
      for (JsonNode name : one.path("names")) {
        if (name.asString().equals(image) && size >= 23 * MEGABYTE) {
          return first || fault != Fault.ONLY_THE_FIRST_NAME ? size : 0;
        }
        first = false;
      }
    }
    return 0;
  }

  private double load(List<JsonNode> some) {
    Map<String, Double> used = new HashMap<>();
    Map<String, Double> has = new HashMap<>();
    for (JsonNode node : some) {
      for (String resource : List.of("cpu", "memory", "pods")) {
        has.merge(
            resource,
            Double.parseDouble(node.at("/status/allocatable").path(resource).asString("0")),
            Double::sum);
      }
      for (JsonNode pod : pods) {
        if (pod.at("/spec/nodeName").asString().equals(name(node))) {
          JsonNode requests = pod.at("/spec/containers/0/resources/requests");
          used.merge("cpu", Double.parseDouble(requests.path("cpu").asString("0")), Double::sum);
          used.merge(
              "memory", Double.parseDouble(requests.path("memory").asString("0")), Double::sum);
          used.merge("pods", 1.0, Double::sum);
        }
      }
    }
    double load = 0;
    for (String resource : used.keySet()) {
      if (fault != Fault.ONLY_CPU_IS_LOAD || resource.equals("cpu")) {
        load = Math.max(load, used.get(resource) / has.get(resource));
      }
    }
    return load;
  }
}
