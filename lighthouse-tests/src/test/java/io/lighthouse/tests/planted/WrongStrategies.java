package io.lighthouse.tests.planted;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.BudgetOverException;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** What the author of a strategy can get wrong. */
final class WrongStrategies {
  /** Ends the endless strategy, after its thread was abandoned. */
  static final AtomicBoolean STOPPED = new AtomicBoolean();

  private WrongStrategies() {}

  private static PlacementStrategy of(String name, Function<Fleet, Placer> placer) {
    return new Named(name, true, placer);
  }

  private record Named(String name, boolean sequential, Function<Fleet, Placer> placer)
      implements PlacementStrategy {
    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return placer.apply(fleet);
    }
  }

  // ---- fails ----

  static PlacementStrategy throwsNowAndThen() {
    return of(
        "throws-now-and-then",
        fleet ->
            (workload, candidates) -> {
              if (workload.requirements().has("seat") && fleet.lastPlaced() >= 0) {
                throw new IllegalStateException("now and then");
              }
              return candidates.first();
            });
  }

  static PlacementStrategy failsInABareFleet() {
    return of(
        "fails-in-a-bare-fleet",
        fleet ->
            (workload, candidates) -> {
              for (int node = 0; node < fleet.size(); node++) {
                if (fleet.node(node).domain("rack").isPresent()) {
                  return candidates.first();
                }
              }
              throw new IllegalStateException("no node is in a rack");
            });
  }

  static PlacementStrategy answersNull() {
    return of("answers-null", fleet -> (workload, candidates) -> null);
  }

  static PlacementStrategy answersOfAnotherFleet() {
    AtomicReference<FleetNode> stolen = new AtomicReference<>();
    Distributors.of("thief", (workload, candidates) -> remember(stolen, candidates.first()))
        .nodes(Node.of("n1", Resources.none()))
        .build()
        .assign(Workload.of("w", Resources.none()));
    return of("answers-of-another-fleet", fleet -> (workload, candidates) -> stolen.get());
  }

  private static FleetNode remember(AtomicReference<FleetNode> memory, FleetNode node) {
    memory.set(node);
    return node;
  }

  static PlacementStrategy takesTheFirstNodeOfAll() {
    return of("takes-the-first-of-all", fleet -> (workload, candidates) -> fleet.node(0));
  }

  static PlacementStrategy declinesUndeclared() {
    return of(
        "declines-undeclared",
        fleet ->
            (workload, candidates) ->
                workload.requirements().has("mem") ? candidates.decline() : candidates.first());
  }

  /** Its contract hands it its own distributor. */
  record CallsBack(AtomicReference<Distributor> own) implements PlacementStrategy {
    @Override
    public String name() {
      return "calls-back";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (workload, candidates) -> {
        Distributor distributor = own.get();
        if (distributor != null) {
          distributor.releaseAll();
        }
        return candidates.first();
      };
    }
  }

  static PlacementStrategy endless() {
    return of(
        "endless",
        fleet ->
            (workload, candidates) -> {
              while (workload.requirements().has("mem") && !STOPPED.get()) {
                Thread.onSpinWait();
              }
              return candidates.first();
            });
  }

  static PlacementStrategy dropsTheLastOfABatch() {
    return new Named(
        "drops-the-last",
        false,
        fleet -> (BatchPlacer) session -> firstFit(session, session.size() - 1, false));
  }

  static PlacementStrategy batchWithoutAversion() {
    return new Named(
        "batch-without-aversion",
        false,
        fleet -> (BatchPlacer) session -> firstFit(session, session.size(), fleet.size() > 0));
  }

  static PlacementStrategy returnsWhenItsBudgetEnds() {
    return whenItsBudgetEnds("returns-when-its-budget-ends", () -> {});
  }

  static PlacementStrategy throwsItsOwnWhenItsBudgetEnds() {
    return whenItsBudgetEnds(
        "throws-its-own-when-its-budget-ends",
        () -> {
          throw new IllegalStateException("the budget is over");
        });
  }

  /** Catches what the engine throws at the end of a budget. */
  private static PlacementStrategy whenItsBudgetEnds(String name, Runnable instead) {
    return new Named(
        name,
        false,
        fleet ->
            (BatchPlacer)
                session -> {
                  try {
                    firstFit(session, session.size(), false);
                  } catch (BudgetOverException over) {
                    instead.run();
                  }
                });
  }

  private static void firstFit(Session session, int size, boolean blind) {
    for (int workload = 0; workload < size; workload++) {
      FleetNode first =
          session.candidates(workload).iterator().hasNext()
              ? session.candidates(workload).first()
              : null;
      int node = first == null ? -1 : first.index();
      for (int other = 0; blind && other < node; other++) {
        if (session.fits(workload, other)) {
          node = other;
        }
      }
      if (node >= 0) {
        session.assign(workload, node);
      }
    }
  }

  // ---- hangs on what it must not hang on ----

  static PlacementStrategy random() {
    Random random = new Random();
    return of("random", fleet -> (workload, candidates) -> any(candidates, random::nextInt));
  }

  private static FleetNode any(Candidates candidates, Function<Integer, Integer> below) {
    List<FleetNode> all = all(candidates);
    return all.get(below.apply(all.size()));
  }

  private static List<FleetNode> all(Candidates candidates) {
    List<FleetNode> all = new ArrayList<>();
    candidates.forEach(all::add);
    return all;
  }

  static PlacementStrategy byClock() {
    return of(
        "by-clock",
        fleet ->
            (workload, candidates) ->
                any(candidates, size -> (int) (System.nanoTime() / 100 % size)));
  }

  static PlacementStrategy byIdentity() {
    return of(
        "by-identity",
        fleet ->
            (workload, candidates) ->
                candidates.best(
                    Comparator.comparingInt((FleetNode node) -> System.identityHashCode(node))));
  }

  /** Turkish has a capital i of its own, which stands behind all other letters. */
  static PlacementStrategy byLocale() {
    return of(
        "by-locale",
        fleet ->
            (workload, candidates) ->
                candidates.best(
                    Comparator.comparing((FleetNode node) -> node.name().toUpperCase())));
  }

  static PlacementStrategy byHashOrder() {
    return of(
        "by-hash-order",
        fleet ->
            (workload, candidates) -> {
              Set<Integer> indexes = new HashSet<>();
              candidates.forEach(node -> indexes.add(node.index()));
              return fleet.node(Set.copyOf(indexes).iterator().next());
            });
  }

  static PlacementStrategy byProcessors() {
    return of(
        "by-processors",
        fleet ->
            (workload, candidates) ->
                any(candidates, size -> Runtime.getRuntime().availableProcessors() % size));
  }

  static PlacementStrategy byProcessorsOnTwins() {
    return of(
        "by-processors-on-twins",
        fleet ->
            fleet.size() > 0 && fleet.node(0).name().startsWith("twin")
                ? byProcessors().newPlacer(fleet, null)
                : Placer.FIRST);
  }

  // ---- keeps what it must not keep ----

  static PlacementStrategy keepsAPositionInItsPlacer() {
    return of(
        "keeps-a-position-in-its-placer",
        fleet -> {
          AtomicInteger position = new AtomicInteger(-1);
          return (workload, candidates) -> turn(position, fleet, candidates);
        });
  }

  static PlacementStrategy keepsAPositionForAll() {
    AtomicInteger position = new AtomicInteger(-1);
    return of(
        "keeps-a-position-for-all",
        fleet -> (workload, candidates) -> turn(position, fleet, candidates));
  }

  private static FleetNode turn(AtomicInteger position, Fleet fleet, Candidates candidates) {
    FleetNode node = candidates.firstAfter(Math.min(position.get(), fleet.size() - 1));
    position.set(node.index());
    return node;
  }

  static PlacementStrategy countsItsCopies() {
    AtomicInteger placers = new AtomicInteger();
    return of(
        "counts-its-copies",
        fleet -> {
          int own = placers.incrementAndGet();
          return (workload, candidates) -> any(candidates, size -> own % size);
        });
  }

  static PlacementStrategy ordersTheBatchButSaysSequential() {
    Rubric rubric = Rubric.of("cpu", 1);
    return of(
        "says-sequential",
        fleet ->
            new Placer() {
              @Override
              public FleetNode choose(Workload workload, Candidates candidates) {
                return candidates.first();
              }

              @Override
              public BatchOrder order() {
                return BatchOrder.scoreDescending(rubric);
              }
            });
  }

  // ---- describes itself wrongly ----

  static PlacementStrategy hasOtherTermsForEachNode() {
    return explained(
        "other-terms", node -> Choice.Term.of("distance of " + node.name(), Quantity.ZERO));
  }

  static PlacementStrategy hasTermsAgainstItsChoice() {
    return explained("against", node -> Choice.Term.of("place", Quantity.of(-node.index())));
  }

  static PlacementStrategy failsAtItsTerms() {
    return explained(
        "fails-at-its-terms",
        node -> {
          throw new IllegalStateException("no terms");
        });
  }

  /** First fit, with a term for each node. */
  private static PlacementStrategy explained(String name, Function<FleetNode, Choice.Term> term) {
    return of(
        name,
        fleet ->
            new Placer() {
              @Override
              public FleetNode choose(Workload workload, Candidates candidates) {
                return candidates.first();
              }

              @Override
              public List<Choice.Term> terms(Workload workload, FleetNode node) {
                return List.of(term.apply(node));
              }
            });
  }

  /** It has two settings, for which it accepts a number of seats from 1 to 5. */
  record WithSettings(String first, String second, String byDefault) implements PlacementStrategy {
    @Override
    public String name() {
      return "with-settings";
    }

    @Override
    public List<Setting> settings() {
      return List.of(
          new Setting(first, "seats", byDefault), new Setting(second, "seats", byDefault));
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      settings.integer(first, 1, 5);
      return Placer.FIRST;
    }
  }

  static PlacementStrategy refusesItsDefaults() {
    return new WithSettings("seats", "more", "none");
  }

  static PlacementStrategy hasTwoSettingsOfOneName() {
    return new WithSettings("seats", "seats", "1");
  }

  // ---- sound, but not what it says it is ----

  /** Takes the zone with the fewest workloads; only the law of plain problems forbids that. */
  static PlacementStrategy overZones() {
    return of(
        "over-zones",
        fleet ->
            (workload, candidates) ->
                candidates.best(Comparator.comparingInt(WrongStrategies::placedInTheZone)));
  }

  private static int placedInTheZone(FleetNode node) {
    return node.domain("zone")
        .map(zone -> zone.nodes().stream().mapToInt(FleetNode::placedCount).sum())
        .orElse(0);
  }

  /** It does not see the rules at the top; only the law of these forbids that. */
  static PlacementStrategy lastUnderRules() {
    return of(
        "last-under-rules",
        fleet ->
            (workload, candidates) -> {
              List<FleetNode> all = all(candidates);
              return all.get(workload.terms().rules().isEmpty() ? 0 : all.size() - 1);
            });
  }

  static PlacementStrategy byNamesOfZones() {
    return of(
        "by-names-of-zones",
        fleet ->
            (workload, candidates) ->
                candidates.best(
                    Comparator.comparing(
                        node -> node.domain("zone").map(FleetDomain::name).orElse(""))));
  }

  static PlacementStrategy prioritizedThatSkipsOne() {
    return of(
        "skips-one",
        fleet ->
            (workload, candidates) -> {
              List<FleetNode> all = all(candidates);
              return all.get(all.size() > 2 ? 1 : 0);
            });
  }

  static PlacementStrategy roundRobinThatStays() {
    return of(
        "round-robin-that-stays",
        fleet ->
            (workload, candidates) -> candidates.firstAfter(Math.max(-1, fleet.lastPlaced() - 1)));
  }

  static PlacementStrategy roundRobinThatLeaps() {
    return of(
        "round-robin-that-leaps",
        fleet ->
            (workload, candidates) ->
                candidates.firstAfter((fleet.lastPlaced() + 1) % fleet.size()));
  }

  static PlacementStrategy binPackOfTheRoomiest() {
    return binPack("roomiest", true, false);
  }

  static PlacementStrategy binPackAsGiven() {
    return binPack("as-given", false, true);
  }

  private static PlacementStrategy binPack(String name, boolean roomiest, boolean asGiven) {
    return new Named(
        name,
        false,
        fleet ->
            new Placer() {
              @Override
              public FleetNode choose(Workload workload, Candidates candidates) {
                var order = fleet.orderBy(fleet.rubric().orElseThrow());
                return candidates.first(roomiest ? order.descending() : order);
              }

              @Override
              public BatchOrder order() {
                return asGiven
                    ? BatchOrder.asGiven()
                    : BatchOrder.scoreDescending(fleet.rubric().orElseThrow());
              }
            });
  }
}
