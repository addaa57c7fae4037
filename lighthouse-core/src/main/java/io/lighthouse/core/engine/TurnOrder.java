package io.lighthouse.core.engine;

import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.order.IndexSort;
import io.lighthouse.core.order.ScoreKeys;
import io.lighthouse.core.order.Scores;
import io.lighthouse.core.share.FleetCapacities;
import io.lighthouse.core.share.Share;
import java.math.BigInteger;

/** The order in which the workloads of a batch take their turns. */
final class TurnOrder {
  private TurnOrder() {}

  /** The indexes of the batch in the order of their turns; null for as given, or a single one. */
  static int[] of(BatchOrder order, Batch batch, Ledger ledger) {
    if (batch.size() < 2) {
      return null;
    }
    return order.match(
        new BatchOrder.Cases<>() {
          @Override
          public int[] asGiven(BatchOrder.AsGiven given) {
            return null;
          }

          @Override
          public int[] scoreDescending(BatchOrder.ScoreDescending byScore) {
            return byScore(new Scores(byScore.rubric(), ledger), batch);
          }

          @Override
          public int[] sizeDescending(BatchOrder.SizeDescending bySize) {
            return bySize(batch, ledger);
          }
        });
  }

  /** The largest share of the fleet first. */
  private static int[] bySize(Batch batch, Ledger ledger) {
    int size = batch.size();
    BigInteger[] totals = FleetCapacities.totals(ledger);
    long[] keys = new long[size];
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      long sum = 0;
      int[] ids = batch.ids(i);
      long[] amounts = batch.amounts(i);
      for (int k = 0; k < ids.length; k++) {
        int id = ids[k];
        if (totals[id] != null) {
          long share =
              totals[id].bitLength() > Share.LONGEST
                  ? Share.exact(amounts[k], totals[id])
                  : Share.exact(amounts[k], totals[id].longValue(), Share.BITS);
          sum += Math.max(-Share.MOST >> 8, Math.min(Share.MOST >> 8, share));
        }
      }
      keys[i] = Long.MAX_VALUE - ((sum + 128) >> 8); // Unsigned, it always fits.
      order[i] = i;
    }
    IndexSort.byKey(order, keys);
    return order;
  }

  /** The highest score first, those of one score by name. */
  private static int[] byScore(Scores scores, Batch batch) {
    int size = batch.size();
    ScoreKeys keys = new ScoreKeys(size, scores.words());
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      scores.computeWorkload(batch, i);
      keys.score(i, scores);
      order[i] = i;
    }
    if (scores.words() > 2 || !sortedBySmall(order, keys)) {
      IndexSort.by(order, (a, b) -> keys.compareScores(b, keys, a));
    }
    String[] names = batch.names();
    int start = 0;
    for (int end = 1; end <= size; end++) {
      if (end == size || keys.compareScores(order[end], keys, order[start]) != 0) {
        IndexSort.byName(order, start, end, i -> names[i]);
        start = end;
      }
    }
    return order;
  }

  /**
   * Sorts, the highest first, where all scores fit 64 bits. Else it changes nothing and answers
   * false.
   */
  private static boolean sortedBySmall(int[] order, ScoreKeys scores) {
    long most = Long.MIN_VALUE;
    for (int i = 0; i < order.length; i++) {
      if (scores.high(i) != scores.low(i) >> 63) {
        return false;
      }
      most = Math.max(most, scores.low(i));
    }
    long[] keys = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      keys[i] = most - scores.low(i); // Unsigned, it always fits.
    }
    IndexSort.byKey(order, keys);
    return true;
  }
}
