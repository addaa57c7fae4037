package io.lighthouse.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.tests.documents.Document.Program;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The strategies on the page for their authors compile, load as a plug-in, and place. */
class WritingAStrategyTest {
  private final Document page = Document.of("docs/writing-a-strategy.md");

  @TempDir Path folder;

  @Test
  void theCodeCompilesAndPrintsWhatThePageSays() throws Exception {
    Workbench workbench = new Workbench(folder);
    workbench.jar("plugins/strategies.jar", page.sourceFiles());

    assertThat(page.programs()).isNotEmpty();
    assertThat(workbench.run(page.programs()))
        .isEqualTo(page.programs().stream().map(Program::printed).collect(Collectors.toList()));
  }
}
