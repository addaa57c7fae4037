package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.cluster.decide.Cluster;
import java.util.function.Consumer;

/** Reads the cluster of a term in the thread of its loop, by a message of its own. */
final class LoopReader {
  private LoopReader() {}

  /** Sends the message, and does not wait for it. */
  static void read(Term term, Consumer<Cluster> reader) throws InterruptedException {
    term.inbox.put(at -> reader.accept(at.cluster));
  }
}
