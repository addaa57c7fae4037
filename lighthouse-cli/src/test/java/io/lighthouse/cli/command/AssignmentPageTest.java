package io.lighthouse.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.cli.Examples;
import io.lighthouse.cli.Run;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.option.ProblemOptions;
import io.lighthouse.cli.page.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model;

class AssignmentPageTest {
  private static final String FLEET =
      """
      {"nodes": [
         {"name": "n1", "resources": {"cpu": 3, "gpu": 1, "ssd": 0}},
         {"name": "n2", "resources": {"cpu": 2.5, "heat": -1},
          "workloads": [{"name": "old", "requirements": {"cpu": 1.5}, "aversion_groups": ["db"]}]},
         {"name": "n3", "resources": {"cpu": 8, "rot": "-inf"}},
         {"name": "n4", "resources": {"cpu": 8, "net": "inf"}, "cordoned": true}],
       "workloads": [
         {"name": "a", "requirements": {"cpu": 1, "gpu": 1, "ssd": 0}},
         {"name": "b", "requirements": {"cpu": 1, "gpu": 1}},
         {"name": "c", "requirements": {"cpu": 0.5, "heat": -1}, "aversion_groups": ["db"]},
         {"name": "d", "requirements": {"cpu": 4}},
         {"name": "e", "requirements": {"cpu": 1, "tpu": 1}}]}
      """;

  @Test
  void showsWhereEverythingWentAndWhyNotAndHowFullItIs() {
    assertThat(Run.reading(FLEET, "assign", "-").out())
        .isEqualTo(
            """
            standard input: 1 placed before, 2 placed now, 3 refused by prioritized; 2 of 4
            nodes in use

              node        workloads [those that were there before]
              n1          a
              n2          [old], c
              (empty)     n3, n4
              (cordoned)  n4
              (averse)    c beside old

              refused  why
              b        no node has 1 gpu left; nearest n1 has 0
              d        nearest n4: cordoned
              e        no node has tpu

              resource  used
              cpu       ####..........................   13.0 %   3 of 23
              gpu       ##############################  100.0 %   1 of 1
              (others)  heat (shortcoming on 1 node), net (unlimited on 1 node),
                        rot (ward on 1 node), ssd (tag on 1 node)
            """);
  }

  @Test
  void saysMoreOfRefusalsWhereAsked() {
    assertThat(Run.reading(FLEET, "assign", "--explain", "-").out())
        .contains(
            """
              refused  why
              b        no node has 1 gpu left; nearest n1 has 0
                       cordoned on 1 node; gpu missing on 3 nodes; gpu short on 1 node;
                       shortcoming heat on 1 node; ward rot on 1 node
                       nearest n1: lacks 1 gpu (0 left, 1 required)
            """)
        .contains(
            """
              d        cordoned on 1 node; cpu short on 2 nodes; ward rot on 1 node
                       nearest n4: cordoned
                       nearest n1: lacks 2 cpu (2 left, 4 required)
                       nearest n2: lacks 2 cpu (2 left, 4 required)
            """);
  }

  @Test
  void drawsBlocksAndColoursOnATerminal() {
    Run run = Run.onTerminal("assign", Examples.file("crowded.json"));

    assertThat(run.out())
        .contains("\u001b[1m")
        .contains("\u001b[31mtrain-4\u001b[0m")
        .contains("\u001b[36m" + "\u2588".repeat(30) + "\u001b[0m");
    assertThat(Run.of("assign", Examples.file("crowded.json")).out())
        .doesNotContain("\u001b")
        .contains("######");
  }

  @Test
  void looksTheSameInEveryLocale() {
    String usual = Run.reading(FLEET, "assign", "-").out();
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(new Locale("ar", "EG"));
      assertThat(Run.reading(FLEET, "assign", "-").out()).isEqualTo(usual);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void showsNoControlCharactersOfNames() {
    String nasty =
        """
        {"nodes":[{"name":"n\\u001b[31m\\n","resources":{"a\\u202eb":1}}],
         "workloads":[{"name":"w\\u0007","requirements":{"a\\u202eb":2}}]}
        """;

    assertThat(Run.reading(nasty, "assign", "-").out())
        .doesNotContain("\u001b")
        .doesNotContain("\u0007")
        .doesNotContain("\u202e")
        .contains("w\\u0007")
        .contains("n\\u001b[31m\\u000a")
        .contains("a\\u202eb");
  }

  @Test
  void givesTheReasonsOfNowWhereNobodyAskedBefore() throws IOException {
    String text =
        """
        {"nodes": [{"name": "n", "resources": {"x": 1, "y": -1}}],
         "workloads": [{"name": "early", "requirements": {"x": 1}},
                       {"name": "repays", "requirements": {"y": -1}},
                       {"name": "large", "requirements": {"x": 2}}]}
        """;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
            out,
            System.err,
            false,
            false,
            false,
            true,
            Terminal.USUAL_WIDTH);
    ProblemOptions options = new ProblemOptions();
    new CommandLine(
            Model.CommandSpec.create()
                .name("test")
                .addMixin("o", Model.CommandSpec.forAnnotatedObject(options)))
        .parseArgs();
    options.check(terminal);
    LoadedFleet fleet =
        LoadedFleet.read(new FleetFile("-"), options, terminal, new Progress(terminal));
    new AssignmentPage(terminal, fleet, fleet.assign(List.of()), false, false).print();

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains(
            """
              refused  why, as it is now
              early    it fits now
              large    no node has 2 x left; nearest n has 1
            """);
  }

  @Nested
  class OfALargeFleet {
    private final String many = many(150, 30);

    /** Nodes, each with room for some workloads; and a few workloads too many. */
    private static String many(int nodes, int each) {
      StringBuilder text = new StringBuilder("{\"nodes\":[");
      for (int i = 0; i < nodes; i++) {
        text.append(i == 0 ? "" : ",");
        text.append("{\"name\":\"node-" + i + "\",\"resources\":{\"slot\":" + each + "}}");
      }
      text.append("],\"workloads\":[");
      for (int i = 0; i < nodes * each + 120; i++) {
        text.append(i == 0 ? "" : ",");
        text.append("{\"name\":\"w" + i + "\",\"requirements\":{\"slot\":1}}");
      }
      return text.append("]}").toString();
    }

    @Test
    void leavesOutWhatNobodyReads() {
      String out = Run.reading(many, "assign", "-").out();

      assertThat(out)
          .contains("w23, ... and 6 more\n")
          .contains("and 50 more nodes; --full lists all")
          .contains("and 20 more refused workloads; --full lists all");
      assertThat(out.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void showsEverythingWhereAsked() {
      String out = Run.reading(many, "assign", "--full", "-").out();

      assertThat(out).doesNotContain("more").contains("node-149").contains("w4619");
    }
  }
}
