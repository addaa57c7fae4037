package io.lighthouse.benchmarks.problem;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Makes problems from specifications.
 *
 * <p>Nodes come in three sizes and three profiles (one resource in three is doubled). Requirements
 * are drawn from 0.05 + 3u², u uniform in [0, 1): many small, few large. Then each resource is
 * scaled so that the sum over all workloads is the wanted share of the capacity. All quantities are
 * multiples of 1/64, which are exact as decimals and as doubles. So a placer that computes in
 * doubles gives the same answers.
 *
 * <p>With rules, nodes and workloads also get the following, each drawn independently.
 *
 * <p>A node:
 *
 * <ul>
 *   <li>Lacks one of its resources (1 in 10).
 *   <li>Has a ward (1 in 20) or a shortcoming of 5 (1 in 20) instead of a resource.
 *   <li>Has each of two tags (1 in 4).
 *   <li>Has each of two wards of their own name (1 in 6).
 * </ul>
 *
 * <p>A workload:
 *
 * <ul>
 *   <li>Leaves a resource out (1 in 6 each).
 *   <li>Gives half of it instead of taking it (1 in 12 each).
 *   <li>Requires each tag (1 in 8).
 *   <li>Is immune to each named ward (1 in 4) and to a measured resource (1 in 10).
 *   <li>Has one or two of eight aversion groups (1 in 4).
 * </ul>
 */
public final class ProblemGenerator {
  /** Units of one whole. */
  private static final int UNITS = 64;

  /** One unit, 1/64, in millionths. */
  private static final int UNIT_MILLIONTHS = 1_000_000 / UNITS;

  private static final long SEED = 20_190_417;

  /** In the order of names, which is that of {@link Resources}. */
  private static final String[] NAMES = {
    "cpu", "disk", "gpu", "iops", "mem", "net", "ports", "volumes"
  };

  private static final String[] TAGS = {"tag-a", "tag-b"};
  private static final String[] WARDS = {"ward-x", "ward-y"};
  private static final int GROUPS = 8;

  private final ProblemSpec spec;
  private final SplittableRandom random;

  private ProblemGenerator(ProblemSpec spec) {
    this.spec = spec;
    random = new SplittableRandom(SEED);
  }

  /** The problem of a specification; equal for equal specifications. */
  public static BenchmarkProblem generate(ProblemSpec spec) {
    return new ProblemGenerator(spec).generate();
  }

  /** The names of the first measured resources, ascending. */
  public static List<String> resourceNames(int count) {
    return List.of(NAMES).subList(0, count);
  }

  private BenchmarkProblem generate() {
    int resources = spec.resources();
    double[] capacity = new double[resources];
    List<Node> nodes = new ArrayList<>(spec.nodes());
    for (int n = 0; n < spec.nodes(); n++) {
      nodes.add(node(n, capacity));
    }

    int shapes = spec.shapes() == 0 ? spec.workloads() : spec.shapes();
    double[] raw = new double[shapes * resources];
    for (int i = 0; i < raw.length; i++) {
      double u = random.nextDouble();
      raw[i] = 0.05 + 3 * u * u;
    }
    int[] shapeOf = new int[spec.workloads()];
    double[] demand = new double[resources];
    for (int w = 0; w < shapeOf.length; w++) {
      shapeOf[w] = spec.shapes() == 0 ? w : random.nextInt(shapes);
      for (int r = 0; r < resources; r++) {
        demand[r] += raw[shapeOf[w] * resources + r];
      }
    }
    int[] units = new int[raw.length];
    for (int i = 0; i < raw.length; i++) {
      int r = i % resources;
      double scaled = raw[i] * spec.percent() / 100.0 * capacity[r] / demand[r];
      units[i] = Math.max(1, (int) Math.round(scaled * UNITS));
    }

    List<Workload> workloads = new ArrayList<>(shapeOf.length);
    for (int w = 0; w < shapeOf.length; w++) {
      workloads.add(workload(w, units, shapeOf[w] * resources));
    }
    return new BenchmarkProblem(nodes, workloads, rubric());
  }

