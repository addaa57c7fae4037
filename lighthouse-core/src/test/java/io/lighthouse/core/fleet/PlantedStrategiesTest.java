package io.lighthouse.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.StrategyException;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Settings;
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

/** No strategy, however broken, makes the ledger wrong; and the error says who was broken. */
class PlantedStrategiesTest {

  /** A strategy in a test: what it says of itself, and how it makes its placer. */
  private record Planted(boolean mayDecline, PlacerMaker maker) implements PlacementStrategy {
    @Override
    public String name() {
      return "planted";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return maker.make(fleet);
    }
  }

  @FunctionalInterface
  private interface PlacerMaker {
    Placer make(Fleet fleet);
  }

  private static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  private static Workload workload(String name, Object... requirements) {
    return Workload.of(name, Resources.of(requirements));
  }

  private static Workload averse(String name, int cpu) {
    return workload(name, "cpu", cpu).withAversionGroups("g");
  }

  /** n0 and n1 open and roomy, n2 too small, n3 cordoned; a workload of group g sits on n0. */
  private static Distributor fleet(PlacementStrategy strategy) {
    return Distributors.of(strategy)
        .nodes(
            new Node("n0", Resources.of("cpu", 9), List.of(averse("sitting", 1)), false),
            node("n1", "cpu", 9),
            node("n2", "cpu", 0),
            new Node("n3", Resources.of("cpu", 9), List.of(), true))
        .lastPlaced("n1")
        .build();
  }

  private static Distributor fleet(PlacerMaker maker) {
    return fleet(new Planted(false, maker));
  }

  /** Places honestly until the last workload, and then does what is planted. */
  private static PlacerMaker atLast(
      String last, java.util.function.BiFunction<Fleet, Candidates, FleetNode> planted) {
    return fleet ->
        (workload, candidates) ->
            workload.name().equals(last) ? planted.apply(fleet, candidates) : candidates.first();
  }

  private static List<Object> state(Distributor distributor) {
    List<Object> state = new ArrayList<>();
    for (NodeState node : distributor.snapshot().nodes()) {
      state.add(node);
    }
    state.add(distributor.snapshot().lastPlaced());
    state.add(distributor.snapshot().placedCount());
    return state;
  }

  private static final List<Workload> BATCH =
      List.of(workload("a", "cpu", 1), averse("b", 2), averse("last", 1));

