package io.lighthouse.kubernetes.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Credentials that a program issues. Each is used until it expires or the server refuses it. The
 * program runs on a thread of its own, at most once at a time, so a call never waits beyond its own
 * time limit. A credential that expires soon is renewed while it is still used. Thread-safe.
 */
final class ExecCredentials implements Credentials {
  /** How long before its expiry a credential is renewed. */
  private static final Duration AHEAD = Duration.ofSeconds(60);

  /**
   * The shortest use of a credential, and the pause after a failure. A clock that is ahead, or a
   * server that refuses everything, does not run the program for each call.
   */
  static final Duration LEAST = Duration.ofSeconds(5);

  interface Issuer {
    /** Issues one; may take long. */
    Issued issue() throws IOException;
  }

  /**
   * A credential with its end.
   *
   * @param expires when it expires; null where the program does not say
   */
  record Issued(Credential credential, Instant expires) {}

  private final Issuer issuer;
  private final Clock wall;
  private final LongSupplier nanos;

  /** The last credential; null before the first, and after a refusal. */
  private Issued issued;

  /** The last failure; null after a success. */
  private IOException failure;

  /** When the program last ended; it counts only after an issue or a failure. */
  private long endedAt;

  /** The run that is under way; null while there is none. */
  private CompletableFuture<Issued> running;

  /**
   * No credential yet.
   *
   * @param wall the clock of expiry times
   * @param nanos the clock of pauses
   */
  ExecCredentials(Issuer issuer, Clock wall, LongSupplier nanos) {
    this.issuer = issuer;
    this.wall = wall;
    this.nanos = nanos;
  }

  @Override
  public Credential current(long end) throws IOException {
    CompletableFuture<Issued> run;
    synchronized (this) {
      Instant now = wall.instant();
      if (issued != null && isBefore(now, AHEAD)) {
        return issued.credential;
      }
      boolean isPaused = isPaused();
      if (running == null && !isPaused) {
        start();
      }
      if (issued != null && (isPaused || isBefore(now, Duration.ZERO))) {
        return issued.credential;
      }
      if (running == null) {
        throw new IOException(failure.getMessage(), failure);
      }
      run = running;
    }
    try {
      return run.get(end - System.nanoTime(), TimeUnit.NANOSECONDS).credential;
    } catch (TimeoutException late) {
      throw new IOException("no credential in time: " + issuer + " still runs", late);
    } catch (ExecutionException failed) {
      throw new IOException(failed.getCause().getMessage(), failed.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(stopped);
      throw interrupted;
    }
  }

  /** Whether the program ended a moment ago. */
  private boolean isPaused() {
    boolean hasEnded = issued != null || failure != null;
    return hasEnded && nanos.getAsLong() - endedAt < LEAST.toNanos();
  }

  /** Whether a time is before the last credential's end, less a margin. */
  private boolean isBefore(Instant now, Duration margin) {
    return issued.expires == null || now.isBefore(issued.expires.minus(margin));
  }

  private void start() {
    CompletableFuture<Issued> run = new CompletableFuture<>();
    running = run;
    Thread thread = new Thread(() -> issue(run), "lighthouse-credential");
    thread.setDaemon(true);
    thread.start();
  }

  private void issue(CompletableFuture<Issued> run) {
    try {
      Issued found = issuer.issue();
      end(found, null);
      run.complete(found);
    } catch (IOException failed) {
      end(null, failed);
      run.completeExceptionally(failed);
    } catch (RuntimeException | Error broken) {
      end(null, new IOException(issuer + " failed: " + broken, broken));
      run.completeExceptionally(broken);
    }
  }

  /** A failure keeps the credential that is there: it may still be good. */
  private synchronized void end(Issued found, IOException failed) {
    if (found != null) {
      issued = found;
    }
    failure = failed;
    endedAt = nanos.getAsLong();
    running = null;
  }

  @Override
  public synchronized boolean renew(Credential refused) {
    if (issued == null || issued.credential != refused) {
      return true;
    }
    if (isPaused()) {
      // It has just been issued: the next one would be refused as well.
      return false;
    }
    issued = null;
    return true;
  }
}
