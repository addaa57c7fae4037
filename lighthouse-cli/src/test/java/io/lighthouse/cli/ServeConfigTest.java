package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code serve --config} refuses; {@code ServeIT} starts services with such files. */
class ServeConfigTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "max-bdy: 1M|max-bdy is not known; allowed: one of max-body,|; did you mean max-body?",
        "port: 80|port is not known; allowed: one of max-body,|stop-timeout",
        "max-body: big|max-body is 'big'; allowed: a size such as 65536|1G",
        "max-body: 1.5|max-body is '1.5'; allowed: a size such as 65536|1G",
        "max-body:|max-body is nothing; allowed: a value|value",
        "null: 3|null is not known; allowed: one of max-body,|stop-timeout",
        "queue-timeout: 2|queue-timeout is '2'; allowed: a time such as 500ms, 10s|1h",
        "max-depth: 1001|max-depth is 1001; allowed: 1 to 1000|1000",
        "[1]|the text is '[1]'; allowed: an object, as lines such as|name: value",
        "'{max-turn: 1, max-turn: 2}'|line 1 is no YAML: found duplicate key max-turn|YAML 1.2 or JSON",
      })
  void namesTheFieldAndWhatIsAllowed(String text, String message, String more) throws IOException {
    Path config = Files.writeString(folder.resolve("serve.yaml"), text);

    Run run = Run.of("serve", "--config", config);

    assertThat(run.err())
        .startsWith("lighthouse: serve: --config " + config + ": " + message)
        .contains(more);
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void namesAFileThatIsNotThere() {
    Run run = Run.of("serve", "--config", folder.resolve("none.yaml"));

    assertThat(run.err())
        .startsWith("lighthouse: serve: --config " + folder.resolve("none.yaml"))
        .contains("none.yaml: the file is not readable; allowed: a file that can be read\n");
    assertThat(run.code()).isEqualTo(2);
    assertThat(Run.of("serve", "--config", folder).err())
        .contains(folder + ": the file is a directory; allowed: a file that can be read\n");
  }

  @Test
  void namesAFileThatIsNoText() throws IOException {
    Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'#', (byte) 0xe4, '\n'});

    assertThat(Run.of("serve", "--config", latin).err())
        .contains("latin.yaml: the text is no YAML: it is not UTF-8; allowed: YAML 1.2 or JSON\n");
  }

  /** The bad option is found only where the file before it was sound. */
  @Test
  void takesEachSortOfLimit() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("serve.json"),
            "{\"max-body\": \"64M\", \"max-nodes\": 20000, \"decision-timeout\": \"30s\"}");

    Run run = Run.of("serve", "--config", config, "--max-depth", "0");

    assertThat(run.err()).contains("serve: --max-depth is 0; allowed: 1 to 1000");
  }
}
