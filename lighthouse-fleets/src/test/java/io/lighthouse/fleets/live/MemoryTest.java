package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.store.SqliteJournal;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Fleets in a process whose memory really ends, again and again. */
class MemoryTest {
  @TempDir private Path folder;

  /** Not in each build: two of some 45 runs never ended, none of 12 after a mend. */
  @Test
  @EnabledIfSystemProperty(named = "lighthouse.fleets.memory", matches = "true")
  void eachCallIsAnsweredOrFailsAndWhatWasAnsweredIsThere() throws Exception {
    Path file = folder.resolve("fleets.db");
    List<String> lines = run(MemoryChild.class, MemoryChild.DONE, file);
    assertThat(lines).contains("doubt: false").doesNotContain("failed: 0");
    Set<String> answered = new HashSet<>();
    lines.stream().filter(line -> line.matches("w[0-9]-[0-9]+")).forEach(answered::add);
    assertThat(answered).isNotEmpty();
    try (Fleets fleets = FaultChild.open(file)) {
      for (String name : answered) {
        assertThat(FaultChild.ask(fleets, FleetCall.of(FleetQuestions.workload(name))))
            .as(name)
            .startsWith("ok");
      }
      assertThat(fleets.list().get(0).generation())
          .isEqualTo(fleets.list().get(0).workloads() + 1L);
    }
    try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
      assertThat(journal.check()).isEmpty();
      assertThat(new Verification(journal, Engine::of).verify())
          .allSatisfy(found -> assertThat(found.faults()).isEmpty());
    }
  }

  @Test
  void callsThatWaitAreAnsweredWhereMemoryEndsInTheirQueue() throws Exception {
    assertThat(run(FullQueueChild.class, FullQueueChild.DONE, folder)).isNotEmpty();
  }

  @Test
  void callsOnASharedStoreLeaveTheirPlacesWhereverMemoryEnds() throws Exception {
    assertThat(run(EachAllocationChild.class, EachAllocationChild.DONE, folder)).isNotEmpty();
  }

  /** What a child prints that ends with a code. */
  private List<String> run(Class<?> main, int code, Path argument) throws Exception {
    Path out = folder.resolve("out.txt");
    Process child =
        new ProcessBuilder(command(main, argument))
            .redirectOutput(out.toFile())
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(child.waitFor(20, TimeUnit.MINUTES)).as("the child ends").isTrue();
    } finally {
      child.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(out);
    assertThat(child.exitValue())
        .as("%s", lines.subList(Math.max(0, lines.size() - 40), lines.size()))
        .isEqualTo(code);
    return lines;
  }

  private static List<String> command(Class<?> main, Path argument) {
    List<String> parts = new ArrayList<>();
    parts.add(Path.of(System.getProperty("lighthouse.build"), "test-classes").toString());
    for (String property : List.of("jdk.module.path", "java.class.path")) {
      parts.add(System.getProperty(property, ""));
    }
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx32m",
        "-XX:+UseSerialGC",
        "-cp",
        String.join(File.pathSeparator, parts),
        "-Djava.util.logging.config.file=" + System.getProperty("java.util.logging.config.file"),
        main.getName(),
        argument.toString());
  }
}
