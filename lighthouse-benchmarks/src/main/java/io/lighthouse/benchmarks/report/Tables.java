package io.lighthouse.benchmarks.report;

import static io.lighthouse.benchmarks.report.Columns.strategy;
import static io.lighthouse.benchmarks.report.Figures.count;
import static io.lighthouse.benchmarks.report.Figures.nanos;
import static io.lighthouse.benchmarks.report.Figures.rounded;
import static io.lighthouse.benchmarks.report.Figures.times;

import io.lighthouse.benchmarks.measure.ChurnBenchmark;
import io.lighthouse.benchmarks.measure.ComparedBenchmark.Who;
import io.lighthouse.benchmarks.measure.KubernetesBenchmark;
import io.lighthouse.benchmarks.measure.NodeChangeBenchmark.Change;
import io.lighthouse.benchmarks.peer.Peer;
import io.lighthouse.benchmarks.problem.Cliff;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import io.lighthouse.benchmarks.problem.RuledBatch;
import io.lighthouse.benchmarks.run.Case;
import io.lighthouse.benchmarks.run.CommandRun;
import io.lighthouse.benchmarks.run.Measurement;
import io.lighthouse.benchmarks.run.Part;
import io.lighthouse.benchmarks.run.PrintedTables;
import io.lighthouse.benchmarks.run.Results;
import io.lighthouse.benchmarks.run.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The table of each part. */
final class Tables {
  /** Of every problem that does not say otherwise. */
  private static final int RESOURCES = ProblemSpec.plain(1).resources();

  private final Results results;
  private final List<Case> leftOut;

  /** Tables of results; some batches are left out for want of time. */
  Tables(Results results, List<Case> leftOut) {
    this.results = results;
    this.leftOut = leftOut;
  }

  String of(Part part) {
    return table(part).toString();
  }

  private Object table(Part part) {
    return switch (part) {
      case BATCH -> batches();
      case COMPARED ->
          new Columns(of(Who.NAIVE))
              .strategy()
              .nodes()
              .figure("rules", naive -> spec(naive.of()).rules() ? "yes" : "no")
              .figure("Lighthouse", naive -> ours(naive).map(Figures::nanos).orElse(""))
              .nanos("naive placer", "nanosPerAttempt")
              .figure("ratio", naive -> timesOurs(Optional.of(naive)))
              .count("timed attempts", "attemptsTimed")
              .figure(
                  "plain scan",
                  naive -> scan(naive).map(Tables::attempt).map(Figures::nanos).orElse(""))
              .figure("ratio", naive -> timesOurs(scan(naive)));
      case DECISION ->
          table("DecisionBenchmark")
              .strategy()
              .nodes()
              .count("placed", "placed")
              .nanos("p50", "p50")
              .nanos("p99", "p99")
              .nanos("p99.9", "p999")
              .nanos("worst", "worst")
              .time("all of them");
      case CHURN ->
          table("ChurnBenchmark")
              .strategy()
              .nodes()
              .figure("at once", row -> count(atOnce(row)))
              .time("out and in again")
              .figure("for one", churn -> nanos(churn.median() / atOnce(churn)));
      case NODES ->
          table("NodeChangeBenchmark")
              .strategy()
              .words("between two placements", found -> change(found))
              .nodes()
              .figure(
                  "a change of a node",
                  found -> change(found) == Change.NONE ? "" : nanos(found.value("changing")))
              .nanos("a placement after it", "placing")
              .figure("of that without changes", this::ofUnchanged);
      case CLIFFS ->
          table("CliffBenchmark")
              .words("fleet", Tables::cliff)
              .nodes()
              .time("one comes and goes")
              .figure("of the plain case", found -> ofCliff(found, cliff(found).plain(), 1))
              .figure("growth by nodes", found -> ofCliff(found, cliff(found), 10));
      case REFUSAL ->
          table("RefusalBenchmark")
              .strategy()
              .nodes()
              .figure("in the batch", row -> count(row.of().number("batch")))
              .figure("known or searched", refusal -> isSearched(refusal) ? "searched" : "known")
              .time("the batch")
              .figure("for one", refusal -> nanos(each(refusal, refusal.median())))
              .figure(
                  "row bytes a search", refusal -> isSearched(refusal) ? count(rows(refusal)) : "")
              .figure(
                  "GB/s",
                  refusal ->
                      isSearched(refusal)
                          ? rounded(rows(refusal) / each(refusal, refusal.median()))
                          : "")
              .figure(
                  "allocated for one", refusal -> rounded(each(refusal, refusal.value("bytes"))));
      case INSIGHT ->
          table("InsightBenchmark")
              .words("question", insight -> insight.of().benchmark().replaceFirst(".*\\.", ""))
              .nodes()
              .figure("workloads", row -> count(workloads(row)))
              .time("answer");
      case MEMORY ->
          table("MemoryBenchmark")
              .strategy()
              .nodes()
              .rounded("bytes a node, empty", "bytesPerNode")
              .rounded("bytes a placed workload", "bytesPerPlaced")
              .rounded("bytes a node, emptied again", "bytesPerNodeEmptied");
      case PEERS -> peers();
      case DATA ->
          table("DataBenchmark")
              .words(
                  "problem", batch -> batch.of().param("file").replaceAll(".*/|\\.json\\.gz", ""))
              .strategy()
              .count("nodes", "nodes")
              .count("workloads", "workloads")
              .count("placed", "placed")
              .count("nodes used", "nodesUsed")
              .count("beside an averse one", "besideAverse")
              .time("the batch")
              .figure("placements/s", row -> rounded(row.placementsPerSecond()));
      case COMMAND ->
          table(CommandRun.BENCHMARK)
              .words("command", run -> "`./lighthouse assign --output json problem.json`")
              .nodes()
              .figure("workloads", row -> count(workloads(row)))
              .figure("heap", run -> "`" + CommandRun.HEAP + "`")
              .time("wall");
      case SCHEDULING -> scheduling();
      case SESSION ->
          table("SessionBenchmark")
              .nodes()
              .count("workloads", "workloads")
              .nanos("a step", "nanosPerStep")
              .rounded("bytes a step", "bytesPerStep");
      case RULES ->
          table("RuleBenchmark")
              .words("rule", found -> rule(found).label())
              .nodes()
              .count("workloads", "workloads")
              .nanos("a batch", "processorNanos")
              .figure("of the base", this::ofBase)
              .figure(
                  "placements/s",
                  found -> count(found.value("placed") / found.value("processorNanos") * 1e9));
      case TRYOUT ->
          table("TryOutBenchmark")
              .words(
                  "change",
                  found ->
                      found.of().benchmark().endsWith("movesAWorkload")
                          ? "a workload is moved"
                          : "a node is resized")
              .nodes()
              .figure("placements", found -> count(10.0 * found.of().nodes()))
              .time("changed, asked, rolled back");
      case KUBERNETES ->
          table("KubernetesBenchmark")
              .words("pods", found -> KubernetesBenchmark.Shape.valueOf(found.of().param("shape")))
              .nodes()
              .nanos("processor time a pod", "processorNanosOfAPod");
      case SERVICE, FLEETS_OVER_HTTP, RESTART, GROWTH_OF_PASSES, RATES -> printed(part);
      default -> new QualityTables(results).of(part);
    };
  }

