package io.lighthouse.cli.command;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.PluginOptions;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Style;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.picture.FleetText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the installed strategies. */
@Command(
    name = "strategies",
    description = {
      "List the installed strategies: what they do, their settings, where they come from."
    })
public final class StrategiesCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private PluginOptions plugins;
  @Mixin private AnswerOption output;

  public StrategiesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Distributors installed;
    try {
      installed = plugins.installed(terminal);
    } catch (InvalidInputException refused) {
      terminal.complain("--plugins", refused.getMessage());
      return ExitCode.FAILED;
    }
    List<StrategyDescription> strategies = installed.strategies();
    if (output.isTable()) {
      page(strategies).print(terminal.out());
    } else {
      output.write(
          terminal,
          answer -> {
            answer.objects("strategies", strategies, StrategiesCommand::write);
            answer.names("faults", installed.faults());
          },
          () -> rows(strategies));
    }
    return ExitCode.DONE;
  }

  private static List<List<String>> rows(List<StrategyDescription> strategies) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("name", "description", "origin"));
    for (StrategyDescription one : strategies) {
      rows.add(List.of(one.name(), one.description(), one.origin()));
    }
    return rows;
  }

  private TerminalPage page(List<StrategyDescription> strategies) {
    TerminalPage page = new TerminalPage(terminal);
    page.title(FleetText.plural(strategies.size(), "strategy").replace("strategys", "strategies"));
    TerminalPage.Section section = page.section("name", "what it does");
    for (StrategyDescription strategy : strategies) {
      section.row(strategy.name(), Style.BOLD, strategy.description());
      for (Setting setting : strategy.settings()) {
        section.row(
            "",
            Style.PLAIN,
            "--set " + setting.name() + "=" + setting.defaultValue() + " : " + setting.meaning());
      }
      section.row("", Style.PLAIN, "from " + strategy.origin());
    }
    section.end();
    return page;
  }

  private static void write(AnswerWriter answer, StrategyDescription strategy) {
    answer.member("name", strategy.name());
    answer.member("description", strategy.description());
    answer.objects(
        "settings",
        strategy.settings(),
        (inside, setting) ->
            inside
                .member("name", setting.name())
                .member("meaning", setting.meaning())
                .member("default", setting.defaultValue()));
    answer.member("sequential", strategy.sequential());
    answer.member("may_decline", strategy.mayDecline());
    answer.member("origin", strategy.origin());
  }
}
