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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Creates fleets, one at a time. A thread that holds its monitor prevents the creation of fleets.
 * Thread-safe.
 */
final class FleetCreation {
  /** The maximum number of attempts to create a fleet while others create and delete some. */
  private static final int TRIES = 5;

  private final Fleets fleets;

  /** The largest number that a fleet of the store has. */
  private long lastNumber;

  /** Whether the store may have a fleet that is not in memory. */
  private boolean uncertain;

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
    long since = System.nanoTime(); // Before it waits for other creations.
    return attempt(
        () -> createOnce(name, whole, workloads, token, dryRun, beforeWrite), TRIES, since);
  }

  private synchronized CompletableFuture<Answer> attempt(
      Supplier<CompletableFuture<Answer>> creating, int tries, long since) {
    if (System.nanoTime() - since > fleets.limits().decision().toNanos()) {
      throw Turn.late(); // Another attempt would keep other creations waiting.
    }
    CompletableFuture<Answer> answer;
    try {
      answer = creating.get();
    } catch (FleetException refused) {
      // Another process may have created a fleet at the same time: then it is there now.
      if (refused.kind() != Kind.STORE || !journal().isShared() || tries == 1) {
        throw refused;
      }
      return attempt(creating, tries - 1, since);
    }
    // The fleet that was there may have been deleted before it was compared.
    return answer
        .handle(
            (done, refused) ->
                isGone(refused) && tries > 1 ? attempt(creating, tries - 1, since) : answer)
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
    try {
      journal().append(null, List.of(entry), head);
    } catch (StoreException failed) {
      fleets.observer().storeFailed();
      uncertain = true;
      if (failed.nothingWritten() || !isThere(head, failed)) {
        throw new FleetException(Kind.STORE, "nothing has changed: " + failed.getMessage());
      }
    }
    lastNumber = number;
    LiveFleet fleet = new LiveFleet(fleets, head);
    fleets.live().put(name, fleet);
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
