package io.lighthouse.benchmarks.report;

import static io.lighthouse.benchmarks.report.Figures.count;
import static io.lighthouse.benchmarks.report.Figures.nanos;
import static io.lighthouse.benchmarks.report.Figures.rounded;
import static io.lighthouse.benchmarks.report.Figures.spread;
import static io.lighthouse.benchmarks.report.Figures.times;

import io.lighthouse.benchmarks.measure.ChurnBenchmark;
import io.lighthouse.benchmarks.measure.ComparedBenchmark.Who;
import io.lighthouse.benchmarks.measure.KubernetesBenchmark;
import io.lighthouse.benchmarks.measure.NodeChangeBenchmark;
import io.lighthouse.benchmarks.peer.Peer;
import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.Cliff;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import io.lighthouse.benchmarks.problem.RuledBatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The table of each part. */
final class Tables {
  private static final String NOT_MEASURED = "";

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
    return switch (part) {
      case BATCH -> batches();
      case COMPARED -> compared();
      case DECISION -> decisions();
      case CHURN -> churn();
      case NODES -> nodeChanges();
      case CLIFFS -> cliffs();
      case REFUSAL -> refusals();
      case INSIGHT -> insights();
      case MEMORY -> memory();
      case PEERS -> peers();
      case DATA -> data();
      case COMMAND -> command();
      case SCHEDULING -> scheduling();
      case SESSION -> sessions();
      case RULES -> rules();
      case TRYOUT -> tryOuts();
      case KUBERNETES -> kubernetes();
      case SERVICE, FLEETS_OVER_HTTP, RESTART, GROWTH_OF_PASSES, RATES -> printed(part);
      default -> new QualityTables(results).of(part);
    };
  }

  private String batches() {
    Table table =
        new Table(
            2,
            "strategy",
            "problem",
            "nodes",
            "placed",
            "nodes used",
            "the batch",
            "ns an attempt",
            "attempts/s",
            "placements/s",
            "bytes an attempt");
    for (Measurement batch : results.of("BatchBenchmark")) {
      Case of = batch.of();
      table.row(
          strategy(of),
          problem(spec(of)),
          count(of.nodes()),
          count(batch.value("placed")),
          count(batch.value("nodesUsed")),
          spread(batch),
          rounded(batch.nanosPerAttempt()),
          rounded(batch.attemptsPerSecond()),
          rounded(batch.placementsPerSecond()),
          rounded(batch.value("bytesPerAttempt")));
    }
    for (Case of : table.isEmpty() ? List.<Case>of() : leftOut) {
      String why = "left out: half a minute to minutes each";
      table.row(strategy(of), problem(spec(of)), count(of.nodes()), "", "", why, "", "", "", "");
    }
    return table.toString();
  }

  private static String problem(ProblemSpec spec) {
    return "%d resources, %s, %s%s"
        .formatted(
            spec.resources(),
            spec.percent() + " %",
            spec.shapes() == 0 ? "all different" : spec.shapes() + " shapes",
            spec.rules() ? ", rules" : "");
  }

  private String compared() {
    Table table =
        new Table(
            1,
            "strategy",
            "nodes",
            "rules",
            "Lighthouse",
            "naive placer",
            "ratio",
            "timed attempts",
            "plain scan",
            "ratio");
    for (Measurement naive : results.of("ComparedBenchmark")) {
      if (!naive.of().param("who").equals(Who.NAIVE.name())) {
        continue;
      }
      Contestant strategy = Contestant.valueOf(naive.of().param("strategy"));
      ProblemSpec spec = spec(naive.of());
      double nanos = naive.value("nanosPerAttempt");
      Optional<Double> ours = results.batch(strategy, spec).map(Measurement::nanosPerAttempt);
      Optional<Double> scan =
          results
              .get(Suite.compared(Who.PLAIN_SCAN, strategy, spec))
              .map(found -> found.value("nanosPerAttempt"));
      table.row(
          strategy,
          count(spec.nodes()),
          spec.rules() ? "yes" : "no",
          ours.map(Figures::nanos).orElse(NOT_MEASURED),
          nanos(nanos),
          ours.map(own -> times(nanos / own)).orElse(NOT_MEASURED),
          count(naive.value("attemptsTimed")),
          scan.map(Figures::nanos).orElse(NOT_MEASURED),
          scan.flatMap(found -> ours.map(own -> times(found / own))).orElse(NOT_MEASURED));
    }
    return table.toString();
  }

  private String decisions() {
    Table table =
        new Table(1, "strategy", "nodes", "placed", "p50", "p99", "p99.9", "worst", "all of them");
    for (Measurement run : results.of("DecisionBenchmark")) {
      table.row(
          strategy(run.of()),
          count(run.of().nodes()),
          count(run.value("placed")),
          nanos(run.value("p50")),
          nanos(run.value("p99")),
          nanos(run.value("p999")),
          nanos(run.value("worst")),
          spread(run));
    }
    return table.toString();
  }

  private String churn() {
    Table table = new Table(1, "strategy", "nodes", "at once", "out and in again", "for one");
    for (Measurement churn : results.of("ChurnBenchmark")) {
      int atOnce = churn.of().benchmark().endsWith("one") ? 1 : ChurnBenchmark.HUNDRED;
      table.row(
          strategy(churn.of()),
          count(churn.of().nodes()),
          atOnce,
          spread(churn),
          nanos(churn.median() / atOnce));
    }
    return table.toString();
  }

  private String nodeChanges() {
    Table table =
        new Table(
            2,
            "strategy",
            "between two placements",
            "nodes",
            "a change of a node",
            "a placement after it",
            "of that without changes");
    for (Measurement change : results.of("NodeChangeBenchmark")) {
      Case of = change.of();
      NodeChangeBenchmark.Change what = NodeChangeBenchmark.Change.valueOf(of.param("change"));
      Optional<Measurement> none =
          results.get(Suite.nodeChange(strategy(of), of.nodes(), NodeChangeBenchmark.Change.NONE));
      table.row(
          strategy(of),
          what,
          count(of.nodes()),
          what == NodeChangeBenchmark.Change.NONE ? "" : nanos(change.value("changing")),
          nanos(change.value("placing")),
          none.map(found -> times(change.value("placing") / found.value("placing")))
              .orElse(NOT_MEASURED));
    }
    return table.toString();
  }

  private String cliffs() {
    Table table =
        new Table(
            1, "fleet", "nodes", "one comes and goes", "of the plain case", "growth by nodes");
    for (Measurement measured : results.of("CliffBenchmark")) {
      Cliff cliff = Cliff.valueOf(measured.of().param("cliff"));
      int nodes = measured.of().nodes();
      Optional<Measurement> plain = results.get(Suite.cliff(cliff.plain(), nodes));
      Optional<Measurement> smaller = results.get(Suite.cliff(cliff, nodes / 10));
      table.row(
          cliff,
          count(nodes),
          spread(measured),
          plain.map(found -> times(measured.median() / found.median())).orElse(NOT_MEASURED),
          smaller.map(found -> times(measured.median() / found.median())).orElse(NOT_MEASURED));
    }
    return table.toString();
  }

  private String refusals() {
    Table table =
        new Table(
            1,
            "strategy",
            "nodes",
            "in the batch",
            "known or searched",
            "the batch",
            "for one",
            "row bytes a search",
            "GB/s",
            "allocated for one");
    for (Measurement refusal : results.of("RefusalBenchmark")) {
      int batch = refusal.of().number("batch");
      boolean searched = refusal.of().benchmark().endsWith("Anew");
      // The floor: a bit of each node for each resource.
      double rows = refusal.of().nodes() * (double) RESOURCES / Byte.SIZE;
      table.row(
          strategy(refusal.of()),
          count(refusal.of().nodes()),
          batch,
          searched ? "searched" : "known",
          spread(refusal),
          nanos(refusal.median() / batch),
          searched ? count(rows) : "",
          searched ? rounded(rows / (refusal.median() / batch)) : "",
          rounded(refusal.value("bytes") / batch));
    }
    return table.toString();
  }

  private String insights() {
    Table table = new Table(1, "question", "nodes", "workloads", "answer");
    for (Measurement insight : results.of("InsightBenchmark")) {
      String benchmark = insight.of().benchmark();
      table.row(
          benchmark.substring(benchmark.indexOf('.') + 1),
          count(insight.of().nodes()),
          count((double) insight.of().nodes() * ProblemSpec.WORKLOADS_PER_NODE),
          spread(insight));
    }
    return table.toString();
  }

  private String memory() {
    Table table =
        new Table(
            1,
            "strategy",
            "nodes",
            "bytes a node, empty",
            "bytes a placed workload",
            "bytes a node, emptied again");
    for (Measurement memory : results.of("MemoryBenchmark")) {
      table.row(
          strategy(memory.of()),
          count(memory.of().nodes()),
          rounded(memory.value("bytesPerNode")),
          rounded(memory.value("bytesPerPlaced")),
          rounded(memory.value("bytesPerNodeEmptied")));
    }
    return table.toString();
  }

  private String peers() {
    Table table =
        new Table(
            1, "placer", "nodes", "workloads", "placed", "nodes used", "the batch", "placements/s");
    for (Measurement peer : results.of("PeerBenchmark")) {
      if (table.isEmpty()) {
        for (Measurement own : results.of("BatchBenchmark")) {
          if (spec(own.of()).equals(ProblemSpec.plain(peer.of().nodes()))) {
            peerRow(table, "Lighthouse, " + strategy(own.of()), own);
          }
        }
      }
      peerRow(table, Peer.Kind.valueOf(peer.of().param("peer")).label(), peer);
    }
    return table.toString();
  }

  private static void peerRow(Table table, String label, Measurement batch) {
    table.row(
        label,
        count(batch.of().nodes()),
        count(batch.value("workloads")),
        count(batch.value("placed")),
        count(batch.value("nodesUsed")),
        spread(batch),
        rounded(batch.placementsPerSecond()));
  }

  private String data() {
    Table table =
        new Table(
            2,
            "problem",
            "strategy",
            "nodes",
            "workloads",
            "placed",
            "nodes used",
            "beside an averse one",
            "the batch",
            "placements/s");
    for (Measurement batch : results.of("DataBenchmark")) {
      String file = batch.of().param("file");
      table.row(
          file.substring(file.lastIndexOf('/') + 1).replace(".json.gz", ""),
          strategy(batch.of()),
          count(batch.value("nodes")),
          count(batch.value("workloads")),
          count(batch.value("placed")),
          count(batch.value("nodesUsed")),
          count(batch.value("besideAverse")),
          spread(batch),
          rounded(batch.placementsPerSecond()));
    }
    return table.toString();
  }

  private String command() {
    Table table = new Table(1, "command", "nodes", "workloads", "heap", "wall");
    for (Measurement run : results.of(CommandRun.BENCHMARK)) {
      table.row(
          "`./lighthouse assign --output json problem.json`",
          count(run.of().nodes()),
          count((double) run.of().nodes() * ProblemSpec.WORKLOADS_PER_NODE),
          "`" + CommandRun.HEAP + "`",
          spread(run));
    }
    return table.toString();
  }

  private String scheduling() {
    Table table =
        new Table(
            1,
            "cluster",
            "nodes",
            "running",
            "queued",
            "job types",
            "placed",
            "nodes reserved",
            "a pass",
            "of the first");
    Map<String, Measurement> first = new HashMap<>();
    for (Measurement pass : results.of("SchedulingBenchmark")) {
      Case of = pass.of();
      first.putIfAbsent(of.param("full"), pass);
      table.row(
          of.param("full").equals("true") ? "full" : "with room",
          count(of.nodes()),
          count(of.number("running")),
          count(of.number("queued")),
          count(of.number("types")),
          count(pass.value("placed")),
          count(pass.value("reserved")),
          spread(pass),
          times(pass.median() / first.get(of.param("full")).median()));
    }
    return table.toString();
  }

  private static Contestant strategy(Case of) {
    return Contestant.valueOf(of.param("strategy"));
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

  /** Processor time of the best batch, beside that of the same batch without the rule. */
  private String rules() {
    Table table =
        new Table(1, "rule", "nodes", "workloads", "a batch", "of the base", "placements/s");
    for (Measurement found : results.of("RuleBenchmark")) {
      RuledBatch rule = RuledBatch.valueOf(found.of().param("rule"));
      double nanos = found.value("processorNanos");
      Optional<Measurement> base = results.get(Suite.rules(rule.base(), found.of().nodes()));
      table.row(
          rule.label(),
          count(found.of().nodes()),
          count(found.value("workloads")),
          nanos(nanos),
          base.map(plain -> times(nanos / plain.value("processorNanos"))).orElse(NOT_MEASURED),
          count(found.value("placed") / nanos * 1e9));
    }
    return table.toString();
  }

  private String tryOuts() {
    Table table = new Table(1, "change", "nodes", "placements", "changed, asked, rolled back");
    for (Measurement found : results.of("TryOutBenchmark")) {
      boolean moves = found.of().benchmark().endsWith("movesAWorkload");
      table.row(
          moves ? "a workload is moved" : "a node is resized",
          count(found.of().nodes()),
          count(10.0 * found.of().nodes()),
          spread(found));
    }
    return table.toString();
  }

  /** Processor time of a pod in the best batch. */
  private String kubernetes() {
    Table table = new Table(1, "pods", "nodes", "processor time a pod");
    for (Measurement found : results.of("KubernetesBenchmark")) {
      KubernetesBenchmark.Shape shape =
          KubernetesBenchmark.Shape.valueOf(found.of().param("shape"));
      table.row(
          switch (shape) {
            case PLAIN -> "plain";
            case SPREAD -> "spread over three zones";
            case ANTI_AFFINITY -> "anti-affinity by host, groups of 20";
          },
          count(found.of().nodes()),
          nanos(found.value("processorNanosOfAPod")));
    }
    return table.toString();
  }

  private String printed(Part part) {
    String all =
        results.of(PrintedTables.BENCHMARK).stream()
            .filter(found -> found.of().param("table").equals(part.name()))
            .map(found -> title(found.of()) + found.printed())
            .collect(Collectors.joining("\n"));
    return all.isEmpty() ? "Not measured in this run.\n" : all;
  }

  /** What tells several tables of one part apart. */
  private static String title(Case of) {
    return of.params().containsKey("pods")
        ? "%s nodes, %s pods:%n%n".formatted(count(of.nodes()), count(of.number("pods")))
        : "";
  }

  private String sessions() {
    Table table = new Table(0, "nodes", "workloads", "a step", "bytes a step");
    for (Measurement found : results.of("SessionBenchmark")) {
      table.row(
          count(found.of().nodes()),
          count(found.value("workloads")),
          nanos(found.value("nanosPerStep")),
          rounded(found.value("bytesPerStep")));
    }
    return table.toString();
  }
}
