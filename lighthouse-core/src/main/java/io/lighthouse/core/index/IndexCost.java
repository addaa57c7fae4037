package io.lighthouse.core.index;

/**
 * Decides when an index pays. Without one, every search reads nodes one by one. Once as many have
 * been read as building it costs, it is built. So reading and building together cost at most twice
 * as much as the better of the two (R. Karp, "On-line algorithms versus off-line algorithms", 1992:
 * the ski rental problem).
 *
 * <p>The same holds for new levels: they pay once enough nodes that the old ones let pass turned
 * out not to fit.
 */
public final class IndexCost {
  /** The cost of building an index, in scans of all nodes. */
  public static final int SCANS = 16;

  private final int scans;

  /** Nodes read since there is no index. */
  private long read;

  /** After how many misses new levels pay. */
  private long missesThatPay;

  /**
   * The cost of an index that is not built yet.
   *
   * @param scans what building it costs, in scans of all nodes; 0 builds it at once
   */
  public IndexCost(int scans) {
    this.scans = scans;
  }

  /** Counts nodes that were read without an index. */
  public void read(long nodes) {
    read += nodes;
  }

  /** Begins again without an index. */
  public void dropped() {
    read = 0;
  }

  /**
   * Whether an index pays.
   *
   * @param scansAhead how many searches are sure to read all of them without one
   */
  public boolean pays(int nodes, int scansAhead) {
    return scansAhead >= scans || read >= (long) scans * nodes;
  }

  /** Begins with new levels. */
  public void learned(int nodes) {
    missesThatPay = 2L * SCANS * nodes;
  }

  /**
   * Whether new levels pay. If the same would be learned again, the next check comes after twice as
   * many misses.
   */
  public boolean newLevelsPay(Levels levels, NeedSample sample) {
    if (levels.misses() <= missesThatPay) {
      return false;
    }
    if (levels.matches(sample)) {
      missesThatPay *= 2;
      return false;
    }
    return true;
  }
}
