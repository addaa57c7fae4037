package io.lighthouse.benchmarks.report;

import io.lighthouse.benchmarks.measure.ComparedBenchmark;
import io.lighthouse.benchmarks.peer.Peer;
import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import java.util.ArrayList;
import java.util.List;

/** Which cases each part has. */
final class Suite {
  /** Shapes of problems in which they repeat. */
  static final int FEW_SHAPES = 200;

  private static final List<Contestant> BUILT_IN =
      List.of(Contestant.PRIORITIZED, Contestant.ROUND_ROBIN, Contestant.BIN_PACK);

  /** A comparator looks at every node that fits: beyond, a batch takes minutes. */
  private static final int COMPARATOR_NODES = 10_000;

  private final Profile profile;
  private final List<String> dataFiles;

  /**
   * A suite.
   *
   * @param profile how thorough
   * @param dataFiles problems from files, as paths; empty where they are not there
   */
  Suite(Profile profile, List<String> dataFiles) {
    this.profile = profile;
    this.dataFiles = dataFiles;
  }

  List<Case> cases(Part part) {
    return switch (part) {
      case BATCH -> batch();
      case COMPARED -> compared();
      case DECISION -> decisions();
      case CHURN -> churn();
      case REFUSAL -> refusals();
      case INSIGHT -> insights();
      case MEMORY -> memory();
      case PEERS -> peers();
      case DATA -> data();
      case COMMAND -> List.of(Case.of(CommandRun.BENCHMARK, "nodes", profile.atMost(100_000)));
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
        if (strategy != Contestant.COMPARATOR || nodes <= COMPARATOR_NODES) {
          cases.add(batch(strategy, ProblemSpec.plain(nodes)));
        }
      }
    }
    if (profile == Profile.FULL) {
      cases.addAll(everyCombination());
      return cases;
    }
    int nodes = profile.atMost(10_000);
    for (Contestant strategy : List.of(Contestant.PRIORITIZED, Contestant.BIN_PACK)) {
      cases.add(batch(strategy, new ProblemSpec(nodes, 2, ProblemSpec.TIGHT, 0, false)));
      cases.add(batch(strategy, new ProblemSpec(nodes, 8, ProblemSpec.TIGHT, 0, false)));
      cases.add(batch(strategy, new ProblemSpec(nodes, 4, ProblemSpec.LOOSE, 0, false)));
      cases.add(batch(strategy, new ProblemSpec(nodes, 4, ProblemSpec.TIGHT, 0, true)));
      cases.add(batch(strategy, fewShapes(nodes)));
      cases.add(batch(strategy, fewShapes(profile.atMost(100_000))));
    }
    cases.add(batch(Contestant.ROUND_ROBIN, new ProblemSpec(nodes, 4, ProblemSpec.TIGHT, 0, true)));
    return cases;
  }

  private List<Case> everyCombination() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : Contestant.values()) {
      for (int nodes : profile.sizes()) {
        if (strategy == Contestant.COMPARATOR && nodes > COMPARATOR_NODES / 10) {
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

  private List<Case> refusals() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : BUILT_IN) {
      for (int nodes : profile.sizes()) {
        if (nodes == 100 || (nodes == 10_000 && profile == Profile.QUICK)) {
          continue;
        }
        for (int batch : new int[] {1, 50}) {
          if (batch > 1 || strategy == Contestant.PRIORITIZED || profile == Profile.FULL) {
            cases.add(
                Case.of(
                    "RefusalBenchmark.refuse",
                    "strategy",
                    strategy,
                    "nodes",
                    nodes,
                    "batch",
                    batch));
          }
        }
      }
    }
    return cases;
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
        if (nodes == profile.atMost(10_000) || (nodes > 10_000 && profile == Profile.FULL)) {
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
}
