package io.lighthouse.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.Amounts;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.constraint.Constraints;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.search.Finder;
import io.lighthouse.core.view.FleetView;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Engines on ledgers of their own: amounts in bulk, and core's own faults. */
class EngineTest {
  private final Ledger ledger = new Ledger();
  private FleetView fleet;

  EngineTest() {
    ledger
        .nodeChanges()
        .add(
            List.of(
                Node.of("n0", Resources.of("cpu", 2, "mem", "0.5"))
                    .withWorkloads(
                        workload("old", 2), workload("rival", 1).withAversionGroups("g")),
                Node.of("gone", Resources.of("disk", 1)),
                Node.of("n1", Resources.of("cpu", "inf", "ward", "-inf")),
                Node.of("n2", Resources.of("cpu", "-1.25"))));
    ledger.commit();
    ledger.nodeChanges().remove(ledger.nodes().node("gone"));
    ledger.commit();
  }

  private static Workload workload(String name, Object cpu) {
    return Workload.of(name, Resources.of("cpu", cpu));
  }

  private Engine engine(Function<Fleet, Placer> placer) {
    fleet =
        new FleetView(
            ledger, null, new io.lighthouse.core.registry.Registry<>("rule", java.util.List.of()));
    return new Engine(
        fleet,
        new PlantedFleet.Planted(true, placer::apply),
        new StrategyDescription("planted", "", List.of(), false, true, "here"),
        Settings.of(List.of(), java.util.Map.of()));
  }

  private void placing(Batch batch, BiConsumer<Fleet, Session> place) {
    engine(all -> (BatchPlacer) session -> place.accept(all, session))
        .place(batch, Budget.UNLIMITED, false);
  }

  @Nested
  class InBulk {
    /** Node by node and resource by resource the quantities that a placer reads one by one. */
    @Test
    void amountsAreTheQuantities() {
      Batch batch =
          Batch.open(
              ledger,
              List.of(Workload.of("new", Resources.of("cpu", "0.125", "nobody-has-this", 3))));
      List<String> read = new ArrayList<>();
      placing(
          batch,
          (all, session) -> {
            Amounts amounts = all.amounts();
            for (int round = 0; round < 2; round++) {
              for (int node = 0; node < all.size(); node++) {
                long[] left = new long[amounts.ids()];
                long[] capacity = new long[amounts.ids()];
                amounts.left(node, left);
                amounts.capacity(node, capacity);
                for (int id = 0; id < amounts.ids(); id++) {
                  String name = amounts.resource(id);
                  if (name != null) {
                    assertThat(text(left[id], amounts.digits(id)))
                        .isEqualTo(all.node(node).left(name).map(Object::toString).orElse("none"));
                    assertThat(text(capacity[id], amounts.digits(id)))
                        .isEqualTo(
                            all.node(node).capacity(name).map(Object::toString).orElse("none"));
                    read.add(name);
                  } else {
                    assertThat(left[id]).isEqualTo(Amounts.ABSENT);
                  }
                }
              }
              long[] required = new long[amounts.ids()];
              session.required(0, required);
              for (int id = 0; id < amounts.ids(); id++) {
                String name = amounts.resource(id);
                assertThat(text(required[id], amounts.digits(id)))
                    .isEqualTo(
                        name == null
                            ? "none"
                            : session
                                .workload(0)
                                .requirements()
                                .get(name)
                                .map(Object::toString)
                                .orElse("none"));
              }
            }
            assertThatThrownBy(() -> amounts.left(3, new long[9]))
                .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> amounts.capacity(-1, new long[9]))
                .isInstanceOf(IndexOutOfBoundsException.class);
          });
      assertThat(read).contains("cpu", "mem", "ward", "nobody-has-this");
    }

    private String text(long amount, int digits) {
      return amount == Amounts.ABSENT
          ? "none"
          : amount == Amounts.INFINITY
              ? "inf"
              : amount == Amounts.NEGATIVE_INFINITY
                  ? "-inf"
                  : io.lighthouse.api.quantity.Quantity.ofScaled(amount, digits).toString();
    }

