package io.lighthouse.fleets;

import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import io.lighthouse.json.log.Effect;
import io.lighthouse.json.write.AnswerWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Creates fleets, one at a time. In a shared store, one thread creates them one after the other:
 * while the store does not answer, the others wait without a thread. Thread-safe.
 */
final class FleetCreation {
  /** The maximum number of attempts to create a fleet while others create and delete some. */
  private static final int TRIES = 5;

  private final Fleets fleets;

  /** The largest number that a fleet of the store has. */
  private long lastNumber;

  /** Whether the store may have a fleet that is not in memory. */
  private boolean uncertain;

  /** The creations in a shared store that wait for those before them; guarded by itself. */
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /** The creation that is attempted; null where there is none; guarded by waiting. */
  private Waiting present;

  FleetCreation(Fleets fleets) {
    this.fleets = fleets;
  }

  /** Records the largest number that a fleet of the store has; 0 where the store has none. */
  synchronized void numbered(long last) {
    lastNumber = last;
  }

  /** Creates a fleet that is valid and within the limits of a fleet. */
  CompletableFuture<Answer> create(
      String name,
      Problem whole,
      int workloads,
      String token,
      boolean dryRun,
      Runnable beforeWrite) {
    Creating creating =
        begin ->
            createOnce(
                name,
                whole,
                workloads,
                token,
                dryRun,
                () -> {
                  beforeWrite.run();
                  begin.run();
                });
    return submit(creating, TRIES, System.nanoTime()); // Before it waits for other creations.
  }

  /** One attempt to create a fleet. */
  private interface Creating {
    /**
     * Creates it.
     *
     * @param begin called before anything is written; where it throws, nothing has changed
     */
    CompletableFuture<Answer> attempt(Runnable begin);
  }

  private CompletableFuture<Answer> submit(Creating creating, int tries, long since) {
    if (!journal().isShared()) {
      return attempt(creating, () -> {}, tries, since);
    }
    fleets.beginWaiting();
    Waiting one = new Waiting(creating, tries, since);
    Runnable work = this::attemptAll; // Before anything waits for it, as memory may be lacking.
    boolean starts;
    synchronized (waiting) {
      waiting.add(one);
      starts = present == null;
      present = starts ? one : present;
    }
    if (starts && !fleets.begin(work)) {
      stop();
      try {
        refuseAll(
            new FleetException(
                Kind.OVERLOAD, "no thread could be started to create a fleet; try again"));
      } finally {
        withdraw(one);
      }
    }
    return one.answer;
  }

  /** Its caller gets an error now, so it is not to be created later. */
  private void withdraw(Waiting one) {
    synchronized (waiting) {
      if (waiting.remove(one)) {
        fleets.taken(1);
      }
    }
  }

  private void attemptAll() {
    boolean ended = false;
    Waiting one = null;
    try {
      for (one = next(); one != null; one = next()) {
        fleets.taken(1);
        one.attempt();
      }
      ended = true;
    } finally {
      if (!ended) {
        stop(); // Such as for lack of memory.
        if (one != null) {
          one.fail(); // First, as nothing else refers to it.
        }
        refuseAll(new FleetException(Kind.OVERLOAD, "the creation of a fleet failed; try again"));
      }
    }
  }

  /**
   * The next creation starts a thread again. Called before a refusal is made, as memory may be
   * lacking for it.
   */
  private void stop() {
    synchronized (waiting) {
      present = null;
    }
  }

  private Waiting next() {
    synchronized (waiting) {
      present = waiting.poll();
      return present;
    }
  }

  /** Refuses all that wait; where memory is lacking to tell one, those behind it wait on. */
  private void refuseAll(FleetException why) {
    for (Waiting one = poll(); one != null; one = poll()) {
      fleets.taken(1);
      one.answer.completeExceptionally(why);
    }
  }

  private Waiting poll() {
    synchronized (waiting) {
      return waiting.poll();
    }
  }

  /** Refuses the creations that wait. */
  void close() {
    refuseAll(new FleetException(Kind.CLOSED, "the service is stopping"));
  }

  /** Refuses the creations that are over their time and have not begun to write. */
  void look(long now) {
    List<Waiting> late = new ArrayList<>();
    synchronized (waiting) {
      waiting.removeIf(one -> one.isLate(now) && late.add(one));
      fleets.taken(late.size());
      if (present != null && present.isLate(now)) {
        late.add(present);
      }
    }
    late.forEach(one -> fleets.answer(() -> one.answer.completeExceptionally(Turn.late())));
  }

  /** A creation in a shared store, and its future answer. Thread-safe. */
  private final class Waiting {
    private final Creating creating;
    private final int tries;
    private final long since;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();

    /** Set by its write, or where it is refused as late, whichever is first. */
    private final AtomicBoolean taken = new AtomicBoolean();

    Waiting(Creating creating, int tries, long since) {
      this.creating = creating;
      this.tries = tries;
      this.since = since;
    }

    void attempt() {
      boolean[] begun = new boolean[1];
      CompletableFuture<Answer> created;
      try {
        created =
            FleetCreation.this.attempt(
                creating,
                () -> {
                  begun[0] |= taken.compareAndSet(false, true);
                  if (!begun[0]) {
                    throw Turn.late();
                  }
                },
                tries,
                since);
      } catch (Throwable refused) {
        created = CompletableFuture.failedFuture(refused);
      }
      created.whenComplete((done, refused) -> fleets.answer(() -> end(done, refused)));
    }

