package io.lighthouse.benchmarks.peer;

import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.time.Duration;

/** Peers that search for better answers as long as they are given time. */
public final class SearchPeer {
  private SearchPeer() {}

  /**
   * Timefold: first fit decreasing, then its default local search.
   *
   * @param problem a problem without rules but aversion
   * @param seconds how long it may take
   * @return the peer
   */
  public static Peer timefold(BenchmarkProblem problem, double seconds) {
    return new TimefoldSearch(problem, Duration.ofNanos(Math.round(seconds * 1e9)));
  }

  /**
   * BtrPlace.
   *
   * @param problem a problem without rules but aversion, in whole numbers
   * @param seconds how long it may take, 1 or more
   * @return the peer
   */
  public static Peer btrPlace(BenchmarkProblem problem, int seconds) {
    return new BtrPlacePeer(problem, seconds);
  }
}
