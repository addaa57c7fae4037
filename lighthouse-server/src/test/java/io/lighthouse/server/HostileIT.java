package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/**
 * Ten thousand hostile requests of all kinds against one service in a process of its own. Then
 * nothing spins, every time limit is still kept, health answers at once, and memory is as before.
 */
class HostileIT {
  private static final int REQUESTS = Integer.getInteger("lighthouse.hostile", 4_000);
  private static final int LONG_HEADS = 12_000;
  private static final int CLIENTS = 16;
  private static final int KINDS = 24;
  private static final String BODY =
      "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":4}}],"
          + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}]}";
  private static final String PATH = "/try-assign-workloads";
  private static final String LONG_HEAD =
      "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(20_000) + "\r\n\r\n";

  /** How long the impatient service waits for a head, a body, or the taking of an answer. */
  private static final Duration LIMIT = ServiceProcess.IMPATIENT;

  private final Map<String, AtomicLong> answers = new ConcurrentSkipListMap<>();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

  /** Connections that stay open behind their request, as those of an attacker do. */
  private final ConcurrentLinkedQueue<RawConnection> open = new ConcurrentLinkedQueue<>();

  private static byte[] gzip(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    return out.toByteArray();
  }

  private static final byte[] SOUND = gzip(BODY.getBytes(StandardCharsets.UTF_8));
  private static final byte[] BOMB = gzip(new byte[40 << 20]);

  @Test
  void tenThousandHostileRequestsLeaveTheServiceAsItWas() throws Exception {
    try (ServiceProcess process = ServiceProcess.start("-Xmx192m", "-Dlighthouse.impatient=true")) {
      TestService service = TestService.at(process.uri());
      // Everything once, so that what is loaded and cached for good is there before it is measured.
      run(process, 40 * KINDS);
      long before = process.liveHeap();
      run(process, REQUESTS);
      assertThat(service.get("/health/live").status()).isEqualTo(200);
      assertThat(service.get("/health/ready").status()).isEqualTo(200);
      assertThat(wrong).isEmpty();
      // Those that trickle still get their 408.
      List<RawConnection> trickling = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        RawConnection raw = new RawConnection(process.uri());
        open.add(raw);
        trickling.add(raw.post(PATH, 100).send("{"));
      }
      for (RawConnection raw : trickling) {
        assertThat(raw.status()).isEqualTo(408);
      }
      closeAll();
      assertThat(service.metricsWith("lighthouse_bytes_in_flight 0.0"))
          .contains(
              "lighthouse_bytes_in_flight 0.0",
              "lighthouse_threads_stuck 0.0",
              "lighthouse_threads_abandoned 0.0",
              "lighthouse_decisions_running 0.0",
              "lighthouse_decisions_waiting 0.0");
      // At rest it takes next to no processor time, however busy the machine is.
      long began = process.processorMillis();
      LockSupport.parkNanos(3_000_000_000L);
      assertThat(process.processorMillis() - began).isLessThan(600);
      assertThat(process.liveHeap() - before).isLessThan(12L << 20);
      assertThat(service.tryAssign(BODY).at("/assignments")).isEqualTo("{\"w\":\"n\"}");
    } finally {
      closeAll();
    }
    assertThat(answers.keySet()).contains("cut gzip 400", "bomb 413", "coding 501", "sound 200");
  }

  /**
   * Heads that are refused while the rest of them is still arriving. The thread that refuses and
   * the thread that reads the rest must not work on the connection at the same time. Jetty's did,
   * and then two connections read into one buffer.
   */
  @Test
  void headsThatAreTooLongSpoilNoOtherRequest() throws Exception {
    try (ServiceProcess process = ServiceProcess.start("-Xmx192m")) {
      clients(
          LONG_HEADS,
          n -> {
            try (RawConnection raw = new RawConnection(process.uri())) {
              if (n % 4 == 0) {
                String own = BODY.replace("\"n\"", "\"n" + n + "\"");
                String answer = raw.post(PATH, own.length()).send(own).answer();
                if (!answer.endsWith("\"assignments\":{\"w\":\"n" + n + "\"}}")) {
                  wrong.add("another's request was answered " + answer);
                }
              } else {
                int status = raw.send(LONG_HEAD).status();
                if (status != 431) {
                  wrong.add("a head that is too long was answered " + status);
                }
              }
            } catch (IOException broken) {
              wrong.add("request " + n + " broke: " + broken);
            }
          });
    }
    assertThat(wrong).isEmpty();
  }

  private void closeAll() throws IOException {
    for (RawConnection one : open) {
      one.close();
    }
    open.clear();
  }

  private void run(ServiceProcess process, int requests) throws InterruptedException {
    clients(requests, n -> one(process, n % KINDS, new Random(n)));
  }

  /** Has some clients send {@code requests} requests, each with its number. */
  private static void clients(int requests, IntConsumer request) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Thread client =
          new Thread(
              () -> {
                for (int n = next.getAndIncrement(); n < requests; n = next.getAndIncrement()) {
                  request.accept(n);
                }
              });
      client.start();
      clients.add(client);
    }
    for (Thread client : clients) {
      client.join();
    }
  }

  private void one(ServiceProcess process, int kind, Random random) {
    RawConnection raw = null;
    try {
      raw = new RawConnection(process.uri());
      send(raw, kind, random);
    } catch (IOException broken) {
      // A connection that is closed on an attacker is no fault.
      answers.computeIfAbsent("closed " + kind, key -> new AtomicLong()).incrementAndGet();
    } finally {
      if (raw != null) {
        keepSomeOpen(raw);
      }
    }
  }

  private void keepSomeOpen(RawConnection raw) {
    open.add(raw);
    RawConnection oldest = open.size() > 200 ? open.poll() : null;
    try {
      if (oldest != null) {
        oldest.close();
      }
    } catch (IOException gone) {
      // So it is closed.
    }
  }

  private void send(RawConnection raw, int kind, Random random) throws IOException {
    byte[] sound = SOUND;
    switch (kind) {
      case 0, 1 -> body(raw, "cut gzip", Arrays.copyOf(sound, random.nextInt(sound.length)), 400);
      case 2 -> body(raw, "cut gzip", Arrays.copyOf(sound, sound.length - 8), 400);
      case 3 -> {
        byte[] flipped = sound.clone();
        flipped[sound.length - 1 - random.nextInt(8)] ^= (byte) (1 << random.nextInt(8));
        body(raw, "flipped gzip", flipped, 400);
      }
      case 4 -> {
        byte[] two = Arrays.copyOf(sound, sound.length + 5);
        System.arraycopy(sound, 0, two, sound.length, 5);
        body(raw, "cut member", two, 400);
      }
      case 5 -> {
        if (random.nextInt(20) == 0) {
          body(raw, "bomb", BOMB, 413);
        }
      }
      case 6 -> {
        // A body that never comes, and a client that has gone.
        raw.post(PATH, 1000, "Content-Encoding: gzip").out().write(sound, 0, sound.length / 2);
        raw.close();
      }
      case 7 -> raw.post(PATH, 1000, "Content-Encoding: gzip").out().write(sound, 0, 30);
      case 8 -> raw.post(PATH, 1000).send(BODY);
      case 9 -> raw.send("POST " + PATH + " HTTP/1.1\r\nHost: localhost\r\nX");
      case 10 ->
          head(
              raw,
              "coding",
              "Transfer-Encoding: gzip, chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
              501);
      case 11 -> head(raw, "chunks", "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400);
      case 12 -> {
        String begun = "Transfer-Encoding: chunked\r\n\r\n5\r\nabc";
        if (random.nextInt(20) == 0) {
          head(raw, "never", begun, 408);
        } else {
          raw.send("POST " + PATH + " HTTP/1.1\r\nHost: localhost\r\n" + begun);
        }
      }
      case 13 -> head(raw, "lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef", 400);
      case 14 -> head(raw, "length", "Content-Length: 99999999999999999999\r\n\r\n", 400, 413);
      case 15 -> {
        raw.send(LONG_HEAD);
        count(raw, "head", 431);
      }
      case 16 -> {
        raw.send("GARBAGE \u0000\u0001\r\n\r\n");
        count(raw, "garbage", 400);
      }
      case 17 -> {
        raw.post(PATH, 5).send("[[[[[");
        count(raw, "deep", 400, 422);
      }
      case 18 -> {
        String deep = "[".repeat(5_000);
        raw.post(PATH, deep.length()).send(deep);
        count(raw, "deep", 413);
      }
      case 19 -> {
        String cut = BODY.substring(0, random.nextInt(BODY.length()));
        raw.post(PATH, cut.length()).send(cut);
        count(raw, "cut", 400);
      }
      case 20 -> {
        raw.post("/nowhere", 100_000).send(" ".repeat(50_000));
        count(raw, "nowhere", 404);
      }
      case 21 -> {
        raw.post(PATH, 3, "Expect: 100-continue", "Content-Type: text/html").send("{}");
        count(raw, "kind", 415);
      }
      case 22 -> {
        for (int i = 0; i < 20; i++) {
          raw.send("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        for (int i = 0; i < 20; i++) {
          count(raw, "pipelined", 404);
        }
      }
      default -> {
        raw.post(PATH, BODY.length()).send(BODY);
        count(raw, "sound", 200);
      }
    }
  }

  private void body(RawConnection raw, String kind, byte[] body, int... allowed)
      throws IOException {
    raw.post(PATH, body.length, "Content-Encoding: gzip").out().write(body);
    raw.out().flush();
    count(raw, kind, allowed);
  }

  private void head(RawConnection raw, String kind, String rest, int... allowed)
      throws IOException {
    raw.send("POST " + PATH + " HTTP/1.1\r\nHost: localhost\r\n" + rest);
    count(raw, kind, allowed);
  }

  private void count(RawConnection raw, String kind, int... allowed) throws IOException {
    int status = raw.status();
    answers.computeIfAbsent(kind + " " + status, key -> new AtomicLong()).incrementAndGet();
    // Too busy is an answer: they are many at once. So is the end of a time limit, by 408 or by
    // closing, but never before that time: on a busy machine a request may wait so long.
    boolean late = (status == 0 || status == 408) && raw.age().compareTo(LIMIT) >= 0;
    if (status != 503 && !late && Arrays.stream(allowed).noneMatch(one -> one == status)) {
      wrong.add(kind + " was answered " + status + " after " + raw.age());
    }
  }
}
