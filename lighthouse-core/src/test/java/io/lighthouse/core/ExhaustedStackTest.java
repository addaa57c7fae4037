package io.lighthouse.core;

import static io.lighthouse.core.SmallFleets.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lighthouse.api.Change;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.LedgerListener;
import io.lighthouse.core.ledger.PlacementListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The stack may be exhausted in the middle of a change. The fleet is sound after that, or refuses
 * every call.
 */
class ExhaustedStackTest {
  private static final int WORKLOADS = 3_000;

  /** Too small for a call within a call for each of these workloads, in bytes. */
  private static final long STACK = 256_000;

  /** Places each workload one call deeper than the one before. */
  private record Recursive(int depth, boolean swallows) implements PlacementStrategy {
    @Override
    public String name() {
      return "recursive";
    }

    @Override
    public boolean sequential() {
      return false;
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      fleet.orderBy(Rubric.of("cpu", 1));
      return (BatchPlacer) session -> deeper(depth, session);
    }

    private void deeper(int frames, Session session) {
      if (frames > 0) {
        deeper(frames - 1, session);
        return;
      }
      try {
        place(0, session);
      } catch (StackOverflowError exhausted) {
        if (!swallows) {
          throw exhausted;
        }
      }
      for (int i = 0; i < session.size(); i++) {
        if (session.nodeOf(i) < 0) {
          session.assign(i, 0);
        }
      }
    }

    /** Where the stack is exhausted, a caller with a little more of it tries again. */
    private void place(int index, Session session) {
      if (index == session.size()) {
        return;
      }
      try {
        session.assign(index, index % 70);
      } catch (StackOverflowError exhausted) {
        if (swallows) {
          return;
        }
        throw exhausted;
      }
      place(index + 1, session);
      if (swallows && session.nodeOf(index) < 0) {
        session.assign(index, index % 70);
      }
    }
  }

  /** Loads the classes: one that is first used where the stack ends would stay broken. */
  @BeforeAll
  static void loadClasses() {
    LedgerDistributor fleet = fleet(new Recursive(0, true));
    assertThatThrownBy(
            () ->
                fleet.tryOut(
                    List.of(),
                    trial -> {
                      trial.assign(List.of(workload("w")));
                      throw new StackOverflowError("planted");
                    }))
        .isInstanceOf(StackOverflowError.class);
    fleet.assign(List.of(workload("w")));
  }

  private static Workload workload(String name) {
    return Workload.of(name, Resources.of("cpu", 1)).withAversionGroups("g");
  }

