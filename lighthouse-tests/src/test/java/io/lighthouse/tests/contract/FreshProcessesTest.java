package io.lighthouse.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processes that the contract starts. */
class FreshProcessesTest {
  /** A strategy that never chooses. */
  static final class Endless extends StrategyContract {
    @Override
    protected PlacementStrategy strategy() {
      return new PlacementStrategy() {
        @Override
        public String name() {
          return "endless";
        }

        @Override
        public Placer newPlacer(Fleet fleet, Settings settings) {
          return (workload, candidates) -> {
            while (true) {
              LockSupport.park();
            }
          };
        }
      };
    }
  }

  /** The input of a process ends with the process that holds its other end. */
  @Test
  void endsWithTheProcessThatStartedIt(@TempDir Path folder) throws Exception {
    Process process = FreshProcesses.start(Endless.class, 1, folder.resolve("record"), List.of());
    try {
      process.getOutputStream().close();
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).isEqualTo(FreshProcesses.ENDED_WITH_THE_OTHER);
    } finally {
      process.destroyForcibly();
    }
  }
}
