package io.lighthouse.kubernetes.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.SchedulerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kubernetes' own tests of its scheduler, with Lighthouse in its place: {@code mvn -Pupstream}. The
 * cases that fail are those of {@code upstream/not-passed.txt}, no more and no fewer. The cases of
 * {@code upstream/scheduler_perf.txt} without a reason pass. Needs Go, and an hour.
 *
 * <p>With {@code -Dlighthouse.kubernetes.upstream=quick} only the cases of {@code
 * upstream/quick.txt} are run, and all of them have to pass.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes.upstream", matches = "true|quick")
class UpstreamTest {
  private static final Path FOLDER =
      Path.of("").toAbsolutePath().getParent().resolve("lighthouse-kubernetes/upstream");
  private static final Pattern RESULT =
      Pattern.compile("^ *--- (PASS|FAIL): (\\S+) \\(.*", Pattern.MULTILINE);

  private static final List<String> SUITES =
      List.of(
          "scheduler/filters",
          "scheduler/scoring",
          "scheduler/taint",
          "scheduler/preemption/misc",
          "scheduler/preemption/nominatednodename");

  /** Of {@code upstream/scheduler_perf.txt}, whose cases without a reason have to pass. */
  private static final String PERF = "scheduler_perf";

  /** A test, a case, and a part of it. */
  private static final int LEVELS = 3;

  /** A test, for dra an allocator of the stock scheduler, a case, and a workload. */
  private static final int LEVELS_OF_PERF = 4;

  static List<String> suites() throws IOException {
    List<String> suites = new ArrayList<>(SUITES);
    if (!isQuick()) {
      for (String line : Files.readAllLines(FOLDER.resolve(PERF + ".txt"))) {
        String[] words = line.split(" ", 3);
        if (words.length == 2 && !words[0].equals("#") && !suites.contains(words[0])) {
          suites.add(words[0]);
        }
      }
    }
    return suites;
  }

  private static boolean isQuick() {
    return System.getProperty("lighthouse.kubernetes.upstream").equals("quick");
  }

  @BeforeAll
  static void compile() throws Exception {
    SchedulerProcess.build();
    List<String> command = new ArrayList<>(List.of("compile"));
    command.addAll(suites());
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
  @MethodSource("suites")
  void passesWhatUpstreamTests(String suite) throws Exception {
    Path log = Files.createTempFile("upstream", ".log");
    boolean isPerf = suite.startsWith(PERF);
    boolean isChosen = isQuick() || isPerf;
    Set<String> chosen =
        isChosen ? cases(isPerf ? PERF + ".txt" : "quick.txt", suite, 2) : Set.of();
    List<String> command = new ArrayList<>(List.of("run", "lighthouse", suite));
    if (isChosen) {
      command.addAll(List.of("-test.run", pattern(chosen, isPerf ? LEVELS_OF_PERF : LEVELS)));
    }
    if (isPerf) {
      // The workload is chosen by its name, whatever upstream runs it for.
      command.addAll(List.of("-test-scheduling-label-filter", ""));
    }
    run(command, log);
    Set<String> passed = new TreeSet<>();
    Set<String> failed = new TreeSet<>();
    Matcher results = RESULT.matcher(Files.readString(log));
    while (results.find()) {
      (results.group(1).equals("FAIL") ? failed : passed).add(results.group(2));
    }
    // A test fails with any of its cases: only the cases count.
    failed.removeIf(test -> failed.stream().anyMatch(other -> other.startsWith(test + "/")));
    if (isChosen) {
      assertThat(failed).as("%s", log).isEmpty();
      assertThat(passed).as("%s", log).isNotEmpty().containsAll(chosen);
    } else {
      assertThat(failed).as("%s", log).isEqualTo(cases("not-passed.txt", suite, 3));
      assertThat(passed).hasSizeGreaterThan(10);
    }
    Files.delete(log);
  }

  /** What selects these cases: the names of a test, of its parts, and of their parts. */
  private static String pattern(Set<String> cases, int most) {
    List<Set<String>> levels = new ArrayList<>();
    for (String name : cases) {
      String[] names = name.split("/");
      for (int i = 0; i < Math.min(names.length, most); i++) {
        if (i == levels.size()) {
          levels.add(new TreeSet<>());
        }
        levels.get(i).add(Pattern.quote(names[i]));
      }
    }
    return levels.stream()
        .map(names -> "^(%s)$".formatted(String.join("|", names)))
        .collect(Collectors.joining("/"));
  }

  /** The cases of a suite in a file, whose lines have a suite, a case, and maybe a reason. */
  private static Set<String> cases(String file, String suite, int columns) throws IOException {
    Set<String> cases = new TreeSet<>();
    for (String line : Files.readAllLines(FOLDER.resolve(file))) {
      String[] words = line.split(" ", 3);
      if (words[0].equals(suite) && (words.length == columns || !file.startsWith(PERF))) {
        assertThat(words).as(line).hasSize(columns);
        cases.add(words[1]);
      }
    }
    return cases;
  }
}
