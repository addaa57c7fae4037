package io.lighthouse.tests.generate;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Random small fleets with domains, rules, preferences and gangs, workloads for them, and calls.
 * Names are few, so that workloads share them; room is little, so that it runs out. A seed gives
 * the same everywhere. Not thread-safe.
 */
public final class Dice {
  private static final List<String> RESOURCES = List.of("cpu", "mem", "gpu");
  private static final List<String> SHARED = List.of("power", "cool", "cpu");
  private static final List<String> LEVELS = List.of("rack", "zone", "pool");
  private static final List<String> GROUPS = List.of("a", "b", "c");
  private final SplittableRandom random;
  private final Plain plain = new Plain(this);
  private int names;

  /** Which kinds of rules and conditions occur under this seed: some seeds leave out a kind. */
  private final boolean domains;

  private final boolean sharing;
  private final boolean conditions;
  private final boolean ruling;
  private final boolean preferring;
  private final boolean ganging;
  private final boolean unusual;

  /**
   * A level that rules name first. Nodes and domains name it only after the first batch, and then
   * rules seldom name it again. Empty under most seeds.
   */
  private final String late;

  private boolean drewBatch;

  /**
   * Dice for one fleet and its calls.
   *
   * @param seed any
   */
  public Dice(long seed) {
    random = new SplittableRandom(seed);
    domains = !chance(8);
    sharing = chance(2);
    conditions = chance(2);
    ruling = !chance(4);
    preferring = chance(2);
    ganging = chance(2);
    unusual = chance(3);
    late = chance(6) ? one(LEVELS) : "";
  }

  /**
   * The same dice for nodes and workloads without domains, rules and gangs.
   *
   * @return draws of odd names and quantities
   */
  public Plain plain() {
    return plain;
  }

  /**
   * Throws a die.
   *
   * @param of its number of sides, 1 or more
   * @return true for one of the sides
   */
  public boolean chance(int of) {
    return random.nextInt(of) == 0;
  }

  /**
   * Chooses a number.
   *
   * @param bound the number of choices
   * @return a number from 0 to the bound, exclusive
   */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /**
   * Chooses an element.
   *
   * @param of at least one
   * @param <T> their type
   * @return one of them
   */
  public <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String level() {
    return switch (below(8)) {
      case 0, 1 -> Rule.NODE;
      case 2 -> Rule.FLEET;
      default -> {
        String level = one(LEVELS);
        yield level.equals(late) && drewBatch && !chance(6) ? Rule.NODE : level;
      }
    };
  }

  private boolean isStillUnnamed(String level) {
    return level.equals(late) && !drewBatch;
  }

  private String domain(String level) {
    return level.charAt(0) + "" + below(3);
  }

  private Quantity quantity(int most) {
    int value = below(most + 1);
    return switch (below(12)) {
      case 0 -> Quantity.of(value + "." + below(10));
      case 1 -> Quantity.of(value + "." + below(1000) + "5");
      default -> Quantity.of(value);
    };
  }

  private Quantity offered(int most) {
    if (!unusual) {
      return quantity(most);
    }
    return switch (below(14)) {
      case 0 -> Quantity.NEGATIVE_INFINITY;
      case 1 -> Quantity.INFINITY;
      case 2 -> quantity(3).negated();
      case 3 -> Quantity.ZERO;
      default -> quantity(most);
    };
  }

  private Resources offers(List<String> of, int most) {
    Map<String, Quantity> offers = new HashMap<>();
    for (String name : of) {
      if (!chance(4)) {
        offers.put(name, offered(most));
      }
    }
    return Resources.of(offers);
  }

  private Resources needs(List<String> of, int most) {
    Map<String, Quantity> needs = new HashMap<>();
    for (String name : of) {
      if (chance(2)) {
        Quantity need = quantity(most);
        needs.put(name, unusual && chance(10) ? need.negated() : need);
      }
    }
    return Resources.of(needs);
  }

  private Map<String, Unit> units(Resources resources) {
    Map<String, Unit> units = new HashMap<>();
    for (String name : resources.names()) {
      if (chance(10)) {
        units.put(
            name,
            new Unit(
                chance(2) ? Quantity.ONE : Quantity.ZERO,
                chance(2) ? Quantity.of(2) : Quantity.INFINITY,
                chance(2) ? Quantity.of("0.5") : Quantity.ZERO));
      }
    }
    return units;
  }

