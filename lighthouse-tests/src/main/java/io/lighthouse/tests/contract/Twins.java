package io.lighthouse.tests.contract;

import static io.lighthouse.tests.contract.BrokenLaw.unlessEqual;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Law;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Laws that compare a distributor with a second one, which must not differ. */
final class Twins {
  private final Subject subject;
  private final Minutes minutes;

  Twins(Subject subject, Minutes minutes) {
    this.subject = subject;
    this.minutes = minutes;
  }

  /** Two instances, one input. */
  void sameAnswer(Scenario scenario) {
    Trial trial = new Trial(subject, scenario, minutes);
    Distributor twin = subject.make(scenario);
    trial.play((call, answer) -> compare(Law.SAME_ANSWER, "a second run", call, answer, twin));
    unlessEqual(
        Law.SAME_ANSWER,
        "the state at the end",
        Subject.state(trial.distributor),
        Subject.state(twin));
  }

  /** One instance in two distributors, whose calls alternate; the first must not change by it. */
  void apart(Scenario scenario, Scenario other) {
    Trial alone = new Trial(subject, scenario, minutes);
    List<Object> answers = new ArrayList<>();
    List<Call> calls = new ArrayList<>();
    alone.play(
        (call, answer) -> {
          calls.add(call);
          answers.add(answer);
        });
    minutes.add("the same again, in turn with another distributor of the same strategy");
    PlacementStrategy shared = subject.strategy();
    Distributor twin = subject.make(shared, scenario.fleet());
    Distributor stranger = subject.make(shared, other.fleet());
    for (int i = 0; i < calls.size(); i++) {
      if (i < other.sketches().size()) {
        Optional<Call> strange = other.sketches().get(i).call(stranger.snapshot(), 1000 + i);
        strange.ifPresent(call -> call.on(stranger));
      }
      compare(Law.APART, "beside another distributor", calls.get(i), answers.get(i), twin);
    }
    unlessEqual(
        Law.APART, "the state at the end", Subject.state(alone.distributor), Subject.state(twin));
  }

  /** A batch, and its workloads one by one. */
  void oneByOne(Scenario scenario) {
    Trial trial = new Trial(subject, scenario, minutes);
    Distributor twin = subject.make(scenario);
    trial.play(
        (call, answer) -> {
          if (!(call instanceof Call.Assign assign) || assign.allOrNothing()) {
            call.on(twin);
            return;
          }
          Map<String, Optional<String>> single = new LinkedHashMap<>();
          for (Workload workload : assign.batch()) {
            single.putAll(twin.assign(workload).asMap());
          }
          unlessEqual(
              Law.ONE_BY_ONE,
              "one by one instead of a batch",
              ((Assignments) answer).asMap(),
              single);
        });
    unlessEqual(
        Law.ONE_BY_ONE,
        "the state at the end",
        Subject.state(trial.distributor),
        Subject.state(twin));
  }

  /** A copy goes on as its original does, and neither changes the other. */
  void copy(Scenario scenario, int before) {
    Trial trial = new Trial(subject, scenario, minutes);
    int half = Math.min(before, scenario.sketches().size());
    trial.play(0, half, (call, answer) -> {});
    minutes.add("copied");
    Distributor copy = trial.distributor.copy();
    List<Object> then = Subject.state(trial.distributor);
    unlessEqual(Law.COPY, "the state of the copy", then, Subject.state(copy));
    List<Call> calls = new ArrayList<>();
    List<Object> answers = new ArrayList<>();
    for (int serial = half; serial < scenario.sketches().size(); serial++) {
      scenario
          .sketches()
          .get(serial)
          .call(copy.snapshot(), serial)
          .ifPresent(
              call -> {
                minutes.add("call of the copy: " + call);
                calls.add(call);
                answers.add(call.on(copy));
                minutes.add("answered " + answers.get(answers.size() - 1));
              });
    }
    List<Object> copied = Subject.state(copy);
    unlessEqual(
        Law.COPY,
        "the original, after the copy was changed",
        then,
        Subject.state(trial.distributor));
    for (int i = 0; i < calls.size(); i++) {
      compare(
          Law.COPY,
          "the original asked like its copy",
          calls.get(i),
          answers.get(i),
          trial.distributor);
    }
    unlessEqual(Law.COPY, "the state at the end", copied, Subject.state(trial.distributor));
    unlessEqual(Law.COPY, "the copy, after the original was changed", copied, Subject.state(copy));
  }