    @Test
    void theyFollowWhatTheSessionDoes() {
      Batch batch = Batch.open(ledger, List.of(workload("new", "1.5")));
      placing(
          batch,
          (all, session) -> {
            int cpu = 0;
            while (!"cpu".equals(all.amounts().resource(cpu))) {
              cpu++;
            }
            long[] left = new long[all.amounts().ids()];
            session.assign(0, 0);
            all.amounts().left(0, left);
            assertThat(text(left[cpu], all.amounts().digits(cpu))).isEqualTo("0.5");
            session.release(0);
            all.amounts().left(0, left);
            assertThat(text(left[cpu], all.amounts().digits(cpu))).isEqualTo("2");
          });
    }
  }

  /** Faults of core inside a question are core's, whatever the strategy makes of them. */
  @Nested
  class OurOwnFault {
    private final List<Workload> batch = List.of(workload("new", 1));
    private final List<BiConsumer<Fleet, Session>> changes =
        List.of(
            (all, session) -> session.assign(0, 0),
            (all, session) -> {
              BREAKS[0] = false;
              session.assign(0, 0);
              BREAKS[0] = true;
              session.release(0);
            },
            (all, session) -> {
              int savepoint = session.savepoint();
              BREAKS[0] = false;
              session.assign(0, 0);
              BREAKS[0] = true;
              session.rollBack(savepoint);
            });

    /** Whether the listener that stands for a broken index throws now. */
    private static final boolean[] BREAKS = {false};

    private void breakChanges() {
      ledger.listenToPlacements(
          (node, demand, times) -> {
            if (BREAKS[0]) {
              throw new ArrayIndexOutOfBoundsException("planted in the index");
            }
          });
      BREAKS[0] = true;
    }

    @Test
    void aChangeThatBreaksIsNotTheStrategysFault() {
      for (BiConsumer<Fleet, Session> change : changes) {
        for (boolean hidden : new boolean[] {false, true}) {
          EngineTest fresh = new EngineTest();
          OurOwnFault own = fresh.new OurOwnFault();
          own.breakChanges();
          Batch open = Batch.open(fresh.ledger, batch);
          assertThatThrownBy(
                  () ->
                      fresh.placing(
                          open,
                          (all, session) -> {
                            try {
                              change.accept(all, session);
                            } catch (RuntimeException broken) {
                              if (!hidden) {
                                throw broken;
                              }
                            }
                          }))
              .isInstanceOf(InternalErrorException.class)
              .isNotInstanceOf(StrategyException.class)
              .hasMessageContaining("bug of Lighthouse")
              .hasRootCauseMessage("planted in the index");
          BREAKS[0] = false;
        }
      }
    }

    @Test
    void aQuestionThatBreaksIsNotTheStrategysFault() throws ReflectiveOperationException {
      Engine engine =
          engine(
              all ->
                  (workload, candidates) -> {
                    breakFinder();
                    return candidates.firstAfter(1);
                  });
      Batch open = Batch.open(ledger, batch);
      assertThatThrownBy(() -> engine.place(open, Budget.UNLIMITED, false))
          .isInstanceOf(InternalErrorException.class)
          .hasRootCauseInstanceOf(NullPointerException.class);
    }

    /** Takes the accounts away from the finder, for every further search. */
    private void breakFinder() {
      try {
        for (Field field : Finder.class.getDeclaredFields()) {
          if (field.getType() == Ledger.class) {
            field.setAccessible(true);
            field.set(fleet.finder(), null);
          }
        }
      } catch (IllegalAccessException hidden) {
        throw new AssertionError(hidden);
      }
    }

    @Test
    void aCallOfTheStrategyEndsAlsoWhereItsSessionCannotBeClosed() {
      Engine engine =
          engine(
              all ->
                  (BatchPlacer)
                      session -> {
                        session.fits(0, 0);
                        breakQueries();
                      });
      Batch open = Batch.open(ledger, batch);
      assertThatThrownBy(() -> engine.place(open, Budget.UNLIMITED, false))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThat(engine.callsStrategy()).isFalse();
    }

    /** Lets no query be closed any more, as where its memory is gone. */
    private void breakQueries() {
      try {
        Field keeper = Finder.class.getDeclaredField("keeper");
        keeper.setAccessible(true);
        Field constraints = keeper.getType().getDeclaredField("constraints");
        constraints.setAccessible(true);
        Field closed = Constraints.class.getDeclaredField("closed");
        closed.setAccessible(true);
        closed.set(constraints.get(keeper.get(fleet.finder())), List.of());
      } catch (ReflectiveOperationException hidden) {
        throw new AssertionError(hidden);
      }
    }

    @Test
    void memoryThatIsGoneIsNobodysFault() {
      ledger.listenToPlacements(
          (node, demand, times) -> {
            throw new OutOfMemoryError("planted");
          });
      Batch open = Batch.open(ledger, batch);
      assertThatThrownBy(() -> placing(open, (all, session) -> session.assign(0, 0)))
          .isInstanceOf(OutOfMemoryError.class);
    }
  }
}
