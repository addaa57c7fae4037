package io.lighthouse.core.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Node;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.engine.Engine;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.registry.Registry;
import io.lighthouse.core.search.Finder;
import io.lighthouse.core.view.FleetView;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Which constraints a workload without terms concerns, in a plain fleet. Assertions in {@link
 * Query} check in every test that no other constraint could reject such a workload.
 */
class PlainWorkloadsTest {
  private final Ledger ledger = new Ledger();
  private Finder finder;

  @BeforeEach
  void aCordonedNode() {
    ledger.nodeChanges().add(List.of(new Node("n", Resources.of("cpu", 1), List.of(), true)));
    finder = new Finder(ledger, NamedRules.NONE);
  }

  private Demand demand() {
    Batch batch = Batch.open(ledger, List.of(Workload.of("w", Resources.of("cpu", 2))));
    try {
      return batch.demand(0);
    } finally {
      batch.close();
    }
  }

  private static Constraint[] constraints(Query query, String field) {
    try {
      Field of = Query.class.getDeclaredField(field);
      of.setAccessible(true);
      return (Constraint[]) of.get(query);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void areThoseThatSaySoInTheSameOrder() {
    try (Query query = finder.bind(demand())) {
      List<Constraint> concerned = new ArrayList<>();
      for (Constraint constraint : constraints(query, "hard")) {
        if (constraint.concernsPlain()) {
          concerned.add(constraint);
        }
      }
      assertThat(concerned)
          .hasExactlyElementsOfTypes(Cordons.class, NodeResources.class, Confinement.class);
      assertThat(constraints(query, "plain")).containsExactlyElementsOf(concerned);
    }
  }

  @Test
  void theirReasonsAreComplete() {
    List<Reason.Kind> kinds = new ArrayList<>();
    try (Query query = finder.bind(demand())) {
      query.reportBroken(0, (by, condition, kind, key, lacking, against) -> kinds.add(kind));
    }
    assertThat(kinds).containsExactly(Reason.Kind.CORDONED, Reason.Kind.SHORT);
  }

  @Test
  void goInARunOnlyWhereNoPlacementChangesAnAnswer() {
    ledger.nodeChanges().add(List.of(Node.of("m", Resources.of("cpu", 100))));
    ledger.commit();
    FleetView fleet = new FleetView(ledger, null, new Registry<>("rule", List.of()));
    assertThat(placedAtOnce(fleet)).isEqualTo(8);
    try (Query query = fleet.finder().bind(demand())) {
      assertThat(query.isLimitedByResourcesOnly()).isTrue();
      constraints(query, "hard")[0] = new AtMostTwo(ledger);
      constraints(query, "plain")[0] = constraints(query, "hard")[0];
    }
    assertThat(placedAtOnce(fleet)).isEqualTo(2);
  }

  /** How many of eight replicas the engine places; they are taken away again. */
  private int placedAtOnce(FleetView fleet) {
    Workload replica = Workload.of("w", Resources.of("cpu", 2));
    Batch batch =
        Batch.open(
            ledger,
            IntStream.range(0, 8).mapToObj(number -> replica.named("w-" + number)).toList());
    new Engine(
            fleet,
            new PlacementStrategy() {
              @Override
              public String name() {
                return "first";
              }

              @Override
              public Placer newPlacer(Fleet of, Settings settings) {
                return Placer.FIRST;
              }
            },
            new StrategyDescription("first", "", List.of(), false, true, "here"),
            Settings.of(List.of(), Map.of()))
        .place(batch, Budget.UNLIMITED, false);
    int placed =
        (int)
            IntStream.range(0, 8)
                .filter(i -> ledger.placements().nodeOf(batch.entry(i)) >= 0)
                .count();
    ledger.rollBack(0);
    return placed;
  }

  /** A constraint that rejects no node before a placement, and overrides nothing more. */
  private static final class AtMostTwo extends Constraint {
    private final Ledger ledger;

    AtMostTwo(Ledger ledger) {
      this.ledger = ledger;
    }

    @Override
    boolean prepare(Demand demand) {
      for (int node = 0; node < ledger.nodes().slotCount(); node++) {
        if (!admits(node)) {
          return true;
        }
      }
      return false;
    }

    @Override
    boolean admits(int node) {
      return ledger.placements().workloads(node).size() < 2;
    }

    @Override
    void reportBroken(int node, Broken broken) {}

    @Override
    public Reason reason(int node, int condition) {
      return new Reason.Cordoned();
    }
  }
}
