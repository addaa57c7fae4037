package io.lighthouse.server;

import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Hold;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * Measures durable fleets over HTTP: {@code ./lighthouse serve --store} with default settings, and
 * clients in this program, one workload for each call. In the same run, and in turns with it,
 * measures the store alone, with groups of the observed size. Prints the rows of the table "Durable
 * fleets" in {@code docs/benchmarks.md}. Run by {@code lighthouse-server/load fleets}; no test.
 */
final class FleetsLoad {
  private static final int NODES = 1_000;
  private static final int ROUNDS = 3;
  private static final int SECONDS = 5;
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /**
   * One run of clients.
   *
   * @param processors the processor time of a call, in microseconds: of the services, of this
   *     program, and of all else that was started for it, which is PostgreSQL
   */
  private record Run(double calls, double p50, double p99, double group, double[] processors) {}

  /** A store with one or more services on it. */
  private static final class Candidate {
    final String name;
    final String store;
    final List<URI> services = new ArrayList<>();
    final List<Run> many = new ArrayList<>();
    final List<Run> one = new ArrayList<>();
    final List<Run> bareMany = new ArrayList<>();
    final List<Run> bareOne = new ArrayList<>();

    Candidate(String name, String store) {
      this.name = name;
      this.store = store;
    }
  }

  private static final List<Process> PROCESSES = new ArrayList<>();
  private static Path folder;

  private FleetsLoad() {}

  /** The command, a folder on a disk, one in memory, and the URL of a database on that disk. */
  public static void main(String[] arguments) throws Exception {
    folder = Path.of(arguments[1]);
    try {
      List<Candidate> all = new ArrayList<>();
      all.add(new Candidate("SQLite", folder.resolve("f.db").toString()));
      all.add(new Candidate("SQLite, file in memory", Path.of(arguments[2], "f.db").toString()));
      all.add(new Candidate("PostgreSQL, one service", arguments[3] + "/one?user=lighthouse"));
      all.add(new Candidate("PostgreSQL, two services", arguments[3] + "/two?user=lighthouse"));
      for (Candidate candidate : all) {
        int services = candidate.name.contains("two") ? 2 : 1;
        for (int i = 0; i < services; i++) {
          candidate.services.add(serve(arguments[0], candidate.store));
        }
        create(candidate.services.get(0));
        warmUp(candidate);
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (Candidate candidate : all) {
          candidate.many.add(clients(candidate, 64, SECONDS));
          candidate.one.add(clients(candidate, 1, SECONDS - 2));
        }
        for (Candidate candidate : List.of(all.get(0), all.get(2))) {
          int group = (int) Math.max(1, Math.round(median(candidate.many).group));
          String store =
              candidate.store.contains("jdbc")
                  ? candidate.store.replace("/one", "/bare")
                  : folder.resolve("bare.db").toString();
          candidate.bareMany.add(bare(store, group));
          candidate.bareOne.add(bare(store, 1));
        }
      }
      System.out.println(
          "| what | calls/s | p50 | p99 | calls of a turn "
              + "| processor us a call: services; clients; PostgreSQL |");
      System.out.println("| --- | ---: | ---: | ---: | ---: | ---: |");
      for (Candidate candidate : all) {
        print("64 clients, " + candidate.name, candidate.many);
        print("one client, " + candidate.name, candidate.one);
        if (!candidate.bareMany.isEmpty()) {
          print("the store alone, groups as large, " + candidate.name, candidate.bareMany);
          print("the store alone, one entry, " + candidate.name, candidate.bareOne);
        }
      }
      long entries = generation(all.get(0).services.get(0));
      System.out.printf(
          Locale.ROOT,
          "%n- SQLite: %,d entries, %,d bytes of the file and its log: %d bytes an entry%n",
          entries,
          size("f.db") + size("f.db-wal"),
          (size("f.db") + size("f.db-wal")) / entries);
      for (Candidate candidate : List.of(all.get(0), all.get(2))) {
        System.out.println(
            "- " + candidate.name + ", 1,000 workloads in a call: " + batches(candidate));
      }
    } finally {
      PROCESSES.forEach(Process::destroyForcibly);
    }
  }

  /**
   * Until the JIT compiler has seen enough, however slow the machine is, but no longer than this.
   */
  private static void warmUp(Candidate candidate) throws Exception {
    int services = candidate.services.size();
    long end = System.nanoTime() + services * 24 * 1_000_000_000L;
    for (double calls = 0; calls < services * 120_000 && System.nanoTime() < end; ) {
      calls += 3 * clients(candidate, 64, 3).calls;
    }
  }

  private static long size(String name) throws IOException {
    return Files.size(folder.resolve(name));
  }

  private static URI serve(String command, String store) throws IOException {
    Process process =
        new ProcessBuilder(
                command,
                "serve",
                "--port",
                "0",
                "--log",
                "off",
                "--store",
                store,
                "--max-workloads",
                "10000000")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    PROCESSES.add(process);
    return Load.address(process);
  }

