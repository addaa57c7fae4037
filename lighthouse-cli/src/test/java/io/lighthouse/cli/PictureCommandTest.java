package io.lighthouse.cli;

import static io.lighthouse.cli.Drawings.blocksAddUp;
import static io.lighthouse.cli.Drawings.counts;
import static io.lighthouse.cli.Drawings.elements;
import static io.lighthouse.cli.Drawings.parsed;
import static io.lighthouse.cli.Drawings.sum;
import static io.lighthouse.cli.Drawings.texts;
import static io.lighthouse.cli.Drawings.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.picture.FleetText;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Drawings, read back with the XML parser of the JDK. */
class PictureCommandTest {
  @TempDir private Path folder;

  @Test
  void drawsEveryNodeWorkloadAndRefusalOfAFleet() throws Exception {
    Path out = folder.resolve("fleet.svg");

    Run run = Run.inColumns(500, "picture", Examples.file("crowded.json"), "--out", out);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains(": 1 placed before, 21 placed now, 4 refused by bin-pack; 9 of 10 nodes in use\n")
        .contains("hot       edge-1 (public-ip), data-1 (cpu), data-2 (cpu), gpu-1 (gpu)")
        .contains("stranded  4480 disk, 56 mem");
    Document drawing = parsed(Files.readString(out));
    assertThat(values(drawing, "data-node"))
        .containsExactly(
            "edge-1", "edge-2", "data-1", "data-2", "data-3", "gpu-1", "gpu-2", "attic", "lab",
            "old-1");
    assertThat(values(drawing, "data-workload"))
        .containsExactly("train-4", "backup", "modem", "simulation");
    assertThat(new HashSet<>(values(drawing, "data-of"))).hasSize(22).contains("ledger-db", "fan");
    blocksAddUp(drawing);
    assertThat(sum(drawing, "stranded", "disk")).isEqualByComparingTo("4480");
    assertThat(sum(drawing, "stranded", "mem")).isEqualByComparingTo("56");
    assertThat(sum(drawing, "closed", "cpu")).isEqualByComparingTo("24");
  }

  @ParameterizedTest
  @ValueSource(strings = {"crowded.json", "fleet.json", "zones.json", "living.json"})
  void saysTheFiguresThatAssignSays(String example) {
    Path file = Examples.file(example);
    Run picture = Run.inColumns(500, "picture", file, "--out", folder.resolve("fleet.html"));
    Run assign = Run.inColumns(500, "assign", file);

    assertThat(picture.out().lines().findFirst())
        .isEqualTo(assign.out().lines().findFirst())
        .get()
        .asString()
        .containsPattern("[0-9]+ placed before, [0-9]+ placed now, [0-9]+ refused by [a-z-]+; ");
  }

  @Test
  void hasATextAlternative() throws Exception {
    Path out = folder.resolve("fleet.svg");

    Run.of("picture", Examples.file("crowded.json"), "--out", out);

    Element svg = parsed(Files.readString(out)).getDocumentElement();
    assertThat(svg.getAttribute("role")).isEqualTo("img");
    assertThat(svg.getAttribute("aria-labelledby")).isEqualTo("picture-title picture-desc");
    assertThat(svg.getElementsByTagName("title").item(0).getTextContent()).endsWith("crowded.json");
    assertThat(svg.getElementsByTagName("desc").item(0).getTextContent())
        .contains(
            "1 placed before, 21 placed now, 4 refused by bin-pack", "Stranded: 4480 disk, 56 mem.")
        .endsWith("Refused: train-4, backup, modem, simulation.");
  }

  @Test
  void putsDomainsAroundTheirNodes() throws Exception {
    Document zones = drawn(Files.readString(Examples.file("zones.json")));
    Document racks = drawn(Files.readString(Examples.file("zones.json")), "--level", "rack");

    assertThat(values(zones, "data-domain")).containsExactly("a", "b", "c", "fleet", "r1", "r2");
    assertThat(values(zones, "data-node")).containsExactly("a1", "a2", "b1", "c1");
    assertThat(texts(zones)).contains("zone c: cordoned", "rack r2: 2 of 2 power");
    assertThat(sum(zones, "closed", "cpu")).isEqualByComparingTo("8");
    assertThat(texts(racks)).contains("rack r1: 1 of 3 power", "in no rack");
    blocksAddUp(zones);
  }

