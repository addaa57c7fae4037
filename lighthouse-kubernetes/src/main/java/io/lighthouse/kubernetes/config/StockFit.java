package io.lighthouse.kubernetes.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The scoring strategies of the stock scheduler's NodeResourcesFit, and the strategies here that
 * take the nodes in the same direction.
 */
final class StockFit {
  /** The one that has a shape. */
  static final String SHAPED = "RequestedToCapacityRatio";

  /** 1 cpu weighs as much as 4 GB of memory. */
  static final Map<String, String> RUBRIC = Map.of("cpu", "1", "memory", "0.00000000025");

  private static final String EMPTIEST = "spread";
  static final String FULLEST = "bin-pack";

  private StockFit() {}

  /**
   * The strategy here that takes the place of one of the stock scheduler; any other name is its
   * own. Of a shape only the direction counts: where a score rises with the share in use, the
   * fullest node has the highest score.
   *
   * @param scores of the points of the shape, by rising utilization; none without a shape
   * @return its name; nothing where the scores rise and fall, or are all equal
   */
  static Optional<String> strategy(String name, List<Integer> scores) {
    return switch (name) {
      case "LeastAllocated" -> Optional.of(EMPTIEST);
      case "MostAllocated" -> Optional.of(FULLEST);
      case SHAPED -> {
        boolean rises = false;
        boolean falls = false;
        for (int i = 1; i < scores.size(); i++) {
          rises |= scores.get(i) > scores.get(i - 1);
          falls |= scores.get(i) < scores.get(i - 1);
        }
        yield rises == falls ? Optional.empty() : Optional.of(rises ? FULLEST : EMPTIEST);
      }
      default -> Optional.of(name);
    };
  }
}
