package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.postgres.PostgresServer;
import io.lighthouse.postgres.TestProxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cuts connections: those of clients in the middle of answers, and those of a service to its
 * database. So the clients, or the service, do not know the outcome of a call. They repeat it with
 * its key, and {@link History} checks the answers.
 */
class CutConnectionsIT {
  private static final int CLIENTS = 32;

  /**
   * Of the connections to the database; on average half as many, so some 15 cuts in an ordinary
   * run.
   */
  private static final int MOST_ANSWERS_BETWEEN_CUTS = 40;

  private static final int CALLS = Integer.getInteger("lighthouse.fleets.cut.calls", 600);

  @TempDir private Path folder;

  @Test
  void whatIsAskedAgainByItsKeyIsDoneOnce() throws Exception {
    ServiceSettings settings = new ServiceSettings().store(folder.resolve("fleets.db"));
    SplittableRandom dice = new SplittableRandom(14);
    try (TestService service = TestService.start(settings);
        TestProxy proxy = TestProxy.before(service.uri(), () -> budget(dice))) {
      ReplicasLoad load = new ReplicasLoad();
      load.replicas.add(service.uri());
      load.create();
      load.replicas.set(0, proxy.uri());
      for (Thread client : load.start(CLIENTS, CALLS, 14)) {
        client.join();
      }
      assertThat(History.faults(load.calls(), load.log(service.uri()))).isEmpty();
      assertAllWereAnswered(load);
      assertThat(proxy.cuts()).isGreaterThan(CALLS / 20);
      assertThat(load.repeated()).isGreaterThan(CALLS / 20);
      // Some were done, their answers cut, and answered again from the log.
      assertThat(service.metricsWith("lighthouse_fleet_replays_total"))
          .containsPattern("lighthouse_fleet_replays_total [1-9]");
      System.out.printf(
          "%d calls, %d cuts, %d asked again%n",
          load.calls().size(), proxy.cuts(), load.repeated());
    }
  }

  @Test
  void aServiceThatIsCutOffFromItsDatabaseSaysNothingWrong() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      String database = server.database();
      try (TestProxy proxy = TestProxy.before(database)) {
        ServiceSettings settings = new ServiceSettings().store(proxy.url(database));
        try (TestService service = TestService.start(settings)) {
          ReplicasLoad load = new ReplicasLoad();
          load.replicas.add(service.uri());
          load.create();
          SplittableRandom dice = new SplittableRandom(14);
          List<Thread> clients = load.start(CLIENTS, CALLS / 2, 14);
          while (clients.stream().anyMatch(Thread::isAlive)) {
            // Counts answers, not milliseconds: on a slow machine calls succeed between two cuts
            // too.
            awaitAnswers(load, clients, 1 + dice.nextInt(MOST_ANSWERS_BETWEEN_CUTS));
            proxy.cut();
          }
          assertThat(History.faults(load.calls(), load.log(service.uri()))).isEmpty();
          assertAllWereAnswered(load);
          assertThat(proxy.cuts()).isGreaterThan(5);
          assertThat(load.repeated()).isPositive();
          System.out.printf(
              "%d calls, %d connections to the database cut, %d asked again%n",
              load.calls().size(), proxy.cuts(), load.repeated());
        }
      }
    }
  }

  /** Waits until {@code answers} more calls have ended, or all clients have. */
  private static void awaitAnswers(ReplicasLoad load, List<Thread> clients, int answers) {
    int enough = load.calls().size() + answers;
    while (load.calls().size() < enough && clients.stream().anyMatch(Thread::isAlive)) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** One without an answer is an attempt of a call that was answered in the end. */
  private static void assertAllWereAnswered(ReplicasLoad load) {
    Set<String> answered =
        load.calls().stream()
            .filter(call -> call.status() != 0)
            .map(call -> call.kind() + " " + call.workload())
            .collect(Collectors.toSet());
    assertThat(load.calls())
        .allMatch(call -> answered.contains(call.kind() + " " + call.workload()));
  }

  /** Less than an answer, or a few answers. */
  private static int budget(SplittableRandom dice) {
    synchronized (dice) {
      return 1 + dice.nextInt(dice.nextBoolean() ? 300 : 4_000);
    }
  }
}
