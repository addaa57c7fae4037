package io.lighthouse.tests.referee;

import io.lighthouse.api.Names;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.tests.referee.Books.Entry;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How a strategy goes about a batch, as far as the laws depend on it. Immutable.
 *
 * @param order the order in which workloads take their turns; nothing where the batch is placed as
 *     a whole, and so judged on the final state
 * @param mayDecline whether it may refuse a workload that fits somewhere
 */
public record Conduct(Optional<BatchOrder> order, boolean mayDecline) {
  /** Workload by workload as given, declining nothing. */
  public static final Conduct PLAIN = new Conduct(Optional.of(BatchOrder.asGiven()), false);

  /** A batch in the order of its turns; as given where it is placed as a whole. */
  List<Workload> inTurn(List<Workload> batch, Books books) {
    return order.map(turns -> comparator(turns, books)).map(by -> sorted(batch, by)).orElse(batch);
  }

  private static List<Workload> sorted(List<Workload> batch, Comparator<Workload> by) {
    List<Workload> turns = new ArrayList<>(batch);
    turns.sort(by);
    return Collections.unmodifiableList(turns);
  }

  private static Comparator<Workload> comparator(BatchOrder order, Books books) {
    return Cases.<BatchOrder, Comparator<Workload>>of(BatchOrder.class)
        .on(BatchOrder.AsGiven.class, given -> (one, other) -> 0)
        .on(
            BatchOrder.ScoreDescending.class,
            by ->
                Comparator.<Workload, Amount>comparing(load -> score(load, by.rubric()))
                    .reversed()
                    .thenComparing(Workload::name, Names.order()))
        .on(
            BatchOrder.SizeDescending.class,
            by -> Comparator.<Workload, BigInteger>comparing(load -> size(load, books)).reversed())
        .complete()
        .apply(order);
  }

  /** 4,096 times what all nodes have together, in parts of 2^40. */
  private static final BigInteger LARGEST_SHARE = BigInteger.ONE.shiftLeft(52);

  /** Shares of what all nodes have together: each in parts of 2^40, the sum in parts of 2^32. */
  private static BigInteger size(Workload workload, Books books) {
    BigInteger size = BigInteger.valueOf(1 << 7);
    for (String resource : workload.requirements().names()) {
      BigDecimal total = BigDecimal.ZERO;
      for (Entry node : books.entries) {
        Amount capacity = node.account.capacity.getOrDefault(resource, Amount.ZERO);
        total = capacity.signum() > 0 ? total.add(capacity.finite()) : total;
      }
      if (total.signum() > 0) {
        BigDecimal parts =
            required(workload, resource).finite().multiply(BigDecimal.valueOf(1L << 40));
        BigInteger share = parts.divide(total, 0, RoundingMode.FLOOR).toBigInteger();
        size = size.add(share.min(LARGEST_SHARE).max(LARGEST_SHARE.negate()));
      }
    }
    return size.shiftRight(8);
  }

  private static Amount score(Workload workload, Rubric rubric) {
    Amount score = Amount.ZERO;
    for (int i = 0; i < rubric.weights().size(); i++) {
      Amount required = required(workload, rubric.weights().name(i));
      score = score.plus(required.times(rubric.weights().quantity(i).toBigDecimal()));
    }
    return score;
  }

  private static Amount required(Workload workload, String resource) {
    return Books.need(workload, Rule.NODE, resource);
  }
}