  @Test
  void drawsAFleetOfNothing() throws Exception {
    Document drawing = drawn("{\"nodes\": [], \"workloads\": []}");

    assertThat(texts(drawing)).contains("The fleet has no nodes.", "Refused: 0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script>alert(1)</script>",
        "]]>",
        "\\\" onload=\\\"x",
        "'&amp;&#x41;",
        "-->",
        "a\\u0000b\\u0001",
        "\\uffff\\ufffe",
        "\\u202egnp",
        "\\u6771\\u4eac\\ud83d\\ude80",
        "url(http://x)</style>"
      })
  void escapesEveryName(String name) throws Exception {
    String fleet =
        """
        {"nodes": [{"name": "N", "resources": {"N": 4, "N-ward": "-inf"}, "domains": {"N": "N"}},
          {"name": "N-2", "resources": {"N": 1}, "domains": {"N": "N-2"}},
          {"name": "N-3", "resources": {}}],
         "domains": [{"level": "N-x", "name": "N", "resources": {"N": 1}}],
         "workloads": [{"name": "N-w", "requirements": {"N": 2}, "immunities": ["N-ward"]},
           {"name": "N-z", "requirements": {"N": 9}}]}
        """
            .replace("N", name.equals("\\uffff\\ufffe") ? name + "N" : name);

    Document drawing = drawn(fleet);
    Path page = folder.resolve("page.html");
    Run.reading(fleet, "picture", "-", "--out", page);

    blocksAddUp(drawing);
    String shown = FleetText.printable(parsedName(name));
    assertThat(values(drawing, "data-node")).hasSize(3);
    if (!name.contains("ufff")) {
      assertThat(values(drawing, "data-node")).contains(shown, shown + "-2", shown + "-3");
      assertThat(values(drawing, "data-workload")).containsExactly(shown + "-z");
      assertThat(values(drawing, "data-of")).contains(shown + "-w");
    }
    assertThat(drawing.getElementsByTagName("script").getLength()).isZero();
    assertThat(drawing.getElementsByTagName("style").getLength()).isEqualTo(1);
    assertThat(Files.readString(page))
        .doesNotContain("<script", "]]>", "onload=\"", "-->", "\u0000", "\uffff", "\u202e");
  }

  @Test
  void drawsWhatIsNoSupplyAsWords() throws Exception {
    Document drawing =
        drawn(
            """
            {"nodes": [{"name": "n", "resources":
               {"cpu": 2, "heat": -3, "net": "inf", "dmz": "-inf", "ssd": 0}}],
             "workloads": [
               {"name": "w", "requirements": {"cpu": 1, "net": 5}, "immunities": ["dmz", "heat"]},
               {"name": "gift", "requirements": {"cpu": -2, "heat": -1},
                "immunities": ["dmz", "heat"]},
               {"name": "last", "requirements": {"cpu": 3}, "immunities": ["dmz", "heat"]},
               {"name": "over", "requirements": {"cpu": 5}, "immunities": ["dmz", "heat", "cpu"]}]}
            """);

    assertThat(values(drawing, "data-resource")).containsExactly("cpu");
    assertThat(texts(drawing))
        .anyMatch(text -> text.startsWith("ward dmz; shortcoming heat -3 (-2 left); unlimited"));
    assertThat(values(drawing, "data-used")).containsExactly("7");
    assertThat(values(drawing, "data-amount")).containsExactly("1", "3", "5", "-2");
    blocksAddUp(drawing);
  }

