package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Law;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Phaser;

/**
 * Several callers at once, and the search for an order in which their calls, one after another,
 * would have had the same answers and the same end.
 */
final class SerialOrder {
  private final ScenarioRun run;

  /** The calls of each caller, in order. */
  private final List<List<Call>> asked = new ArrayList<>();

  /** The answers of each, in the same order. */
  private List<List<Object>> answered;

  private Map<String, Object> end;

  SerialOrder(ScenarioRun run) {
    this.run = run;
  }

  /** Each sketch is one caller, which assigns its batch and then releases its first workload. */
  void check() {
    for (int caller = 0; caller < run.size(); caller++) {
      Call.Assign batch = (Call.Assign) run.call(caller).orElseThrow();
      asked.add(List.of(batch, new Call.Release(List.of(batch.batch().get(0).name()))));
    }
    answered = answersAtOnce(run.distributor);
    end = Subject.state(run.distributor);
    for (int caller = 0; caller < asked.size(); caller++) {
      for (int i = 0; i < asked.get(caller).size(); i++) {
        run.record.add("caller " + caller + ": " + asked.get(caller).get(i));
        run.record.add("caller " + caller + " was answered " + answered.get(caller).get(i));
      }
    }
    if (!explained(run.twin(), new int[asked.size()])) {
      throw new BrokenLaw(
          Law.SERIAL,
          "callers at once",
          "the answers and the end of some serial order",
          "none that fits; at the end " + end);
    }
  }

  /** Each caller begins, in a thread of its own, when all are ready. */
  private List<List<Object>> answersAtOnce(Distributor distributor) {
    Phaser ready = new Phaser(asked.size());
    List<CompletableFuture<List<Object>>> callers = new ArrayList<>();
    for (List<Call> calls : asked) {
      CompletableFuture<List<Object>> answers = new CompletableFuture<>();
      Thread caller =
          new Thread(
              () -> {
                ready.arriveAndAwaitAdvance();
                answers.complete(calls.stream().map(call -> answer(call, distributor)).toList());
              });
      caller.setDaemon(true);
      caller.start();
      callers.add(answers);
    }
    return callers.stream().map(CompletableFuture::join).toList();
  }

  /** The answer, or the kind of error where the call met a state that made it wrong. */
  private static Object answer(Call call, Distributor distributor) {
    try {
      return call.on(distributor);
    } catch (RuntimeException | Error thrown) {
      return thrown.getClass();
    }
  }

  /** Whether the rest has a serial order; {@code done} counts the calls of each caller. */
  private boolean explained(Distributor before, int[] done) {
    boolean rest = false;
    for (int caller = 0; caller < done.length; caller++) {
      int next = done[caller];
      if (next == asked.get(caller).size()) {
        continue;
      }
      rest = true;
      Distributor after = before.copy();
      Object answer = answer(asked.get(caller).get(next), after);
      if (answer.equals(answered.get(caller).get(next))) {
        done[caller]++;
        if (explained(after, done)) {
          return true;
        }
        done[caller]--;
      }
    }
    return !rest && Subject.state(before).equals(end);
  }
}
