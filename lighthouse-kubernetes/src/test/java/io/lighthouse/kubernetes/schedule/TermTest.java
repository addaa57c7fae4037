package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.FaultyProxy;
import io.lighthouse.kubernetes.control.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** From when to when a term knows the cluster. */
class TermTest extends OnControlPlane {
  /** Its loop is held up meanwhile, so that only what the watch leaves behind can tell. */
  @Test
  void knowsTheClusterUntilAWatchOfItFails() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    CountDownLatch isHeld = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri());
        KubernetesScheduler scheduler =
            KubernetesScheduler.start(
                Kubeconfig.access(Optional.of(proxy.kubeconfig(plane, folder)), Optional.empty()),
                SettingsFile.read("s", QUICK.replace("duration: 3s", "enabled: false")),
                line -> {
                  log.add(line);
                  if (fails.get() && line.contains("\"watch-ended\"")) {
                    throw new IllegalStateException("planted");
                  }
                })) {
      Bench.until(() -> isSynced(scheduler.term()), () -> "not synced: " + log);
      Term first = scheduler.term();
      LoopReader.read(
          first,
          cluster -> {
            isHeld.countDown();
            await(goesOn);
          });
      isHeld.await();
      fails.set(true);
      proxy.cut();
      Bench.until(() -> !first.isSynced(), () -> "still synced: " + log);
      assertThat(log).noneMatch(line -> line.contains("\"term-failed\""));
      fails.set(false);
      goesOn.countDown();
      bench.addNode("n0", "a", "4", "8Gi", 20);
      bench.add(Objects.pod("p", "1", "1Gi"));
      assertThat(bench.awaitNode("p")).isEqualTo("n0");
      assertThat(scheduler.term()).isNotSameAs(first);
      assertThat(scheduler.term().isSynced()).isTrue();
      assertThat(log)
          .anyMatch(line -> line.contains("\"term-failed\"") && line.contains("planted"));
    } finally {
      goesOn.countDown();
    }
  }

  private static boolean isSynced(Term term) {
    return term != null && term.isSynced();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
