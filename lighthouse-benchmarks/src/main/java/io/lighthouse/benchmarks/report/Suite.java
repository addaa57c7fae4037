package io.lighthouse.benchmarks.report;

import io.lighthouse.benchmarks.measure.ComparedBenchmark;
import io.lighthouse.benchmarks.measure.KubernetesBenchmark;
import io.lighthouse.benchmarks.measure.NodeChangeBenchmark;
import io.lighthouse.benchmarks.peer.Peer;
import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.Cliff;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import io.lighthouse.benchmarks.problem.RuledBatch;
import io.lighthouse.benchmarks.quality.InstanceSet;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which cases each part has. */
final class Suite {
  /** Shapes of problems in which they repeat. */
  static final int FEW_SHAPES = 200;

  /** Workloads in a batch of which none fits. */
  static final int REFUSED = 50;

  /** The strategies whose every figure is measured. */
  static final List<Contestant> BUILT_IN =
      List.of(Contestant.PRIORITIZED, Contestant.ROUND_ROBIN, Contestant.BIN_PACK);

  private final Profile profile;
  private final List<String> dataFiles;
  private final QualitySuite quality;

  Suite(Profile profile, List<String> dataFiles) {
    this(profile, dataFiles, EnumSet.allOf(InstanceSet.class));
  }

  /** A suite with the given problems from files and those sets of instances that are there. */
  Suite(Profile profile, List<String> dataFiles, Set<InstanceSet> sets) {
    this.profile = profile;
    this.dataFiles = dataFiles;
    quality = new QualitySuite(profile, sets);
  }

  List<Case> cases(Part part) {
    return switch (part) {
      case BATCH -> batch();
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
      case COMMAND -> List.of(Case.of(CommandRun.BENCHMARK, "nodes", profile.atMost(100_000)));
      case SCHEDULING -> scheduling();
      case SESSION -> sessions();
      case RULES -> rules();
      case TRYOUT -> tryOuts();
      case SERVICE, FLEETS_OVER_HTTP, RESTART, GROWTH_OF_PASSES -> printed(part);
      case KUBERNETES -> kubernetes();
      case RATES -> rates();
      default -> quality.cases(part);
    };
  }

  static Case batch(Contestant strategy, ProblemSpec spec) {
    return problem("BatchBenchmark.assign", strategy, spec);
  }

  static Case compared(ComparedBenchmark.Who who, Contestant strategy, ProblemSpec spec) {
    Case wanted = problem("ComparedBenchmark.sample", strategy, spec);
    List<Object> params = new ArrayList<>(List.of("who", who));
    wanted
        .params()
        .forEach(
            (name, value) -> {
              params.add(name);
              params.add(value);
            });
    return Case.of(wanted.benchmark(), params.toArray());
  }

  private static Case problem(String benchmark, Contestant strategy, ProblemSpec spec) {
    return Case.of(
        benchmark,
        "strategy",
        strategy,
        "nodes",
        spec.nodes(),
        "resources",
        spec.resources(),
        "percent",
        spec.percent(),
        "shapes",
        spec.shapes(),
        "rules",
        spec.rules());
  }

