package io.lighthouse.cli.command;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.cli.option.KubernetesOptions;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.json.StrategyWords;
import io.lighthouse.json.write.ProblemWriter;
import io.lighthouse.kubernetes.export.ClusterReader;
import io.lighthouse.kubernetes.export.KubernetesImport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Writes what another system runs as a problem. */
@Command(
    name = "import",
    description = "Write a cluster of another system as a problem, to ask everything about it.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = ImportCommand.Kubernetes.class,
    footer = {
      "",
      "Examples:",
      "  lighthouse import kubernetes --kubeconfig ~/.kube/config > cluster.json",
      "  lighthouse explain cluster.json default/web-1"
    })
public final class ImportCommand implements Runnable {
  private final Terminal terminal;

  @Spec private CommandSpec command;

  public ImportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(),
        "from where? give one of " + String.join(", ", command.subcommands().keySet()));
  }

  /** Writes a Kubernetes cluster. */
  @Command(
      name = "kubernetes",
      description = {
        "Print the nodes, pods and waiting pods of a Kubernetes cluster as a problem, in JSON.",
        "What a problem cannot say is told on standard error. It only reads."
      },
      footer = {"", "Exit codes: 0 done, 2 wrong use, or the cluster cannot be read."},
      sortOptions = false)
  static final class Kubernetes implements Callable<Integer> {
    @ParentCommand private ImportCommand parent;

    @Spec private CommandSpec command;

    @Mixin private KubernetesOptions cluster;

    @Option(
        names = "--objects",
        paramLabel = "FILE",
        description =
            "Ask no server, but read what 'kubectl get nodes,pods,namespaces -A -o json' printed."
                + " May be repeated.")
    private List<Path> files = new ArrayList<>();

    @Option(
        names = "--strategy",
        paramLabel = "NAME",
        defaultValue = "spread",
        description = "The strategy that the problem names (default: ${DEFAULT-VALUE}).")
    private String strategy;

    @Override
    public Integer call() throws IOException {
      KubernetesImport imported;
      try {
        imported = read(StrategyWords.nameOf(strategy));
      } catch (InvalidInputException wrong) {
        throw new ParameterException(command.commandLine(), wrong.getMessage());
      } catch (IOException unreachable) {
        parent.terminal.complain("import kubernetes", unreachable.getMessage());
        return ExitCode.FAILED;
      }
      imported.remarks().forEach(parent.terminal::warn);
      ProblemWriter.write(imported.problem(), parent.terminal.out());
      return ExitCode.DONE;
    }

    private KubernetesImport read(String named) throws IOException {
      if (files.isEmpty()) {
        return ClusterReader.ofServer(cluster.kubeconfig(), cluster.context(), named);
      }
      if (cluster.kubeconfig().isPresent()) {
        throw new ParameterException(
            command.commandLine(), "--objects and --kubeconfig do not go together");
      }
      return ClusterReader.ofFiles(files, named);
    }
  }
}
