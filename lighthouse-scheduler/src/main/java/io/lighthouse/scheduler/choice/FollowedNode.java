package io.lighthouse.scheduler.choice;

import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.RunningExecution;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A node of a {@link PassFleet}: what its distributor holds of it, and what it should hold. */
final class FollowedNode {
  /** How the names of workloads begin that are no executions. */
  static final String OTHER_USE = "other use of ";

  final String name;

  /** The requirements of its workloads in the distributor, by name. */
  final Map<String, Resources> placed = new HashMap<>();

  /** The requirements of the workloads that are still to be placed there, by name, in order. */
  final Map<String, Resources> missing = new LinkedHashMap<>();

  /** What it should have when it is empty. */
  Resources capacity = Resources.none();

  /** The capacity that the distributor holds. */
  Resources inDistributor = Resources.none();

  /** Whether it is open in the distributor. */
  boolean open = true;

  /** Whether less than nothing is left of anything. */
  boolean isOverdrawn;

  /** Its index among the candidates of the pass; -1 if it is none. */
  int candidate = -1;

  /** The requests of its executions, by the names of their workloads. */
  private final Map<String, Resources> executions = new LinkedHashMap<>();

  /** Of the last pass; null where what the distributor holds is not what was noted then. */
  private Resources watermark;

  private Resources remaining;

  FollowedNode(String name) {
    this.name = name;
  }

  /** Has the next pass look for differences. */
  void outdate() {
    watermark = null;
  }

  void add(RunningExecution execution) {
    executions.put(workload(execution.id()), nonZero(execution.origin().request()));
    outdate();
  }

  void remove(RunningExecution execution) {
    executions.remove(workload(execution.id()));
    outdate();
  }

  /**
   * Compares a node with what the distributor holds of it, and notes what differs.
   *
   * @param gone receives the workloads that are to be released
   * @return whether anything may differ
   */
  boolean follow(SchedulingNode node, List<String> gone) {
    if (node.capacity().watermark().equals(watermark) && node.remaining().equals(remaining)) {
      return false;
    }
    watermark = node.capacity().watermark();
    remaining = node.remaining();
    Resources held = ResourceVectors.sum(executions.values());
    Resources whole = watermark;
    for (String resource : held.names()) {
      whole = whole.has(resource) ? whole : whole.with(resource, 0);
    }
    capacity = whole;
    missing.clear();
    Resources rest = rest(held);
    if (!rest.isEmpty()) {
      missing.put(OTHER_USE + "node '" + name + "'", rest);
    }
    missing.putAll(executions);
    placed
        .entrySet()
        .removeIf(
            workload -> {
              boolean stays = missing.remove(workload.getKey(), workload.getValue());
              if (!stays) {
                gone.add(workload.getKey());
              }
              return !stays;
            });
    return true;
  }

  /** Notes that the distributor holds all that it should. */
  void upToDate() {
    inDistributor = capacity;
    placed.putAll(missing);
    missing.clear();
  }

  /**
   * What is neither left nor held by the executions; less than 0 where these hold more. Where the
   * node has shrunk and less than nothing is left, 0 is. A distributor lets no workload onto a node
   * where anything would be below 0, even what the workload does not ask for.
   */
  private Resources rest(Resources held) {
    Resources rest = Resources.none();
    isOverdrawn = false;
    for (int i = 0; i < capacity.size(); i++) {
      String resource = capacity.name(i);
      Quantity has = capacity.quantity(i);
      Quantity left = remaining.get(resource).orElse(Quantity.ZERO);
      if (!has.isInfinite() && !left.isInfinite()) {
        if (left.signum() < 0) {
          isOverdrawn = true;
          left = Quantity.ZERO;
        }
        Quantity used = has.minus(left).minus(held.get(resource).orElse(Quantity.ZERO));
        rest = used.signum() == 0 ? rest : rest.with(resource, used);
      }
    }
    return rest;
  }

  /**
   * The name of the workload of an execution: its id. An id that looks like one of the other names,
   * behind any number of apostrophes, gets one more apostrophe, so that no two are the same.
   */
  static String workload(String execution) {
    int at = 0;
    while (at < execution.length() && execution.charAt(at) == '\'') {
      at++;
    }
    return execution.startsWith(OTHER_USE, at) ? "'" + execution : execution;
  }

  /** A request without its zeros: to the scheduler, a resource that is not there is one of 0. */
  static Resources nonZero(Resources request) {
    Map<String, Quantity> rest = new LinkedHashMap<>();
    for (int i = 0; i < request.size(); i++) {
      if (request.quantity(i).signum() != 0) {
        rest.put(request.name(i), request.quantity(i));
      }
    }
    return rest.size() == request.size() ? request : Resources.of(rest);
  }
}
