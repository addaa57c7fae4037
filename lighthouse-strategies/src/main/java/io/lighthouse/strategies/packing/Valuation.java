package io.lighthouse.strategies.packing;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** What states are worth to the goal of a packing. */
final class Valuation {
  /**
   * An answer may leave out this part of the batch more than another one, and room is made for it.
   */
  private static final int MOST_LEFT_OUT = 100;

  private final Board board;
  private final long[] prices;

  /** Whether prices count at all. */
  private final boolean isPriced;

  /** Whether the number of placed workloads counts, not their size. */
  final boolean byNumber;

  /**
   * What a state is worth: what is unplaced, then the price of the nodes used. Less is better. A
   * member of a gang counts as placed even if its gang is not whole.
   */
  record Worth(long unplaced, BigInteger price) {
    boolean isBetterThan(Worth other) {
      return unplaced != other.unplaced ? unplaced < other.unplaced : isCheaperThan(other);
    }

    boolean isCheaperThan(Worth other) {
      return price.compareTo(other.price) < 0;
    }
  }

  Valuation(Board board, long[] prices, boolean isPriced, boolean byNumber) {
    this.board = board;
    this.prices = prices;
    this.isPriced = isPriced;
    this.byNumber = byNumber;
  }

  /** What the state of the session is worth. */
  Worth ofSession() {
    long unplaced = 0;
    boolean[] used = new boolean[board.nodes];
    for (int load = 0; load < board.loads; load++) {
      int node = board.session.nodeOf(load);
      if (node < 0) {
        unplaced += byNumber ? 1 : board.size[load];
      } else {
        used[node] = true;
      }
    }
    return new Worth(unplaced, isPriced ? price(node -> used[node]) : BigInteger.ZERO);
  }

  /** What the state of the board is worth as a start: by size, and by price whatever the goal. */
  Worth ofBoard() {
    long unplaced = 0;
    for (int load = 0; load < board.loads; load++) {
      unplaced += board.home[load] == Board.NOWHERE ? board.size[load] : 0;
    }
    return new Worth(unplaced, priceOfBoard());
  }

  /** The price of the nodes that the batch has put into use on the board. */
  BigInteger priceOfBoard() {
    return price(node -> board.held[node] > 0);
  }

  private BigInteger price(IntPredicate used) {
    BigInteger sum = BigInteger.ZERO;
    for (int node = 0; node < board.nodes; node++) {
      if (used.test(node)) {
        sum = sum.add(price(node));
      }
    }
    return sum;
  }

  /** What it costs to put a node into use, as far as that counts for the goal. */
  BigInteger priceOf(int node) {
    return isPriced ? price(node) : BigInteger.ZERO;
  }

  private BigInteger price(int node) {
    return board.inhabited[node] ? BigInteger.ZERO : BigInteger.valueOf(prices[node]);
  }

  /** Whether leaving out {@code unplaced} is at most a little more than a state leaves out. */
  boolean isNear(long unplaced, Worth state) {
    long all = byNumber ? board.loads : Arrays.stream(board.size).sum();
    return unplaced <= state.unplaced + all / MOST_LEFT_OUT;
  }
}
