package io.lighthouse.cli.option;

import io.lighthouse.server.ServiceLimit;
import io.lighthouse.server.ServiceSettings;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Gives the service's command an option for each limit. */
public final class ServeLimits implements IModelTransformer {
  @Override
  public CommandSpec transform(CommandSpec command) {
    for (ServiceLimit limit : ServiceLimit.values()) {
      command.addOption(
          OptionSpec.builder(limit.option())
              .paramLabel(
                  switch (limit.sort()) {
                    case BYTES -> "BYTES";
                    case COUNT -> "N";
                    case TIME -> "TIME";
                  })
              .type(String.class)
              .description(limit.meaning() + " (default: " + limit.standardWords() + ").")
              .build());
    }
    return command;
  }

  /**
   * Sets what was given.
   *
   * @throws io.lighthouse.api.error.InvalidInputException if a value is none, or out of range
   */
  public static ServiceSettings apply(CommandSpec command, ServiceSettings settings) {
    for (ServiceLimit limit : ServiceLimit.values()) {
      String given = command.findOption(limit.option()).getValue();
      if (given != null) {
        settings.limit(limit, limit.parse(given));
      }
    }
    return settings;
  }
}
