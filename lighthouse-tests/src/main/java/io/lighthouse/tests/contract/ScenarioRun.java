package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import io.lighthouse.tests.referee.Referee;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A scenario being played on a distributor. */
final class ScenarioRun {
  final Subject subject;
  final Scenario scenario;
  final CallRecord record;
  final Distributor distributor;
  private final Law failing;

  /** A call that was made, and its answer. */
  record Answered(Call call, Object answer) {}

  ScenarioRun(Subject subject, Scenario scenario, CallRecord record) {
    this.subject = subject;
    this.scenario = scenario;
    this.record = record;
    failing = Law.SOUND_CALLS;
    record.add("made from " + scenario.fleet());
    distributor = subject.make(scenario.fleet());
  }

  private ScenarioRun(ScenarioRun other, Distributor distributor, Law failing) {
    subject = other.subject;
    scenario = other.scenario;
    record = other.record;
    this.failing = failing;
    this.distributor = distributor;
  }

  /** The same scenario on another distributor, where a call that fails breaks the law. */
  ScenarioRun on(Distributor other, Law failing) {
    return new ScenarioRun(this, other, failing);
  }

  /** Another distributor at the beginning of the scenario. */
  Distributor twin() {
    return subject.make(scenario.fleet());
  }

  int size() {
    return scenario.sketches().size();
  }

  /** Plays it to its end. */
  List<Answered> play() {
    return play(0, size());
  }

  /** Plays it to its end; the consumer gets every call with its answer. */
  void play(Consumer<Answered> each) {
    calls(call -> each.accept(new Answered(call, ask(call))));
  }

  /** Plays a part of it, which may end after it. */
  List<Answered> play(int from, int to) {
    List<Answered> answered = new ArrayList<>();
    for (int serial = from; serial < Math.min(to, size()); serial++) {
      call(serial).ifPresent(call -> answered.add(new Answered(call, ask(call))));
    }
    return answered;
  }

  /** Every call in the state that those before it left; the consumer makes it. */
  void calls(Consumer<Call> each) {
    for (int serial = 0; serial < size(); serial++) {
      call(serial).ifPresent(each);
    }
  }

  /** The call of a sketch in the present state. */
  Optional<Call> call(int serial) {
    Snapshot now = distributor.snapshot();
    try {
      return scenario.sketches().get(serial).call(now, serial);
    } catch (InvalidInputException thrown) { // By a node whose workloads cannot be on it.
      throw new BrokenLaw(failing, "a snapshot", "nodes that a fleet can have", thrown);
    }
  }

  /** Makes a call and records it. */
  Object ask(Call call) {
    record.add(call.toString());
    try {
      Object answer = call.on(distributor);
      record.add("answered " + answer);
      return answer;
    } catch (RuntimeException | Error thrown) {
      throw new BrokenLaw(failing, "a sound call", "an answer", thrown);
    }
  }

  /** Plays it before the referee, until the first call with findings. */
  List<Finding> judged() {
    Referee referee = subject.referee(scenario.fleet());
    List<Finding> findings = new ArrayList<>(referee.judge(distributor.snapshot()));
    for (int serial = 0; findings.isEmpty() && serial < size(); serial++) {
      for (Answered one : play(serial, serial + 1)) {
        findings.addAll(referee.judge(one.call(), one.answer()));
        findings.addAll(referee.judge(distributor.snapshot()));
      }
    }
    return findings;
  }
}
