package io.lighthouse.tests.contract;

import static io.lighthouse.tests.contract.BrokenLaw.unlessAlike;
import static io.lighthouse.tests.contract.BrokenLaw.unlessEqual;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.Plural;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.contract.ScenarioRun.Answered;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import io.lighthouse.tests.referee.Referee;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Laws that compare a distributor with a second one, which must not differ. */
final class Twins {
  private static final String END = "the state at the end";

  private Twins() {}

  /** Two instances, one input. */
  static void sameAnswer(ScenarioRun run) {
    Distributor twin = run.twin();
    run.play(answer -> compare(Law.SAME_ANSWER, "a second run", answer, twin));
    unlessAlike(Law.SAME_ANSWER, END, run.distributor, twin);
  }

  /** One instance in two distributors, whose calls alternate; the first must not change by it. */
  static void apart(ScenarioRun alone, Scenario other) {
    List<Answered> answers = alone.play();
    alone.record.add("the same again, in turn with another distributor of the same strategy");
    PlacementStrategy shared = alone.subject.strategy();
    Function<RandomFleet, Distributor> made =
        fleet -> alone.subject.distributors().apply(shared, fleet);
    Distributor twin = made.apply(alone.scenario.fleet());
    ScenarioRun stranger = alone.on(made.apply(other.fleet()), Law.SOUND_CALLS);
    for (int i = 0; i < answers.size(); i++) {
      if (i < other.sketches().size()) {
        other
            .sketches()
            .get(i)
            .call(stranger.distributor.snapshot(), 1000 + i)
            .ifPresent(stranger::ask);
      }
      compare(Law.APART, "beside another distributor", answers.get(i), twin);
    }
    unlessAlike(Law.APART, END, alone.distributor, twin);
  }

  /** A batch, and its workloads one by one; a gang is placed whole, so its batch stays one. */
  static void oneByOne(ScenarioRun run) {
    Distributor twin = run.twin();
    run.play(
        one -> {
          if (!(one.call() instanceof Call.Assign assign)
              || assign.allOrNothing()
              || assign.batch().stream().anyMatch(load -> load.terms().gang().isPresent())) {
            one.call().on(twin);
            return;
          }
          Map<String, Optional<String>> single = new LinkedHashMap<>();
          for (Workload workload : assign.batch()) {
            single.putAll(twin.assign(workload).asMap());
          }
          Map<String, Optional<String>> batch = ((Assignments) one.answer()).asMap();
          unlessEqual(Law.ONE_BY_ONE, "one by one instead of a batch", batch, single);
        });
    unlessAlike(Law.ONE_BY_ONE, END, run.distributor, twin);
  }

  /** Each batch, and the same batch with simpler strategies in the same state. */
  static void neverFewer(
      ScenarioRun run,
      List<PlacementStrategy> simpler,
      Function<PlacementStrategy, Distributors.Builder> builders) {
    run.calls(
        call -> {
          RandomFleet before = RandomFleet.of(run.distributor.snapshot());
          Object answer = run.ask(call);
          if (call instanceof Call.Assign assign) {
            int placed = ((Assignments) answer).placedCount();
            for (PlacementStrategy simple : simpler) {
              Distributor twin = Subject.build(builders.apply(simple), before).build();
              Assignments other = (Assignments) assign.on(twin);
              if (other.placedCount() > placed) {
                throw new BrokenLaw(
                    Law.NEVER_FEWER,
                    "placed of " + assign.batch().size() + ", beside '" + simple.name() + "'",
                    other.placedCount() + " or more",
                    placed);
              }
            }
          }
        });
  }

  /** Each batch, and the same on a copy with a budget, which a referee of its own judges. */
  static void budgeted(ScenarioRun run, int steps) {
    run.calls(
        call -> {
          Distributor copy = run.distributor.copy();
          run.ask(call);
          if (call instanceof Call.Assign assign) {
            budgeted(assign, copy, Budget.ofSteps(steps), run);
          }
        });
  }

  private static void budgeted(Call.Assign call, Distributor copy, Budget budget, ScenarioRun run) {
    Referee referee = run.subject.referee(RandomFleet.of(copy.snapshot()));
    String about = "the same with a budget of " + Plural.of(budget.steps(), "step");
    run.record.add(about);
    Assignments answer;
    try {
      answer = copy.assign(call.batch(), budget, call.options().toArray(AssignOption[]::new));
    } catch (RuntimeException | Error thrown) {
      throw new BrokenLaw(Law.BUDGET, about, "an answer", thrown);
    }
    run.record.add("answered " + answer);
    List<Finding> findings = new ArrayList<>(referee.judge(call, answer));
    findings.addAll(referee.judge(copy.snapshot()));
    unlessEqual(Law.BUDGET, about, List.of(), findings);
  }

