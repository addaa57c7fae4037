package io.lighthouse.cli;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.kubernetes.KubernetesScheduler;
import io.lighthouse.kubernetes.SchedulerSettings;
import io.lighthouse.kubernetes.SettingsFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Schedules the pods of a Kubernetes cluster that name it, until it is told to stop. */
@Command(
    name = "kubernetes",
    description = {
      "Schedule the pods of a Kubernetes cluster whose schedulerName is lighthouse, until SIGTERM"
          + " or Ctrl-C.",
      "Its log is lines of JSON on standard error."
    },
    footer = {
      "",
      "Exit codes: 0 stopped in order, 2 wrong use, or something it was told to use is missing or"
          + " broken.",
      "",
      "Examples:",
      "  lighthouse kubernetes --kubeconfig ~/.kube/config",
      "  lighthouse kubernetes --kubeconfig ~/.kube/config --config lighthouse.yaml"
    },
    sortOptions = false)
final class KubernetesCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private CommandSpec command;

  @Mixin private KubernetesOptions cluster;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "How it works: strategy, lease, rates, metrics. YAML or JSON.")
  private Path config;

  KubernetesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    KubernetesScheduler scheduler;
    try {
      SchedulerSettings settings =
          config == null ? SchedulerSettings.STANDARD : SettingsFile.read(config);
      scheduler =
          KubernetesScheduler.start(
              cluster.kubeconfig(), cluster.context(), settings, terminal.err()::println);
    } catch (InvalidInputException wrong) {
      throw new ParameterException(command.commandLine(), wrong.getMessage());
    }
    stopOnSignal(scheduler);
    String monitor = scheduler.monitor().map(uri -> ", metrics at " + uri + "/metrics").orElse("");
    String line = "lighthouse schedules for " + scheduler.server() + monitor + "\n";
    terminal.out().write(line.getBytes(StandardCharsets.UTF_8));
    terminal.out().flush();
    scheduler.awaitStop();
    return ExitCode.DONE;
  }

  /** A signal ends a JVM with a code of its own; one that has stopped in order ends with 0. */
  private static void stopOnSignal(KubernetesScheduler scheduler) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  scheduler.close();
                  Runtime.getRuntime().halt(ExitCode.DONE);
                },
                "lighthouse-stop"));
  }
}
