package io.lighthouse.cli.option;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.config.ConfigFile;
import io.lighthouse.server.ServiceLimit;
import io.lighthouse.server.ServiceSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The limits of the service, each an option of its command and a field of its configuration. */
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
   * Sets the limits of the configuration file, and above them the options that were given.
   *
   * @param config YAML or JSON; null for none
   * @throws InvalidInputException if a value of the file is wrong, or a field is not known
   * @throws ParameterException if the value of an option is wrong
   */
  public static ServiceSettings apply(CommandSpec command, Path config, ServiceSettings settings) {
    if (config != null) {
      String where = "--config " + config;
      ConfigFile.read(where, config)
          .forEach((field, value) -> set(where, String.valueOf(field), value, settings));
    }
    for (ServiceLimit limit : ServiceLimit.values()) {
      String given = command.findOption(limit.option()).getValue();
      if (given != null) {
        try {
          settings.limit(limit, limit.parse(given));
        } catch (InvalidInputException wrong) {
          throw WrongOption.of(command, true, wrong);
        }
      }
    }
    return settings;
  }

  private static void set(String where, String field, Object value, ServiceSettings settings) {
    List<String> known = new ArrayList<>();
    for (ServiceLimit limit : ServiceLimit.values()) {
      String name = limit.option().substring(2);
      if (name.equals(field)) {
        if (value == null) {
          throw new InvalidInputException(where, field, "nothing", "a value");
        }
        try {
          settings.limit(limit, limit.parse(String.valueOf(value)));
        } catch (InvalidInputException wrong) {
          throw new InvalidInputException(where, field, wrong.found(), wrong.allowed());
        }
        return;
      }
      known.add(name);
    }
    throw ConfigFile.unknown(where, "", field, known);
  }
}
