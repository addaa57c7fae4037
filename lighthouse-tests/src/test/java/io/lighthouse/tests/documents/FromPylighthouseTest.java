package io.lighthouse.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.tests.documents.Document.Program;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every example of the pylighthouse documentation, in Java, gives what the page says. */
class FromPylighthouseTest {
  private final Document page = Document.of("docs/from-pylighthouse.md");

  @TempDir Path folder;

  @Test
  void everyExamplePrintsWhatThePageSays() throws Exception {
    List<Program> programs = page.programs();
    List<String> printed = new Workbench(folder).run(programs);

    assertThat(programs)
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
    for (int i = 0; i < printed.size(); i++) {
      assertThat(printed.get(i))
          .as(programs.get(i).heading())
          .isNotEmpty()
          .isEqualTo(programs.get(i).printed());
    }
  }
}
