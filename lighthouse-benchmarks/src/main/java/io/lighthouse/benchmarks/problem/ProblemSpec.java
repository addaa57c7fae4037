package io.lighthouse.benchmarks.problem;

/**
 * What a generated problem looks like. The same specification always gives the same problem.
 *
 * @param nodes the number of nodes; there are ten times as many workloads
 * @param resources the number of measured resources, from 1 to {@value #MAX_RESOURCES}
 * @param percent the demand in percent of the capacity, the same in every resource, before rules
 * @param shapes how many different requirements there are; 0 for all different
 * @param rules whether there are tags, wards, shortcomings, missing resources, immunities, aversion
 *     groups and negative requirements
 */
public record ProblemSpec(int nodes, int resources, int percent, int shapes, boolean rules) {
  /** Most resources that have a name here. */
  public static final int MAX_RESOURCES = 8;

  /** Workloads for each node. */
  public static final int WORKLOADS_PER_NODE = 10;

  /** Demand of a tight problem, in percent of the capacity of every resource. */
  public static final int TIGHT = 95;

  /** Demand of a loose problem. */
  public static final int LOOSE = 50;

  /** Checks the ranges. */
  public ProblemSpec {
    if (nodes < 1
        || resources < 1
        || resources > MAX_RESOURCES
        || percent < 1
        || percent > 1000
        || shapes < 0) {
      throw new IllegalArgumentException(
          "nodes %d, resources %d, percent %d, shapes %d; allowed are 1.., 1..%d, 1..1000, 0.."
              .formatted(nodes, resources, percent, shapes, MAX_RESOURCES));
    }
  }

  /** The problem most figures are about: four resources, tight, all shapes different, no rules. */
  public static ProblemSpec plain(int nodes) {
    return new ProblemSpec(nodes, 4, TIGHT, 0, false);
  }

  public int workloads() {
    return nodes * WORKLOADS_PER_NODE;
  }
}
