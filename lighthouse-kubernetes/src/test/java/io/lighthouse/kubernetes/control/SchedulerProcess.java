package io.lighthouse.kubernetes.control;

import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.extender.KubernetesExtender;
import io.lighthouse.kubernetes.schedule.KubernetesScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A scheduler in a process of its own, to be killed and stopped from outside. */
public final class SchedulerProcess implements AutoCloseable {
  /** Among the options of the JVM: it is to answer the stock scheduler, and to place nothing. */
  private static final String EXTENDER = "-Dlighthouse.test.extender=true";

  private final Process process;
  private final Path log;

  /** Starts one with these settings. */
  public SchedulerProcess(Path folder, Path kubeconfig, String settings) throws IOException {
    // Quick to start: most of what such a process does in a test is to start.
    this(folder, kubeconfig, settings, "-Xmx256m", "-XX:TieredStopAtLevel=1");
  }

  /** Starts one with these settings, and options for the JVM. */
  public SchedulerProcess(Path folder, Path kubeconfig, String settings, String... options)
      throws IOException {
    this(folder, command(kubeconfig, settings(folder, settings), options));
  }

  private SchedulerProcess(Path folder, List<String> command) throws IOException {
    log = Files.createTempFile(folder, "log", ".jsonl");
    process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  /** Starts one as {@code ./lighthouse kubernetes schedule} does, whose process it becomes. */
  public static SchedulerProcess launched(Path folder, Path kubeconfig, String settings)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(launcher(), "kubernetes", "schedule"));
    command.addAll(List.of("--kubeconfig", kubeconfig.toString()));
    command.addAll(List.of("--config", settings(folder, settings).toString()));
    return new SchedulerProcess(folder, command);
  }

  private static String launcher() {
    return Path.of(System.getProperty("lighthouse.root"), "lighthouse").toString();
  }

  /** Has {@code ./lighthouse} build what it starts. */
  public static void build() throws IOException, InterruptedException {
    Process building =
        new ProcessBuilder(launcher(), "kubernetes", "--help")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (building.waitFor() != 0) {
      throw new IOException("./lighthouse does not start");
    }
  }

  private static Path settings(Path folder, String settings) throws IOException {
    Path config = Files.createTempFile(folder, "settings", ".yaml");
    return Files.writeString(config, settings);
  }

  private static List<String> command(Path kubeconfig, Path config, String... options) {
    List<String> path = new ArrayList<>();
    for (String property : List.of("jdk.module.path", "java.class.path")) {
      path.add(System.getProperty(property, ""));
    }
    path.add(Path.of(System.getProperty("lighthouse.build"), "test-classes").toString());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", String.join(":", path), SchedulerProcess.class.getName()));
    command.addAll(List.of(kubeconfig.toString(), config.toString()));
    if (List.of(options).contains(EXTENDER)) {
      command.add("extender");
    }
    return command;
  }

  /** Starts an extender, with options for the JVM. */
  public static SchedulerProcess extender(
      Path folder, Path kubeconfig, String settings, String option) throws IOException {
    return new SchedulerProcess(
        folder, kubeconfig, settings, "-XX:TieredStopAtLevel=1", EXTENDER, option);
  }

  /** The process itself: kubeconfig and configuration are its words. */
  public static void main(String[] words) throws InterruptedException {
    if (words.length > 2) {
      KubernetesExtender.start(
              Optional.of(Path.of(words[0])),
              Optional.empty(),
              SettingsFile.read(Path.of(words[1])),
              System.err::println)
          .awaitStop();
      return;
    }
    KubernetesScheduler.start(
            Optional.of(Path.of(words[0])),
            Optional.empty(),
            SettingsFile.read(Path.of(words[1])),
            System.err::println)
        .awaitStop();
  }

  /** Processor time that it has used. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** What it has logged. */
  public String log() throws IOException {
    return Files.readString(log);
  }

  /** The same, for a message. */
  public String logged() {
    try {
      return log();
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }

  /** Whether it has ever led. */
  public boolean hasLed() throws IOException {
    return log().contains("\"event\":\"leads\"");
  }

  /** Ends it at once, whatever it is doing. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Ends it in order. */
  public void stop() {
    process.destroy();
    process.onExit().join();
  }

  /** Has it stand still, in the middle of whatever it is doing; or go on. */
  public void pause(boolean still) throws IOException, InterruptedException {
    new ProcessBuilder("kill", still ? "-STOP" : "-CONT", Long.toString(process.pid()))
        .start()
        .waitFor(10, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    kill();
  }
}