  /** A distributor made from a snapshot goes on as the first does. */
  void writtenOut(Scenario scenario, int before) {
    Trial trial = new Trial(subject, scenario, minutes);
    int half = Math.min(before, scenario.sketches().size());
    trial.play(0, half, (call, answer) -> {});
    minutes.add("written out and read again");
    Distributor twin = subject.restore(trial.distributor.snapshot());
    unlessEqual(
        Law.WRITTEN_OUT,
        "the state read again",
        Subject.state(trial.distributor),
        Subject.state(twin));
    trial.play(
        half,
        scenario.sketches().size(),
        (call, answer) -> compare(Law.WRITTEN_OUT, "read again", call, answer, twin));
    unlessEqual(
        Law.WRITTEN_OUT,
        "the state at the end",
        Subject.state(trial.distributor),
        Subject.state(twin));
  }

  /**
   * All or nothing is the ordinary batch where that places all; else nothing has happened, which
   * later calls show too.
   */
  void allOrNothing(Scenario scenario) {
    Trial trial = new Trial(subject, scenario, minutes);
    Distributor twin = subject.make(scenario);
    for (int serial = 0; serial < scenario.sketches().size(); serial++) {
      Optional<Call> next = trial.call(serial);
      if (next.isEmpty()) {
        continue;
      }
      if (!(next.get() instanceof Call.Assign assign)) {
        compare(Law.ALL_OR_NOTHING, "a later call", next.get(), trial.ask(next.get()), twin);
        continue;
      }
      // Every batch is tried all or nothing here; the twin never gets one that fails.
      Distributor tried = twin.copy();
      Assignments ordinary = tried.assign(assign.batch(), AssignOption.EXPLAIN);
      List<AssignOption> options = List.of(AssignOption.ALL_OR_NOTHING, AssignOption.EXPLAIN);
      Assignments answer = (Assignments) trial.ask(new Call.Assign(assign.batch(), options));
      if (ordinary.allPlaced()) {
        unlessEqual(Law.ALL_OR_NOTHING, "a batch that fits", ordinary, answer);
        twin = tried;
      } else {
        unlessEqual(Law.ALL_OR_NOTHING, "placed of a batch too large", 0, answer.placedCount());
        unlessEqual(
            Law.ALL_OR_NOTHING,
            "the reasons of a batch too large",
            ordinary.refusals(),
            answer.refusals());
      }
      unlessEqual(
          Law.ALL_OR_NOTHING, "the state", Subject.state(twin), Subject.state(trial.distributor));
    }
  }

  /** When all is released, every node and domain has its whole capacity left. */
  void released(Scenario scenario) {
    Trial trial = new Trial(subject, scenario, minutes);
    trial.play((call, answer) -> {});
    trial.ask(new Call.ReleaseAll());
    Snapshot empty = trial.distributor.snapshot();
    for (NodeState node : empty.nodes()) {
      unlessEqual(
          Law.RELEASE,
          "left on the empty node '" + node.name() + "'",
          node.capacity(),
          node.left());
    }
    for (DomainState domain : empty.domains()) {
      unlessEqual(
          Law.RELEASE,
          "left in the empty " + domain.level() + " '" + domain.name() + "'",
          domain.capacity(),
          domain.left());
    }
  }

  private static void compare(
      Law law, String about, Call call, Object expected, Distributor other) {
    Object found;
    try {
      found = call.on(other);
    } catch (RuntimeException thrown) {
      throw new BrokenLaw(law, about + ", " + call, expected, thrown);
    }
    unlessEqual(law, about + ", " + call, expected, found);
  }
}