  private Map<String, String> domains() {
    Map<String, String> byLevel = new HashMap<>();
    for (String level : LEVELS) {
      if (domains && !chance(5) && !isStillUnnamed(level)) {
        byLevel.put(level, domain(level));
      }
    }
    return byLevel;
  }

  /**
   * A node with a new name.
   *
   * @return one without workloads
   */
  public Node node() {
    Resources resources = offers(RESOURCES, 9);
    return new Node("n" + names++, resources, List.of(), chance(12), domains(), units(resources));
  }

  /**
   * A node with a new name that brings workloads, which take nothing that is not there.
   *
   * @param declared the domains of the fleet
   * @return one with up to two workloads
   */
  public Node nodeWithWorkloads(List<Domain> declared) {
    Node node = node();
    List<Workload> brought = new ArrayList<>();
    for (int i = below(3); i > 0; i--) {
      Workload workload = workload();
      boolean sound =
          node.resources().names().containsAll(workload.requirements().names())
              && workload.terms().shared().entrySet().stream()
                  .allMatch(entry -> has(declared, node, entry.getKey(), entry.getValue()));
      if (sound) {
        brought.add(workload);
      }
    }
    return node.withWorkloads(brought.toArray(Workload[]::new));
  }

  private static boolean has(List<Domain> declared, Node node, String level, Resources shared) {
    String name = level.equals(Rule.FLEET) ? Rule.FLEET : node.domains().get(level);
    return declared.stream()
        .anyMatch(
            domain ->
                domain.level().equals(level)
                    && domain.name().equals(name)
                    && domain.resources().names().containsAll(shared.names()));
  }

  /**
   * A domain.
   *
   * @return one of few names, so that it may be there already
   */
  public Domain domain() {
    String level = chance(8) ? Rule.FLEET : one(LEVELS);
    level = isStillUnnamed(level) ? Rule.FLEET : level;
    Resources resources = offers(SHARED, 12);
    return new Domain(
        level,
        level.equals(Rule.FLEET) ? level : domain(level),
        resources,
        units(resources),
        chance(10));
  }

  private Condition condition(int depth) {
    switch (below(depth > 0 ? 8 : 7)) {
      case 0:
        String level = level();
        return new Condition.In(level, domainsOf(level));
      case 1:
        String other = level();
        return new Condition.NotIn(other, domainsOf(other));
      case 2:
        return new Condition.Somewhere(level());
      case 3:
        return chance(3) ? new Condition.Nowhere(one(LEVELS)) : new Condition.Somewhere("zone");
      case 4:
        return chance(3) ? new Condition.Lacks(one(RESOURCES)) : Condition.Has.of(one(RESOURCES));
      case 5, 6: // Twice, for a bound seldom lies between a capacity and what is left of it.
        boolean least = chance(2);
        boolean most = !least || chance(2);
        return new Condition.Has(
            one(RESOURCES),
            least ? quantity(5) : Quantity.NEGATIVE_INFINITY,
            most ? quantity(6) : Quantity.INFINITY);
      default:
        List<List<Condition>> lists = new ArrayList<>();
        for (int i = 1 + below(2); i > 0; i--) {
          lists.add(conditions(1 + below(2), depth - 1));
        }
        return new Condition.Any(lists);
    }
  }

