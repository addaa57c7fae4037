package io.lighthouse.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the checks of the pages can fail, and that they see all of a page. */
class DocumentTest {
  private static final String PAGE =
      String.join(
          "\n",
          "# A page",
          "```java",
          "import io.lighthouse.api.*;",
          "```",
          "## One",
          "See [two](two.md#part), [the web](https://example.org) and [three](../three).",
          "```java",
          "Quantity tenth = Quantity.of(0.1);",
          "# not a heading",
          "```",
          "```text",
          "0.2",
          "```",
          "### Two",
          "```java",
          "package org.example;",
          "class Example {}",
          "```",
          "```sh",
          "[no](link.md)",
          "```",
          "");

  @TempDir Path folder;

  private final Document page = new Document(Path.of("page.md"), PAGE);

  @Test
  void aPageFallsIntoProgramsSourceFilesAndLinks() {
    assertThat(page.blocks()).extracting(Document.Block::mark).contains("java", "text", "sh");
    assertThat(page.blocks()).extracting(Document.Block::line).startsWith(2, 7, 11);
    assertThat(page.programs())
        .singleElement()
        .satisfies(
            program -> {
              assertThat(program.heading()).isEqualTo("## One");
              assertThat(program.code())
                  .startsWith("import io.lighthouse.api.*;\nQuantity tenth")
                  .endsWith("# not a heading\n");
              assertThat(program.printed()).isEqualTo("0.2\n");
            });
    assertThat(page.sourceFiles()).containsExactly("package org.example;\nclass Example {}\n");
    assertThat(page.links()).containsExactly("two.md", "../three");
  }

  @Test
  void codeThatDoesNotCompileIsAFinding() {
    assertThatThrownBy(() -> new Workbench(folder).run(page.programs()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("javac refuses the code of the page");
  }

  @Test
  void codeThatThrowsIsAFinding() {
    Document throwing =
        new Document(
            Path.of("page.md"),
            "# One\n```java\nio.lighthouse.api.quantity.Quantity.of(\"six\");\n```\n");

    assertThatThrownBy(() -> new Workbench(folder).run(throwing.programs()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("does not run to its end")
        .hasMessageContaining("InvalidInputException");
  }

  @Test
  void anotherOutputThanThePageSaysIsAFinding() {
    Document lying =
        new Document(
            Path.of("page.md"),
            "# One\n```java\nSystem.out.println(0.1 + 0.2);\n```\n```text\n0.3\n```\n");

    assertThatThrownBy(() -> new Workbench(folder).requireTruth(lying))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("what the code under '# One' of page.md prints")
        .hasMessageContaining("0.30000000000000004");
  }

  @Test
  void everyProgramPrintsForItself() throws Exception {
    Document printing =
        new Document(
            Path.of("page.md"),
            "# One\n```java\nSystem.out.println(1);\n```\n# Two\n```java\n"
                + "System.out.println(io.lighthouse.core.Distributors.installed().strategies()"
                + ".size() > 2);\n```\n# Three\n```java\nint silent = 3;\n```\n");

    assertThat(new Workbench(folder).run(printing.programs()))
        .isEqualTo(List.of(1 + System.lineSeparator(), true + System.lineSeparator(), ""));
  }
}
