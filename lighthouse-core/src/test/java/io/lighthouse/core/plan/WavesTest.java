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
import io.lighthouse.core.account.NodeTable;
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
import org.junit.jupiter.params.provider.ValueSource;

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
    return session(steps, PlanLimits.NONE);
  }

  private PlanSession session(long steps, PlanLimits limits) {
    return new PlanSession(
        ledger, new Finder(ledger, NamedRules.NONE), limits, new StepBudget(steps));
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
    return Waves.of(session).size();
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
        Arguments.of(new Rule.Most(1, "g", "rack"), "was"),
        Arguments.of(new Rule.Apart("g", "rack"), "was"),
        Arguments.of(new Rule.Least(1, "g", "rack"), "is"),
        Arguments.of(new Rule.Skew(1, "g", "rack", 1), "was"));
  }

  @Test
  void everyKindOfRuleOfAGroupOrdersMoves() {
    assertThat(ordering().map(row -> (Object) row.get()[0].getClass()))
        .containsExactlyInAnyOrder((Object[]) Rule.OfGroup.class.getPermittedSubclasses());
  }

  @ParameterizedTest
  @MethodSource("ordering")
  void aWorkloadWithARuleWaitsForTheMemberThatMovesFirst(Rule rule, String to) {
    Terms member = Terms.NONE.inGroups("g");
    add(node("was", "r1"), one("member", member));
    add(node("is", "r2"));
    add(node("elsewhere", "r3"), one("holder", member.rules(rule)));
    PlanSession session = session(100);
    move(session, "member", "is");
    move(session, "holder", to);
    assertThat(Waves.of(session)).hasSize(2);
  }

  /** All members that are ever in the rack may be there at once. */
  @ParameterizedTest
  @CsvSource({"2,1", "1,2"})
  void aRackThatMayHoldAllThatComesWaitsForNone(int most, int waves) {
    Terms member = Terms.NONE.inGroups("g").rules(new Rule.Most(most, "g", "rack"));
    add(node("a", "r1"), one("leaves", member));
    add(node("b", "r2"), one("comes", member));
    add(node("c", "r3"));
    PlanSession session = session(100);
    move(session, "leaves", "c");
    move(session, "comes", "a");
    assertThat(Waves.of(session)).hasSize(waves);
  }

  /** A holder that leaves the rack, too, had a lower bound. */
  @ParameterizedTest
  @CsvSource({"2,1", "1,2"})
  void theBoundOfAHolderThatLeavesCounts(int most, int waves) {
    Terms member = Terms.NONE.inGroups("g");
    add(
        node("a", "r1"),
        one("holder", Terms.NONE.rules(new Rule.Most(most, "g", "rack"))),
        one("stays", member));
    add(node("b", "r2"), one("comes", member));
    add(node("c", "r3"));
    PlanSession session = session(100);
    move(session, "holder", "c");
    move(session, "comes", "a");
    assertThat(Waves.of(session)).hasSize(waves);
  }

  /** With the holder beside it, the member would be one too many, but it leaves before. */
  @ParameterizedTest
  @CsvSource({"2,1", "1,2", "0,3"})
  void theBoundOfAHolderThatComesLaterDoesNotCountBefore(int most, int waves) {
    Terms member = Terms.NONE.inGroups("g");
    add(node("a", "r1"), one("leaves", member));
    add(node("b", "r2"), one("comes", member));
    add(node("c", "r3"), one("holder", Terms.NONE.rules(new Rule.Most(most, "g", "rack"))));
    PlanSession session = session(0);
    move(session, "comes", "a");
    move(session, "leaves", "b");
    if (most == 0) {
      move(session, "comes", "b");
    }
    move(session, "holder", "a");
    assertThat(Waves.of(session)).hasSize(waves);
  }

  /** The one that stays has a higher bound than the one that comes. */
  @Test
  void ofTwoHoldersOnlyTheOneThatIsThereCounts() {
    Terms member = Terms.NONE.inGroups("g");
    Terms holder = Terms.NONE.rules(new Rule.Most(2, "g", "rack"), new Rule.Most(3, "g", "rack"));
    add(node("a", "r1"), one("stays", holder), one("leaves", member));
    add(node("b", "r2"), one("comes", member));
    add(node("c", "r3"), one("strict", Terms.NONE.rules(new Rule.Most(1, "g", "rack"))));
    PlanSession session = session(0);
    move(session, "comes", "a");
    move(session, "leaves", "b");
    move(session, "strict", "a");
    assertThat(Waves.of(session)).hasSize(2);
  }

  // ---- skew ----

  /** In each wave one for each rack: with two, a rack could hold two more than another. */
  @ParameterizedTest
  @CsvSource({"3,1", "6,2"})
  void membersComeToAllRacksAtOnce(int members, int waves) {
    Terms even = Terms.NONE.inGroups("g").rules(new Rule.Skew(1, "g", "rack", 1));
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .nodes(node("a", "r1"), node("b", "r2"), node("c", "r3"))
            .build();
    PlanGoal goal = new PlanGoal.Place(one("w", even).replicas(members));
    assertThat(fleet.advisor().plan(goal, PlanLimits.NONE).waves()).hasSize(waves);
  }

  /** Where the workload knows too few racks, the emptiest counts as empty. */
  @ParameterizedTest
  @CsvSource({"2,1", "3,2"})
  void theFloorIsZeroWhereThereAreTooFewRacks(int minDomains, int waves) {
    Terms member = Terms.NONE.inGroups("g");
    Terms even = member.rules(new Rule.Skew(1, "g", "rack", minDomains));
    add(node("a", "r1"), one("leaves", member));
    add(node("b", "r2"), one("one", member), one("two", member));
    add(Node.of("outside", Resources.of("cpu", 9)), one("comes", even));
    PlanSession session = session(100);
    move(session, "leaves", "outside");
    move(session, "comes", "a");
    assertThat(Waves.of(session)).hasSize(waves);
  }

  /** A member that leaves another rack lowers the floor. */
  @ParameterizedTest
  @CsvSource({"1,2", "2,1"})
  void aMemberDoesNotLeaveBesideAnArrivalThatComparesItsRack(int skew, int waves) {
    Terms member = Terms.NONE.inGroups("g");
    Terms even = member.rules(new Rule.Skew(skew, "g", "rack", 1));
    add(node("a", "r1"), one("inA", member));
    add(node("b", "r2"), one("leaves", member));
    add(node("c", "r3"), one("inC", member));
    add(Node.of("outside", Resources.of("cpu", 9)), one("comes", even));
    PlanSession session = session(100);
    move(session, "comes", "a");
    move(session, "leaves", "c");
    assertThat(Waves.of(session)).hasSize(waves);
  }

  /** A rack without a node that takes the workload does not count. */
  @Test
  void aRackThatIsNotEligibleSetsNoFloor() {
    Terms even = Terms.NONE.inGroups("g").rules(new Rule.Skew(1, "g", "rack", 1));
    add(node("a", "r1"), one("inA", even), one("moves", even));
    add(node("a2", "r1"));
    add(node("b", "r2"), one("inB", even), one("alsoMoves", even));
    add(node("b2", "r2"));
    add(node("closed", "r3").asCordoned());
    PlanSession session = session(100);
    move(session, "moves", "a2");
    move(session, "alsoMoves", "b2");
    assertThat(Waves.of(session)).hasSize(1);
  }

  /** With one move in each wave, no wave that there is has to be tried by rules. */
  @Test
  void rulesDoNotReadWavesThatAreFull() {
    Terms even = Terms.NONE.rules(new Rule.Skew(20, "g", "rack", 1));
    Workload member = one("w", even).withAversionGroups("g");
    List<Workload> members = member.replicas(60);
    add(large("a", "r1"), members.subList(0, 30).toArray(Workload[]::new));
    add(large("b", "r2"), members.subList(30, 60).toArray(Workload[]::new));
    PlanSession session = session(2_000, PlanLimits.NONE.withMostOfAGroup(1));
    for (int i = 0; i < 30; i++) {
      move(session, members.get(i).name(), "b");
      move(session, members.get(30 + i).name(), "a");
    }
    assertThat(Waves.of(session)).hasSize(60);
    assertThat(session.otherOrders.isOver()).as("too much read").isFalse();
  }

  /** A plan for a few nodes of many reads as much as on a small fleet. */
  @Test
  void rulesReadOnlyTheDomainsOfThePlan() {
    Workload member = one("w", Terms.NONE.rules(new Rule.Apart("g", "node")).inGroups("g"));
    add(small("a", "r"), member.named("first"));
    add(small("b", "r"), member.named("second"));
    for (int i = 0; i < 400; i++) {
      add(small("n" + i, "r"));
    }
    PlanSession session = session(20);
    move(session, "second", "n7");
    move(session, "first", "b");
    assertThat(Waves.of(session)).hasSize(2);
    assertThat(session.otherOrders.isOver()).as("too much read").isFalse();
  }

  private static Node large(String name, String rack) {
    return Node.of(name, Resources.of("cpu", 99)).in("rack", rack);
  }

  // ---- least ----

  /** Members that need each other move together as soon as one of the group is where they go. */
  @ParameterizedTest
  @CsvSource({"true,1", "false,2"})
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

  /** The first of its kind needs no other, and whichever comes first is the first. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void newMembersThatNeedEachOtherComeInOneWave(int least) {
    Terms needy = Terms.NONE.inGroups("g").rules(new Rule.Least(least, "g", "rack"));
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .nodes(node("a", "r1"), node("b", "r2"))
            .build();
    PlanGoal goal = new PlanGoal.Place(one("w", needy).replicas(4));
    assertThat(fleet.advisor().plan(goal, PlanLimits.NONE).waves()).hasSize(1);
  }

  /** A new member that needs none goes elsewhere: then the other one is not the first. */
  @Test
  void aFirstMemberComesBeforeOneThatGoesElsewhere() {
    Terms member = Terms.NONE.inGroups("g");
    add(node("a", "r1"));
    add(node("b", "r2"));
    List<Workload> batch =
        List.of(
            one("needy", member.rules(new Rule.Least(1, "g", "rack"))), one("elsewhere", member));
    Batch open = Batch.open(ledger, batch);
    PlanSession session = session(100);
    session.move(open.entry(0), ledger.nodes().node("a"));
    session.move(open.entry(1), ledger.nodes().node("b"));
    assertThat(Waves.of(session)).hasSize(2);
    open.close();
  }

  /** With all members of the rack there are enough, and without the one that leaves too few. */
  @ParameterizedTest
  @CsvSource({"1,1", "2,2"})
  void aMemberLeavesAfterAnArrivalThatNeedsIt(int least, int waves) {
    Terms member = Terms.NONE.inGroups("g");
    add(node("a", "r1"), one("leaves", member), one("stays", member));
    add(node("b", "r2"), one("comes", Terms.NONE.rules(new Rule.Least(least, "g", "rack"))));
    PlanSession session = session(100);
    move(session, "comes", "a");
    move(session, "leaves", "b");
    assertThat(Waves.of(session)).hasSize(waves);
  }

  /** Both arrivals share a wave, and the member that they need leaves after them. */
  @Test
  void aMemberLeavesAfterAllArrivalsThatNeedIt() {
    Terms member = Terms.NONE.inGroups("g");
    add(node("a", "r1"), one("needed", member));
    add(node("b", "r2"), one("comes", Terms.NONE.rules(new Rule.Least(1, "g", "rack"))));
    add(node("c", "r3"), one("alsoComes", Terms.NONE.rules(new Rule.Least(1, "g", "rack"))));
    PlanSession session = session(100);
    move(session, "comes", "a");
    move(session, "alsoComes", "a");
    move(session, "needed", "c");
    assertThat(Waves.of(session)).hasSize(2);
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
    assertThat(Waves.of(session)).hasSize(3);
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

  /** A new workload leaves no domain, so no step has to follow it. */
  @Test
  void aNewWorkloadWithABoundKeepsNothingInOrder() {
    Terms member = Terms.NONE.inGroups("g").rules(new Rule.Apart("g", "rack"));
    add(node("to", "r1"), one("new", member));
    int entry = ledger.placements().entryOf("new");
    PlanSession.Step step = new PlanSession.Step(entry, NodeTable.NONE, ledger.nodes().node("to"));
    PlanSession session = session(100);
    RuleOrder order = new RuleOrder(session, ledger::demand, List.of(step), session.firstOrder);
    assertThat(order.earliest(0, 0, 1)).isZero();
    assertThat(order.isFeasible()).isTrue();
  }

  private static Workload one(String name, Terms terms) {
    return Workload.of(name, Resources.of("cpu", 1)).withTerms(terms);
  }

  private static Node node(String name, String rack) {
    return Node.of(name, Resources.of("cpu", 9)).in("rack", rack);
  }

  @Test
  void theOrderStaysWithoutSteps() {
    assertThat(waves(0)).isEqualTo(3);
  }

  /** Of four changes in three waves. */
  @Test
  void eachChangeHasItsOwnWaveWhereTheBudgetOfTheFirstOrderIsSpent() {
    addFour();
    PlanSession session = session(0);
    session.firstOrder.end();
    assertThat(waves(session)).isEqualTo(4);
  }

  @Test
  void eachChangeHasItsOwnWaveOnAnInterruptedThread() {
    Thread.currentThread().interrupt();
    assertThat(waves(100)).isEqualTo(4);
  }
}