  private List<Condition> conditions(int count, int depth) {
    List<Condition> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      list.add(condition(depth));
    }
    return list;
  }

  private Set<String> domainsOf(String level) {
    Set<String> some = new HashSet<>();
    for (int i = 1 + below(3); i > 0; i--) {
      some.add(
          switch (level) {
            case Rule.NODE -> "n" + below(8);
            case Rule.FLEET -> Rule.FLEET;
            default -> domain(level);
          });
    }
    return some;
  }

  /**
   * A rule.
   *
   * @param soft whether for a preference
   * @return one of any kind but a plug-in's
   */
  public Rule rule(boolean soft) {
    String group = one(GROUPS);
    return switch (below(soft ? 5 : 4)) {
      case 0 -> new Rule.Most(below(4), group, level());
      case 1 -> new Rule.Least(1 + below(2), group, level());
      case 2 -> new Rule.Skew(soft ? below(2) : 1 + below(2), group, level(), 1 + below(3));
      case 3 -> new Rule.Apart(group, level());
      default -> new Rule.Where(conditions(1 + below(2), 1));
    };
  }

  /**
   * Groups.
   *
   * @return any of few, or none
   */
  public Set<String> groups() {
    Set<String> groups = new HashSet<>();
    for (String group : GROUPS) {
      if (chance(3)) {
        groups.add(group);
      }
    }
    return groups;
  }

  private Terms terms() {
    Map<String, Resources> shared = new HashMap<>();
    if (sharing && domains) {
      for (int i = below(3); i > 0; i--) {
        shared.put(chance(6) ? Rule.FLEET : one(LEVELS), needs(SHARED, 3));
      }
    }
    List<Rule> hard = new ArrayList<>();
    for (int i = ruling ? below(3) : 0; i > 0; i--) {
      hard.add(rule(false));
    }
    List<Rule> soft = new ArrayList<>();
    for (int i = preferring ? below(3) : 0; i > 0; i--) {
      soft.add(rule(true));
    }
    return new Terms(
        shared,
        groups(),
        conditions && chance(2) ? conditions(1, 2) : List.of(),
        hard,
        soft,
        Optional.empty());
  }

  /**
   * A workload with a new name.
   *
   * @return one that is in no gang
   */
  public Workload workload() {
    Workload workload = Workload.of("w" + names++, needs(RESOURCES, 4));
    if (chance(8)) {
      workload = workload.withImmunities(one(RESOURCES), one(SHARED));
    } else if (chance(12)) {
      workload = workload.withImmunities(one(SHARED));
    }
    if (chance(5)) {
      workload = workload.withAversionGroups(one(GROUPS));
    }
    return chance(6) ? workload : workload.withTerms(terms());
  }

  /**
   * A batch: some alone, some in several copies, some in gangs.
   *
   * @return one workload or more
   */
  public List<Workload> batch() {
    List<Workload> batch = new ArrayList<>();
    for (int i = 1 + below(4); i > 0; i--) {
      Workload workload = workload();
      if (ganging && chance(3)) {
        List<Workload> members = gang(workload);
        Gang gang = members.get(0).terms().gang().orElseThrow();
        batch.addAll(members);
        if (chance(3)) {
          Workload another = workload();
          batch.add(below(batch.size() + 1), another.withTerms(another.terms().inGang(gang)));
        }
      } else if (chance(3)) {
        batch.addAll(workload.replicas(2 + below(4)));
      } else {
        batch.add(workload);
      }
    }
    drewBatch = true;
    return batch;
  }

  /** Several members of one kind. */
  List<Workload> gang() {
    return gang(workload());
  }

  private List<Workload> gang(Workload one) {
    Gang gang = Gang.of("of-" + one.name());
    gang = chance(3) ? gang : gang.within(chance(2) ? level() : one(LEVELS));
    return one.withTerms(one.terms().inGang(gang)).replicas(2 + below(3));
  }

  /** A workload in an aversion group: aversion and preferences have to meet. */
  Workload averse() {
    return workload().withAversionGroups(one(GROUPS));
  }

  /**
   * A fleet, some of whose nodes bring workloads.
   *
   * @return at least one node
   */
  public RandomFleet fleet() {
    List<Domain> declared = new ArrayList<>();
    Set<List<String>> taken = new HashSet<>();
    for (int i = domains ? below(8) : 0; i > 0; i--) {
      Domain domain = domain();
      if (taken.add(List.of(domain.level(), domain.name()))) {
        declared.add(domain);
      }
    }
    List<Node> nodes = new ArrayList<>();
    for (int i = below(9); i >= 0; i--) {
      nodes.add(chance(4) ? nodeWithWorkloads(declared) : node());
    }
    List<Rule> rules = new ArrayList<>();
    for (int i = ruling && chance(3) ? 1 + below(2) : 0; i > 0; i--) {
      rules.add(rule(false));
    }
    Optional<String> last = chance(2) ? Optional.empty() : Optional.of(one(nodes).name());
    return new RandomFleet(nodes, declared, rules, last);
  }
}
