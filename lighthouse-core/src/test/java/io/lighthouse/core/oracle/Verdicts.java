package io.lighthouse.core.oracle;

import io.lighthouse.api.Explanation;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.Names;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Verdicts and refusals. */
final class Verdicts {
  private static final int NEAREST = 3;

  private Verdicts() {}

  /** What every node says to a workload that goes to one of them now, or to none. */
  static Explanation explanation(World world, Workload workload, Optional<String> chosen) {
    Map<Spot, Reason> passedOver = new HashMap<>();
    Turns.candidates(world, workload, any -> true, passedOver);
    Reason otherwise = chosen.<Reason>map(Reason.Later::new).orElseGet(Reason.Declined::new);
    Question question = new Question(world, workload);
    List<NodeVerdict> verdicts = new ArrayList<>();
    for (Spot spot : world.spots) {
      List<Reason> reasons = question.reasons(spot);
      boolean fits = reasons.isEmpty();
      if (fits && !chosen.equals(Optional.of(spot.name))) {
        reasons = List.of(passedOver.getOrDefault(spot, otherwise));
      }
      verdicts.add(new NodeVerdict(spot.name, fits, reasons));
    }
    return new Explanation(
        workload.name(),
        verdicts,
        summary(workload.name(), verdicts.size(), verdicts, Optional.empty()));
  }

  /** The refusal of a workload by what was broken at its turn, by node. */
  static Refusal refusal(
      String workload, int nodes, Map<String, List<Reason>> why, Optional<GangRefusal> gang) {
    List<NodeVerdict> verdicts = new ArrayList<>();
    why.forEach(
        (node, reasons) ->
            verdicts.add(
                new NodeVerdict(
                    node,
                    reasons.isEmpty(),
                    reasons.isEmpty() ? List.of(new Reason.Declined()) : reasons)));
    return summary(workload, nodes, verdicts, gang);
  }

  /** The same over all nodes but the one that takes it. */
  private static Refusal summary(
      String workload, int nodes, List<NodeVerdict> verdicts, Optional<GangRefusal> gang) {
    List<NodeVerdict> others = verdicts.stream().filter(verdict -> !verdict.chosen()).toList();
    return new Refusal(
        workload,
        nodes,
        counts(others),
        others.stream().map(Near::of).sorted().limit(NEAREST).map(Near::verdict).toList(),
        gang);
  }

  /** A node counts once for each kind, level and subject of its reasons. */
  private static List<ReasonCount> counts(List<NodeVerdict> verdicts) {
    Map<ReasonCount, Integer> counts = new HashMap<>();
    for (NodeVerdict verdict : verdicts) {
      Set<ReasonCount> ofNode = new HashSet<>();
      for (Reason reason : verdict.reasons()) {
        ofNode.add(new ReasonCount(reason.kind(), reason.level().orElse(""), reason.about(), 1));
      }
      ofNode.forEach(one -> counts.merge(one, 1, Integer::sum));
    }
    return counts.entrySet().stream()
        .map(
            count ->
                new ReasonCount(
                    count.getKey().kind(),
                    count.getKey().level(),
                    count.getKey().about(),
                    count.getValue()))
        .sorted(
            Comparator.comparing(ReasonCount::kind)
                .thenComparing(ReasonCount::level, Names.order())
                .thenComparing(ReasonCount::about, Names.order()))
        .toList();
  }

  /** How near a node came: by broken conditions, then by the largest shortfall. */
  private record Near(NodeVerdict verdict, int broken, Distance distance)
      implements Comparable<Near> {
    static Near of(NodeVerdict verdict) {
      List<Reason> broken = verdict.fits() ? List.of() : verdict.reasons();
      return new Near(verdict, broken.size(), Distance.ofAll(broken));
    }

    @Override
    public int compareTo(Near other) {
      return broken != other.broken
          ? Integer.compare(broken, other.broken)
          : distance.compareTo(other.distance);
    }
  }

  /**
   * The largest shortfall relative to its requirement.
   *
   * @param lacking the shortfall
   * @param against the magnitude of the requirement; 0 stands for infinitely far
   */
  private record Distance(BigDecimal lacking, BigDecimal against) implements Comparable<Distance> {
    private static final Distance NONE = new Distance(BigDecimal.ZERO, BigDecimal.ONE);
    private static final Distance INFINITE = new Distance(BigDecimal.ONE, BigDecimal.ZERO);

    static Distance ofAll(List<Reason> reasons) {
      return reasons.stream().map(Distance::of).max(Comparator.naturalOrder()).orElse(NONE);
    }

    private static Distance of(Reason reason) {
      if (reason instanceof Reason.At at) {
        return of(at.reason());
      }
      if (reason instanceof Reason.Cordoned) {
        return NONE;
      }
      if (reason instanceof Reason.Missing missing) {
        return of(missing.required(), missing.required());
      }
      if (reason instanceof Reason.Insufficient lack) {
        return of(lack.lacking(), lack.required());
      }
      if (reason instanceof Reason.Negative lack) {
        return of(lack.lacking(), lack.required());
      }
      return INFINITE;
    }

    private static Distance of(Quantity lacking, Quantity required) {
      return lacking.isInfinite() || required.signum() == 0
          ? INFINITE
          : new Distance(lacking.toBigDecimal().abs(), required.toBigDecimal().abs());
    }

    @Override
    public int compareTo(Distance other) {
      return lacking.multiply(other.against).compareTo(other.lacking.multiply(against));
    }
  }
}
