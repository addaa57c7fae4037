package io.lighthouse.core.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.advice.Remedies.Kind;
import io.lighthouse.api.advice.Shortage;
import io.lighthouse.api.advice.Sizing;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.budget.CountedLoops;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.oracle.ProblemMaker;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/**
 * Every question ends within its budget of steps, its last turn, and a pass over the problem. Steps
 * are counted, not time, so a busy machine changes nothing.
 */
class SearchBudgetProperties {
  /** Turns of loops for each node and workload, in the passes that every question needs. */
  private static final long PASSES = 3;

  /** The same, where the verdict of each node is repaired in several ways. */
  private static final long PASSES_OF_REPAIRS = 40;

  /** Turns of loops for each step, and the reads that come with it. */
  private static final long TURNS_PER_STEP = 4 * StepBudget.READS_PER_STEP;

  /** Turns of loops for each node in a trial of changes as a whole. */
  private static final long TURNS_PER_NODE = 12;

  private static Workload alone(String name) {
    return Workload.of(name, Resources.of("cpu", 1))
        .withTerms(Terms.NONE.inGroups("g").rules(new Rule.Most(1, "g", Rule.FLEET)));
  }

  private static Distributor fleet(List<Node> nodes) {
    return Distributors.of("first", (workload, candidates) -> candidates.first())
        .nodes(nodes)
        .build();
  }

  /** No number of nodes places two workloads of which the fleet admits one. */
  @Example
  void aSizeThatNoListReachesEndsWithTheBudget() {
    for (Budget budget : List.of(Budget.ofSteps(1_000), Budget.ofSteps(0), Budget.UNLIMITED)) {
      Sizing sizing =
          fleet(List.of())
              .advisor()
              .size(
                  List.of(alone("a"), alone("b")),
                  List.of(
                      new Offer(
                          Node.of("kind", Resources.of("cpu", 4)),
                          Quantity.of(1),
                          Integer.MAX_VALUE)),
                  budget);
      assertThat(sizing.unplaced()).isNotEmpty();
      assertThat(sizing.optimal()).isFalse();
      assertThat(sizing.steps()).isLessThan(1_010);
    }
  }

  /** What was found before the budget was over is the answer; nothing is claimed beyond it. */
  @Example
  void aSizeWhoseBudgetEndsKeepsTheListThatLeavesTheFewest() {
    List<Workload> batch = Workload.of("w", Resources.of("cpu", 1)).replicas(10);
    Offer offer =
        new Offer(Node.of("kind", Resources.of("cpu", 1)), Quantity.of(1), Integer.MAX_VALUE);
    Distributor fleet = fleet(List.of(Node.of("n", Resources.of("cpu", 2))));
    assertThat(fleet.advisor().size(batch, List.of(offer), Budget.UNLIMITED).nodes()).isEqualTo(8);
    for (long steps = 0; steps < 60; steps++) {
      Sizing sizing = fleet.advisor().size(batch, List.of(offer), Budget.ofSteps(steps));
      assertThat(sizing.nodes() + 2 + sizing.unplaced().size()).isEqualTo(10);
    }
  }

  @Example
  void aSizeEndsWithItsTime() {
    List<Workload> batch = Workload.of("w", Resources.of("cpu", 1)).replicas(10);
    Offer offer =
        new Offer(Node.of("kind", Resources.of("cpu", 1)), Quantity.of(1), Integer.MAX_VALUE);
    Sizing sizing =
        fleet(List.of())
            .advisor()
            .size(batch, List.of(offer), Budget.UNLIMITED.within(Duration.ZERO));
    assertThat(sizing.steps()).as("one trial").isEqualTo(10);
    assertThat(sizing.unplaced()).hasSize(10);
  }

  /** The bound needs no trial. */
  @Example
  void noRoundIsTriedThatAloneExceedsTheBudget() {
    Distributor fleet = fleet(List.of(Node.of("n", Resources.of("cpu", 4))));
    Workload shape = Workload.of("w", Resources.of("cpu", 1));
    StepBudget budget = new StepBudget(100);
    Headroom none = new Headroom(0, Optional.of(0L), Optional.empty(), Optional.empty());
    assertThat(
            fleet.<Headroom>tryOut(
                List.of(),
                tried -> Headrooms.answer(tried, List.of(new Headroom.Part(shape, 101)), budget)))
        .isEqualTo(none);
    assertThat(budget.spent()).isZero();
    Headroom.Part most = new Headroom.Part(shape, Integer.MAX_VALUE);
    Headroom.Part more = new Headroom.Part(shape.named("v"), Integer.MAX_VALUE);
    assertThat(fleet.advisor().headroom(List.of(most, more))).isEqualTo(none);
  }

