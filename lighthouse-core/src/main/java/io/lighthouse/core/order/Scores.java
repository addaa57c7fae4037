package io.lighthouse.core.order;

import io.lighthouse.api.Names;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.ResourceTable;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * The exact scores of a rubric. All terms are brought to one power of ten. So a score is a sum of
 * products of an integer coefficient and an integer account.
 *
 * <p>A score takes as many words of 64 bits as any score of the rubric needs, two or more. It
 * allocates no memory. Minus infinity outweighs plus infinity; equal infinities tie. The scores are
 * valid until the ledger's resources or scales change.
 */
public final class Scores {
  private static final long MINUS = Long.MIN_VALUE;
  private static final long PLUS = Long.MAX_VALUE;

  private final Ledger ledger;
  private final NodeAccounts accounts;
  private final ResourceTable resources;

  /** Ids of the resources with a weight other than 0. */
  private final int[] ids;

  /** The digits of these resources at that time. */
  private final int[] digits;

  /** The coefficients of these resources in two's complement, the lowest word first. */
  private final long[][] coefficients;

  private final boolean monotone;

  /** How many words of 64 bits a score has; two only where each coefficient fits a long. */
  private final int words;

  /** The score computed last, the lowest word first. */
  private final long[] sum;

  /** The scores of two nodes that are compared. */
  private final ScoreKeys pair;

  /** Prepares a rubric for the current ledger. */
  public Scores(Rubric rubric, Ledger ledger) {
    this.ledger = ledger;
    accounts = ledger.accounts();
    resources = ledger.resources();
    int count = 0;
    int finest = 0;
    int[] known = new int[rubric.weights().size()];
    BigDecimal[] weights = new BigDecimal[known.length];
    for (int i = 0; i < known.length; i++) {
      Quantity weight = rubric.weights().quantity(i);
      int id = resources.find(rubric.weights().name(i));
      if (weight.signum() != 0 && id >= 0) {
        known[count] = id;
        // One unit of the account is 10^-digits of the resource.
        weights[count] = weight.toBigDecimal().movePointLeft(resources.digits(id));
        finest = Math.max(finest, weights[count].scale());
        count++;
      }
    }
    ids = Arrays.copyOf(known, count);
    digits = new int[count];
    Arrays.setAll(digits, i -> resources.digits(ids[i]));
    BigInteger[] exact = new BigInteger[count];
    BigInteger magnitude = BigInteger.ZERO;
    for (int i = 0; i < count; i++) {
      exact[i] = weights[i].movePointRight(finest).toBigIntegerExact();
      magnitude = magnitude.add(exact[i].abs());
    }
    monotone = Arrays.stream(exact).allMatch(coefficient -> coefficient.signum() >= 0);
    // Accounts stay below 2^62, and a sign takes a bit more.
    int needed = (magnitude.bitLength() + 62) / Long.SIZE + 1;
    words = magnitude.bitLength() <= 62 ? 2 : Math.max(3, needed);
    sum = new long[words];
    pair = new ScoreKeys(2, words);
    coefficients = new long[count][words];
    for (int i = 0; i < count; i++) {
      for (int word = 0; word < words; word++) {
        coefficients[i][word] = exact[i].shiftRight(word * Long.SIZE).longValue();
      }
    }
  }

  /** Whether these are still the scores of the rubric, for the same resources and scales. */
  boolean current(Rubric rubric) {
    int at = 0;
    for (int i = 0; i < rubric.weights().size(); i++) {
      int id = resources.find(rubric.weights().name(i));
      if (rubric.weights().quantity(i).signum() != 0 && id >= 0) {
        if (at == ids.length || ids[at] != id || digits[at] != resources.digits(id)) {
          return false;
        }
        at++;
      }
    }
    return at == ids.length;
  }

  /** How many words of 64 bits a score has, two or more. */
  public int words() {
    return words;
  }

