package io.lighthouse.kubernetes.cluster.preference;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Rule;
import io.lighthouse.kubernetes.cluster.mirror.MirroredFleet;
import io.lighthouse.kubernetes.cluster.mirror.NodeEntry;
import io.lighthouse.kubernetes.cluster.object.PodImages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The nodes that a pod prefers because they have its images. The points of a node are those of the
 * stock scheduler's ImageLocality (kube-scheduler 1.36), from 0 to 100. An image counts by its
 * size, times the share of the nodes that have it. Points count in whole steps of {@value #STEP}.
 *
 * <p>A preference goes before the strategy, so pods could fill one node because of an image.
 * Therefore the points also limit the load of a node. With {@code p} points more than a node
 * without the images, it may have a load of {@code p} percent above that of the whole fleet.
 */
public final class ImageLocality {
  private static final long MEGABYTE = 1L << 20;

  /** The sum of sizes, in bytes, that gives no points. */
  private static final long LEAST = 23 * MEGABYTE;

  /** The sum of sizes for each container, in bytes, that gives all points. */
  private static final long MOST_OF_A_CONTAINER = 1000 * MEGABYTE;

  /** Points that differ by less do not make a node better. */
  private static final int STEP = 10;

  /** The largest number of preferences that are kept. */
  private static final int MOST_KNOWN = 256;

  /**
   * What a pod prefers.
   *
   * @param bySteps the names of the nodes, by how many steps they are better; the best first
   */
  private record Known(Map<Integer, List<String>> bySteps, List<Rule> rules) {}

  private final MirroredFleet fleet;
  private final NodeImages images;

  /** By images, the latest preferences: their names are often those of the next pod. */
  private final Map<PodImages, Known> known = new HashMap<>();

  public ImageLocality(MirroredFleet fleet, NodeImages images) {
    this.fleet = fleet;
    this.images = images;
  }

  /** What a pod prefers for its images, now; the best nodes first. */
  public List<Rule> preferences(PodImages pod) {
    long everywhere = 0;
    Map<NodeEntry, Long> sizes = new LinkedHashMap<>();
    for (String name : pod.names()) {
      NodeImages.Image image = images.find(name);
      if (image != null) {
        double share = (double) image.nodes().size() / fleet.size();
        long scaled = (long) (image.size() * share);
        if (image.nodes().size() == fleet.size()) {
          everywhere += scaled;
        } else {
          image.nodes().values().forEach(node -> sizes.merge(node, scaled, Long::sum));
        }
      }
    }
    if (sizes.isEmpty()) {
      return List.of();
    }
    Map<Integer, List<String>> bySteps = bySteps(sizes, everywhere, pod.containers());
    Known last = known.get(pod);
    if (last == null || !last.bySteps.equals(bySteps)) {
      if (known.size() >= MOST_KNOWN) {
        known.clear();
      }
      last = new Known(bySteps, rules(bySteps));
      known.put(pod, last);
    }
    return last.rules;
  }

  private Map<Integer, List<String>> bySteps(
      Map<NodeEntry, Long> sizes, long everywhere, int containers) {
    int without = steps(everywhere, containers);
    double load = fleet.load();
    Map<Integer, List<String>> bySteps = new TreeMap<>(Comparator.reverseOrder());
    sizes.forEach(
        (node, size) -> {
          int ahead = steps(everywhere + size, containers) - without;
          if (ahead > 0 && node.load() <= load + ahead * STEP / 100.0) {
            bySteps.computeIfAbsent(ahead, none -> new ArrayList<>()).add(node.facts.name());
          }
        });
    return bySteps;
  }

  private static List<Rule> rules(Map<Integer, List<String>> bySteps) {
    List<Rule> rules = new ArrayList<>();
    Set<String> atLeast = new LinkedHashSet<>();
    for (List<String> nodes : bySteps.values()) {
      atLeast.addAll(nodes);
      rules.add(new Rule.Where(List.of(new Condition.In(Rule.NODE, atLeast))));
    }
    return rules;
  }

  private static int steps(long sizes, int containers) {
    long most = MOST_OF_A_CONTAINER * containers;
    long sum = Math.max(LEAST, Math.min(most, sizes));
    return (int) (100 * (sum - LEAST) / (most - LEAST)) / STEP;
  }
}
