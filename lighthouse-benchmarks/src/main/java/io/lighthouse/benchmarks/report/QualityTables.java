package io.lighthouse.benchmarks.report;

import static io.lighthouse.benchmarks.report.Figures.count;
import static io.lighthouse.benchmarks.report.Figures.nanos;

import io.lighthouse.benchmarks.quality.Contender;
import io.lighthouse.benchmarks.quality.InstanceSet;
import java.util.List;
import java.util.Locale;

/** The tables of the parts about quality. */
final class QualityTables {
  private final Results results;

  QualityTables(Results results) {
    this.results = results;
  }

  String of(Part part) {
    return switch (part) {
      case VECTOR_PACKING -> vectors();
      case CONSOLIDATION -> consolidations();
      case LARGE -> large();
      case REASSIGNMENT -> sets(QualitySuite.REASSIGNMENT);
      case SERVERS -> sets(QualitySuite.SERVERS);
      case FLEETS -> sets(List.of(InstanceSet.FLEETS_80, InstanceSet.FLEETS_95));
      default -> throw new IllegalArgumentException(part + " is not about quality");
    };
  }

  private List<Measurement> of(InstanceSet set) {
    return results.of(QualityRun.PLACE).stream()
        .filter(found -> found.of().param("set").equals(set.name()))
        .toList();
  }

  static String who(Case of) {
    Contender who = Contender.valueOf(of.param("who"));
    return who == Contender.PACK
        ? String.format(
            Locale.ROOT,
            "pack, %,d steps",
            Math.round(Contender.STEPS_A_SECOND * Double.parseDouble(of.param("seconds"))))
        : who.isSearching() ? who.label() + ", " + of.param("seconds") + " s" : who.label();
  }

  private String vectors() {
    Table table =
        new Table(
            1, "who", "instances", "all placed", "mean gap", "optimal", "CPU time each", "longest");
    for (Measurement found : of(InstanceSet.VECTOR_PACKING)) {
      boolean complete = found.value("placed") == found.value("workloads");
      table.row(
          who(found.of()),
          count(found.value("instances")),
          count(found.value("complete")),
          complete ? percent(found.value("gap")) : "",
          complete ? count(found.value("optimal")) : "",
          nanos(found.median()),
          nanos(found.max()));
    }
    return table.toString();
  }

  private String sets(List<InstanceSet> sets) {
    Table table =
        new Table(
            2,
            "set",
            "who",
            "unplaced",
            "averse",
            "nodes used",
            "share of nodes",
            "proven at least",
            "CPU time each");
    for (InstanceSet set : sets) {
      for (Measurement found : of(set)) {
        double instances = found.value("instances");
        double placed = found.value("placed");
        table.row(
            set.title(),
            who(found.of()),
            count(found.value("workloads") - placed),
            count(found.value("averse")),
            placed == 0 ? "" : mean(found.value("used"), instances),
            placed == 0 ? "" : percent(100 * found.value("used") / found.value("nodes")),
            mean(found.value("least"), instances),
            nanos(found.median()));
      }
    }
    return table.toString();
  }

  private String large() {
    Table table = new Table(1, "who", "unplaced", "nodes used", "CPU time", "placements/s");
    for (Measurement found : of(InstanceSet.LARGE_80)) {
      table.row(
          who(found.of()),
          count(found.value("workloads") - found.value("placed")),
          count(found.value("used")),
          nanos(found.median()),
          count(found.value("placed") * 1e9 / found.median()));
    }
    return table.toString();
  }

  private String consolidations() {
    Table table =
        new Table(1, "moves allowed", "nodes freed", "moves", "proven at most", "CPU time");
    for (Measurement found : results.of(QualityRun.CONSOLIDATE)) {
      int moves = found.of().number("moves");
      table.row(
          moves == 0 ? "any" : count(moves),
          count(found.value("freed")),
          count(found.value("moved")),
          count(found.value("before") - found.value("fewest")),
          nanos(found.median()));
    }
    return table.toString();
  }

  /** All digits of one figure, a mean of several with one behind the point. */
  private static String mean(double sum, double instances) {
    return instances == 1 ? count(sum) : String.format(Locale.ROOT, "%,.1f", sum / instances);
  }

  static String percent(double value) {
    return String.format(Locale.ROOT, "%.2f %%", value);
  }
}
