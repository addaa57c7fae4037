package io.lighthouse.fleets.live;

import io.lighthouse.api.error.Plural;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.AnswerRoom;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import io.lighthouse.json.log.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Creates fleets, one at a time. In a shared store they wait in a queue: while the store does not
 * answer, they have no thread. Thread-safe.
 */
final class FleetCreation {
  /** The maximum number of attempts to create a fleet while others create and delete some. */
  private static final int TRIES = 5;

  private final Fleets fleets;

  /** The creations in a shared store. */
  private final TaskQueue<Creation> waiting;

  /** The largest number that a fleet of the store has. */
  private long lastNumber;

  /** Whether the store may have a fleet that is not in memory. */
  private boolean uncertain;

  FleetCreation(Fleets fleets) {
    this.fleets = fleets;
    this.waiting = new TaskQueue<>(fleets, "the creation of a fleet");
  }

  /** Records the largest number that a fleet of the store has; 0 where the store has none. */
  synchronized void numbered(long last) {
    lastNumber = last;
  }

  /**
   * A fleet that is to be created. It is valid and within the limits of a fleet.
   *
   * @param workloads how many workloads it holds
   * @param beforeWrite called before anything is written; where it throws, nothing has changed
   * @param since when the call came, as {@link System#nanoTime}
   */
  record Wanted(
      String name,
      Problem problem,
      int workloads,
      String token,
      boolean dryRun,
      Runnable beforeWrite,
      long since) {}

  /** Creates a fleet. */
  CompletableFuture<Answer> create(Wanted wanted) {
    return submit(wanted, TRIES);
  }

  private CompletableFuture<Answer> submit(Wanted wanted, int tries) {
    if (!journal().isShared()) {
      return attempt(wanted, wanted.beforeWrite, tries);
    }
    Creation one = new Creation(wanted, tries);
    return one.place.take(
        () -> {
          waiting.add(one);
          return one.answer;
        });
  }

  /** Refuses the creations that wait. */
  void close() {
    waiting.refuseAll(Fleets.closing());
  }

  /** Refuses the creations that are over their time and have not begun to write. */
  void checkDeadlines(long now) {
    List<Creation> late = new ArrayList<>();
    FleetException why = Turn.late(); // Before one is taken, as memory may be lacking.
    Runnable answers = () -> late.forEach(one -> one.end(null, why));
    try {
      waiting.takeAll(one -> one.isLate(now), late);
    } finally {
      if (!late.isEmpty()) {
        fleets.threads().answer(answers);
      }
    }
  }

  /** A creation in a shared store, and its future answer. Thread-safe. */
  private final class Creation implements TaskQueue.Task {
    private final Wanted wanted;
    private final int tries;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();

    /** Set by its write, or where it is refused, whichever is first. */
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Its place among the calls that wait. */
    private final WaitingCalls.Place place = fleets.waitingCalls().place();

    /** Whether its write has begun. Used only by the thread that creates it. */
    private boolean begun;

    /** Made in advance, as memory may be lacking when its write breaks off. */
    private final FleetException unknown =
        new FleetException(Kind.OUTCOME_UNKNOWN, "whether it was done is not known; ask again");

    Creation(Wanted wanted, int tries) {
      this.wanted = wanted;
      this.tries = tries;
    }

    @Override
    public void run() {
      place.leave(); // It may become a call on the fleet that is there, which counts.
      CompletableFuture<Answer> created;
      try {
        created = attempt(wanted, this::begin, tries);
      } catch (Throwable refused) {
        boolean mayBeThere = begun && !wanted.dryRun && refused instanceof OutOfMemoryError;
        created = CompletableFuture.failedFuture(mayBeThere ? unknown : refused);
      }
      created.whenComplete(this::endElsewhere);
    }

    private void begin() {
      wanted.beforeWrite.run();
      begun |= taken.compareAndSet(false, true);
      if (!begun) {
        throw Turn.late();
      }
    }

    /** Ends it in another thread; in this one where memory is lacking even to ask for that. */
    private void endElsewhere(Answer done, Throwable refused) {
      try {
        fleets.threads().answer(() -> end(done, refused));
      } catch (OutOfMemoryError full) { // It would be lost here.
        end(done, refused);
      }
    }

    private void end(Answer done, Throwable refused) {
      place.leave(); // Here, as what follows an answer may not come where memory is lacking.
      if (refused == null) {
        answer.complete(done);
      } else {
        Replies.refuse(answer, refused);
      }
    }

    /** Whether it is over its time and has not begun to write. Then it does not any more. */
    boolean isLate(long now) {
      return now - wanted.since > fleets.limits().decision().toNanos()
          && taken.compareAndSet(false, true);
    }

    @Override
    public void refuse(FleetException why) {
      end(null, taken.compareAndSet(false, true) ? why : unknown);
    }
  }

