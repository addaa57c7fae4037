package io.lighthouse.scheduler.port;

import java.util.List;

/**
 * All nodes that are known.
 *
 * <p>Promised: each name once, and each agent at one node only. A node that is not named is away:
 * its executions are lost once the grace of the policy is over.
 */
public interface NodeDirectory {
  /**
   * The nodes, whatever state they are in.
   *
   * @return the nodes, in any order
   */
  List<? extends ClusterNode> nodes();
}
