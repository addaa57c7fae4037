package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The audit of what is derived from the accounts: it agrees with honest fleets of any size at any
 * moment of their lives, and it finds each part that was planted wrong.
 */
class AuditTest {
  private static final Rubric RUBRIC = Rubric.of("cpu", 1);

  /** What differs of a distributor's derived state. */
  static List<String> audit(Distributor distributor) {
    BaseDistributor audited = (BaseDistributor) distributor;
    return audited.run(audited.operations::audit);
  }

  /** Asks by the first letter of the workload's name, so that every part of the index is in use. */
  private static final class EveryQuestion implements PlacementStrategy {
    @Override
    public String name() {
      return "every-question";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      NodeOrder order = fleet.orderBy(RUBRIC);
      return (workload, candidates) ->
          switch (workload.name().charAt(0)) {
            case 'o' -> candidates.first(order);
            case 'd' -> candidates.first(order.descending());
            case 'e' -> candidates.emptiest();
            case 'v' -> candidates.mostEven();
            case 'r' -> candidates.firstAfter(fleet.lastPlaced());
            default -> candidates.first();
          };
    }
  }

  /** Keeps workloads off the nodes of the first zone. */
  private static final class OutOfZone implements PlacementRule {
    @Override
    public String name() {
      return "out-of-zone";
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(Reads.NODE);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      return (workload, node) ->
          node.domain("zone").filter(zone -> zone.name().equals("z0")).isPresent()
              ? Judgement.broken(1, "it is in z0")
              : Judgement.KEPT;
    }
  }

  private final SplittableRandom random = new SplittableRandom(7);
  private Distributor distributor;
  private int names;

  private void begin(int nodes) {
    List<Node> fleet = new ArrayList<>();
    while (fleet.size() < nodes) {
      fleet.add(node());
    }
    distributor =
        Distributors.of(new EveryQuestion())
            .rule(new OutOfZone())
            .nodes(fleet)
            .domains(List.of(Domain.of("zone", "z0", Resources.of("power", 500))))
            .build();
  }

  private Node node() {
    int number = names++;
    Map<String, Object> resources =
        number % 97 == 5
            ? Map.of("cpu", 8, "mem", 16, "lic", -1)
            : number % 11 == 3
                ? Map.of("cpu", 8, "mem", 16, "debt", number % 2 == 0 ? -2 : 2)
                : Map.of("cpu", 4 + number % 9, "mem", 8 + number % 5);
    return new Node(
        "n" + number,
        Resources.of(resources),
        List.of(),
        number % 31 == 7,
        Map.of("zone", "z" + number % 7),
        Map.of());
  }

  private Workload workload() {
    Workload plain =
        Workload.of(
            "foodverf".charAt(random.nextInt(8)) + "-" + names++,
            Resources.of("cpu", 1 + random.nextInt(3), "mem", 1 + random.nextInt(4)));
    return switch (random.nextInt(8)) {
      case 0 -> plain.withAversionGroups("a" + random.nextInt(3));
      case 1 -> plain.withTerms(Terms.NONE.inGroups("g").rules(new Rule.Most(40, "g", "zone")));
      case 2 -> plain.withTerms(Terms.NONE.inGroups("g").rules(new Rule.Most(2, "g", Rule.NODE)));
      case 3 -> plain.withTerms(Terms.NONE.sharing("zone", Resources.of("power", 1)));
      case 4 -> plain.withImmunities("lic");
      case 5 ->
          plain.withTerms(
              Terms.NONE
                  .where(new Condition.NotIn("zone", Set.of("z9")))
                  .inGroups("s")
                  .rules(new Rule.Skew(9, "s", "zone", 2)));
      case 6 -> plain.withTerms(Terms.NONE.rules(new Rule.Named("out-of-zone", Map.of())));
      default -> plain;
    };
  }

  private void live(int batches) {
    for (int i = 0; i < batches; i++) {
      List<Workload> batch = new ArrayList<>();
      for (int k = 0; k < 30; k++) {
        batch.add(workload());
      }
      batch.addAll(Workload.of("f-run-" + names++, Resources.of("cpu", 1, "mem", 1)).replicas(5));
      distributor.assign(batch, Budget.UNLIMITED);
      for (int k = 0; k < 3; k++) {
        distributor.fitting(workload());
      }
    }
  }

  private void change() {
    List<String> placed = new ArrayList<>();
    List<String> empty = new ArrayList<>();
    List<String> all = new ArrayList<>();
    distributor
        .snapshot()
        .nodes()
        .forEach(
            node -> {
              all.add(node.name());
              node.workloads().forEach(one -> placed.add(one.name()));
              if (node.workloads().isEmpty()) {
                empty.add(node.name());
              }
            });
    switch (random.nextInt(5)) {
      case 0 -> distributor.addNode(node());
      case 1 -> {
        if (!empty.isEmpty()) {
          distributor.removeNode(empty.get(random.nextInt(empty.size())));
        }
      }
      case 2 -> {
        Collections.shuffle(placed, new Random(random.nextLong()));
        distributor.release(placed.subList(0, placed.size() / 3));
      }
      case 3 -> {
        distributor.cordon(all.get(random.nextInt(all.size())));
        distributor.uncordon(all.get(random.nextInt(all.size())));
      }
      default ->
          distributor.tryOut(
              List.of(),
              tried -> {
                tried.assign(List.of(workload(), workload()));
                assertThat(audit(tried)).isEmpty();
                return null;
              });
    }
  }

