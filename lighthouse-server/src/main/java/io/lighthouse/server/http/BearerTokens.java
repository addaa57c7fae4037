package io.lighthouse.server.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The tokens of a file, one a line. The file is looked at again at most once a second; where it
 * cannot be read any more, or holds none, the last ones stay good and that is logged. Tokens are
 * compared as hashes, all of them, in constant time. Thread-safe.
 */
public final class BearerTokens implements Deadlines.Waiting {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");
  private static final String SCHEME = "Bearer ";
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path file;
  private volatile List<byte[]> hashes;
  private FileTime changed;
  private long size;
  private long looked = System.nanoTime();

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
  public void look(long now) {
    if (now - looked < LOOK_NANOS) {
      return;
    }
    looked = now;
    try {
      if (!Files.getLastModifiedTime(file).equals(changed) || Files.size(file) != size) {
        read();
        LOG.log(System.Logger.Level.INFO, "the tokens of {0} were read again", file);
      }
    } catch (IOException unreadable) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the token file " + file + " cannot be used; the last tokens stay good: " + unreadable);
    }
  }

  private void read() throws IOException {
    changed = Files.getLastModifiedTime(file);
    size = Files.size(file);
    List<byte[]> found = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String token = line.strip();
      if (!token.isEmpty() && !token.startsWith("#")) {
        found.add(hash(token));
      }
    }
    if (found.isEmpty()) {
      throw new IOException("it holds no token");
    }
    hashes = List.copyOf(found);
  }

  private static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // Every JDK has it.
    }
  }
}
