package io.lighthouse.core.engine;

import static io.lighthouse.core.engine.PlantedFleet.BATCH;
import static io.lighthouse.core.engine.PlantedFleet.failsAndChangesNothing;
import static io.lighthouse.core.engine.PlantedFleet.fleet;
import static io.lighthouse.core.engine.PlantedFleet.node;
import static io.lighthouse.core.engine.PlantedFleet.state;
import static io.lighthouse.core.engine.PlantedFleet.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** No strategy, however broken, makes the ledger wrong; the error names the broken strategy. */
class PlantedStrategiesTest {

  /** Places honestly until the last workload, and then does what is planted. */
  private static PlantedFleet.PlacerMaker atLast(
      String last, java.util.function.BiFunction<Fleet, Candidates, FleetNode> planted) {
    return fleet ->
        (workload, candidates) ->
            workload.name().equals(last) ? planted.apply(fleet, candidates) : candidates.first();
  }

  /** A node that was handed out by another fleet. */
  private static FleetNode foreign() {
    AtomicReference<FleetNode> kept = new AtomicReference<>();
    Distributors.of(
            "other",
            (workload, candidates) -> {
              kept.set(candidates.first());
              return kept.get();
            })
        .nodes(node("n0", "cpu", 9))
        .build()
        .assign(workload("w"));
    return kept.get();
  }

  /** A node that was never offered. */
  private static final class MadeUp implements FleetNode {
    @Override
    public String name() {
      return "n0";
    }

    @Override
    public int index() {
      return 0;
    }

    @Override
    public Optional<Quantity> left(String resource) {
      return Optional.empty();
    }

    @Override
    public Optional<Quantity> capacity(String resource) {
      return Optional.empty();
    }

    @Override
    public Resources left() {
      return Resources.none();
    }

    @Override
    public Resources capacity() {
      return Resources.none();
    }

    @Override
    public int placedCount() {
      return 0;
    }

    @Override
    public List<Workload> workloads() {
      return List.of();
    }
  }

  static Stream<Arguments> wrongAnswers() {
    NodeOrder[] otherOrder = new NodeOrder[1];
    fleet(
        fleet -> {
          otherOrder[0] = fleet.orderBy("cpu");
          return (workload, candidates) -> candidates.first();
        });
    return Stream.of(
        wrong("throws", "threw for workload 'last'", (f, c) -> rethrow(new RuntimeException("x"))),
        wrong("throws an error", "threw", (f, c) -> rethrow(new AssertionError("x"))),
        wrong("overflows the stack", "threw", (f, c) -> overflow()),
        wrong(
            "throws what a caller's mistake throws",
            "threw",
            (f, c) -> rethrow(new InvalidInputException("a", "b", "c", "d"))),
        wrong(
            "throws in the name of another",
            "threw",
            (f, c) -> rethrow(new StrategyException("innocent", "elsewhere", "threw", null))),
        wrong("answers null", "null", (f, c) -> null),
        wrong("answers a node of another fleet", "not of this fleet", (f, c) -> foreign()),
        wrong("answers a node of its own making", "not of this fleet", (f, c) -> new MadeUp()),
        wrong("answers a node that is too small", "node 'n2'", (f, c) -> f.node(2)),
        wrong("answers a cordoned node", "node 'n3'", (f, c) -> f.node(3)),
        wrong("answers an averse node", "averse", (f, c) -> f.node(0)),
        wrong("declines undeclared", "declined workload 'last'", (f, c) -> c.decline()),
        wrong("asks behind the last node", "threw", (f, c) -> c.firstAfter(5)),
        wrong("asks before the first node", "threw", (f, c) -> c.firstAfter(-2)),
        wrong("asks by the order of another fleet", "threw", (f, c) -> c.first(otherOrder[0])),
        wrong("compares foreign nodes", "threw", (f, c) -> f.node(compare(f, foreign()))),
        wrong("asks for no node of the fleet", "threw", (f, c) -> f.node(17)),
        wrong(
            "iterates past the end",
            "threw",
            (f, c) -> {
              Iterator<FleetNode> nodes = c.iterator();
              while (true) {
                nodes.next();
              }
            }));
  }

