package io.lighthouse.fleets;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/**
 * A thread whose decision is over its time. Every check interrupts it, until it ends or has used up
 * its grace. The grace is processor time, so that a slow thread on a busy machine is not taken for
 * one that never ends. A thread that takes no processor time has {@link #WAITING}. For one caller
 * at a time.
 */
public final class OverdueThread {
  /** The processor time that an interrupted thread may take before it counts as unending. */
  public static final Duration GRACE = Duration.ofSeconds(1);

  /** The time after which an interrupted thread counts as unending even if it only waits. */
  public static final Duration WAITING = Duration.ofSeconds(30);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Thread thread;
  private final long beganNanos = System.nanoTime();
  private final long beganProcessorNanos;

  /**
   * A thread that is over its time from now on.
   *
   * @param thread the thread
   */
  public OverdueThread(Thread thread) {
    this.thread = thread;
    beganProcessorNanos = processorNanos();
  }

  /**
   * Interrupts the thread.
   *
   * @return whether its grace is used up
   */
  public boolean interrupt() {
    thread.interrupt();
    return processorNanos() - beganProcessorNanos >= GRACE.toNanos()
        || System.nanoTime() - beganNanos >= WAITING.toNanos();
  }

  /** The processor time of the thread so far; less than 0 where it is not known. */
  private long processorNanos() {
    return THREADS.isThreadCpuTimeSupported() ? THREADS.getThreadCpuTime(thread.getId()) : -1;
  }
}
