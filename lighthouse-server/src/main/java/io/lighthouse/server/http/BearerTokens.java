package io.lighthouse.server.http;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The tokens of a file, one a line, in the characters that a header may carry (RFC 6750, 2.1). The
 * file is looked at again at most once a second; where it cannot be read any more, or holds none,
 * the last ones stay good and that is logged, once. Tokens are compared as hashes, all of them, in
 * constant time. Thread-safe.
 */
public final class BearerTokens implements Deadlines.Waiting {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");
  private static final String SCHEME = "Bearer ";
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path file;
  private volatile List<byte[]> hashes;
  private FileTime changed;
  private long size;

  /** Why the file could not be used when it was looked at last; null where it could. */
  private String trouble;

  /** Whether somebody looks at it now: never two at once, for a file may be slow. */
  private final AtomicBoolean looking = new AtomicBoolean();

  private volatile long looked = System.nanoTime();

  /**
   * Reads the file.
   *
   * @param file one token a line; blank lines and lines that begin with {@code #} do not count
   * @throws IOException if it cannot be read, or holds no token
   */
  public BearerTokens(Path file) throws IOException {
    this.file = file;
    read();
  }

  /** Whether the value of an Authorization header holds a known token; null for none. */
  boolean accept(String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    byte[] given = hash(authorization.substring(SCHEME.length()).strip());
    boolean known = false;
    for (byte[] hash : hashes) {
      known |= MessageDigest.isEqual(hash, given);
    }
    return known;
  }

  @Override
  public Runnable due(long now) {
    if (now - looked < LOOK_NANOS) {
      return null;
    }
    if (!looking.compareAndSet(false, true)) {
      return null;
    }
    looked = now;
    return this::look;
  }

  private void look() {
    try {
      boolean other = !Files.getLastModifiedTime(file).equals(changed) || Files.size(file) != size;
      if (other) {
        read();
        trouble = null;
        LOG.log(System.Logger.Level.INFO, "the tokens of {0} were read again", file);
      }
    } catch (IOException unusable) {
      changed = null; // To be read again, whatever its time.
      String found = unusable.toString();
      if (!found.equals(trouble)) {
        trouble = found;
        LOG.log(
            System.Logger.Level.WARNING,
            "the token file " + file + " cannot be used; the last tokens stay good: " + found);
      }
    } finally {
      looking.set(false);
    }
  }

  private void read() throws IOException {
    changed = Files.getLastModifiedTime(file);
    size = Files.size(file);
    List<byte[]> found = new ArrayList<>();
    int number = 0;
    for (String line : lines()) {
      number++;
      // Editors of some systems put a byte order mark there.
      String token = (number == 1 && line.startsWith("\ufeff") ? line.substring(1) : line).strip();
      if (token.isEmpty() || token.startsWith("#")) {
        continue;
      }
      if (!token.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
        throw new IOException(
            "line "
                + number
                + " holds a character outside ASCII, which no client can send in a token");
      }
      found.add(hash(token));
    }
    if (found.isEmpty()) {
      throw new IOException("it holds no token");
    }
    hashes = List.copyOf(found);
  }

  private List<String> lines() throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (CharacterCodingException broken) {
      throw new IOException("it is not UTF-8", broken);
    }
  }

  private static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // Every JDK has it.
    }
  }
}
