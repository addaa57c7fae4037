package io.lighthouse.benchmarks.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the present thread allocates, as the JVM counts it. */
final class AllocatedBytes {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private AllocatedBytes() {}

  /** Bytes that a task allocates in this thread. */
  static long of(Runnable task) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    task.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
