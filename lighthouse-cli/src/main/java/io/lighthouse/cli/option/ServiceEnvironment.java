package io.lighthouse.cli.option;

import java.util.Locale;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Takes an option that is not given from the environment: {@code --port} from LIGHTHOUSE_PORT. An
 * empty variable of an option that may be repeated is an empty list.
 */
public final class ServiceEnvironment implements IDefaultValueProvider {
  @Override
  public String defaultValue(ArgSpec argument) {
    if (argument instanceof OptionSpec option && !option.usageHelp() && !option.versionHelp()) {
      String value = System.getenv(variable(option.longestName()));
      return option.isMultiValue() && "".equals(value) ? null : value;
    }
    return null;
  }

  private static String variable(String option) {
    return "LIGHTHOUSE_" + option.substring(2).toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