  /** A copy goes on as its original does, and neither changes the other. */
  static void copy(ScenarioRun run, int before) {
    run.play(0, before);
    run.record.add("copied");
    ScenarioRun copy = run.on(run.distributor.copy(), Law.COPY);
    Map<String, Object> then = Subject.state(run.distributor);
    unlessAlike(Law.COPY, "the state of the copy", run.distributor, copy.distributor);
    List<Answered> answers = copy.play(before, copy.size());
    Map<String, Object> original = Subject.state(run.distributor);
    unlessAlike(Law.COPY, "the original, after the copy was changed", then, original);
    Map<String, Object> copied = Subject.state(copy.distributor);
    for (Answered answer : answers) {
      compare(Law.COPY, "the original asked like its copy", answer, run.distributor);
    }
    unlessAlike(Law.COPY, END, copied, Subject.state(run.distributor));
    Map<String, Object> after = Subject.state(copy.distributor);
    unlessAlike(Law.COPY, "the copy, after the original was changed", copied, after);
  }

  /** A distributor made from a snapshot goes on as the first does. */
  static void writtenOut(ScenarioRun run, int before) {
    run.play(0, before);
    run.record.add("written out and read again");
    Distributor twin = run.subject.make(RandomFleet.of(run.distributor.snapshot()));
    unlessAlike(Law.WRITTEN_OUT, "the state read again", run.distributor, twin);
    for (Answered answer : run.play(before, run.size())) {
      compare(Law.WRITTEN_OUT, "read again", answer, twin);
    }
    unlessAlike(Law.WRITTEN_OUT, END, run.distributor, twin);
  }

  /**
   * All or nothing is the ordinary batch where that places all; else nothing has happened, which
   * later calls show too.
   */
  static void allOrNothing(ScenarioRun run) {
    Distributor twin = run.twin();
    run.calls(
        call -> {
          if (call instanceof Call.Assign assign) {
            allOrNothing(assign.batch(), run, twin);
          } else {
            Answered later = new Answered(call, run.ask(call));
            compare(Law.ALL_OR_NOTHING, "a later call", later, twin);
          }
        });
  }

  /** Every batch is tried all or nothing; the twin never gets one that fails. */
  private static void allOrNothing(List<Workload> batch, ScenarioRun run, Distributor twin) {
    List<AssignOption> options = List.of(AssignOption.ALL_OR_NOTHING, AssignOption.EXPLAIN);
    Assignments answer = (Assignments) run.ask(new Call.Assign(batch, options));
    Assignments ordinary = twin.copy().assign(batch, AssignOption.EXPLAIN);
    if (ordinary.allPlaced()) {
      unlessEqual(Law.ALL_OR_NOTHING, "a batch that fits", ordinary, answer);
      twin.assign(batch);
    } else {
      unlessEqual(Law.ALL_OR_NOTHING, "placed of a batch too large", 0, answer.placedCount());
      unlessEqual(
          Law.ALL_OR_NOTHING,
          "the reasons of a batch too large",
          ordinary.refusals(),
          answer.refusals());
    }
    unlessAlike(Law.ALL_OR_NOTHING, "the state", twin, run.distributor);
  }

  /** When all is released, every node and domain has its whole capacity left. */
  static void released(ScenarioRun run) {
    run.play();
    run.ask(new Call.ReleaseAll());
    Snapshot empty = run.distributor.snapshot();
    for (NodeState node : empty.nodes()) {
      String about = "left on the empty node '" + node.name() + "'";
      unlessEqual(Law.RELEASE, about, node.capacity(), node.left());
    }
    for (DomainState domain : empty.domains()) {
      String about = "left in the empty " + domain.level() + " '" + domain.name() + "'";
      unlessEqual(Law.RELEASE, about, domain.capacity(), domain.left());
    }
  }

  private static void compare(Law law, String about, Answered expected, Distributor other) {
    about += ", " + expected.call();
    Object found;
    try {
      found = expected.call().on(other);
    } catch (RuntimeException thrown) {
      throw new BrokenLaw(law, about, expected.answer(), thrown);
    }
    unlessEqual(law, about, expected.answer(), found);
  }
}