  private synchronized CompletableFuture<Answer> attempt(
      Wanted wanted, Runnable beforeWrite, int tries) {
    if (System.nanoTime() - wanted.since > fleets.limits().decision().toNanos()) {
      throw Turn.late(); // Another attempt would keep other creations waiting.
    }
    CompletableFuture<Answer> answer;
    try {
      answer = createOnce(wanted, beforeWrite);
    } catch (FleetException refused) {
      // Another process may have created a fleet at the same time: then it is there now.
      if (refused.kind() != Kind.STORE || !journal().isShared() || tries == 1) {
        throw refused;
      }
      return attempt(wanted, beforeWrite, tries - 1);
    }
    // The fleet that was there may have been deleted before it was compared.
    return answer
        .handle(
            (done, refused) ->
                FleetCalls.isGone(refused) && tries > 1 ? submit(wanted, tries - 1) : answer)
        .thenCompose(last -> last);
  }

  private Journal journal() {
    return fleets.journal();
  }

  private CompletableFuture<Answer> createOnce(Wanted wanted, Runnable beforeWrite) {
    int count = settle();
    LiveFleet there = fleets.live().get(wanted.name);
    if (there != null) {
      return there.submit(FleetCall.of(equality(wanted)));
    }
    fleets.requireOpen();
    int most = fleets.limits().fleets();
    if (count >= most) {
      throw new FleetException(
          Kind.TOO_MANY_FLEETS, "the limit of " + Plural.of(most, "fleet") + " is reached");
    }
    long number = lastNumber + 1;
    Command.Reply created = reply(Outcome.CREATED, wanted);
    byte[] body = Replies.body(created, 1, wanted.dryRun, AnswerRoom.UNLIMITED, true);
    Answer answer = new Answer(Outcome.CREATED, body, 1, life(wanted.name, number), false);
    beforeWrite.run();
    if (!wanted.dryRun) {
      keep(wanted, number);
    }
    return CompletableFuture.completedFuture(answer);
  }

  /**
   * Adds the fleets that other processes, or a write of unknown outcome, may have created; returns
   * how many fleets there are. Those that a shared store has lost do not count.
   */
  private int settle() {
    if (!uncertain && !journal().isShared()) {
      return fleets.live().size();
    }
    try {
      List<Head> heads = fleets.find();
      uncertain = false;
      return (int) heads.stream().filter(head -> !head.gone()).count();
    } catch (StoreException away) {
      throw new FleetException(Kind.STORE, "nothing has changed: " + away.getMessage());
    }
  }

  private long life(String name, long number) {
    try {
      return journal().isFirst(name, number) ? 0 : number;
    } catch (StoreException away) {
      throw new FleetException(Kind.STORE, "nothing has changed: " + away.getMessage());
    }
  }

  private void keep(Wanted wanted, long number) {
    Entry entry =
        new Entry(
                number,
                1,
                fleets.clock().millis(),
                wanted.token,
                null,
                null,
                0,
                null,
                Effect.of("created", wanted.problem).toJson(),
                null)
            .chained(Entry.beginning());
    Head head = new Head(number, wanted.name, 1, entry.hash(), false);
    uncertain = true; // Until it is in memory, also where the write breaks off.
    try {
      journal().append(null, List.of(entry), head);
    } catch (StoreException failed) {
      fleets.observer().storeFailed();
      if (failed.nothingWritten() || !isThere(head, failed)) {
        throw new FleetException(Kind.STORE, "nothing has changed: " + failed.getMessage());
      }
    }
    LiveFleet fleet = fleets.take(head); // Another call may have found it in the store already.
    lastNumber = number;
    uncertain = false;
    Fleets.recover(fleet);
  }

  private boolean isThere(Head head, StoreException failed) {
    try {
      return Recovery.isDurable(journal(), head);
    } catch (StoreException noProof) {
      throw new FleetException(
          Kind.OUTCOME_UNKNOWN,
          "whether it was done is not known; ask again: " + failed.getMessage());
    }
  }

  private static Command.Reply reply(Outcome outcome, Wanted fleet) {
    return new Command.Reply(
        outcome,
        json ->
            json.member("fleet", fleet.name)
                .member("nodes", fleet.problem.nodes().size())
                .member("workloads", fleet.workloads));
  }

  /** Whether the fleet is equal to the one that was to be created. */
  private static Command equality(Wanted wanted) {
    return FleetQuestions.question(
        fleet -> {
          if (!Problem.of(fleet.distributor()).equals(wanted.problem)) {
            throw new FleetException(
                Kind.EXISTS, "fleet '" + fleet.name() + "' is there, and is not as asked for");
          }
          return reply(Outcome.DONE, wanted);
        });
  }
}
