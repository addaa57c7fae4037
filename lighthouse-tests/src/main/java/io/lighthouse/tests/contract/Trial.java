package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Sketch;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** A scenario being played on a distributor. */
final class Trial {
  private final Subject subject;
  private final Scenario scenario;
  private final Minutes minutes;
  final Distributor distributor;

  Trial(Subject subject, Scenario scenario, Minutes minutes) {
    this.subject = subject;
    this.scenario = scenario;
    this.minutes = minutes;
    minutes.begin(scenario.fleet());
    distributor = subject.make(scenario);
  }

  /** Plays it to its end; the consumer gets every call with its answer. */
  void play(BiConsumer<Call, Object> answered) {
    play(0, scenario.sketches().size(), answered);
  }

  /** Plays a part of it. */
  void play(int from, int to, BiConsumer<Call, Object> answered) {
    for (int serial = from; serial < to; serial++) {
      Optional<Call> call = call(serial);
      call.ifPresent(asked -> answered.accept(asked, ask(asked)));
    }
  }

  /** The call of a sketch in the present state. */
  Optional<Call> call(int serial) {
    Sketch sketch = scenario.sketches().get(serial);
    return sketch.call(distributor.snapshot(), serial);
  }

  /** Makes a call, and writes minutes. */
  Object ask(Call call) {
    minutes.add(call.toString());
    try {
      Object answer = call.on(distributor);
      minutes.add("answered " + answer);
      return answer;
    } catch (RuntimeException | Error thrown) {
      throw failed(thrown);
    }
  }

  /** The finding that a sound call failed. */
  static BrokenLaw failed(Throwable thrown) {
    return new BrokenLaw(
        List.of(new Finding(Law.SOUND_CALLS, "a sound call", "an answer", thrown.toString())),
        thrown);
  }

  /** Plays it before the referee, until the first call with findings. */
  List<Finding> judged(BiConsumer<Call, Object> answered) {
    var referee = subject.referee(scenario);
    List<Finding> findings = new ArrayList<>(referee.judge(distributor.snapshot()));
    for (int serial = 0; findings.isEmpty() && serial < scenario.sketches().size(); serial++) {
      call(serial)
          .ifPresent(
              call -> {
                Object answer = ask(call);
                answered.accept(call, answer);
                findings.addAll(referee.judge(call, answer));
                findings.addAll(referee.judge(distributor.snapshot()));
              });
    }
    return findings;
  }
}
