package io.lighthouse.benchmarks.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the present thread allocates, as the JVM counts it. */
final class AllocatedBytes {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private AllocatedBytes() {}

  /** Bytes since the thread began. */
  static long soFar() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }
}
