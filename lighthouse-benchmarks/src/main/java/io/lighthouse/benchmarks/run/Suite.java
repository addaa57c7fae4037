package io.lighthouse.benchmarks.run;

import io.lighthouse.benchmarks.measure.ComparedBenchmark.Who;
import io.lighthouse.benchmarks.measure.KubernetesBenchmark;
import io.lighthouse.benchmarks.measure.NodeChangeBenchmark;
import io.lighthouse.benchmarks.peer.Peer;
import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.Cliff;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import io.lighthouse.benchmarks.problem.RuledBatch;
import io.lighthouse.benchmarks.quality.InstanceSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Which cases each part has. */
public final class Suite {
  /** Shapes of problems in which they repeat. */
  static final int FEW_SHAPES = 200;

  /** Workloads in a batch of which none fits. */
  public static final int REFUSED = 50;

  /** The strategies whose every figure is measured. */
  public static final List<Contestant> BUILT_IN =
      List.of(Contestant.PRIORITIZED, Contestant.ROUND_ROBIN, Contestant.BIN_PACK);

  private static final List<Contestant> FIRST_AND_BEST_FIT =
      List.of(Contestant.PRIORITIZED, Contestant.BIN_PACK);

  private final Profile profile;
  private final List<String> dataFiles;
  private final QualitySuite quality;

  public Suite(Profile profile, List<String> dataFiles) {
    this(profile, dataFiles, EnumSet.allOf(InstanceSet.class));
  }

  /** A suite with the given problems from files and those sets of instances that are there. */
  public Suite(Profile profile, List<String> dataFiles, Set<InstanceSet> sets) {
    this.profile = profile;
    this.dataFiles = dataFiles;
    quality = new QualitySuite(profile, sets);
  }

