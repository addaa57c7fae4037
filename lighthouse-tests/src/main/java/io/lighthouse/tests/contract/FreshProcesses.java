package io.lighthouse.tests.contract;

import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.referee.Law;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;

/**
 * The same scenarios in this process and in fresh ones, whose differences must not matter. This
 * process has played other scenarios before. A fresh process runs {@link #main}.
 */
final class FreshProcesses {
  private static final int SCENARIOS = 40;
  private static final int GENERATED_SIZE = 100;

  /** The exit code of a process whose other one has ended; Java's own after an exception is 1. */
  static final int ENDED_WITH_THE_OTHER = 3;

  /** A line between two records, which neither contains. */
  private static final String SCENARIO = "\n==== scenario ====";

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

  private final Class<?> contract;
  private final long seed;

  /** Each plays a scenario, and returns the record. */
  private final List<Supplier<CallRecord>> plays = new ArrayList<>();

  private <S> FreshProcesses(
      Object contract, long seed, Arbitrary<S> scenarios, Function<S, CallRecord> play) {
    this.contract = contract.getClass();
    this.seed = seed;
    RandomGenerator<S> generator = scenarios.generator(GENERATED_SIZE);
    Random random = new Random(seed);
    for (int i = 0; i < SCENARIOS; i++) {
      S scenario = generator.next(random).value();
      plays.add(() -> play.apply(scenario));
    }
  }

  /** Draws scenarios of a contract from a seed. Only a thread that jqwik knows can draw. */
  static FreshProcesses of(StrategyContract contract, long seed) {
    Subject subject = contract.subject();
    return new FreshProcesses(contract, seed, contract.scenarios(), one -> played(subject, one));
  }

  /** The same for a rule. */
  static FreshProcesses of(RuleContract contract, long seed) {
    return new FreshProcesses(contract, seed, contract.scenes(), contract::played);
  }

  private static CallRecord played(Subject subject, Scenario scenario) {
    CallRecord record = new CallRecord();
    try {
      ScenarioRun run = new ScenarioRun(subject, scenario, record);
      run.play();
      Subject.state(run.distributor).forEach((part, value) -> record.add(part + ": " + value));
    } catch (BrokenLaw broken) {
      record.add("broken: " + broken.findings());
    }
    return record;
  }

  /** The records of all scenarios, played in this process. */
  private String played() {
    return plays.stream().map(play -> SCENARIO + play.get()).collect(Collectors.joining());
  }

  /** Plays the scenarios here and in fresh processes. The record gets what all have in common. */
  void check(CallRecord record) {
    List<Process> processes = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    try {
      for (List<String> difference : DIFFERENCES) {
        Path file = Files.createTempFile("record", ".txt");
        files.add(file);
        processes.add(start(contract, seed, file, difference));
      }
      String here = played();
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
        compare(here, Files.readString(files.get(i)), DIFFERENCES.get(i), record);
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

  /** Reports the first entry that differs, after those of its scenario before it. */
  private static void compare(
      String here, String there, List<String> difference, CallRecord record) {
    String[] expected = here.split(SCENARIO);
    String[] found = there.split(SCENARIO);
    int scenario = Arrays.mismatch(expected, found);
    if (scenario < 0) {
      return;
    }
    String[] ours = expected[scenario].split(CallRecord.ENTRY);
    String[] theirs = found[scenario].split(CallRecord.ENTRY);
    int entry = Arrays.mismatch(ours, theirs);
    Stream.of(ours).limit(entry).skip(1).forEach(record::add);
    throw new BrokenLaw(
        Law.SAME_ANSWER,
        "next in the record, by a fresh process with " + String.join(" ", difference),
        entry < ours.length ? ours[entry] : "nothing more",
        entry < theirs.length ? theirs[entry] : "nothing more");
  }

  // ---- a fresh process ----

  /**
   * Writes the records of scenarios to a file: what the JVM and plug-ins print is not among them.
   *
   * @param arguments the class of a contract, a seed, and the file
   * @throws ReflectiveOperationException if there is no such class, or no constructor to call
   */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    endWithTheOther();
    Constructor<?> constructor = Class.forName(arguments[0]).getDeclaredConstructor();
    constructor.setAccessible(true);
    Object contract = constructor.newInstance();
    long seed = Long.parseLong(arguments[1]);
    Path file = Path.of(arguments[2]);
    JqwikSession.run(
        () -> {
          FreshProcesses drawn =
              contract instanceof RuleContract rule
                  ? of(rule, seed)
                  : of((StrategyContract) contract, seed);
          Files.writeString(file, drawn.played());
        });
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

  /** Starts a process on the class path; its errors go where its output goes. */
  static Process start(Class<?> contract, long seed, Path file, List<String> difference)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(COMMON);
    command.addAll(difference);
    command.add("-cp");
    command.add(String.join(System.getProperty("path.separator"), classPath(contract)));
    command.add(FreshProcesses.class.getName());
    command.addAll(List.of(contract.getName(), Long.toString(seed), file.toString()));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
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
    String at = String.valueOf(type.getResource("/" + file));
    String root =
        at.startsWith("file:")
            ? at.substring(0, at.length() - file.length())
            : type.getProtectionDomain().getCodeSource().getLocation().toString();
    return Path.of(URI.create(root)).toString();
  }
}