  @Test
  void drawsManySmallWorkloadsAsOneBlock() throws Exception {
    Document drawing =
        drawn(
            "{\"nodes\": [{\"name\": \"n\", \"resources\": {\"cpu\": 1e9}}], \"workloads\": ["
                + "{\"name\": \"w\", \"requirements\": {\"cpu\": 0.001}, \"replicas\": 500},"
                + "{\"name\": \"big\", \"requirements\": {\"cpu\": 9e8}}]}");

    assertThat(counts(drawing, "data-count")).isEqualTo(501);
    assertThat(values(drawing, "data-of")).hasSizeLessThanOrEqualTo(24).contains("big");
    blocksAddUp(drawing);
  }

  @Test
  void drawsAThousandNodesByDomain() throws Exception {
    Path out = folder.resolve("thousand.svg");
    Run run = Run.reading(thousand(true), "picture", "-", "--out", out, "--strategy", "pack");
    Document drawing = parsed(Files.readString(out));

    assertThat(run.err()).isEmpty();
    assertThat(Files.size(out)).isLessThan(400_000);
    assertThat(values(drawing, "data-group")).containsExactly("z0", "z1", "z2", "z3", "");
    assertThat(counts(drawing, "data-nodes")).isEqualTo(1000);
    assertThat(new HashSet<>(values(drawing, "data-node"))).hasSize(1000);
    assertThat(values(drawing, "data-refused")).containsExactly("100");
    blocksAddUp(drawing);
    BigDecimal used = BigDecimal.ZERO;
    for (String one : values(drawing, "data-used")) {
      used = used.add(new BigDecimal(one));
    }
    assertThat(used).isEqualByComparingTo("3000");
  }

  @Test
  void drawsAThousandNodesByWhatTheyHave() throws Exception {
    Document drawing = drawn(thousand(false));

    assertThat(values(drawing, "data-group")).hasSize(60).contains("", "1 cpu", "8 cpu");
    assertThat(counts(drawing, "data-nodes")).isEqualTo(1000);
    assertThat(new HashSet<>(values(drawing, "data-node"))).hasSize(1000);
    blocksAddUp(drawing);
  }

