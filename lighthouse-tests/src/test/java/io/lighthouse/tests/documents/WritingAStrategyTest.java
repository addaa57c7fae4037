package io.lighthouse.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The strategies on the page for their authors compile, load as a plug-in, and place. */
class WritingAStrategyTest {
  @TempDir Path folder;

  @Test
  void theCodeCompilesAndPrintsWhatThePageSays() throws Exception {
    Document page = Document.of("docs/writing-a-strategy.md");

    new Workbench(folder).requireTruth(page);
    assertThat(page.sourceFiles()).hasSizeGreaterThan(3);
    assertThat(page.contractTests()).isNotEmpty();
  }
}
