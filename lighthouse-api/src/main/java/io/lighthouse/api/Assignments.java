package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to a batch: every workload in the order given, with its node or none, and the reasons
 * of refusals if they were requested.
 *
 * <p>Reading by index ({@link #workload}, {@link #node}) costs one array access and suits large
 * batches. The first reading by name builds a map. Immutable and thread-safe.
 */
public final class Assignments {
  /** The names of the workloads, in the order given. */
  private final String[] workloads;

  /** The name of the node of each, by the same index; null for none. */
  private final String[] nodes;

  private final List<Refusal> refusals;
  private final int placed;

  /** The node by workload; built at the first reading by name. Racing threads build equal maps. */
  private volatile Map<String, Optional<String>> byName;

  private Assignments(String[] workloads, String[] nodes, List<Refusal> refusals) {
    this.workloads = workloads;
    this.nodes = nodes;
    this.refusals = List.copyOf(refusals);
    int count = 0;
    for (String node : nodes) {
      if (node != null) {
        count++;
      }
    }
    placed = count;
  }

  /**
   * An answer from its parts. The arrays are copied.
   *
   * @param workloads the names of the workloads, in the order given, each once
   * @param nodes the name of the node of each, by the same index; null where it has none
   * @param refusals the reasons for the workloads without a node, in the order given; empty if they
   *     were not requested
   * @return the answer
   * @throws InvalidInputException if the arrays differ in length
   */
  public static Assignments of(String[] workloads, String[] nodes, List<Refusal> refusals) {
    if (workloads.length != nodes.length) {
      throw new InvalidInputException(
          "assignments",
          "nodes",
          Plural.of(nodes.length, "entry"),
          Plural.of(workloads.length, "entry"));
    }
    return new Assignments(workloads.clone(), nodes.clone(), refusals);
  }

  /**
   * The number of workloads in the batch.
   *
   * @return 0 or more
   */
  public int size() {
    return workloads.length;
  }

  /**
   * The workload at an index.
   *
   * @param index from 0 to {@code size() - 1}, in the order given
   * @return its name
   * @throws IndexOutOfBoundsException if there is no such index
   */
  public String workload(int index) {
    return workloads[index];
  }

  /**
   * The node of the workload at an index.
   *
   * @param index from 0 to {@code size() - 1}, in the order given
   * @return the name of its node; empty if it was refused
   * @throws IndexOutOfBoundsException if there is no such index
   */
  public Optional<String> node(int index) {
    return Optional.ofNullable(nodes[index]);
  }

  /**
   * The node of a workload.
   *
   * @param workload a name of the batch
   * @return the name of its node; empty if it was refused
   * @throws InvalidInputException if the batch has no such workload
   */
  public Optional<String> nodeOf(String workload) {
    Optional<String> node = asMap().get(workload);
    if (node == null) {
      throw new InvalidInputException(
          "assignments", "workload", "'" + workload + "'", "a workload of the batch");
    }
    return node;
  }

  /**
   * Whether every workload has a node.
   *
   * @return true also for an empty batch
   */
  public boolean allPlaced() {
    return placed == workloads.length;
  }

  /**
   * The number of workloads with a node.
   *
   * @return from 0 to {@link #size}
   */
  public int placedCount() {
    return placed;
  }

  /**
   * The number of workloads without a node.
   *
   * @return from 0 to {@link #size}
   */
  public int refusedCount() {
    return workloads.length - placed;
  }

  /**
   * The workloads without a node.
   *
   * @return their names, in the order given; unmodifiable
   */
  public List<String> refused() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < workloads.length; i++) {
      if (nodes[i] == null) {
        names.add(workloads[i]);
      }
    }
    return Collections.unmodifiableList(names);
  }

  /**
   * Why workloads were refused. After an all-or-nothing assignment it covers only those that found
   * no node, not those that were rolled back with them.
   *
   * @return the refusals, in the order given; empty if they were not requested; unmodifiable
   */
  public List<Refusal> refusals() {
    return refusals;
  }

  /**
   * The whole answer as a map, in the order given.
   *
   * @return an unmodifiable map from each workload to its node, or to an empty value
   */
  public Map<String, Optional<String>> asMap() {
    Map<String, Optional<String>> map = byName;
    if (map == null) {
      map = new LinkedHashMap<>(2 * workloads.length);
      for (int i = 0; i < workloads.length; i++) {
        map.put(workloads[i], node(i));
      }
      map = Collections.unmodifiableMap(map);
      byName = map;
    }
    return map;
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof Assignments other
        && Arrays.equals(workloads, other.workloads)
        && Arrays.equals(nodes, other.nodes)
        && refusals.equals(other.refusals);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(workloads) + java.util.Arrays.hashCode(nodes);
  }

  /** The placements, such as {@code {vm-1: n1, vm-2: none}}, of at most the first 100 workloads. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < Math.min(workloads.length, 100); i++) {
      text.append(i == 0 ? "" : ", ").append(workloads[i]).append(": ");
      text.append(nodes[i] == null ? "none" : nodes[i]);
    }
    return text.append(workloads.length > 100 ? ", ...}" : "}").toString();
  }
}