  /** Nodes that take 3000 workloads of one cpu of 3100, in zones or of a hundred kinds. */
  private static String thousand(boolean zones) {
    List<String> nodes = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      int cpu = zones ? 3 : i < 500 ? 8 : 1 + i % 100;
      String zone = zones && i % 5 < 4 ? ", \"domains\": {\"zone\": \"z" + i % 5 + "\"}" : "";
      nodes.add("{\"name\": \"n" + i + "\", \"resources\": {\"cpu\": " + cpu + "}" + zone + "}");
    }
    return "{\"nodes\": ["
        + String.join(",", nodes)
        + "], \"workloads\": [{\"name\": \"w\", \"requirements\": {\"cpu\": 1},"
        + " \"replicas\": 3100}]}";
  }

  @Test
  void drawsAnArrowForEveryMove() throws Exception {
    Path before = saved("before.json", "n1", "w1", "w2", "w3", "gone");
    Path after = saved("after.json", "n2", "w3", "w1", "w2", "new");
    Path out = folder.resolve("moves.svg");

    Run run = Run.inColumns(500, "picture", before, after, "--out", out);

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("3 workloads moved, 1 placed only after, 1 only before");
    Document drawing = parsed(Files.readString(out));
    assertThat(values(drawing, "data-arrow")).containsExactly("1", "2", "3");
    assertThat(values(drawing, "data-from")).containsOnly("n1");
    assertThat(values(drawing, "data-to")).containsOnly("n2");
    assertThat(values(drawing, "data-when"))
        .containsExactly("before", "after", "before", "after", "before", "after");
    assertThat(texts(drawing))
        .contains("1  w1: n1 \u2192 n2", "2  w2: n1 \u2192 n2", "3  w3: n1 \u2192 n2");
    blocksAddUp(drawing);
  }

  /** What waits before is not drawn as placed, and what waits after is not left out. */
  @Test
  void drawsTwoFilesAsTheyAre() throws Exception {
    Path before = Examples.file("living.json");
    Path after = folder.resolve("after.json");
    Path out = folder.resolve("moves.svg");
    Run.of("plan", "drain", "zone=b", "--out", after, before);

    Run run = Run.inColumns(500, "picture", before, after, "--out", out);

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("after.json: 3 workloads moved, 0 placed only after, 0 only before");
    Document drawing = parsed(Files.readString(out));
    assertThat(values(drawing, "data-of")).contains("mail-1").doesNotContain("build", "report");
    assertThat(values(drawing, "data-workload"))
        .containsExactly("report", "build", "report", "build");
    assertThat(texts(drawing))
        .contains("living.json and after.json", "Waiting before: 2", "Waiting after: 2");
    assertThat(texts(drawing)).noneMatch(text -> text.contains("efused"));
    blocksAddUp(drawing);
  }

  @ParameterizedTest
  @ValueSource(strings = {"crowded.json", "fleet.json", "zones.json", "living.json"})
  void explainsEachShapeThatItDrawsAndNoOther(String example) throws Exception {
    Document drawing = drawn(Files.readString(Examples.file(example)));

    Set<String> explained = new HashSet<>();
    Set<String> drawn = new HashSet<>();
    for (Element one : elements(drawing)) {
      boolean legend =
          one.getParentNode() instanceof Element group
              && group.getAttribute("class").equals("legend");
      if (one.getTagName().equals("rect") || one.getTagName().equals("path")) {
        (legend ? explained : drawn).add(one.getAttribute("class").replace(" odd", ""));
      }
    }
    drawn.removeAll(Set.of("", "paper", "panel", "panel cordoned", "domain", "tip", "thin"));
    drawn.removeAll(Set.of("ground", "hot-ground"));
    assertThat(explained).isEqualTo(drawn).contains("block", "free");
  }

  @Test
  void aPageHasASecondDrawingForPhones() throws Exception {
    Path out = folder.resolve("fleet.html");
    Run.of("picture", Examples.file("crowded.json"), "--out", out);

    String page = Files.readString(out);
    int second = page.indexOf("<svg", page.indexOf("<svg") + 1);
    Document wide = parsed(page.substring(page.indexOf("<svg"), second));
    Document narrow = parsed(page.substring(second, page.indexOf("</main>")));

    for (String attribute : List.of("data-node", "data-of", "data-amount", "data-workload")) {
      assertThat(values(narrow, attribute)).isNotEmpty().isEqualTo(values(wide, attribute));
    }
    assertThat(values(wide, "id")).isNotEmpty().doesNotContainAnyElementsOf(values(narrow, "id"));
    assertThat(Integer.parseInt(narrow.getDocumentElement().getAttribute("width"))).isLessThan(430);
    blocksAddUp(narrow);
  }

  @Test
  void drawsManyMovesAsFewArrows() throws Exception {
    String[] names = new String[150];
    for (int i = 0; i < names.length; i++) {
      names[i] = "w" + i;
    }
    Path out = folder.resolve("moves.html");

    Run.of(
        "picture", saved("a.json", "n1", names), saved("b.json", "n3", names), "--out", out, "-q");

    String page = Files.readString(out);
    Document drawing = parsed(page.substring(page.indexOf("<svg"), page.indexOf("</svg>") + 6));
    assertThat(values(drawing, "data-arrow")).containsExactly("1");
    assertThat(counts(drawing, "data-count", "data-arrow")).isEqualTo(150);
  }

  /** Three nodes, and one of them holds these. */
  private Path saved(String file, String holder, String... workloads) throws IOException {
    List<String> nodes = new ArrayList<>();
    for (String node : List.of("n1", "n2", "n3")) {
      List<String> held = new ArrayList<>();
      for (String workload : node.equals(holder) ? workloads : new String[0]) {
        held.add("{\"name\": \"" + workload + "\", \"requirements\": {\"cpu\": 1}}");
      }
      String there = "\"workloads\": [" + String.join(",", held) + "]";
      nodes.add("{\"name\": \"" + node + "\", \"resources\": {\"cpu\": 200}, " + there + "}");
    }
    return Files.writeString(
        folder.resolve(file), "{\"nodes\": [" + String.join(",", nodes) + "], \"workloads\": []}");
  }

  @Test
  void drawsTheSameTwice() throws IOException {
    Path one = folder.resolve("one.html");
    Path two = folder.resolve("two.HTML");

    Run.of("picture", Examples.file("crowded.json"), "--out", one);
    Run.of("picture", Examples.file("crowded.json"), "--out", two);

    assertThat(Files.readAllBytes(two)).isEqualTo(Files.readAllBytes(one));
    assertThat(Files.readString(one)).startsWith("<!doctype html>").doesNotContain("<?xml", "src=");
    assertThat(Files.readString(one).replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("http");
  }

  /** docs/fleet.svg, which docs/answers.md shows: drawn from the root of the project. */
  @Test
  void drawsTheDrawingOfTheDocumentation() throws IOException {
    Path out = folder.resolve("fleet.svg");
    Path kept = Examples.directory().resolveSibling("docs").resolve("fleet.svg");

    Run.reading(Files.readString(Examples.file("crowded.json")), "picture", "-", "--out", out);

    assertThat(Files.readString(kept))
        .isEqualTo(Files.readString(out).replace("standard input", "examples/crowded.json"));
  }

  @Test
  void complainsAndWritesNothing() throws IOException {
    Path out = folder.resolve("fleet.svg");
    Path fleet = Examples.file("crowded.json");
    Files.writeString(out, "as before");

    assertThat(failing("picture", fleet, "--out", folder.resolve("fleet.png")))
        .contains("fleet.png'; allowed: a name that ends in .svg or .html");
    assertThat(failing("picture", fleet)).contains("Missing required option: '--out=FILE'");
    assertThat(failing("picture", "--out", out)).contains("Missing required parameter: 'FILE'");
    assertThat(failing("picture", fleet, fleet, fleet, "--out", out))
        .contains("takes one FILE, or two: before and after; 3 are given");
    assertThat(failing("picture", "-", "-", "--out", out)).contains("standard input can be read");
    assertThat(failing("picture", fleet, folder.resolve("none.json"), "--out", out))
        .contains("none.json: no such file");
    assertThat(failing("picture", "a\0b", "--out", out)).contains("a\\u0000b: no such file");
    assertThat(failing("picture", fleet, "--level", "zone", "--out", out))
        .contains(": --level: level is 'zone'; allowed: none: no node stands in a domain");
    assertThat(failing("picture", Examples.file("zones.json"), "--level", "row", "--out", out))
        .contains("level is 'row'; allowed: one of arch, rack, zone");
    assertThat(failing("picture", fleet, "--out", folder.resolve("no/fleet.svg")))
        .contains("fleet.svg' cannot be written; allowed: a file in a folder that is there");
    assertThat(out).hasContent("as before");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(out);
    }
  }

  private static String failing(Object... args) {
    Run run = Run.of(args);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    return run.err();
  }

  // ---- reading drawings ----

  private Document drawn(String fleet, Object... options) throws Exception {
    Path out = folder.resolve("drawn.svg");
    List<Object> words = new ArrayList<>(List.of("picture", "-", "--out", out));
    words.addAll(List.of(options));
    Run run = Run.reading(fleet, words.toArray());
    assertThat(run.err()).isEmpty();
    return parsed(Files.readString(out));
  }

  /** What a text in JSON stands for. */
  private static String parsedName(String json) {
    String name = json;
    Map<String, String> escapes = new HashMap<>();
    escapes.put("\\\"", "\"");
    for (int c : new int[] {0, 1, 0x202e, 0x6771, 0x4eac, 0xd83d, 0xde80}) {
      escapes.put(String.format("\\u%04x", c), String.valueOf((char) c));
    }
    for (Map.Entry<String, String> escape : escapes.entrySet()) {
      name = name.replace(escape.getKey(), escape.getValue());
    }
    return name;
  }
}
