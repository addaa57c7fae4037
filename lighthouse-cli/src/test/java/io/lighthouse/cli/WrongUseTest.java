package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.cli.page.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class WrongUseTest {

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of(List.of(), "what is to be done? give one of assign, explain, check"),
        Arguments.of(List.of("asign"), "'asign' is no command; give one of assign,"),
        Arguments.of(List.of("asign"), "; did you mean assign?"),
        Arguments.of(List.of("kubernetes", "plann"), "kubernetes: 'plann' is no command; give one"),
        Arguments.of(List.of("kubernetes", "plann"), "; did you mean plan?"),
        Arguments.of(List.of("assign"), "assign: Missing required parameter: 'FILE'"),
        Arguments.of(
            List.of("assign", "--exlain", "f"),
            "assign: Unknown option: '--exlain'; did you mean --explain?"),
        Arguments.of(
            List.of("assign", "--outptu=json", "f"),
            "assign: Unknown option: '--outptu=json'; did you mean --output?"),
        Arguments.of(List.of("assign", "--zzz=1", "f"), "assign: Unknown option: '--zzz=1'\n"),
        Arguments.of(List.of("import", "kubernetes"), "use 'lighthouse kubernetes export'"),
        Arguments.of(List.of("assign", "--save", "x", "f"), "assign: '--save' is gone; use --out"),
        Arguments.of(List.of("assign", "--save=x", "f"), "assign: '--save' is gone; use --out"),
        Arguments.of(List.of("plan", "place", "--save", "x", "f"), "'--save' is gone; use --out"),
        Arguments.of(List.of("simulate", "--report", "x", "f"), "'--report' is gone; use --out"),
        Arguments.of(
            List.of("kubernetes", "--extender"),
            "kubernetes: '--extender' is gone; use 'lighthouse kubernetes extend'"),
        Arguments.of(
            List.of("kubernetes", "--kubeconfig", "x"),
            "kubernetes: '--kubeconfig' is gone; use 'lighthouse kubernetes schedule'"),
        Arguments.of(
            List.of("kubernetes", "--config=x"), "is gone; use 'lighthouse kubernetes schedule'"),
        Arguments.of(
            List.of("kubernetes", "--context", "x"), "use 'lighthouse kubernetes schedule'"),
        Arguments.of(
            List.of("assign", "--output", "xml", "f"), "'xml' is none of table, json, yaml, csv\n"),
        Arguments.of(List.of("assign", "-o", "JSON", "f"), "yaml, csv; did you mean json?"),
        Arguments.of(List.of("assign", "--output"), "Missing required parameter for option '--out"),
        Arguments.of(
            List.of("assign", "--rubric", "cpu", "f"),
            "--rubric: 'cpu' is not of the form NAME=WEIGHT"),
        Arguments.of(
            List.of("assign", "--rubric", "cpu=1,", "f"),
            "--rubric: '' is not of the form NAME=WEIGHT"),
        Arguments.of(
            List.of("assign", "--rubric", "cpu=1,cpu=2", "f"),
            "--rubric: 'cpu' is given twice; allowed: once"),
        Arguments.of(
            List.of("assign", "--rubric", "cpu=many", "f"),
            "assign: --rubric: resource 'cpu': quantity is 'many'; allowed: a JSON number, inf"),
        Arguments.of(
            List.of("assign", "--rubric", "cpu=inf", "f"),
            "assign: --rubric: cpu is inf; allowed: 0"),
        Arguments.of(
            List.of("assign", "--set", "=1", "f"), "--set: '=1' is not of the form KEY=VALUE"),
        Arguments.of(
            List.of("assign", "--set", "a=1", "--set", "a=2", "f"), "--set: 'a' is given twice"),
        Arguments.of(
            List.of("assign", "--plugins", "/no/such", "f"),
            "assign: Invalid value for option '--plugins': '/no/such' cannot be read; allowed: a dir"),
        Arguments.of(
            List.of("assign", "--plugins", "", "f"),
            "assign: Invalid value for option '--plugins': '' is the name of no file or folder"),
        Arguments.of(
            List.of("assign", "--out", "", "f"),
            "assign: Invalid value for option '--out': '' is the name of no file or folder"),
        Arguments.of(
            List.of("assign", "--out", "a\0b", "f"),
            "'--out': 'a\\u0000b' is the name of no file or folder: Nul character not allowed"),
        Arguments.of(
            List.of("assign", "f", "", "g"),
            "assign: '' is empty; allowed: at least one character"),
        Arguments.of(List.of("fleets", "verify", ""), "(STORE): '' is empty"),
        Arguments.of(
            List.of("serve", "--port", "x"), "'--port': 'x' is not a whole number from 0 to 65535"),
        Arguments.of(List.of("serve", "--port", "65536"), "'--port': '65536' is not a whole"),
        Arguments.of(
            List.of("serve", "--bind", " "),
            "--bind is ' '; allowed: a host name or address; 0.0.0.0 for all"),
        Arguments.of(
            List.of("size", "--steps", "x", "--offer", "a: cpu=1", "f"),
            "'--steps': 'x' is not a whole number from 0 to 9223372036854775807"),
        Arguments.of(
            List.of("plan", "repair", "--max-moves", "-1", "f"),
            "'--max-moves': '-1' is not a whole number from 0 to 2147483647"),
        Arguments.of(
            List.of("plan", "repair", "--max-of-group", "0", "f"),
            "'--max-of-group': '0' is not a whole number from 1 to 2147483647"),
        Arguments.of(
            List.of("kubernetes", "plan", "consolidate", "--max-moves", "1.5"),
            "'--max-moves': '1.5' is not a whole number from 0 to 2147483647"),
        Arguments.of(
            List.of("fleets", "backup", "--out", "no/x", "f"),
            "fleets backup: Invalid value for option '--out': 'no/x' cannot be written; allowed: a"
                + " file in a folder that is there"),
        Arguments.of(
            List.of("fleets", "verify", "--plugins=", "f"),
            "'--plugins': '' is the name of no file or folder"),
        Arguments.of(
            List.of("fleets", "backup", "--plugins=/", "--out", "x", "f"),
            "fleets backup: Unknown option: '--plugins=/'"),
        Arguments.of(
            List.of("headroom", "--shape", "cpu=1", "--shape", "2 x cpu=1", "f"),
            "headroom: --shape: 'cpu=1' is given twice; allowed: once, as in '2 x cpu=1'"),
        Arguments.of(
            List.of("kubernetes", "export", "--objects", "f", "--context", "c"),
            "kubernetes export: --objects and --context do not go together"),
        Arguments.of(
            List.of("replay", "--plugins", "/no/such", "f"),
            "replay: Invalid value for option '--plugins': '/no/such' cannot be read; allowed: a dir"),
        Arguments.of(
            List.of("serve", "--plugins", "/no/such"),
            "serve: Invalid value for option '--plugins': '/no/such' cannot be read; allowed: a dir"),
        Arguments.of(
            List.of("strategies", "--plugins", "/no/such"),
            "strategies: Invalid value for option '--plugins': '/no/such' cannot be read; allowed"),
        Arguments.of(List.of("explain", "w"), "explain: Missing required parameter: 'FILE'"),
        Arguments.of(List.of("explain", "w", "f", "x"), "explain: 'x' is one word too many"),
        Arguments.of(
            List.of("serve", "--max-body", "0"), "serve: --max-body is 0; allowed: 1 or more"),
        Arguments.of(
            List.of("serve", "--host", "a.example,b.example:80"),
            "serve: --host is 'b.example:80'; allowed: a host name or address without"),
        Arguments.of(
            List.of("serve", "--cors-origin", "https://a.example,b.example"),
            "serve: --cors-origin is 'b.example'; allowed: an origin without a path"),
        Arguments.of(
            List.of("serve", "--cors-origin", "https://a.example/"),
            "cors-origin is 'https://a.example/'"),
        Arguments.of(
            List.of("serve", "--cors-origin", "https://*.example.org"),
            "cors-origin is 'https://*.example.org'; allowed: an origin without a path, such as"
                + " https://example.org, or * for all"),
        Arguments.of(
            List.of("what-if", "--changes", "-", "-"),
            "what-if: - is given twice; standard input can be read once"),
        Arguments.of(
            List.of("size", "--offer", "a: cpu=1", "--offer", "a: cpu=2", "f"),
            "size: offer 'a': name is given twice; allowed: each name once"),
        Arguments.of(
            List.of("help", "asign"), "'asign' is no command; give one of assign, explain, "),
        Arguments.of(List.of("help", "asign"), "did you mean assign?"),
        Arguments.of(List.of("@f"), "'@f' is no command; give one of assign, "),
        Arguments.of(
            List.of("size", "--offers", "-", "-"),
            "size: - is given twice; standard input can be read once"),
        Arguments.of(
            List.of("plan", "place", "--max-moved", "cpu=-1", "f"),
            "plan: --max-moved: cpu is -1; allowed: 0 or more"),
        Arguments.of(
            List.of("headroom", "--shape", "x", "f"), "headroom: --shape: text is 'x'; allowed: "),
        Arguments.of(List.of("plan", "f"), "plan: no goal 'f'; goals are place, drain, "),
        Arguments.of(List.of("plan", "repair"), "plan: repair takes one FILE and no nodes"),
        Arguments.of(List.of("plan", "drain"), "plan: drain wants the names of nodes, and then"),
        Arguments.of(
            List.of("explain", "--protect", "v", "w", Examples.file("fleet.json").toString()),
            "explain: --protect has no effect without --remedies; give both"),
        Arguments.of(
            List.of("assign", "-", "-"),
            "assign: - is given twice; standard input can be read once"),
        Arguments.of(
            List.of("assign", "-o", "csv", "--hash", "f"),
            "assign: --hash has no place in CSV; allowed: --output table, json or yaml"),
        Arguments.of(
            List.of("explain", "-o", "csv", "--scores", "w", "f"),
            "explain: --scores has no place in CSV; allowed: --output table, json or yaml"),
        Arguments.of(
            List.of("explain", "-o", "csv", "--remedies", "w", "f"),
            "explain: --remedies has no place in CSV"),
        Arguments.of(
            List.of("assign", "-o", "csv", "--explain", "f"), "assign: --explain has no place"),
        Arguments.of(
            List.of("assign", "-o", "csv", "--remedies", "f"), "assign: --remedies has no place"),
        Arguments.of(
            List.of("plan", "place", "--max-moved", "cpu=x", "f"),
            "plan: --max-moved: cpu is 'x'; allowed: a JSON number"),
        Arguments.of(
            List.of("serve", "--max-depth", "0"), "serve: --max-depth is 0; allowed: 1 to 1000"),
        Arguments.of(
            List.of("serve", "--queue-timeout", "0s"),
            "serve: --queue-timeout is 0s; allowed: more than no time"),
        Arguments.of(List.of("strategies", "x"), "strategies: 'x' is one word too many"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void isToldWithExitCodeTwo(List<String> words, String message) {
    Run run = Run.of(words.toArray());

    assertThat(run.err()).startsWith("lighthouse: ").contains(message);
    assertThat(run.err().lines().count()).isBetween(1L, 2L);
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(2);
  }

  /** Only a rubric may be empty: it weighs nothing then. */
  @Test
  void isAnEmptyValueOfAnyOtherOption() {
    List<String> checked = new ArrayList<>();
    Help.commands()
        .forEach(
            arguments -> {
              List<?> command = (List<?>) arguments.get()[0];
              CommandSpec spec = ((CommandLine) arguments.get()[1]).getCommandSpec();
              for (OptionSpec option : spec.options()) {
                String name = option.longestName();
                if (option.arity().max() == 0 || List.of("--rubric", "--weights").contains(name)) {
                  continue;
                }
                List<Object> words = new ArrayList<>(command);
                words.add(name + "=");
                Run run = Run.of(words.toArray());
                assertThat(run.err()).as("%s", words).contains("'" + name + "'", "''");
                assertThat(run.code()).isEqualTo(2);
                checked.add(name);
              }
            });
    assertThat(checked).contains("--bind", "--cors-origin", "--avoid", "--max-body", "--of");
  }

  @Nested
  class Help {
    /** Every command by its words, with what is known of it. */
    static Stream<Arguments> commands() {
      return commands(Main.commandLine(Terminal.ofProcess()), List.of());
    }

    private static Stream<Arguments> commands(CommandLine command, List<String> words) {
      return Stream.concat(
          Stream.of(Arguments.of(words, command)),
          command.getSubcommands().entrySet().stream()
              .filter(one -> !one.getKey().equals("help"))
              .flatMap(
                  one -> {
                    List<String> within = new ArrayList<>(words);
                    within.add(one.getKey());
                    return commands(one.getValue(), within);
                  }));
    }

    @Test
    void areAllFound() {
      assertThat(commands()).hasSizeGreaterThan(26);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void isThereForEveryCommandInEightyColumns(List<String> words, CommandLine command) {
      for (String option : List.of("--help", "-h")) {
        List<String> all = new ArrayList<>(words);
        all.add(option);
        Run run = Run.of(all.toArray());

        assertThat(run.out())
            .startsWith("Usage: " + command.getCommandSpec().qualifiedName().strip());
        assertThat(run.out().lines())
            .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
      }
    }

    /** Tables and examples are indented. They are not wrapped, so that their lines have to fit. */
    @ParameterizedTest
    @MethodSource("commands")
    void isMadeOfSentences(List<String> words, CommandLine command) {
      CommandSpec spec = command.getCommandSpec();
      assertThat(spec.usageMessage().description()).isNotEmpty();
      assertThat(spec.usageMessage().description()[0]).matches("\\p{Lu}.*[.]");
      for (String line : spec.usageMessage().description()) {
        assertThat(line).matches("|  .{1,78}|.*[.:]");
      }
      for (String line : spec.usageMessage().footer()) {
        assertThat(line).matches("|  .{1,78}|.*[.:]");
      }
      for (ArgSpec argument : spec.args()) {
        assertThat(argument.description())
            .singleElement()
            .satisfies(text -> assertThat(text).matches("\\p{Lu}.*[.]"));
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "kubernetes schedule", "kubernetes extend"})
    void saysWhatEndsACommandThatRunsOn(String command) {
      assertThat(Run.of((Object[]) (command + " --help").split(" ")).out().replaceAll("\\s+", " "))
          .contains("until SIGTERM or Ctrl-C.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "assign", "explain", "check", "strategies", "completion"})
    void tellsTheVersion(String command) {
      for (String option : List.of("--version", "-V")) {
        Run run = command.isEmpty() ? Run.of(option) : Run.of(command, option);

        assertThat(run.out()).matches("lighthouse \\d+\\.\\d+\\.\\d+\\S*, Java \\d+.*\n");
        assertThat(run.code()).isZero();
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"help", "strategies", "version"})
    void doesNotShowTheExitCodesOfAssign(String command) {
      assertThat(Run.of("assign", "--help").out()).contains("Exit codes: 0 all placed, 1 some");
      assertThat(Run.of(command, "--help").out())
          .contains("Usage: lighthouse " + command)
          .doesNotContain("all placed");
    }

    @Test
    void listsEveryCommandAndTheExitCodes() {
      assertThat(Run.of("--help").out())
          .contains("  assign ", "  explain ", "  check, validate ", "  strategies ")
          .contains("  completion ")
          .contains("Exit codes: 0 all placed, 1 some refused, 2 wrong use or bad input.");
    }
  }

  @Test
  void completionKnowsEveryCommandAndOption() {
    Run run = Run.of("completion");

    assertThat(run.out())
        .startsWith("#!/usr/bin/env bash")
        .contains("assign", "explain", "check", "strategies", "--all-or-nothing", "--rubric")
        .contains("\"table\" \"json\"")
        .contains("complete -F _complete_lighthouse -o default lighthouse");
    assertThat(run.code()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "--version", "--help", "help assign", "plan --help"})
  void helpThatCannotBeWrittenIsAFailure(String words) {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int octet) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal = Run.terminal(full, err);
    assertThat(Main.run(terminal, words.split(" "))).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "lighthouse: standard output: cannot be written: No space left on device"
                + System.lineSeparator());
  }
}
