package io.lighthouse.core.feasibility;

import io.lighthouse.api.Names;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Rubric;
import io.lighthouse.core.ledger.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Layout;
import io.lighthouse.core.ledger.Ledger;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * The exact scores of a rubric. All terms are brought to one power of ten, so that a score is the
 * sum of whole coefficient times whole account.
 *
 * <p>Where the coefficients allow it, and they mostly do, a score is computed in 128 bits, without
 * allocating; else in {@link BigInteger}. Minus infinity wins over plus infinity; equal infinities
 * tie. Good until the ledger's resources or scales change.
 */
public final class Scores {
  /** Coefficients below this, all together, times accounts below 2^62, stay below 2^126. */
  private static final BigInteger WIDE = BigInteger.ONE.shiftLeft(62);

  private static final long MINUS = Long.MIN_VALUE;
  private static final long PLUS = Long.MAX_VALUE;

  private final Ledger ledger;

  /** Ids of the resources with a weight other than 0. */
  private final int[] ids;

  private final BigInteger[] exact;

  /** The same coefficients as longs; good where {@link #wide}. */
  private final long[] coefficients;

  private final boolean wide;

  /** The layout that {@link #slots} were located in, and the place of each id there or -1. */
  private Layout layout;

  private final int[] slots;

  /** The score computed last, 128 bits. */
  private long high;

  private long low;

  /**
   * Prepares a rubric for a ledger as it is now.
   *
   * @param rubric the weights
   * @param ledger the accounts
   */
  public Scores(Rubric rubric, Ledger ledger) {
    this.ledger = ledger;
    int count = 0;
    int finest = 0;
    int[] known = new int[rubric.weights().size()];
    BigDecimal[] weights = new BigDecimal[known.length];
    for (int i = 0; i < known.length; i++) {
      Quantity weight = rubric.weights().quantity(i);
      int id = ledger.column(rubric.weights().name(i));
      if (weight.signum() != 0 && id >= 0) {
        known[count] = id;
        // One unit of the account is 10^-digits of the resource.
        weights[count] = weight.toBigDecimal().movePointLeft(ledger.digits(id));
        finest = Math.max(finest, weights[count].scale());
        count++;
      }
    }
    ids = Arrays.copyOf(known, count);
    slots = new int[count];
    exact = new BigInteger[count];
    coefficients = new long[count];
    BigInteger sum = BigInteger.ZERO;
    for (int i = 0; i < count; i++) {
      exact[i] = weights[i].movePointRight(finest).toBigIntegerExact();
      coefficients[i] = exact[i].longValue();
      sum = sum.add(exact[i].abs());
    }
    wide = sum.compareTo(WIDE) < 0;
  }

  /**
   * Whether scores fit 128 bits.
   *
   * @return true if {@link #computeNode} and {@link #computeWorkload} may be used
   */
  public boolean wide() {
    return wide;
  }

