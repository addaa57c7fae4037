package io.lighthouse.cli.option;

import io.lighthouse.cli.page.Terminal;
import io.lighthouse.core.Distributors;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that says where more strategies are. */
public final class PluginOptions {
  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description = "Also use the strategies in the jars of this directory.")
  private Path plugins;

  /** Found at the first use; null before. */
  private Distributors installed;

  /**
   * The installed strategies, looked for once; what is broken among them is said on standard error.
   *
   * @throws io.lighthouse.api.error.InvalidInputException if the directory cannot be read
   */
  public Distributors installed(Terminal terminal) {
    if (installed == null) {
      installed = plugins == null ? Distributors.installed() : Distributors.installed(plugins);
      installed.faults().forEach(terminal::warn);
    }
    return installed;
  }
}
