package io.lighthouse.benchmarks.report;

import static io.lighthouse.benchmarks.report.Figures.count;

import io.lighthouse.benchmarks.quality.Contender;
import io.lighthouse.benchmarks.quality.InstanceSet;
import io.lighthouse.benchmarks.run.Measurement;
import io.lighthouse.benchmarks.run.QualityRun;
import io.lighthouse.benchmarks.run.QualitySuite;
import io.lighthouse.benchmarks.run.Results;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/** What was aimed at, beside what was measured. */
final class QualityGoals {
  private static final double[] GAPS = {1.2, 0.9, 0.6};
  private static final double[] TRIPLETS = {5, 4, 2.5};
  private static final double[][] SERVERS = {{735, 706, 695}, {757, 713, 702}, {815, 780, 770}};
  private static final double[] SHARES_80 = {83, 80.5, 78};
  private static final double[] SHARES_95 = {98.5, 96.5, 94.5};
  private static final double PROVEN_GAP = 4;
  private static final int[] FREED = {10, 50, 120, 205, 215};
  private static final double REASSIGNMENT_NANOS = 10e6;
  private static final double ROADEF_NANOS = 1e9;
  private static final double PLACEMENTS = 300_000;
  private static final double LARGE_CLOCK = 3e9;
  private static final double LARGE_SHARE = 97.2;
  private static final Map<Contender, Double> HUGE_NANOS =
      new EnumMap<>(
          Map.of(Contender.SPREAD, 5e9, Contender.BALANCE, 8e9, Contender.PACK_BY_DEFAULT, 60e9));

  private final Results results;
  private final Table table = new Table(1, "goal", "aimed at", "measured", "missed by");

  QualityGoals(Results results) {
    this.results = results;
  }

  String table() {
    neverFewer();
    vectors(InstanceSet.VECTOR_PACKING, GAPS);
    vectors(InstanceSet.TRIPLETS, TRIPLETS);
    QualitySuite.REASSIGNMENT.forEach(set -> reassignment(set, REASSIGNMENT_NANOS));
    QualitySuite.ROADEF.forEach(set -> reassignment(set, ROADEF_NANOS));
    for (int set = 0; set < SERVERS.length; set++) {
      servers(QualitySuite.SERVERS.get(set), SERVERS[set]);
    }
    fleets(InstanceSet.FLEETS_80, SHARES_80);
    fleets(InstanceSet.FLEETS_95, SHARES_95);
    proven(InstanceSet.FLEETS_80);
    proven(InstanceSet.FLEETS_95);
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
    large();
    return table.toString();
  }

  /** On how many sets {@code pack} places fewer than a strategy without a search. */
  private void neverFewer() {
    int sets = 0;
    int fewer = 0;
    for (InstanceSet set : InstanceSet.values()) {
      List<Measurement> of = QualityTables.of(results, List.of(set));
      double best =
          of.stream()
              .filter(found -> QualitySuite.AT_ONCE.contains(QualityTables.contender(found)))
              .mapToDouble(QualityTables::placedOfAll)
              .max()
              .orElse(0);
      List<Measurement> packs =
          of.stream()
              .filter(found -> QualityTables.contender(found).name().startsWith("PACK"))
              .toList();
      sets += packs.isEmpty() ? 0 : 1;
      fewer += packs.stream().anyMatch(found -> QualityTables.placedOfAll(found) < best) ? 1 : 0;
    }
    atMost(
        "sets on which pack places fewer than the best strategy without a search, of "
            + count(sets),
        0,
        sets == 0 ? Optional.empty() : Optional.of((double) fewer),
        Figures::count);
  }

  private void large() {
    String title = InstanceSet.LARGE_95.title() + ", ";
    atMost(
        title + "pack, by the clock, all placed",
        LARGE_CLOCK,
        find(InstanceSet.LARGE_95, Contender.PACK_BY_DEFAULT, "", 1)
            .map(found -> ifAll(found, found.value("clock"))),
        Figures::nanos);
    String most = QualitySuite.BUDGETS.get(QualitySuite.BUDGETS.size() - 1);
    atMost(
        title + steps(most) + ", share of nodes used, all placed",
        LARGE_SHARE,
        find(InstanceSet.LARGE_95, Contender.PACK, most, 1).map(QualityGoals::share),
        QualityTables::percent);
    HUGE_NANOS.forEach(
        (who, aim) ->
            atMost(
                InstanceSet.HUGE_80.title() + ", " + who.label() + ", CPU time, all placed",
                aim,
                find(InstanceSet.HUGE_80, who, "", 1).map(found -> ifAll(found, found.median())),
                Figures::nanos));
  }

  private void refused(String how, Contender who) {
    atMost(
        "fleets at 80 %, " + how + ": refused",
        0,
        find(InstanceSet.FLEETS_80, who, "", 1).map(QualityTables::unplaced),
        Figures::count);
  }

  /** The aims are over all instances. */
  private void vectors(InstanceSet set, double[] goals) {
    for (int b = 0; b < goals.length; b++) {
      String seconds = QualitySuite.WHOLE_BUDGETS.get(b);
      atMost(
          set.title() + ", " + steps(seconds) + ", mean gap to the optimum",
          goals[b],
          find(set, Contender.PACK, seconds, 1).map(found -> found.value("gap")),
          QualityTables::percent);
    }
  }

  /** How many more nodes the longest search uses than are proven to be needed. */
  private void proven(InstanceSet set) {
    String most = QualitySuite.BUDGETS.get(QualitySuite.BUDGETS.size() - 1);
    atMost(
        set.title() + ", " + steps(most) + ", nodes above what is proven",
        PROVEN_GAP,
        find(set, Contender.PACK, most, 1).map(found -> ifAll(found, found.value("gap"))),
        QualityTables::percent);
  }

  private void reassignment(InstanceSet set, double nanos) {
    Optional<Measurement> found = find(set, Contender.SPREAD, "", 1);
    atMost(
        set.title() + ", spread, unplaced and averse",
        0,
        found.map(one -> QualityTables.unplaced(one) + one.value("averse")),
        Figures::count);
    atMost(
        set.title() + ", spread, CPU time", nanos, found.map(Measurement::median), Figures::nanos);
  }

  private void servers(InstanceSet set, double[] goals) {
    pack(set, "nodes used", goals, QualityGoals::usedIfAll, Figures::count);
  }

  private void fleets(InstanceSet set, double[] goals) {
    pack(
        set, "share of nodes used, all placed", goals, QualityGoals::share, QualityTables::percent);
  }

  private static double share(Measurement found) {
    return 100 * usedIfAll(found) / found.value("nodes");
  }

  private void pack(
      InstanceSet set,
      String what,
      double[] goals,
      Function<Measurement, Double> figure,
      DoubleFunction<String> text) {
    for (int b = 0; b < goals.length; b++) {
      String seconds = QualitySuite.BUDGETS.get(b);
      Optional<Double> found = find(set, Contender.PACK, seconds, 1).map(figure);
      atMost(set.title() + ", " + steps(seconds) + ", " + what, goals[b], found, text);
    }
  }

  /** Nodes used; infinity where a workload is unplaced or an aversion is broken. */
  private static double usedIfAll(Measurement found) {
    return ifAll(found, found.value("used"));
  }

  private static double ifAll(Measurement found, double figure) {
    boolean all = QualityTables.isComplete(found) && found.value("averse") == 0;
    return all ? figure : Double.POSITIVE_INFINITY;
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
      String goal, double aim, Optional<Double> figure, DoubleFunction<String> text) {
    row(goal, aim, figure, text, 1);
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