  /** Above 2,048 nodes no other assertion compares the index with the accounts. */
  @ParameterizedTest
  @ValueSource(ints = {3, 300, 2_100, 4_500})
  void agreesAtEveryMomentOfAnHonestLife(int nodes) {
    begin(nodes);
    assertThat(audit(distributor)).isEmpty();
    for (int step = 0; step < 25; step++) {
      live(2);
      assertThat(audit(distributor)).as("after batches of step %d", step).isEmpty();
      change();
      assertThat(audit(distributor)).as("after the change of step %d", step).isEmpty();
    }
  }

  @Test
  void auditsChangeNothing() {
    begin(300);
    live(30);
    Distributor other = distributor.copy();
    audit(distributor);
    List<Workload> next = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      next.add(workload());
    }
    assertThat(distributor.assign(next)).isEqualTo(other.assign(next));
    assertThat(audit(distributor)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ledger.accounts.accounts",
        "ledger.accounts.negatives",
        "ledger.resources.nodes",
        "ledger.resources.placed",
        "ledger.placements.placedCount",
        "ledger.placements.lists",
        "ledger.placements.links",
        "ledger.members.groups.groups.averse.nodes.free",
        "ledger.topology.levels.nodeCounts",
        "ledger.topology.levels.unused",
        "ledger.topology.levels.accounts.negatives",
        "ledger.members.groups.groups.total",
        "ledger.members.groups.groups.boundCount",
        "ledger.members.groups.groups.members.nodes.free",
        "ledger.members.groups.groups.domains.counts",
        "ledger.members.groups.groups.bounds.bounds",
        "fleet.finder.keeper.constraints.openNodes.open.words",
        "fleet.finder.keeper.constraints.openNodes.open.count",
        "fleet.finder.keeper.constraints.domainNodes.nodes",
        "fleet.finder.keeper.constraints.selectionRows.rows.values.words",
        "fleet.finder.keeper.constraints.selectionRows.rows.values.count",
        "fleet.finder.keeper.constraints.possible.shapes.values.nodes.words",
        "fleet.finder.keeper.constraints.possible.shapes.values.eligible.domains",
        "fleet.finder.keeper.constraints.possible.shapes.values.known",
        "fleet.finder.keeper.constraints.resourceRows.levels.height",
        "fleet.finder.keeper.constraints.resourceRows.levels.rows.words",
        "fleet.finder.keeper.constraints.resourceRows.levels.rough.room",
        "fleet.finder.keeper.constraints.resourceRows.names.having.words",
        "fleet.finder.keeper.constraints.resourceRows.names.negatives",
        "fleet.finder.keeper.constraints.resourceRows.names.sound.words",
        "fleet.finder.keeper.constraints.resourceRows.names.soundOfRare.words",
        "fleet.finder.keeper.constraints.resourceRows.names.copies.words",
        "fleet.finder.keeper.constraints.pluginRows.rows.values.words",
        "fleet.finder.keeper.constraints.resourceRows.names.rareNames.counts",
        "fleet.finder.keeper.constraints.resourceRows.names.rareNames.nodes",
        "fleet.finder.keeper.orders.names.labels",
        "fleet.finder.keeper.orders.names.sizes",
        "fleet.finder.keeper.orders.orders.blocks.position",
        "fleet.finder.keeper.orders.orders.blocks.live",
        "fleet.finder.keeper.orders.orders.blocks.rows.rows",
        "fleet.finder.keeper.orders.orders.blocks.keys.scores",
        "fleet.finder.keeper.orders.orders.blocks.separators.scores",
        "fleet.finder.keeper.orders.orders.memo.keys.scores",
        "fleet.loads.tree.points.shares",
        "fleet.loads.tree.points.used",
        "fleet.loads.tree.points.extreme",
        "fleet.loads.tree.leafOf",
        "fleet.loads.tree.sizes",
        "fleet.loads.tree.bounds.low",
        "fleet.loads.tree.bounds.high",
        "fleet.loads.tree.bounds.least",
        "fleet.loads.tree.bounds.equal",
        "fleet.loads.tree.bounds.kinds",
      })
  void findsWhatWasPlantedWrong(String path) throws ReflectiveOperationException {
    begin(300);
    live(10);
    distributor.assign(List.of(Workload.of("o-last", Resources.of("cpu", 1, "mem", 1))));
    distributor.fitting(Workload.of("debtor", Resources.of("debt", 0)));
    assertThat(audit(distributor)).isEmpty();
    plant(((BaseDistributor) distributor).operations, path.split("\\."));
    assertThat(audit(distributor)).as(path).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ledger.nodes.byName.places",
        "ledger.resources.byName.places",
        "ledger.placements.byName.others.places",
        "ledger.topology.levels.domains.byName.places",
      })
  void findsNamesThatAreLost(String path) throws ReflectiveOperationException {
    begin(300);
    live(10);
    assertThat(audit(distributor)).isEmpty();
    List<Object> at = List.of(((BaseDistributor) distributor).operations);
    for (String name : path.split("\\.")) {
      List<Object> next = new ArrayList<>();
      for (Object one : at) {
        next.addAll(all(field(one, name).get(one)));
      }
      at = next;
    }
    at.forEach(places -> Arrays.fill((long[]) places, 0));
    assertThat(audit(distributor)).isNotEmpty();
  }

  /** Without an index, only the ledger itself counts the nodes. */
  @Test
  void findsAWrongNumberOfNodesInAFleetWithoutAnIndex() throws ReflectiveOperationException {
    begin(3);
    assertThat(audit(distributor)).isEmpty();
    plant(
        ((BaseDistributor) distributor).operations, new String[] {"ledger", "nodes", "liveCount"});
    assertThat(audit(distributor)).isNotEmpty();
  }

  /** The largest capacity is a bound, which may be too high but not too low. */
  @Test
  void findsALargestCapacityThatIsTooLow() throws ReflectiveOperationException {
    begin(300);
    live(10);
    assertThat(audit(distributor)).isEmpty();
    Object at = ((BaseDistributor) distributor).operations;
    for (String name : List.of("ledger", "resources", "largest")) {
      at = field(at, name).get(at);
    }
    long[] largest = (long[]) at;
    largest[0]++;
    assertThat(audit(distributor)).isEmpty();
    largest[0] -= 2;
    assertThat(audit(distributor)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"leastInverse", "mostInverse"})
  void findsABoxWithAnotherCapacity(String name) throws ReflectiveOperationException {
    begin(300);
    live(10);
    distributor.assign(List.of(Workload.of("o-last", Resources.of("cpu", 1, "mem", 1))));
    assertThat(audit(distributor)).isEmpty();
    int planted = 0;
    FleetOperations operations = ((BaseDistributor) distributor).operations;
    Object fleet = field(operations, "fleet").get(operations);
    for (Object index : all(field(fleet, "loads").get(fleet))) {
      Object tree = field(index, "tree").get(index);
      Object bounds = field(tree, "bounds").get(tree);
      long[] inverses = (long[]) field(bounds, name).get(bounds);
      for (int at = 0; at < inverses.length; at++) {
        if (inverses[at] != 0) {
          inverses[at]++;
          assertThat(audit(distributor)).hasSize(1);
          inverses[at]--;
          planted++;
        }
      }
    }
    assertThat(planted).isPositive();
    assertThat(audit(distributor)).isEmpty();
  }

  /** Goes from field to field, of arrays and lists into the first that leads on, and changes it. */
  private static void plant(Object root, String[] path) throws ReflectiveOperationException {
    assertThat(plant(root, path, 0)).as("something is there").isTrue();
  }

  private static boolean plant(Object holder, String[] path, int at)
      throws ReflectiveOperationException {
    Field field = field(holder, path[at]);
    Object value = field.get(holder);
    if (at == path.length - 1 && value instanceof Integer number) {
      field.set(holder, number + 1);
      return true;
    }
    for (Object one : all(value)) {
      if (at == path.length - 1 ? change(one, path) : plant(one, path, at + 1)) {
        return true;
      }
    }
    return false;
  }

  private static boolean change(Object numbers, String[] path) {
    List<String> names = List.of(path);
    boolean isOfBoxes = names.contains("tree") && !names.contains("points");
    int at = isOfBoxes ? Array.getLength(numbers) / 2 : 0; // Its boxes begin at 1.
    if (Array.getLength(numbers) == 0) {
      return false;
    }
    if (names.contains("memo")) { // Only some of its places are in use.
      Arrays.fill((long[]) numbers, Long.MAX_VALUE);
    } else if (numbers instanceof boolean[] booleans) {
      booleans[at] = !booleans[at];
    } else if (numbers instanceof int[] ints) {
      ints[at]++;
    } else if (numbers instanceof long[] longs) {
      longs[at]++;
    } else {
      ((byte[]) numbers)[at]++;
    }
    return true;
  }

  private static Field field(Object of, String name) throws ReflectiveOperationException {
    for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          field.setAccessible(true);
          return field;
        }
      }
    }
    throw new AssertionError(of.getClass() + " has no " + name);
  }

  /** A value, or the elements of arrays, lists and maps that are there. */
  private static List<Object> all(Object value) {
    if (value instanceof Map<?, ?> map) {
      return all(List.copyOf(map.values()));
    }
    if (!(value instanceof Object[]) && !(value instanceof List<?>)) {
      return value == null ? List.of() : List.of(value);
    }
    List<Object> all = new ArrayList<>();
    for (Object one : value instanceof List<?> list ? list.toArray() : (Object[]) value) {
      all.addAll(all(one));
    }
    return all;
  }
}
