package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.store.OnPostgres;
import io.lighthouse.fleets.store.PostgresJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Watched;
import io.lighthouse.json.Problem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/**
 * Tests of several services on one database: each has its own fleets in memory, and all share one
 * store. A service here runs its calls in the calling thread.
 */
abstract class SharedStore extends OnPostgres {
  private final List<Fleets> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(Fleets::close);
  }

  static Problem problem() {
    return Engine.problem(
        "{'strategy':'round-robin','nodes':[{'name':'n1','resources':{'cpu':40}},"
            + "{'name':'n2','resources':{'cpu':40}}],'workloads':[]}");
  }

  /**
   * A replica that runs its calls in the calling thread, and never shows the store that it is
   * alive.
   */
  final Fleets replica(Consumer<String> onStep, long snapshotAfter) {
    return replica(url, onStep, snapshotAfter);
  }

  /** The same, with another URL of the store. */
  final Fleets replica(String store, Consumer<String> onStep, long snapshotAfter) {
    try {
      Fleets fleets = Engine.fleets(Watched.open(store, onStep), snapshotAfter);
      opened.add(fleets);
      return fleets;
    } catch (StoreException failed) {
      throw new AssertionError(failed);
    }
  }

  final Fleets replica() {
    return replica(step -> {}, 1 << 20);
  }

  static FleetCall assign(String name) {
    return FleetCall.of(FleetCommands.assign(List.of(Workload.of(name, Resources.of("cpu", 1)))))
        .withKey("key-" + name, name.getBytes(StandardCharsets.UTF_8));
  }

  static String ask(Fleets fleets, String fleet, FleetCall call) {
    return new String(fleets.submit(fleet, call).join().body(), StandardCharsets.UTF_8);
  }

  static Kind kind(Fleets fleets, String fleet, FleetCall call) {
    try {
      fleets.submit(fleet, call).join();
      throw new AssertionError("it was answered");
    } catch (CompletionException refused) {
      return ((FleetException) refused.getCause()).kind();
    } catch (FleetException refused) {
      return refused.kind();
    }
  }

  static String whole(Fleets fleets, String fleet) {
    Problem[] taken = new Problem[1];
    ask(fleets, fleet, FleetCall.of(FleetQuestions.problem(problem -> taken[0] = problem)));
    return new String(Recovery.json(taken[0]), StandardCharsets.UTF_8);
  }

  /** Creates fleet f in a replica whose work for other threads runs on demand. */
  static void create(Fleets one, Queue<Runnable> works) {
    CompletableFuture<Answer> created = one.create("f", problem(), "", false);
    works.remove().run();
    created.join();
  }

  final void judge(int entries) throws StoreException {
    try (PostgresJournal journal = PostgresJournal.openToRead(url)) {
      for (Verification.Found found : new Verification(journal, Engine::of).verify()) {
        assertThat(found.faults()).isEmpty();
        assertThat(found.generation()).isEqualTo(entries);
      }
    }
  }
}
