package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients whose connections are cut in the middle of answers, so that they do not know what became
 * of a call, and ask again by its key. {@link History} judges what they were told.
 */
class CutConnectionsIT {
  private static final int CLIENTS = 32;
  private static final int CALLS = Integer.getInteger("lighthouse.fleets.cut.calls", 1_500);

  @TempDir private Path folder;

  @Test
  void whatIsAskedAgainByItsKeyIsDoneOnce() throws Exception {
    ServiceSettings settings = new ServiceSettings().store(folder.resolve("fleets.db"));
    SplittableRandom dice = new SplittableRandom(14);
    try (TestService service = TestService.start(settings);
        CuttingProxy proxy = CuttingProxy.before(service.uri(), () -> budget(dice))) {
      ReplicasLoad load = new ReplicasLoad();
      load.replicas.add(service.uri());
      load.create();
      load.replicas.set(0, proxy.uri());
      for (Thread client : load.start(CLIENTS, CALLS, 14)) {
        client.join();
      }
      assertThat(History.faults(load.calls(), load.log(service.uri()))).isEmpty();
      assertThat(load.calls()).allMatch(call -> call.status() != 0);
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

  /** Less than an answer, or a few answers. */
  private static int budget(SplittableRandom dice) {
    synchronized (dice) {
      return 1 + dice.nextInt(dice.nextBoolean() ? 300 : 4_000);
    }
  }
}
