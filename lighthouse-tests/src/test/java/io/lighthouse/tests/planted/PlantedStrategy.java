package io.lighthouse.tests.planted;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.Strategy;
import io.lighthouse.tests.builtin.PackInParts;
import io.lighthouse.tests.contract.StrategyContract;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.generate.Sketch;
import io.lighthouse.tests.reference.ReferenceAnswers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** A wrong strategy on the engine; run by the tests of this package alone. */
public class PlantedStrategy extends StrategyContract {
  static volatile Supplier<PlacementStrategy> strategy;

  @Override
  protected PlacementStrategy strategy() {
    return strategy.get();
  }

  /** Contracts of wrong strategies that a fresh process must be able to make. */
  public static class ByIdentity extends StrategyContract {
    @Override
    protected PlacementStrategy strategy() {
      return WrongStrategies.byIdentity();
    }
  }

  /** The same for an order that hangs on the locale. */
  public static class ByLocale extends StrategyContract {
    @Override
    protected PlacementStrategy strategy() {
      return WrongStrategies.byLocale();
    }
  }

  /** The same for the order of a set of the JDK. */
  public static class ByHashOrder extends StrategyContract {
    @Override
    protected PlacementStrategy strategy() {
      return WrongStrategies.byHashOrder();
    }
  }

  /** The same for a choice that hangs on the number of processors. */
  public static class ByProcessors extends StrategyContract {
    @Override
    protected PlacementStrategy strategy() {
      return WrongStrategies.byProcessors();
    }
  }

  /** The same on fleets that only this contract draws. */
  public static class ByProcessorsOnItsOwnFleets extends StrategyContract {
    @Override
    protected PlacementStrategy strategy() {
      return WrongStrategies.byProcessorsOnTwins();
    }

    @Override
    public Arbitrary<Scenario> scenarios() {
      return Arbitraries.integers()
          .between(2, 4)
          .map(
              workloads ->
                  new Scenario(
                      List.of(
                          Node.of("twin-1", Resources.none()), Node.of("twin-2", Resources.none())),
                      Optional.empty(),
                      List.of(
                          new Sketch.Assign(
                              Workload.of("w", Resources.none()).replicas(workloads), List.of()))));
    }
  }

  /** Not a wrong strategy only, but one that never ends. */
  public static class Endless extends StrategyContract {
    @Override
    protected PlacementStrategy strategy() {
      return WrongStrategies.endless();
    }

    @Override
    protected Duration patience() {
      return Duration.ofSeconds(2);
    }
  }

  /** A sound strategy, with scenarios that leave out what they should put to the test. */
  public static class WithoutRivals extends StrategyContract {
    @Override
    protected PlacementStrategy strategy() {
      return Distributors.installed().find("prioritized");
    }

    @Override
    public Arbitrary<Scenario> scenarios() {
      return Scenarios.any().map(WithoutRivals::withoutGroups);
    }

    private static Scenario withoutGroups(Scenario scenario) {
      List<Sketch> sketches = new ArrayList<>();
      for (Sketch sketch : scenario.sketches()) {
        sketches.add(sketch instanceof Sketch.Assign assign ? withoutGroups(assign) : sketch);
      }
      return new Scenario(scenario.fleet(), sketches);
    }

    private static Sketch withoutGroups(Sketch.Assign assign) {
      return new Sketch.Assign(
          assign.workloads().stream().map(load -> load.withAversionGroups()).toList(),
          assign.options());
    }
  }

  /** Has a setting that must be set: its default is empty. */
  public static class NeedsASetting extends StrategyContract {
    @Override
    protected PlacementStrategy strategy() {
      return new WrongStrategies.WithSettings("seats", "more", "");
    }

    @Override
    protected Map<String, String> settings() {
      return Map.of("seats", "2");
    }
  }

  /** Is sound with these settings, but not with its own defaults. */
  public static class RefusesItsDefaults extends NeedsASetting {
    @Override
    protected PlacementStrategy strategy() {
      return WrongStrategies.refusesItsDefaults();
    }
  }

  /** A sound strategy that takes the zone with the fewest workloads. */
  public static class SpreadsOverZones extends StrategyContract {
    @Override
    protected PlacementStrategy strategy() {
      return WrongStrategies.overZones();
    }

    @Override
    protected boolean looksAtDomains() {
      return true;
    }
  }

  /** Takes turns in the order given, and says that this never places fewer than others do. */
  public static class SaysNeverFewer extends StrategyContract {
    @Override
    protected PlacementStrategy strategy() {
      return Distributors.installed().find("prioritized");
    }

    @Override
    protected List<PlacementStrategy> neverFewerThan() {
      return List.of(Distributors.installed().find("spread"));
    }
  }

  /** {@code pack} in parts without its simple strategies: each is stopped before its first turn. */
  public static class StopsSimpleStrategies extends StrategyContract {
    @Override
    protected PlacementStrategy strategy() {
      return PackInParts.above(4, StopsSimpleStrategies::place);
    }

    private static void place(BatchPlacer placer, Session session) {
      placer.place(
          PackInParts.altered(
              session,
              method -> method.equals("placeInTurn") ? Optional.of("stopped") : Optional.empty()));
    }

    @Override
    protected Map<String, String> settings() {
      return Map.of("steps", "0");
    }

    @Override
    protected List<PlacementStrategy> neverFewerThan() {
      return List.of(Distributors.installed().find("spread"));
    }
  }

  /** Lends the strategy the distributor that it is part of. */
  public static class CallsBack extends StrategyContract {
    private final AtomicReference<Distributor> own = new AtomicReference<>();

    @Override
    protected PlacementStrategy strategy() {
      return new WrongStrategies.CallsBack(own);
    }

    @Override
    protected Distributor newDistributor(PlacementStrategy strategy, RandomFleet fleet) {
      own.set(super.newDistributor(strategy, fleet));
      return own.get();
    }
  }

  /** A strategy that is not the one that its reference is. */
  public static class OtherThanItsReference extends ReferenceAnswers {
    static volatile Supplier<PlacementStrategy> strategy;
    static volatile Strategy naive;

    @Override
    protected PlacementStrategy strategy() {
      return strategy.get();
    }

    @Override
    protected Strategy naive() {
      return naive;
    }
  }
}
