package io.lighthouse.core.ledger;

/**
 * The clock of a ledger. It counts placements, loosenings, changes of shape and changes of groups.
 * A cache keeps a {@link Stamp} and is valid while the stamp is current.
 */
public final class Clock implements LedgerListener {
  /** How many recent placements are remembered; a power of two. */
  public static final int RECENT = 64;

  private long placements;
  private long loosenings;
  private long shapes;
  private long groups;

  /** The nodes of the last placements and releases, by number modulo its length. */
  private final int[] recent = new int[RECENT];

  Clock() {}

  /** What a cache depends on. Except for {@link #GROUPS}, each includes the ones before it. */
  public enum Scope {
    /**
     * The nodes and domains: names, capacities and wards, cordons, and which node belongs to which
     * domain.
     */
    SHAPE,
    /** The nodes that do not fit: after any other change, they still do not fit. */
    ROOM,
    /** All that an answer depends on. */
    ANYTHING,
    /** The ids of groups and levels, and the least bound of each group at each level. */
    GROUPS
  }

  /** The moment at which a cache was filled. */
  public static final class Stamp {
    private final Clock clock;
    private final Scope scope;
    private long at = -1;

    private Stamp(Clock clock, Scope scope) {
      this.clock = clock;
      this.scope = scope;
    }

    /**
     * Whether nothing in its scope has changed since it was renewed; false before the first time.
     */
    public boolean isCurrent() {
      return at == clock.read(scope);
    }

    /** Sets the stamp to the present moment; returns whether it was not current before. */
    public boolean renew() {
      long before = at;
      at = clock.read(scope);
      return at != before;
    }
  }

  /** Makes a stamp that is not current yet; changes in the scope end its validity. */
  public Stamp stamp(Scope scope) {
    return new Stamp(this, scope);
  }

  /** The counts only grow, so two sums are equal only if nothing has changed between. */
  private long read(Scope scope) {
    if (scope == Scope.GROUPS) {
      return groups;
    }
    long room = loosenings + shapes;
    return scope == Scope.SHAPE ? shapes : scope == Scope.ROOM ? room : room + placements;
  }

  /** How many placements and releases there have been. */
  public long placements() {
    return placements;
  }

  /**
   * The slot of the node of a placement or a release, by its number: one of the last {@link
   * #RECENT}.
   */
  public int nodeOf(long number) {
    return recent[(int) (number & (RECENT - 1))];
  }

  /** Counts a change of nodes or domains that placing does not make. */
  void countShape() {
    shapes++;
  }

  /** Counts a new or freed id of a group or level, and a change of a least bound. */
  void countGroups() {
    groups++;
  }

  void charged(int node, Demand demand, int times) {
    recent[(int) (placements++ & (RECENT - 1))] = node;
    if (times < 0 || demand.hasNegativeNeed()) {
      loosenings++;
    }
  }

  @Override
  public void loosened() {
    loosenings++;
  }

  @Override
  public void cordonChanged(int node) {
    loosenings++;
  }

  @Override
  public void reshaped() {
    shapes++;
  }
}