  /** The call fails whole, the error names the strategy, and honest calls go on as before. */
  private static StrategyException failsAndChangesNothing(
      Distributor distributor, List<Workload> batch, String... saying) {
    List<Object> before = state(distributor);
    Throwable thrown = catchThrowable(() -> distributor.assign(batch));
    assertThat(thrown).isInstanceOf(StrategyException.class);
    StrategyException fault = (StrategyException) thrown;
    assertThat(fault.strategy()).isEqualTo("planted");
    assertThat(fault.origin()).contains(PlantedStrategiesTest.class.getName());
    assertThat(fault).hasMessageContainingAll("planted", PlantedStrategiesTest.class.getName());
    assertThat(fault).hasMessageContainingAll(saying);
    assertThat(state(distributor)).isEqualTo(before);
    for (AssignOption option : AssignOption.values()) {
      assertThatThrownBy(() -> distributor.assign(batch, option))
          .isInstanceOf(StrategyException.class);
      assertThat(state(distributor)).isEqualTo(before);
    }
    assertThatThrownBy(() -> distributor.explain(batch.size() - 1, batch))
        .isInstanceOf(StrategyException.class);
    assertThat(state(distributor)).isEqualTo(before);
    return fault;
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

  /** A node that nobody offered. */
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
    // ... and a roomy node that nobody of g sits on.
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
  class Keeping {
    private Candidates keptCandidates;
    private Iterator<FleetNode> keptIterator;
    private FleetNode keptNode;

    @Test
    void candidatesBeyondTheTurnGetsNothingFromThem() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    keptCandidates = candidates;
                    keptIterator = candidates.iterator();
                    return candidates.first();
                  });
      distributor.assign(workload("w", "cpu", 1));
      endedAre(keptCandidates);
      assertThatThrownBy(keptIterator::next).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void candidatesOfATurnThatFailedGetsNothingFromThem() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    keptCandidates = candidates;
                    return null;
                  });
      assertThatThrownBy(() -> distributor.assign(workload("w", "cpu", 1)))
          .isInstanceOf(StrategyException.class);
      endedAre(keptCandidates);
    }

    private void endedAre(Candidates candidates) {
      assertThatThrownBy(candidates::first).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> candidates.firstAfter(0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(candidates::iterator).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> candidates.best((a, b) -> 0))
          .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anIteratorOfAnEarlierTurnIsAFailure() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    keptIterator = keptIterator == null ? candidates.iterator() : keptIterator;
                    return keptIterator.next();
                  });
      failsAndChangesNothing(distributor, List.of(BATCH.get(0), BATCH.get(2)), "earlier turn");
    }

    @Test
    void aNodeThatIsRemovedIsAFailure() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) ->
                      keptNode = keptNode == null ? candidates.firstAfter(0) : keptNode);
      distributor.assign(workload("w", "cpu", 1));
      assertThat(keptNode.name()).isEqualTo("n1");
      distributor.release("w");
      distributor.removeNode("n1");
      failsAndChangesNothing(distributor, List.of(workload("last", "cpu", 1)), "fleet");
      assertThatThrownBy(() -> keptNode.left("cpu"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("removed");
    }

    @Test
    void aNodeBehindARemovedOneStillMeansTheSameNode() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) ->
                      keptNode = keptNode == null ? candidates.firstAfter(0) : keptNode);
      distributor.assign(workload("w", "cpu", 1));
      distributor.releaseNode("n0");
      distributor.removeNode("n0");
      assertThat(keptNode.index()).isZero();
      assertThat(distributor.assign(workload("v", "cpu", 1)).nodeOf("v")).contains("n1");
      assertThat(keptNode.left("cpu")).contains(Quantity.of(7));
      assertThat(keptNode.capacity("cpu")).contains(Quantity.of(9));
      assertThat(keptNode.left("unknown")).isEmpty();
      assertThat(keptNode.left()).isEqualTo(Resources.of("cpu", 7));
      assertThat(keptNode.capacity()).isEqualTo(Resources.of("cpu", 9));
      assertThat(keptNode.placedCount()).isEqualTo(2);
      assertThat(keptNode.workloads()).extracting(Workload::name).containsExactly("w", "v");
    }
  }

  @Nested
  class Declining {
    @Test
    void isAnAnswerOfAStrategyThatDeclaresIt() {
      Distributor distributor =
          fleet(
              new Planted(
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
              new Planted(
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

  @Nested
  class PlacingWholeBatches {
    private Session keptSession;
    private Candidates keptCandidates;

    private Distributor cheating(Consumer<Session> cheat) {
      return fleet(fleet -> (BatchPlacer) cheat::accept);
    }

    private void fails(Consumer<Session> cheat, String... saying) {
      Distributor distributor = cheating(cheat);
      distributor.addNode(node("n4", "cpu", 9));
      failsAndChangesNothing(distributor, BATCH, saying);
    }

    private void honestly(Session session) {
      for (int i = 0; i < session.size(); i++) {
        if (session.nodeOf(i) < 0) {
          session.assign(i, session.candidates(i).first().index());
        }
      }
    }

    @Test
    void honestlyWorks() {
      Distributor distributor = cheating(this::honestly);
      assertThat(distributor.assign(BATCH).asMap())
          .hasToString("{a=Optional[n0], b=Optional[n1], last=Optional[n0]}");
    }

    @Test
    void throwingIsAFailure() {
      fails(
          session -> {
            honestly(session);
            throw new IllegalArgumentException("gave up");
          },
          "threw",
          "gave up");
    }

    @Test
    void assigningWhatDoesNotFitIsAFailure() {
      fails(session -> session.assign(0, 2), "'a'", "does not fit", "'n2'");
      fails(session -> session.assign(0, 3), "'n3'");
      fails(session -> session.assign(0, 99), "99");
    }

    @Test
    void assigningTwiceIsAFailure() {
      fails(
          session -> {
            session.assign(0, 0);
            session.assign(0, 1);
          },
          "placed already");
    }

    @Test
    void releasingWhatIsNotPlacedIsAFailure() {
      fails(session -> session.release(0), "'a'", "not placed");
    }

    @Test
    void refusingWhatFitsIsAFailure() {
      fails(session -> session.assign(0, 0), "refused workload 'b'", "fits");
      fails(
          session -> {
            honestly(session);
            session.release(1);
          },
          "refused workload 'b'");
    }

    @Test
    void refusingWhatFitsIsAnAnswerOfAStrategyThatDeclaresIt() {
      Distributor distributor =
          fleet(new Planted(true, fleet -> (BatchPlacer) session -> session.assign(0, 0)));
      assertThat(distributor.assign(BATCH, AssignOption.EXPLAIN).refusals()).hasSize(2);
      assertThat(distributor.snapshot().placedCount()).isEqualTo(2);
    }

    @Test
    void sittingOnAnAverseNodeWhileAFriendlyOneFitsIsAFailure() {
      fails(
          session -> {
            session.assign(0, 0);
            session.assign(1, 1);
            session.assign(2, 0);
          },
          "left workload 'last'",
          "averse node 'n0'",
          "friendly node 'n4'");
    }

    @Test
    void sittingOnAnAverseNodeWhereNoFriendlyOneFitsIsNone() {
      Distributor distributor =
          cheating(
              session -> {
                session.assign(0, 0);
                session.assign(1, 1);
                session.assign(2, 1);
              });
      assertThat(distributor.assign(BATCH).nodeOf("last")).contains("n1");
    }

    private final List<Workload> giverAndTaker =
        List.of(workload("giver", "cpu", -3), workload("taker", "cpu", 12));

    @Test
    void takingAwayWhoGaveRoomIsAFailure() {
      Distributor distributor =
          cheating(
              session -> {
                session.assign(0, 1);
                session.assign(1, 1); // Only with what the giver gave.
                session.release(0);
                session.assign(0, 0);
              });
      failsAndChangesNothing(distributor, giverAndTaker, "left workload 'taker'", "node 'n1'");
    }

    @Test
    void takingAwayWhoGaveRoomAndPuttingItBackIsNone() {
      Distributor distributor =
          cheating(
              session -> {
                session.assign(0, 1);
                session.assign(1, 1);
                session.release(0);
                session.assign(0, 1);
              });
      assertThat(distributor.assign(giverAndTaker).allPlaced()).isTrue();
      assertThat(distributor.node("n1").left()).isEqualTo(Resources.of("cpu", 0));
      assertThat(distributor.node("n1").workloads())
          .extracting(Workload::name)
          .containsExactly("taker", "giver");
      assertThat(distributor.snapshot().lastPlaced()).contains("n1");
    }

    @Test
    void goingBackToAMarkThatIsGoneIsAFailure() {
      fails(
          session -> {
            int first = session.mark();
            session.assign(0, 0);
            int gone = session.mark();
            session.back(first);
            session.assign(0, 1);
            session.back(gone);
          },
          "gone");
      fails(session -> session.back(1), "mark 1 is gone");
      fails(session -> session.back(-1), "gone");
    }

    @Test
    void goingBackTakesBackEverythingAndKeepsTheMark() {
      List<String> seen = new ArrayList<>();
      Distributor distributor =
          cheating(
              session -> {
                session.assign(0, 0);
                int mark = session.mark();
                for (int round = 0; round < 3; round++) {
                  session.release(0);
                  session.assign(0, 1);
                  session.assign(2, 1);
                  session.back(mark);
                  seen.add(session.nodeOf(0) + " " + session.nodeOf(1) + " " + session.nodeOf(2));
                }
                honestly(session);
              });
      distributor.assign(BATCH);
      assertThat(seen).containsExactly("0 -1 -1", "0 -1 -1", "0 -1 -1");
      assertThat(distributor.node("n0").workloads())
          .extracting(Workload::name)
          .containsExactly("sitting", "a", "last");
      assertThat(distributor.snapshot().lastPlaced()).contains("n0");
    }

    @Test
    void keepingTheSessionOrItsCandidatesGetsNothingFromThem() {
      Distributor distributor =
          cheating(
              session -> {
                keptSession = session;
                keptCandidates = session.candidates(2);
                keptCandidates.first();
                honestly(session);
              });
      distributor.assign(BATCH);
      List<Object> before = state(distributor);
      assertThatThrownBy(keptCandidates::first).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> keptSession.assign(0, 0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> keptSession.release(0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> keptSession.fits(0, 0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> keptSession.averse(0, 0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> keptSession.candidates(0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> keptSession.mark()).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> keptSession.back(0)).isInstanceOf(IllegalStateException.class);
      assertThat(state(distributor)).isEqualTo(before);
    }

    @Test
    void candidatesAreOfTheMomentTheyWereAskedFor() {
      fails(
          session -> {
            Candidates stale = session.candidates(0);
            session.assign(1, 1);
            session.assign(0, stale.first().index());
          },
          "changed");
    }

    @Test
    void isExplainedAsItIsDoneAlsoWhereALaterOneDroveTheNodeBelowZero() {
      Distributor distributor =
          fleet(
              fleet ->
                  (BatchPlacer)
                      session -> {
                        for (int i = 0; i < session.size(); i++) {
                          session.assign(i, 1);
                        }
                      });
      List<Workload> batch =
          List.of(workload("a", "cpu", 6), workload("b", "cpu", 6).withImmunities("cpu"));
      for (int i = 0; i < batch.size(); i++) {
        assertThat(distributor.explain(i, batch).chosen()).contains("n1");
      }
      assertThat(distributor.assign(batch).nodeOf("a")).contains("n1");
    }

    @Test
    void itIsToldTheTruthAboutFitAndAversion() {
      List<Object> seen = new ArrayList<>();
      Distributor distributor =
          cheating(
              session -> {
                seen.add(session.fits(0, 0));
                seen.add(session.fits(0, 2));
                seen.add(session.fits(0, 3));
                seen.add(session.averse(1, 0));
                seen.add(session.averse(1, 1));
                session.assign(1, 1);
                seen.add(session.averse(1, 1)); // Not of itself.
                seen.add(session.averse(2, 1));
                honestly(session);
              });
      distributor.assign(BATCH);
      assertThat(seen).containsExactly(true, false, false, true, false, false, true);
    }

    @Test
    void candidatesOfWhatFitsNowhereDeclineAndIterateOverNothing() {
      List<Object> seen = new ArrayList<>();
      Distributor distributor =
          cheating(
              session -> {
                Candidates none = session.candidates(0);
                seen.add(none.iterator().hasNext());
                seen.add(none.first() == none.decline());
                seen.add(none.firstAfter(1) == none.decline());
                seen.add(none.best((a, b) -> 0) == none.decline());
              });
      assertThat(distributor.assign(workload("w", "cpu", 99)).refusedCount()).isEqualTo(1);
      assertThat(seen).containsExactly(false, true, true, true);
    }
  }
}
