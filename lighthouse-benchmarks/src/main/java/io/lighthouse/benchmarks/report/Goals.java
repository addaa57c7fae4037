package io.lighthouse.benchmarks.report;

import static io.lighthouse.benchmarks.report.Figures.count;

import io.lighthouse.benchmarks.measure.ComparedBenchmark.Who;
import io.lighthouse.benchmarks.peer.Peer;
import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/** What was promised, what was measured, and whether it holds. */
final class Goals {
  private final Results results;
  private final Table table = new Table(1, "goal", "at least", "measured", "reached");

  Goals(Results results) {
    this.results = results;
  }

  String table() {
    speed("first fit, 10,000 nodes", Contestant.PRIORITIZED, ProblemSpec.plain(10_000), 2_000_000);
    atLeast(
        "first fit, 10,000 nodes, beside the naive placer",
        1000,
        ratioToNaive(ProblemSpec.plain(10_000)),
        Figures::times);
    speed("first fit, 100,000 nodes", Contestant.PRIORITIZED, ProblemSpec.plain(100_000), 800_000);
    speed(
        "first fit, 100,000 nodes, 200 shapes",
        Contestant.PRIORITIZED,
        Suite.fewShapes(100_000),
        2_000_000);
    speed(
        "round robin, 100,000 nodes",
        Contestant.ROUND_ROBIN,
        ProblemSpec.plain(100_000),
        1_500_000);
    speed("bin-pack, 10,000 nodes", Contestant.BIN_PACK, ProblemSpec.plain(10_000), 400_000);
    speed("bin-pack, 100,000 nodes", Contestant.BIN_PACK, ProblemSpec.plain(100_000), 80_000);
    speed(
        "bin-pack, 100,000 nodes, 200 shapes",
        Contestant.BIN_PACK,
        Suite.fewShapes(100_000),
        500_000);
    data();
    peers();
    for (Contestant strategy :
        new Contestant[] {Contestant.PRIORITIZED, Contestant.ROUND_ROBIN, Contestant.BIN_PACK}) {
      atMost(
          strategy + ", 100,000 nodes, p99 of one decision",
          50_000,
          decision(strategy).map(run -> run.value("p99")),
          Figures::nanos);
    }
    memory("bytesPerNode", "bytes a node", 250);
    memory("bytesPerPlaced", "bytes a placed workload", 150);
    atMost(
        "1,000,000 workloads x 100,000 nodes from a file",
        30e9,
        results.get(Case.of(CommandRun.BENCHMARK, "nodes", 100_000)).map(Measurement::median),
        Figures::nanos);
    return table.toString();
  }

  private void speed(String goal, Contestant strategy, ProblemSpec spec, double least) {
    atLeast(
        goal,
        least,
        results.batch(strategy, spec).map(Measurement::placementsPerSecond),
        value -> count(value) + " /s");
  }

  private Optional<Double> ratioToNaive(ProblemSpec spec) {
    return results
        .get(Suite.compared(Who.NAIVE, Contestant.PRIORITIZED, spec))
        .flatMap(
            naive ->
                results
                    .batch(Contestant.PRIORITIZED, spec)
                    .map(own -> naive.value("nanosPerAttempt") / own.nanosPerAttempt()));
  }

  private void data() {
    Optional<Measurement> packed =
        results.of("DataBenchmark").stream()
            .filter(batch -> batch.of().param("file").contains("ca-binpacking"))
            .filter(batch -> batch.of().param("strategy").equals(Contestant.BIN_PACK.name()))
            .findFirst();
    Optional<Double> used = packed.map(batch -> batch.value("nodesUsed"));
    table.row(
        "ca-binpacking with bin-pack, nodes used",
        "2,595 exactly",
        used.map(Figures::count).orElse("not measured"),
        used.map(value -> yesNo(value == 2595)).orElse(""));
    atMost("ca-binpacking with bin-pack", 40e6, packed.map(Measurement::median), Figures::nanos);
  }

  private void peers() {
    ProblemSpec spec = ProblemSpec.plain(1_000);
    Optional<Measurement> fenzo =
        results.get(
            Case.of("PeerBenchmark.place", "peer", Peer.Kind.FENZO_FIRST_FIT, "nodes", 1_000));
    Optional<Measurement> own = results.batch(Contestant.PRIORITIZED, spec);
    Function<Measurement, Optional<Double>> ratio =
        peer -> own.map(ours -> ours.placementsPerSecond() / peer.placementsPerSecond());
    atLeast("first fit, 1,000 nodes, beside Fenzo", 100, fenzo.flatMap(ratio), Figures::times);
    Optional<Double> more =
        fenzo.flatMap(peer -> own.map(ours -> ours.value("placed") - peer.value("placed")));
    atLeast("placed more than Fenzo", 0, more, Figures::rounded);
  }

  private Optional<Measurement> decision(Contestant strategy) {
    return results.of("DecisionBenchmark").stream()
        .filter(run -> run.of().nodes() == 100_000)
        .filter(run -> run.of().param("strategy").equals(strategy.name()))
        .findFirst();
  }

  /** The worse of the strategies and sizes measured. */
  private void memory(String value, String goal, double most) {
    Optional<Double> worst =
        results.of("MemoryBenchmark").stream()
            .map(memory -> memory.value(value))
            .max(Double::compare);
    atMost(goal, most, worst, Figures::rounded);
  }

  private void atLeast(
      String goal, double least, Optional<Double> measured, DoubleFunction<String> write) {
    table.row(
        goal,
        write.apply(least),
        measured.map(write::apply).orElse("not measured"),
        measured.map(value -> yesNo(value >= least)).orElse(""));
  }

  private void atMost(
      String goal, double most, Optional<Double> measured, DoubleFunction<String> write) {
    table.row(
        goal,
        "at most " + write.apply(most),
        measured.map(write::apply).orElse("not measured"),
        measured.map(value -> yesNo(value <= most)).orElse(""));
  }

  private static String yesNo(boolean reached) {
    return reached ? "yes" : "**no**";
  }
}
