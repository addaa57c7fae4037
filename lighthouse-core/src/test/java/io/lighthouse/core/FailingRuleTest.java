package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.rule.RuleException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A rule of a plug-in that throws is to blame, for its own call and for no other. */
class FailingRuleTest {
  private static final Rule MOODY = new Rule.Named("moody", Map.of());

  /** A rule that always throws. */
  private record Moody(Reads what) implements PlacementRule {
    @Override
    public String name() {
      return "moody";
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(what);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      return (workload, node) -> {
        throw new IllegalStateException("not today");
      };
    }
  }

  /** Asks a session for candidates, and makes nothing of what is thrown there. */
  private static final class Swallowing implements PlacementStrategy {
    @Override
    public String name() {
      return "swallowing";
    }

    @Override
    public boolean sequential() {
      return false;
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (BatchPlacer)
          session -> {
            for (int i = 0; i < session.size(); i++) {
              try {
                session.assign(i, session.candidates(i).first().index());
              } catch (RuntimeException swallowed) {
                // So that only Lighthouse can say what was wrong.
              }
            }
          };
    }
  }

  /** Always answers the first node. */
  private static final class FirstNode implements PlacementStrategy {
    @Override
    public String name() {
      return "first-node";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (workload, candidates) -> fleet.node(0);
    }
  }

  private static Distributor fleet(PlacementStrategy strategy, Reads reads) {
    return Distributors.of(strategy)
        .rule(new Moody(reads))
        .nodes(Node.of("a", Resources.of("cpu", 9)), Node.of("b", Resources.of("cpu", 9)))
        .build();
  }

  private static Workload plain(String name) {
    return Workload.of(name, Resources.of("cpu", 1));
  }

  private static Workload bound(String name) {
    return plain(name).withTerms(Terms.NONE.rules(MOODY));
  }

