package io.lighthouse.server;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The service in a process of its own, with a heap of its own size. */
final class ServiceProcess implements AutoCloseable {
  private static final String LISTENS = "listens on ";

  /** The collector, and the JIT compilers of the tests. */
  private static final List<String> JVM =
      List.of(("-XX:+UseSerialGC " + System.getProperty("lighthouse.test.jvm", "")).split("\\s+"));

  /** The time limits of a service that is started as impatient. */
  static final Duration IMPATIENT = Duration.ofSeconds(2);

  private final Process process;
  private final URI uri;

  private ServiceProcess(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /** The process's own main: starts the service with the defaults, on a free port. */
  public static void main(String[] arguments) throws Exception {
    java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.WARNING);
    ServiceSettings settings = new ServiceSettings().listenOn("127.0.0.1", 0);
    if (Boolean.getBoolean("lighthouse.impatient")) {
      settings
          .limit(ServiceLimit.BODY_TIMEOUT, IMPATIENT)
          .limit(ServiceLimit.HEADER_TIMEOUT, IMPATIENT);
    }
    String store = System.getProperty("lighthouse.store");
    if (store != null) {
      settings.store(store).limit(ServiceLimit.WAITING, 1_000);
    }
    PlacementService service = PlacementService.start(settings);
    System.out.println(LISTENS + service.uri());
    service.awaitStop();
  }

  /** Starts one with these options for its JVM. */
  static ServiceProcess start(String... jvm) throws IOException {
    return start(ProcessBuilder.Redirect.INHERIT, jvm);
  }

  /** The same, with its errors and its log in a file. */
  static ServiceProcess startLogging(Path errors, String... jvm) throws IOException {
    return start(ProcessBuilder.Redirect.to(errors.toFile()), jvm);
  }

  private static ServiceProcess start(ProcessBuilder.Redirect errors, String... jvm)
      throws IOException {
    List<String> options = new ArrayList<>();
    options.addAll(JVM);
    options.addAll(List.of(jvm));
    options.add("-cp");
    options.add(
        jars()
            + File.pathSeparator
            + Path.of(System.getProperty("lighthouse.build"), "test-classes"));
    return startWith(options, Map.of(), errors);
  }

  /** The same for one that is soon to end: it starts faster, and never becomes as fast. */
  static ServiceProcess startQuickly(String... jvm) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(QuickStart.options());
    options.addAll(List.of(jvm));
    return startWith(options);
  }

  /** All that this JVM runs from. */
  static String jars() {
    return System.getProperty("jdk.module.path", "")
        + File.pathSeparator
        + System.getProperty("java.class.path");
  }

  /** Starts one with all options, the class path among them. */
  static ServiceProcess startWith(List<String> options) throws IOException {
    return startWith(options, Map.of());
  }

  /** The same in an environment with these variables more. */
  static ServiceProcess startWith(List<String> options, Map<String, String> environment)
      throws IOException {
    return startWith(options, environment, ProcessBuilder.Redirect.INHERIT);
  }

  private static ServiceProcess startWith(
      List<String> options, Map<String, String> environment, ProcessBuilder.Redirect errors)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add(ServiceProcess.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors);
    builder.environment().putAll(environment);
    Process process = builder.start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    if (line == null || !line.startsWith(LISTENS)) {
      process.destroyForcibly();
      throw new IOException("the service did not start: " + line);
    }
    return new ServiceProcess(process, URI.create(line.substring(LISTENS.length())));
  }

  URI uri() {
    return uri;
  }

  /** Ends it as the system does that needs its memory: SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Stops it where it is, as a long pause of its machine does: SIGSTOP. */
  void pause() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** Lets it go on: SIGCONT. */
  void goOn() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String which) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", which, Long.toString(process.pid()))
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException("kill " + which + " ended with " + code);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** The processor time that it has taken so far. */
  long processorMillis() {
    return process.info().totalCpuDuration().orElseThrow().toMillis();
  }

  /** The live heap in bytes, after a full collection. */
  long liveHeap() throws IOException {
    Process histogram =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid()),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String text = new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String[] total = text.substring(text.lastIndexOf("Total")).trim().split("\\s+");
    return Long.parseLong(total[2]);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException hurry) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
