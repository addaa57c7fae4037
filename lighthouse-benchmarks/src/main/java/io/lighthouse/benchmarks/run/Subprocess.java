package io.lighthouse.benchmarks.run;

import java.io.IOException;

/** Runs other programs. */
public final class Subprocess {
  private Subprocess() {}

  /** Runs a program until its end; returns its exit code. */
  public static int run(ProcessBuilder program) throws IOException {
    try {
      return program.start().waitFor();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }
}