  /** Those that fit are in no shortage, but each is checked. */
  @Example
  void shortagesOfWorkloadsThatFitEndWithTheBudget() {
    List<Workload> fitting = Workload.of("w", Resources.of("cpu", 1)).replicas(100);
    StepBudget budget = new StepBudget(10);
    Distributor fleet = fleet(List.of(Node.of("n", Resources.of("cpu", 4))));

    assertThat(Shortages.answer(fleet, fitting, budget)).isEmpty();
    assertThat(budget.spent()).isEqualTo(10);
  }

  /**
   * The loops of a question stay within its budget, whether they count steps or not: a few passes
   * over the problem, and a number of turns for each step.
   */
  @Example
  void noLoopForgetsTheBudget() throws ReflectiveOperationException {
    CountedLoops core = new CountedLoops();
    long pass = CountedQuestions.NODES + CountedQuestions.PLACED;
    for (long most : new long[] {0, 1, 10, 100, 1_000, 3_000, 5_000, 10_000}) {
      for (String question : List.of("size", "remedies", "shortages", "headroom")) {
        boolean inTrials = question.equals("remedies") || question.equals("shortages");
        long perStep = inTrials ? TURNS_PER_NODE * CountedQuestions.NODES : TURNS_PER_STEP;
        long allowed = (inTrials ? PASSES_OF_REPAIRS : PASSES) * pass + perStep * most;
        long turns = (long) core.call(CountedQuestions.class, "turns", question, most);
        assertThat(turns).as("%s in %d steps", question, most).isLessThanOrEqualTo(allowed);
      }
    }
  }

  /** And not once for each replica that goes. */
  @Example
  void aScaleCopiesTheFleetOnceAndAMoveNever() {
    Distributor fleet =
        fleet(List.of(Node.of("n", Resources.of("cpu", 9)), Node.of("m", Resources.of("cpu", 1))));
    fleet.assign(Workload.of("w", Resources.of("cpu", 1)).replicas(9));
    List<String> calls = new ArrayList<>();
    Distributor counting = watched(fleet, (method, arguments) -> calls.add(method));
    SupposedFleet supposed = new SupposedFleet(counting, nodeOf(fleet), List.of());
    supposed.scale(new Supposition.Scale("w", 2));
    assertThat(fleet.node("n").workloads())
        .extracting(Workload::name)
        .containsExactly("w-1", "w-2");
    assertThat(calls).containsOnlyOnce("snapshot");
    calls.clear();
    supposed.move(new Supposition.Move("w-2", "m"));
    assertThat(fleet.node("m").workloads()).extracting(Workload::name).containsExactly("w-2");
    assertThat(calls).containsExactly("apply");
  }

  private static Function<String, Optional<String>> nodeOf(Distributor fleet) {
    return workload -> fleet.snapshot().nodeOf(workload);
  }

  private static Distributor watched(Distributor fleet, BiConsumer<String, Object[]> calls) {
    return (Distributor)
        Proxy.newProxyInstance(
            Distributor.class.getClassLoader(),
            new Class<?>[] {Distributor.class},
            (proxy, method, arguments) -> {
              calls.accept(method.getName(), arguments);
              return method.invoke(fleet, arguments);
            });
  }

  /** A batch keeps the terms of equal workloads once where these are one object. */
  @Example
  void equalWorkloadsThatLoseTheirNodeKeepOneObjectOfTerms() {
    Terms gang = Terms.NONE.inGang(Gang.of("g"));
    Distributor fleet = fleet(List.of(Node.of("n", Resources.of("cpu", 9))));
    fleet.assign(Workload.of("w", Resources.of("cpu", 1)).withTerms(gang).replicas(3));
    for (String waiting : List.of("other", "g")) {
      fleet.tryOut(
          List.of(),
          tried -> {
            Workload one = Workload.of("v", Resources.of("cpu", 1));
            Terms waits = Terms.NONE.inGang(Gang.of(waiting));
            SupposedFleet supposed =
                new SupposedFleet(tried, nodeOf(tried), List.of(one.withTerms(waits)));
            supposed.removeNode(new Supposition.RemoveNode("n"));
            List<Terms> lost =
                supposed.unplaced().subList(0, 3).stream().map(Workload::terms).toList();
            assertThat(lost).allMatch(terms -> terms == lost.get(0));
            assertThat(lost.get(0) == gang).isEqualTo(waiting.equals("other"));
            return null;
          });
    }
  }

