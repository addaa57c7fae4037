package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lighthouse.api.rule.PlacementRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every bad input: one message on standard error, nothing on standard output, exit code 2. */
class BadInputTest {
  @TempDir private Path directory;

  private static void assertRefused(Run run, String message) {
    assertThat(run.err()).isEqualTo(message + "\n");
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(2);
  }

  private static void assertRefusedText(String text, String message) {
    assertRefused(Run.reading(text, "assign", "-"), "lighthouse: standard input: " + message);
    assertRefused(
        Run.reading(text, "assign", "--output", "json", "-"),
        "lighthouse: standard input: " + message);
  }

  private static String fleet(String resources, String requirements) {
    return ("{\"nodes\":[{\"name\":\"n\",\"resources\":{%s}}],"
            + "\"workloads\":[{\"name\":\"w\",\"requirements\":{%s}}]}")
        .formatted(resources, requirements);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | line 1, column 1: the text is empty; allowed: an object with nodes and workloads",
        "`nodes: []` | line 1, column 1: the text is no JSON: it begins with 'nodes', as YAML"
            + " may; the command reads YAML from files that end in .yaml or .yml;"
            + " allowed: JSON (RFC 8259) in UTF-8, and the bare tokens inf and -inf",
        "`{\"nodes\":[{\"name\":\"n\"` | line 1, column 22: nodes[0].name is no JSON: it ends"
            + " before all that was opened is closed; allowed: JSON (RFC 8259) in UTF-8,"
            + " and the bare tokens inf and -inf",
        "`{\"nodes\":[],\"workloads\":[],\"nodes\":[]}` | line 1, column 28: nodes is given twice;"
            + " allowed: each key once",
        "`{\"nodes\":[],\"workloads\":[],\"node\":[]}` | line 1, column 28: node is an unknown"
            + " field; allowed: the fields strategy, rubric, settings, nodes, workloads,"
            + " last_placed, domains, rules, explain; did you mean nodes?",
        "`{\"nodes\":[{\"name\":\"n\",\"resources\":{}},{\"name\":\"n\",\"resources\":{}}],"
            + "\"loads\":[]}` | line 1, column 47: nodes[1].name is 'n', given before; allowed: a"
            + " name that no other node has",
        "`{\"nodes\":[{\"name\":\"\",\"resources\":{}}],\"loads\":[]}` | line 1, column 19:"
            + " nodes[0].name is ''; allowed: a name of at least one character",
        "`{\"nodes\":[],\"loads\":[],\"workloads\":[]}` | line 1, column 24: workloads is given"
            + " beside 'loads', which is the same; allowed: one of the two words",
        "`{\"nodes\":[{\"id\":\"n\",\"name\":\"n\",\"resources\":{}}],\"loads\":[]}` | line 1,"
            + " column 21: nodes[0].name is given beside 'id', which is the same; allowed: one of"
            + " the two words",
      })
  void textThatIsNoSoundProblem(String text, String message) {
    assertRefusedText(text, message);
  }

  @Test
  void numbersThatAreNone() {
    assertRefusedText(
        fleet("\"cpu\":NaN", ""),
        "line 1, column 42: nodes[0].resources.cpu is NaN; allowed: a JSON number, or 'inf', '+inf'"
            + " or '-inf', of at most 1000 digits before and after the point");
  }

  @Test
  void numbersBeyondTheRange() {
    Run required = Run.reading(fleet("\"cpu\":1", "\"cpu\":1e400"), "assign", "-");
    Run offered = Run.reading(fleet("\"cpu\":-1e400", ""), "assign", "-");

    assertThat(required.err())
        .startsWith(
            "lighthouse: standard input: line 1, column 60: workloads[0].requirements.cpu is 1")
        .contains("; allowed: of 'cpu', the largest magnitude on a node and the magnitudes of all")
        .endsWith("below 4611686018427387904 (2^62 / 10^0)\n")
        .hasLineCount(1);
    assertThat(required.out()).isEmpty();
    assertThat(required.code()).isEqualTo(2);
    assertThat(offered.err())
        .startsWith("lighthouse: standard input: line 1, column 11: nodes[0].resources.cpu is ");
    assertThat(offered.code()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-9223372036854775808", "9223372036854775808", "4611686018427387904"})
  void quantitiesThatAreNoLedgerLong(String quantity) {
    Run offered = Run.reading(fleet("\"cpu\":" + quantity, ""), "assign", "-");
    Run required = Run.reading(fleet("\"cpu\":1", "\"cpu\":" + quantity), "assign", "-");

    for (Run run : List.of(offered, required)) {
      assertThat(run.err())
          .contains("cpu is " + quantity + "; allowed: of 'cpu', the largest magnitude on a node")
          .endsWith("below 4611686018427387904 (2^62 / 10^0)\n")
          .hasLineCount(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.code()).isEqualTo(2);
    }
    assertThat(offered.err()).contains("line 1, column 11: nodes[0].resources.cpu is ");
    assertThat(required.err()).contains("line 1, column 60: workloads[0].requirements.cpu is ");
  }

  @Test
  void quantitiesOfADomainBeyondTheRange() {
    String text =
        "{'nodes':[{'name':'n','resources':{'cpu':1},'domains':{'rack':'r1'}}],"
            + "'domains':[%n{'level':'rack','name':'r0','resources':{'power':1}},"
            + "%n{'level':'rack','name':'r1','resources':{'power':%s}}],"
            + "'workloads':[%n{'name':'w','requirements':{'cpu':1},'shared':{'rack':{'power':%s}}}]}";
    Run offered = Run.reading(text.formatted("9e99", "1").replace('\'', '"'), "assign", "-");
    Run shared = Run.reading(text.formatted("1", "9e99").replace('\'', '"'), "assign", "-");

    assertThat(offered.err())
        .startsWith(
            "lighthouse: standard input: line 3, column 1: domains[1].resources.power is 9E+99;"
                + " allowed: of 'power', the largest magnitude on a domain of level 'rack' and the"
                + " magnitudes of all shares together, now ");
    assertThat(shared.err())
        .startsWith(
            "lighthouse: standard input: line 4, column 1: workloads[0].shared.rack.power is"
                + " 9E+99; allowed: of 'power', ");
    assertThat(List.of(offered.code(), shared.code())).containsOnly(2);
  }

  @Test
  void aRuleThatIsNotThere() {
    assertRefusedText(
        ("{'nodes':[{'name':'n','resources':{'cpu':1}}],'workloads':[%n"
                + "{'name':'w','requirements':{'cpu':1},'rules':[{'rule':'near-data'}]}]}")
            .formatted()
            .replace('\'', '"'),
        "line 2, column 1: workloads[0].rules[0].rule is 'near-data', which is not installed; allowed:"
            + " none, no rule is installed; a rule of a plug-in needs --plugins DIR");
  }

  @Test
  void aWrongSettingOfARule() throws Exception {
    Path plugins =
        PluginFolder.of(
            directory,
            PlacementRule.class,
            "Never",
            """
            import io.lighthouse.api.rule.*;
            import io.lighthouse.api.strategy.*;
            import java.util.*;
            public class Never implements PlacementRule {
              public String name() { return "never"; }
              public List<Setting> settings() { return List.of(new Setting("often", "", "1")); }
              public Set<Reads> reads() { return Set.of(Reads.NODE); }
              public RuleCheck newCheck(Fleet fleet, Settings with) {
                return (workload, node) -> Judgement.broken(1, "no");
              }
            }
            """);
    Path problem = directory.resolve("p.json");
    Files.writeString(
        problem,
        ("{'nodes':[{'name':'n','resources':{'cpu':1}}],'workloads':["
                + "{'name':'v','requirements':{},'rules':[{'rule':'never'}]},"
                + "{'name':'w','requirements':{},'rules':[{'rule':'never','with':{'oftn':'nevr'}}]"
                + "}]}")
            .replace('\'', '"'));

    String place = "workloads[1].rules[0].with.oftn";
    assertRefused(
        Run.of("assign", "--plugins", plugins, problem),
        "lighthouse: "
            + problem
            + ": line 1, column 118: "
            + place
            + " is 'nevr'; allowed: the settings often");
    assertThat(Run.of("check", "--plugins", plugins, "--output", "json", problem).out())
        .contains("\"path\":\"" + place + "\"", "\"allowed\":\"the settings often\"");
  }

  @Test
  void requirementsThatAreInfinite() {
    assertRefusedText(
        fleet("\"cpu\":1", "\"cpu\":-inf"),
        "line 1, column 94: workloads[0].requirements.cpu is -inf; allowed: a finite decimal");
  }

  @Test
  void millionsOfDigits() {
    assertRefusedText(
        fleet("\"cpu\":" + "7".repeat(1_000_000), ""),
        "line 1, column 36: nodes[0].resources.cpu is a text or number of more than 4096"
            + " characters; allowed: a name of at most 4096 and a number of at most 2100"
            + " characters");
  }

  @Test
  void hundredThousandLevels() {
    assertRefusedText(
        "{\"nodes\":" + "[".repeat(100_000),
        "line 1, column 73: nodes"
            + "[0]".repeat(63)
            + " is deeper than that; allowed: at most 64"
            + " levels");
  }

  @Test
  void strategiesThatAreNotThere() {
    assertRefusedText(
        "{\"strategy\":\"bin-pak\",\"nodes\":[],\"loads\":[]}",
        "line 1, column 13: strategy is 'bin-pak'; allowed: one of balance, bin-pack, devices,"
            + " pack, prioritized, round-robin, spread; did you mean bin-pack?; a strategy of a"
            + " plug-in needs --plugins DIR");
    Run run = Run.of("assign", "--strategy", "bin-pak", "one", "two");
    assertThat(run.err())
        .isEqualTo(
            """
            lighthouse: assign: --strategy is 'bin-pak'; allowed: one of balance, bin-pack, \
            devices, pack, prioritized, round-robin, spread; did you mean bin-pack?; a strategy of a plug-in \
            needs --plugins DIR
            Try: lighthouse assign --help
            """);
    assertThat(run.code()).isEqualTo(2);
  }

  /** Another file may have the resource, so this is no error. */
  @Test
  void weightsOfResourcesThatAreNotThere() {
    String text =
        "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"memory\":1}}],\"workloads\":["
            + "{\"name\":\"w\",\"requirements\":{\"gpu\":1}}]}";
    Run run = Run.reading(text, "assign", "--rubric", "memroy=1,gpu=2,disk=1", "-");
    assertThat(run.err().lines())
        .containsExactly(
            "lighthouse: warning: standard input: --rubric: 'disk' is a resource of no node and no"
                + " workload",
            "lighthouse: warning: standard input: --rubric: 'memroy' is a resource of no node and no"
                + " workload; did you mean memory?");
    assertThat(Run.reading(text, "assign", "--rubric", "memory=1,gpu=2", "-").err()).isEmpty();
    assertThat(Run.reading(text, "assign", "--rubric=", "-").err()).isEmpty();
  }

  /** A weight counts where an offer, a shape or a change brings the resource. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "size --offer m:cpu=1,memory=1,gpu=1",
        "headroom --shape cpu=1",
        "what-if add cpu=1",
        "what-if resize n cpu=1"
      })
  void aWeightMayBeForAResourceOfTheQuestion(String question) {
    String text = "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"memory\":1}}],\"workloads\":[]}";
    Object[] words = (question + " --rubric cpu=1,disk=1 -").split(" ");
    assertThat(Run.reading(text, words).err())
        .isEqualTo(
            "lighthouse: warning: standard input: --rubric: 'disk' is a resource of no node and no"
                + " workload\n");
  }

  /** What the file says has its place; what an option says has none. */
  @Test
  void settingsThatAreNotThere() {
    String text = "{\"strategy\":\"pack\",\"settings\":{\"stps\":1},\"nodes\":[],\"loads\":[]}";
    assertThat(Run.reading(text, "assign", "-").err())
        .startsWith("lighthouse: standard input: line 1, column 20: settings.stps is '1'; allowed:")
        .endsWith("; did you mean steps?\n");
    assertThat(Run.reading(text, "assign", "--set", "stps=1", "-").err())
        .startsWith(
            "lighthouse: standard input: --set: 'stps' is '1'; allowed: the settings of strategy 'pack': ");
    assertThat(Run.reading(text, "assign", "--set", "seed=1", "-").err())
        .startsWith(
            "lighthouse: standard input: line 1, column 20: settings.stps is '1'; allowed:");
  }

  /** With a directory of plug-ins, none is recommended. */
  @Test
  void strategiesOfPlugins(@TempDir Path plugins) {
    String text = "{\"strategy\":\"cheapest\",\"nodes\":[],\"loads\":[]}";
    assertThat(Run.reading(text, "assign", "-").err())
        .endsWith("spread; a strategy of a plug-in needs --plugins DIR\n");
    assertThat(Run.reading(text, "assign", "--plugins", plugins, "-").err()).endsWith("spread\n");
  }

  @Test
  void strategiesOfASimulation() {
    String trace = "{\"job_types\":[],\"events\":[]}";
    assertThat(Run.reading(trace, "simulate", "-", "--strategy", "bin-pak").err())
        .startsWith("lighthouse: simulate: --strategy is 'bin-pak'; allowed: one of balance")
        .contains("; did you mean bin-pack?; a strategy of a plug-in needs --plugins DIR\n");
    String named = "{\"job_types\":[],\"events\":[],\"policy\":{\"strategy\":\"bin-pak\"}}";
    assertThat(Run.reading(named, "simulate", "-").err())
        .startsWith("lighthouse: standard input: trace: policy.strategy is 'bin-pak'; allowed: one")
        .endsWith("; did you mean bin-pack?; a strategy of a plug-in needs --plugins DIR\n");
  }

  @Test
  void namesThatAreDoubtedComeWithTheirNeighbours() {
    String text =
        "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"cpu\":1},\"domains\":{\"zone\":\"north\"}}],"
            + "\"workloads\":[{\"name\":\"w\",\"requirements\":{},\"groups\":[\"database\"],"
            + "\"where\":[{\"level\":\"zone\",\"in\":[\"North\"]},{\"level\":\"Zone\"}],"
            + "\"rules\":[{\"most\":1,\"group\":\"databse\"}]}]}";
    assertThat(Run.reading(text, "check", "-").out())
        .contains("zone North (north?)", "Zone (zone?)", "databse (database?)");
  }

  @Test
  void rulesThatAreNotInstalled() {
    assertThat(
            Run.reading(
                    "{\"nodes\":[],\"loads\":[],\"rules\":[{\"rule\":\"licensed\"}]}",
                    "assign",
                    "-")
                .err())
        .contains("'licensed', which is not installed")
        .endsWith("; a rule of a plug-in needs --plugins DIR\n");
  }

  @Test
  void aResourceThatDiffersInCaseIsSuggested() {
    Run run = Run.reading(fleet("\"cpu\":4", "\"CPU\":1"), "assign", "-");
    assertThat(run.out()).contains("no node has CPU; did you mean cpu?");
    assertThat(Run.reading(fleet("\"cpu\":4", "\"CPU\":1"), "check", "-").out())
        .contains("CPU (cpu?)");
    assertThat(Run.reading(fleet("\"cpu\":4", "\"CPU\":1"), "explain", "w", "-").out())
        .contains("did you mean cpu?");
  }

  /** Each command ends with the name that was probably meant. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "explain Shop -|allowed: a workload that wants a place|; did you mean shop?",
        "plan dran n1 -|no goal 'dran'; goals are place, drain,|; did you mean drain?",
        "assign --strategy pack --set stps=1 -|allowed: the settings of strategy 'pack': steps,|; did you mean steps?",
        "plan repair --max-moved cpu=1,x -|plan: --max-moved: 'x' is not|of the form NAME=QUANTITY",
        "plan repair --max-moved cpu=1 --max-moved cpu=2 -|--max-moved: 'cpu' is|given twice; allowed: once",
        "plan drian n1 -|no goal 'drian'; goals are place, drain,|; did you mean drain?",
        "headroom --shape CPU=1 -|CPU=1 finds no node|; did you mean cpu?",
        "check --rubric CPU=1 -|the rubric weighs what nobody has: CPU|(cpu?)",
      })
  void namesThatWereProbablyMeant(String words, String message, String more) {
    String problem =
        "{\"nodes\":[{\"name\":\"n1\",\"resources\":{\"cpu\":4}}],"
            + "\"workloads\":[{\"name\":\"shop\",\"requirements\":{\"cpu\":1}}]}";
    Run run = Run.reading(problem, (Object[]) words.split(" "));

    assertThat(run.out() + run.err()).contains(message, more);
  }

  @Test
  void textsOfAnotherSort(@TempDir Path folder) throws IOException {
    Path problem = Files.writeString(folder.resolve("p.json"), "{\"nodes\":[],\"workloads\":[]}");
    Path trace = Files.writeString(folder.resolve("t.json"), "{\"lighthouse_record\":1}");
    assertThat(Run.of("replay", problem).err())
        .contains("the text is a problem; allowed: a record of a decision, as lighthouse assign");
    assertThat(Run.of("simulate", problem).err())
        .contains("the text is a problem; allowed: a trace; lighthouse assign places a problem");
    assertThat(Run.of("assign", trace).err())
        .contains(
            "the text is a record of a decision; allowed: an object with nodes and workloads;")
        .contains("lighthouse replay takes records");
  }

  @Test
  void explainWithoutAWorkloadWhereInputIsAPipe(@TempDir Path folder) throws IOException {
    Path problem = Files.writeString(folder.resolve("p.json"), "{\"nodes\":[],\"workloads\":[]}");
    Run run = Run.reading(" ", "explain", problem);
    assertThat(run.err()).contains("Missing required parameter: 'WORKLOAD', before the FILE");
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void wordsOfChangesAndGoals() {
    String text = "{\"nodes\":[{\"name\":\"node-1\",\"resources\":{}}],\"loads\":[]}";
    assertThat(Run.reading(text, "what-if", "remove", "-").err())
        .contains("verb is 'remove'; allowed: add,")
        .contains("did you mean remove-node?");
    assertThat(Run.reading(text, "what-if", "add", "2", "cpu=4", "-").err())
        .contains("amounts is '2'; allowed: 2 x NAME=QUANTITY,... with an x behind the number");
    assertThat(Run.reading(text, "what-if", "add", "mem=8Gi", "-").err())
        .contains("'8Gi'; allowed: a number without a unit: 8589934592, or 8 where");
    assertThat(Run.reading(text, "what-if", "scale", "web=999999999", "-").err())
        .contains("is 'web=999999999'; allowed: NAME=N, N a whole number from 0 to 9999999");
    assertThat(Run.reading(text, "plan", "drain", "node1", "-").err())
        .contains("goal: node is 'node1'; allowed: the name of a node; did you mean node-1?");
  }

  @Test
  void aJarThatIsNone(@TempDir Path plugins) throws IOException {
    Files.writeString(plugins.resolve("broken.jar"), "no jar");
    assertThat(Run.of("strategies", "--plugins", plugins).err())
        .contains("broken.jar: is no whole jar (")
        .contains("); copy it again");
  }

  @Test
  void binPackWithoutARubric() {
    assertRefused(
        Run.reading(fleet("", ""), "assign", "--strategy=bin-pack", "-"),
        "lighthouse: standard input: strategy 'bin-pack': rubric is missing; allowed: weights by"
            + " resource, such as cpu=1,mem=0.5; also none at all, {}");
  }

  @Test
  void filesThatAreNotThereOrNone() {
    Path missing = directory.resolve("none.json");

    assertRefused(Run.of("assign", missing), "lighthouse: " + missing + ": no such file");
    assertRefused(
        Run.of("assign", directory),
        "lighthouse: " + directory + ": is a directory; give the files in it");
    assertRefused(Run.of("assign", "a\0b"), "lighthouse: a\\u0000b: no such file");
  }

  @Test
  void filesThatMayNotBeRead() throws IOException {
    Path closed = Files.writeString(directory.resolve("closed.json"), fleet("", ""));
    assumeTrue(closed.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(closed), "root may read everything: see MainIT");

    assertRefused(Run.of("assign", closed), "lighthouse: " + closed + ": permission denied");
  }

  @Test
  void gzipThatIsBroken() throws IOException {
    byte[] zipped = new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 1};
    Path cut = Files.write(directory.resolve("cut.gz"), zipped);
    Path none = Files.write(directory.resolve("none.gz"), Arrays.copyOf(zipped, 2));

    assertRefused(
        Run.of("assign", cut), "lighthouse: " + cut + ": is broken gzip: it ends too early");
    assertRefused(
        Run.of("assign", none), "lighthouse: " + none + ": is broken gzip: it ends too early");
  }

  @Test
  void textInAnotherEncoding() throws IOException {
    Path latin =
        Files.write(
            directory.resolve("latin.json"),
            "{\"\u00e4\":1}".getBytes(StandardCharsets.ISO_8859_1));

    assertThat(Run.of("assign", latin).err()).contains("line 1, column 3: the text is no UTF-8");
  }

  @Test
  void everyCommandSaysItAlike() {
    for (String command : new String[] {"assign", "check"}) {
      assertThat(Run.reading("{}", command, "-").err())
          .startsWith("lighthouse: standard input: line 1, column 1: nodes is missing");
    }
    Run explain = Run.reading("{}", "explain", "w", "-");
    assertThat(explain.err()).startsWith("lighthouse: standard input: line 1, column 1: nodes is");
    assertThat(explain.code()).isEqualTo(2);
  }
}