  private List<Case> batch() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : Contestant.values()) {
      for (int nodes : profile.sizes()) {
        cases.add(batch(strategy, ProblemSpec.plain(nodes)));
      }
    }
    cases.removeAll(leftOut());
    if (profile == Profile.FULL) {
      cases.addAll(everyCombination());
      return cases;
    }
    int nodes = profile.atMost(10_000);
    for (Contestant strategy : BUILT_IN) {
      cases.add(batch(strategy, new ProblemSpec(nodes, 2, ProblemSpec.TIGHT, 0, false)));
      cases.add(batch(strategy, new ProblemSpec(nodes, 8, ProblemSpec.TIGHT, 0, false)));
      cases.add(batch(strategy, new ProblemSpec(nodes, 4, ProblemSpec.LOOSE, 0, false)));
      cases.add(batch(strategy, new ProblemSpec(nodes, 4, ProblemSpec.TIGHT, 0, true)));
      cases.add(batch(strategy, fewShapes(nodes)));
    }
    for (Contestant strategy : List.of(Contestant.PRIORITIZED, Contestant.BIN_PACK)) {
      cases.add(batch(strategy, fewShapes(profile.atMost(100_000))));
    }
    return cases;
  }

  /** Batches that take from half a minute to minutes each. */
  List<Case> leftOut() {
    Case worst = batch(Contestant.COMPARATOR, ProblemSpec.plain(100_000));
    return profile == Profile.FULL
        ? List.of(worst)
        : List.of(
            batch(Contestant.KEPT_ORDER, ProblemSpec.plain(100_000)),
            batch(Contestant.COMPARATOR, ProblemSpec.plain(10_000)),
            worst,
            batch(Contestant.SPREAD, ProblemSpec.plain(100_000)),
            batch(Contestant.BALANCE, ProblemSpec.plain(100_000)));
  }

  private List<Case> everyCombination() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : Contestant.values()) {
      for (int nodes : profile.sizes()) {
        if ((strategy == Contestant.COMPARATOR && nodes > 1_000)
            || (!BUILT_IN.contains(strategy) && nodes > 10_000)) {
          continue;
        }
        for (int resources : new int[] {2, 4, 8}) {
          for (int percent : new int[] {ProblemSpec.TIGHT, ProblemSpec.LOOSE}) {
            for (int shapes : new int[] {0, FEW_SHAPES}) {
              for (boolean rules : new boolean[] {false, true}) {
                cases.add(
                    batch(strategy, new ProblemSpec(nodes, resources, percent, shapes, rules)));
              }
            }
          }
        }
      }
    }
    return cases;
  }

  static ProblemSpec fewShapes(int nodes) {
    return new ProblemSpec(nodes, 4, ProblemSpec.TIGHT, FEW_SHAPES, false);
  }

  /** With the batches of Lighthouse that they are compared with. */
  private List<Case> compared() {
    List<Case> cases = new ArrayList<>();
    for (int nodes : profile.sizes()) {
      for (Contestant strategy : BUILT_IN) {
        if (nodes > 10_000 && strategy != Contestant.PRIORITIZED && profile != Profile.FULL) {
          continue;
        }
        ProblemSpec spec = ProblemSpec.plain(nodes);
        cases.add(batch(strategy, spec));
        for (ComparedBenchmark.Who who : ComparedBenchmark.Who.values()) {
          cases.add(compared(who, strategy, spec));
        }
      }
    }
    ProblemSpec rules = new ProblemSpec(profile.atMost(10_000), 4, ProblemSpec.TIGHT, 0, true);
    for (Contestant strategy : BUILT_IN) {
      cases.add(batch(strategy, rules));
      cases.add(compared(ComparedBenchmark.Who.NAIVE, strategy, rules));
    }
    return cases;
  }

  private List<Case> decisions() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : BUILT_IN) {
      for (int nodes : profile.sizes()) {
        if (nodes >= 10_000 || profile != Profile.QUICK) {
          cases.add(
              problem("DecisionBenchmark.assignOneByOne", strategy, ProblemSpec.plain(nodes)));
        }
      }
    }
    return cases;
  }

  private List<Case> churn() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : BUILT_IN) {
      for (int nodes : profile.sizes()) {
        if (nodes == profile.atMost(10_000) || profile == Profile.FULL) {
          ProblemSpec spec = new ProblemSpec(nodes, 4, 80, 0, false);
          cases.add(problem("ChurnBenchmark.one", strategy, spec));
          cases.add(problem("ChurnBenchmark.hundred", strategy, spec));
        }
      }
    }
    return cases;
  }

  private List<Case> nodeChanges() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : List.of(Contestant.PRIORITIZED, Contestant.BIN_PACK)) {
      for (NodeChangeBenchmark.Change change : NodeChangeBenchmark.Change.values()) {
        cases.add(nodeChange(strategy, profile.atMost(10_000), change));
      }
    }
    return cases;
  }

  static Case nodeChange(Contestant strategy, int nodes, NodeChangeBenchmark.Change change) {
    return Case.of(
        "NodeChangeBenchmark.changeAndPlace",
        "strategy",
        strategy,
        "nodes",
        nodes,
        "percent",
        80,
        "change",
        change);
  }

  private List<Case> cliffs() {
    List<Case> cases = new ArrayList<>();
    for (int nodes : profile.sizes()) {
      if (nodes >= profile.atMost(10_000)) {
        for (Cliff cliff : Cliff.values()) {
          if (cliff.isMadeOf(nodes)) {
            cases.add(cliff(cliff, nodes));
          }
        }
      }
    }
    return cases;
  }

  static Case cliff(Cliff cliff, int nodes) {
    return Case.of("CliffBenchmark.comeAndGo", "cliff", cliff, "nodes", nodes);
  }

  private List<Case> refusals() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : BUILT_IN) {
      for (int nodes : profile.sizes()) {
        if (nodes != 100) {
          cases.add(refusal("refuse", strategy, nodes, REFUSED));
          if (strategy == Contestant.PRIORITIZED || profile == Profile.FULL) {
            cases.add(refusal("refuseAnew", strategy, nodes, 1));
          }
        }
      }
    }
    return cases;
  }

  static Case refusal(String method, Contestant strategy, int nodes, int batch) {
    String benchmark = "RefusalBenchmark." + method;
    return Case.of(benchmark, "strategy", strategy, "nodes", nodes, "batch", batch);
  }

  private List<Case> insights() {
    List<Case> cases = new ArrayList<>();
    for (String method : List.of("explain", "snapshot", "copy")) {
      for (int nodes : profile.sizes()) {
        if (nodes != 100 && (nodes != 1_000 || profile == Profile.FULL)) {
          cases.add(
              Case.of(
                  "InsightBenchmark." + method,
                  "strategy",
                  Contestant.PRIORITIZED,
                  "nodes",
                  nodes));
        }
      }
    }
    return cases;
  }

  private List<Case> memory() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : List.of(Contestant.PRIORITIZED, Contestant.BIN_PACK)) {
      for (int nodes : profile.sizes()) {
        boolean large = nodes > 10_000 && strategy != Contestant.PRIORITIZED;
        if (nodes >= profile.atMost(10_000) && (!large || profile == Profile.FULL)) {
          cases.add(Case.of("MemoryBenchmark.fillAndEmpty", "strategy", strategy, "nodes", nodes));
        }
      }
    }
    return cases;
  }

  /** With the batches of Lighthouse on the same problem. */
  private List<Case> peers() {
    List<Case> cases = new ArrayList<>();
    int nodes = profile.atMost(1_000);
    for (Contestant strategy : BUILT_IN) {
      cases.add(batch(strategy, ProblemSpec.plain(nodes)));
    }
    for (Peer.Kind peer : Peer.Kind.values()) {
      cases.add(Case.of("PeerBenchmark.place", "peer", peer, "nodes", nodes));
    }
    return cases;
  }

  private List<Case> data() {
    List<Case> cases = new ArrayList<>();
    for (String file : dataFiles) {
      for (Contestant strategy : BUILT_IN) {
        cases.add(Case.of("DataBenchmark.assign", "file", file, "strategy", strategy));
      }
    }
    return cases;
  }

  /** The two sizes that something was promised of. */
  private List<Case> sessions() {
    return List.of(session(profile.atMost(1_000)), session(profile.atMost(10_000)));
  }

  /** Every rule on a fleet that something was promised of; replicas on a large one. */
  private List<Case> rules() {
    List<Case> cases = new ArrayList<>();
    for (RuledBatch rule : RuledBatch.values()) {
      boolean large = rule.base() == RuledBatch.DIFFERENT;
      cases.add(rules(rule, profile.atMost(large ? 100_000 : 10_000)));
    }
    return cases;
  }

  static Case rules(RuledBatch rule, int nodes) {
    return Case.of("RuleBenchmark.assign", "rule", rule, "nodes", nodes);
  }

  private List<Case> tryOuts() {
    List<Case> cases = new ArrayList<>();
    for (int nodes : profile.sizes()) {
      if (nodes <= 10_000) {
        cases.add(tryOut("movesAWorkload", nodes));
        cases.add(tryOut("resizesANode", nodes));
      }
    }
    return cases;
  }

  static Case tryOut(String method, int nodes) {
    return Case.of("TryOutBenchmark." + method, "nodes", nodes);
  }

  private List<Case> kubernetes() {
    List<Case> cases = new ArrayList<>();
    for (KubernetesBenchmark.Shape shape : KubernetesBenchmark.Shape.values()) {
      cases.add(
          Case.of(
              "KubernetesBenchmark.decide",
              "shape",
              shape,
              "strategy",
              "spread",
              "nodes",
              profile.atMost(5_000)));
    }
    return cases;
  }

  /** These programs take minutes and have no small form. */
  private List<Case> printed(Part part) {
    return profile == Profile.SMOKE ? List.of() : List.of(PrintedTables.of(part));
  }

  private List<Case> rates() {
    return profile == Profile.SMOKE
        ? List.of()
        : List.of(
            PrintedTables.of(Part.RATES, "nodes", 1_000, "pods", 5_000),
            PrintedTables.of(Part.RATES, "nodes", 5_000, "pods", 10_000));
  }

  static Case session(int nodes) {
    return Case.of("SessionBenchmark.steps", "nodes", nodes);
  }

  /**
   * The two sizes that something was promised of, then one size tenfold, the others as they are.
   */
  private List<Case> scheduling() {
    int nodes = profile.atMost(1_000);
    int more = profile.atMost(10_000);
    Set<Case> cases = new LinkedHashSet<>();
    for (boolean full : new boolean[] {false, true}) {
      cases.add(pass(nodes, 10 * nodes, 500, 50, full));
      cases.add(pass(more, 10 * more, 500, 50, full));
      cases.add(pass(more, 10 * nodes, 500, 50, full));
      cases.add(pass(nodes, 10 * more, 500, 50, full));
      cases.add(pass(nodes, 10 * nodes, 5_000, 50, full));
      cases.add(pass(nodes, 10 * nodes, 500, 500, full));
    }
    return List.copyOf(cases);
  }

  static Case pass(int nodes, int running, int queued, int types, boolean full) {
    return Case.of(
        "SchedulingBenchmark.pass",
        "nodes",
        nodes,
        "running",
        running,
        "queued",
        queued,
        "types",
        types,
        "full",
        full);
  }
}
