package io.lighthouse.tests.contract;

import io.lighthouse.tests.referee.Law;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The same scenarios in this process and in fresh ones, whose differences must not matter. This
 * process has played other scenarios before.
 */
final class FreshProcesses {
  private static final List<String> COMMON =
      List.of(
          "-XX:+UnlockExperimentalVMOptions",
          "-XX:+IgnoreUnrecognizedVMOptions",
          "-Xshare:auto",
          "-XX:TieredStopAtLevel=1");

  /** Locale, time zone, character set, how identity hashes are made, and processors. */
  private static final List<List<String>> DIFFERENCES =
      List.of(
          List.of(
              "-Duser.language=tr",
              "-Duser.country=TR",
              "-Duser.timezone=Pacific/Kiritimati",
              "-XX:hashCode=0",
              "-XX:ActiveProcessorCount=1"),
          List.of(
              "-Duser.language=ar",
              "-Duser.country=EG",
              "-Duser.timezone=America/St_Johns",
              "-Dfile.encoding=ISO-8859-1",
              "-XX:hashCode=2",
              "-XX:ActiveProcessorCount=4"));

  private FreshProcesses() {}

  static void check(Class<?> contract, long seed, Minutes minutes) {
    List<Process> processes = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    try {
      for (List<String> difference : DIFFERENCES) {
        List<String> options = new ArrayList<>(COMMON);
        options.addAll(difference);
        minutes.add("a fresh process with " + String.join(" ", difference) + ", seed " + seed);
        Path file = Files.createTempFile("minutes", ".txt");
        files.add(file);
        processes.add(FreshProcess.start(FreshProcess.command(contract, seed, file, options)));
      }
      String here = FreshProcess.minutes(contract, seed);
      for (int i = 0; i < DIFFERENCES.size(); i++) {
        Process process = processes.get(i);
        byte[] printed = process.getInputStream().readAllBytes();
        int code = process.waitFor();
        if (code != 0) {
          throw new IllegalStateException(
              "a fresh process ended with "
                  + code
                  + ": "
                  + new String(printed, StandardCharsets.UTF_8));
        }
        compare(here, Files.readString(files.get(i)), DIFFERENCES.get(i));
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted before the fresh processes ended", stopped);
    } finally {
      processes.forEach(Process::destroyForcibly);
      files.forEach(file -> file.toFile().delete());
    }
  }

  /** Shows the scenario of the first difference. */
  private static void compare(String first, String other, List<String> difference) {
    String[] expected = first.split("(?m)^scenario ");
    String[] found = other.split("(?m)^scenario ");
    for (int i = 0; i < Math.max(expected.length, found.length); i++) {
      BrokenLaw.unlessEqual(
          Law.SAME_ANSWER,
          "this process, which has played other scenarios, and a fresh one with "
              + String.join(" ", difference),
          i < expected.length ? expected[i] : "nothing more",
          i < found.length ? found[i] : "nothing more");
    }
  }
}
