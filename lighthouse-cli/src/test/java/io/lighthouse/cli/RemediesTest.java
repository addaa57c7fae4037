package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code explain --remedies}. */
class RemediesTest {
  private static final String FLEET =
      """
      {"domains": [{"level": "rack", "name": "r1", "resources": {"power": 1}}],
       "nodes": [
        {"name": "n1", "resources": {"cpu": 2, "dmz": "-inf"}, "domains": {"rack": "r1"}},
        {"name": "n2", "resources": {"cpu": 1},
         "workloads": [{"name": "old", "requirements": {"cpu": 3}},
                       {"name": "small", "requirements": {"cpu": 1}}]},
        {"name": "n3", "resources": {"cpu": 9}, "cordoned": true}],
       "workloads": [{"name": "w", "requirements": {"cpu": 2}},
                     {"name": "ssd", "requirements": {"ssd": 0, "cpu": 1}},
                     {"name": "gpu", "requirements": {"gpu": 1, "cpu": 1}},
                     {"name": "powered", "requirements": {"cpu": 1}, "immunities": ["dmz"],
                      "shared": {"rack": {"power": 3}}},
                     {"name": "licensed", "requirements": {"cpu": 1}, "immunities": ["dmz"],
                      "shared": {"fleet": {"licence": 1}}}]}
      """;

  @TempDir private Path folder;

  private static Run remedies(String workload, Object... more) {
    Object[] words = new Object[4 + more.length];
    words[0] = "explain";
    words[1] = "--remedies";
    words[2] = workload;
    words[3] = "-";
    System.arraycopy(more, 0, words, 4, more.length);
    return Run.reading(FLEET, words);
  }

  @Test
  void tellsTheCheapestOfEachKind() {
    assertThat(remedies("w").out())
        .contains("prospect  not now: it would fit if others were gone or elsewhere")
        .containsPattern("uncordon +uncordon node 'n3'; then it fits n3\n")
        .containsPattern("tolerate +be immune to dmz; then it fits n1\n")
        .containsPattern("cut +require 1 cpu instead of 2; then it fits n2\n")
        .containsPattern("grow +resize node 'n2' to \\{cpu: 6}; then it fits n2\n")
        .containsPattern("release +release '(old|small)'; then it fits n2\n");
  }

  @Test
  void leavesProtectedOnesAlone() {
    assertThat(remedies("w", "--protect", "old", "--protect", "small").out())
        .doesNotContain("release '");
    assertThat(remedies("w", "--protect", "small").out()).contains("release 'old'");
  }

  @Test
  void protectedOnesMayBeWithoutANode() {
    assertThat(remedies("w", "--protect", "gpu").out()).isEqualTo(remedies("w").out());
  }

  @Test
  void nobodyIsLeftUnprotectedByASlip() {
    Run run = remedies("w", "--protect", "smal");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains(
            "--protect: 'smal' is not in the file; allowed: a workload of the file; did you mean small?");
  }

  @Test
  void tellsNeverFromNotNow() {
    assertThat(remedies("gpu").out())
        .contains("prospect  never: it fits no node of this fleet, even empty")
        .containsPattern("grow +resize node 'n2' to \\{cpu: 5, gpu: 1}");
    assertThat(remedies("ssd").out()).containsPattern("tag +resize node 'n2' to .*ssd: 0");
  }

  @Test
  void namesWhatADomainIsDeclaredWith() {
    assertThat(remedies("licensed").out().replaceAll("\\s+", " "))
        .contains(
            "grow declare domain 'fleet' of level 'fleet' with {licence: 1}; then it fits n1");
  }

  @Test
  void writesChangesThatWhatIfReads() throws IOException {
    isRead("powered", "{\"change\":\"resize-domain\",\"level\":\"rack\",\"domain\":\"r1\"");
    isRead("licensed", "{\"change\":\"declare\",\"level\":\"fleet\",\"domain\":\"fleet\"");
  }

