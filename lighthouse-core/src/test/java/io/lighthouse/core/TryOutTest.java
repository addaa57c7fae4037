package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.StrategyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is tried out is there for the question, and gone without a trace afterwards. */
class TryOutTest {
  private final Distributor fleet =
      Distributors.of(LivingFleet.roundRobin())
          .nodes(
              Node.of("n1", Resources.of("cpu", 4, "mem", 8)).withWorkloads(workload("old", 1)),
              Node.of("n2", Resources.of("cpu", "2.5", "gpu", 1)),
              Node.of("n3", Resources.of("cpu", 4)))
          .lastPlaced("n2")
          .build();

  private static Workload workload(String name, Object cpu) {
    return Workload.of(name, Resources.of("cpu", cpu)).withAversionGroups("g");
  }

  private static List<Object> state(Distributor distributor) {
    Snapshot now = distributor.snapshot();
    return List.of(now.nodes(), now.lastPlaced(), now.placedCount(), now.generation());
  }

  static List<Change> everyKind() {
    return List.of(
        new Change.AddNode(Node.of("n4", Resources.of("tpu", "0.125")).withWorkloads(workload0())),
        new Change.RemoveNode("n3"),
        new Change.RemoveNode("n2"),
        new Change.Resize("n1", Resources.of("cpu", "0.5")),
        new Change.Resize("n2", Resources.of("cpu", "inf", "ward", "-inf")),
        new Change.Cordon("n1"),
        new Change.Uncordon("n1"),
        new Change.Assign(workload("new", "0.75"), "n3"),
        new Change.Move("old", "n1", "n2"),
        new Change.Release("old"));
  }

  private static Workload workload0() {
    return Workload.of("brought", Resources.of("tpu", "0.0625"));
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void everyKindIsThereForTheQuestionAndGoneAfterwards(Change change) {
    List<Object> before = state(fleet);
    List<Object> then = fleet.tryOut(List.of(change), TryOutTest::state);
    Distributor carriedOut = fleet.copy();
    carriedOut.apply(change);
    assertThat(then.subList(0, 3)).isEqualTo(state(carriedOut).subList(0, 3));
    assertThat(state(fleet)).isEqualTo(before);
    assertGoesOnAsIfNothingHadBeen();
  }

  private void assertGoesOnAsIfNothingHadBeen() {
    Distributor untouched =
        Distributors.of(LivingFleet.roundRobin())
            .nodes(fleet.snapshot().nodes().stream().map(node -> node.toNode()).toList())
            .lastPlaced(fleet.snapshot().lastPlaced().orElseThrow())
            .build();
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      batch.add(workload("later" + i, "0.5"));
    }
    assertThat(fleet.assign(batch)).isEqualTo(untouched.assign(batch));
    assertThat(fleet.snapshot().nodes()).isEqualTo(untouched.snapshot().nodes());
  }

  @Test
  void theQuestionMayDoEverythingAndAnswersWhatItLikes() {
    List<Object> before = state(fleet);
    String answer =
        fleet.tryOut(
            List.of(new Change.Cordon("n1")),
            tried -> {
              assertThat(tried.generation()).isEqualTo(0);
              tried.assign(workload("a", 1), workload("b", 1), workload("c", 99));
              tried.apply(new Change.Release("old"), new Change.Release("a"));
              assertThat(tried.generation()).isEqualTo(2);
              tried.addNode(Node.of("n5", Resources.none()));
              tried.removeNode("n5");
              tried.resize("n1", Resources.of("cpu", 3));
              tried.uncordon("n1");
              assertThat(tried.explain(workload("b", 1)).chosen()).isPresent();
              assertThat(tried.fitting(workload("d", 3))).containsExactly("n1", "n3");
              tried.releaseNode("n2");
              tried.releaseAll();
              assertThat(tried.strategy()).isEqualTo(fleet.strategy());
              assertThat(tried).hasToString("trial of a distributor 'round-robin'");
              return tried.snapshot().placedCount() + " placed";
            });
    assertThat(answer).isEqualTo("0 placed");
    assertThat(state(fleet)).isEqualTo(before);
    assertGoesOnAsIfNothingHadBeen();
  }

