package io.lighthouse.core;

import static io.lighthouse.core.SmallFleets.state;
import static io.lighthouse.core.SmallFleets.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Advisor;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.advice.WhatIf;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Settings;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The code of strategies and rules throws at each of its calls in turn, for each kind of question.
 * The call fails whole, and the next one is answered as by a fleet where nothing has failed. The
 * first of all calls with a stack trace throws each kind of fault, the others one kind each: where
 * the trace is the same, the same code catches the fault.
 */
class FailingAtEveryCallTest {
  private static final List<Supplier<Throwable>> FAULTS =
      List.of(
          () -> new IllegalStateException("planted"),
          () -> new AssertionError("planted"),
          () -> new StackOverflowError("planted"),
          () -> new OutOfMemoryError("planted"));

  /** Counts the calls of the code, and throws at one of them. */
  private static final class Calls {
    private int count;
    private int failing = -1;
    private Throwable fault;

    /** The stack traces of all calls, in order; null while they are not noted. */
    private List<String> traces;

    void count() {
      if (traces != null) {
        traces.add(
            StackWalker.getInstance().walk(all -> all.map(String::valueOf).toList()).toString());
      }
      if (count++ == failing) {
        if (fault instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) fault;
      }
    }

    void begin(int at, Throwable thrown) {
      count = 0;
      failing = at;
      fault = thrown;
    }
  }

  /** First fit, by a placer that counts its calls. */
  private record Counting(Calls calls) implements Placer {
    @Override
    public FleetNode choose(Workload workload, Candidates candidates) {
      calls.count();
      return candidates.best(
          (one, other) -> {
            calls.count();
            return Integer.compare(one.index(), other.index());
          });
    }

    @Override
    public BatchOrder order() {
      calls.count();
      return BatchOrder.sizeDescending();
    }

    @Override
    public List<Choice.Term> terms(Workload workload, FleetNode node) {
      calls.count();
      return List.of();
    }
  }

  private record OneByOne(Calls calls) implements PlacementStrategy {
    @Override
    public String name() {
      return "one-by-one";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      calls.count();
      return new Counting(calls);
    }
  }

  /** Fails between any two calls of its session. */
  private record AtOnce(Calls calls) implements PlacementStrategy {
    @Override
    public String name() {
      return "at-once";
    }

    @Override
    public boolean sequential() {
      return false;
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      calls.count();
      return (BatchPlacer) this::place;
    }

    private void place(Session session) {
      calls.count();
      int start = session.savepoint();
      firstFit(session);
      session.keep();
      calls.count();
      session.rollBack(start);
      calls.count();
      session.placeInTurn(
          new Counting(calls),
          () -> {
            calls.count();
            return true;
          });
      calls.count();
      for (int i = 0; i < session.size(); i++) {
        if (session.nodeOf(i) >= 0 && session.releasable(i)) {
          session.release(i);
          calls.count();
        }
      }
      firstFit(session);
      session.settle();
      calls.count();
    }

    private void firstFit(Session session) {
      for (int i = 0; i < session.size(); i++) {
        if (session.nodeOf(i) < 0) {
          Candidates candidates = session.candidates(i);
          calls.count();
          FleetNode first = candidates.first();
          if (first != candidates.decline()) {
            session.assign(i, first.index());
            calls.count();
          }
        }
      }
    }
  }

