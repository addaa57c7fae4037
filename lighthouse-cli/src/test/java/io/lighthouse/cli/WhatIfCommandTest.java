package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhatIfCommandTest {
  private static final String FLEET =
      """
      {"nodes": [
        {"name": "n1", "resources": {"cpu": 3}, "domains": {"zone": "a"},
         "workloads": [{"name": "w1", "requirements": {"cpu": 1}}]},
        {"name": "n2", "resources": {"cpu": 2}, "domains": {"zone": "b"}}],
       "domains": [{"level": "zone", "name": "b"}],
       "workloads": [{"name": "web", "replicas": 3, "requirements": {"cpu": 2}}]}
      """;

  @TempDir private Path folder;

  @Test
  void showsNowAndThenSideBySide() {
    Run run = Run.reading(FLEET, "what-if", "remove-node", "n1", "add", "3", "x", "cpu=2", "-");

    assertThat(run.out())
        .startsWith("standard input, what if: remove-node n1; add 3 x cpu=2; by prioritized\n")
        .containsPattern("nodes +2 +4\n")
        .containsPattern("placed in all +3 +4\n")
        .contains("moves from n1 to new-1", "is placed on new-3, and refused now");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
  }

  @Test
  void takesAChangeAsOneWordToo() {
    Run run = Run.reading(FLEET, "what-if", "cordon zone=b", "scale web=1", "--afresh", "-");

    assertThat(run.out()).contains("is gone from n2", "is gone, and refused now");
    assertThat(run.code()).isZero();
  }

  /** As plan drain does. */
  @Test
  void takesAWordForTheNodeOfThatName() {
    String fleet = FLEET.replace("n2", "zone=b,c");

    Run run = Run.reading(fleet, "what-if", "cordon", "zone=b,c", "uncordon", "zone=b", "-");

    assertThat(run.out()).startsWith("standard input, what if: cordon zone=b,c; uncordon zone=b;");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void readsAListOfChangesAndWritesJson() throws IOException {
    Path changes = folder.resolve("changes.json");
    Files.writeString(
        changes,
        """
        ["release w1", {"change": "resize", "node": "n1", "resources": {"cpu": 1}},
         {"change": "cordon", "level": "zone", "domain": "b"},
         {"change": "uncordon", "node": "n2"},
         {"change": "scale", "workload": "web", "replicas": 4},
         {"change": "add", "resources": {"cpu": 2}, "name": "big", "domains": {"zone": "a"}}]
        """);

    Run run = Run.reading(FLEET, "what-if", "--changes", changes, "-o", "json", "-");

    assertThat(run.out())
        .startsWith(
            "{\"strategy\":\"prioritized\",\"changes\":[\"release w1\",\"resize n1 cpu=1\",\"cordon zone=b\",")
        .contains("\"now\":{\"nodes\":2,\"nodes_in_use\":2,\"placed\":3,\"refused\":1}")
        .contains("{\"workload\":\"w1\",\"what\":\"gone\",\"now\":\"n1\",\"then\":null}")
        .contains("{\"workload\":\"web-3\",\"what\":\"placed\",\"now\":null,\"then\":\"big-1\"}")
        .contains("{\"workload\":\"web-4\",\"what\":\"new\",\"now\":null,\"then\":null}");
    assertThat(run.code()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ad 3|change 1: verb is 'ad'; allowed: add, remove-node,",
        "release w1 remove-node|change 2 (remove-node): text is missing a word; allowed: as in",
        "remove-node~n1~n2|change 1 (remove-node): text is 'n2', one word too many",
        "add 0 x cpu=1|change 1: number is '0'; allowed: a whole number from 1",
        "add cpu|change 1: amounts is 'cpu'; allowed: NAME=QUANTITY",
        "add cpu=1,cpu=2|change 1: amounts is 'cpu=1,cpu=2'; allowed: NAME=QUANTITY",
        "add cpu=many|change 1 (add cpu=many): resources.cpu is 'many'; allowed: a JSON number",
        "add cpu=1 in a|change 1: domain is 'a'; allowed: LEVEL=DOMAIN",
        "scale web|change 1: replicas is 'web'; allowed: NAME=N",
        "release w1 scale web=-1|change 2: replicas is 'web=-1'; allowed: NAME=N",
        "cordon n9|change 1 of 1 (cordon n9): node is 'n9'; allowed: one of n1, n2",
        "cordon N1|change 1 of 1 (cordon N1): node is 'N1'; allowed: one of n1, n2; did you mean n1?",
        "move web-3 n1|change 1 of 1 (move web-3 n1): workload 'web-3': name is waiting",
        "release w1 release w1|change 2 of 2 (release w1): workload 'w1': name is unknown",
        "scale db=2|change 1 of 1 (scale db=2): workload 'db': replicas is none",
        "cordon zone=c|change 1 of 1 (cordon zone=c): ",
      })
  void namesTheChangeAndTheWordThatIsWrong(String words, String message) {
    String[] parts = words.split(" ");
    Object[] args = new Object[parts.length + 2];
    args[0] = "what-if";
    for (int i = 0; i < parts.length; i++) {
      args[i + 1] = parts[i].replace('~', ' ');
    }
    args[parts.length + 1] = "-";

    Run run = Run.reading(FLEET, args);

    assertThat(run.err()).contains(message);
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|the text is empty; allowed: an array of changes",
        "{}|the text is an object; allowed: an array of changes",
        "[3]|[0] is 3; allowed: a text such as 'remove-node n1', or an object with a change",
        "['add', 'release w1']|[0] is missing a word; allowed: as in: add",
        "['release w1', {'node': 'n1'}]|[1].change is missing; allowed: one of add,",
        "[{'change': 'drain'}]|[0].change is 'drain'; allowed: one of add,",
        "[{'change': 'release', 'workload': 'a', 'node': 'b'}]|[0].node is given beside 'release'",
        "[{'change': 'resize', 'node': 'n1'}]|[0].resources is missing; allowed: what 'resize'",
        "[{'change': 'cordon'}]|[0] is an object without node or level; allowed: a node, or a"
            + " level",
        "[{'change': 'cordon', 'level': 'zone'}]|[0].domain is missing",
        "[{'change': 'cordon', 'node': 'n1', 'level': 'zone'}]|[0].level is given beside 'node'",
        "[{'change': 'add', 'resources': {'cpu': 1}, 'count': 0}]|[0].count is 0; allowed: a whole",
        "[] []|no JSON: something follows its end",
      })
  void namesThePlaceInAListOfChanges(String json, String message) throws IOException {
    Path changes = folder.resolve("changes.json");
    Files.writeString(changes, json.replace('\'', '"'));

    Run run = Run.reading(FLEET, "what-if", "--changes", changes, "-");

    assertThat(run.err()).contains("--changes " + changes + ": line 1, column ").contains(message);
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void messagesRepeatLittleOfALongChange() {
    for (String change : List.of("cpu=1e999", "cpu=x".repeat(200))) {
      Run run = Run.reading(FLEET, "what-if", "resize", "n1", change, "-");
      assertThat(run.err()).contains("change 1 ", "(resize n1 ", "... (");
      assertThat(run.err().length()).isLessThan(1_000);
    }
  }

  @Test
  void asksForAChange() {
    assertThat(Run.reading(FLEET, "what-if", "-").err()).contains("give a change, one of add,");
    assertThat(Run.reading(FLEET, "what-if", "--changes", "nowhere.json", "-").err())
        .contains("--changes nowhere.json: no such file");
  }

  @Test
  void writesCsv() {
    assertThat(Run.reading(FLEET, "what-if", "release", "w1", "-o", "csv", "-").out())
        .isEqualTo("workload,what,now,then\r\nw1,gone,n1,\r\nweb-3,placed,,n1\r\n");
  }

  @Test
  void readsChangesInYaml() throws IOException {
    Path changes = folder.resolve("changes.yaml");
    Files.writeString(changes, "- release w1\n- {change: cordon, node: n2}\n");

    Run run = Run.reading(FLEET, "what-if", "--changes", changes, "-o", "json", "-");

    assertThat(run.out())
        .startsWith("{\"strategy\":\"prioritized\",\"changes\":[\"release w1\",\"cordon n2\"],");
  }

  @Test
  void saysThatTheFileStandsLast() throws IOException {
    Path fleet = folder.resolve("fleet.json");
    Files.writeString(fleet, FLEET);

    Run run = Run.of("what-if", fleet, "remove-node", "n1");

    assertThat(run.err())
        .contains("there is no file 'n1'; the FILE stands last: what-if CHANGE... FILE");
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void repeatsNoLongNameOfReplicasThatAreNotThere() {
    String name = "w".repeat(300);
    Run run = Run.reading("{\"nodes\":[],\"workloads\":[]}", "what-if", "scale", name + "=2", "-");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("such as " + "w".repeat(200) + "... (302 characters)");
  }
}
