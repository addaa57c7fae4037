package io.lighthouse.fleets.live;

import static io.lighthouse.fleets.live.FleetDeadlinesTest.QUEUE;
import static io.lighthouse.fleets.live.FleetDeadlinesTest.assign;
import static io.lighthouse.fleets.live.FleetDeadlinesTest.in;
import static io.lighthouse.fleets.live.FleetDeadlinesTest.kind;
import static io.lighthouse.fleets.live.FleetDeadlinesTest.proxy;
import static io.lighthouse.fleets.live.FleetDeadlinesTest.question;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.ChangeListener;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetEngine;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.CallKey;
import io.lighthouse.fleets.store.Hold;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.StoreException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of calls on a fleet where threads or memory are lacking. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FleetShortagesTest {
  private final MemoryJournal store = new MemoryJournal();
  private final Steps steps = new Steps();

  private Fleets open(FleetEngine engine, Executor executor, long snapshotAfter)
      throws StoreException {
    return FleetDeadlinesTest.open(store, engine, executor, snapshotAfter);
  }

  @Nested
  class ThreadsThatCannotStart {
    /** Thrown for each thread while it is not null. */
    private Error none;

    private final Executor scarce =
        work -> {
          if (none != null) {
            throw none;
          }
          steps.execute(work);
        };

    @Test
    void refuseWhatWaitsAndTheNextCallIsServed() throws StoreException {
      Fleets fleets = open(Engine::of, scarce, 1 << 20);
      long generation = 1;
      for (Error one : List.of(noThread(), unloggable())) {
        none = one;
        assertThat(kind(fleets.submit("f", assign("a" + generation)))).isEqualTo(Kind.OVERLOAD);
        assertThat(fleets.waiting()).isZero();
        none = null;
        CompletableFuture<Answer> next = fleets.submit("f", assign("a" + generation));
        steps.go();
        assertThat(next.join().generation()).isEqualTo(++generation);
      }
    }

    /** As a thread pool throws where the system has no thread for it. */
    private Error noThread() {
      return new OutOfMemoryError("unable to create native thread");
    }

    @Test
    void takeNoAnswerFromWhatIsDurable() throws StoreException {
      Fleets fleets = open(Engine::of, scarce, 1);
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        answers.add(fleets.submit("f", assign("a" + i)));
        none = noThread(); // From here on no thread writes a snapshot.
        steps.go();
        none = null;
      }
      assertThat(answers)
          .allSatisfy(one -> assertThat(one.join().outcome()).isEqualTo(Outcome.DONE));
      answers.add(fleets.submit("f", assign("a3")));
      steps.go();
      assertThat(store.snapshots(1)).hasSize(1);
    }

    @Test
    void ofAWatcherTakeNoAnswerFromWhatIsDurable() throws StoreException {
      Fleets fleets = open(Engine::of, scarce, 1 << 20);
      fleets
          .log("f")
          .watch(
              () -> {
                throw noThread();
              });
      CompletableFuture<Answer> answer = fleets.submit("f", assign("a"));
      steps.go();
      assertThat(answer.join().outcome()).isEqualTo(Outcome.DONE);
    }
  }

  /** Calls are refused for which memory is lacking at first. */
  @Nested
  class MemoryThatEndsAgain {
    /** An answer for whose refusal there is no memory, a few times. */
    private final class Scarce extends CompletableFuture<Answer> {
      private int lacking = 3;

      @Override
      public boolean completeExceptionally(Throwable why) {
        if (lacking-- > 0) {
          throw new OutOfMemoryError("planted");
        }
        return super.completeExceptionally(why);
      }
    }

    private final CompletableFuture<Answer> scarce = new Scarce();
    private final CompletableFuture<Answer> behind = new CompletableFuture<>();

    /** Changes its fleet, and breaks off. */
    private final Command broken =
        new Command() {
          @Override
          public String kind() {
            return "broken";
          }

          @Override
          public Reply decide(View fleet) {
            fleet.distributor().assign(List.of(Workload.of("w", Resources.of("cpu", 1))));
            throw new FleetException(Kind.STALE, "planted");
          }
        };

    @Test
    void whereATurnBreaksOffRefusesAllItsCalls() throws StoreException {
      Fleets fleets = open(Engine::of, steps, 1 << 20);
      LiveFleet fleet = fleets.live().get("f");
      fleet.submit(new Pending(FleetCall.of(broken), scarce));
      fleet.submit(new Pending(question(), behind));
      steps.go();
      assertThat(kind(scarce)).isEqualTo(Kind.STALE);
      assertThat(kind(behind)).isEqualTo(Kind.STALE);
      CompletableFuture<Answer> next = fleets.submit("f", assign("a"));
      steps.go();
      assertThat(next.join().generation()).isEqualTo(2);
    }

    /** The change is there, and no listener knows of it. */
    @Test
    void whileAChangeIsNotedUndoesTheChange() throws StoreException {
      boolean[] lacking = {false};
      Fleets fleets = open(problem -> forgetful(Engine.of(problem), lacking), steps, 1 << 20);
      lacking[0] = true;
      CompletableFuture<Answer> lost = fleets.submit("f", assign("a"));
      steps.go();
      assertThat(lost).isCompletedExceptionally();
      lacking[0] = false;
      CompletableFuture<Answer> there =
          fleets.submit("f", FleetCall.of(FleetQuestions.workload("a")));
      CompletableFuture<Answer> next = fleets.submit("f", assign("b"));
      steps.go();
      assertThat(kind(there)).isEqualTo(Kind.NOT_PLACED);
      assertThat(next.join().generation()).isEqualTo(2);
    }

    /** The same distributor, whose changes cannot be copied where memory is lacking. */
    private Distributor forgetful(Distributor distributor, boolean[] lacking) {
      return proxy(
          (method, arguments) -> {
            if (!method.getName().equals("onChange")) {
              return method.invoke(distributor, arguments);
            }
            ChangeListener listener = (ChangeListener) arguments[0];
            return distributor.onChange(
                (generation, changes) ->
                    listener.changed(
                        generation,
                        new ArrayList<>(changes) {
                          private static final long serialVersionUID = 1L;

                          @Override
                          public Object[] toArray() {
                            if (lacking[0]) {
                              throw new OutOfMemoryError("planted");
                            }
                            return super.toArray();
                          }
                        }));
          });
    }

    @Test
    void behindAnAnswerAnswersTheNextCalls() throws StoreException {
      CompletableFuture<Answer> first =
          new CompletableFuture<>() {
            @Override
            public boolean complete(Answer answer) {
              super.complete(answer);
              throw new OutOfMemoryError("planted, for what follows the answer");
            }
          };
      Fleets fleets = open(Engine::of, steps, 1 << 20);
      List<Runnable> answering = new ArrayList<>();
      fleets.threads().answerBy(answering::add);
      LiveFleet fleet = fleets.live().get("f");
      fleet.submit(new Pending(question(), first));
      fleet.submit(new Pending(question(), behind));
      steps.go();
      answering.forEach(Runnable::run);
      assertThat(first.join().outcome()).isEqualTo(Outcome.DONE);
      assertThat(behind.join().outcome()).isEqualTo(Outcome.DONE);
    }

    /** A future that depends on the answer may throw, as where its cause cannot be shown. */
    @Test
    void behindARefusalRefusesTheOthersAndAnswersTheNextCalls() throws StoreException {
      Fleets fleets = open(Engine::of, steps, 1 << 20);
      LiveFleet fleet = fleets.live().get("f");
      CompletableFuture<Answer> next = new CompletableFuture<>();
      CompletableFuture<Answer> first =
          new CompletableFuture<>() {
            @Override
            public boolean completeExceptionally(Throwable why) {
              fleet.submit(new Pending(question(), next));
              super.completeExceptionally(why);
              throw new AssertionError("planted, for what follows the refusal");
            }
          };
      fleet.submit(new Pending(FleetCall.of(broken), first));
      fleet.submit(new Pending(question(), behind));
      steps.go();
      assertThat(kind(first)).isEqualTo(Kind.STALE);
      assertThat(kind(behind)).isEqualTo(Kind.STALE);
      assertThat(next.join().outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void whileATurnIsGivenBackAnswersItsCalls() throws StoreException {
      Hold hold =
          (Hold)
              Proxy.newProxyInstance(
                  Hold.class.getClassLoader(),
                  new Class<?>[] {Hold.class},
                  (proxy, method, arguments) -> {
                    throw new OutOfMemoryError("planted");
                  });
      MemoryJournal journal =
          new MemoryJournal() {
            @Override
            public Hold hold(long fleet, long known, Collection<CallKey> keys) {
              return hold;
            }
          };
      Fleets fleets = Engine.fleets(journal, steps, 1 << 20);
      fleets.create("f", Engine.problem("{'nodes':[],'workloads':[]}"), "", false).join();
      CompletableFuture<Answer> answer =
          fleets.submit("f", FleetCall.of(FleetCommands.release(List.of())));
      assertThatThrownBy(steps::go).isInstanceOf(OutOfMemoryError.class);
      assertThat(answer).isCompletedWithValueMatching(one -> one.outcome() == Outcome.DONE);
    }

    @Test
    void whereNoThreadIsThereRefusesAllThatWait() throws StoreException {
      boolean[] none = {false};
      Fleets fleets =
          open(
              Engine::of,
              work -> {
                if (none[0]) {
                  throw new RejectedExecutionException();
                }
                steps.execute(work);
              },
              1 << 20);
      none[0] = true;
      fleets.live().get("f").submit(new Pending(question(), scarce));
      assertThat(kind(scarce)).isEqualTo(Kind.OVERLOAD);
      assertThat(fleets.waiting()).isZero();
    }

    @Test
    void whereCallsHaveWaitedForLongRefusesAllOfThem() throws StoreException {
      Fleets fleets = open(Engine::of, steps, 1 << 20);
      LiveFleet fleet = fleets.live().get("f");
      fleet.submit(new Pending(question(), scarce));
      fleet.submit(new Pending(question(), behind));
      fleet.checkDeadlines(in(QUEUE));
      assertThat(kind(scarce)).isEqualTo(Kind.OVERLOAD);
      assertThat(kind(behind)).isEqualTo(Kind.OVERLOAD);
      assertThat(fleets.waiting()).isZero();
    }
  }

  /** The lack of memory, also for a report of it. */
  static Error unloggable() {
    return new OutOfMemoryError("Java heap space") {
      private static final long serialVersionUID = 1L;

      @Override
      public String toString() {
        throw new Error("planted: no report");
      }
    };
  }
}
