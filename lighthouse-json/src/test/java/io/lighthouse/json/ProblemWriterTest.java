package io.lighthouse.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProblemWriterTest {

  private static String written(Problem problem) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ProblemWriter.write(problem, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void writesEveryPartInOneOrder() throws IOException {
    Problem problem =
        Problem.of(
                List.of(
                    Node.of("n1", Resources.of("mem", "12.50", "cpu", 6, "spiders", "-inf")),
                    Node.of("n2", Resources.of("cpu", "inf", "x", 0))
                        .withWorkloads(
                            Workload.of("p", Resources.of("cpu", "1e3")), workload("q", "b", "a"))
                        .asCordoned()),
                List.of(
                    workload("w").withAversionGroups("io", "db"),
                    Workload.of("\u00e9\"\n", none())))
            .withStrategy("bin-pack")
            .withRubric(Rubric.of("mem", "0.5", "cpu", 1))
            .withSettings(Map.of("mode", "fast", "depth", "3"))
            .withLastPlaced("n2");

    assertThat(written(problem))
        .isEqualTo(
            """
            {"strategy":"bin-pack",
            "rubric":{"cpu":1,"mem":0.5},
            "settings":{"depth":"3","mode":"fast"},
            "nodes":[
            {"name":"n1","resources":{"cpu":6,"mem":12.5,"spiders":"-inf"}},
            {"name":"n2","resources":{"cpu":"inf","x":0},"workloads":[{"name":"p","requirements":{"cpu":1000}},{"name":"q","requirements":{"x":-1},"immunities":["a","b"]}],"cordoned":true}
            ],
            "workloads":[
            {"name":"w","requirements":{"x":-1},"aversion_groups":["db","io"]},
            {"name":"\u00e9\\"\\n","requirements":{}}
            ],
            "last_placed":"n2"}
            """);
  }

  @Test
  void leavesOutWhatIsEmpty() throws IOException {
    assertThat(written(Problem.of(List.of(), List.of())))
        .isEqualTo("{\"nodes\":[],\n\"workloads\":[]}\n");
  }

  @Test
  void keepsAnEmptyRubric() throws IOException {
    assertThat(written(Problem.of(List.of(), List.of()).withRubric(Rubric.of())))
        .startsWith("{\"rubric\":{},");
  }

  @Test
  void passesOnThatItCannotWrite() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left");
          }
        };

    assertThatThrownBy(() -> ProblemWriter.write(Problem.of(List.of(), List.of()), full))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("no space left");
  }

  @Test
  void leavesItsTargetOpen() throws IOException {
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public void close() throws IOException {
            throw new IOException("closed");
          }
        };
    ProblemWriter.write(Problem.of(List.of(), List.of()), out);

    assertThat(out.size()).isPositive();
  }

  @Test
  void isGivenNothingThatCannotBeWritten() {
    Problem problem = Problem.of(List.of(), List.of());

    assertThatThrownBy(() -> problem.withStrategy("\ud800"))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> problem.withLastPlaced("")).isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> problem.withSettings(Map.of("a", "\udc00")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("settings: a is a text with the lone surrogate");
    assertThat(problem.withSettings(Map.of("a", "")).settings()).containsEntry("a", "");
  }

  private static Resources none() {
    return Resources.none();
  }

  private static Workload workload(String name, String... immunities) {
    return Workload.of(name, Resources.of("x", -1)).withImmunities(immunities);
  }
}
