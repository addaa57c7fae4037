package io.lighthouse.tests.contract;

import static io.lighthouse.tests.contract.BrokenLaw.unlessAlike;
import static io.lighthouse.tests.contract.BrokenLaw.unlessEqual;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Subscription;
import io.lighthouse.api.error.Plural;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Sketch;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Law;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Laws of changes as values: carried out, tried out, counted, reported. */
final class ChangeLaws {
  private static final Change IMPOSSIBLE = new Change.Release("nobody has this name");

  private ChangeLaws() {}

  // ---- carried out ----

  /** All at once equals one by one; with an impossible change among them nothing happens. */
  static void allOrNone(ScenarioRun run, int place) {
    Distributor twin = run.twin();
    run.calls(
        call -> {
          if (!(call instanceof Call.Apply apply)) {
            run.ask(call);
            call.on(twin);
            return;
          }
          none(apply.changes(), place, run.distributor);
          run.ask(apply);
          run.record.add("the same on a twin, one by one");
          apply.changes().forEach(change -> oneOf(change, twin));
          String about = "all at once instead of one by one";
          unlessAlike(Law.CHANGES, about, twin, run.distributor);
        });
  }

  private static void oneOf(Change change, Distributor twin) {
    try {
      twin.apply(change);
    } catch (RuntimeException thrown) {
      throw new BrokenLaw(Law.CHANGES, "alone, " + change, "it goes", thrown);
    }
  }

  private static void none(List<Change> changes, int place, Distributor distributor) {
    Map<String, Object> before = stateOf(distributor);
    List<Change> wrong = new ArrayList<>(changes);
    int step = place % (changes.size() + 1);
    wrong.add(step, IMPOSSIBLE);
    String answer = "carried out";
    try {
      distributor.apply(wrong);
    } catch (InvalidChangeException expected) {
      answer = "step " + expected.step() + ", " + expected.change();
    } catch (RuntimeException | Error thrown) {
      answer = thrown.toString();
    }
    String about = Plural.of(wrong.size(), "change") + ", one of which does not go";
    unlessEqual(Law.CHANGES, about, "step " + step + ", " + IMPOSSIBLE, answer);
    unlessAlike(Law.CHANGES, "the state after " + about, before, stateOf(distributor));
  }

  // ---- tried out ----

  /** Between the calls of one scenario another is tried out, but not on the twin. */
  static void tryOut(ScenarioRun run, Scenario tried) {
    Distributor twin = run.twin();
    for (int serial = 0; serial < run.size(); serial++) {
      Map<String, Object> before = stateOf(run.distributor);
      tryOut(tried.sketches(), run, serial % 2 == 0);
      Optional<Call> next = run.call(serial);
      next.ifPresent(call -> rehearse(call, run));
      unlessAlike(
          Law.TRY_OUT, "the state after what was tried out", before, stateOf(run.distributor));
      next.ifPresent(
          call -> {
            run.record.add(call.toString());
            Object answer = answer(call, run.distributor);
            unlessEqual(Law.TRY_OUT, "a later call, " + call, answer(call, twin), answer);
          });
    }
    unlessAlike(Law.TRY_OUT, "the state at the end", twin, run.distributor);
  }

  /** The state and its generation. */
  private static Map<String, Object> stateOf(Distributor distributor) {
    Map<String, Object> state = Subject.state(distributor);
    state.put("the generation", distributor.generation());
    return state;
  }

  /** A trial must not make a later sound call fail, for example by a name that stays taken. */
  private static Object answer(Call call, Distributor distributor) {
    try {
      return call.on(distributor);
    } catch (RuntimeException thrown) {
      return "thrown: " + thrown;
    }
  }

  /** Tries out the next call before it is made. */
  private static void rehearse(Call next, ScenarioRun run) {
    run.record.add("rehearsed: " + next);
    unlessEqual(
        Law.TRY_OUT,
        "rehearsed, " + next,
        answer(next, run.distributor.copy()),
        run.distributor.tryOut(List.of(), inside -> answer(next, inside)));
  }

