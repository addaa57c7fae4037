package io.lighthouse.benchmarks.problem;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A batch whose workloads have a rule, on nodes in 100 racks and 5 zones of two kinds. {@link
 * #RACKS} has 1,000 racks. Ten workloads a node nearly fill the fleet, so that the rules, not the
 * room, make the difference to {@link #PLAIN}. Rules are in groups of 50.
 */
public enum RuledBatch {
  PLAIN("none"),
  WHERE("`where`, a third of the workloads, on a third of the nodes"),
  MOST("`most` 1 by node"),
  SKEW("`skew` 1 by zone"),
  SHARED("shared power by rack"),
  PREFERENCE("prefers `most` 1 by node"),
  LEAST("`least` 1 by rack"),
  /** Checks the rule of the workload, and the rules of those that are placed. */
  RACKS("`most` 1 by rack, half of the workloads, 1,000 racks"),
  /** What a Deployment on Kubernetes asks for. */
  DEPLOYMENT("selector, spread by zone and anti-affinity by node"),
  DIFFERENT("none, all different"),
  REPLICAS("none, 100 shapes with replicas");

  private static final int GROUP = 50;
  private static final int SHAPES = 100;
  private static final int FEW_RACKS = 100;
  private static final int MANY_RACKS = 1_000;

  private final String label;

  RuledBatch(String label) {
    this.label = label;
  }

  /** The rule in words. */
  public String label() {
    return label;
  }

  /** The case to compare with: without the rule, or without replicas. */
  public RuledBatch base() {
    return this == REPLICAS || this == DIFFERENT ? DIFFERENT : PLAIN;
  }

  /** A new fleet, by first fit. */
  public Distributor fleet(int nodes) {
    SplittableRandom random = new SplittableRandom(5);
    int rackCount = this == RACKS ? MANY_RACKS : FEW_RACKS;
    List<Node> fleet = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      Node node =
          Node.of(
              "n" + i,
              Resources.of(
                  "cpu",
                  32 + 16 * random.nextInt(3),
                  "mem",
                  64 + 64 * random.nextInt(3),
                  "disk",
                  500,
                  "net",
                  100));
      fleet.add(
          node.in("rack", "r" + i % rackCount)
              .in("zone", "z" + i % 5)
              .in("kind", i % 3 == 0 ? "a" : "b"));
    }
    List<Domain> racks = new ArrayList<>();
    for (int i = 0; this == SHARED && i < rackCount; i++) {
      racks.add(Domain.of("rack", "r" + i, Resources.of("power", 45 * nodes / 100)));
    }
    return Distributors.installed().strategy("prioritized").nodes(fleet).domains(racks).build();
  }

  /** Ten workloads a node. */
  public List<Workload> workloads(int nodes) {
    SplittableRandom random = new SplittableRandom(7);
    int count = 10 * nodes;
    List<Workload> batch = new ArrayList<>(count);
    if (this == REPLICAS) {
      for (int shape = 0; shape < SHAPES; shape++) {
        batch.addAll(Workload.of("w" + shape, small(random)).replicas(count / SHAPES));
      }
      return batch;
    }
    for (int i = 0; i < count; i++) {
      Workload workload = Workload.of("w" + i, this == DIFFERENT ? fine(random) : small(random));
      batch.add(workload.withTerms(terms(i)));
    }
    return batch;
  }

  private static Resources small(SplittableRandom random) {
    return Resources.of(
        "cpu",
        1 + random.nextInt(8),
        "mem",
        1 + random.nextInt(16),
        "disk",
        1 + random.nextInt(50),
        "net",
        1 + random.nextInt(10));
  }

  /** Requirements of such fine units that hardly two are equal. */
  private static Resources fine(SplittableRandom random) {
    return Resources.of(
        "cpu",
        (1000 + random.nextInt(7000)) + "e-3",
        "mem",
        (1000 + random.nextInt(15_000)) + "e-3",
        "disk",
        (1000 + random.nextInt(49_000)) + "e-3",
        "net",
        (1000 + random.nextInt(9000)) + "e-3");
  }

  private Terms terms(int workload) {
    String group = "g" + workload / GROUP;
    Terms grouped = Terms.NONE.inGroups(group);
    Condition kind = new Condition.In("kind", Set.of("a"));
    Rule apart = new Rule.Most(1, group, Rule.NODE);
    Rule alone = new Rule.Most(1, group, "rack");
    Rule even = new Rule.Skew(1, group, "zone", 1);
    return switch (this) {
      case PLAIN, DIFFERENT, REPLICAS -> Terms.NONE;
      case WHERE -> workload % 3 == 0 ? Terms.NONE.where(kind) : Terms.NONE;
      case MOST -> grouped.rules(apart);
      case SKEW -> grouped.rules(even);
      case SHARED -> Terms.NONE.sharing("rack", Resources.of("power", 1 + workload % 8));
      case PREFERENCE -> grouped.preferring(apart);
      case RACKS -> workload % GROUP < GROUP / 2 ? grouped.rules(alone) : grouped;
      case LEAST -> grouped.rules(new Rule.Least(1, group, "rack"));
      case DEPLOYMENT -> grouped.where(kind).rules(apart, even);
    };
  }
}
