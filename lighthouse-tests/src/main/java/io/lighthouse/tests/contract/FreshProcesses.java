package io.lighthouse.tests.contract;

import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.referee.Law;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import net.jqwik.api.sessions.JqwikSession;

/**
 * The same scenarios in this process and in fresh ones, whose differences must not matter. This
 * process has played other scenarios before. A fresh process runs {@link #main}.
 */
final class FreshProcesses {
  private static final int SCENARIOS = 40;
  static final int GENERATED_SIZE = 100;

  /** The exit code of a process whose other one has ended; Java's own after an exception is 1. */
  static final int ENDED_WITH_THE_OTHER = 3;

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
        processes.add(start(command(contract, seed, file, options)));
      }
      String here = minutes(contract, seed);
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

  // ---- a fresh process ----

  /**
   * Writes the minutes of scenarios to a file: what the JVM and plug-ins print is not among them.
   *
   * @param arguments the class of a contract, a seed, and the file
   * @throws ReflectiveOperationException if there is no such class
   * @throws IOException if the file cannot be written
   */
  public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
    endWithTheOther();
    Class<?> contract = Class.forName(arguments[0]);
    long seed = Long.parseLong(arguments[1]);
    String[] minutes = new String[1];
    JqwikSession.run(() -> minutes[0] = minutes(contract, seed));
    Files.writeString(Path.of(arguments[2]), minutes[0]);
  }

  /**
   * Ends this process with the one that started it, which holds the other end of its input. A
   * strategy that never ends would keep it.
   */
  private static void endWithTheOther() {
    Thread watch =
        new Thread(
            () -> {
              try {
                System.in.readAllBytes();
              } catch (IOException closed) {
                // The other process has ended as well.
              }
              Runtime.getRuntime().halt(ENDED_WITH_THE_OTHER);
            },
            "end with the other process");
    watch.setDaemon(true);
    watch.start();
  }

  /** The minutes of scenarios, played in this process; the caller is in a session of jqwik. */
  static String minutes(Class<?> contract, long seed) {
    Object made;
    try {
      Constructor<?> constructor = contract.getDeclaredConstructor();
      constructor.setAccessible(true);
      made = constructor.newInstance();
    } catch (ReflectiveOperationException none) {
      throw new IllegalStateException(contract + " has no constructor to call", none);
    }
    StringBuilder all = new StringBuilder();
    Random random = new Random(seed);
    for (int i = 0; i < SCENARIOS; i++) {
      all.append("scenario ").append(i);
      all.append(
          made instanceof RuleContract rule
              ? rule.minutes(random)
              : minutes(((StrategyContract) made).subject(), random));
      all.append('\n');
    }
    return all.toString();
  }

  private static String minutes(Subject subject, Random random) {
    Scenario scenario = Scenarios.any().generator(GENERATED_SIZE).next(random).value();
    Minutes minutes = new Minutes();
    try {
      Trial trial = new Trial(subject, scenario, minutes);
      trial.play();
      minutes.add("state " + Subject.state(trial.distributor));
    } catch (BrokenLaw broken) {
      minutes.add("broken: " + broken.findings());
    }
    return minutes.toString();
  }

  /** The command that runs this for a contract, on the class path. */
  static List<String> command(Class<?> contract, long seed, Path file, List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(String.join(System.getProperty("path.separator"), classPath(contract)));
    command.addAll(
        List.of(
            FreshProcesses.class.getName(),
            contract.getName(),
            Long.toString(seed),
            file.toString()));
    return command;
  }

  /** Everything that this process has, named modules and patches of them included. */
  private static Set<String> classPath(Class<?> contract) {
    Set<String> path = new LinkedHashSet<>();
    path.add(root(contract));
    path.add(root(FreshProcesses.class));
    String separator = System.getProperty("path.separator");
    for (String property :
        List.of("jdk.module.path", "java.class.path", "surefire.test.class.path")) {
      String entries = System.getProperty(property, "");
      path.addAll(Arrays.asList(entries.split(Pattern.quote(separator))));
    }
    path.remove("");
    return path;
  }

  /** The folder or jar that a class was read from. */
  private static String root(Class<?> type) {
    String file = type.getName().replace('.', '/') + ".class";
    URL url = type.getResource("/" + file);
    try {
      if (url != null && "file".equals(url.getProtocol())) {
        Path at = Path.of(url.toURI());
        return at.getRoot()
            .resolve(at.subpath(0, at.getNameCount() - file.split("/").length))
            .toString();
      }
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException unreadable) {
      throw new IllegalStateException("no folder of " + type, unreadable);
    }
  }

  /** Starts a process; its errors go where its output goes. */
  static Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
