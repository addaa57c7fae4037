package io.lighthouse.fleets.live;

import io.lighthouse.api.Distributor;
import io.lighthouse.core.Distributors;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import io.lighthouse.json.read.ProblemReader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.concurrent.Executor;

/** Makes distributors, and fleets, with the strategies that are installed, as the service does. */
public final class Engine {
  private static final Distributors INSTALLED = Distributors.installed();

  private Engine() {}

  /** The distributor of a problem. */
  public static Distributor of(Problem problem) {
    return builder(problem).build();
  }

  /** All that the distributor of a problem is made of. */
  static Distributors.Builder builder(Problem problem) {
    Distributors.Builder builder =
        INSTALLED
            .strategy(problem.strategy().orElse("prioritized"))
            .settings(problem.settings())
            .domains(problem.domains())
            .rules(problem.rules())
            .nodes(problem.nodes());
    problem.rubric().ifPresent(builder::rubric);
    problem.lastPlaced().ifPresent(builder::lastPlaced);
    return builder;
  }

  /** A problem from its JSON; quotes may be single. */
  public static Problem problem(String json) {
    byte[] text = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return ProblemReader.standard().read(text).problem();
  }

  /**
   * Fleets that write a snapshot after {@code snapshotAfter} bytes of entries; everything runs in
   * the calling thread.
   */
  static Fleets fleets(Journal journal, long snapshotAfter) throws StoreException {
    return fleets(journal, Runnable::run, snapshotAfter);
  }

  /** The same, with threads of the test's. */
  static Fleets fleets(Journal journal, Executor threads, long snapshotAfter)
      throws StoreException {
    return new Fleets(
        journal,
        Engine::of,
        FleetLimits.STANDARD,
        FleetObserver.NONE,
        Clock.systemUTC(),
        threads,
        snapshotAfter);
  }
}