  private Columns table(String benchmark) {
    return new Columns(results.of(benchmark));
  }

  /** How many times a figure of a case the same figure of another is; empty without that. */
  private String ratio(Measurement of, Case base, ToDoubleFunction<Measurement> figure) {
    return results
        .get(base)
        .map(found -> times(figure.applyAsDouble(of) / figure.applyAsDouble(found)))
        .orElse("");
  }

  private String batches() {
    String table =
        table("BatchBenchmark")
            .strategy()
            .words("problem", batch -> problem(spec(batch.of())))
            .nodes()
            .count("placed", "placed")
            .count("nodes used", "nodesUsed")
            .time("the batch")
            .figure("ns an attempt", row -> rounded(row.nanosPerAttempt()))
            .figure("attempts/s", row -> rounded(row.attemptsPerSecond()))
            .figure("placements/s", row -> rounded(row.placementsPerSecond()))
            .rounded("bytes an attempt", "bytesPerAttempt")
            .toString();
    return results.of("BatchBenchmark").isEmpty()
        ? table
        : table + leftOut.stream().map(Tables::leftOut).collect(Collectors.joining());
  }

  private static String leftOut(Case of) {
    return "| %s | %s | %s |  |  | left out: half a minute to minutes each |  |  |  |  |\n"
        .formatted(strategy(of), problem(spec(of)), count(of.nodes()));
  }

  private static String problem(ProblemSpec spec) {
    return "%d resources, %s, %s%s"
        .formatted(
            spec.resources(),
            spec.percent() + " %",
            spec.shapes() == 0 ? "all different" : spec.shapes() + " shapes",
            spec.rules() ? ", rules" : "");
  }

  private List<Measurement> of(Who who) {
    return results.of("ComparedBenchmark").stream()
        .filter(found -> found.of().param("who").equals(who.name()))
        .toList();
  }

  private Optional<Double> ours(Measurement other) {
    return results.batch(strategy(other.of()), spec(other.of())).map(Measurement::nanosPerAttempt);
  }

  private Optional<Measurement> scan(Measurement naive) {
    return results.get(Suite.compared(Who.PLAIN_SCAN, strategy(naive.of()), spec(naive.of())));
  }

