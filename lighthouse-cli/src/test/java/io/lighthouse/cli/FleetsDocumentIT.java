package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.postgres.PostgresServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/fleets.md shows is what the command and the service answer, in a folder of its own. */
class FleetsDocumentIT {
  private static final Pattern BLOCK = Pattern.compile("```console\n(.*?)```\n", Pattern.DOTALL);
  private static final Pattern STEP = Pattern.compile("\\$ ([^\n]*)\n((?:[^$\n][^\n]*\n)*)");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final Pattern DOCUMENTED = Pattern.compile("http://127\\.0\\.0\\.1:808\\d/");
  private static final String DATABASE = "jdbc:postgresql://127.0.0.1/fleets";
  private static final Path ROOT = Path.of(System.getProperty("lighthouse.root"));

  @TempDir private Path folder;
  private final List<Process> services = new ArrayList<>();

  /** By the address that the document has: the real one. */
  private final Map<String, String> urls = new TreeMap<>();

  /** The database of the test, in place of the document's. */
  private String database;

  @AfterEach
  void end() {
    services.forEach(Process::destroyForcibly);
  }

  /** Does what the blocks say that are about the database, or that are not; answers how much. */
  private int show(boolean aboutTheDatabase) throws Exception {
    int steps = 0;
    Matcher block = BLOCK.matcher(Files.readString(ROOT.resolve("docs/fleets.md")));
    while (block.find()) {
      if (block.group(1).contains(DATABASE) == aboutTheDatabase) {
        Matcher step = STEP.matcher(block.group(1));
        while (step.find()) {
          assertThat(printed(step.group(1))).as(step.group(1)).isEqualTo(step.group(2));
          steps++;
        }
      }
    }
    return steps;
  }

  @Test
  void showsWhatSeveralServicesAnswer() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      database = server.database();
      assertThat(show(true)).isEqualTo(7);
      String store = database;
      services.forEach(Process::destroyForcibly);
      String exported = run(lighthouse("fleets", "export", store, "prod"));
      assertThat(exported).contains("\"vm-1\"");
      Files.writeString(folder.resolve("prod.json"), exported);
      assertThat(run(lighthouse("fleets", "import", store, "test", "prod.json")))
          .isEqualTo("test: created\n");
      assertThat(run(lighthouse("fleets", "import", store, "test", "prod.json")))
          .isEqualTo("test: is there, and equal\n");
      assertThat(run(lighthouse("fleets", "backup", "--out", "copy", store))).contains("pg_dump");
      // A fleet goes from a database to a file and is the same.
      assertThat(run(lighthouse("fleets", "import", "fleets.db", "prod", "prod.json")))
          .isEqualTo("prod: created\n");
      assertThat(run(lighthouse("fleets", "export", "fleets.db", "prod"))).isEqualTo(exported);
    }
  }

  @Test
  void showsWhatIsAnswered() throws Exception {
    assertThat(show(false)).isEqualTo(10);
    // What was answered is there when the process was killed.
    services.get(0).destroyForcibly().waitFor();
    assertThat(run(lighthouse("fleets", "verify", "fleets.db")))
        .isEqualTo("prod: generation 4, 4 entries carried out, sound\n");
    assertThat(run(lighthouse("fleets", "backup", "--out", "copy.db", "fleets.db"))).isEmpty();
    String exported = run(lighthouse("fleets", "export", "copy.db", "prod"));
    assertThat(exported).contains("\"vm-1\"");
    Files.writeString(folder.resolve("prod.json"), exported);
    assertThat(run(lighthouse("fleets", "import", "other.db", "prod", "prod.json")))
        .isEqualTo("prod: created\n");
    assertThat(run(lighthouse("fleets", "import", "other.db", "prod", "prod.json")))
        .isEqualTo("prod: is there, and equal\n");
    assertThat(run(lighthouse("fleets", "export", "other.db", "prod"))).isEqualTo(exported);
    assertThat(run(lighthouse("fleets", "verify", "prod.json"))).contains("no SQLite file");
  }

  private String printed(String documented) throws IOException, InterruptedException {
    String command =
        database == null
            ? documented
            : documented.replace(DATABASE, database.substring(0, database.indexOf('?')));
    if (command.startsWith("./lighthouse ")) {
      List<String> words = new ArrayList<>();
      Matcher word = WORD.matcher(command.substring(command.indexOf(' ') + 1));
      while (word.find()) {
        words.add(word.group(1) == null ? word.group(2) : word.group(1));
      }
      return words.get(0).equals("serve") ? served(words) : run(lighthouse(words));
    }
    for (Map.Entry<String, String> url : urls.entrySet()) {
      command = command.replace(url.getKey(), url.getValue());
    }
    return run(List.of("bash", "-c", command)) + "\n";
  }

  /** Starts a service on any free port, and claims that it listens on the port of the document. */
  private String served(List<String> words) throws IOException {
    int port = words.indexOf("--port");
    String address = "http://127.0.0.1:" + (port < 0 ? "8087" : words.get(port + 1)) + "/";
    assertThat(address).matches(DOCUMENTED);
    if (port >= 0) {
      words.subList(port, port + 2).clear();
    }
    words.addAll(List.of("--port", "0", "--log", "off"));
    Process service = builder(lighthouse(words)).start();
    services.add(service);
    BufferedReader out =
        new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    assertThat(line).startsWith("lighthouse listens on ");
    String url = line.substring(line.lastIndexOf(' ') + 1);
    urls.put(address, url);
    return line.replace(url, address) + "\n";
  }

  private static List<String> lighthouse(String... words) {
    return lighthouse(List.of(words));
  }

  private static List<String> lighthouse(List<String> words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("--module-path", Path.of(System.getProperty("lighthouse.build"), "modules") + ""));
    command.addAll(List.of("--enable-native-access=org.xerial.sqlitejdbc"));
    command.addAll(List.of("--module", "io.lighthouse.cli/io.lighthouse.cli.Main"));
    command.addAll(words);
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
