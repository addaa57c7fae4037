package io.lighthouse.fleets.live;

import static io.lighthouse.fleets.live.FleetsTest.assign;
import static io.lighthouse.fleets.live.FleetsTest.kind;
import static io.lighthouse.fleets.live.FleetsTest.problem;
import static io.lighthouse.fleets.live.FleetsTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetEngine;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Fleets whose strategy or rules fail, are missing, or do not end, and creations that break off.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FleetEnginesTest {
  private final MemoryJournal store = new MemoryJournal();

  /** Has the rule {@code near} or not, as a service with or without its plug-in. */
  private record Service(boolean hasPlugin) implements FleetEngine {
    private Distributors.Builder builder(Problem problem) {
      Distributors.Builder builder = Engine.builder(problem);
      return hasPlugin ? builder.rule(new Near()) : builder;
    }

    @Override
    public Distributor create(Problem problem) {
      return builder(problem).build();
    }

    @Override
    public Distributor recover(Problem problem) {
      return builder(problem).restore();
    }
  }

  private static final class Near implements PlacementRule {
    @Override
    public String name() {
      return "near";
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(Reads.NODE);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      return (workload, node) -> Judgement.KEPT;
    }
  }

  private Fleets open(FleetEngine engine) throws StoreException {
    return new Fleets(
        store,
        engine,
        FleetLimits.STANDARD,
        FleetObserver.NONE,
        Clock.systemUTC(),
        Runnable::run,
        1 << 20);
  }

  /** As where the memory ends just when the store has written it. */
  @Test
  void aFleetWhoseCreationBreaksOffIsThereOrNot() throws StoreException {
    boolean[] ends = {false};
    MemoryJournal journal =
        new MemoryJournal() {
          @Override
          public synchronized void append(Head before, List<Entry> entries, Head after)
              throws StoreException {
            super.append(before, entries, after);
            if (ends[0]) {
              throw new Error("planted, as for lack of memory");
            }
          }
        };
    Fleets fleets = Engine.fleets(journal, 1 << 20);
    ends[0] = true;
    assertThatThrownBy(() -> fleets.create("f", problem(), "", false))
        .hasMessageContaining("planted");
    ends[0] = false;
    assertThat(fleets.create("g", problem(), "", false).join().outcome())
        .isEqualTo(Outcome.CREATED);
    assertThat(fleets.create("f", problem(), "", false).join().outcome()).isEqualTo(Outcome.DONE);
  }

  @Test
  void aFleetThatFindsNoMemoryIsCreatedAllTheSame() throws StoreException {
    boolean[] ends = {true};
    Fleets fleets =
        open(
            FleetEngine.of(
                Engine::of,
                problem -> {
                  if (ends[0]) {
                    throw new Error("planted, as for lack of memory");
                  }
                  return Engine.of(problem);
                }));
    assertThat(fleets.create("f", problem(), "", false).join().outcome())
        .isEqualTo(Outcome.CREATED);
    ends[0] = false;
    assertThat(fleets.create("f", problem(), "", false).join().outcome()).isEqualTo(Outcome.DONE);
  }

  @Test
  void aFleetOutlivesThePluginOfItsWorkloadsButIsNotCreatedWithoutIt() throws StoreException {
    Problem problem =
        Engine.problem(
            "{'strategy':'prioritized','nodes':[{'name':'n','resources':{'cpu':4},'workloads':"
                + "[{'name':'w','requirements':{'cpu':1},'rules':[{'rule':'near'}]}]}],"
                + "'workloads':[]}");
    Fleets without = open(new Service(false));
    assertThatThrownBy(() -> without.create("f", problem, "", false))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("workload 'w': rules[0] is 'near', which is not installed");
    assertThat(store.heads()).isEmpty();
    Fleets with = open(new Service(true));
    with.create("f", problem, "", false).join();
    with.close();
    FleetCall summary = FleetCall.of(FleetQuestions.summary());
    assertThat(text(open(new Service(false)).submit("f", summary))).contains("\"workloads\":1");
  }

  @Test
  void aFleetWhoseStrategyIsNotInstalledIsDamagedUntilItIs() throws StoreException {
    open(Engine::of).create("f", problem(), "", false).join();
    FleetCall summary = FleetCall.of(FleetQuestions.summary());
    Fleets without =
        open(
            problem -> {
              throw new InvalidInputException("problem", "strategy", "'x'", "an installed one");
            });
    assertThat(kind(without.submit("f", summary))).isEqualTo(Kind.DAMAGED);
    assertThat(kind(without.submit("f", FleetCall.of(assign("w", 1))))).isEqualTo(Kind.DAMAGED);
    assertThat(text(open(Engine::of).submit("f", summary))).contains("\"generation\":1");
  }

  @Test
  void aStrategyThatThrowsChangesNothing() throws StoreException {
    Placer placer =
        (workload, candidates) -> {
          if (workload.name().equals("bad")) {
            throw new IllegalStateException("planted");
          }
          return candidates.first();
        };
    Fleets fleets =
        open(problem -> Distributors.of("throwing", placer).nodes(problem.nodes()).build());
    fleets.create("f", problem(), "", false).join();
    List<Workload> batch =
        List.of(
            Workload.of("good", Resources.of("cpu", 1)),
            Workload.of("bad", Resources.of("cpu", 1)));
    assertThatThrownBy(() -> fleets.submit("f", FleetCall.of(FleetCommands.assign(batch))).join())
        .hasCauseInstanceOf(StrategyException.class);
    assertThat(text(fleets.submit("f", FleetCall.of(FleetQuestions.summary()))))
        .contains("\"workloads\":0")
        .endsWith("\"generation\":1}");
    assertThat(text(fleets.submit("f", FleetCall.of(assign("good", 1)))))
        .endsWith("\"generation\":2}");
  }

  @Nested
  class StrategiesThatDoNotEnd {
    /**
     * Whether the strategy loops for workloads whose name begins with "loop"; it ignores
     * interrupts.
     */
    private volatile boolean loops = true;

    private final FleetEngine engine =
        problem ->
            Distributors.of(
                    "looping",
                    (Placer)
                        (workload, candidates) -> {
                          while (workload.name().startsWith("loop") && loops) {
                            Thread.onSpinWait();
                          }
                          return candidates.first();
                        })
                .nodes(problem.nodes())
                .build();

    @Test
    void costTheirFleetNothingButTheStrategy() throws Exception {
      try (Fleets fleets =
          Fleets.open(
              store,
              engine,
              FleetLimits.STANDARD
                  .withTurns(10, 100, Duration.ofSeconds(1))
                  .withQueue(100, Duration.ofMinutes(5)),
              FleetObserver.NONE,
              Clock.systemUTC(),
              Runnable::run)) {
        fleets.create("f", problem(), "", false).join();
        assertThat(fleets.submit("f", FleetCall.of(assign("a", 1))).join().outcome())
            .isEqualTo(Outcome.DONE);
        CompletableFuture<Answer> looping = fleets.submit("f", FleetCall.of(assign("loop", 1)));
        assertThatThrownBy(() -> looping.join())
            .hasCauseInstanceOf(FleetException.class)
            .hasMessageContaining("did not end");
        assertThat(kind(fleets.submit("f", FleetCall.of(assign("b", 1)))))
            .isEqualTo(Kind.STRATEGY_REFUSED);
        assertThat(text(fleets.submit("f", FleetCall.of(FleetQuestions.workload("a")))))
            .contains("\"node\":\"n1\"");
        Answer released = fleets.submit("f", FleetCall.of(FleetCommands.release("a"))).join();
        assertThat(released.generation()).isEqualTo(3);
        Node node = Node.of("n3", Resources.of("cpu", 1));
        assertThat(fleets.submit("f", FleetCall.of(NodeCommands.put(node))).join().outcome())
            .isEqualTo(Outcome.CREATED);
      } finally {
        loops = false;
      }
    }
  }
}
