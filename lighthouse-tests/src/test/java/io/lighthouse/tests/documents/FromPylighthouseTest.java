package io.lighthouse.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.tests.documents.Document.Program;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every example of the pylighthouse documentation, in Java, gives what the page says. */
class FromPylighthouseTest {
  private final Document page = Document.of("docs/from-pylighthouse.md");

  @TempDir Path folder;

  @Test
  void everyExamplePrintsWhatThePageSays() throws Exception {
    new Workbench(folder).requireTruth(page);

    assertThat(page.programs())
        .allMatch(program -> !program.printed().isEmpty())
        .extracting(Program::heading)
        .contains(
            "### Basic scheduling",
            "### A distributor remembers",
            "### Prioritized",
            "### Round robin",
            "### Bin packing",
            "### Node tagging",
            "### Semaphores",
            "### Shortcomings",
            "### Wards and immunities",
            "### Aversion groups");
  }
}
