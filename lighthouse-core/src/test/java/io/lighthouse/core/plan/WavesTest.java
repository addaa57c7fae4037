package io.lighthouse.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.search.Finder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How long other orders of the changes are tried. */
class WavesTest {
  private final Ledger ledger = new Ledger();

  private void add(String node, int cpu, String... held) {
    add(node, Resources.of("cpu", cpu), Resources.of("cpu", 1), held);
  }

  private void add(String node, Resources has, Resources needs, String... held) {
    add(
        Node.of(node, has),
        Stream.of(held).map(name -> Workload.of(name, needs)).toArray(Workload[]::new));
  }

  private void add(Node node, Workload... held) {
    ledger.nodeChanges().add(List.of(node));
    for (Workload workload : held) {
      Batch batch = Batch.open(ledger, List.of(workload));
      ledger.place(batch.entry(0), ledger.nodes().node(node.name()), batch.demand(0));
      batch.close();
    }
    ledger.commit();
  }

  private PlanSession session(long steps) {
    return new PlanSession(
        ledger, new Finder(ledger, NamedRules.NONE), PlanLimits.NONE, new StepBudget(steps));
  }

  private int waves(long steps) {
    addFour();
    return waves(session(steps));
  }

  private void addFour() {
    add("a", 1, "late");
    add("b", 2, "first", "second");
    add("c", 1, "leaves");
    add("d", 2);
  }

  /** The waves of four more moves. The first one of them on node {@code b} waits for room. */
  private int waves(PlanSession session) {
    move(session, "leaves", "d");
    move(session, "first", "c");
    move(session, "late", "b");
    move(session, "second", "d");
    return Waves.of(session, Integer.MAX_VALUE).size();
  }

  private void move(PlanSession session, String workload, String to) {
    session.move(ledger.placements().entryOf(workload), ledger.nodes().node(to));
  }

  @AfterEach
  void clear() {
    Thread.interrupted();
  }

  @Test
  void anotherOrderTakesFewerWaves() {
    assertThat(waves(100)).isEqualTo(2);
  }

  /** The way back does not know that the workload that gives has to arrive first. */
  @Test
  void theOrderByWaveIsTakenWhereAStepHasNoRoomInTheOther() {
    add("from", Resources.of("gift", 0), Resources.of("gift", -1), "giver");
    add("rich", Resources.of("gift", 1), Resources.of("gift", 1), "taker");
    add("to", Resources.of("gift", 0), Resources.none());
    addFour();
    PlanSession session = session(100);
    move(session, "giver", "to");
    move(session, "taker", "to");
    assertThat(waves(session)).isEqualTo(2);
  }

  /** A rule of each kind that orders two moves, and the node that its holder moves to. */
  static Stream<Arguments> ordering() {
    return Stream.of(
        Arguments.of(new Rule.Most(0, "g", "rack"), "was"),
        Arguments.of(new Rule.Apart("g", "rack"), "was"),
        Arguments.of(new Rule.Least(1, "g", "rack"), "is"),
        Arguments.of(new Rule.Skew(1, "g", "rack", 1), "is"));
  }

  @Test
  void everyKindOfRuleOfAGroupOrdersMoves() {
    assertThat(ordering().map(row -> (Object) row.get()[0].getClass()))
        .containsExactlyInAnyOrder((Object[]) Rule.OfGroup.class.getPermittedSubclasses());
  }

  @ParameterizedTest
  @MethodSource("ordering")
  void aWorkloadWithARuleWaitsForTheMemberThatMovesFirst(Rule rule, String to) {
    Workload one = Workload.of("member", Resources.of("cpu", 1));
    Resources room = Resources.of("cpu", 2);
    add(Node.of("was", room).in("rack", "r1"), one.withTerms(Terms.NONE.inGroups("g")));
    add(Node.of("is", room).in("rack", "r2"));
    add(
        Node.of("elsewhere", room).in("rack", "r3"),
        one.named("holder").withTerms(Terms.NONE.rules(rule)));
    PlanSession session = session(100);
    move(session, "member", "is");
    move(session, "holder", to);
    assertThat(Waves.of(session, Integer.MAX_VALUE)).hasSize(2);
  }