  @Test
  void changesThatDoNotGoAskNothing() {
    List<Object> before = state(fleet);
    assertThatThrownBy(
            () ->
                fleet.tryOut(
                    List.of(new Change.Cordon("n1"), new Change.RemoveNode("n1")),
                    tried -> {
                      throw new AssertionError("asked all the same");
                    }))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("change 2 of 2 (remove node 'n1')");
    assertThat(state(fleet)).isEqualTo(before);
  }

  @Test
  void aQuestionThatThrowsIsTakenBackAndHeard() {
    List<Object> before = state(fleet);
    for (Throwable own : List.of(new IllegalStateException("own"), new StackOverflowError("own"))) {
      assertThatThrownBy(
              () ->
                  fleet.tryOut(
                      List.of(new Change.Release("old")),
                      tried -> {
                        tried.assign(workload("a", 1));
                        return sneak(own);
                      }))
          .isSameAs(own);
      assertThat(state(fleet)).isEqualTo(before);
    }
    assertGoesOnAsIfNothingHadBeen();
  }

  @SuppressWarnings("unchecked") // Thrown, whatever it is.
  private static <T extends Throwable> Object sneak(Throwable own) throws T {
    throw (T) own;
  }

  @Test
  void aCallThatFailsInsideChangesNothingThere() {
    fleet.tryOut(
        List.of(new Change.Release("old")),
        tried -> {
          List<Object> inside = state(tried);
          assertThatThrownBy(() -> tried.assign(workload("a", 1), workload("a", 1)))
              .isInstanceOf(InvalidInputException.class);
          assertThatThrownBy(() -> tried.apply(new Change.Cordon("n1"), new Change.Cordon("x")))
              .isInstanceOf(InvalidChangeException.class);
          assertThat(state(tried)).isEqualTo(inside);
          assertThat(tried.node("n1").cordoned()).isFalse();
          return null;
        });
  }

  @Test
  void isNestedToAnyDepth() {
    List<Object> before = state(fleet);
    fleet.tryOut(
        List.of(new Change.Release("old")),
        outer -> {
          List<Object> outside = state(outer);
          outer.tryOut(
              List.of(new Change.RemoveNode("n1"), new Change.Cordon("n2")),
              inner -> {
                assertThat(inner.snapshot().nodes()).hasSize(2);
                assertThatThrownBy(() -> outer.snapshot())
                    .isInstanceOf(IllegalStateException.class);
                return inner.assign(workload("a", 1));
              });
          assertThat(state(outer)).isEqualTo(outside);
          return null;
        });
    assertThat(state(fleet)).isEqualTo(before);
  }

  @Test
  void isOverWhenTheQuestionHasAnswered() {
    Distributor kept = fleet.tryOut(List.of(), tried -> tried);
    refusedOutside(kept, Distributor::snapshot);
    refusedOutside(kept, tried -> tried.assign(workload("a", 1)));
    refusedOutside(kept, tried -> tried.tryOut(List.of(), again -> null));
    refusedOutside(kept, Distributor::copy);
    assertThat(fleet.generation()).isZero();
  }

  private static void refusedOutside(Distributor tried, Consumer<Distributor> call) {
    assertThatThrownBy(() -> call.accept(tried))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("only for the question, in its thread");
  }

  @Test
  void aCopyOfItStays() {
    Distributor copy = fleet.tryOut(List.of(new Change.Release("old")), Distributor::copy);
    assertThat(copy.snapshot().placedCount()).isZero();
    copy.assign(workload("old", 1));
    assertThat(fleet.snapshot().placedCount()).isEqualTo(1);
  }

