package io.lighthouse.cli.option;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say which cluster is meant. */
public final class KubernetesOptions {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "How the cluster is reached, and as whom; credential plug-ins are run. Without it, as"
              + " inside a pod.")
  private Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "The context of that file, in place of its current one.")
  private String context;

  public Optional<Path> kubeconfig() {
    return Optional.ofNullable(kubeconfig);
  }

  public Optional<String> context() {
    return Optional.ofNullable(context);
  }
}
