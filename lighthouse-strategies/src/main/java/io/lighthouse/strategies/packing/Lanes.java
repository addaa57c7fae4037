package io.lighthouse.strategies.packing;

/**
 * Approximate amounts left on nodes and required by workloads. A long holds the first four
 * resources, each in a lane of 16 bits. The highest bit of a lane catches the borrow, so one
 * subtraction compares all four (L. Lamport, "Multiple byte processing with full-word
 * instructions", CACM 18, 1975). The approximation never reports a lack of room where there is
 * room.
 *
 * <p>Without it, {@code pack} took 1.01 to 1.10 times the processor time on four fleets of 60 to
 * 1,000 nodes (docs/lab/packings.md, "Simpler forms of pack").
 */
final class Lanes {
  private static final int LANES = 4;
  private static final int AMOUNT_BITS = 15;
  private static final long BORROWS = 0x8000_8000_8000_8000L;

  /** The largest amount that a lane can represent. */
  private static final long MOST = (1 << AMOUNT_BITS) - 2;

  private final Board board;
  private final int count;

  /** By how many bits the amounts of each resource are shifted right. */
  private final int[] shifts;

  /** The lanes of what is left, by node. */
  private final long[] left;

  /** The lanes of what must be left, by workload. */
  private final long[] asked;

  Lanes(Board board) {
    this.board = board;
    count = Math.min(LANES, board.dims);
    shifts = new int[count];
    for (int d = 0; d < count; d++) {
      long most = 1;
      for (int at = d; at < board.capacity.length; at += board.dims) {
        most = Math.max(most, board.capacity[at]);
      }
      shifts[d] = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(most) - AMOUNT_BITS);
    }
    left = new long[board.nodes];
    for (int node = 0; node < left.length; node++) {
      read(node);
    }
    asked = new long[board.loads];
    for (int load = 0; load < asked.length; load++) {
      asked[load] = lanes(board.ask, load * board.dims);
    }
  }

  /** Updates the lanes of a node after its amounts left have changed. */
  void read(int node) {
    left[node] = lanes(board.left, node * board.dims);
  }

  private long lanes(long[] amounts, int from) {
    long lanes = 0;
    for (int d = 0; d < count; d++) {
      long amount = amounts[from + d];
      long lane = amount < 0 ? 0 : Math.min(amount >> shifts[d], MOST) + 1;
      lanes |= lane << d * Short.SIZE;
    }
    return lanes;
  }

  /** Whether a node may have room for a workload; false is certain. */
  boolean mayHold(int node, int load) {
    return ((left[node] | BORROWS) - asked[load] & BORROWS) == BORROWS;
  }
}
