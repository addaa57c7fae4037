package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests on a control plane of their class, which is without nodes and pods before each. */
abstract class OnControlPlane {
  static ControlPlane plane;
  static Bench bench;

  /** Settings by which no wait is long. */
  static final String QUICK =
      """
      strategy: {name: spread}
      leaderElection: {duration: 3s}
      binding: {timeout: 2s}
      queue: {firstPause: 50ms, longestPause: 500ms}
      monitor: {port: -1}
      """;

  private static final int MOST_LINES = 200;

  @TempDir Path folder;

  /** The log of what is tested. */
  final Queue<String> log = new ConcurrentLinkedQueue<>();

  /** A failure says what was logged last. */
  @RegisterExtension
  final AfterTestExecutionCallback logged =
      context ->
          context
              .getExecutionException()
              .ifPresent(failed -> System.out.println(context.getDisplayName() + ": " + last()));

  private String last() {
    List<String> lines = List.copyOf(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size()));
  }

  @BeforeAll
  static void startControlPlane() throws Exception {
    plane = ControlPlane.start();
    bench = new Bench(plane.admin());
  }

  @AfterAll
  static void stopControlPlane() {
    plane.close();
  }

  @BeforeEach
  void clearControlPlane() throws IOException {
    bench.clear();
  }

  /**
   * How often each fault is tried, {@code -Dlighthouse.kubernetes.rounds}, and the number of the
   * first round, {@code -Dlighthouse.kubernetes.seed}.
   */
  static IntStream rounds() {
    int first = Integer.getInteger("lighthouse.kubernetes.seed", 0);
    return IntStream.range(first, first + Integer.getInteger("lighthouse.kubernetes.rounds", 1));
  }

  /** Starts a scheduler with these settings. */
  KubernetesScheduler scheduler(String settings) {
    return scheduler(plane.scheduler(), settings);
  }

  /** The same, which reaches the server in this way. */
  KubernetesScheduler scheduler(ClusterAccess access, String settings) {
    return KubernetesScheduler.start(access, SettingsFile.read("settings", settings), log::add);
  }
}