  /** Where members of a group need each other, the order of moves depends on those that stay. */
  @ParameterizedTest
  @CsvSource({"true,1", "false,4"})
  void membersMoveTogetherToOneThatStays(boolean stays, int waves) {
    Terms member = Terms.NONE.inGroups("g");
    Terms needy = member.rules(new Rule.Least(1, "g", "rack"));
    List<Workload> moved = Workload.of("w", Resources.of("cpu", 1)).withTerms(needy).replicas(3);
    Workload other = Workload.of("other", Resources.of("cpu", 1)).withTerms(member);
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .nodes(
                node("a", "r1").withWorkloads(moved.toArray(Workload[]::new)),
                node("b", "r2").withWorkloads(stays ? new Workload[] {other} : new Workload[0]),
                node("c", "r3").withWorkloads(stays ? new Workload[0] : new Workload[] {other}))
            .build();
    PlanGoal goal = new PlanGoal.Drain(stays ? List.of("a") : List.of("a", "c"));
    assertThat(fleet.advisor().plan(goal, PlanLimits.NONE).waves()).hasSize(waves);
  }

  /**
   * A member that moves is not new in the fleet, also where a rule of skew compares its domains.
   */
  @Test
  void aMemberThatNeedsOthersDoesNotWaitForOneThatMovesElsewhere() {
    Terms member = Terms.NONE.inGroups("g");
    Terms skewed = Terms.NONE.rules(new Rule.Skew(1, "g", "rack", 1));
    Workload one = Workload.of("one", Resources.of("cpu", 1));
    add(small("s0", "r4"), one.named("spread").withTerms(skewed));
    add(small("s1", "r4"));
    add(
        small("x0", "r1"),
        one.named("needy").withTerms(member.rules(new Rule.Least(1, "g", "rack"))));
    add(small("y0", "r1"), one.named("needed").withTerms(member));
    add(small("z0", "r1"), one.named("elsewhere").withTerms(member));
    add(node("to", "r2"));
    add(small("k0", "r3"));
    add(small("k1", "r3"), one.named("first"));
    add(small("k2", "r3"), one.named("second"));
    PlanSession session = session(100);
    move(session, "spread", "s1");
    move(session, "first", "k0");
    move(session, "second", "k1");
    move(session, "elsewhere", "k2");
    move(session, "needed", "to");
    move(session, "needy", "to");
    assertThat(Waves.of(session, Integer.MAX_VALUE)).hasSize(3);
  }

  private static Node small(String name, String rack) {
    return Node.of(name, Resources.of("cpu", 1)).in("rack", rack);
  }

  /** A new workload comes from no node, also where many nodes hold what it needs. */
  @Test
  void aNewWorkloadJoinsOneOfManyThatStay() {
    List<Node> nodes =
        Workload.of("w", Resources.of("cpu", 1))
            .withTerms(Terms.NONE.inGroups("g"))
            .replicas(20)
            .stream()
            .map(held -> node("on " + held.name(), "r").withWorkloads(held))
            .toList();
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .nodes(nodes.toArray(Node[]::new))
            .build();
    Workload needy =
        Workload.of("new", Resources.of("cpu", 1))
            .withTerms(Terms.NONE.rules(new Rule.Least(1, "g", "node")));
    PlanGoal goal = new PlanGoal.Place(List.of(needy));
    assertThat(fleet.advisor().plan(goal, PlanLimits.NONE).waves()).hasSize(1);
  }

  private static Node node(String name, String rack) {
    return Node.of(name, Resources.of("cpu", 9)).in("rack", rack);
  }

  @Test
  void theOrderStaysWithoutSteps() {
    assertThat(waves(0)).isEqualTo(3);
  }

  @Test
  void theOrderStaysOnAnInterruptedThread() {
    Thread.currentThread().interrupt();
    assertThat(waves(100)).isEqualTo(3);
  }
}
