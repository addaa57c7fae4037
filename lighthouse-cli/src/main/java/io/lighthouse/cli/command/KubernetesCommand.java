package io.lighthouse.cli.command;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.cli.option.KubernetesOptions;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.extender.KubernetesExtender;
import io.lighthouse.kubernetes.schedule.KubernetesScheduler;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Schedules the pods of a Kubernetes cluster that name it, until a signal. */
@Command(
    name = "kubernetes",
    description = {
      "Schedule the pods of a Kubernetes cluster whose schedulerName is lighthouse, until SIGTERM"
          + " or Ctrl-C.",
      "Its log is lines of JSON on standard error.",
      "With --extender it places nothing itself: it answers the stock scheduler's questions.",
      "kubernetes plan says which pods would go where to free nodes, and evicts them where asked."
    },
    footer = {
      "",
      "Exit codes: 0 stopped in order; 2 wrong use, something it was told to use is missing or"
          + " broken, or one of its threads failed.",
      "",
      "Examples:",
      "  lighthouse kubernetes --kubeconfig ~/.kube/config",
      "  lighthouse kubernetes --kubeconfig ~/.kube/config --config lighthouse.yaml",
      "  lighthouse kubernetes --kubeconfig ~/.kube/config --extender",
      "  lighthouse kubernetes plan drain n1 --kubeconfig ~/.kube/config"
    },
    subcommands = KubernetesPlanCommand.class,
    sortOptions = false)
public final class KubernetesCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private CommandSpec command;

  @Mixin private KubernetesOptions cluster;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "How it works: strategy, lease, rates, metrics. YAML or JSON.")
  private Path config;

  @Option(
      names = "--extender",
      description =
          "Answer filter and prioritize of the stock scheduler, which calls this as its extender,"
              + " in place of scheduling; where, the configuration says.")
  private boolean extender;

  public KubernetesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  Terminal terminal() {
    return terminal;
  }

  @Override
  public Integer call() throws Exception {
    try {
      SchedulerSettings settings =
          config == null ? SchedulerSettings.STANDARD : SettingsFile.read(config);
      return extender ? answer(settings) : schedule(settings);
    } catch (InvalidInputException wrong) {
      throw new ParameterException(command.commandLine(), wrong.getMessage());
    }
  }

  private int schedule(SchedulerSettings settings) throws Exception {
    KubernetesScheduler scheduler =
        KubernetesScheduler.start(
            cluster.kubeconfig(), cluster.context(), settings, terminal.err()::println);
    String words = "lighthouse schedules for " + scheduler.server();
    return ServiceRun.untilStopped(
        terminal, words + metrics(scheduler.monitor()), scheduler::awaitStop, scheduler::close);
  }

  private int answer(SchedulerSettings settings) throws Exception {
    KubernetesExtender answering =
        KubernetesExtender.start(
            cluster.kubeconfig(), cluster.context(), settings, terminal.err()::println);
    String words = "lighthouse answers at " + answering.uri() + " about " + answering.server();
    return ServiceRun.untilStopped(
        terminal, words + metrics(answering.monitor()), answering::awaitStop, answering::close);
  }

  private static String metrics(Optional<URI> monitor) {
    return monitor.map(uri -> ", metrics at " + uri + "/metrics").orElse("");
  }
}
