package io.lighthouse.benchmarks.problem;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A fleet in which a search could become slow all at once: an index that does not cover the case
 * would have to check most nodes one by one. Each is compared with a plain case.
 *
 * <p>In every fleet, only the last node has room. Every other node lacks a little of one resource,
 * not all of the same one. So a search has to rule out all nodes.
 */
public enum Cliff {
  PLAIN("plain, first fit"),
  PLAIN_PACKED("plain, bin-pack"),
  FINE_WEIGHTS("weights of 16 digits, bin-pack"),
  SPARSE("a resource on one node in 10, taken"),
  /** The same on one in seventy, fewer than have rows. */
  RARE("a resource on one node in 70, taken"),
  /** Many resources on each node, the last one taken everywhere. */
  MANY_RESOURCES("64 resources, the last one taken"),
  /** Too many resources for many thresholds of each. */
  TOO_MANY_RESOURCES("300 resources, the last one taken"),
  /** Requirements from one to a thousand million. */
  WIDE_NEEDS("requirements over nine powers of ten"),
  /** The wards of 1,000 tenants, and a workload of a tenant whose nodes are full. */
  TENANTS("1,000 tenants' wards, one's nodes full"),
  /** The same for a workload that is immune to most of them. */
  MANY_TENANTS("1,000 tenants' wards, 900 nodes' tolerated"),
  OWN_WARDS("a ward of its own on each node"),
  COMMON_WARDS("50 wards, one on each node"),
  SCALES_IN_TURN("nine digits and large numbers in turn"),
  CROWD("300 aversion groups of 300 nodes"),
  CROWD_PACKED("300 aversion groups, bin-pack"),
  INFINITE("infinite quantities, bin-pack"),
  /** Workloads in fifty zones allow no other member of their group there. */
  HELD("50 zones full by rules of workloads there"),
  EXPLAINED("a refusal explained");

  /** The number of different workloads, used in turn; more shapes than any memo of shapes holds. */
  private static final int ASKED = 512;

  private static final int ZONES = 50;

  private static final String[] NAMES = {"cpu", "disk", "mem", "net"};

  private final String label;

  Cliff(String label) {
    this.label = label;
  }

  /** Whether an order is kept. */
  private boolean packed() {
    return switch (this) {
      case PLAIN_PACKED, FINE_WEIGHTS, CROWD_PACKED, INFINITE -> true;
      default -> false;
    };
  }

  /** The plain case to compare with. */
  public Cliff plain() {
    return packed() ? PLAIN_PACKED : PLAIN;
  }

  /** Whether such a fleet fits the memory of a benchmark. */
  public boolean isMadeOf(int nodes) {
    return this != TOO_MANY_RESOURCES || nodes <= 10_000;
  }

  @Override
  public String toString() {
    return label;
  }

  /** A fleet, and workloads that are each to be assigned and released again. */
  public record Fleet(Distributor distributor, List<Workload> asked) {}

