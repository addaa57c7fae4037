package io.lighthouse.benchmarks.peer;

import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.time.Duration;

/** Peers that search for better answers as long as they are given time. */
public final class SearchPeer {
  private SearchPeer() {}

  /** Timefold on a problem without rules but aversion. */
  public static Peer timefold(BenchmarkProblem problem, double seconds) {
    return new TimefoldSearch(problem, Duration.ofNanos(Math.round(seconds * 1e9)));
  }

  /** BtrPlace on such a problem in whole numbers, for at least one second. */
  public static Peer btrPlace(BenchmarkProblem problem, int seconds) {
    return new BtrPlacePeer(problem, seconds);
  }
}