  private static LedgerDistributor fleet(PlacementStrategy strategy) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      nodes.add(Node.of("n" + i, Resources.of("cpu", WORKLOADS)));
    }
    return (LedgerDistributor) Distributors.of(strategy).nodes(nodes).build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStrategyThatCallsItselfTooOftenBreaksNoAccountUnseen(boolean swallows)
      throws InterruptedException {
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < WORKLOADS; i++) {
      batch.add(workload("w" + i));
    }
    for (int depth = 0; depth < 60; depth++) {
      LedgerDistributor fleet = fleet(new Recursive(depth, swallows));
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread small =
          new Thread(
              null,
              () -> {
                try {
                  fleet.assign(batch);
                } catch (Throwable exhausted) {
                  thrown.set(exhausted);
                }
              },
              "small",
              STACK);
      small.start();
      small.join();
      assertIsSoundOrRefuses(fleet, thrown.get());
    }
  }

  /** Where a call has failed, its changes are gone. */
  private static void assertIsSoundOrRefuses(LedgerDistributor fleet, Throwable thrown) {
    List<NodeState> nodes;
    try {
      nodes = fleet.snapshot().nodes();
    } catch (InternalErrorException refused) {
      return;
    }
    assertThat(fleet.operations.audit()).isEmpty();
    int placed = nodes.stream().mapToInt(node -> node.workloads().size()).sum();
    assertThat(placed).isEqualTo(thrown == null ? WORKLOADS : 0);
  }

  /** A listener that throws once, at one of its events, as the last call of a full stack does. */
  private static final class FullAt implements LedgerListener, PlacementListener {
    private int left = -1;
    private boolean fired;

    private void count() {
      if (left-- == 0) {
        fired = true;
        throw new StackOverflowError("planted");
      }
    }

    @Override
    public void charged(int node, Demand demand, int times) {
      count();
    }

    @Override
    public void cordonChanged(int node) {
      count();
    }

    @Override
    public void nodeAdded(int node) {
      count();
    }

    @Override
    public void nodeRemoving(int node) {
      count();
    }

    @Override
    public void loosened() {
      count();
    }

    @Override
    public void slotFreed(int node) {
      count();
    }

    @Override
    public void reshaped() {
      count();
    }
  }

  private final LedgerDistributor fleet = fleet(LivingFleet.roundRobin());
  private final FullAt full = new FullAt();

  private void assertRefusesAllCalls() {
    assertThatThrownBy(fleet::snapshot).isInstanceOf(InternalErrorException.class);
    assertThatThrownBy(() -> fleet.assign(workload("b")))
        .isInstanceOf(InternalErrorException.class)
        .hasMessageStartingWith("the stack or the memory was exhausted") // It is no bug.
        .hasMessageEndingWith("; make the distributor anew");
    assertThatThrownBy(fleet::copy).isInstanceOf(InternalErrorException.class);
  }

  @Test
  void aPlacementThatEndedHalfwayEndsAllCalls() {
    fleet.operations.fleet.ledger().listenToPlacements(full);
    fleet.assign(workload("a"));
    full.left = 0;
    assertThatThrownBy(() -> fleet.assign(workload("b")))
        .isInstanceOf(InternalErrorException.class);
    assertRefusesAllCalls();
  }

  @Test
  void aReleaseThatEndedHalfwayEndsAllCalls() {
    fleet.operations.fleet.ledger().listenToPlacements(full);
    fleet.assign(workload("a"));
    full.left = 0;
    assertThatThrownBy(() -> fleet.release("a")).hasMessageContaining("planted");
    assertRefusesAllCalls();
  }

  @Test
  void oneThatAQuestionHasCaughtEndsAllCalls() {
    fleet.operations.fleet.ledger().listenToPlacements(full);
    fleet.assign(workload("a"));
    assertThatThrownBy(
            () ->
                fleet.tryOut(
                    List.of(),
                    tried -> {
                      full.left = 0;
                      try {
                        tried.release("a");
                      } catch (StackOverflowError caught) {
                        // As a search may that goes on where it has room.
                      }
                      return tried.snapshot();
                    }))
        .isInstanceOf(InternalErrorException.class);
    assertRefusesAllCalls();
  }

  /** A listener that throws when a placement is taken back. */
  private record Failing(Throwable planted) implements PlacementListener {
    @Override
    public void charged(int node, Demand demand, int times) {
      if (times < 0 && planted instanceof RuntimeException bug) {
        throw bug;
      }
      if (times < 0) {
        throw (Error) planted;
      }
    }
  }

  /** Only what no caller can cause is a bug. */
  @Test
  void aRollBackThatFailsSaysWhetherItIsABug() {
    assertRollBackFails(
        new StackOverflowError("planted"),
        "the stack or the memory was exhausted while a call was rolled back: ");
    assertRollBackFails(
        new IllegalStateException("planted"),
        "this is a bug of Lighthouse, please report it: a roll back failed: ");
  }

  private static void assertRollBackFails(Throwable planted, String beginning) {
    LedgerDistributor failing = fleet(LivingFleet.roundRobin());
    failing.operations.fleet.ledger().listenToPlacements(new Failing(planted));
    List<Change> halfWrong =
        List.of(new Change.Assign(workload("a"), "n0"), new Change.Cordon("unknown"));
    String refusal = beginning + planted + "; make the distributor anew";
    assertThatThrownBy(() -> failing.apply(halfWrong))
        .isInstanceOf(InternalErrorException.class)
        .hasMessage(refusal);
    assertThatThrownBy(failing::snapshot)
        .isInstanceOf(InternalErrorException.class)
        .hasMessage(refusal);
  }

  /** A listener that throws when a node is opened, and again when its error is put into words. */
  private static final class Wordless implements LedgerListener {
    private final Ledger ledger;

    Wordless(Ledger ledger) {
      this.ledger = ledger;
    }

    @Override
    public void cordonChanged(int node) {
      if (!ledger.accounts().cordoned(node)) {
        throw new StackOverflowError("planted") {
          private static final long serialVersionUID = 1L;

          @Override
          public String toString() {
            throw new StackOverflowError("planted in its words");
          }
        };
      }
    }
  }

  @Test
  void aRollBackThatFailsEndsAllCallsAlsoWhereTheStackEndsInItsWords() {
    Ledger ledger = fleet.operations.fleet.ledger();
    ledger.listen(new Wordless(ledger));
    List<Change> halfWrong =
        List.of(new Change.Cordon("n0"), new Change.Cordon("n1"), new Change.Cordon("unknown"));
    assertThatThrownBy(() -> fleet.apply(halfWrong)).isInstanceOf(StackOverflowError.class);
    assertThatThrownBy(fleet::snapshot)
        .isInstanceOf(InternalErrorException.class)
        .hasMessage("a roll back failed; make the distributor anew");
  }

  @Test
  void aBatchThatCannotBeReadLeavesItsNamesFree() {
    List<Workload> batch = List.of(nested("a"), nested("b"));
    assertThatThrownBy(() -> fleet.assign(batch)).isInstanceOf(StackOverflowError.class);
    assertThat(fleet.assign(workload("a"), workload("b")).allPlaced()).isTrue();
  }

  /** To compare two of these exhausts the stack. */
  private static Workload nested(String name) {
    Condition condition = new Condition.Somewhere("zone");
    for (int i = 0; i < 100_000; i++) {
      condition = new Condition.Any(List.of(List.of(condition)));
    }
    return workload(name).withTerms(Terms.NONE.where(condition));
  }

  @Test
  void oneInTheQuestionItselfEndsNothing() {
    Distributor own = fleet;
    assertThatThrownBy(
            () ->
                own.tryOut(
                    List.of(new Change.Cordon("n0")),
                    tried -> {
                      tried.assign(workload("a"));
                      throw new StackOverflowError("own");
                    }))
        .isInstanceOf(StackOverflowError.class);
    assertThat(own.assign(workload("a")).nodeOf("a")).contains("n0");
    assertThat(fleet.operations.audit()).isEmpty();
  }

  static LedgerDistributor domains() {
    return (LedgerDistributor)
        Distributors.of(LivingFleet.roundRobin())
            .domains(Domain.of("rack", "r", Resources.of("power", 9)))
            .rules(new Rule.Most(9, "g", "rack"))
            .nodes(
                Node.of("n0", Resources.of("cpu", 9)).in("rack", "r").withWorkloads(workload("a")),
                Node.of("n1", Resources.of("cpu", 9)).in("rack", "r"),
                Node.of("closed", Resources.of("cpu", 9)).asCordoned())
            .build();
  }

  static List<Change> changes() {
    return List.of(
        new Change.AddNode(Node.of("n9", Resources.of("gpu", 1, "cpu", 2))),
        new Change.AddNode(
            Node.of("n9", Resources.of("cpu", 2)).in("zone", "z").withWorkloads(workload("b"))),
        new Change.RemoveNode("n1"),
        new Change.Resize("n0", Resources.of("cpu", 5, "mem", 1)),
        new Change.Cordon("n0"),
        new Change.Uncordon("closed"),
        new Change.Declare(Domain.of("rack", "other", Resources.of("power", 1))),
        new Change.Undeclare("rack", "r"),
        new Change.ResizeDomain("rack", "r", Resources.of("power", 3)),
        new Change.CordonDomain("rack", "r", true),
        new Change.Release("a"),
        new Change.Regroup("a", Set.of("h")),
        new Change.Assign(workload("b"), "n1"),
        new Change.Move("a", "n0", "n1"));
  }

  /** A call that throws has changed nothing, unless all later calls are refused. */
  @ParameterizedTest
  @MethodSource("changes")
  void aChangeThatEndsHalfwayIsUndoneOrEndsAllCalls(Change change) {
    List<Object> before = state(domains());
    LedgerDistributor whole = domains();
    whole.apply(change);
    boolean fired = true;
    for (int at = 0; fired; at++) {
      LedgerDistributor halted = domains();
      FullAt listener = new FullAt();
      Ledger ledger = halted.operations.fleet.ledger();
      ledger.listen(listener);
      ledger.listenToPlacements(listener);
      listener.left = at;
      Throwable thrown = catchThrowable(() -> halted.apply(change));
      fired = listener.fired;
      List<Object> now;
      try {
        now = state(halted);
      } catch (InternalErrorException refused) {
        continue;
      }
      assertThat(now)
          .as("%s, at event %s", thrown, at)
          .isEqualTo(thrown == null ? state(whole) : before);
      assertThat(halted.operations.audit()).as("%s, at event %s", thrown, at).isEmpty();
    }
  }
}