  public Fleet fleet(int nodes) {
    SplittableRandom random = new SplittableRandom(nodes);
    List<Node> all = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      Map<String, Object> resources = new LinkedHashMap<>();
      boolean last = n == nodes - 1;
      for (int r = 0; r < NAMES.length; r++) {
        boolean lacks = lacking(n) == r && !last;
        int little = random.nextInt(this == INFINITE ? 220 : 10);
        resources.put(NAMES[r], lacks ? little : 1_000 + random.nextInt(1_000));
      }
      furnish(resources, n, last, random);
      List<Workload> brought =
          switch (this) {
            case CROWD, CROWD_PACKED -> crowd(n, last);
            case HELD -> n < ZONES ? List.of(holder(n)) : List.of();
            default -> List.of();
          };
      Node node =
          new Node(
              (last ? "z" : "n") + random.nextInt(1 << 20) + "-" + n,
              Resources.of(resources),
              brought,
              false);
      all.add(this == HELD && !last ? node.in("zone", "z" + n % ZONES) : node);
    }
    Distributor distributor =
        Distributors.installed()
            .strategy(packed() ? "bin-pack" : "prioritized")
            .nodes(all)
            .rubric(rubric())
            .build();
    List<Workload> asked = new ArrayList<>();
    for (int w = 0; w < ASKED; w++) {
      asked.add(workload(w, nodes, random));
    }
    return new Fleet(distributor, asked);
  }

  /** The resource of which a node has too little; empty where something else rules the node out. */
  private int lacking(int node) {
    return switch (this) {
      case SPARSE, RARE, MANY_RESOURCES, TOO_MANY_RESOURCES -> -1;
      case TENANTS, MANY_TENANTS, OWN_WARDS, COMMON_WARDS, CROWD, CROWD_PACKED, HELD -> -1;
      case FINE_WEIGHTS -> -1;
      case EXPLAINED -> 3;
      case INFINITE -> 1 + node % 3;
      default -> node % NAMES.length;
    };
  }

  private void furnish(
      Map<String, Object> resources, int n, boolean last, SplittableRandom random) {
    switch (this) {
      case SPARSE, RARE -> {
        if (n % (this == SPARSE ? 10 : 70) == 0 || last) {
          resources.put("gpu", last ? 8 : 0);
        }
      }
      case MANY_RESOURCES, TOO_MANY_RESOURCES -> {
        for (int r = 0; r < others(); r++) {
          resources.put("r" + (100 + r), r == others() - 1 && !last ? 0 : 100);
        }
      }
      case WIDE_NEEDS -> {
        for (String name : NAMES) {
          resources.put(name, last ? 4_000_000_000L : wide(random) / 4);
        }
      }
      case TENANTS, MANY_TENANTS -> {
        if (!last) {
          resources.put("tenant-" + n % 1_000, "-inf");
          if (this == TENANTS ? n % 1_000 == 7 : n % 1_000 < 900) {
            resources.put("mem", 0);
          }
        }
      }
      case OWN_WARDS -> {
        if (!last) {
          resources.put("ward-" + n, "-inf");
          if (n == 7) {
            resources.put("mem", 0);
          }
        }
      }
      case COMMON_WARDS -> {
        if (!last) {
          resources.put("ward-" + n % 50, "-inf");
        }
      }
      case SCALES_IN_TURN -> {
        resources.put("cpu", last ? 1_000 : lacking(n) == 0 ? 0 : 100);
      }
      case INFINITE -> resources.put("cpu", "inf");
      default -> {
        // Nothing else.
      }
    }
  }

  private int others() {
    return this == MANY_RESOURCES ? 60 : 296;
  }

  private static long wide(SplittableRandom random) {
    return (long) Math.pow(10, 9 * random.nextDouble());
  }

  /** Three hundred groups, each on the same three hundred nodes or more, none on the last. */
  private List<Workload> crowd(int n, boolean last) {
    if (last) {
      return List.of();
    }
    Set<String> groups = new HashSet<>();
    for (int g = 0; g < 300; g++) {
      if ((n + g) % 300 < 4) {
        groups.add("group-" + g);
      }
    }
    return List.of(new Workload("resident-" + n, Resources.none(), Set.of(), groups));
  }

  /** A workload that allows no other member of its group in its zone. */
  private static Workload holder(int n) {
    return Workload.of("holder-" + n, Resources.none())
        .withTerms(Terms.NONE.inGroups("held").rules(new Rule.Most(1, "held", "zone")));
  }

  private Rubric rubric() {
    return this == FINE_WEIGHTS
        ? Rubric.of(
            "cpu", 0.1234567890123456, "disk", 1234567.890123456, "mem", 7.654321098765432e-7)
        : this == SCALES_IN_TURN ? Rubric.of() : Rubric.of("cpu", 1, "disk", 0.5, "mem", 0.25);
  }

  private Workload plainly(String name, SplittableRandom random) {
    Map<String, Object> needs = new LinkedHashMap<>();
    for (String each : NAMES) {
      needs.put(each, 20 + random.nextInt(200));
    }
    return Workload.of(name, Resources.of(needs));
  }

  private Workload workload(int number, int nodes, SplittableRandom random) {
    Workload plain = plainly("w" + number, random);
    Map<String, Object> needs = new LinkedHashMap<>(plain.requirements().asMap());
    Set<String> immunities = new HashSet<>();
    Set<String> groups = new HashSet<>();
    switch (this) {
      case SPARSE, RARE -> needs.put("gpu", 1 + random.nextInt(4));
      case MANY_RESOURCES, TOO_MANY_RESOURCES -> {
        for (int r = 0; r < others(); r++) {
          needs.put("r" + (100 + r), 1 + random.nextInt(4));
        }
      }
      case WIDE_NEEDS -> {
        for (String name : NAMES) {
          needs.put(name, 1 + wide(random));
        }
      }
      case TENANTS -> immunities.add("tenant-7");
      case MANY_TENANTS -> {
        for (int t = 0; t < 900; t++) {
          immunities.add("tenant-" + t);
        }
      }
      case OWN_WARDS -> immunities.add("ward-7");
      case SCALES_IN_TURN ->
          needs.put("cpu", number % 2 == 0 ? "100.000000001" : String.valueOf(20_000_000_000L));
      case CROWD, CROWD_PACKED -> {
        for (int g = 0; g < 300; g++) {
          groups.add("group-" + g);
        }
      }
      case EXPLAINED -> needs.put("net", 1_000_000);
      case INFINITE -> needs.put("net", 20 + random.nextInt(200));
      default -> {
        // As it is.
      }
    }
    Workload workload = new Workload(plain.name(), Resources.of(needs), immunities, groups);
    return this == HELD ? workload.withTerms(Terms.NONE.inGroups("held")) : workload;
  }
}
