package io.lighthouse.server.fleets;

import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetLog;
import io.lighthouse.fleets.LogPlace;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.server.fleets.FleetDecision.Submitted;
import io.lighthouse.server.http.AnswerStream;
import io.lighthouse.server.http.Deadlines;
import io.lighthouse.server.http.Exchange;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Those who follow the logs of fleets. Every one is read from the log in pages, at the pace at
 * which its client takes them; nothing is kept for a client, so that a slow one delays itself
 * alone.
 */
public final class FleetEvents implements AutoCloseable {
  /** What a log is answered as: events as they come, or lines up to now. */
  static final List<String> TYPES = List.of("text/event-stream", "application/jsonl");

  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");
  private static final int PAGE = 1_000;
  private static final int THREADS = 4;
  private static final long BEAT_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final Deadlines deadlines;
  private final int most;
  private final Set<Follower> followers = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();
  private final ExecutorService threads;
  private volatile boolean closed;

  /**
   * Nobody follows yet.
   *
   * @param deadlines who looks when a quiet stream is to show that it lives
   * @param most how many may follow at a time
   */
  public FleetEvents(Deadlines deadlines, int most) {
    this.deadlines = deadlines;
    this.most = most;
    AtomicInteger number = new AtomicInteger();
    threads =
        Executors.newFixedThreadPool(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "lighthouse-events-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * How many follow.
   *
   * @return 0 or more
   */
  public int count() {
    return count.get();
  }

  /** Ends all streams. */
  @Override
  public void close() {
    closed = true;
    followers.forEach(Follower::wake);
  }

  /**
   * Has a client follow a log; what cannot be is refused before the stream begins.
   *
   * @param mayFollow whether the client has the right now; checked before each page and each beat
   */
  Submitted follow(Exchange exchange, FleetLog log, BooleanSupplier mayFollow) {
    boolean lines =
        exchange.requestHeader("Accept").stream().anyMatch(type -> type.contains("jsonl"));
    LogPlace after = after(exchange);
    List<Entry> first = log.entries(after, PAGE);
    if (closed) {
      throw new FleetException(Kind.CLOSED, "the service is stopping");
    }
    if (count.incrementAndGet() > most) {
      count.decrementAndGet();
      throw new FleetException(Kind.OVERLOAD, "the " + most + " follow that may follow");
    }
    exchange.header("X-Accel-Buffering", "no");
    exchange.header("ETag", Asked.tag(log.newest()));
    Optional<AnswerStream> stream =
        exchange.stream(lines ? TYPES.get(1) : TYPES.get(0) + "; charset=utf-8");
    if (stream.isEmpty()) {
      count.decrementAndGet();
    } else {
      new Follower(log, stream.get(), lines, after, mayFollow).begin(first);
    }
    return Submitted.of(new CompletableFuture<>()); // The stream is the answer.
  }

  private static LogPlace after(Exchange exchange) {
    Optional<String> given =
        Asked.header(exchange, "Last-Event-ID").or(() -> exchange.parameter("after"));
    if (given.isEmpty()) {
      return LogPlace.at(0);
    }
    return LogPlace.of(given.get())
        .orElseThrow(
            () ->
                Asked.wrong(
                    "Last-Event-ID, or ?after=,",
                    given.get(),
                    "the id of an event, or the generation to go on behind"));
  }

  /** One who follows: in one thread of ours at a time, or while a piece is on its way in none. */
  private final class Follower implements Deadlines.Waiting {
    private final FleetLog log;
    private final AnswerStream stream;
    private final boolean lines;
    private final BooleanSupplier mayFollow;

    /** Once more for every reason to look again; above 0 while somebody works for it. */
    private final AtomicInteger reasons = new AtomicInteger();

    private Runnable unwatch = () -> {};

    /** How often the store had lost something when this began. */
    private final int rewinds;

    /** The entry that was sent last. */
    private LogPlace sent;

    private volatile long lastPiece = System.nanoTime();
    private volatile boolean beat;
    private boolean last;
    private boolean told;
    private boolean over;

    Follower(
        FleetLog log,
        AnswerStream stream,
        boolean lines,
        LogPlace sent,
        BooleanSupplier mayFollow) {
      this.mayFollow = mayFollow;
      this.log = log;
      this.stream = stream;
      this.lines = lines;
      this.sent = sent;
      this.rewinds = log.rewinds();
    }

    void begin(List<Entry> first) {
      reasons.set(1);
      followers.add(this);
      if (!lines) {
        unwatch = log.watch(this::wake);
        deadlines.add(this);
      }
      if (first.isEmpty()) {
        // So that the client has the head of the answer at once.
        send(lines ? new byte[0] : at());
      } else {
        send(first);
      }
    }

    /** A comment that says how far it is. */
    private byte[] at() {
      return (": at " + sent.generation() + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Looks whether there is more to send. Does not block. */
    void wake() {
      if (reasons.getAndIncrement() == 0) {
        threads.execute(this::work);
      }
    }

    private void work() {
      int seen = reasons.get();
      try {
        if (over) {
          return;
        }
        if (!mayFollow.getAsBoolean()) {
          end(); // The client comes again, and gets 401, 403 or 404.
          return;
        }
        if (log.rewinds() != rewinds) {
          rewound();
          return;
        }
        List<Entry> page = last ? List.of() : log.entries(sent, PAGE);
        if (!page.isEmpty() && !closed) {
          send(page);
        } else if (closed || last || lines) {
          end();
        } else if (beat) {
          beat = false;
          send(at());
        } else if (reasons.addAndGet(-seen) > 0) {
          threads.execute(this::work);
        }
      } catch (FleetException gone) {
        if (gone.kind() == Kind.STALE) {
          rewound();
        } else {
          // It fell behind what is kept, or the store fails: the client comes again, and is told.
          end();
        }
      } catch (RuntimeException bug) {
        LOG.log(System.Logger.Level.ERROR, "a stream of events failed", bug);
        end();
      }
    }

    /** The store has lost what was sent: the client is told, and begins anew. */
    private void rewound() {
      last = true;
      if (lines || told) {
        end();
      } else {
        told = true;
        send("event: rewound\ndata: {}\n\n".getBytes(StandardCharsets.UTF_8));
      }
    }

    private void send(List<Entry> page) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      for (Entry entry : page) {
        sent = LogPlace.of(entry);
        String kind = kind(entry.body());
        last |= kind.equals("deleted");
        if (!lines) {
          String head = "id: " + sent.toText() + "\nevent: " + kind + "\ndata: ";
          text.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        }
        String data =
            "{\"generation\":"
                + sent.generation()
                + ",\"at\":\""
                + Instant.ofEpochMilli(entry.at())
                + "\",";
        text.writeBytes(data.getBytes(StandardCharsets.UTF_8));
        text.write(entry.body(), 1, entry.body().length - 1);
        text.writeBytes((lines ? "\n" : "\n\n").getBytes(StandardCharsets.UTF_8));
      }
      send(text.toByteArray());
    }

    /** Sends, and goes on when that has gone. */
    private void send(byte[] piece) {
      lastPiece = System.nanoTime();
      stream.write(piece, () -> threads.execute(this::work), this::lost);
    }

    private void end() {
      if (leave()) {
        stream.end();
      }
    }

    private void lost() {
      leave();
    }

    private synchronized boolean leave() {
      if (over) {
        return false;
      }
      over = true;
      unwatch.run();
      deadlines.remove(this);
      followers.remove(this);
      count.decrementAndGet();
      return true;
    }

    @Override
    public Runnable due(long now) {
      if (now - lastPiece < BEAT_NANOS || beat) {
        return null;
      }
      return () -> {
        beat = true;
        wake();
      };
    }
  }

  /** The kind in an effect's JSON, whose second member it is. */
  private static String kind(byte[] body) {
    String start = new String(body, 0, Math.min(body.length, 64), StandardCharsets.UTF_8);
    String before = "\"kind\":\"";
    int from = start.indexOf(before) + before.length();
    return start.substring(from, start.indexOf('"', from));
  }
}