  /**
   * No change raises a floor above 0, so no change is tried for it. Changes of one kind that are
   * tried, and do not work, are not tried again as combined ones.
   */
  @Example
  void aSkewThatNoChangeCuresIsNotTried() {
    for (Resources tags : List.of(Resources.of("ssd", 0), Resources.of("ssd", 0, "nvme", 0))) {
      assertThat(triedForASkew(1, tags)).isZero();
      assertThat(triedForASkew(0, tags)).as("%s", tags).isEqualTo(1);
    }
  }

  /** How often a node is tagged for a workload that a rule of skew keeps off it. */
  private static long triedForASkew(int floor, Resources tags) {
    Terms web = Terms.NONE.inGroups("web");
    Workload member = Workload.of("web", Resources.none()).withTerms(web);
    Workload guard =
        Workload.of("guard", Resources.none())
            .withTerms(Terms.NONE.rules(new Rule.Most(floor, "web", "node")));
    List<Workload> open = new ArrayList<>(member.replicas(floor));
    open.add(guard);
    Distributor fleet =
        fleet(
            List.of(
                Node.of("a", Resources.none())
                    .in("zone", "y")
                    .withWorkloads(member.named("more").replicas(3).toArray(Workload[]::new)),
                Node.of("b", tags).in("zone", "z").withWorkloads(open.toArray(Workload[]::new))));
    Workload spread =
        Workload.of("new", tags).withTerms(web.rules(new Rule.Skew(1, "web", "zone", 1)));
    Searched searched =
        searched(
            fleet, spread, changes -> changes.stream().anyMatch(Change.Resize.class::isInstance));
    assertThat(searched.remedies.remedies())
        .extracting(Remedies.Remedy::kind)
        .doesNotContain(Kind.TAG);
    return searched.tries;
  }

  /** Remedies, and how often changes of one kind were tried out for them. */
  private record Searched(Remedies remedies, long tries) {}

  private static Searched searched(
      Distributor fleet, Workload workload, Predicate<List<?>> counted) {
    AtomicLong tries = new AtomicLong();
    Distributor counting =
        watched(
            fleet,
            (method, arguments) -> {
              if (method.equals("tryOut") && counted.test((List<?>) arguments[0])) {
                tries.incrementAndGet();
              }
            });
    Remedies remedies =
        RemedySearch.answer(
            counting,
            workload,
            Set.of(),
            (goal, limits, budget) -> fleet.advisor().plan(goal, limits),
            new StepBudget(1_000));
    return new Searched(remedies, tries.get());
  }

  /** An immunity cures no skew whose floor is above 0, whatever it cures beside it. */
  @Example
  void noImmunityIsTriedForASkewThatItCannotCure() {
    assertThat(triedWithoutAChange(0)).isEqualTo(triedWithoutAChange(1) + 1);
  }

  /** How often is tried what changes no node, where two rules of skew and a ward keep one off. */
  private static long triedWithoutAChange(int floor) {
    Terms both = Terms.NONE.inGroups("web", "app");
    Workload app = Workload.of("app", Resources.none()).withTerms(Terms.NONE.inGroups("app"));
    List<Workload> open = new ArrayList<>(app.replicas(floor));
    open.add(
        Workload.of("guard", Resources.none())
            .withTerms(Terms.NONE.rules(new Rule.Most(0, "web", "node"))));
    Workload[] more =
        Workload.of("more", Resources.none())
            .withImmunities("taint")
            .withTerms(both)
            .replicas(3)
            .toArray(Workload[]::new);
    Distributor fleet =
        fleet(
            List.of(
                Node.of("a", Resources.of(Map.of("taint", Quantity.NEGATIVE_INFINITY)))
                    .in("zone", "y")
                    .withWorkloads(more),
                Node.of("b", Resources.none())
                    .in("zone", "z")
                    .withWorkloads(open.toArray(Workload[]::new))));
    Workload spread =
        Workload.of("new", Resources.none())
            .withTerms(
                both.rules(new Rule.Skew(1, "web", "zone", 1), new Rule.Skew(1, "app", "zone", 1)));
    return searched(fleet, spread, List::isEmpty).tries;
  }