  /** Answers inside a trial are those of a copy that had the same done to it. */
  private static void tryOut(List<Sketch> sketches, ScenarioRun run, boolean throwing) {
    Distributor copy = run.distributor.copy();
    List<Change> first =
        sketches.get(0).call(copy.snapshot(), 2000).filter(Call.Apply.class::isInstance).stream()
            .flatMap(call -> ((Call.Apply) call).changes().stream())
            .toList();
    run.record.add("tried out: " + first);
    RuntimeException enough = new IllegalStateException("asked enough");
    try {
      copy.apply(first);
      run.distributor.tryOut(
          first,
          inside -> {
            unlessAlike(Law.TRY_OUT, "what is tried out, before the question", copy, inside);
            for (int i = 0; i < sketches.size(); i++) {
              sketches
                  .get(i)
                  .call(copy.snapshot(), 3000 + i)
                  .ifPresent(
                      call -> {
                        run.record.add("asked inside: " + call);
                        unlessEqual(
                            Law.TRY_OUT,
                            "inside what is tried out, " + call,
                            call.on(copy),
                            call.on(inside));
                      });
            }
            if (throwing) {
              throw enough;
            }
            return null;
          });
    } catch (BrokenLaw broken) {
      throw broken;
    } catch (RuntimeException thrown) {
      if (thrown != enough) {
        throw new BrokenLaw(Law.SOUND_CALLS, "a sound call", "an answer", thrown);
      }
    }
  }

  // ---- counted ----

  static void generations(ScenarioRun run) {
    unlessEqual(Law.GENERATION, "a new distributor's", 0L, run.distributor.generation());
    run.calls(call -> generation(call, run));
  }

  private static void generation(Call call, ScenarioRun run) {
    Map<String, Object> before = Subject.state(run.distributor);
    long then = run.distributor.generation();
    run.ask(call);
    Map<String, Object> after = Subject.state(run.distributor);
    long now = run.distributor.generation();
    String about = "the generation after " + then + ", " + call;
    if (!before.equals(after) && now <= then) {
      throw new BrokenLaw(Law.GENERATION, about, "more", now);
    }
    // Several changes may cancel each other out; a single one changes something or not.
    boolean several = call instanceof Call.Apply apply && apply.changes().size() > 1;
    if (before.equals(after) && !several) {
      unlessEqual(Law.GENERATION, about + " that changed nothing", then, now);
    }
    unlessEqual(
        Law.GENERATION,
        "the generation of a snapshot",
        now,
        run.distributor.snapshot().generation());
  }

  // ---- reported ----

  /** Repeats each reported change on a twin, and compares both at the moment of the report. */
  static void told(ScenarioRun run) {
    Distributor follower = run.twin();
    List<Long> generations = new ArrayList<>();
    List<BrokenLaw> wrong = new ArrayList<>();
    Subscription subscription =
        run.distributor.onChange(
            (generation, changes) -> {
              generations.add(generation);
              try {
                repeat(changes, run.distributor, follower);
              } catch (BrokenLaw broken) {
                wrong.add(broken); // A distributor keeps what a listener throws to itself.
              }
            });
    run.calls(
        call -> {
          long then = run.distributor.generation();
          generations.clear();
          run.ask(call);
          long now = run.distributor.generation();
          if (!wrong.isEmpty()) {
            throw wrong.get(0);
          }
          unlessEqual(
              Law.TOLD, "told of " + call, now > then ? List.of(now) : List.of(), generations);
        });
    subscription.close();
    generations.clear();
    run.ask(new Call.ReleaseAll());
    unlessEqual(Law.TOLD, "told after the end of the subscription", List.of(), generations);
  }

  private static void repeat(List<Change> changes, Distributor told, Distributor follower) {
    try {
      follower.apply(changes);
    } catch (RuntimeException thrown) {
      throw new BrokenLaw(Law.TOLD, "told " + changes, "changes that can be repeated", thrown);
    }
    unlessAlike(Law.TOLD, "the state when told, beside one that repeated it", told, follower);
  }
}
