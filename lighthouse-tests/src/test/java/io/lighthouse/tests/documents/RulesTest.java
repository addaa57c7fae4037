package io.lighthouse.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.oracle.Problems;
import io.lighthouse.json.Problem;
import io.lighthouse.json.read.ProblemReader;
import io.lighthouse.tests.documents.Document.Block;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page on domains, rules and gangs: what its problems answer, and what its code prints. */
class RulesTest {
  private static final Document PAGE = Document.of("docs/rules.md");

  @TempDir Path folder;

  @Test
  void everyProblemIsAnsweredAsThePageSays() {
    List<Block> blocks = PAGE.blocks();
    int problems = 0;
    for (int i = 0; i < blocks.size(); i++) {
      if (blocks.get(i).mark().equals("json")) {
        Problem problem =
            ProblemReader.standard()
                .read(blocks.get(i).code().getBytes(StandardCharsets.UTF_8))
                .problem();
        assertThat(blocks.get(i + 1).mark()).isEqualTo("text");
        String strategy = problem.strategy().orElse("prioritized");
        assertThat(Problems.distributor(problem, strategy).assign(problem.workloads()) + "\n")
            .as("line " + blocks.get(i).line())
            .isEqualTo(blocks.get(i + 1).code());
        problems++;
      }
    }
    assertThat(problems).isEqualTo(11);
  }

  @Test
  void theCodeCompilesAndPrintsWhatThePageSays() throws Exception {
    new Workbench(folder).requireTruth(PAGE);
    assertThat(PAGE.sourceFiles()).hasSize(2);
    assertThat(PAGE.programs()).hasSize(2);
  }
}