  @Example
  void theCountOfLoopsSeesOneThatForgetsTheBudget() throws ReflectiveOperationException {
    assertThat((long) new CountedLoops().call(CountedQuestions.class, "forgetful", 1_000))
        .isGreaterThanOrEqualTo(1_000);
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void everyQuestionEndsWithinItsBudget(@ForAll long seed, @ForAll @IntRange(max = 60) int most) {
    ProblemMaker maker = new ProblemMaker(seed);
    List<Node> nodes = new ArrayList<>();
    for (int i = maker.random.nextInt(12); i >= 0; i--) {
      nodes.add(maker.node());
    }
    Distributor fleet = fleet(nodes);
    for (int i = maker.random.nextInt(20); i > 0; i--) {
      fleet.assign(maker.workload());
    }
    List<Workload> batch = new ArrayList<>();
    for (int i = maker.random.nextInt(8); i >= 0; i--) {
      batch.add(ruled(maker, maker.workload()));
    }
    sizes(maker, fleet, batch, most);
    answersTheOthers(maker, fleet, batch, most);
  }

  private static Workload ruled(ProblemMaker maker, Workload workload) {
    return switch (maker.random.nextInt(6)) {
      case 0 ->
          workload.withTerms(
              Terms.NONE
                  .inGroups("g")
                  .rules(new Rule.Most(maker.random.nextInt(3), "g", Rule.FLEET)));
      case 1 ->
          workload.withTerms(Terms.NONE.inGroups("g").rules(new Rule.Most(1, "g", Rule.NODE)));
      case 2 ->
          workload.withTerms(Terms.NONE.inGroups("h").rules(new Rule.Least(1, "g", Rule.NODE)));
      default -> workload;
    };
  }

  private static void sizes(ProblemMaker maker, Distributor fleet, List<Workload> batch, int most) {
    List<Offer> offers = new ArrayList<>();
    for (int i = maker.random.nextInt(4); i > 0; i--) {
      int limit = maker.chance(3) ? maker.random.nextInt(4) : Integer.MAX_VALUE;
      Node like = maker.node();
      offers.add(
          new Offer(
              Node.of(like.name(), like.resources()), Quantity.of(maker.random.nextInt(5)), limit));
    }
    // The first trial comes before any other step, and the last may be of the largest list.
    long largest = batch.size() + (long) offers.size() * batch.size();
    long steps = fleet.advisor().size(batch, offers, Budget.ofSteps(most)).steps();
    assertThat(steps).isLessThanOrEqualTo(most + 2 * largest);
    assertThat(fleet.advisor().size(batch, offers, Budget.ofSteps(most)).steps()).isEqualTo(steps);
  }

  private static void answersTheOthers(
      ProblemMaker maker, Distributor fleet, List<Workload> batch, int most) {
    StepBudget remedies = new StepBudget(most);
    StepBudget shortages = new StepBudget(most);
    StepBudget headroom = new StepBudget(most);
    List<StepBudget> plans = new ArrayList<>();
    Remedies of =
        fleet.tryOut(
            List.of(),
            tried ->
                RemedySearch.answer(
                    tried,
                    batch.get(0),
                    Set.of(),
                    (goal, limits, part) -> {
                      assertThat(part.left()).isPositive().isLessThanOrEqualTo(most);
                      part.spend(maker.random.nextInt(1 + most));
                      plans.add(part);
                      return tried.advisor().plan(goal, limits);
                    },
                    remedies));
    assertThat(of.workload()).isEqualTo(batch.get(0).name());
    assertThat(plans).hasSizeLessThanOrEqualTo(1);
    long planned = plans.stream().mapToLong(StepBudget::spent).sum();
    assertThat(remedies.spent() - planned).as("remedies").isLessThanOrEqualTo(most + 1);
    assertThat(
            fleet.<List<Shortage>>tryOut(
                List.of(), tried -> Shortages.answer(tried, batch, shortages)))
        .noneMatch(shortage -> shortage.workloads().isEmpty());
    assertThat(shortages.spent()).as("shortages").isLessThanOrEqualTo(most + 1);
    int copies = 1 + maker.random.nextInt(3);
    Headroom more =
        fleet.tryOut(
            List.of(),
            tried ->
                Headrooms.answer(
                    tried,
                    List.of(new Headroom.Part(batch.get(batch.size() - 1), copies)),
                    headroom));
    // Each trial has at most twice as many rounds as the one before.
    assertThat(headroom.spent()).as("headroom").isLessThanOrEqualTo(3L * most + 2 * copies);
    assertThat(more.rounds()).isGreaterThanOrEqualTo(0);
  }
}
