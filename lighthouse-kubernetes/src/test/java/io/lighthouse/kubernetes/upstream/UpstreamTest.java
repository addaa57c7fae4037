package io.lighthouse.kubernetes.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kubernetes' own tests of its scheduler, with Lighthouse in its place: {@code mvn -Pupstream}. The
 * cases that fail are those of {@code upstream/not-passed.txt}, no more and no fewer. Needs Go, and
 * half an hour.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes.upstream", matches = "true")
class UpstreamTest {
  private static final Path FOLDER =
      Path.of("").toAbsolutePath().getParent().resolve("lighthouse-kubernetes/upstream");
  private static final Pattern RESULT =
      Pattern.compile("^ *--- (PASS|FAIL|SKIP): (\\S+) \\(.*", Pattern.MULTILINE);

  @BeforeAll
  static void compile() throws Exception {
    List<String> command =
        List.of(
            "compile",
            "scheduler/filters",
            "scheduler/scoring",
            "scheduler/taint",
            "scheduler/preemption/misc",
            "scheduler/preemption/nominatednodename");
    Path log = Files.createTempFile("upstream", ".log");
    assertThat(run(command, log)).as("%s", log).isZero();
    Files.delete(log);
  }

  private static int run(List<String> command, Path log) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(command);
    words.set(0, FOLDER.resolve(command.get(0)).toString());
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start()
        .waitFor();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scheduler/filters",
        "scheduler/scoring",
        "scheduler/taint",
        "scheduler/preemption/misc",
        "scheduler/preemption/nominatednodename"
      })
  void passesWhatUpstreamTests(String suite) throws Exception {
    Path log = Files.createTempFile("upstream", ".log");
    run(List.of("run", "lighthouse", suite), log);
    Set<String> passed = new TreeSet<>();
    Set<String> failed = new TreeSet<>();
    Matcher results = RESULT.matcher(Files.readString(log));
    while (results.find()) {
      (results.group(1).equals("FAIL") ? failed : passed).add(results.group(2));
    }
    // A test fails with any of its cases: only the cases count.
    failed.removeIf(test -> failed.stream().anyMatch(other -> other.startsWith(test + "/")));
    assertThat(failed).as("%s", log).isEqualTo(notPassed(suite));
    assertThat(passed).hasSizeGreaterThan(10);
    Files.delete(log);
  }

  /** Lines of a suite, a case, and the reason. */
  private static Set<String> notPassed(String suite) throws IOException {
    Set<String> cases = new TreeSet<>();
    for (String line : Files.readAllLines(FOLDER.resolve("not-passed.txt"))) {
      String[] words = line.split(" ", 3);
      if (words[0].equals(suite)) {
        assertThat(words).as(line).hasSize(3);
        cases.add(words[1]);
      }
    }
    return cases;
  }
}
