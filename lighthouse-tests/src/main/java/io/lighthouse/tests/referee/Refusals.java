package io.lighthouse.tests.referee;

import io.lighthouse.api.Names;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.tests.referee.Books.Entry;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** True refusals and verdicts. */
final class Refusals {
  private static final int NEAREST = 3;

  private Refusals() {}

  /** The refusal of a workload, now. */
  static Refusal of(Fit fit) {
    Map<Entry, Reason> passedOver = new HashMap<>();
    fit.candidates(node -> true, passedOver);
    // A refusal reports a node that is worse by a preference as declined; an explanation does not.
    passedOver.values().removeIf(reason -> reason.kind() == Reason.Kind.WORSE);
    return summary(fit.workload().name(), verdicts(fit, Optional.empty(), passedOver));
  }

  /** Verdicts as counts of their reasons, and the nearest nodes that do not take it. */
  static Refusal summary(String workload, List<NodeVerdict> verdicts) {
    Comparator<NodeVerdict> nearness =
        Comparator.<NodeVerdict>comparingInt(
                verdict -> verdict.fits() ? 0 : verdict.reasons().size())
            .thenComparing(
                verdict -> Distance.ofAll(verdict.fits() ? List.of() : verdict.reasons()));
    return new Refusal(
        workload,
        verdicts.size(),
        counts(verdicts),
        verdicts.stream()
            .filter(verdict -> !verdict.chosen())
            .sorted(nearness)
            .limit(NEAREST)
            .toList());
  }

  /** The verdict of every node on a workload that goes to one of them, or to none. */
  static List<NodeVerdict> verdicts(Fit fit, Optional<String> chosen) {
    Map<Entry, Reason> passedOver = new HashMap<>();
    fit.candidates(node -> true, passedOver);
    return verdicts(fit, chosen, passedOver);
  }

  private static List<NodeVerdict> verdicts(
      Fit fit, Optional<String> chosen, Map<Entry, Reason> passedOver) {
    Reason otherwise = chosen.<Reason>map(Reason.Later::new).orElseGet(Reason.Declined::new);
    List<NodeVerdict> verdicts = new ArrayList<>();
    for (Entry node : fit.books().entries) {
      List<Reason> reasons = fit.reasons(node);
      boolean fits = reasons.isEmpty();
      if (fits && !chosen.equals(Optional.of(node.name))) {
        reasons = List.of(passedOver.getOrDefault(node, otherwise));
      }
      verdicts.add(new NodeVerdict(node.name, fits, reasons));
    }
    return verdicts;
  }

  /** A node counts once for each kind, level and subject of its reasons. */
  private static List<ReasonCount> counts(List<NodeVerdict> verdicts) {
    Map<ReasonCount, Integer> times = new HashMap<>();
    for (NodeVerdict verdict : verdicts) {
      verdict.reasons().stream()
          .map(reason -> new ReasonCount(reason.kind(), level(reason), reason.about(), 1))
          .distinct()
          .forEach(one -> times.merge(one, 1, Integer::sum));
    }
    return times.entrySet().stream()
        .map(
            entry ->
                new ReasonCount(
                    entry.getKey().kind(),
                    entry.getKey().level(),
                    entry.getKey().about(),
                    entry.getValue()))
        .sorted(
            Comparator.comparing(ReasonCount::kind)
                .thenComparing(ReasonCount::level, Names.order())
                .thenComparing(ReasonCount::about, Names.order()))
        .toList();
  }

  private static String level(Reason reason) {
    return reason.level().orElse("");
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

    private static final Cases<Reason, Distance> KINDS =
        Cases.<Reason, Distance>of(Reason.class)
            .on(Reason.At.class, at -> of(at.reason()))
            .on(Reason.Cordoned.class, cordoned -> NONE)
            .on(Reason.Missing.class, lack -> of(lack.required(), lack.required()))
            .on(Reason.Insufficient.class, lack -> of(lack.lacking(), lack.required()))
            .on(Reason.Negative.class, lack -> of(lack.lacking(), lack.required()))
            .others(unmeasured -> INFINITE)
            .complete();

    static Distance ofAll(List<Reason> reasons) {
      return reasons.stream().map(Distance::of).max(Comparator.naturalOrder()).orElse(NONE);
    }

    private static Distance of(Reason reason) {
      return KINDS.apply(reason);
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
