package io.lighthouse.tests.referee;

import io.lighthouse.api.Names;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Workload;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a true refusal says, written straight from section 8 of the semantics. */
final class Refusals {
  private static final int NEAREST = 3;

  private Refusals() {}

  /** The refusal of a workload, now. */
  static Refusal of(Books books, Workload workload) {
    List<NodeVerdict> verdicts = verdicts(books, workload, Optional.empty());
    Comparator<NodeVerdict> nearness =
        Comparator.<NodeVerdict>comparingInt(
                verdict -> verdict.fits() ? 0 : verdict.reasons().size())
            .thenComparing(verdict -> Distance.of(verdict.reasons()));
    return new Refusal(
        workload.name(),
        verdicts.size(),
        counts(verdicts.stream().flatMap(verdict -> verdict.reasons().stream()).toList()),
        verdicts.stream().sorted(nearness).limit(NEAREST).toList());
  }

  /** What every node says to a workload that goes to one of them, or to none. */
  static List<NodeVerdict> verdicts(Books books, Workload workload, Optional<String> chosen) {
    List<Books.Account> fitting = books.fitting(workload);
    boolean friendly = fitting.stream().anyMatch(node -> node.shared(workload).isEmpty());
    List<NodeVerdict> verdicts = new ArrayList<>();
    for (Books.Account account : books.accounts) {
      List<Reason> reasons = account.against(workload);
      boolean fits = reasons.isEmpty();
      if (fits && !chosen.equals(Optional.of(account.name))) {
        boolean offered = !friendly || account.shared(workload).isEmpty();
        Reason passedOver = chosen.<Reason>map(Reason.Later::new).orElseGet(Reason.Declined::new);
        reasons = List.of(offered ? passedOver : new Reason.Averse(account.shared(workload)));
      }
      verdicts.add(new NodeVerdict(account.name, fits, reasons));
    }
    return verdicts;
  }

  private static List<ReasonCount> counts(List<Reason> reasons) {
    Comparator<ReasonCount> order =
        Comparator.comparing(ReasonCount::kind).thenComparing(ReasonCount::about, Names.order());
    Stream<ReasonCount> single =
        reasons.stream().map(reason -> new ReasonCount(reason.kind(), about(reason), 1));
    return single
        .distinct()
        .sorted(order)
        .map(count -> new ReasonCount(count.kind(), count.about(), times(reasons, count)))
        .toList();
  }

  private static int times(List<Reason> reasons, ReasonCount count) {
    return (int)
        reasons.stream()
            .filter(reason -> reason.kind() == count.kind() && about(reason).equals(count.about()))
            .count();
  }

  private static String about(Reason reason) {
    return reason.resource().orElse("");
  }

  /**
   * The largest shortfall relative to its requirement.
   *
   * @param lacking the shortfall
   * @param against the magnitude of the requirement; 0 stands for infinitely far
   */
  private record Distance(BigDecimal lacking, BigDecimal against) implements Comparable<Distance> {
    static Distance of(List<Reason> reasons) {
      Distance largest = new Distance(BigDecimal.ZERO, BigDecimal.ONE);
      for (Reason reason : reasons) {
        Distance distance = of(reason);
        largest = distance.compareTo(largest) > 0 ? distance : largest;
      }
      return largest;
    }

    private static Distance of(Reason reason) {
      if (reason instanceof Reason.Missing missing) {
        return of(missing.required(), missing.required());
      }
      if (reason instanceof Reason.Insufficient lack) {
        return of(lack.lacking(), lack.required());
      }
      if (reason instanceof Reason.Negative lack) {
        return of(lack.lacking(), lack.required());
      }
      return new Distance(BigDecimal.ZERO, BigDecimal.ONE);
    }

    private static Distance of(Quantity lacking, Quantity required) {
      return lacking.isInfinite() || required.signum() == 0
          ? new Distance(BigDecimal.ONE, BigDecimal.ZERO)
          : new Distance(lacking.toBigDecimal().abs(), required.toBigDecimal().abs());
    }

    @Override
    public int compareTo(Distance other) {
      return lacking.multiply(other.against).compareTo(other.lacking.multiply(against));
    }
  }
}
