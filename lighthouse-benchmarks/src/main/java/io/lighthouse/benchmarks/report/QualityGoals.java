package io.lighthouse.benchmarks.report;

import static io.lighthouse.benchmarks.report.Figures.count;

import io.lighthouse.benchmarks.quality.Contender;
import io.lighthouse.benchmarks.quality.InstanceSet;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/** What was aimed at, beside what was measured. */
final class QualityGoals {
  private static final double[] GAPS = {1.8, 1.4, 1.0};
  private static final double[][] SERVERS = {{735, 706, 695}, {757, 713, 702}, {815, 780, 770}};
  private static final double[] SHARES_80 = {88, 81, 77};
  private static final double[] SHARES_95 = {100, 96.5, 95};
  private static final int[] FREED = {10, 50, 120, 205, 215};
  private static final double REASSIGNMENT_NANOS = 10e6;
  private static final double PLACEMENTS = 100_000;

  private final Results results;
  private final Table table = new Table(1, "goal", "aimed at", "measured", "missed by");

  QualityGoals(Results results) {
    this.results = results;
  }

  String table() {
    for (int b = 0; b < QualitySuite.BUDGETS.size(); b++) {
      vectors(b);
    }
    QualitySuite.REASSIGNMENT.forEach(this::reassignment);
    for (int set = 0; set < SERVERS.length; set++) {
      servers(QualitySuite.SERVERS.get(set), SERVERS[set]);
    }
    fleets(InstanceSet.FLEETS_80, SHARES_80);
    fleets(InstanceSet.FLEETS_95, SHARES_95);
    refused("first fit, then room made in the batch", Contender.FIRST_FIT_AND_ROOM);
    refused("next fit, then a plan that makes room", Contender.NEXT_FIT_AND_PLAN);
    refused("first fit, then a plan that makes room", Contender.FIRST_FIT_AND_PLAN);
    for (int i = 0; i < FREED.length; i++) {
      freed(i);
    }
    for (Contender who : List.of(Contender.SPREAD, Contender.BALANCE)) {
      atLeast(
          who.label() + ", " + InstanceSet.LARGE_80.title() + ", placements/s",
          PLACEMENTS,
          find(InstanceSet.LARGE_80, who, "", 1),
          Measurement::placementsPerSecond);
    }
    return table.toString();
  }

  private void refused(String how, Contender who) {
    atMost(
        "fleets at 80 %, " + how + ": refused",
        0,
        find(InstanceSet.FLEETS_80, who, "", 1),
        QualityTables::unplaced,
        Figures::count);
  }

  /** Over all instances where they were measured with this budget, else over the sample. */
  private void vectors(int b) {
    String seconds = QualitySuite.BUDGETS.get(b);
    Optional<Measurement> all = find(InstanceSet.VECTOR_PACKING, Contender.PACK, seconds, 1);
    Optional<Measurement> some =
        find(InstanceSet.VECTOR_PACKING, Contender.PACK, seconds, QualitySuite.SAMPLE);
    atMost(
        "vector packing, "
            + steps(seconds)
            + ", mean gap to the optimum"
            + (all.isEmpty() ? ", every " + QualitySuite.SAMPLE + "th" : ""),
        GAPS[b],
        all.or(() -> some),
        found -> found.value("gap"),
        QualityTables::percent);
  }

  private void reassignment(InstanceSet set) {
    Optional<Measurement> found = find(set, Contender.SPREAD, "", 1);
    atMost(
        set.title() + ", spread, unplaced and averse",
        0,
        found,
        one -> QualityTables.unplaced(one) + one.value("averse"),
        Figures::count);
    atMost(
        set.title() + ", spread, CPU time",
        REASSIGNMENT_NANOS,
        found,
        Measurement::median,
        Figures::nanos);
  }

  private void servers(InstanceSet set, double[] goals) {
    pack(set, "nodes used", goals, QualityGoals::usedIfAll, Figures::count);
  }

  private void fleets(InstanceSet set, double[] goals) {
    Function<Measurement, Double> share = found -> 100 * usedIfAll(found) / found.value("nodes");
    pack(set, "share of nodes used, all placed", goals, share, QualityTables::percent);
  }

  private void pack(
      InstanceSet set,
      String what,
      double[] goals,
      Function<Measurement, Double> figure,
      DoubleFunction<String> text) {
    for (int b = 0; b < goals.length; b++) {
      String seconds = QualitySuite.BUDGETS.get(b);
      Optional<Measurement> found = find(set, Contender.PACK, seconds, 1);
      atMost(set.title() + ", " + steps(seconds) + ", " + what, goals[b], found, figure, text);
    }
  }

  /** Nodes used; infinity where a workload is unplaced or an aversion is broken. */
  private static double usedIfAll(Measurement found) {
    boolean all = QualityTables.isComplete(found) && found.value("averse") == 0;
    return all ? found.value("used") : Double.POSITIVE_INFINITY;
  }

  private void freed(int i) {
    int moves = QualitySuite.MOVES.get(i);
    Optional<Measurement> found =
        results.of(QualityRun.CONSOLIDATE).stream()
            .filter(one -> one.of().number("moves") == moves)
            .findFirst();
    atLeast(
        "churned fleet, nodes freed with " + (moves == 0 ? "any moves" : count(moves) + " moves"),
        FREED[i],
        found,
        one -> one.value("freed"));
  }

  private Optional<Measurement> find(InstanceSet set, Contender who, String seconds, int every) {
    return results.get(QualitySuite.place(set, who, seconds, every));
  }

  private static String steps(String seconds) {
    return "pack, " + count(Contender.STEPS_A_SECOND * Double.parseDouble(seconds)) + " steps";
  }

  private void atMost(
      String goal,
      double aim,
      Optional<Measurement> found,
      Function<Measurement, Double> figure,
      DoubleFunction<String> text) {
    row(goal, aim, found.map(figure), text, 1);
  }

  private void atLeast(
      String goal, double aim, Optional<Measurement> found, Function<Measurement, Double> figure) {
    row(goal, aim, found.map(figure), Figures::count, -1);
  }

  /** Adds a goal that is missed by what the figure is above it (sign 1) or below it (sign -1). */
  private void row(
      String goal, double aim, Optional<Double> figure, DoubleFunction<String> text, int sign) {
    double missed = figure.map(value -> sign * (value - aim)).orElse(0.0);
    boolean none = Double.isInfinite(missed);
    table.row(
        goal,
        text.apply(aim),
        none ? "not all placed" : figure.map(text::apply).orElse("not measured"),
        missed <= 0 ? "" : none ? "**all**" : "**" + text.apply(missed) + "**");
  }
}
