package io.lighthouse.cli.command;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.api.rule.RuleDescription;
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
import io.lighthouse.json.write.RemedyWriter;
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
      "List the installed strategies and rules of plug-ins: what they do, their settings, where they"
          + " come from."
    },
    footer = {"", "Exit codes: 0 listed, 2 wrong use, or the directory cannot be read."})
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
      terminal.complain("strategies", refused.getMessage());
      return ExitCode.FAILED;
    }
    List<StrategyDescription> strategies = installed.strategies();
    List<RuleDescription> rules = installed.rules();
    if (output.isTable()) {
      page(strategies, rules).print(terminal.out());
    } else {
      output.write(
          terminal,
          answer -> {
            answer.objects("strategies", strategies, StrategiesCommand::write);
            answer.objects("rules", rules, StrategiesCommand::write);
            answer.names("faults", installed.faults());
          },
          () -> rows(strategies, rules));
    }
    return ExitCode.DONE;
  }

  private static List<List<String>> rows(
      List<StrategyDescription> strategies, List<RuleDescription> rules) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("kind", "name", "description", "origin"));
    for (StrategyDescription one : strategies) {
      rows.add(List.of("strategy", one.name(), one.description(), one.origin()));
    }
    for (RuleDescription one : rules) {
      rows.add(List.of("rule", one.name(), one.description(), one.origin()));
    }
    return rows;
  }

  private TerminalPage page(List<StrategyDescription> strategies, List<RuleDescription> rules) {
    TerminalPage page = new TerminalPage(terminal);
    page.title(
        Plural.of(strategies.size(), "strategy")
            + (rules.isEmpty() ? "" : " and " + Plural.of(rules.size(), "rule")));
    TerminalPage.Section section = page.section("name", "what it does");
    for (StrategyDescription one : strategies) {
      section.row(one.name(), Style.BOLD, one.description());
      addSettings(section, "--set ", one.settings(), one.origin());
    }
    section.end();
    TerminalPage.Section required = page.section("rule", "what it requires");
    for (RuleDescription one : rules) {
      required.row(one.name(), Style.BOLD, one.description());
      addSettings(required, "", one.settings(), one.origin());
    }
    required.end();
    return page;
  }

  private static void addSettings(
      TerminalPage.Section section, String before, List<Setting> settings, String origin) {
    for (Setting setting : settings) {
      section.row(
          "",
          Style.PLAIN,
          before + setting.name() + "=" + setting.defaultValue() + " : " + setting.meaning());
    }
    section.row("", Style.PLAIN, "from " + origin);
  }

  private static void write(AnswerWriter answer, StrategyDescription strategy) {
    answer.member("name", strategy.name());
    answer.member("description", strategy.description());
    writeSettings(answer, strategy.settings());
    answer.member("sequential", strategy.sequential());
    answer.member("may_decline", strategy.mayDecline());
    answer.member("origin", strategy.origin());
  }

  private static void write(AnswerWriter answer, RuleDescription rule) {
    answer.member("name", rule.name());
    answer.member("description", rule.description());
    writeSettings(answer, rule.settings());
    answer.names("reads", rule.reads().stream().map(RemedyWriter::word).toList());
    answer.member("origin", rule.origin());
  }

  private static void writeSettings(AnswerWriter answer, List<Setting> settings) {
    answer.objects(
        "settings",
        settings,
        (inside, setting) ->
            inside
                .member("name", setting.name())
                .member("meaning", setting.meaning())
                .member("default", setting.defaultValue()));
  }
}
