package io.lighthouse.server;

import io.lighthouse.api.Assignments;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Problem;
import io.lighthouse.json.read.ProblemReader;
import io.lighthouse.json.write.AnswerWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the service as it is started by {@code ./lighthouse serve}, with {@code wrk} as its
 * client, and prints the rows of the table "The service" in {@code docs/benchmarks.md}. Run by
 * {@code lighthouse-server/load}; no test.
 */
final class ServiceLoad {
  private static final int CONNECTIONS = 16;
  private static final Duration FIRST_WARM_UP = Duration.ofSeconds(25);
  private static final Duration WARM_UP = Duration.ofSeconds(8);
  private static final Duration MEASURED = Duration.ofSeconds(15);
  static final String PATH = "/try-assign-workloads";

  /** A row of the table. */
  private record Row(int nodes, int workloads, String strategy) {
    String name() {
      return String.format(Locale.ROOT, "%,d x %,d, %s", nodes, workloads, strategy);
    }

    String problem() {
      return Load.problem(7, nodes, workloads)
          .replaceFirst("\"strategy\":\"[a-z-]+\"", "\"strategy\":\"" + strategy + "\"");
    }
  }

  /** What the service counts: requests, and seconds of processor time. */
  private record Counters(double requests, double all, double read, double place, double write) {
    static Counters of(URI service) throws IOException {
      String text = get(service, "/metrics");
      String phase = "lighthouse_decision_cpu_seconds_total{phase=\"%s\"}";
      return new Counters(
          sum(text, "lighthouse_requests_total{method=\"POST\""),
          sum(text, "process_cpu_seconds_total"),
          sum(text, phase.formatted("read")),
          sum(text, phase.formatted("place")),
          sum(text, phase.formatted("write")));
    }

    private static double sum(String text, String begin) {
      return text.lines()
          .filter(line -> line.startsWith(begin))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
          .sum();
    }

    /** Microseconds of processor time a request since then, and what they went into. */
    String since(Counters then) {
      double perRequest = 1e6 / (requests - then.requests);
      double total = (all - then.all) * perRequest;
      double reading = (read - then.read) * perRequest;
      double placing = (place - then.place) * perRequest;
      double writing = (write - then.write) * perRequest;
      return String.format(
          Locale.ROOT,
          "%,.0f (%,.0f / %,.0f / %,.0f / %,.0f)",
          total,
          reading,
          placing,
          writing,
          total - reading - placing - writing);
    }
  }

  private ServiceLoad() {}

  /** Takes the path of the launcher. */
  public static void main(String[] arguments) throws Exception {
    Process process =
        new ProcessBuilder(
                arguments[0], "serve", "--port", "0", "--log", "warning", "--header-timeout", "10m")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      URI service = uri(process);
      System.out.println(
          "| nodes x workloads, strategy | requests/s | workloads/s | p50 / p99 ms "
              + "| processor us a request (reading / placing / writing / serving) "
              + "| workloads/s in process |\n| --- | --- | --- | --- | --- | --- |");
      List<Row> rows =
          List.of(
              new Row(100, 100, "Prioritized"),
              new Row(100, 100, "BinPack"),
              new Row(5000, 1000, "Prioritized"),
              new Row(5000, 1000, "BinPack"));
      for (Row row : rows) {
        String served = served(service, row, row == rows.get(0) ? FIRST_WARM_UP : WARM_UP);
        System.out.printf(Locale.ROOT, "| %s | %s | %,.0f |%n", row.name(), served, inProcess(row));
      }
      System.out.println("\n" + IdleLoad.compare(service, rows.get(0).problem()));
    } finally {
      process.destroy();
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }

  private static URI uri(Process process) throws IOException {
    return Load.address(process);
  }

  private static String get(URI service, String path) throws IOException {
    try (RawConnection connection = new RawConnection(service)) {
      return connection.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").answer();
    }
  }

  // ---- over HTTP ----

