package io.lighthouse.cli.option;

import io.lighthouse.kubernetes.shadow.KubernetesShadow;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say which scheduler is followed, and where the report goes. */
public class ShadowOptions {
  @Option(
      names = "--of",
      paramLabel = "NAME",
      description = "Compare the pods with this schedulerName (default: ${DEFAULT-VALUE}).",
      defaultValue = KubernetesShadow.Watched.STOCK)
  private String scheduler;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      converter = OutPath.class,
      description =
          "Write the report to FILE, every 30 seconds and at the end: JSON if its name ends so, else"
              + " HTML.")
  private Path report;

  public final KubernetesShadow.Watched watched() {
    return new KubernetesShadow.Watched(scheduler, Optional.ofNullable(report));
  }
}
