package io.lighthouse.kubernetes.config;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The scoring strategies of the stock scheduler's NodeResourcesFit, and the strategy here that
 * takes the nodes in the same direction.
 */
enum StockFit {
  LEAST_ALLOCATED("LeastAllocated"),
  MOST_ALLOCATED("MostAllocated"),
  REQUESTED_TO_CAPACITY_RATIO("RequestedToCapacityRatio");

  /** 1 cpu weighs as much as 4 GB of memory. */
  static final Map<String, String> RUBRIC = Map.of("cpu", "1", "memory", "0.00000000025");

  private static final String EMPTIEST = "spread";
  static final String FULLEST = "bin-pack";

  private final String word;

  StockFit(String word) {
    this.word = word;
  }

  /** The one with the stock scheduler's word. */
  static Optional<StockFit> of(String word) {
    return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
  }

  /**
   * The strategy here that takes its place. Of a shape only the direction counts: where a score
   * rises with the share in use, the fullest node has the highest score.
   *
   * @param scores of the points of the shape, by rising utilization; none without a shape
   * @return its name; nothing where the scores rise and fall, or are all equal
   */
  Optional<String> strategy(List<Integer> scores) {
    return switch (this) {
      case LEAST_ALLOCATED -> Optional.of(EMPTIEST);
      case MOST_ALLOCATED -> Optional.of(FULLEST);
      case REQUESTED_TO_CAPACITY_RATIO -> {
        boolean rises = false;
        boolean falls = false;
        for (int i = 1; i < scores.size(); i++) {
          rises |= scores.get(i) > scores.get(i - 1);
          falls |= scores.get(i) < scores.get(i - 1);
        }
        yield rises == falls ? Optional.empty() : Optional.of(rises ? FULLEST : EMPTIEST);
      }
    };
  }
}
