package io.lighthouse.cli.option;

import java.util.Locale;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Takes an option that is not given from the environment: {@code --port} from LIGHTHOUSE_PORT. */
public final class ServiceEnvironment implements IDefaultValueProvider {
  @Override
  public String defaultValue(ArgSpec argument) {
    if (argument instanceof OptionSpec option && !option.usageHelp() && !option.versionHelp()) {
      return System.getenv(variable(option.longestName()));
    }
    return null;
  }

  private static String variable(String option) {
    return "LIGHTHOUSE_" + option.substring(2).toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
