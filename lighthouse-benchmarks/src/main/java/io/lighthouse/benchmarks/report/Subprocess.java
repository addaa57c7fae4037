package io.lighthouse.benchmarks.report;

import java.io.IOException;

/** Runs other programs. */
final class Subprocess {
  private Subprocess() {}

  /** Runs a program until its end; returns its exit code. */
  static int run(ProcessBuilder program) throws IOException {
    try {
      return program.start().waitFor();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }
}
