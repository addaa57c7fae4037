package io.lighthouse.benchmarks.report;

import static io.lighthouse.benchmarks.report.Figures.count;
import static io.lighthouse.benchmarks.report.Figures.nanos;

import io.lighthouse.benchmarks.quality.Contender;
import io.lighthouse.benchmarks.quality.InstanceSet;
import io.lighthouse.benchmarks.run.Case;
import io.lighthouse.benchmarks.run.Measurement;
import io.lighthouse.benchmarks.run.Part;
import io.lighthouse.benchmarks.run.QualityRun;
import io.lighthouse.benchmarks.run.QualitySuite;
import io.lighthouse.benchmarks.run.Results;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The tables of the parts about quality. */
final class QualityTables {
  private final Results results;

  QualityTables(Results results) {
    this.results = results;
  }

  Columns of(Part part) {
    return switch (part) {
      case VECTOR_PACKING ->
          new Columns(of(List.of(InstanceSet.VECTOR_PACKING, InstanceSet.TRIPLETS)))
              .words("set", QualityTables::set)
              .words("who", found -> who(found.of()))
              .count("instances", "instances")
              .count("all placed", "complete")
              .figure("mean gap", found -> isComplete(found) ? percent(found.value("gap")) : "")
              .figure("optimal", found -> isComplete(found) ? count(found.value("optimal")) : "")
              .figure("CPU time each", row -> nanos(row.median()))
              .figure("longest", row -> nanos(row.max()));
      case CONSOLIDATION ->
          new Columns(results.of(QualityRun.CONSOLIDATE))
              .words("moves allowed", found -> moves(found.of().number("moves")))
              .count("nodes freed", "freed")
              .count("moves", "moved")
              .figure(
                  "proven at most", found -> count(found.value("before") - found.value("fewest")))
              .figure("CPU time", row -> nanos(row.median()));
      case LARGE ->
          new Columns(of(QualitySuite.LARGE))
              .words("set", QualityTables::set)
              .words("who", found -> who(found.of()))
              .figure("unplaced", row -> count(unplaced(row)))
              .count("nodes used", "used")
              .figure("CPU time", row -> nanos(row.median()))
              .figure("by the clock", row -> nanos(row.value("clock")))
              .figure("placements/s", row -> count(row.placementsPerSecond()));
      case REASSIGNMENT ->
          sets(
              Stream.of(QualitySuite.REASSIGNMENT, QualitySuite.ROADEF)
                  .flatMap(List::stream)
                  .toList());
      case SERVERS -> sets(QualitySuite.SERVERS);
      case FLEETS -> sets(List.of(InstanceSet.FLEETS_80, InstanceSet.FLEETS_95));
      default -> throw new IllegalArgumentException(part + " is not about quality");
    };
  }

  private List<Measurement> of(List<InstanceSet> sets) {
    return of(results, sets);
  }

  /** Set by set. */
  static List<Measurement> of(Results results, List<InstanceSet> sets) {
    return sets.stream()
        .flatMap(
            set ->
                results.of(QualityRun.PLACE).stream()
                    .filter(found -> found.of().param("set").equals(set.name())))
        .toList();
  }

  private static String set(Measurement found) {
    return InstanceSet.valueOf(found.of().param("set")).title();
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

  static Contender contender(Measurement found) {
    return Contender.valueOf(found.of().param("who"));
  }

  /** The part of all workloads, in percent, so that a sample compares with the whole. */
  static double placedOfAll(Measurement found) {
    return 100 * found.value("placed") / found.value("workloads");
  }

  static boolean isComplete(Measurement found) {
    return found.value("placed") == found.value("workloads");
  }

  static double unplaced(Measurement found) {
    return found.value("workloads") - found.value("placed");
  }

  private Columns sets(List<InstanceSet> sets) {
    return new Columns(of(sets))
        .words("set", QualityTables::set)
        .words("who", found -> who(found.of()))
        .figure("unplaced", row -> count(unplaced(row)))
        .count("averse", "averse")
        .figure("nodes used", found -> found.value("placed") == 0 ? "" : mean(found, "used"))
        .figure("share of nodes", QualityTables::share)
        .figure("proven at least", found -> mean(found, "least"))
        .figure("CPU time each", row -> nanos(row.median()));
  }

  private static String share(Measurement found) {
    double share = 100 * found.value("used") / found.value("nodes");
    return found.value("placed") == 0 ? "" : percent(share);
  }

  static String moves(int moves) {
    return moves == 0 ? "any" : count(moves);
  }

  /** All digits of one figure, a mean of several with one behind the point. */
  private static String mean(Measurement found, String value) {
    double instances = found.value("instances");
    double mean = found.value(value) / instances;
    return instances == 1 ? count(mean) : String.format(Locale.ROOT, "%,.1f", mean);
  }

  static String percent(double value) {
    return String.format(Locale.ROOT, "%.2f %%", value);
  }
}