  @ParameterizedTest
  @EnumSource(Reads.class)
  void theNextCallIsAsIfNothingHadBeen(Reads reads) {
    Distributor fleet = fleet(LivingFleet.roundRobin(), reads);
    for (int i = 0; i < 3; i++) {
      Workload failing = bound("failing" + i);
      assertThatThrownBy(() -> fleet.assign(failing)).isInstanceOf(RuleException.class);
      assertThat(fleet.assign(plain("plain" + i)).placedCount()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Reads.class)
  void theRuleIsToBlameInASessionToo(Reads reads) {
    Distributor fleet = fleet(new Swallowing(), reads);
    assertThatThrownBy(() -> fleet.assign(bound("failing"))).isInstanceOf(RuleException.class);
    assertThat(fleet.assign(plain("plain")).placedCount()).isEqualTo(1);
  }

  @Test
  void boundsAndPlansAskForKnownRulesLikeEveryCall() {
    Distributor fleet =
        Distributors.of(LivingFleet.roundRobin())
            .nodes(Node.of("a", Resources.of("cpu", 9)))
            .build();
    List<Workload> unknown = List.of(bound("w"));
    assertThatThrownBy(() -> fleet.advisor().bounds(unknown))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("moody");
    PlanGoal place = new PlanGoal.Place(unknown);
    assertThatThrownBy(() -> fleet.advisor().plan(place, PlanLimits.NONE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("moody");
  }

  private static Distributors.Builder bringing(Workload placed) {
    Node node = new Node("a", Resources.of("cpu", 9), List.of(placed), false);
    return Distributors.of(LivingFleet.roundRobin()).nodes(node);
  }

  @Test
  void placedWorkloadsOfANewFleetHaveKnownRules() {
    assertThatThrownBy(() -> bringing(bound("w")).build())
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "workload 'w': rules[0] is 'moody', which is not installed; allowed: none, no rule is"
                + " installed");
    Workload preferring = plain("w").withTerms(Terms.NONE.preferring(MOODY));
    RuleCheck kept = (workload, node) -> Judgement.KEPT;
    Setting most = new Setting("most", "a number", "0");
    assertThatThrownBy(() -> bringing(preferring).rule(new Lawless(List.of(most), kept)).build())
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "workload 'w': preferences[0] is 'moody', whose with.most is the default '0'; allowed: a"
                + " whole number from 1 to 9");
    assertThat(
            bringing(bound("w")).rule(new Lawless(List.of(), kept)).build().node("a").workloads())
        .hasSize(1);
  }

  @Test
  void aSettingKeepsTheQuotesInItsName() {
    Rule odd = new Rule.Named("moody", Map.of("it's", "1"));
    Workload placed = plain("w").withTerms(Terms.NONE.rules(odd));
    RuleCheck kept = (workload, node) -> Judgement.KEPT;
    assertThatThrownBy(() -> bringing(placed).rule(new Lawless(List.of(), kept)).build())
        .hasMessageContaining("with.it's");
  }

  @Test
  void aRuleWithASettingInPartIsRefusedAtOnce() {
    RuleCheck kept = (workload, node) -> Judgement.KEPT;
    Setting half = new Setting("most", "how many at most", null);
    assertThatThrownBy(() -> bringing(plain("w")).rule(new Lawless(List.of(half), kept)))
        .isInstanceOf(LighthouseException.class)
        .hasMessageContaining("rule 'moody'")
        .hasMessageContaining("null for a description, a setting");
  }

  @Test
  void aChangeNamesTheWorkloadWhoseRuleIsNotKnown() {
    String wrong = "workload 'w': rules[0] is 'moody', which is not installed";
    Distributor restored = bringing(bound("w")).restore();
    restored.addNode(Node.of("b", Resources.of("cpu", 9)));
    assertThatThrownBy(() -> restored.apply(new Change.Move("w", "a", "b")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(wrong);

    Distributor empty = Distributors.of(LivingFleet.roundRobin()).build();
    Node bringing = new Node("c", Resources.of("cpu", 9), List.of(plain("v"), bound("w")), false);
    assertThatThrownBy(() -> empty.addNode(bringing))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(wrong);
    empty.addNode(Node.of("b", Resources.of("cpu", 9)));
    assertThatThrownBy(() -> empty.apply(new Change.Assign(bound("w"), "b")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(wrong);
    assertThat(empty.snapshot().nodes()).hasSize(1);
  }

  @Test
  void aRestoredFleetKeepsWorkloadsWhoseRulesAreNotInstalled() {
    Distributor restored = bringing(bound("w")).restore();
    assertThat(restored.snapshot().nodeOf("w")).hasValue("a");
    assertThat(restored.copy().assign(plain("x")).placedCount()).isEqualTo(1);
    Workload another = bound("y");
    assertThatThrownBy(() -> restored.assign(another))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("moody");
    restored.addNode(Node.of("b", Resources.of("cpu", 9)));
    Change move = new Change.Move("w", "a", "b");
    assertThatThrownBy(() -> restored.apply(move))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("moody");
    assertThat(restored.release("w").name()).isEqualTo("w");
  }

  // ---- what a rule must not do, even if it catches what is thrown then ----

  /** A rule that reads what is on the nodes of the fleet. */
  private record Lawless(List<Setting> settings, RuleCheck check) implements PlacementRule {
    @Override
    public String name() {
      return "moody";
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(Reads.ACCOUNTS);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      settings.forEach(setting -> with.integer(setting.name(), 1, 9));
      return check;
    }
  }

  private static Distributor lawless(PlacementStrategy strategy, RuleCheck check) {
    return Distributors.of(strategy)
        .rule(new Lawless(List.of(), check))
        .nodes(Node.of("a", Resources.of("cpu", 9)), Node.of("b", Resources.of("cpu", 9)))
        .build();
  }

  private static void assertThatTheRuleFails(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(RuleException.class)
        .hasMessageStartingWith("rule 'moody' (class")
        .hasMessageContaining(message);
  }

  private static void swallow(Runnable forbidden) {
    try {
      forbidden.run();
    } catch (RuntimeException swallowed) {
      // So that only Lighthouse can say what was wrong.
    }
  }

  @Test
  void aRuleMustNotCallItsDistributor() {
    for (PlacementStrategy strategy : List.of(LivingFleet.roundRobin(), new Swallowing())) {
      AtomicReference<Distributor> own = new AtomicReference<>();
      RuleCheck check =
          (workload, node) -> {
            swallow(() -> own.get().snapshot());
            return Judgement.KEPT;
          };
      Distributor fleet = lawless(strategy, check);
      own.set(fleet);
      String message = "failed for workload 'w': a rule must not call its own distributor";
      assertThatTheRuleFails(() -> fleet.assign(bound("w")), message);
      assertThatTheRuleFails(() -> fleet.explain(bound("w")), "must not call its own");
      fleet.tryOut(
          List.of(),
          tried -> {
            own.set(tried);
            assertThatTheRuleFails(() -> tried.assign(bound("w")), message);
            own.set(fleet);
            assertThatTheRuleFails(() -> tried.assign(bound("w")), message);
            return true;
          });
      assertThat(fleet.assign(plain("plain")).placedCount()).isEqualTo(1);
    }
  }

  @Test
  void aRuleMustNotReadWhatItHasNotDeclared() {
    Distributor fleet =
        lawless(
            LivingFleet.roundRobin(),
            (workload, node) -> {
              swallow(() -> node.placedCount());
              return Judgement.KEPT;
            });
    assertThatTheRuleFails(
        () -> fleet.assign(bound("w")),
        "failed for workload 'w': it reads PLACED, which it has not declared");
    assertThat(fleet.assign(plain("plain")).placedCount()).isEqualTo(1);
  }

  @Test
  void anErrorOfARuleIsItsFailure() {
    for (Error error : List.of(new AssertionError("wrong"), new Error("wrong"))) {
      Distributor fleet =
          lawless(
              new Swallowing(),
              (workload, node) -> {
                throw error;
              });
      assertThatTheRuleFails(() -> fleet.assign(bound("w")), "threw for workload 'w': " + error);
      assertThatTheRuleFails(() -> fleet.explain(bound("w")), "" + error);
    }
  }

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

  /** Where another condition is not met, a rule is not even evaluated. */
  @Test
  void aStrategyThatAnswersANodeWithoutRoomIsToBlameAlsoBesideARule() {
    RuleCheck careful =
        (workload, node) -> node.left("gpu").orElseThrow().signum() > 0 ? Judgement.KEPT : null;
    Distributor fleet =
        Distributors.of(new FirstNode())
            .rule(new Lawless(List.of(), careful))
            .nodes(Node.of("small", Resources.of("cpu", 1)))
            .nodes(Node.of("large", Resources.of("cpu", 9, "gpu", 1)))
            .build();
    Workload needing =
        Workload.of("w", Resources.of("cpu", 2, "gpu", 1)).withTerms(Terms.NONE.rules(MOODY));
    assertThatThrownBy(() -> fleet.assign(needing))
        .isInstanceOf(StrategyException.class)
        .hasMessageContaining("answered node 'small', which workload 'w' does not fit");
  }

  private static Distributor choosing(Placer placer, RuleCheck check) {
    return Distributors.of("choosing", placer)
        .rule(new Lawless(List.of(), check))
        .nodes(Node.of("a", Resources.of("cpu", 9)), Node.of("b", Resources.of("cpu", 9)))
        .build();
  }

  @Test
  void aWrongSettingNamesTheRule() {
    RuleCheck kept = (workload, node) -> Judgement.KEPT;
    Workload wrong =
        plain("w").withTerms(Terms.NONE.rules(new Rule.Named("moody", Map.of("zz", "1"))));
    Distributor none = lawless(LivingFleet.roundRobin(), kept);
    assertThatThrownBy(() -> none.assign(wrong))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("rule 'moody': with.zz is '1'; allowed: no setting, the rule has none");
    Distributor one =
        Distributors.of(LivingFleet.roundRobin())
            .rule(new Lawless(List.of(new Setting("most", "a number", "0")), kept))
            .build();
    assertThatThrownBy(() -> one.assign(wrong))
        .hasMessage("rule 'moody': with.zz is '1'; allowed: the settings most");
    assertThatThrownBy(() -> one.assign(bound("w")))
        .hasMessage(
            "rule 'moody': with.most is the default '0'; allowed: a whole number from 1 to 9");
  }
}
