package io.lighthouse.cli.command;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.cli.file.SavedFile;
import io.lighthouse.cli.option.KubernetesOptions;
import io.lighthouse.cli.option.OutPath;
import io.lighthouse.cli.option.PluginOptions;
import io.lighthouse.cli.option.WrongOption;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.json.StrategyWords;
import io.lighthouse.kubernetes.config.SchedulerSettings;
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

/** Writes a cluster as a problem. */
@Command(
    name = "export",
    description = {
      "Print the nodes, pods and waiting pods of a cluster as a problem, in JSON.",
      "What a problem cannot hold is reported on standard error. The cluster is only read."
    },
    footer = {
      "",
      "Exit codes: 0 done, 2 wrong use, or the cluster cannot be read.",
      "",
      "Examples:",
      "  lighthouse kubernetes export --kubeconfig ~/.kube/config --out cluster.json",
      "  lighthouse explain default/web-1 cluster.json"
    },
    sortOptions = false)
final class KubernetesExportCommand implements Callable<Integer> {
  @ParentCommand private KubernetesCommand parent;

  @Spec private CommandSpec command;

  @Mixin private KubernetesOptions cluster;
  @Mixin private PluginOptions plugins;

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
      description =
          "The strategy that the problem names (default: that of kubernetes schedule, spread).")
  private String strategy = SchedulerSettings.STANDARD.first().strategy().name();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      converter = OutPath.class,
      description = "Write the problem to this file (default: standard output).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    String named = StrategyWords.nameOf(strategy);
    plugins.checked(parent.terminal(), command, named);
    KubernetesImport exported;
    try {
      exported = read(named);
    } catch (InvalidInputException wrong) {
      throw WrongOption.of(command, wrong.field().equals("--objects"), wrong);
    } catch (IOException unreachable) {
      parent.terminal().complain("kubernetes export", unreachable.getMessage());
      return ExitCode.FAILED;
    }
    exported.remarks().forEach(parent.terminal()::warn);
    try {
      SavedFile.saveOrPrint(exported.problem(), out, parent.terminal());
    } catch (SavedFile.UnwritableException failed) {
      parent.terminal().complain("kubernetes export", failed.getMessage());
      return ExitCode.FAILED;
    }
    return ExitCode.DONE;
  }

  private KubernetesImport read(String named) throws IOException {
    if (files.isEmpty()) {
      return ClusterReader.ofServer(cluster.kubeconfig(), cluster.context(), named);
    }
    if (cluster.kubeconfig().isPresent() || cluster.context().isPresent()) {
      String option = cluster.kubeconfig().isPresent() ? "--kubeconfig" : "--context";
      throw new ParameterException(
          command.commandLine(), "--objects and " + option + " do not go together");
    }
    return ClusterReader.ofFiles(files, named);
  }
}
