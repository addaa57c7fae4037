/**
 * The scheduling manager. In each pass it reads the resources that nodes offer, the work that waits
 * and the work that runs. It decides what starts where, what waits, and which node is kept free for
 * which execution. It needs nothing but the JDK at run time.
 *
 * <p>Start at {@link io.lighthouse.scheduler.manager.SchedulingManager}. What is outside of it
 * stands behind the interfaces of {@link io.lighthouse.scheduler.port}; {@link
 * io.lighthouse.scheduler.memory} has an implementation of each.
 */
module io.lighthouse.scheduler {
  requires transitive io.lighthouse.api;
  requires io.lighthouse.core;

  exports io.lighthouse.scheduler;
  exports io.lighthouse.scheduler.contract;
  exports io.lighthouse.scheduler.manager;
  exports io.lighthouse.scheduler.memory;
  exports io.lighthouse.scheduler.model;
  exports io.lighthouse.scheduler.port;
  exports io.lighthouse.scheduler.simulation;
}