  private static String send(HttpRequest request) throws IOException, InterruptedException {
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static void create(URI service) throws IOException, InterruptedException {
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < NODES; i++) {
      nodes.append(i == 0 ? "" : ",").append("{\"id\":\"n").append(i);
      nodes.append("\",\"resources\":{\"cpu\":1000000}}");
    }
    String fleet = "{\"strategy\":\"RoundRobin\",\"nodes\":[" + nodes + "]}";
    send(
        HttpRequest.newBuilder(service.resolve("/fleets/f"))
            .PUT(HttpRequest.BodyPublishers.ofString(fleet))
            .build());
  }

  private static long generation(URI service) throws IOException, InterruptedException {
    String text = send(HttpRequest.newBuilder(service.resolve("/fleets/f")).build());
    Matcher matcher = Pattern.compile("\"generation\":([0-9]+)").matcher(text);
    matcher.find();
    return Long.parseLong(matcher.group(1));
  }

  /** Calls and turns so far. */
  private static double[] turns(Candidate candidate) throws IOException, InterruptedException {
    double[] sums = new double[2];
    for (URI service : candidate.services) {
      String text = send(HttpRequest.newBuilder(service.resolve("/metrics")).build());
      for (String line : text.split("\n")) {
        if (line.startsWith("lighthouse_fleet_turn_calls_sum")) {
          sums[0] += Double.parseDouble(line.substring(line.lastIndexOf(' ')));
        } else if (line.startsWith("lighthouse_fleet_turn_calls_count")) {
          sums[1] += Double.parseDouble(line.substring(line.lastIndexOf(' ')));
        }
      }
    }
    return sums;
  }

  /**
   * Runs {@code clients} clients, each with its own connection, one call after the other. One
   * thread serves them all, so that the services have the processors. The time of a call ends when
   * that thread has read the answer, so a delay of that thread counts as the service's.
   */
  private static Run clients(Candidate candidate, int clients, int seconds) throws Exception {
    double[] before = turns(candidate);
    double[] processors = processors();
    long began = System.nanoTime();
    long end = began + seconds * 1_000_000_000L;
    LongStream.Builder times = LongStream.builder();
    int[] left = {clients};
    try (Selector selector = Selector.open()) {
      for (int i = 0; i < clients; i++) {
        new Client(candidate.services.get(i % candidate.services.size()), selector).ask();
      }
      while (left[0] > 0) {
        selector.select(
            key -> {
              Client client = (Client) key.attachment();
              if (client.isAnswered()) {
                long now = System.nanoTime();
                times.add(now - client.asked);
                if (now < end) {
                  client.ask();
                } else {
                  client.leave();
                  left[0]--;
                }
              }
            });
      }
    }
    double took = (System.nanoTime() - began) / 1e9;
    double[] after = turns(candidate);
    double[] processorsAfter = processors();
    long[] sorted = times.build().sorted().toArray();
    for (int i = 0; i < processors.length; i++) {
      processors[i] = (processorsAfter[i] - processors[i]) / sorted.length;
    }
    return new Run(
        sorted.length / took,
        sorted[sorted.length / 2] / 1e6,
        sorted[sorted.length * 99 / 100] / 1e6,
        (after[0] - before[0]) / (after[1] - before[1]),
        processors);
  }

  /** The processor time so far, in microseconds, of three kinds of processes. */
  private static double[] processors() {
    double[] sums = new double[3];
    long me = ProcessHandle.current().pid();
    // The script that started this also started PostgreSQL.
    ProcessHandle.current()
        .parent()
        .orElseThrow()
        .descendants()
        .forEach(
            process -> {
              boolean service =
                  PROCESSES.stream()
                      .anyMatch(
                          one ->
                              one.pid() == process.pid()
                                  || one.descendants().anyMatch(process::equals));
              int kind = service ? 0 : process.pid() == me ? 1 : 2;
              sums[kind] +=
                  process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e3;
            });
    return sums;
  }

  /** One client and its connection. */
  private static final class Client {
    private static final String LENGTH = "\r\ncontent-length: ";

    private final SocketChannel channel;
    private final ByteBuffer answer = ByteBuffer.allocate(4_096);
    private final String name = "w" + NAMES.incrementAndGet() + "-";
    private int calls;
    private long asked;

    Client(URI service, Selector selector) throws IOException {
      channel = SocketChannel.open(new InetSocketAddress(service.getHost(), service.getPort()));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, this);
    }

