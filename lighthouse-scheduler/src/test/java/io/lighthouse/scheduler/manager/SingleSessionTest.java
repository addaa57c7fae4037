package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.strategy.Amounts;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.scheduler.NodeChoice;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingReport;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * A strategy that places batches finds in the manager what it finds in a distributor: the contract
 * of {@link Session}. Three nodes, of which the request of 2 fits the last two.
 */
class SingleSessionTest {
  private static final int NODES = 3;

  private Session leaked;
  private Candidates leakedCandidates;

  /** Runs a placer in one pass; what it throws is thrown here. */
  private List<String> place(BiConsumer<Fleet, Session> placer) {
    return run(fleet -> (BatchPlacer) session -> placer.accept(fleet, session));
  }

  private List<String> run(Function<Fleet, Placer> placer) {
    Cluster cluster = new Cluster();
    cluster.policy =
        SchedulingPolicy.DEFAULT.withNodeChoice(
            NodeChoice.of(
                new PlacementStrategy() {
                  @Override
                  public String name() {
                    return "test";
                  }

                  @Override
                  public Placer newPlacer(Fleet fleet, Settings settings) {
                    return placer.apply(fleet);
                  }
                },
                Map.of(),
                Optional.empty()));
    int[] cpus = {1, 4, 5};
    for (int node = 0; node < NODES; node++) {
      cluster.node("n" + node);
      cluster.offers("agent_n" + node, vector(cpus[node], 100));
    }
    cluster.queue("e", 1, vector(2, 1));
    SchedulingReport report = cluster.pass();
    if (!report.failures().isEmpty()) {
      throw new AssertionError(report.failures().get(0).getCause());
    }
    return report.queue().placements().stream().map(placement -> placement.node()).toList();
  }

  private static void assertRefused(ThrowingCallable call, String words) {
    assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessageContaining(words);
  }

  @Test
  void onlyOfAWorkloadThatIsNotPlacedIsAskedWhereItFits() {
    List<String> placed =
        place(
            (fleet, session) -> {
              assertThat(session.fits(0, 0)).isFalse();
              assertThat(session.fits(0, 1)).isTrue();
              session.assign(0, 1);
              assertRefused(() -> session.fits(0, 2), "'e' is placed already, on node 'n1'");
              assertRefused(() -> session.candidates(0), "placed already");
              assertRefused(() -> session.assign(0, 2), "placed already");
              session.release(0);
              assertRefused(() -> session.release(0), "'e' is not placed");
              assertRefused(() -> session.assign(0, 0), "'e' does not fit node 'n0'");
              session.assign(0, 2);
              assertThat(session.nodeOf(0)).isEqualTo(2);
            });
    assertThat(placed).containsExactly("n2");
  }

  @Test
  void candidatesAreGoodUntilTheNextChange() {
    place(
        (fleet, session) -> {
          Candidates before = session.candidates(0);
          Iterator<FleetNode> each = before.iterator();
          assertThat(before.first()).isSameAs(each.next());
          int savepoint = session.savepoint();
          assertThat(session.candidates(0).first().name()).isEqualTo("n1");
          assertThat(before.first().name()).isEqualTo("n1");
          session.assign(0, 1);
          assertRefused(before::first, "has changed");
          assertRefused(() -> before.firstAfter(0), "has changed");
          assertRefused(before::iterator, "has changed");
          assertRefused(before::emptiest, "has changed");
          assertRefused(each::next, "has changed");
          session.rollBack(savepoint);
          Candidates after = session.candidates(0);
          assertThat(after.first().name()).isEqualTo("n1");
          session.rollBack(savepoint);
          assertRefused(after::first, "has changed");
          session.assign(0, 1);
        });
  }

  @Test
  void nothingIsAnsweredAfterTheCall() {
    place(
        (fleet, session) -> {
          leaked = session;
          leakedCandidates = session.candidates(0);
          session.assign(0, leakedCandidates.first().index());
        });
    assertRefused(() -> leaked.nodeOf(0), "has ended");
    assertRefused(() -> leaked.release(0), "has ended");
    assertRefused(() -> leaked.savepoint(), "has ended");
    assertRefused(() -> leaked.required(0, new long[9]), "has ended");
    assertRefused(leakedCandidates::first, "has changed");
  }

  @Test
  void theCandidatesOfAPlacerEndWithItsTurn() {
    run(
        fleet ->
            (workload, candidates) -> {
              leakedCandidates = candidates;
              return candidates.first();
            });
    assertRefused(leakedCandidates::first, "has ended");
  }

  @Test
  void savepointsAreThoseOfADistributor() {
    List<String> placed =
        place(
            (fleet, session) -> {
              int empty = session.savepoint();
              assertThat(session.savepoint()).isEqualTo(empty);
              session.assign(0, 1);
              int first = session.savepoint();
              assertThat(first).isNotEqualTo(empty);
              session.release(0);
              int emptyAgain = session.savepoint();
              session.rollBack(first);
              assertThat(session.nodeOf(0)).isEqualTo(1);
              assertRefused(() -> session.rollBack(emptyAgain), "is gone");
              session.rollBack(first);
              session.forget(first);
              assertRefused(() -> session.rollBack(first), "is gone");
              assertRefused(() -> session.forget(first), "is gone");
              assertThat(session.nodeOf(0)).isEqualTo(1);
              session.rollBack(empty);
              assertThat(session.nodeOf(0)).isEqualTo(-1);
              session.assign(0, 2);
            });
    assertThat(placed).containsExactly("n2");
  }

  @Test
  void aNodeOrAWorkloadThatIsNotThereIsRefused() {
    place(
        (fleet, session) -> {
          for (int node : new int[] {-1, NODES}) {
            assertThatThrownBy(() -> session.fits(0, node))
                .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> session.averse(0, node))
                .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> session.assign(0, node))
                .isInstanceOf(IndexOutOfBoundsException.class);
          }
          assertThatThrownBy(() -> session.workload(1))
              .isInstanceOf(IndexOutOfBoundsException.class);
          session.assign(0, 1);
        });
  }

  @Test
  void amountsAreWholeNumbersOfTheSameIds() {
    place(
        (fleet, session) -> {
          Amounts amounts = fleet.amounts();
          int cpus = Arrays.asList(names(amounts)).indexOf("cpus");
          long[] into = new long[amounts.ids()];
          session.required(0, into);
          assertThat(into[cpus]).isEqualTo(2);
          amounts.left(2, into);
          assertThat(into[cpus]).isEqualTo(5);
          amounts.capacity(1, into);
          assertThat(into[cpus]).isEqualTo(4);
          session.assign(0, 1);
        });
  }

  private static String[] names(Amounts amounts) {
    String[] names = new String[amounts.ids()];
    Arrays.setAll(names, amounts::resource);
    return names;
  }
}