  /** A rule that counts its calls, and forbids nodes that hold much. */
  private record Counted(String name, Calls calls, Set<Reads> reads) implements PlacementRule {
    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      calls.count();
      return (workload, node) -> {
        calls.count();
        boolean full = reads.contains(Reads.PLACED) && node.placedCount() > 3;
        return full ? Judgement.broken(1, "full") : Judgement.KEPT;
      };
    }
  }

  private static Workload ruled(String name, Object... requirements) {
    return workload(name, requirements)
        .withTerms(
            Terms.NONE
                .rules(
                    new Rule.Named("still", Map.of()),
                    new Rule.Named("moving", Map.of()),
                    new Rule.Most(2, "g", Rule.NODE))
                .preferring(new Rule.Named("moving", Map.of()))
                .inGroups("g"));
  }

  private static List<Workload> batch() {
    return List.of(
        workload("a", "cpu", 2),
        ruled("b", "cpu", 3),
        workload("c", "cpu", 1).withAversionGroups("h"),
        ruled("d", "cpu", -1),
        workload("e", "cpu", 2).withTerms(Terms.NONE.inGang(Gang.of("pair").within("rack"))),
        workload("f", "cpu", 2).withTerms(Terms.NONE.inGang(Gang.of("pair").within("rack"))),
        ruled("large", "cpu", 90));
  }

  private static LedgerDistributor fleet(PlacementStrategy strategy, Calls calls) {
    return (LedgerDistributor)
        Distributors.of(strategy)
            .rule(new Counted("still", calls, Set.of(Reads.NODE)))
            .rule(new Counted("moving", calls, Set.of(Reads.PLACED, Reads.DOMAIN_PLACED)))
            .domains(Domain.of("rack", "r0", Resources.of("power", 9)))
            .nodes(
                Node.of("n0", Resources.of("cpu", 6))
                    .in("rack", "r0")
                    .withWorkloads(workload("old", "cpu", 2).withAversionGroups("h")),
                Node.of("n1", Resources.of("cpu", 5)).in("rack", "r0"),
                Node.of("n2", Resources.of("cpu", 4))
                    .in("rack", "r1")
                    .withWorkloads(ruled("held", "cpu", 1)))
            .build();
  }

  /** All kinds of questions, by name. */
  private static Map<String, Function<Distributor, Object>> questions() {
    Map<String, Function<Distributor, Object>> questions = new LinkedHashMap<>();
    Node kind = Node.of("kind", Resources.of("cpu", 99));
    List<Change> changes =
        List.of(
            new Change.Cordon("n1"),
            new Change.Assign(ruled("new", "cpu", 1), "n2"),
            new Change.Move("held", "n2", "n0"),
            new Change.AddNode(kind),
            new Change.Release("old"));
    questions.put("assign", fleet -> fleet.assign(batch()).asMap());
    questions.put(
        "assign, explained", fleet -> fleet.assign(batch(), AssignOption.EXPLAIN).refusals());
    questions.put(
        "assign, all or nothing",
        fleet -> fleet.assign(batch(), AssignOption.ALL_OR_NOTHING).asMap());
    questions.put("assign, few steps", fleet -> fleet.assign(batch(), Budget.ofSteps(9)).asMap());
    questions.put("apply", fleet -> fleet.apply(changes));
    questions.put("tryOut", fleet -> fleet.tryOut(changes, tried -> tried.assign(batch()).asMap()));
    questions.put("explain", fleet -> fleet.explain(4, batch()));
    questions.put("fitting", fleet -> fleet.fitting(ruled("new", "cpu", 1)));
    questions.put("copy", fleet -> state(fleet.copy()));
    questions.put("choice", fleet -> fleet.advisor().choice(1, batch()));
    questions.put(
        "whatIf",
        fleet ->
            fleet
                .advisor()
                .whatIf(
                    batch(),
                    List.of(new Supposition.RemoveNode("n2"), new Supposition.AddNodes(1, kind)),
                    WhatIf.Placing.GOING_ON));
    questions.put(
        "size",
        fleet ->
            fleet
                .advisor()
                .size(batch(), List.of(new Offer(kind, Quantity.of(3), 2)), Budget.UNLIMITED));
    questions.put(
        "remedies", fleet -> fleet.advisor().remedies(ruled("new", "cpu", 6), Set.of("old")));
    questions.put("shortages", fleet -> fleet.advisor().shortages(batch()));
    questions.put(
        "headroom",
        fleet -> fleet.advisor().headroom(List.of(new Headroom.Part(ruled("m", "cpu", 1), 1))));
    questions.put("bounds", fleet -> fleet.advisor().bounds(batch()));
    for (PlanGoal goal :
        List.of(
            new PlanGoal.Place(batch()),
            new PlanGoal.Drain(List.of("n2")),
            new PlanGoal.Consolidate(),
            new PlanGoal.Rebalance(),
            new PlanGoal.Evacuate(List.of("n2")),
            new PlanGoal.Repair())) {
      questions.put(
          "plan, " + goal.getClass().getSimpleName(),
          fleet -> fleet.advisor().plan(goal, PlanLimits.NONE));
    }
    return questions;
  }

  /** A new question of the api, or a new goal of a plan, has to be among them. */
  @Test
  void everyQuestionIsAsked() {
    List<String> asked =
        questions().keySet().stream().map(name -> name.replaceFirst("^plan, ", "")).toList();
    assertThat(Advisor.class.getMethods())
        .extracting(Method::getName)
        .filteredOn(name -> !name.equals("plan"))
        .isSubsetOf(asked);
    assertThat(PlanGoal.class.getPermittedSubclasses())
        .extracting(Class::getSimpleName)
        .isSubsetOf(asked);
  }

  static Stream<Arguments> all() {
    return questions().keySet().stream()
        .flatMap(name -> Stream.of(Arguments.of(name, false), Arguments.of(name, true)));
  }

  @ParameterizedTest(name = "{0}, at once: {1}")
  @MethodSource("all")
  void theCallFailsWholeAndTheNextIsAnswered(String name, boolean atOnce) {
    Function<Distributor, Object> question = questions().get(name);
    Calls calls = new Calls();
    Supplier<LedgerDistributor> made =
        () -> fleet(atOnce ? new AtOnce(calls) : new OneByOne(calls), calls);
    LedgerDistributor innocent = made.get();
    List<Object> before = state(innocent);
    calls.traces = new ArrayList<>();
    Object answer = question.apply(innocent);
    List<String> traces = calls.traces;
    calls.traces = null;
    List<Object> after = state(innocent);
    int count = traces.size();
    Set<String> met = new HashSet<>();
    for (int at = 0; at < count; at++) {
      boolean first = met.add(traces.get(at));
      for (Supplier<Throwable> fault : first ? FAULTS : List.of(FAULTS.get(at % FAULTS.size()))) {
        calls.begin(-1, null);
        LedgerDistributor fleet = made.get();
        calls.begin(at, fault.get());
        Throwable thrown = catchThrowable(() -> question.apply(fleet));
        calls.begin(-1, null);
        assertThat(thrown).as("call %s of %s", at, count).isNotNull();
        assertThat(fleet.operations.audit()).as("%s at call %s", thrown, at).isEmpty();
        assertThat(state(fleet)).as("%s at call %s", thrown, at).isEqualTo(before);
        assertThat(fleet.generation()).isZero();
        assertThat(question.apply(fleet)).as("%s at call %s", thrown, at).isEqualTo(answer);
        assertThat(state(fleet)).isEqualTo(after);
        assertThat(fleet.operations.audit()).isEmpty();
      }
    }
  }
}