  private void isRead(String workload, String change) throws IOException {
    String json = remedies(workload, "-o", "json").out();
    assertThat(json).contains(change);
    Path changes = folder.resolve("changes.json");
    Files.writeString(changes, json.replaceAll("(?s).*\"changes\":(\\[.*?])}.*", "$1"));

    Run run = Run.reading(FLEET, "what-if", "--changes", changes, "-");

    assertThat(run.out()).contains(workload).contains("is placed on n1, and refused now");
  }

  @Test
  void saysThatWhatHasANodeNeedsNone() {
    Run run =
        Run.reading(
            "{\"nodes\":[{\"name\":\"n\",\"resources\":{}}],"
                + "\"workloads\":[{\"name\":\"w\",\"requirements\":{}}]}",
            "explain",
            "--remedies",
            "w",
            "-");

    assertThat(run.out()).contains("prospect  it has a node, or fits one, when all is placed");
    assertThat(run.code()).isZero();
  }

  @Test
  void groupsWhatTheRefusedWorkloadsOfABatchLack() {
    String batch =
        """
        {"nodes": [{"name": "a", "resources": {"cpu": 4, "gpu": 1}},
                   {"name": "b", "resources": {"cpu": 9}}],
         "workloads": [{"name": "train", "replicas": 4, "requirements": {"cpu": 1, "gpu": 1}},
                       {"name": "big", "requirements": {"cpu": 12}}]}
        """;

    assertThat(Run.reading(batch, "assign", "--remedies", "-").out())
        .containsPattern("gpu +3 workloads lack it: 3 gpu more would do\n")
        .containsPattern("cpu +1 workload lacks it: 3 cpu more would do\n");
    assertThat(Run.reading(batch, "assign", "--remedies", "-", "-o", "json").out())
        .contains(
            "\"shortages\":[{\"resources\":[\"gpu\"],"
                + "\"workloads\":[\"train-2\",\"train-3\",\"train-4\"],\"more\":{\"gpu\":3}},");
    assertThat(Run.reading(batch, "assign", "-").out()).doesNotContain("would do");
  }

  /** Nothing is printed before an error, and here there is none. */
  @Test
  void declaresTheDomainThatABatchLacks() {
    String batch =
        """
        {"nodes": [{"name": "a", "resources": {"cpu": 4}, "domains": {"rack": "r1"}}],
         "workloads": [{"name": "w", "requirements": {"cpu": 2}, "shared": {"rack": {"power": 2}}}]}
        """;

    Run table = Run.reading(batch, "assign", "--remedies", "-");
    assertThat(table.out())
        .containsPattern("power@rack +1 workload lacks it: 2 power@rack more would do\n");
    assertThat(table.code()).isEqualTo(1);
    assertThat(Run.reading(batch, "assign", "--remedies", "-", "-o", "json").out())
        .contains("\"more\":{\"power@rack\":2}");
    assertThat(Run.reading(batch, "explain", "--remedies", "w", "-").out())
        .containsPattern("grow +declare .*r1.*; then it fits a\n");
  }

  @Test
  void saysThatTheGangDoesNotCount() {
    String gang =
        """
        {"nodes": [{"name": "a", "resources": {"cpu": 4}}],
         "workloads": [{"name": "w", "requirements": {"cpu": 2},
                        "gang": {"name": "g", "within": "rack"}}]}
        """;

    assertThat(Run.reading(gang, "explain", "--remedies", "w", "-").out())
        .containsPattern("gang +not considered here: the remedies are for it alone\n");
  }

  @Test
  void saysNothingOfThemWhereNobodyAsks() {
    assertThat(Run.reading(FLEET, "explain", "w", "-").out()).doesNotContain("prospect");
    assertThat(Run.reading(FLEET, "explain", "w", "-", "-o", "json").out())
        .doesNotContain("remedies");
  }
}
