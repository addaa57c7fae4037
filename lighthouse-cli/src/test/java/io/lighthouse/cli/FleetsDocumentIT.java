package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/fleets.md shows is what the command and the service answer, in a folder of its own. */
class FleetsDocumentIT {
  private static final Pattern BLOCK = Pattern.compile("```console\n(.*?)```\n", Pattern.DOTALL);
  private static final Pattern STEP = Pattern.compile("\\$ ([^\n]*)\n((?:[^$\n][^\n]*\n)*)");
  private static final String URL = "http://127.0.0.1:8087/";
  private static final Path ROOT = Path.of(System.getProperty("lighthouse.root"));

  @TempDir private Path folder;
  private Process service;
  private String url;

  @Test
  void showsWhatIsAnswered() throws Exception {
    int steps = 0;
    try {
      Matcher block = BLOCK.matcher(Files.readString(ROOT.resolve("docs/fleets.md")));
      while (block.find()) {
        Matcher step = STEP.matcher(block.group(1));
        while (step.find()) {
          assertThat(printed(step.group(1))).as(step.group(1)).isEqualTo(step.group(2));
          steps++;
        }
      }
      // What was answered is there when the process was killed.
      service.destroyForcibly().waitFor();
      assertThat(run(lighthouse("fleets", "verify", "fleets.db")))
          .isEqualTo("prod: generation 4, 4 entries carried out, sound\n");
      assertThat(run(lighthouse("fleets", "backup", "fleets.db", "copy.db"))).isEmpty();
      String exported = run(lighthouse("fleets", "export", "copy.db", "prod"));
      assertThat(exported).contains("\"vm-1\"");
      Files.writeString(folder.resolve("prod.json"), exported);
      assertThat(run(lighthouse("fleets", "import", "other.db", "prod", "prod.json")))
          .isEqualTo("prod: created\n");
      assertThat(run(lighthouse("fleets", "import", "other.db", "prod", "prod.json")))
          .isEqualTo("prod: is there, and equal\n");
      assertThat(run(lighthouse("fleets", "export", "other.db", "prod"))).isEqualTo(exported);
      assertThat(run(lighthouse("fleets", "verify", "prod.json"))).contains("no SQLite file");
    } finally {
      if (service != null) {
        service.destroyForcibly();
      }
    }
    assertThat(steps).isEqualTo(10);
  }

  private String printed(String command) throws IOException, InterruptedException {
    if (command.startsWith("./lighthouse serve")) {
      List<String> words = new ArrayList<>(List.of(command.split(" ")).subList(1, 4));
      words.addAll(List.of("--port", "0", "--log", "off"));
      service = builder(lighthouse(words.toArray(String[]::new))).start();
      BufferedReader out =
          new BufferedReader(
              new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8));
      String line = out.readLine();
      assertThat(line).startsWith("lighthouse listens on ");
      url = line.substring(line.lastIndexOf(' ') + 1);
      return line.replace(url, URL) + "\n";
    }
    if (command.startsWith("./lighthouse ")) {
      return run(lighthouse(command.substring(command.indexOf(' ') + 1).split(" ")));
    }
    String answer = run(List.of("bash", "-c", command.replace(URL, url)));
    return answer + "\n";
  }

  private static List<String> lighthouse(String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("--module-path", Path.of(System.getProperty("lighthouse.build"), "modules") + ""));
    command.addAll(List.of("--enable-native-access=org.xerial.sqlitejdbc"));
    command.addAll(List.of("--module", "io.lighthouse.cli/io.lighthouse.cli.Main"));
    command.addAll(List.of(words));
    return command;
  }

  private ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(new File(folder.toString()))
            .redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder;
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    Process process = builder(command).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return out;
  }
}
