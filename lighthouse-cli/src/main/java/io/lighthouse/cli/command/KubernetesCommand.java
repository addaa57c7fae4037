package io.lighthouse.cli.command;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.cli.option.KubernetesOptions;
import io.lighthouse.cli.option.ShadowOptions;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.extender.KubernetesExtender;
import io.lighthouse.kubernetes.schedule.KubernetesScheduler;
import io.lighthouse.kubernetes.shadow.KubernetesShadow;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Everything about a Kubernetes cluster. */
@Command(
    name = "kubernetes",
    description = "Schedule, shadow, plan and export a Kubernetes cluster.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      KubernetesCommand.Schedule.class,
      KubernetesCommand.Shadow.class,
      KubernetesCommand.Extend.class,
      KubernetesPlanCommand.class,
      KubernetesExportCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  lighthouse kubernetes schedule --kubeconfig ~/.kube/config",
      "  lighthouse kubernetes shadow --kubeconfig ~/.kube/config --report shadow.html",
      "  lighthouse kubernetes plan drain n1 --kubeconfig ~/.kube/config",
      "  lighthouse kubernetes export --kubeconfig ~/.kube/config --out cluster.json"
    })
public final class KubernetesCommand implements Runnable {
  private static final String EXIT_CODES =
      "Exit codes: 0 stopped in order; 2 wrong use, something that it needs is missing or"
          + " broken, or one of its threads failed.";

  private final Terminal terminal;

  @Spec private CommandSpec command;

  public KubernetesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  Terminal terminal() {
    return terminal;
  }

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(),
        "which command? give one of " + String.join(", ", command.subcommands().keySet()));
  }

  /** A command that works until a signal. */
  abstract static class Service implements Callable<Integer> {
    @ParentCommand private KubernetesCommand parent;

    @Spec private CommandSpec command;

    @Mixin private KubernetesOptions cluster;

    @Option(
        names = "--config",
        paramLabel = "FILE",
        description = "Its profiles, lease, rates and addresses. YAML or JSON.")
    private Path config;

    @Override
    public final Integer call() throws Exception {
      SchedulerSettings settings = settings();
      try {
        return run(cluster, settings, parent.terminal);
      } catch (InvalidInputException wrong) {
        throw new ParameterException(command.commandLine(), wrong.getMessage());
      }
    }

    private SchedulerSettings settings() {
      try {
        return config == null ? SchedulerSettings.STANDARD : SettingsFile.read(config);
      } catch (InvalidInputException wrong) {
        throw new ParameterException(command.commandLine(), "--config " + wrong.getMessage());
      }
    }

    abstract int run(KubernetesOptions cluster, SchedulerSettings settings, Terminal terminal)
        throws Exception;

    static String metrics(Optional<URI> monitor) {
      return monitor.map(uri -> ", metrics at " + uri + "/metrics").orElse("");
    }
  }

  /** Schedules the pods of a cluster that name it. */
  @Command(
      name = "schedule",
      description = {
        "Schedule the pods of a cluster whose schedulerName is lighthouse, or one that the"
            + " configuration names, until SIGTERM or Ctrl-C.",
        "Its log is lines of JSON on standard error."
      },
      footer = {
        "",
        EXIT_CODES,
        "",
        "Examples:",
        "  lighthouse kubernetes schedule --kubeconfig ~/.kube/config",
        "  lighthouse kubernetes schedule --config settings.yaml"
      },
      sortOptions = false)
  static final class Schedule extends Service {
    @ArgGroup(exclusive = false)
    private ShadowGroup shadow;

    /** What is given together. */
    static final class ShadowGroup extends ShadowOptions {
      @Option(
          names = "--shadow",
          required = true,
          description = "Place nothing, and compare: the same as 'lighthouse kubernetes shadow'.")
      private boolean shadow;
    }

    @Override
    int run(KubernetesOptions cluster, SchedulerSettings settings, Terminal terminal)
        throws Exception {
      if (shadow != null) {
        return follow(cluster, settings, shadow, terminal);
      }
      KubernetesScheduler scheduler =
          KubernetesScheduler.start(
              cluster.kubeconfig(), cluster.context(), settings, terminal.err()::println);
      String words = "lighthouse schedules for " + scheduler.server();
      return ServiceRun.untilStopped(
          terminal, words + metrics(scheduler.monitor()), scheduler::awaitStop, scheduler::close);
    }
  }

  /** Compares the stock scheduler's decisions with those of Lighthouse. */
  @Command(
      name = "shadow",
      description = {
        "Follow a cluster that another scheduler schedules, and compare each of its decisions with"
            + " that of Lighthouse, until SIGTERM or Ctrl-C. Writes nothing to the cluster.",
        "The report is at /report of the monitor, and at /report.json.",
        "Its log is lines of JSON on standard error."
      },
      footer = {
        "",
        EXIT_CODES,
        "",
        "Examples:",
        "  lighthouse kubernetes shadow --kubeconfig ~/.kube/config",
        "  lighthouse kubernetes shadow --kubeconfig ~/.kube/config --report shadow.html"
      },
      sortOptions = false)
  static final class Shadow extends Service {
    @Mixin private ShadowOptions options;

    @Override
    int run(KubernetesOptions cluster, SchedulerSettings settings, Terminal terminal)
        throws Exception {
      return follow(cluster, settings, options, terminal);
    }
  }

  private static int follow(
      KubernetesOptions cluster,
      SchedulerSettings settings,
      ShadowOptions options,
      Terminal terminal)
      throws Exception {
    KubernetesShadow shadow =
        KubernetesShadow.start(
            cluster.kubeconfig(),
            cluster.context(),
            settings,
            options.watched(),
            terminal.err()::println);
    String words = "lighthouse compares, and writes nothing to, " + shadow.server();
    String report = shadow.monitor().map(uri -> ", report at " + uri + "/report").orElse("");
    return ServiceRun.untilStopped(terminal, words + report, shadow::awaitStop, shadow::close);
  }

  /** Answers the stock scheduler's questions. */
  @Command(
      name = "extend",
      description = {
        "Answer filter and prioritize of the stock scheduler, which calls this as its extender,"
            + " until SIGTERM or Ctrl-C.",
        "It places nothing itself. The configuration says where it listens.",
        "Its log is lines of JSON on standard error."
      },
      footer = {
        "",
        EXIT_CODES,
        "",
        "Example:",
        "  lighthouse kubernetes extend --kubeconfig ~/.kube/config"
      },
      sortOptions = false)
  static final class Extend extends Service {
    @Override
    int run(KubernetesOptions cluster, SchedulerSettings settings, Terminal terminal)
        throws Exception {
      KubernetesExtender answering =
          KubernetesExtender.start(
              cluster.kubeconfig(), cluster.context(), settings, terminal.err()::println);
      String words = "lighthouse answers at " + answering.uri() + " about " + answering.server();
      return ServiceRun.untilStopped(
          terminal, words + metrics(answering.monitor()), answering::awaitStop, answering::close);
    }
  }
}
