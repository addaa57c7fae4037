package io.lighthouse.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Measures how long a killed service is away until it is started again, as its clients see it. That
 * is the time from the start of {@code ./lighthouse serve} to its first answer: to a question and
 * to an assign, with a large fleet in the store and with none. Prints the rows of the table
 * "Restart" in {@code docs/benchmarks.md}. Run by {@code lighthouse-server/load restart}; no test.
 */
final class RestartLoad {
  private static final int ROUNDS = 7;
  private static final int BATCH = 1_000;
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** A started service, and when it was started. */
  private record Started(Process process, URI uri, long began) {}

  /**
   * One restart.
   *
   * @param first milliseconds to the first answer
   * @param assigned milliseconds to the answer of an assign behind it
   * @param processor the processor time of the service until then, in milliseconds
   */
  private record Run(double first, double assigned, double processor) {}

  private RestartLoad() {}

  /** The command, and a folder; then pairs of how many nodes and how many workloads. */
  public static void main(String[] arguments) throws Exception {
    String command = arguments[0];
    Path folder = Path.of(arguments[1]);
    List<Path> files = new ArrayList<>();
    List<List<Run>> runs = new ArrayList<>();
    for (int i = 2; i < arguments.length; i += 2) {
      Path file = folder.resolve("f" + i + ".db");
      fill(command, file, Integer.parseInt(arguments[i]), Integer.parseInt(arguments[i + 1]));
      files.add(file);
      runs.add(new ArrayList<>());
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < files.size(); i++) {
        runs.get(i).add(restart(command, files.get(i), round));
      }
    }
    System.out.println("| nodes, workloads | log | first answer | first assign | processor time |");
    System.out.println("| --- | ---: | ---: | ---: | ---: |");
    for (int i = 0; i < files.size(); i++) {
      System.out.printf(
          Locale.ROOT,
          "| %,d, %,d | %d MB | %s | %s | %s |%n",
          Integer.parseInt(arguments[2 + 2 * i]),
          Integer.parseInt(arguments[3 + 2 * i]),
          size(files.get(i)) >> 20,
          spread(runs.get(i).stream().map(Run::first)),
          spread(runs.get(i).stream().map(Run::assigned)),
          spread(runs.get(i).stream().map(Run::processor)));
    }
  }

  /** The middle one of some times, and the least and the most. */
  private static String spread(Stream<Double> times) {
    List<Double> sorted = times.sorted().toList();
    return String.format(
        Locale.ROOT,
        "%.2f s (%.2f to %.2f)",
        sorted.get(sorted.size() / 2) / 1e3,
        sorted.get(0) / 1e3,
        sorted.get(sorted.size() - 1) / 1e3);
  }

  private static long size(Path file) throws IOException {
    Path log = Path.of(file + "-wal");
    return Files.size(file) + (Files.exists(log) ? Files.size(log) : 0);
  }

  private static Started serve(String command, Path file) throws IOException {
    long began = System.nanoTime();
    Process process =
        new ProcessBuilder(
                command,
                "serve",
                "--port",
                "0",
                "--log",
                "off",
                "--store",
                file.toString(),
                "--max-nodes",
                "1000000",
                "--max-workloads",
                "10000000")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    return new Started(process, Load.address(process), began);
  }

  /** As a kill leaves it: the log as long as the rule of snapshots has it then. */
  private static void fill(String command, Path file, int nodes, int workloads)
      throws IOException, InterruptedException {
    Started service = serve(command, file);
    StringBuilder fleet = new StringBuilder("{\"strategy\":\"RoundRobin\",\"nodes\":[");
    for (int i = 0; i < nodes; i++) {
      fleet.append(i == 0 ? "" : ",").append("{\"id\":\"node-").append(i);
      fleet.append("\",\"resources\":{\"cpu\":64,\"mem\":256}}");
    }
    send(service.uri, "PUT", "/fleets/f", fleet.append("]}").toString());
    for (int i = 0; i < workloads; i += BATCH) {
      StringBuilder batch = new StringBuilder("{\"workloads\":[");
      for (int j = i; j < i + BATCH; j++) {
        batch.append(j == i ? "" : ",").append("{\"id\":\"vm-").append(j);
        batch.append("\",\"requirements\":{\"cpu\":").append(1 + j % 4);
        batch.append(",\"mem\":").append(2 + j % 7).append("}}");
      }
      send(service.uri, "POST", "/fleets/f/assign-workloads", batch.append("]}").toString());
    }
    kill(service);
  }

  private static Run restart(String command, Path file, int round)
      throws IOException, InterruptedException {
    Started service = serve(command, file);
    send(service.uri, "GET", "/fleets/f", "");
    final double first = (System.nanoTime() - service.began) / 1e6;
    String name = "again-" + round + "-" + System.nanoTime();
    send(
        service.uri,
        "POST",
        "/fleets/f/assign-workloads",
        "{\"workloads\":[{\"id\":\"" + name + "\",\"requirements\":{\"cpu\":1}}]}");
    final double assigned = (System.nanoTime() - service.began) / 1e6;
    double processor =
        Stream.concat(Stream.of(service.process.toHandle()), service.process.descendants())
            .mapToLong(one -> one.info().totalCpuDuration().map(Duration::toMillis).orElse(0L))
            .sum();
    kill(service);
    return new Run(first, assigned, processor);
  }

  private static void kill(Started service) throws InterruptedException {
    service.process.descendants().forEach(ProcessHandle::destroyForcibly);
    service.process.destroyForcibly().waitFor();
  }

  private static void send(URI service, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(service.resolve(path))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() >= 300 || answer.body().contains("\"successful\":false")) {
      throw new IOException(answer.statusCode() + ": " + answer.body());
    }
  }
}