  public List<Case> cases(Part part) {
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
      case COMMAND -> List.of(CommandRun.of(profile.atMost(100_000)));
      case SCHEDULING -> scheduling();
      case SESSION -> sessions();
      case RULES -> rules();
      case TRYOUT -> tryOuts();
      case SERVICE, FLEETS_OVER_HTTP, RESTART, GROWTH_OF_PASSES, RATES -> printed(part);
      case KUBERNETES -> kubernetes();
      default -> quality.cases(part);
    };
  }

  public Set<Case> cases(Collection<Part> parts) {
    Set<Case> cases = new LinkedHashSet<>();
    parts.forEach(part -> cases.addAll(cases(part)));
    return cases;
  }

  public static Case batch(Contestant strategy, ProblemSpec spec) {
    return problem("BatchBenchmark.assign", strategy, spec);
  }

  public static Case compared(Who who, Contestant strategy, ProblemSpec spec) {
    Map<String, String> params = new LinkedHashMap<>(Map.of("who", who.name()));
    params.putAll(batch(strategy, spec).params());
    return new Case("ComparedBenchmark.sample", params);
  }

  private static Case problem(String benchmark, Contestant strategy, ProblemSpec spec) {
    return Case.of(
        benchmark + " strategy nodes resources percent shapes rules",
        strategy,
        spec.nodes(),
        spec.resources(),
        spec.percent(),
        spec.shapes(),
        spec.rules());
  }

  private List<Case> batch() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : Contestant.values()) {
      sizes(0).forEach(nodes -> cases.add(batch(strategy, ProblemSpec.plain(nodes))));
    }
    cases.removeAll(leftOut());
    int nodes = profile.atMost(10_000);
    for (Contestant strategy : BUILT_IN) {
      cases.add(batch(strategy, new ProblemSpec(nodes, 2, ProblemSpec.TIGHT, 0, false)));
      cases.add(batch(strategy, new ProblemSpec(nodes, 8, ProblemSpec.TIGHT, 0, false)));
      cases.add(batch(strategy, new ProblemSpec(nodes, 4, ProblemSpec.LOOSE, 0, false)));
      cases.add(batch(strategy, new ProblemSpec(nodes, 4, ProblemSpec.TIGHT, 0, true)));
      cases.add(batch(strategy, fewShapes(nodes)));
    }
    for (Contestant strategy : FIRST_AND_BEST_FIT) {
      cases.add(batch(strategy, fewShapes(profile.atMost(100_000))));
    }
    return cases;
  }

  /** The sizes of fleets from some size on. */
  private List<Integer> sizes(int least) {
    return Arrays.stream(profile.sizes()).filter(nodes -> nodes >= least).boxed().toList();
  }

  /** Batches that take from half a minute to minutes each. */
  public List<Case> leftOut() {
    return List.of(
        batch(Contestant.KEPT_ORDER, ProblemSpec.plain(100_000)),
        batch(Contestant.COMPARATOR, ProblemSpec.plain(10_000)),
        batch(Contestant.COMPARATOR, ProblemSpec.plain(100_000)),
        batch(Contestant.SPREAD, ProblemSpec.plain(100_000)),
        batch(Contestant.BALANCE, ProblemSpec.plain(100_000)));
  }

  public static ProblemSpec fewShapes(int nodes) {
    return new ProblemSpec(nodes, 4, ProblemSpec.TIGHT, FEW_SHAPES, false);
  }

  /** With the batches of Lighthouse that they are compared with. */
  private List<Case> compared() {
    List<Case> cases = new ArrayList<>();
    for (int nodes : profile.sizes()) {
      for (Contestant strategy : BUILT_IN) {
        if (nodes > 10_000 && strategy != Contestant.PRIORITIZED) {
          continue;
        }
        ProblemSpec spec = ProblemSpec.plain(nodes);
        cases.add(batch(strategy, spec));
        for (Who who : Who.values()) {
          cases.add(compared(who, strategy, spec));
        }
      }
    }
    ProblemSpec rules = new ProblemSpec(profile.atMost(10_000), 4, ProblemSpec.TIGHT, 0, true);
    for (Contestant strategy : BUILT_IN) {
      cases.add(batch(strategy, rules));
      cases.add(compared(Who.NAIVE, strategy, rules));
    }
    return cases;
  }

  private List<Case> decisions() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : BUILT_IN) {
      for (int nodes : sizes(profile == Profile.QUICK ? 10_000 : 0)) {
        cases.add(problem("DecisionBenchmark.assignOneByOne", strategy, ProblemSpec.plain(nodes)));
      }
    }
    return cases;
  }

  private List<Case> churn() {
    List<Case> cases = new ArrayList<>();
    ProblemSpec spec = new ProblemSpec(profile.atMost(10_000), 4, 80, 0, false);
    for (Contestant strategy : BUILT_IN) {
      cases.add(problem("ChurnBenchmark.one", strategy, spec));
      cases.add(problem("ChurnBenchmark.hundred", strategy, spec));
    }
    return cases;
  }

  private List<Case> nodeChanges() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : FIRST_AND_BEST_FIT) {
      for (NodeChangeBenchmark.Change change : NodeChangeBenchmark.Change.values()) {
        cases.add(nodeChange(strategy, profile.atMost(10_000), change));
      }
    }
    return cases;
  }

  public static Case nodeChange(Contestant strategy, int nodes, NodeChangeBenchmark.Change change) {
    String names = "NodeChangeBenchmark.changeAndPlace strategy nodes percent change";
    return Case.of(names, strategy, nodes, 80, change);
  }

  private List<Case> cliffs() {
    List<Case> cases = new ArrayList<>();
    for (int nodes : sizes(profile.atMost(10_000))) {
      Stream.of(Cliff.values())
          .filter(cliff -> cliff.isMadeOf(nodes))
          .forEach(cliff -> cases.add(cliff(cliff, nodes)));
    }
    return cases;
  }

  public static Case cliff(Cliff cliff, int nodes) {
    return Case.of("CliffBenchmark.comeAndGo cliff nodes", cliff, nodes);
  }

  private List<Case> refusals() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : BUILT_IN) {
      for (int nodes : profile.sizes()) {
        if (nodes != 100) {
          cases.add(refusal("refuse", strategy, nodes, REFUSED));
          if (strategy == Contestant.PRIORITIZED) {
            cases.add(refusal("refuseAnew", strategy, nodes, 1));
          }
        }
      }
    }
    return cases;
  }

  public static Case refusal(String method, Contestant strategy, int nodes, int batch) {
    String names = "RefusalBenchmark." + method + " strategy nodes batch";
    return Case.of(names, strategy, nodes, batch);
  }

  private List<Case> insights() {
    List<Case> cases = new ArrayList<>();
    for (String method : List.of("explain", "snapshot", "copy")) {
      for (int nodes : profile.sizes()) {
        if (nodes != 100 && nodes != 1_000) {
          String names = "InsightBenchmark." + method + " strategy nodes";
          cases.add(Case.of(names, Contestant.PRIORITIZED, nodes));
        }
      }
    }
    return cases;
  }

  private List<Case> memory() {
    List<Case> cases = new ArrayList<>();
    for (Contestant strategy : FIRST_AND_BEST_FIT) {
      for (int nodes : sizes(profile.atMost(10_000))) {
        if (nodes <= 10_000 || strategy == Contestant.PRIORITIZED) {
          cases.add(Case.of("MemoryBenchmark.fillAndEmpty strategy nodes", strategy, nodes));
        }
      }
    }
    return cases;
  }

  /** With the batches of Lighthouse on the same problem. */
  private List<Case> peers() {
    int nodes = profile.atMost(1_000);
    return Stream.concat(
            BUILT_IN.stream().map(strategy -> batch(strategy, ProblemSpec.plain(nodes))),
            Stream.of(Peer.Kind.values()).map(kind -> peer(kind, nodes)))
        .toList();
  }

  public static Case peer(Peer.Kind kind, int nodes) {
    return Case.of("PeerBenchmark.place peer nodes", kind, nodes);
  }

  private List<Case> data() {
    List<Case> cases = new ArrayList<>();
    for (String file : dataFiles) {
      for (Contestant strategy : BUILT_IN) {
        cases.add(Case.of("DataBenchmark.assign file strategy", file, strategy));
      }
    }
    return cases;
  }

  /** The two sizes that something was promised of. */
  private List<Case> sessions() {
    return Stream.of(1_000, 10_000)
        .map(nodes -> Case.of("SessionBenchmark.steps nodes", profile.atMost(nodes)))
        .toList();
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

  public static Case rules(RuledBatch rule, int nodes) {
    return Case.of("RuleBenchmark.assign rule nodes", rule, nodes);
  }

  private List<Case> tryOuts() {
    List<Case> cases = new ArrayList<>();
    for (int nodes : profile.sizes()) {
      if (nodes <= 10_000) {
        cases.add(Case.of("TryOutBenchmark.movesAWorkload nodes", nodes));
        cases.add(Case.of("TryOutBenchmark.resizesANode nodes", nodes));
      }
    }
    return cases;
  }

  private List<Case> kubernetes() {
    String names = "KubernetesBenchmark.decide shape strategy nodes";
    return Stream.of(KubernetesBenchmark.Shape.values())
        .map(shape -> Case.of(names, shape, "spread", profile.atMost(5_000)))
        .toList();
  }

  /** The programs of these tables take minutes and have no small form. */
  private List<Case> printed(Part part) {
    return profile == Profile.SMOKE
        ? List.of()
        : part == Part.RATES
            ? List.of(PrintedTables.rates(1_000, 5_000), PrintedTables.rates(5_000, 10_000))
            : List.of(PrintedTables.of(part));
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

  public static Case pass(int nodes, int running, int queued, int types, boolean full) {
    String names = "SchedulingBenchmark.pass nodes running queued types full";
    return Case.of(names, nodes, running, queued, types, full);
  }
}