  private static String served(URI service, Row row, Duration warmUp)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("lighthouse-load");
    Path body = Files.writeString(folder.resolve("problem.json"), row.problem());
    Path script =
        Files.writeString(
            folder.resolve("post.lua"),
            "local f = io.open('%s', 'rb'); wrk.method = 'POST'; wrk.body = f:read('*a'); f:close()"
                .formatted(body));
    try {
      wrk(service, script, warmUp);
      Counters before = Counters.of(service);
      String report = wrk(service, script, MEASURED);
      Counters after = Counters.of(service);
      double requests = Double.parseDouble(find(report, "Requests/sec:\\s+([0-9.]+)"));
      return String.format(
          Locale.ROOT,
          "%,.0f | %,.0f | %s / %s | %s",
          requests,
          requests * row.workloads(),
          millis(find(report, "(?m)^\\s+50%\\s+(\\S+)")),
          millis(find(report, "(?m)^\\s+99%\\s+(\\S+)")),
          after.since(before));
    } finally {
      Files.delete(script);
      Files.delete(body);
      Files.delete(folder);
    }
  }

  private static String wrk(URI service, Path script, Duration time)
      throws IOException, InterruptedException {
    Process wrk =
        new ProcessBuilder(
                "wrk",
                "-t1",
                "-c" + CONNECTIONS,
                "-d" + time.toSeconds() + "s",
                "--timeout",
                "20s",
                "--latency",
                "-s",
                script.toString(),
                service.resolve(PATH).toString())
            .redirectErrorStream(true)
            .start();
    String report = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (wrk.waitFor() != 0 || report.contains("Non-2xx") || report.contains("Socket errors")) {
      throw new IOException("not every request was answered well:\n" + report);
    }
    return report;
  }

  private static String find(String report, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(report);
    if (!found.find()) {
      throw new IllegalStateException("no " + pattern + " in\n" + report);
    }
    return found.group(1);
  }

  /** A time as wrk prints it. */
  private static String millis(String time) {
    double value = Double.parseDouble(time.replaceFirst("(us|ms|s)$", ""));
    double millis = time.endsWith("us") ? value / 1000 : time.endsWith("ms") ? value : value * 1000;
    return String.format(Locale.ROOT, millis < 100 ? "%.1f" : "%.0f", millis);
  }

  // ---- the same without HTTP ----

  /** Workloads a second where every processor reads, places and writes, from bytes to bytes. */
  private static double inProcess(Row row) throws Exception {
    byte[] problem = row.problem().getBytes(StandardCharsets.US_ASCII);
    int threads = Runtime.getRuntime().availableProcessors();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      rate(pool, threads, problem, Duration.ofSeconds(5));
      return rate(pool, threads, problem, Duration.ofSeconds(5)) * row.workloads();
    } finally {
      pool.shutdown();
    }
  }

  private static double rate(ExecutorService pool, int threads, byte[] problem, Duration time)
      throws Exception {
    long began = System.nanoTime();
    List<Future<Long>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      running.add(
          pool.submit(
              () -> {
                long done = 0;
                while (System.nanoTime() - began < time.toNanos()) {
                  answer(problem);
                  done++;
                }
                return done;
              }));
    }
    long done = 0;
    for (Future<Long> one : running) {
      done += one.get();
    }
    return done * 1e9 / (System.nanoTime() - began);
  }

  private static final ProblemReader READER =
      ProblemReader.standard().withLimits(new ServiceSettings().content());

  private static final Distributors INSTALLED = Distributors.installed();

  private static void answer(byte[] text) throws IOException {
    Problem problem = READER.read(text).problem();
    String strategy = problem.strategy().orElseThrow();
    Assignments assignments =
        INSTALLED
            .strategy(strategy.equals("BinPack") ? "bin-pack" : strategy.toLowerCase(Locale.ROOT))
            .rubric(problem.rubric().orElseThrow())
            .nodes(problem.nodes())
            .build()
            .assign(problem.workloads());
    AnswerWriter.write(
        new ByteArrayOutputStream(1 << 12),
        json -> {
          json.names("failures", assignments.refused());
          json.placements("assignments", assignments);
        });
  }
}
