package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class SimulateCommandTest {
  private static final String NODE =
      "{'at':0,'event':'node-joins','node':'n','resources':{'cpus':2}}";
  private static final String TYPES =
      "'job_types':[{'name':'t','resources':{'cpus':1}},{'name':'big','resources':{'cpus':9}}]";

  @TempDir private Path directory;

  private static Path example() {
    return Examples.file("traces").resolve("rush-hour.json");
  }

  private static String trace(String... events) {
    return ("{" + TYPES + ",'events':[" + String.join(",", events) + "]}").replace('\'', '"');
  }

  private static String submit(String id, String type, int runs) {
    return "{'at':0,'event':'submit','execution':'"
        + id
        + "','job_type':'"
        + type
        + "','runs':"
        + runs
        + "}";
  }

  private static Run simulate(String trace, Object... options) {
    Object[] words = new Object[options.length + 2];
    words[0] = "simulate";
    words[1] = "-";
    System.arraycopy(options, 0, words, 2, options.length);
    return Run.reading(trace, words);
  }

  @Test
  void printsWaitingTimesAndUtilisation() {
    Run run = simulate(trace(NODE, submit("a", "t", 10), submit("b", "t", 30)));
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("virtual time  30 s")
        .contains("completed     2")
        .contains("100       2 placed, mean 0 s")
        .contains("cpus      66.7 %");
  }

  @Test
  void saysWhatNeverFoundANode() {
    Run run = simulate(trace(NODE, submit("a", "big", 10)));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).contains("never placed  a");
  }

  @ParameterizedTest
  @MethodSource("io.lighthouse.cli.Examples#strategies")
  void everyInstalledStrategyPlacesAllOfTheExample(String strategy) {
    Run run = Run.reading("", "simulate", "--strategy", strategy, "--rubric", "cpus=1", example());
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("strategy      " + strategy);
  }

  @Nested
  class AsJson {
    @Test
    void saysEveryDecisionInALineOfItsOwn() {
      Run run =
          simulate(
              trace(
                  NODE,
                  submit("a", "t", 10),
                  submit("b", "big", 10),
                  "{'at':4,'event':'cancel','execution':'b'}",
                  "{'at':5,'event':'node-leaves','node':'n'}"),
              "--output",
              "json");
      List<String> lines = run.out().lines().toList();
      assertThat(lines).allMatch(line -> line.startsWith("{\"at\":") && line.endsWith("}"));
      assertThat(lines)
          .contains(
              "{\"at\":0,\"decision\":\"place\",\"execution\":\"a\",\"node\":\"n\",\"priority\":100}",
              "{\"at\":0,\"decision\":\"wait\",\"execution\":\"b\",\"why\":\"resource-too-large\","
                  + "\"names\":[\"cpus\"]}",
              "{\"at\":0,\"decision\":\"launch\",\"node\":\"n\",\"offers\":[\"offer-0\"],"
                  + "\"tasks\":[\"a/main/0\"]}",
              "{\"at\":4,\"event\":\"ended\",\"execution\":\"b\",\"status\":\"canceled\"}",
              "{\"at\":5,\"decision\":\"lost\",\"execution\":\"a\"}",
              "{\"at\":5,\"event\":\"ended\",\"execution\":\"a\",\"status\":\"failed\","
                  + "\"cause\":\"node-lost\",\"node\":\"n\"}");
      assertThat(lines.get(lines.size() - 1)).contains("\"event\":\"end\"", "\"failed\":1");
    }

    @Test
    void saysTheSameEveryTime() {
      String once = Run.of("simulate", "--output", "json", example()).out();
      assertThat(once).contains("\"decision\":\"reserve\"", "\"decision\":\"drop\"");
      assertThat(Run.of("simulate", "--output", "json", example()).out()).isEqualTo(once);
    }
  }

  /** Each event is a document with the value of its line of JSON. */
  @Test
  void printsTheSameAsYaml() {
    LoadSettings settings = LoadSettings.builder().build();
    List<Object> lines = new ArrayList<>();
    Run json = Run.of("simulate", "--output", "json", example());
    json.out().lines().forEach(line -> lines.add(new Load(settings).loadFromString(line)));
    Run yaml = Run.of("simulate", "--output", "yaml", example());
    assertThat(yaml.code()).isEqualTo(json.code());
    assertThat(new Load(settings).loadAllFromString(yaml.out())).containsExactlyElementsOf(lines);
    assertThat(lines).hasSizeGreaterThan(100);
  }

  @Test
  void printsTheWaitingTimesAsCsv() {
    Run run = simulate(trace(NODE, submit("a", "t", 10), submit("b", "t", 30)), "-o", "csv");
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo("priority,placed,mean,median,p95,longest\r\n100,2,0,0,0,0\r\n");
  }

  @Test
  void printsNothingWhereItIsQuiet() {
    for (String form : List.of("table", "json", "csv")) {
      Run run = simulate(trace(NODE, submit("a", "big", 10)), "--quiet", "-o", form);
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.out() + run.err()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "csv"})
  void printsNothingWhereTheReportCannotBeWritten(String form) {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "no /dev/full here");
    Run run = simulate(trace(NODE, submit("a", "t", 10)), "-o", form, "--out", full);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("cannot save to /dev/full: ");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void theReportDoesNotReplaceTheTrace() throws IOException {
    Path file = Files.writeString(directory.resolve("trace.json"), trace(NODE));
    Run run = Run.of("simulate", file, "--out", directory.resolve("./trace.json"));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("trace.json is the FILE that is read; give another");
    assertThat(file).hasContent(trace(NODE));
  }

  @Test
  void writesAReportWithAPlot() throws IOException {
    Path report = directory.resolve("report.html");
    Run run = Run.of("simulate", example(), "--out", report);
    assertThat(run.code()).isZero();
    String page = Files.readString(report);
    assertThat(page)
        .startsWith("<!doctype html>")
        .contains("<h2>Waiting times by priority</h2>", "<svg ", "<path class=\"used\" d=\"M")
        .contains("<dt>strategy</dt><dd>the fewest job types left (none is named)</dd>")
        .contains("<dt>queue window</dt>", "<dt>pass every</dt><dd>1 s</dd>")
        .contains("<h2>Nodes</h2>", "<path class=\"there\" d=\"M", "prefers-color-scheme:dark")
        .doesNotContain("http://localhost", "src=");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(report);
    }
  }

  @Test
  void showsNamesInTheReportAsTheyStand() throws IOException {
    Path report = directory.resolve("report.html");
    simulate(trace(NODE, submit("<b>&", "big", 1)), "--out", report);
    assertThat(Files.readString(report)).contains("&lt;b&gt;&amp;").doesNotContain("<b>&");
  }

  @Test
  void takesTheStrategyThatIsAskedFor() {
    String trace =
        trace(NODE, NODE.replace("'n'", "'m'"), submit("a", "t", 9), submit("b", "t", 9));
    assertThat(simulate(trace, "--output", "json", "--strategy", "round-robin").out())
        .contains("\"execution\":\"a\",\"node\":\"m\"", "\"execution\":\"b\",\"node\":\"n\"");
    assertThat(simulate(trace, "--output", "json").out())
        .contains("\"execution\":\"a\",\"node\":\"m\"", "\"execution\":\"b\",\"node\":\"m\"");
    Run unknown = simulate(trace, "--strategy", "nosuch");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("nosuch").contains("round-robin");
  }

  @Test
  void takesTheTraceThatThePageShows() throws IOException {
    String page =
        Files.readString(Path.of(System.getProperty("lighthouse.root"), "docs", "scheduling.md"));
    String shown = page.substring(page.indexOf("```json\n") + 8);
    Run run = simulate(shown.substring(0, shown.indexOf("```")));
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("completed     48", "failed        11", "cancelled     1");
  }

  @Test
  void saysWhichSystemTaskWasNeverDone() {
    Run run =
        simulate(
            trace(
                NODE,
                "{'at':3,'event':'system-task','name':'update','resources':{'cpus':3},'runs':1}"));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).contains("system tasks never done  update");
  }

  @Test
  void takesTheRubricThatIsAskedFor() {
    String trace =
        trace(NODE, NODE.replace("'n'", "'m'").replace(":2}", ":9}"), submit("a", "t", 9));
    assertThat(
            simulate(trace, "--output", "json", "--strategy", "bin-pack", "--rubric", "cpus=1")
                .out())
        .contains("\"execution\":\"a\",\"node\":\"n\"");
    assertThat(
            simulate(trace, "--output", "json", "--strategy", "bin-pack", "--rubric", "cpus=-1")
                .out())
        .contains("\"execution\":\"a\",\"node\":\"m\"");
    for (String wrong : List.of("cpus", "cpus=", "=1", "cpus=1,cpus=2", "cpus=x")) {
      Run run = simulate(trace, "--strategy", "bin-pack", "--rubric", wrong);
      assertThat(run.code()).as(wrong).isEqualTo(2);
      assertThat(run.out()).isEmpty();
    }
    Run alone = simulate(trace, "--rubric", "cpus=1");
    assertThat(alone.code()).isEqualTo(2);
    assertThat(alone.err()).contains("--strategy NAME");
  }

  @Test
  void goesToTheNextEventHoweverFarItIs() {
    Run run =
        simulate(
            trace(
                NODE,
                submit("year", "t", 365 * 24 * 3600),
                submit("large", "big", 1),
                "{'at':3000000000,'event':'cancel','execution':'large'}"));
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("virtual time  3000000000 s").contains("passes        5\n");
  }

  @Test
  void losesNoneOfAMillionSubmissionsAtOnce() {
    String many =
        "{'at':0,'event':'submit','execution':'e','job_type':'t','runs':1,'count':1000005}";
    Run run = simulate(trace(many), "--out", directory.resolve("report.html"));
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(1);
    assertThat(directory.resolve("report.html")).content().contains("1000005 never placed");
  }

  @Test
  void takesEventsInAnyOrderAndTypesBehindThem() {
    String sorted = trace(NODE, submit("a", "t", 5));
    String unsorted =
        ("{'events':[" + submit("a", "t", 5) + "," + NODE + "]," + TYPES + "}").replace('\'', '"');
    assertThat(simulate(unsorted).out()).isEqualTo(simulate(sorted).out());
  }

  @Test
  void readsYaml() throws IOException {
    Path yaml = directory.resolve("trace.yaml");
    Files.writeString(
        yaml,
        """
        # Work that no node has room for.
        job_types: [{name: t, resources: {cpus: 1}}]
        events:
          - {at: 0, event: submit, execution: a, job_type: t, runs: 3}
        """);
    Run run = Run.of("simulate", yaml);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsPattern("never placed +a\n");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void saysThatThereIsNoSuchFile() {
    Run run = Run.of("simulate", directory.resolve("none.json"));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("no such file");
  }
}
