package io.lighthouse.cli;

import static io.lighthouse.cli.DocumentedSession.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quickstarts of the README, each from an empty folder. ReadmeTest runs the one in Java. */
class QuickstartsIT {
  @TempDir private Path folder;

  private void show(String heading, int commands) throws Exception {
    String readme = Files.readString(ROOT.resolve("README.md"));
    try (DocumentedSession session = new DocumentedSession(folder)) {
      session.script("kubectl", "cat '" + ROOT.resolve("examples/kubernetes/objects.json") + "'\n");
      assertThat(session.show(DocumentedSession.section(readme, heading))).isEqualTo(commands);
    }
  }

  @Test
  void python() throws Exception {
    DocumentedSession.assumePython();
    show("## Quickstart: Python, over HTTP", 2);
  }

  @Test
  void aDurableFleet() throws Exception {
    show("## Quickstart: a durable fleet", 5);
  }

  @Test
  void kubernetes() throws Exception {
    show("## Quickstart: Kubernetes", 3);
  }
}
