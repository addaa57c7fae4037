package io.lighthouse.server.fleets;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.LogPlace;
import io.lighthouse.fleets.live.FleetLog;
import io.lighthouse.fleets.store.LogEvent;
import io.lighthouse.json.log.Effect;
import io.lighthouse.server.fleets.FleetDecision.Submitted;
import io.lighthouse.server.http.AnswerStream;
import io.lighthouse.server.http.ByteBudget;
import io.lighthouse.server.http.Deadlines;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.placement.AnswerBuffer;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Streams of the logs of fleets. Each is read in pages of bytes, at the pace at which its client
 * takes them, and nothing is kept for a slow client. A page of more than {@link AnswerBuffer#FREE}
 * bytes is charged to the budget that bodies and answers share, until its client has taken it;
 * where there is no room, the stream waits. A stream uses a thread only while its log is read, so a
 * slow log delays only its own followers.
 */
public final class FleetEvents implements AutoCloseable {
  /** The form of an answer: events as they happen, or lines up to now. */
  static final List<String> TYPES = List.of("text/event-stream", "application/jsonl");

  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");

  /** The maximum number of entries of a page. */
  private static final int PAGE = 1_000;

  /** The maximum size of the effects in a page of more than one entry, in bytes. */
  private static final int PAGE_BYTES = 1 << 16;

  /** The maximum size of an event without its effect, in bytes. */
  private static final int FRAME_BYTES = 256;

  private static final long BEAT_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** How long a stream waits before it tries to get room again. */
  private static final long ROOM_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Deadlines deadlines;
  private final ByteBudget budget;
  private final int most;
  private final Set<Follower> followers = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();
  private final ExecutorService threads;
  private volatile boolean closed;

  /**
   * Manages event streams; there are none at first.
   *
   * @param deadlines checks when a quiet stream must send a beat
   * @param budget the bytes of all bodies and answers
   * @param most the maximum number of followers at a time
   */
  public FleetEvents(Deadlines deadlines, ByteBudget budget, int most) {
    this.deadlines = deadlines;
    this.budget = budget;
    this.most = most;
    AtomicInteger number = new AtomicInteger();
    threads =
        Executors.newCachedThreadPool(
            work -> {
              Thread thread = new Thread(work, "lighthouse-events-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * The number of followers.
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
   * Lets a client follow a log; invalid requests are refused before the stream begins. The log is
   * found and read in a thread of the streams, so that a slow store holds no place for decisions.
   *
   * @param mayFollow whether the client has the right now; checked before each page and each beat
   */
  Submitted follow(Exchange exchange, Supplier<FleetLog> log, BooleanSupplier mayFollow) {
    boolean lines = exchange.preferred(TYPES).equals(Optional.of(TYPES.get(1)));
    LogPlace after = after(exchange);
    if (closed) {
      throw new FleetException(Kind.CLOSED, "the service is stopping");
    }
    // Before it is counted, as memory may be lacking for it; so are the next two.
    Follower follower = new Follower(lines, after, mayFollow);
    // The stream is the answer, so this completes only where no stream begins.
    CompletableFuture<Answer> refusal = new CompletableFuture<>();
    Runnable beginning =
        () -> {
          try {
            if (!follower.begin(exchange, log.get())) {
              follower.breakOff();
            }
          } catch (Throwable refused) {
            follower.breakOff();
            refusal.completeExceptionally(refused);
          }
        };
    if (count.incrementAndGet() > most) {
      count.decrementAndGet();
      throw new FleetException(
          Kind.OVERLOAD, "the limit of " + Plural.of(most, "follower") + " is reached");
    }
    try {
      threads.execute(beginning);
    } catch (Throwable noThread) {
      follower.breakOff();
      throw noThread;
    }
    return Submitted.of(refusal);
  }

  private static LogPlace after(Exchange exchange) {
    String allowed = "the id of an event, or the generation to go on behind";
    Optional<String> last = Asked.header(exchange, "Last-Event-ID");
    if (last.isPresent()) {
      return LogPlace.of(last.get())
          .orElseThrow(() -> Asked.wrong("Last-Event-ID", last.get(), allowed));
    }
    String after = exchange.parameter("after").orElse("0");
    return LogPlace.of(after)
        .orElseThrow(() -> new InvalidInputException("query", "after", "'" + after + "'", allowed));
  }

  /** One stream. One thread at a time runs it, or none while a piece is being sent. */
  private final class Follower implements Deadlines.Waiting {
    private final boolean lines;
    private final BooleanSupplier mayFollow;

    /** Null before it has begun, as is its answer. */
    private volatile FleetLog log;

    private volatile AnswerStream stream;

    /**
     * Incremented for every reason to check the log again; above 0 while a thread runs the stream.
     */
    private final AtomicInteger reasons = new AtomicInteger(1);

    private volatile Runnable unwatch = () -> {};

    /** The number of rewinds of the store when the stream began. */
    private volatile int rewinds;

    /** The entry that was sent last. */
    private LogPlace sent;

    /** Bytes of the budget for the piece that is being sent. */
    private final AtomicLong held = new AtomicLong();

    private volatile long lastPiece = System.nanoTime();

    /** When there was no room for a page; 0 while the stream does not wait for room. */
    private final AtomicLong withoutRoom = new AtomicLong();

    private volatile boolean beat;
    private boolean last;
    private boolean isRewindSent;
    private boolean over;

    Follower(boolean lines, LogPlace sent, BooleanSupplier mayFollow) {
      this.mayFollow = mayFollow;
      this.lines = lines;
      this.sent = sent;
    }

    /** Begins the answer with the first page; false where the request was answered before. */
    boolean begin(Exchange exchange, FleetLog from) {
      log = from;
      rewinds = from.rewinds();
      Optional<byte[]> first = next();
      if (first.isEmpty()) {
        throw new FleetException(
            Kind.OVERLOAD, "the events are larger than there is room for now; try again");
      }
      exchange.header("X-Accel-Buffering", "no");
      exchange.tag(log.newest(), log.life());
      stream =
          exchange.stream(lines ? TYPES.get(1) : TYPES.get(0) + "; charset=utf-8").orElse(null);
      if (stream == null) {
        return false;
      }
      last |= exchange.method().equals("HEAD"); // Nothing follows the head of its answer.
      followers.add(this);
      deadlines.add(this);
      if (!lines) {
        unwatch = log.watch(this::wake);
      }
      // Also if it is empty, so that the client gets the head of the answer at once.
      send(first.get().length == 0 && !lines ? at() : first.get());
      if (closed) {
        wake(); // The call that ended all streams may not have seen this one.
      }
      return true;
    }

    /** A comment with the generation that the stream has reached. */
    private byte[] at() {
      return (": at " + sent.generation() + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Checks whether there is more to send. Does not block. */
    void wake() {
      if (reasons.getAndIncrement() == 0) {
        schedule();
      }
    }

    private void schedule() {
      try {
        threads.execute(this::work);
      } catch (Throwable noThread) {
        abort(noThread);
      }
    }

    private void work() {
      int seen = reasons.get();
      try {
        if (over) {
          return;
        }
        if (!mayFollow.getAsBoolean()) {
          end(); // The client reconnects, and gets 401, 403 or 404.
          return;
        }
        if (log.rewinds() != rewinds) {
          rewound();
          return;
        }
        Optional<byte[]> page = closed || last ? Optional.of(new byte[0]) : next();
        if (page.isEmpty()) {
          withoutRoom.set(System.nanoTime() | 1); // Its deadline checks again.
        } else if (page.get().length > 0) {
          send(page.get());
        } else if (closed || last || lines) {
          end();
        } else if (beat) {
          beat = false;
          send(at());
        } else if (reasons.addAndGet(-seen) > 0) {
          schedule();
        }
      } catch (FleetException gone) {
        if (gone.kind() == Kind.STALE) {
          rewound();
        } else if (lines) {
          abort(gone); // Otherwise the client would take it for complete.
        } else {
          // The client is behind the kept entries, or the store fails: it reconnects, and gets the
          // reason.
          end();
        }
      } catch (Throwable bug) {
        abort(bug);
      }
    }

    /**
     * The next page in the form that is sent; an empty array where there is none, an empty Optional
     * where it has no room.
     */
    private Optional<byte[]> next() {
      List<LogEvent> page = log.page(sent, PAGE, PAGE_BYTES);
      long bytes = 0;
      for (LogEvent event : page) {
        bytes += event.bytes() + FRAME_BYTES;
      }
      if (bytes > AnswerBuffer.FREE) {
        if (!budget.take(bytes)) {
          if (!budget.covers(bytes)) {
            throw new FleetException(
                Kind.OVERLOAD,
                "an event has "
                    + bytes
                    + " bytes, more than may be in memory; raise"
                    + " --max-in-flight");
          }
          return Optional.empty();
        }
        held.addAndGet(bytes);
      }
      ByteArrayOutputStream text = new ByteArrayOutputStream((int) bytes);
      for (LogEvent event : page) {
        write(event, event.body().orElseGet(() -> log.effect(event)), text);
      }
      return Optional.of(text.toByteArray());
    }

    private void write(LogEvent event, byte[] effect, ByteArrayOutputStream text) {
      sent = LogPlace.of(event);
      String kind = Effect.kindIn(effect);
      last |= kind.equals("deleted");
      if (!lines) {
        String head = "id: " + sent.toText() + "\nevent: " + kind + "\ndata: ";
        text.writeBytes(head.getBytes(StandardCharsets.UTF_8));
      }
      String data =
          "{\"generation\":"
              + sent.generation()
              + ",\"at\":\""
              + Instant.ofEpochMilli(event.at())
              + "\",";
      text.writeBytes(data.getBytes(StandardCharsets.UTF_8));
      text.write(effect, 1, effect.length - 1);
      text.writeBytes((lines ? "\n" : "\n\n").getBytes(StandardCharsets.UTF_8));
    }

    /** The store has lost entries that were sent: notifies the client, which begins anew. */
    private void rewound() {
      last = true;
      if (lines) {
        abort(new FleetException(Kind.STALE, "the store has lost what was sent"));
      } else if (isRewindSent) {
        end();
      } else {
        isRewindSent = true;
        send("event: rewound\ndata: {}\n\n".getBytes(StandardCharsets.UTF_8));
      }
    }

    /** Sends a piece, and continues when it has been sent. */
    private void send(byte[] piece) {
      lastPiece = System.nanoTime();
      stream.write(piece, this::gone, this::leave);
    }

    private void gone() {
      giveBack();
      schedule();
    }

    private void giveBack() {
      budget.giveBack(held.getAndSet(0));
    }

    private void end() {
      if (leave()) {
        stream.end();
      }
    }

    /** Aborts a stream that could not begin. */
    void breakOff() {
      if (leave() && stream != null) {
        stream.abort(new IllegalStateException("the stream could not begin"));
      }
    }

    /** Ends the stream as incomplete. */
    private void abort(Throwable why) {
      if (leave()) {
        try {
          stream.abort(why); // First, as memory may be lacking for the log.
        } finally {
          LOG.log(System.Logger.Level.WARNING, "a stream of events broke off: {0}", why.toString());
        }
      }
    }

    /** Removes the stream and frees what it holds; false where it was removed before. */
    private synchronized boolean leave() {
      if (over) {
        return false;
      }
      over = true;
      count.decrementAndGet();
      followers.remove(this);
      deadlines.remove(this);
      unwatch.run();
      giveBack();
      return true;
    }

    /** Retries a page for which there was no room. */
    private void retryForRoom() {
      if (withoutRoom.getAndSet(0) != 0) {
        schedule();
      }
    }

    @Override
    public Runnable due(long now) {
      long since = withoutRoom.get();
      if (since != 0) {
        return now - since < ROOM_NANOS ? null : this::retryForRoom;
      }
      if (lines || now - lastPiece < BEAT_NANOS || beat) {
        return null;
      }
      return () -> {
        beat = true;
        wake();
      };
    }
  }
}