    void ask() {
      String body =
          "{\"workloads\":[{\"id\":\"" + name + calls++ + "\",\"requirements\":{\"cpu\":1}}]}";
      String request =
          "POST /fleets/f/assign-workloads HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n"
              + body;
      ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1));
      answer.clear();
      asked = System.nanoTime();
      try {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }

    /** Whether the answer is here whole, by what its head says; it has to be a yes. */
    boolean isAnswered() {
      try {
        if (channel.read(answer) < 0) {
          throw new IllegalStateException("the service has gone");
        }
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
      String text = new String(answer.array(), 0, answer.position(), StandardCharsets.ISO_8859_1);
      int head = text.indexOf("\r\n\r\n");
      if (head < 0) {
        return false;
      }
      int length = text.toLowerCase(Locale.ROOT).indexOf(LENGTH) + LENGTH.length();
      int body = Integer.parseInt(text.substring(length, text.indexOf('\r', length)));
      if (text.length() < head + 4 + body) {
        return false;
      }
      if (text.indexOf("\"successful\":true", head) < 0) {
        throw new IllegalStateException(text);
      }
      return true;
    }

    void leave() {
      try {
        channel.close();
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }
  }

  /** The store alone: one group after the other, for some seconds. */
  private static Run bare(String store, int group) throws StoreException {
    byte[] body =
        ("{\"v\":1,\"kind\":\"placed\",\"changes\":[{\"change\":\"assign\",\"assigned\":"
                + "{\"name\":\"w1-1-100000\",\"requirements\":{\"cpu\":1}},\"node\":\"n500\"}]}")
            .getBytes(StandardCharsets.UTF_8);
    try (Journal journal = Stores.open(store)) {
      int number = journal.heads().size() + 1;
      Head head = null;
      List<Double> times = new ArrayList<>();
      final double[] processors = processors();
      long end = System.nanoTime() + (SECONDS - 2) * 1_000_000_000L;
      long calls = 0;
      long began = System.nanoTime();
      while (System.nanoTime() < end) {
        List<Entry> entries = new ArrayList<>();
        byte[] hash = head == null ? Entry.beginning() : head.hash();
        long generation = head == null ? 0 : head.generation();
        for (int i = 0; i < (head == null ? 1 : group); i++) {
          Entry entry =
              new Entry(number, ++generation, 1, "", null, null, 0, null, body, null).chained(hash);
          hash = entry.hash();
          entries.add(entry);
        }
        Head after = new Head(number, "b" + number, generation, hash, false);
        long start = System.nanoTime();
        if (head == null) {
          journal.append(null, entries, after);
        } else {
          try (Hold hold = journal.hold(number, head.generation(), List.of())) {
            hold.append(head, entries, after);
          }
        }
        times.add((System.nanoTime() - start) / 1e6);
        calls += entries.size();
        head = after;
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      double[] after = processors();
      for (int i = 0; i < after.length; i++) {
        processors[i] = (after[i] - processors[i]) / calls;
      }
      double[] sorted = times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      return new Run(
          calls / seconds,
          sorted[sorted.length / 2],
          sorted[sorted.length * 99 / 100],
          group,
          processors);
    }
  }

  /** Placements a second by one client that sends 1,000 workloads a call. */
  private static String batches(Candidate candidate) throws IOException, InterruptedException {
    List<Double> times = new ArrayList<>();
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    for (int call = 0; System.nanoTime() < end; call++) {
      StringBuilder batch = new StringBuilder("{\"workloads\":[");
      for (int i = 0; i < 1_000; i++) {
        batch.append(i == 0 ? "" : ",").append("{\"id\":\"b").append(call).append('-').append(i);
        batch.append("\",\"requirements\":{\"cpu\":1}}");
      }
      HttpRequest request =
          HttpRequest.newBuilder(candidate.services.get(0).resolve("/fleets/f/assign-workloads"))
              .POST(HttpRequest.BodyPublishers.ofString(batch.append("]}").toString()))
              .build();
      long start = System.nanoTime();
      String answer = send(request);
      times.add((System.nanoTime() - start) / 1e6);
      if (!answer.contains("\"successful\":true")) {
        throw new IllegalStateException(answer.substring(0, Math.min(300, answer.length())));
      }
    }
    double[] sorted = times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double all = Arrays.stream(sorted).sum();
    return String.format(
        Locale.ROOT,
        "%,.0f placements/s, a call %.1f ms (p50), %.1f ms (p99)",
        sorted.length * 1e6 / all,
        sorted[sorted.length / 2],
        sorted[sorted.length * 99 / 100]);
  }

  private static Run median(List<Run> runs) {
    return runs.stream()
        .sorted((a, b) -> Double.compare(a.calls, b.calls))
        .toList()
        .get(runs.size() / 2);
  }

  private static void print(String what, List<Run> runs) {
    Run middle = median(runs);
    System.out.printf(
        Locale.ROOT,
        "| %s | %,.0f | %.1f ms | %.1f ms | %.0f | %.0f; %.0f; %.0f |%n",
        what,
        middle.calls,
        middle.p50,
        middle.p99,
        middle.group,
        middle.processors[0],
        middle.processors[1],
        middle.processors[2]);
  }
}
