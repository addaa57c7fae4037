package io.lighthouse.benchmarks.peer;

import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.time.Duration;

/** A peer, prepared for one problem. Used once. Not thread-safe. */
public interface Peer extends AutoCloseable {
  /** Places the whole batch. This call is timed. */
  void place();

  /** The node of each workload, by index, after {@link #place}. */
  Answer answer();

  @Override
  default void close() {
    // Nothing is left running.
  }

  /** Timefold on a problem without rules but aversion: first fit, then its search until the end. */
  static Peer timefold(BenchmarkProblem problem, double seconds) {
    return new TimefoldSearch(problem, Duration.ofNanos(Math.round(seconds * 1e9)));
  }

  /** BtrPlace on such a problem in whole numbers, for at least one second. */
  static Peer btrPlace(BenchmarkProblem problem, int seconds) {
    return new BtrPlacePeer(problem, seconds);
  }

  /** CP-SAT on such a problem, if {@link #hasCpSat}. */
  static Peer cpSat(BenchmarkProblem problem, double seconds) {
    return new CpSatPeer(problem, seconds);
  }

  /** Whether the native code of CP-SAT is there: it is one of the options of the build. */
  static boolean hasCpSat() {
    return CpSatPeer.isThere();
  }

  /** The peers and how each is set up. */
  enum Kind {
    /** Fenzo, which takes the first host that fits. */
    FENZO_FIRST_FIT("Fenzo 1.0.1, first fit"),
    /** Fenzo, its bin packer over all hosts that fit. */
    FENZO_BIN_PACK("Fenzo 1.0.1, bin packing"),
    /** Timefold's construction heuristic, first fit. */
    TIMEFOLD_FIRST_FIT("Timefold 1.32.0, first fit");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** Turns a problem without rules, of four resources, into the objects of the peer. */
    public Peer prepare(BenchmarkProblem problem) {
      return switch (this) {
        case FENZO_FIRST_FIT -> FenzoPeer.firstFit(problem);
        case FENZO_BIN_PACK -> FenzoPeer.binPack(problem);
        case TIMEFOLD_FIRST_FIT -> new TimefoldPeer(problem);
      };
    }

    /** Its name, version and way, for tables. */
    public String label() {
      return label;
    }
  }
}
