package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Settings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A rule that answers differently each time is to blame, and nothing else is. */
class FickleRuleTest extends RuledFleets {
  /** A rule that a node keeps until a strategy has chosen it, and then every second time. */
  private static final class Fickle {
    private boolean isChosen;
    private int times;

    Judgement judge(Workload workload, FleetNode node) {
      return isChosen && times++ % 2 == 0 ? Judgement.broken(1, "not now") : Judgement.KEPT;
    }

    FleetNode choose(FleetNode node) {
      isChosen = true;
      return node;
    }

    FleetNode first(Workload workload, Candidates candidates) {
      return choose(candidates.first());
    }

    FleetNode firstOfAll(Workload workload, Candidates candidates) {
      List<FleetNode> all = new ArrayList<>();
      candidates.forEach(all::add);
      return choose(all.get(0));
    }

    void inSession(Session session) {
      session.assign(0, choose(session.candidates(0).first()).index());
    }
  }

  @Test
  void aRuleThatAnswersDifferentlyEachTimeIsToBlame() {
    List<Function<Fickle, Placer>> placers =
        List.of(
            rule -> rule::first, rule -> rule::firstOfAll, rule -> (BatchPlacer) rule::inSession);
    for (Function<Fickle, Placer> placer : placers) {
      Fickle rule = new Fickle();
      Distributor fleet = choosing(placer.apply(rule), rule::judge);
      assertThatTheRuleFails(
          () -> fleet.assign(bound("w")),
          "answers differently each time, for workload 'w' on node 'a'");
    }
  }

  /** How often it is evaluated decides whether it is noticed. Nothing else is ever blamed. */
  @Test
  void aPreferenceThatAnswersDifferentlyEachTimeIsToBlame() {
    Workload preferring = plain("w").withTerms(Terms.NONE.preferring(MOODY));
    int noticed = 0;
    for (int every = 3; every <= 6; every++) {
      for (int begin = 0; begin < every; begin++) {
        int period = every;
        AtomicInteger times = new AtomicInteger(begin);
        RuleCheck fickle =
            (workload, node) ->
                times.getAndIncrement() % period == 0 ? Judgement.broken(1, "no") : Judgement.KEPT;
        Distributor fleet = choosing((workload, candidates) -> candidates.first(), fickle);
        try {
          fleet.explain(preferring);
        } catch (RuntimeException | AssertionError thrown) {
          assertThatTheRuleFails(
              () -> {
                throw thrown;
              },
              "answers differently each time, for workload 'w'");
          noticed++;
        }
      }
    }
    assertThat(noticed).isPositive();
  }

  /** Each way of a strategy to find a node. With assertions, a second search checks most. */
  private static Map<String, Function<Fleet, Placer>> searches() {
    return Map.of(
        "first fit",
        fleet -> Placer.FIRST,
        "first",
        fleet -> (workload, candidates) -> candidates.first(),
        "after",
        fleet -> (workload, candidates) -> candidates.firstAfter(20),
        "in order",
        fleet -> {
          NodeOrder order = fleet.orderBy("cpu");
          return (workload, candidates) -> candidates.first(order);
        },
        "emptiest",
        fleet -> (workload, candidates) -> candidates.emptiest(),
        "most even",
        fleet -> (workload, candidates) -> candidates.mostEven(),
        "best",
        fleet -> (workload, candidates) -> candidates.best(Comparator.comparing(FleetNode::index)));
  }

  /** A strategy with a name and a placer. */
  private record Searching(Function<Fleet, Placer> placer) implements PlacementStrategy {
    @Override
    public String name() {
      return "searching";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return placer.apply(fleet);
    }
  }

  /** How often it is evaluated decides whether it is noticed. Nothing else is ever blamed. */
  @Test
  void whateverFindsTheNodeARuleThatAnswersDifferentlyEachTimeIsToBlame() {
    List<Terms> terms = List.of(Terms.NONE.rules(MOODY), Terms.NONE.preferring(MOODY));
    Set<String> noticed = new TreeSet<>();
    for (Map.Entry<String, Function<Fleet, Placer>> search : searches().entrySet()) {
      for (int run = 0; run < 24; run++) {
        AtomicInteger times = new AtomicInteger(run);
        int period = 2 + run % 6;
        Distributors.Builder builder =
            Distributors.of(new Searching(search.getValue()))
                .rule(
                    new Lawless(
                        List.of(),
                        (workload, node) ->
                            times.getAndIncrement() % period == 0
                                ? Judgement.KEPT
                                : Judgement.broken(1, "no")));
        for (int node = 0; node < 40; node++) {
          builder.nodes(Node.of("n" + node, Resources.of("cpu", 9 + node % 3, "mem", 9)));
        }
        Distributor fleet = builder.build();
        for (int i = 0; i < 40; i++) {
          Workload workload = plain("w" + i).withTerms(terms.get(run / 6 % 2));
          List<ThrowingCallable> calls =
              List.of(
                  () -> fleet.explain(workload),
                  () -> fleet.fitting(workload),
                  () -> fleet.advisor().choice(0, List.of(workload)),
                  () -> fleet.assign(List.of(workload), AssignOption.EXPLAIN));
          for (ThrowingCallable call : calls) {
            Throwable thrown = catchThrowable(call);
            if (thrown != null) {
              assertThatTheRuleFails(
                  () -> {
                    throw thrown;
                  },
                  "answers differently each time, for workload 'w");
              noticed.add(search.getKey());
            }
          }
        }
      }
    }
    assertThat(noticed).isNotEmpty();
  }
}
