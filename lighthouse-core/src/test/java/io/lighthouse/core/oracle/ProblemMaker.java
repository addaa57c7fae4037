package io.lighthouse.core.oracle;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Makes random nodes, workloads and rubrics of one problem; everything follows from the seed. */
public final class ProblemMaker {
  /** Beyond the basic plane, and just below it: their order is not that of String.compareTo. */
  private static final String[] PREFIXES = {"n", "n", "n", "\uff5e", "\ud83d\ude80"};

  public final SplittableRandom random;

  /** How many nodes a problem begins with. */
  public final int nodes;

  private final String[] common;
  private final int tags;
  private final int groups;
  private final boolean crowd;
  private final int digits;
  private final int oddities;

  /** Wards of which each node has at most one; 0 in most problems. */
  private final int tenants;

  private final List<Workload> shapes = new ArrayList<>();
  private final boolean repeats;
  private int made;

  public ProblemMaker(long seed) {
    random = new SplittableRandom(seed);
    nodes = size();
    common = new String[chance(40) ? 40 : 1 + random.nextInt(4)];
    for (int i = 0; i < common.length; i++) {
      common[i] = i == 0 ? "cpu" : i == 1 ? "mem" : "r" + i;
    }
    int[] tagCounts = {0, 0, 3, 40, 3000};
    tags = tagCounts[random.nextInt(tagCounts.length)];
    int[] groupCounts = {0, 0, 2, 5, 200};
    groups = groupCounts[random.nextInt(groupCounts.length)];
    crowd = groups > 0 && chance(2);
    int[] finest = {0, 0, 1, 3, 9, 12};
    digits = finest[random.nextInt(finest.length)];
    oddities = random.nextInt(4);
    int[] tenantCounts = {0, 0, 0, 0, 12, 500};
    tenants = tenantCounts[random.nextInt(tenantCounts.length)];
    repeats = chance(2);
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      shapes.add(fresh());
    }
  }

  private int size() {
    return switch (random.nextInt(40)) {
      case 0 -> 4090 + random.nextInt(20);
      case 1, 2 -> 257 + random.nextInt(600);
      case 3, 4, 5, 6, 7, 8, 9, 10 -> 60 + random.nextInt(75);
      case 11 -> 0;
      default -> 1 + random.nextInt(30);
    };
  }

  /** True once in {@code oneIn} times. */
  public boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  public Node node() {
    Map<String, Object> resources = new LinkedHashMap<>();
    for (String name : common) {
      if (!chance(12)) {
        resources.put(name, chance(25) ? Quantity.INFINITY : amount(1 + random.nextInt(60)));
      }
    }
    for (int i = 0; tags > 0 && i < random.nextInt(4); i++) {
      resources.put("tag-" + random.nextInt(tags), chance(3) ? Quantity.ONE : Quantity.ZERO);
    }
    if (oddities > 0 && chance(4)) {
      resources.put("ward-" + random.nextInt(oddities), Quantity.NEGATIVE_INFINITY);
    }
    if (oddities > 0 && chance(4)) {
      resources.put("debt-" + random.nextInt(oddities), amount(1 + random.nextInt(3)).negated());
    }
    if (tenants > 0 && !chance(6)) {
      resources.put("tenant-" + random.nextInt(tenants), Quantity.NEGATIVE_INFINITY);
    }
    List<Workload> brought = new ArrayList<>();
    for (int i = 0; chance(5) && i < 3; i++) {
      Map<String, Object> takes = new LinkedHashMap<>();
      if (resources.containsKey("cpu")) {
        takes.put("cpu", amount(random.nextInt(4)));
      }
      brought.add(new Workload(name("w"), Resources.of(takes), Set.of(), groupNames()));
    }
    return new Node(name(""), Resources.of(resources), brought, chance(20));
  }

  /** Another capacity for a node: some of what it had, some more, some less. */
  public Resources capacity(Resources before, Set<String> inUse) {
    Map<String, Object> resources = new LinkedHashMap<>();
    before
        .asMap()
        .forEach(
            (name, quantity) -> {
              boolean kept = inUse.contains(name) || !chance(5);
              if (kept && chance(3)) {
                resources.put(name, chance(6) ? Quantity.INFINITY : amount(random.nextInt(40)));
              } else if (kept) {
                resources.put(name, quantity);
              }
            });
    if (chance(3)) {
      resources.put("tag-" + random.nextInt(5), Quantity.ZERO);
    }
    if (chance(6)) {
      resources.put("ward-0", Quantity.NEGATIVE_INFINITY);
    }
    return Resources.of(resources);
  }

  public Workload workload() {
    Workload shape = repeats && !chance(8) ? shapes.get(random.nextInt(shapes.size())) : fresh();
    return new Workload(
        name("w"), shape.requirements(), shape.immunities(), shape.aversionGroups());
  }

  /** A workload without immunities and groups, the commonest kind. */
  public Workload plain() {
    Workload workload = workload();
    return Workload.of(workload.name(), workload.requirements());
  }

  private Workload fresh() {
    Map<String, Object> requirements = new LinkedHashMap<>();
    for (String name : common) {
      if (!chance(common.length > 8 ? 3 : 4)) {
        requirements.put(name, amount(random.nextInt(6)));
      }
    }
    if (tags > 0 && chance(3)) {
      requirements.put("tag-" + random.nextInt(tags), chance(4) ? Quantity.ONE : Quantity.ZERO);
    }
    if (chance(15)) {
      requirements.put("cpu", amount(1 + random.nextInt(5)).negated());
    }
    if (oddities > 0 && chance(8)) {
      requirements.put("debt-" + random.nextInt(oddities), amount(1 + random.nextInt(4)).negated());
    }
    if (chance(30)) {
      requirements.put("nobody-has-this", Quantity.of("0.5"));
    }
    Set<String> immunities = new HashSet<>();
    for (int i = 0; i < oddities; i++) {
      if (chance(4)) {
        immunities.add("ward-" + i);
      }
      if (chance(4)) {
        immunities.add("debt-" + i);
      }
    }
    for (int i = 0; tenants > 0 && i < (chance(4) ? tenants / 2 : 2); i++) {
      immunities.add("tenant-" + random.nextInt(tenants));
    }
    if (chance(15)) {
      immunities.add(common[random.nextInt(common.length)]);
    }
    return new Workload("shape", Resources.of(requirements), immunities, groupNames());
  }

  private Set<String> groupNames() {
    Set<String> names = new HashSet<>();
    if (crowd && chance(2)) {
      names.add("everybody");
    }
    for (int i = 0; groups > 0 && chance(2) && i < 2; i++) {
      names.add("group-" + random.nextInt(groups));
    }
    for (int i = 0; groups > 100 && chance(8) && i < 40; i++) {
      names.add("group-" + random.nextInt(groups / 4));
    }
    return names;
  }

  public Rubric rubric() {
    Map<String, Object> weights = new LinkedHashMap<>();
    String[] all = {
      "0", "1", "1", "2", "0.5", "-1", "-0.25", "1e-9", "1e30", "-1e-30", "123456789012345678"
    };
    String[] kind = {"0", "1", "1", "2", "0.5"};
    String[] from = chance(2) ? kind : all;
    for (int i = 0; i < Math.min(3, common.length); i++) {
      weights.put(common[i], from[random.nextInt(from.length)]);
    }
    if (chance(4)) {
      weights.put("ward-0", from[random.nextInt(from.length)]);
    }
    if (chance(6)) {
      weights.put("nobody-has-this", 1);
    }
    return Rubric.of(weights);
  }

  private Quantity amount(int about) {
    Quantity whole = Quantity.of(about);
    if (digits == 0 || chance(2)) {
      return whole;
    }
    int places = 1 + random.nextInt(digits);
    return whole.plus(
        Quantity.of(
            new java.math.BigDecimal(java.math.BigInteger.valueOf(random.nextInt(10)), places)));
  }

  private String name(String kind) {
    return kind + PREFIXES[random.nextInt(PREFIXES.length)] + random.nextInt(10) + "-" + made++;
  }
}
