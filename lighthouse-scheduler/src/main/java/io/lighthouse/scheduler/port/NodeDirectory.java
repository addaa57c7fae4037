package io.lighthouse.scheduler.port;

import java.util.List;

/** All nodes that are known. */
public interface NodeDirectory {
  /**
   * The nodes, whatever state they are in.
   *
   * @return the nodes, in any order
   */
  List<? extends ClusterNode> nodes();
}