  private static Arguments wrong(
      String what,
      String saying,
      java.util.function.BiFunction<Fleet, Candidates, FleetNode> planted) {
    return Arguments.of(what, saying, planted);
  }

  private static int compare(Fleet fleet, FleetNode foreign) {
    return fleet.orderBy("cpu").compare(fleet.node(0), foreign);
  }

  private static FleetNode rethrow(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }

  private static FleetNode overflow() {
    return overflow();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongAnswers")
  void aStrategyThat(
      String what,
      String saying,
      java.util.function.BiFunction<Fleet, Candidates, FleetNode> planted) {
    // b sits on the friendly n1 after n0 turned averse, so that last has n1 averse, n0 averse ...
    Distributor distributor = fleet(atLast("last", planted));
    // ... and a roomy node without members of g.
    distributor.addNode(node("n4", "cpu", 9));
    failsAndChangesNothing(distributor, BATCH, saying);
    assertThat(distributor.assign(workload("honest", "cpu", 1)).allPlaced()).isTrue();
  }

  @Nested
  class AskedForAPlacer {
    @Test
    void thatIsNullIsAFailure() {
      assertThatThrownBy(() -> fleet(fleet -> null))
          .isInstanceOf(StrategyException.class)
          .hasMessageContainingAll("planted", "null for a placer");
    }

    @Test
    void andThrowingIsAFailureThatKeepsTheCause() {
      RuntimeException cause = new RuntimeException("the cause");
      assertThatThrownBy(
              () ->
                  fleet(
                      fleet -> {
                        throw cause;
                      }))
          .isInstanceOf(StrategyException.class)
          .hasMessageContainingAll("planted", "threw when asked for a placer", "the cause")
          .hasCause(cause);
    }

    @Test
    void andMissingSomethingIsTheCallersMistake() {
      InvalidInputException missing = new InvalidInputException("planted", "rubric", "x", "y");
      assertThatThrownBy(
              () ->
                  fleet(
                      fleet -> {
                        throw missing;
                      }))
          .isSameAs(missing);
    }

    @Test
    void aCopyThatGetsNoneLeavesTheOriginalAsItWas() {
      int[] made = {0};
      Distributor distributor =
          fleet(fleet -> made[0]++ == 0 ? (workload, candidates) -> candidates.first() : null);
      List<Object> before = state(distributor);
      assertThatThrownBy(distributor::copy).isInstanceOf(StrategyException.class);
      assertThat(state(distributor)).isEqualTo(before);
      assertThat(distributor.assign(workload("w", "cpu", 1)).allPlaced()).isTrue();
    }
  }

  @Nested
  class AskedForTheOrderOfABatch {
    private Distributor answering(java.util.function.Supplier<BatchOrder> order) {
      return fleet(
          fleet ->
              new Placer() {
                @Override
                public FleetNode choose(Workload workload, Candidates candidates) {
                  return candidates.first();
                }

                @Override
                public BatchOrder order() {
                  return order.get();
                }
              });
    }

    @Test
    void nullIsAFailure() {
      failsAndChangesNothing(answering(() -> null), BATCH, "null", "order");
    }

    /** The fleet has no rubric. */
    @Test
    void anOrderByNoRubricIsAFailure() {
      failsAndChangesNothing(
          answering(() -> BatchOrder.scoreDescending(null)), BATCH, "threw", "order", "rubric");
    }

    @Test
    void throwingIsAFailure() {
      failsAndChangesNothing(
          answering(
              () -> {
                throw new IllegalStateException("no order");
              }),
          BATCH,
          "threw",
          "no order");
    }
  }

  @Nested
  class CallingTheDistributorBack {
    private Distributor own;

    private final List<Consumer<Distributor>> calls =
        List.of(
            Distributor::snapshot,
            Distributor::copy,
            Distributor::releaseAll,
            distributor -> distributor.assign(workload("smuggled", "cpu", 1)),
            distributor -> distributor.release("sitting"),
            distributor -> distributor.releaseNode("n0"),
            distributor -> distributor.addNode(node("smuggled", "cpu", 1)),
            distributor -> distributor.removeNode("n2"),
            distributor -> distributor.resize("n1", Resources.of("cpu", 1)),
            distributor -> distributor.cordon("n1"),
            distributor -> distributor.uncordon("n3"),
            distributor -> distributor.fitting(workload("w")),
            distributor -> distributor.explain(workload("w")),
            distributor -> distributor.node("n0"));

    @Test
    void isAFailureAlsoWhereTheStrategySwallowsTheException() {
      for (Consumer<Distributor> call : calls) {
        own =
            fleet(
                atLast(
                    "last",
                    (fleet, candidates) -> {
                      try {
                        call.accept(own);
                      } catch (RuntimeException swallowed) {
                        // As a strategy would that hides what it does.
                      }
                      return candidates.first();
                    }));
        failsAndChangesNothing(own, BATCH, "called its own distributor");
      }
    }

    @Test
    void isAFailureWhereItDoesNot() {
      for (Consumer<Distributor> call : calls) {
        own =
            fleet(
                atLast(
                    "last",
                    (fleet, candidates) -> {
                      call.accept(own);
                      return candidates.first();
                    }));
        failsAndChangesNothing(own, BATCH, "must not call its own distributor");
      }
    }

    @Test
    void isAFailureAlsoWhereACopyIsMade() {
      List<Distributor> made = new ArrayList<>();
      Distributor distributor =
          fleet(
              fleet -> {
                for (Distributor one : made) {
                  try {
                    one.releaseAll();
                  } catch (RuntimeException swallowed) {
                    // As a strategy would that hides what it does.
                  }
                }
                return (workload, candidates) -> candidates.first();
              });
      made.add(distributor);
      List<Object> before = state(distributor);
      assertThatThrownBy(distributor::copy)
          .isInstanceOf(StrategyException.class)
          .hasMessageContainingAll("planted", "called its own distributor");
      assertThat(state(distributor)).isEqualTo(before);
    }

    @Test
    void isNoFailureOfTheCallAfter() {
      boolean[] calls = {true};
      own =
          fleet(
              atLast(
                  "last",
                  (fleet, candidates) -> {
                    if (calls[0]) {
                      own.snapshot();
                    }
                    return candidates.first();
                  }));
      failsAndChangesNothing(own, BATCH, "its own distributor");
      calls[0] = false;
      assertThat(own.assign(BATCH).allPlaced()).isTrue();
    }

    @Test
    void mayAskAnotherDistributorThough() {
      Distributor other = fleet(fleet -> (workload, candidates) -> candidates.first());
      own =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    other.snapshot();
                    return candidates.first();
                  });
      assertThat(own.assign(BATCH).allPlaced()).isTrue();
    }
  }

  @Nested
  class Declining {
    @Test
    void isAnAnswerOfAStrategyThatDeclaresIt() {
      Distributor distributor =
          fleet(
              new PlantedFleet.Planted(
                  true,
                  fleet ->
                      (workload, candidates) ->
                          workload.name().equals("b") ? candidates.decline() : candidates.first()));
      assertThat(distributor.assign(BATCH).refused()).containsExactly("b");
    }

    @Test
    void ofWhatFitsNowhereIsNotEvenAsked() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    throw new IllegalStateException("asked");
                  });
      assertThat(distributor.assign(workload("w", "cpu", 99), workload("v", "no", 0)).refused())
          .containsExactly("w", "v");
    }

    @Test
    void isNoNode() {
      AtomicReference<FleetNode> declined = new AtomicReference<>();
      fleet(
              new PlantedFleet.Planted(
                  true,
                  fleet ->
                      (workload, candidates) -> {
                        declined.set(candidates.decline());
                        return declined.get();
                      }))
          .assign(workload("w"));
      assertThatThrownBy(() -> declined.get().name())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("declining is no node");
    }
  }
}