  /**
   * Whether no weight is negative.
   *
   * @return true if more of anything never lowers a score
   */
  public boolean monotone() {
    for (BigInteger coefficient : exact) {
      if (coefficient.signum() < 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a resource has a weight other than 0.
   *
   * @param id the id of a resource
   * @return true if it counts
   */
  public boolean counts(int id) {
    for (int counted : ids) {
      if (counted == id) {
        return true;
      }
    }
    return false;
  }

  /**
   * Computes the score of what a node has left; read it by {@link #high} and {@link #low}.
   *
   * @param node the index of a node
   */
  public void computeNode(int node) {
    long[] left = ledger.accounts(node);
    locate(ledger.layout(node));
    high = 0;
    low = 0;
    int infinite = 0;
    for (int i = 0; i < ids.length; i++) {
      if (slots[i] < 0) {
        continue;
      }
      long account = left[slots[i]];
      if (account == PLUS || account == MINUS) {
        infinite = worse(infinite, (account == PLUS) == (coefficients[i] > 0));
      } else {
        add(coefficients[i], account);
      }
    }
    if (infinite != 0) {
      high = infinite < 0 ? MINUS : PLUS;
      low = 0;
    }
  }

  /**
   * Computes the score of what a workload requires; read it by {@link #high} and {@link #low}.
   *
   * @param batch an open batch
   * @param workload the index of a workload in it
   */
  public void computeWorkload(Batch batch, int workload) {
    high = 0;
    low = 0;
    for (int at = batch.start(workload); at < batch.start(workload + 1); at++) {
      for (int i = 0; i < ids.length; i++) {
        if (ids[i] == batch.id(at)) {
          add(coefficients[i], batch.need(at));
        }
      }
    }
  }

  /** Computes the score of what a workload requires, where it requires nothing below 0. */
  void computeDemand(Demand demand) {
    high = 0;
    low = 0;
    for (int i = 0; i < ids.length; i++) {
      int at = demand.indexOf(ids[i]);
      if (at >= 0) {
        add(coefficients[i], demand.need(at));
      }
    }
  }

  /**
   * The upper 64 bits of the score computed last.
   *
   * @return signed
   */
  public long high() {
    return high;
  }

  /**
   * The lower 64 bits of the score computed last.
   *
   * @return unsigned
   */
  public long low() {
    return low;
  }

  /**
   * Compares two scores of 128 bits.
   *
   * @param highA upper bits of one
   * @param lowA its lower bits
   * @param highB upper bits of the other
   * @param lowB its lower bits
   * @return negative, zero or positive
   */
  public static int compare(long highA, long lowA, long highB, long lowB) {
    return highA != highB ? Long.compare(highA, highB) : Long.compareUnsigned(lowA, lowB);
  }

  /**
   * Compares two nodes by score alone.
   *
   * @param a the index of a node
   * @param b the index of another
   * @return negative, zero or positive
   */
  public int compareScores(int a, int b) {
    if (!wide) {
      int infiniteA = infinite(a);
      int infiniteB = infinite(b);
      return infiniteA != 0 || infiniteB != 0
          ? Integer.compare(infiniteA, infiniteB)
          : nodeScore(a).compareTo(nodeScore(b));
    }
    computeNode(a);
    long highA = high;
    long lowA = low;
    computeNode(b);
    return compare(highA, lowA, high, low);
  }

  /**
   * Compares two nodes by score, then by name.
   *
   * @param a the index of a node
   * @param b the index of another
   * @param descending whether the higher score stands first; names always ascend
   * @return negative if {@code a} stands first; 0 only for the same node
   */
  public int compareNodes(int a, int b, boolean descending) {
    int scores = compareScores(a, b);
    return scores != 0
        ? (descending ? -scores : scores)
        : Names.compare(ledger.nodeName(a), ledger.nodeName(b));
  }

  /**
   * The score of what a workload requires, where 128 bits do not suffice.
   *
   * @param batch an open batch
   * @param workload the index of a workload in it
   * @return the exact score
   */
  public BigInteger workloadScore(Batch batch, int workload) {
    BigInteger score = BigInteger.ZERO;
    for (int at = batch.start(workload); at < batch.start(workload + 1); at++) {
      for (int i = 0; i < ids.length; i++) {
        if (ids[i] == batch.id(at)) {
          score = score.add(exact[i].multiply(BigInteger.valueOf(batch.need(at))));
        }
      }
    }
    return score;
  }

  private BigInteger nodeScore(int node) {
    locate(ledger.layout(node));
    BigInteger score = BigInteger.ZERO;
    for (int i = 0; i < ids.length; i++) {
      if (slots[i] >= 0) {
        long account = ledger.left(node, slots[i]);
        score = score.add(exact[i].multiply(BigInteger.valueOf(account)));
      }
    }
    return score;
  }

  /** -1, 0 or 1: minus infinity, finite, plus infinity. */
  private int infinite(int node) {
    locate(ledger.layout(node));
    int infinite = 0;
    for (int i = 0; i < ids.length; i++) {
      long account = slots[i] < 0 ? 0 : ledger.left(node, slots[i]);
      if (account == PLUS || account == MINUS) {
        infinite = worse(infinite, (account == PLUS) == (exact[i].signum() > 0));
      }
    }
    return infinite;
  }

  private static int worse(int infinite, boolean plus) {
    return infinite < 0 || !plus ? -1 : 1;
  }

  private void locate(Layout wanted) {
    if (wanted != layout) {
      layout = wanted;
      for (int i = 0; i < ids.length; i++) {
        slots[i] = wanted.slot(ids[i]);
      }
    }
  }

  private void add(long coefficient, long account) {
    long product = coefficient * account;
    long sum = low + product;
    high += Math.multiplyHigh(coefficient, account);
    if (Long.compareUnsigned(sum, low) < 0) {
      high++;
    }
    low = sum;
  }
}
