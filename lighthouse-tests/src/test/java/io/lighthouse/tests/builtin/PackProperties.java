package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
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
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.statistics.Statistics;

/** What {@code pack} owes beyond the laws that every strategy is held to. */
class PackProperties {
  /**
   * The amounts that a session offers in bulk are scaled, and their order is that of the names as
   * the fleet came to know them. Neither may tell in a decision.
   */
  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void whatAFleetHasSeenBeforeDoesNotTell(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String[] resources = {"cpu", "mem", "disk"};
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(5); i++) {
      nodes.add(Node.of("n" + i, resources(resources, random, 3, 40)));
    }
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 4 + random.nextInt(20); i++) {
      batch.add(Workload.of("w" + i, resources(resources, random, 1, 14)));
    }
    Distributor fresh = fleet(nodes);
    Distributor old = fleet(List.of());
    String[] backwards = {"odd", "disk", "mem", "cpu"};
    Resources finer = Resources.none();
    for (String resource : backwards) {
      finer = finer.with(resource, random.nextBoolean() ? "0.001" : "0.3");
    }
    assertThat(old.assign(Workload.of("before", finer)).placedCount()).isZero();
    nodes.forEach(old::addNode);
    assertThat(old.assign(Workload.of("before", finer)).placedCount()).isZero();
    Assignments answer = fresh.assign(batch);
    Statistics.collect(answer.allPlaced() ? "all placed" : "some refused");
    assertThat(old.assign(batch).asMap()).isEqualTo(answer.asMap());
    assertThat(old.snapshot().nodes()).isEqualTo(fresh.snapshot().nodes());
  }

  private static Resources resources(
      String[] names, SplittableRandom random, int least, int below) {
    Resources resources = Resources.none();
    for (String name : names) {
      resources = resources.with(name, least + random.nextInt(below));
    }
    return resources;
  }

  private static Distributor fleet(List<Node> nodes) {
    return Distributors.installed().strategy("pack").setting("steps", "5000").nodes(nodes).build();
  }

  /**
   * The engine judges the end. Those that give are never moved by the search, for others may live
   * on what they give; but they do not stay beside a rival while a friendly node fits.
   */
  @Property(tries = 1000, shrinking = ShrinkingMode.OFF)
  void givesALawfulEndWhereRivalsGive(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(3); i++) {
      Node node = Node.of("n" + i, some(random, 0, 5));
      nodes.add(random.nextBoolean() ? node : node.withWorkloads(there("b" + i, random)));
    }
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(6); i++) {
      batch.add(workload("w" + i, random));
    }
    Distributor fleet = fleet(nodes);
    assertThatCode(() -> fleet.assign(batch)).doesNotThrowAnyException();
    boolean rivals =
        fleet.snapshot().nodes().stream()
            .anyMatch(
                node -> node.workloads().stream().filter(PackProperties::grouped).count() > 1);
    Statistics.label("rivals on one node").collect(rivals);
  }

  /**
   * The search keeps books of its own, and lets the session follow where these have been right so
   * far. A workload that is a member of a group makes it ask the session at each step; the group
   * means nothing here, so both find the same. With cordoned nodes they may differ: the own books
   * leave such a node out at once, and otherwise the session refuses it at the first try.
   */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void whatItsOwnBooksFindTheSessionFindsToo(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String[] resources = {"cpu", "mem"};
    List<Node> nodes = new ArrayList<>();
    boolean alone = random.nextBoolean();
    for (int i = 0; i < 3 + random.nextInt(6); i++) {
      Node node = Node.of("n" + i, resources(resources, random, 8, 30));
      nodes.add(alone || random.nextBoolean() ? node : node.withWorkloads(there("b" + i, random)));
    }
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 10 + random.nextInt(30); i++) {
      Workload workload = Workload.of("w" + i, resources(resources, random, 1, 12));
      batch.add(random.nextInt(4) > 0 ? workload : workload.withAversionGroups("red"));
    }
    List<Workload> asked = new ArrayList<>(batch);
    asked.set(0, batch.get(0).withTerms(Terms.NONE.inGroups(Set.of("nothing"))));
    Distributor own = fleet(nodes);
    Distributor session = fleet(nodes);
    Assignments answer = own.assign(batch);
    Statistics.collect(answer.allPlaced() ? "all placed" : "some refused");
    assertThat(session.assign(asked).asMap()).isEqualTo(answer.asMap());
  }

  /** A rule of the fleet that the search's own books do not know: what breaks it is taken back. */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void aRuleThatItsOwnBooksDoNotKnowIsKept(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String[] resources = {"cpu", "mem"};
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 4 + random.nextInt(6); i++) {
      Resources capacity = resources(resources, random, 8, 30);
      nodes.add(Node.of("n" + i, capacity).in("zone", "z" + random.nextInt(3)));
    }
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 10 + random.nextInt(20); i++) {
      Workload workload = Workload.of("w" + i, resources(resources, random, 1, 12));
      batch.add(random.nextInt(4) > 0 ? workload : workload.withAversionGroups("red"));
    }
    int most = 1 + random.nextInt(3);
    Distributor fleet =
        Distributors.installed()
            .strategy("pack")
            .setting("steps", "20000")
            .rules(List.of(new Rule.Most(most, "red", "zone")))
            .nodes(nodes)
            .build();
    fleet.assign(batch);
    Map<String, Integer> zones = new TreeMap<>();
    for (NodeState node : fleet.snapshot().nodes()) {
      for (Workload workload : node.workloads()) {
        if (grouped(workload)) {
          zones.merge(node.domains().get("zone"), 1, Integer::sum);
        }
      }
    }
    assertThat(zones.values()).allMatch(red -> red <= most);
  }

  private static boolean grouped(Workload workload) {
    return !workload.aversionGroups().isEmpty();
  }

  private static Workload workload(String name, SplittableRandom random) {
    Workload workload = Workload.of(name, some(random, -3, 3));
    return random.nextInt(3) > 0 ? workload.withAversionGroups("red") : workload;
  }

  private static Workload there(String name, SplittableRandom random) {
    Workload workload = Workload.of(name, Resources.of("cpu", random.nextInt(3)));
    return random.nextBoolean() ? workload.withAversionGroups("red") : workload;
  }

  private static Resources some(SplittableRandom random, int least, int below) {
    Resources resources = Resources.of("cpu", random.nextInt(least, below));
    return random.nextBoolean() ? resources : resources.with("mem", random.nextInt(least, below));
  }

  /**
   * By the goal's own order: no fewer are placed than by a simple strategy, or no less of them. Of
   * as many, no more nodes are used, unless the goal is to place all. There are few steps, so that
   * the search alone would lose. Some batches have gangs, and some fleets a plug-in rule.
   */
  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void neverLosesToASimpleStrategy(@ForAll long seed, @ForAll boolean byNumber) {
    SplittableRandom random = new SplittableRandom(seed);
    String[] resources = {"cpu", "mem"};
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 3 + random.nextInt(8); i++) {
      String rack = "r" + random.nextInt(3);
      nodes.add(Node.of("n" + i, resources(resources, random, 8, 30)).in("rack", rack));
    }
    int oneIn = random.nextInt(3) == 0 ? 3 : Integer.MAX_VALUE; // The part in gangs.
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 10 + random.nextInt(60); i++) {
      String name = List.of("w", "web", "db").get(random.nextInt(3)) + i;
      Workload workload = Workload.of(name, resources(resources, random, 1, 12));
      Gang gang = Gang.of("g" + random.nextInt(5)).within("rack");
      boolean single = random.nextInt(oneIn) > 0;
      batch.add(single ? workload : workload.withTerms(Terms.NONE.inGang(gang)));
    }
    List<Rule> rules =
        random.nextInt(3) > 0 ? List.of() : List.of(new Rule.Named("beside-db", Map.of()));
    boolean placeAll = random.nextInt(4) == 0;
    boolean machines = random.nextBoolean();
    Assignments packed =
        Distributors.of(PackInParts.above(random.nextBoolean() ? 1 << 26 : 64))
            .setting("machine", machines ? "machine" : "")
            .setting("device", "cpu")
            .setting("steps", Integer.toString(random.nextInt(2000)))
            .setting("counts", byNumber ? "number" : "size")
            .setting("goal", placeAll ? "place-all" : "fewest-nodes")
            .setting("start", random.nextInt(4) > 0 ? "best" : "first-fit")
            .rubric(Rubric.of("cpu", 1, "mem", 1))
            .rule(new BesideDb())
            .rules(rules)
            .nodes(nodes)
            .build()
            .assign(batch);
    List<String> names =
        new ArrayList<>(List.of("prioritized", "round-robin", "spread", "balance", "bin-pack"));
    if (machines) {
      names.add("devices");
    }
    for (String name : names) {
      Assignments simple =
          Distributors.installed()
              .strategy(name)
              .settings(name.equals("devices") ? Map.of("device", "cpu") : Map.of())
              .rubric(Rubric.of("cpu", 1, "mem", 1))
              .rule(new BesideDb())
              .rules(rules)
              .nodes(nodes)
              .build()
              .assign(batch);
      if (byNumber) {
        assertThat(packed.placedCount()).as(name).isGreaterThanOrEqualTo(simple.placedCount());
      }
      if (simple.allPlaced()) {
        assertThat(packed.allPlaced()).as(name).isTrue();
      }
      boolean alike =
          byNumber
              ? packed.placedCount() == simple.placedCount()
              : packed.allPlaced() && simple.allPlaced();
      Statistics.label("as many").collect(alike);
      if (alike && !placeAll) {
        assertThat(used(packed)).as("nodes, beside " + name).isLessThanOrEqualTo(used(simple));
      }
    }
  }

  /** A member of a gang does not leave the gang's domain for a friendly node elsewhere. */
  @Example
  void keepsAGangOfRivalsInItsDomain() {
    List<Node> nodes =
        List.of(
            Node.of("n1", Resources.of("cpu", 10)).in("rack", "r1"),
            Node.of("n2", Resources.of("cpu", 1)).in("rack", "r2"));
    Workload member =
        Workload.of("m", Resources.of("cpu", 1))
            .withAversionGroups("red")
            .withTerms(Terms.NONE.inGang(Gang.of("g").within("rack")));
    assertThat(fleet(nodes).assign(member.replicas(2)).placedCount()).isEqualTo(2);
  }

  /**
   * The rules place all three, one a node, and so the gang in two racks, where it is undone in the
   * end. A simple strategy places the gang as a whole.
   */
  @Example
  void placesAllWhereAGangIsInOneRack() {
    List<Node> nodes =
        List.of(
            Node.of("n1", Resources.of("cpu", 2)).in("rack", "r1"),
            Node.of("n2", Resources.of("cpu", 2)).in("rack", "r1"),
            Node.of("n3", Resources.of("cpu", 2)).in("rack", "r2"));
    Workload single = Workload.of("single", Resources.of("cpu", 2));
    Workload member = single.withTerms(Terms.NONE.inGang(Gang.of("g").within("rack")));
    List<Workload> batch = List.of(member.named("first"), single, member.named("second"));
    Distributor fleet =
        Distributors.installed().strategy("pack").setting("goal", "place-all").nodes(nodes).build();
    assertThat(fleet.assign(batch).allPlaced()).isTrue();
  }

  /**
   * The search places all, but moves a workload away from one that needs it beside it. That one
   * loses its node in the end. First fit places all.
   */
  @Example
  void placesAllWhereOneNeedsAnotherBesideIt() {
    List<Node> nodes =
        List.of(
            Node.of("n0", Resources.of("cpu", 7, "mem", 7)),
            Node.of("n1", Resources.of("cpu", 17, "mem", 12)));
    Terms besideOne = Terms.NONE.rules(new Rule.Least(1, "db", Rule.NODE));
    List<Workload> batch =
        List.of(
            Workload.of("w0", Resources.of("cpu", 4, "mem", 2)),
            Workload.of("db", Resources.of("cpu", 5, "mem", 7))
                .withTerms(Terms.NONE.inGroups("db")),
            Workload.of("w2", Resources.of("cpu", 2, "mem", 1)),
            Workload.of("w3", Resources.of("cpu", 9, "mem", 5)).withTerms(besideOne));
    Distributor fleet =
        Distributors.of(PackInParts.above(7)).setting("goal", "place-all").nodes(nodes).build();
    assertThat(fleet.assign(batch).allPlaced()).isTrue();
  }

  /**
   * First fit places all. {@code rival} comes last and makes the node of {@code db} averse. A move
   * of {@code db} to the friendly node would cost {@code web} its node.
   */
  @Example
  void aMoveToAFriendlyNodeCostsNoOtherItsNode() {
    List<Node> nodes =
        List.of(
            Node.of("n1", Resources.of("cpu", 3, "gpu", 1)), Node.of("n2", Resources.of("cpu", 1)));
    Terms besideDb = Terms.NONE.rules(new Rule.Least(1, "db", Rule.NODE));
    List<Workload> batch =
        List.of(
            Workload.of("db", Resources.of("cpu", 1))
                .withAversionGroups("red")
                .withTerms(Terms.NONE.inGroups("db")),
            Workload.of("web", Resources.of("cpu", 2)).withTerms(besideDb),
            Workload.of("rival", Resources.of("gpu", 1)).withAversionGroups("red"));
    assertThat(fleet(nodes).assign(batch).allPlaced()).isTrue();
  }

  /**
   * First fit leaves out {@code x5}. The search then moves {@code db0} away from {@code web1}, so
   * that all are placed, and no simple strategy is better. Its plug-in rule takes the node of
   * {@code web1} in the end. {@code spread} places all.
   */
  @Example
  void placesAllWhereAPlugInRuleTakesANodeInTheEnd() {
    List<Node> nodes =
        List.of(
            Node.of("n0", Resources.of("cpu", 12, "mem", 5)),
            Node.of("n1", Resources.of("cpu", 6, "mem", 8)),
            Node.of("n2", Resources.of("cpu", 8, "mem", 9)));
    List<Workload> batch =
        List.of(
            Workload.of("db0", Resources.of("cpu", 6, "mem", 4)),
            Workload.of("web1", Resources.of("cpu", 3, "mem", 1)),
            Workload.of("x2", Resources.of("cpu", 1, "mem", 2)),
            Workload.of("db3", Resources.of("cpu", 2, "mem", 4)),
            Workload.of("x4", Resources.of("cpu", 4, "mem", 4)),
            Workload.of("x5", Resources.of("cpu", 4, "mem", 6)));
    Distributor fleet =
        Distributors.installed()
            .strategy("pack")
            .setting("start", "first-fit")
            .rule(new BesideDb())
            .rules(List.of(new Rule.Named("beside-db", Map.of())))
            .nodes(nodes)
            .build();
    assertThat(fleet.assign(batch).allPlaced()).isTrue();
  }

  /** A web server needs a database on its node. */
  private static final class BesideDb implements PlacementRule {
    @Override
    public String name() {
      return "beside-db";
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(Reads.PLACED);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      return (workload, node) ->
          workload.name().startsWith("web")
                  && node.workloads().stream().noneMatch(other -> other.name().startsWith("db"))
              ? Judgement.broken(1, "it has no database")
              : Judgement.KEPT;
    }
  }

  private static long used(Assignments answer) {
    return answer.asMap().values().stream().flatMap(Optional::stream).distinct().count();
  }
}
