package io.lighthouse.scheduler.contract;

/** Checks ports. */
public abstract class PortContract {
  /** For subclasses. */
  protected PortContract() {}
}