  /** A word of the score computed last, the highest first: that one is signed, the others not. */
  long word(int index) {
    return sum[words - 1 - index];
  }

  /** Whether no weight is negative, so that more of anything never lowers a score. */
  public boolean monotone() {
    return monotone;
  }

  /** Computes the score of what a node has left; returned by {@link #word}. */
  public void computeNode(int node) {
    long[] left = accounts.of(node);
    Layout layout = accounts.layout(node);
    Arrays.fill(sum, 0);
    int infinite = 0;
    for (int i = 0; i < ids.length; i++) {
      int slot = layout.slot(ids[i]);
      if (slot < 0) {
        continue;
      }
      long account = left[slot];
      if (account == PLUS || account == MINUS) {
        infinite = worse(infinite, (account == PLUS) == (coefficients[i][words - 1] >= 0));
      } else {
        add(coefficients[i], account);
      }
    }
    if (infinite != 0) {
      Arrays.fill(sum, 0);
      sum[words - 1] = infinite < 0 ? MINUS : PLUS;
    }
  }

  /** Computes the score of what a workload requires, while the batch is open. */
  public void computeWorkload(Batch batch, int workload) {
    Arrays.fill(sum, 0);
    int[] required = batch.ids(workload);
    for (int k = 0; k < required.length; k++) {
      for (int i = 0; i < ids.length; i++) {
        if (ids[i] == required[k]) {
          add(coefficients[i], batch.amounts(workload)[k]);
        }
      }
    }
  }

  /** Computes the score of what a workload requires, where it requires nothing below 0. */
  void computeDemand(Demand demand) {
    Arrays.fill(sum, 0);
    for (int i = 0; i < ids.length; i++) {
      int at = demand.indexOf(ids[i]);
      if (at >= 0) {
        add(coefficients[i], demand.need(at));
      }
    }
  }

  /** Compares two nodes by score alone. */
  public int compareScores(int a, int b) {
    computeNode(a);
    pair.score(0, this);
    computeNode(b);
    pair.score(1, this);
    return pair.compareScores(0, pair, 1);
  }

  /**
   * Compares two nodes by score, the higher first where descending, then by name, which always
   * ascends. Returns 0 only for the same node.
   */
  public int compareNodes(int a, int b, boolean descending) {
    int scores = compareScores(a, b);
    return scores != 0
        ? (descending ? -scores : scores)
        : Names.compare(ledger.nodes().nodeName(a), ledger.nodes().nodeName(b));
  }

  private static int worse(int infinite, boolean plus) {
    return infinite < 0 || !plus ? -1 : 1;
  }

  /**
   * Multiplies word by word, modulo 2 to the power of all bits, a range that holds every sum. Where
   * a score has two words, a coefficient fits a long, and two steps are enough.
   */
  private void add(long[] coefficient, long account) {
    if (words == 2) {
      long low = sum[0];
      sum[0] = low + coefficient[0] * account;
      sum[1] += Math.multiplyHigh(coefficient[0], account);
      sum[1] += Long.compareUnsigned(sum[0], low) < 0 ? 1 : 0;
      return;
    }
    long times = Math.abs(account);
    long multiplied = 0; // What the product carries into the next word.
    long carry = 0; // What the sum carries or borrows.
    for (int word = 0; word < words; word++) {
      long own = coefficient[word] * times;
      long product = own + multiplied;
      multiplied = Math.multiplyHigh(coefficient[word], times) + (coefficient[word] >> 63 & times);
      multiplied += Long.compareUnsigned(product, own) < 0 ? 1 : 0;
      long before = sum[word];
      long part = account < 0 ? before - product : before + product;
      boolean over = Long.compareUnsigned(part, before) * Long.signum(account) < 0;
      sum[word] = account < 0 ? part - carry : part + carry;
      over |= carry != 0 && (account < 0 ? part == 0 : sum[word] == 0);
      carry = over ? 1 : 0;
    }
  }
}
