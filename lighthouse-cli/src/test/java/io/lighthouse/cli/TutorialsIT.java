package io.lighthouse.cli;

import static io.lighthouse.cli.DocumentedSession.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tutorials, each from an empty folder. FleetsDocumentIT and others run the rest of them. */
class TutorialsIT {
  private static final Pattern DEPENDENCY =
      Pattern.compile("<artifactId>(lighthouse-.*)</artifactId>\\s*<version>(.*)</version>");

  @TempDir private Path folder;

  private static String page(String name) throws IOException {
    return Files.readString(ROOT.resolve("docs/tutorials").resolve(name));
  }

  @Test
  void java() throws Exception {
    String page = page("java.md");
    try (DocumentedSession session = new DocumentedSession(folder)) {
      session.replace("../lighthouse/lighthouse-cli/target/modules", Launch.MODULES.toString());
      assertThat(session.show(page)).isEqualTo(2);
    }
  }

  @Test
  void scheduling() throws Exception {
    try (DocumentedSession session = new DocumentedSession(folder)) {
      session.replace("../lighthouse/lighthouse-cli/target/modules", Launch.MODULES.toString());
      assertThat(session.show(page("scheduling.md"))).isEqualTo(1);
    }
  }

  @Test
  void theDependenciesOfTheJavaProjectAreWhatIsBuilt() throws Exception {
    List<Path> jars =
        DEPENDENCY
            .matcher(page("java.md"))
            .results()
            .map((MatchResult found) -> found.group(1) + "-" + found.group(2) + ".jar")
            .map(jar -> Launch.MODULES.resolve(jar))
            .toList();

    assertThat(jars).hasSize(2).allMatch(Files::exists);
  }

  @Test
  void python() throws Exception {
    DocumentedSession.assumePython();
    try (DocumentedSession session = new DocumentedSession(folder)) {
      assertThat(session.show(page("python.md"))).isEqualTo(3);
    }
  }
}