  @Test
  void belongsToItsThread() throws Exception {
    fleet.tryOut(
        List.of(new Change.Cordon("n1")),
        tried -> {
          FutureTask<Void> elsewhere =
              new FutureTask<>(
                  () -> {
                    refusedOutside(tried, Distributor::snapshot);
                    return null;
                  });
          new Thread(elsewhere, "elsewhere").start();
          try {
            return elsewhere.get();
          } catch (Exception failed) {
            throw new AssertionError(failed);
          }
        });
  }

  @Test
  void theFleetItselfIsNotAskedMeanwhile() {
    List<Object> before = state(fleet);
    for (Consumer<Distributor> call :
        List.<Consumer<Distributor>>of(
            Distributor::snapshot,
            Distributor::releaseAll,
            Distributor::copy,
            own -> own.tryOut(List.of(), tried -> null),
            own -> own.apply(new Change.Cordon("n3")))) {
      assertThatThrownBy(
              () ->
                  fleet.tryOut(
                      List.of(new Change.Cordon("n1")),
                      tried -> {
                        call.accept(fleet);
                        return null;
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the distributor that the question was given");
      assertThat(state(fleet)).isEqualTo(before);
    }
  }

  @Test
  void nobodyListensToIt() {
    List<Object> told = new ArrayList<>();
    fleet.onChange((generation, changes) -> told.add(changes));
    fleet.tryOut(
        List.of(new Change.Release("old")),
        tried -> {
          tried.cordon("n1");
          assertThatThrownBy(() -> tried.onChange((generation, changes) -> told.add(changes)))
              .isInstanceOf(UnsupportedOperationException.class);
          return null;
        });
    assertThat(told).isEmpty();
    fleet.cordon("n1");
    assertThat(told).containsExactly(List.of(new Change.Cordon("n1")));
  }

  @Test
  void aStrategyThatCallsBackInsideIsBroken() {
    List<Distributor> own = new ArrayList<>();
    Distributor calling =
        Distributors.of(
                "calling",
                (workload, candidates) -> {
                  own.get(0).snapshot();
                  return candidates.first();
                })
            .nodes(Node.of("n", Resources.of("cpu", 1)))
            .build();
    calling.tryOut(
        List.of(),
        tried -> {
          own.add(tried);
          assertThatThrownBy(() -> tried.assign(workload("a", 1)))
              .isInstanceOf(StrategyException.class);
          own.set(0, calling);
          assertThatThrownBy(() -> tried.assign(workload("a", 1)))
              .isInstanceOf(StrategyException.class);
          assertThat(tried.snapshot().placedCount()).isZero();
          return null;
        });
  }

  // ---- what the ledger keeps of quantities ----

  /** 0.1 needs a digit, for which there is no room beside 4.4e18: it must be found again. */
  @Test
  void aDigitThatWasGivenUpIsTakenBack() {
    Distributor fine =
        Distributors.of(LivingFleet.roundRobin())
            .nodes(Node.of("n1", Resources.of("cpu", "inf")), Node.of("n2", Resources.of("cpu", 1)))
            .build();
    fine.assign(workload("fine", "0.1"), workload("finer", "0.000000001"));
    List<Object> before = state(fine);
    fine.tryOut(
        List.of(new Change.Release("fine"), new Change.Release("finer")),
        tried -> {
          tried.apply(new Change.Assign(workload("huge", "4400000000000000000"), "n1"));
          return null;
        });
    assertThat(state(fine)).isEqualTo(before);
    assertThatThrownBy(
            () ->
                fine.apply(
                    new Change.Release("fine"),
                    new Change.Release("finer"),
                    new Change.Assign(workload("huge", "4400000000000000000"), "n1"),
                    new Change.RemoveNode("n1")))
        .isInstanceOf(InvalidChangeException.class);
    assertThat(state(fine)).isEqualTo(before);
  }

  /** It is rounded up to 1, and 1 needs no digit, though what was given has twelve. */
  @Test
  void aRoundedRequirementComesBackAtItsScale() {
    Distributor rounding =
        Distributors.of(new LivingFleet.ThereAndBack())
            .nodes(Node.of("n1", Resources.of("cpu", 3)))
            .build();
    rounding.assign(Workload.of("rounded", Resources.of("cpu", "0.999999999999")));
    assertThat(rounding.node("n1").left()).isEqualTo(Resources.of("cpu", 2));
    rounding.releaseAll();
    assertThat(rounding.node("n1").left()).isEqualTo(Resources.of("cpu", 3));
  }

  /** The bound of the largest node must not stay that of a fleet without it. */
  @Test
  void theRangeIsThatOfTheFleetAsItIsAfterwards() {
    Distributor large =
        Distributors.of(LivingFleet.roundRobin())
            .nodes(
                Node.of("n1", Resources.of("cpu", "4000000000000000000")),
                Node.of("n2", Resources.of("cpu", "inf")))
            .build();
    Workload huge = workload("huge", "4500000000000000000");
    for (Change smaller :
        List.of(new Change.Resize("n1", Resources.of("cpu", 1)), new Change.RemoveNode("n1"))) {
      large.tryOut(List.of(smaller), tried -> tried.assign(huge));
      assertThatThrownBy(() -> large.assign(huge))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("2^62");
    }
  }

  private static Distributor of(Node... nodes) {
    return Distributors.of(LivingFleet.roundRobin()).nodes(nodes).build();
  }

  /**
   * Beside 4e18 there is no room for nine digits; without it there is, for as long as it is away.
   */
  @Test
  void aLargeCapacityComesBackToAFleetThatGotDigitsMeanwhile() {
    for (Change away :
        List.of(new Change.RemoveNode("n1"), new Change.Resize("n1", Resources.of("cpu", 1)))) {
      Distributor large =
          of(
              Node.of("n1", Resources.of("cpu", "4000000000000000000")),
              Node.of("n2", Resources.of("cpu", 1)));
      List<Object> before = state(large);
      large.tryOut(List.of(away), tried -> tried.assign(workload("fine", "0.000000001")));
      assertThat(state(large)).isEqualTo(before);
    }
  }

  @Test
  void aLargeRequirementComesBackToAFleetThatGotDigitsMeanwhile() {
    Distributor large = of(Node.of("n1", Resources.of("cpu", "inf")));
    large.assign(workload("huge", "4000000000000000000"));
    List<Object> before = state(large);
    large.tryOut(
        List.of(new Change.Release("huge")),
        tried -> tried.assign(workload("fine", "0.000000001")));
    assertThat(state(large)).isEqualTo(before);
  }

  /** The digit of a capacity is given up for the large one that takes its place. */
  @Test
  void aFineCapacityComesBackInThePlaceOfALargeOne() {
    Distributor fine =
        of(
            Node.of("n1", Resources.of("cpu", "1.5")).withWorkloads(workload("old", 2)),
            Node.of("n2", Resources.of("cpu", 1)));
    fine.resize("n1", Resources.of("cpu", "1.5")); // 2 of 1.5 are taken: -0.5 are left.
    List<Object> before = state(fine);
    fine.tryOut(
        List.of(new Change.Resize("n1", Resources.of("cpu", "4000000000000000000"))),
        tried -> {
          assertThat(tried.node("n1").left()).isEqualTo(Resources.of("cpu", "3999999999999999998"));
          return null;
        });
    assertThat(state(fine)).isEqualTo(before);
  }

  // ---- domains, and scales that change while an index follows ----

  private static Distributor inRacks() {
    Workload old = workload("old", 1).withTerms(Terms.NONE.sharing("rack", power("0.5")));
    return Distributors.of(LivingFleet.roundRobin())
        .nodes(
            Node.of("n1", Resources.of("cpu", 4)).in("rack", "r1").withWorkloads(old),
            Node.of("n2", Resources.of("cpu", 4)).in("rack", "r2"),
            Node.of("n3", Resources.of("cpu", 4)))
        .domains(List.of(Domain.of("rack", "r1", power(2)), Domain.of("rack", "r2", power(3))))
        .build();
  }

  private static Resources power(Object amount) {
    return Resources.of("power", amount);
  }

  static List<Change> everyKindOfADomain() {
    return List.of(
        new Change.Declare(Domain.of("rack", "r3", power("0.000000001"))),
        new Change.Declare(Domain.of("row", "first", power("inf"))),
        new Change.Undeclare("rack", "r2"),
        new Change.ResizeDomain("rack", "r1", Resources.of("power", "0.125", "net", 1)),
        new Change.CordonDomain("rack", "r1", true),
        new Change.Regroup("old", Set.of("others")),
        new Change.AddNode(Node.of("n4", Resources.of("cpu", 1)).in("rack", "r4")),
        new Change.RemoveNode("n2"),
        new Change.Move("old", "n1", "n2"),
        new Change.Release("old"));
  }

  @ParameterizedTest
  @MethodSource("everyKindOfADomain")
  void everyKindInAFleetOfDomainsIsGoneAfterwards(Change change) {
    Distributor racks = inRacks();
    List<Object> before = stateWithDomains(racks);
    List<Object> then = racks.tryOut(List.of(change), TryOutTest::stateWithDomains);
    Distributor carriedOut = inRacks();
    carriedOut.apply(change);
    assertThat(then).isEqualTo(stateWithDomains(carriedOut)).isNotEqualTo(before);
    assertThat(stateWithDomains(racks)).isEqualTo(before);
    List<Workload> later = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      Terms terms = Terms.NONE.sharing("rack", power("0.7")).inGroups("others");
      later.add(
          workload("later" + i, "0.5").withTerms(terms.rules(new Rule.Most(2, "others", "rack"))));
    }
    assertThat(racks.assign(later)).isEqualTo(inRacks().assign(later));
  }

  private static List<Object> stateWithDomains(Distributor distributor) {
    Snapshot now = distributor.snapshot();
    return List.of(now.nodes(), now.domains(), now.lastPlaced());
  }

  /**
   * A finer quantity in a trial rescales a resource that the index and a kept order have rows of.
   * The roll back leaves them at a scale that they were not made at.
   */
  @Test
  void aScaleThatChangesMeanwhileLeavesTheAnswersAsTheyWere() {
    Rubric rubric = Rubric.of("cpu", 1, "mem", "0.5");
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      nodes.add(Node.of("n" + i, Resources.of("cpu", 8 + i % 5, "mem", 16 + i % 3)));
    }
    Distributor large = Distributors.of(LivingFleet.byScore(rubric)).nodes(nodes).build();
    for (int round = 0; round < 60; round++) {
      large.assign(many("warm" + round, 4, "1", "2"));
    }
    int made = 0;
    for (String finer : List.of("0.5", "0.001", "0.000000001")) {
      for (Change change :
          List.of(
              new Change.AddNode(Node.of("extra", Resources.of("cpu", finer, "mem", 1))),
              new Change.Resize("n7", Resources.of("cpu", finer, "mem", 99)),
              new Change.Declare(Domain.of("rack", "r", Resources.of("cpu", finer))))) {
        Distributor untouched = large.copy();
        String name = "batch" + made++;
        large.tryOut(
            List.of(change),
            tried -> {
              assertThat(tried.fitting(workload("w", "0.25"))).isNotEmpty();
              return tried.assign(many(name, 20, "0.125", "0.5"));
            });
        List<Workload> batch = many(name, 10, "1", "0.25");
        assertThat(large.assign(batch)).isEqualTo(untouched.assign(batch));
        assertThat(large.snapshot().nodes()).isEqualTo(untouched.snapshot().nodes());
      }
    }
  }

  private static List<Workload> many(String name, int count, String cpu, String mem) {
    return Workload.of(name, Resources.of("cpu", cpu, "mem", mem)).replicas(count);
  }
}
