package io.lighthouse.api;

import java.util.List;
import java.util.Optional;

/**
 * The whole state of a distributor at one moment. It never changes, even if the distributor does,
 * and may be read by any thread. A distributor that is made from it behaves like the original from
 * then on. It needs {@link NodeState#toNode} of the nodes, {@link DomainState#toDomain} of the
 * domains, {@link #rules} and {@link #lastPlaced}, and the strategy, settings, rubric and plug-ins
 * of the original.
 */
public interface Snapshot {
  /**
   * The nodes.
   *
   * @return their states, in the order of nodes; unmodifiable
   */
  List<NodeState> nodes();

  /**
   * The declared domains.
   *
   * @return their states, by level, then by name; unmodifiable
   */
  List<DomainState> domains();

  /**
   * The rules of the fleet.
   *
   * @return the same as {@link Distributor#rules}
   */
  List<Rule> rules();

  /**
   * The round-robin position: the node that took the last placed workload.
   *
   * @return its name; empty if the position is before the first node
   */
  Optional<String> lastPlaced();

  /**
   * The generation of the distributor at that moment.
   *
   * @return the same as {@link Distributor#generation}
   */
  long generation();

  /**
   * The number of placed workloads.
   *
   * @return 0 or more
   */
  int placedCount();

  /**
   * The node of a workload.
   *
   * @param workload the name of a workload
   * @return the name of the node that it is placed on; empty if it is not placed
   */
  Optional<String> nodeOf(String workload);
}