    private void end(Answer done, Throwable refused) {
      if (refused == null) {
        answer.complete(done);
      } else {
        answer.completeExceptionally(refused);
      }
    }

    /** Whether it is over its time and has not begun to write. Then it does not any more. */
    boolean isLate(long now) {
      return now - since > fleets.limits().decision().toNanos() && taken.compareAndSet(false, true);
    }

    /** The thread that creates it has failed. */
    void fail() {
      boolean begun = !taken.compareAndSet(false, true);
      answer.completeExceptionally(
          new FleetException(
              begun ? Kind.OUTCOME_UNKNOWN : Kind.OVERLOAD,
              "the creation of the fleet failed; try again"));
    }
  }

  private synchronized CompletableFuture<Answer> attempt(
      Creating creating, Runnable begin, int tries, long since) {
    if (System.nanoTime() - since > fleets.limits().decision().toNanos()) {
      throw Turn.late(); // Another attempt would keep other creations waiting.
    }
    CompletableFuture<Answer> answer;
    try {
      answer = creating.attempt(begin);
    } catch (FleetException refused) {
      // Another process may have created a fleet at the same time: then it is there now.
      if (refused.kind() != Kind.STORE || !journal().isShared() || tries == 1) {
        throw refused;
      }
      return attempt(creating, begin, tries - 1, since);
    }
    // The fleet that was there may have been deleted before it was compared.
    return answer
        .handle(
            (done, refused) ->
                isGone(refused) && tries > 1 ? submit(creating, tries - 1, since) : answer)
        .thenCompose(last -> last);
  }

  private static boolean isGone(Throwable refused) {
    return refused instanceof FleetException why && why.kind() == Kind.NO_SUCH_FLEET;
  }

  private Journal journal() {
    return fleets.journal();
  }

  private CompletableFuture<Answer> createOnce(
      String name,
      Problem whole,
      int workloads,
      String token,
      boolean dryRun,
      Runnable beforeWrite) {
    settle();
    LiveFleet there = fleets.live().get(name);
    if (there != null) {
      return fleets.submit(there, FleetCall.of(equality(whole)));
    }
    fleets.requireOpen();
    int most = fleets.limits().fleets();
    if (fleets.live().size() >= most) {
      throw new FleetException(Kind.TOO_MANY_FLEETS, "there are the " + most + " fleets allowed");
    }
    long number = lastNumber + 1;
    byte[] body = created(name, whole.nodes().size(), workloads, dryRun);
    Answer answer = new Answer(Outcome.CREATED, body, 1, life(name, number), false);
    beforeWrite.run();
    if (!dryRun) {
      keep(name, number, whole, token);
    }
    return CompletableFuture.completedFuture(answer);
  }

  /** Adds the fleets that other processes, or a write of unknown outcome, may have created. */
  private void settle() {
    if (uncertain || journal().isShared()) {
      try {
        fleets.find();
        uncertain = false;
      } catch (StoreException away) {
        throw new FleetException(Kind.STORE, "nothing has changed: " + away.getMessage());
      }
    }
  }

  private long life(String name, long number) {
    try {
      return journal().isFirst(name, number) ? 0 : number;
    } catch (StoreException away) {
      throw new FleetException(Kind.STORE, "nothing has changed: " + away.getMessage());
    }
  }

  private void keep(String name, long number, Problem problem, String token) {
    Entry entry =
        new Entry(
                number,
                1,
                fleets.clock().millis(),
                token,
                null,
                null,
                0,
                null,
                Effect.of("created", problem).toJson(),
                null)
            .chained(Entry.beginning());
    Head head = new Head(number, name, 1, entry.hash(), false);
    uncertain = true; // Until it is in memory, also where the write breaks off.
    try {
      journal().append(null, List.of(entry), head);
    } catch (StoreException failed) {
      fleets.observer().storeFailed();
      if (failed.nothingWritten() || !isThere(head, failed)) {
        throw new FleetException(Kind.STORE, "nothing has changed: " + failed.getMessage());
      }
    }
    LiveFleet fleet = new LiveFleet(fleets, head);
    fleets.live().put(name, fleet);
    lastNumber = number;
    uncertain = false;
    Fleets.recover(fleet);
  }

  private boolean isThere(Head head, StoreException failed) {
    try {
      return journal().settled(head.fleet()).filter(at -> at.name().equals(head.name())).isPresent()
          && journal().entries(head.fleet(), 0, 1).stream()
              .anyMatch(entry -> Arrays.equals(entry.hash(), head.hash()));
    } catch (StoreException noProof) {
      throw new FleetException(
          Kind.OUTCOME_UNKNOWN,
          "whether it was done is not known; ask again: " + failed.getMessage());
    }
  }

  private static byte[] created(String name, int nodes, int workloads, boolean dryRun) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(128);
    try {
      AnswerWriter.write(
          out,
          json -> {
            json.member("fleet", name).member("nodes", nodes).member("workloads", workloads);
            json.member("generation", 1);
            if (dryRun) {
              json.member("dry_run", true);
            }
          });
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }

  /** Whether the fleet is equal to the one that was to be created. */
  private static Command equality(Problem wanted) {
    return new FleetCommands.Question(
        fleet -> {
          if (!Problem.of(fleet.distributor()).equals(wanted)) {
            throw new FleetException(
                Kind.EXISTS, "fleet '" + fleet.name() + "' is there, and is not as asked for");
          }
          return new Command.Reply(
              Outcome.DONE,
              json ->
                  json.member("fleet", fleet.name())
                      .member("nodes", wanted.nodes().size())
                      .member("workloads", fleet.where().size()));
        });
  }
}
