package io.lighthouse.scheduler.memory;

import io.lighthouse.scheduler.port.CapacityBook;

/** A book that forgets an agent that is gone. */
public interface LocalBook extends CapacityBook {
  /**
   * An agent is gone, and its offers, its watermark and its total with it.
   *
   * @param agent the agent; one that is not known is ignored
   */
  void agentLost(String agent);
}