  /** Makes a node, and adds its resources to the capacity of the fleet. */
  private Node node(int number, double[] capacity) {
    int resources = spec.resources();
    int size = 1 << random.nextInt(3);
    int profile = random.nextInt(3);
    Entries entries = new Entries();
    int odd = spec.rules() ? random.nextInt(20) : 20;
    int oddResource = random.nextInt(resources);
    for (int r = 0; r < resources; r++) {
      int whole = UNITS * size * (r % 3 == profile ? 2 : 1);
      if (r != oddResource || odd > 3) {
        entries.add(NAMES[r], Quantity.of(whole));
        capacity[r] += whole;
      } else if (odd == 2) {
        entries.add(NAMES[r], Quantity.NEGATIVE_INFINITY);
      } else if (odd == 3) {
        entries.add(NAMES[r], Quantity.of(-5));
      } else if (resources == 1) {
        entries.add(NAMES[r], Quantity.ZERO);
      }
    }
    if (spec.rules()) {
      for (String tag : TAGS) {
        if (random.nextInt(4) == 0) {
          entries.add(tag, Quantity.ZERO);
        }
      }
      for (String ward : WARDS) {
        if (random.nextInt(6) == 0) {
          entries.add(ward, Quantity.NEGATIVE_INFINITY);
        }
      }
    }
    // Names in random order, as in a fleet that grew.
    String scramble = Long.toString(random.nextLong(1L << 40), 36);
    return Node.of("n" + scramble + "-" + number, entries.toResources());
  }

  private Workload workload(int number, int[] units, int from) {
    String name = "w" + number;
    Entries entries = new Entries();
    if (!spec.rules()) {
      for (int r = 0; r < spec.resources(); r++) {
        entries.add(NAMES[r], quantity(units[from + r]));
      }
      return Workload.of(name, entries.toResources());
    }
    for (int r = 0; r < spec.resources(); r++) {
      boolean asks = random.nextInt(6) != 0;
      boolean gives = random.nextInt(12) == 0;
      if (asks) {
        entries.add(NAMES[r], quantity(gives ? -units[from + r] / 2 : units[from + r]));
      }
    }
    for (String tag : TAGS) {
      if (random.nextInt(8) == 0) {
        entries.add(tag, Quantity.ZERO);
      }
    }
    Set<String> immunities = new HashSet<>();
    for (String ward : WARDS) {
      if (random.nextInt(4) == 0) {
        immunities.add(ward);
      }
    }
    if (random.nextInt(10) == 0) {
      immunities.add(NAMES[random.nextInt(spec.resources())]);
    }
    Set<String> groups = new HashSet<>();
    if (random.nextInt(4) == 0) {
      groups.add("group-" + random.nextInt(GROUPS));
      groups.add("group-" + random.nextInt(GROUPS));
    }
    return new Workload(name, entries.toResources(), immunities, groups);
  }

  private Rubric rubric() {
    Entries weights = new Entries();
    for (int r = 0; r < spec.resources(); r++) {
      weights.add(NAMES[r], Quantity.ofScaled(r == 0 ? 100 : 50 + 25 * (r % 3), 2));
    }
    return new Rubric(weights.toResources());
  }

  private static Quantity quantity(int units) {
    return Quantity.ofScaled((long) units * UNIT_MILLIONTHS, 6);
  }

  /** Names and quantities while they are collected. */
  private static final class Entries {
    private final List<String> names = new ArrayList<>();
    private final List<Quantity> quantities = new ArrayList<>();

    void add(String name, Quantity quantity) {
      names.add(name);
      quantities.add(quantity);
    }

    Resources toResources() {
      return Resources.of(names.toArray(String[]::new), quantities.toArray(Quantity[]::new));
    }
  }
}