  private static double attempt(Measurement compared) {
    return compared.value("nanosPerAttempt");
  }

  private String timesOurs(Optional<Measurement> other) {
    return other.flatMap(found -> ours(found).map(own -> times(attempt(found) / own))).orElse("");
  }

  private static int atOnce(Measurement churn) {
    return churn.of().benchmark().endsWith("one") ? 1 : ChurnBenchmark.HUNDRED;
  }

  private String ofUnchanged(Measurement found) {
    Case none = Suite.nodeChange(strategy(found.of()), found.of().nodes(), Change.NONE);
    return ratio(found, none, one -> one.value("placing"));
  }

  private static Change change(Measurement found) {
    return Change.valueOf(found.of().param("change"));
  }

  private static Cliff cliff(Measurement found) {
    return Cliff.valueOf(found.of().param("cliff"));
  }

  private String ofCliff(Measurement found, Cliff base, int smaller) {
    Case other = Suite.cliff(base, found.of().nodes() / smaller);
    return ratio(found, other, Measurement::median);
  }

  private static double each(Measurement refusal, double all) {
    return all / refusal.of().number("batch");
  }

  private static boolean isSearched(Measurement refusal) {
    return refusal.of().benchmark().endsWith("Anew");
  }

  /** The bytes that a search must read: a bit of each node for each resource. */
  private static double rows(Measurement refusal) {
    return refusal.of().nodes() * (double) RESOURCES / Byte.SIZE;
  }

  private static double workloads(Measurement found) {
    return (double) found.of().nodes() * ProblemSpec.WORKLOADS_PER_NODE;
  }

  /** With our own batches of the same problem. */
  private String peers() {
    List<Measurement> rows = new ArrayList<>(results.of("PeerBenchmark"));
    if (!rows.isEmpty()) {
      ProblemSpec spec = ProblemSpec.plain(rows.get(0).of().nodes());
      List<Measurement> own = new ArrayList<>(results.of("BatchBenchmark"));
      own.removeIf(batch -> !spec(batch.of()).equals(spec));
      rows.addAll(0, own);
    }
    return new Columns(rows)
        .words("placer", Tables::placer)
        .nodes()
        .count("workloads", "workloads")
        .count("placed", "placed")
        .count("nodes used", "nodesUsed")
        .time("the batch")
        .figure("placements/s", row -> rounded(row.placementsPerSecond()))
        .toString();
  }

  private static String placer(Measurement batch) {
    String peer = batch.of().param("peer");
    return peer == null ? "Lighthouse, " + strategy(batch.of()) : Peer.Kind.valueOf(peer).label();
  }

  private String scheduling() {
    List<Measurement> passes = results.of("SchedulingBenchmark");
    return new Columns(passes)
        .words("cluster", pass -> isFull(pass) ? "full" : "with room")
        .nodes()
        .figure("running", pass -> count(pass.of().number("running")))
        .figure("queued", pass -> count(pass.of().number("queued")))
        .figure("job types", pass -> count(pass.of().number("types")))
        .count("placed", "placed")
        .count("nodes reserved", "reserved")
        .time("a pass")
        .figure(
            "of the first",
            pass ->
                passes.stream()
                    .filter(first -> isFull(first) == isFull(pass))
                    .findFirst()
                    .map(first -> times(pass.median() / first.median()))
                    .orElseThrow())
        .toString();
  }

  private static boolean isFull(Measurement pass) {
    return pass.of().param("full").equals("true");
  }

  /** The problem of a batch or of what is compared with it. */
  static ProblemSpec spec(Case of) {
    return new ProblemSpec(
        of.nodes(),
        of.number("resources"),
        of.number("percent"),
        of.number("shapes"),
        Boolean.parseBoolean(of.param("rules")));
  }

  private String ofBase(Measurement found) {
    Case base = Suite.rules(rule(found).base(), found.of().nodes());
    return ratio(found, base, one -> one.value("processorNanos"));
  }

  private static RuledBatch rule(Measurement found) {
    return RuledBatch.valueOf(found.of().param("rule"));
  }

  private String printed(Part part) {
    String all =
        results.of(PrintedTables.BENCHMARK).stream()
            .filter(found -> found.of().param("table").equals(part.name()))
            .map(found -> title(found.of()) + found.printed())
            .collect(Collectors.joining("\n"));
    return all.isEmpty() ? Table.NOT_MEASURED : all;
  }

  /** What tells several tables of one part apart. */
  private static String title(Case of) {
    return of.params().containsKey("pods")
        ? "%s nodes, %s pods:%n%n".formatted(count(of.nodes()), count(of.number("pods")))
        : "";
  }
}
