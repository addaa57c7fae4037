package io.lighthouse.scheduler.memory;

import io.lighthouse.scheduler.port.CapacityBook;

/** A book that is told when an agent is gone, and forgets all that it knew of it. */
public interface LocalBook extends CapacityBook {
  /**
   * An agent is gone, and its offers, its watermark and its total with it.
   *
   * @param agent the agent; one that is not known is ignored
   */
  void agentLost(String agent);
}
