package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.StrategyException;
import java.util.ArrayList;
import java.util.List;
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
}
