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
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The tokens of a file, one a line, in the characters that a header may carry (RFC 6750, 2.1). The
 * file is checked again at most once a second. If it cannot be read any more, or has no token, the
 * last tokens stay valid, and that is logged once. Tokens are compared as hashes, all of them, in
 * constant time. Thread-safe.
 */
public final class BearerTokens implements Deadlines.Waiting {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");
  private static final String SCHEME = "Bearer ";

  /** The number of bytes of the hash that identify a token in the log of a fleet. */
  private static final int NAME_BYTES = 8;

  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path file;
  private volatile List<Known> known;
  private FileTime changed;
  private long size;

  /** Why the file could not be used at the last check; null where it could. */
  private String failure;

  /** Whether a thread checks the file now; only one does at a time, because reading may be slow. */
  private final AtomicBoolean checking = new AtomicBoolean();

  private volatile long lastCheck = System.nanoTime();

  /**
   * Reads the file.
   *
   * @param file one token a line, followed by {@code reader}, {@code placer} or {@code admin}, and
   *     optionally by a fleet, or a prefix of fleets' names with a star. Blank lines and lines that
   *     begin with {@code #} are ignored. A token without a role may do everything, and a warning
   *     is logged
   * @throws IOException if it cannot be read, holds no token, or has a line that cannot be used
   */
  public BearerTokens(Path file) throws IOException {
    this.file = file;
    read();
  }

  /** A token of the file, and its permissions. */
  private record Known(byte[] hash, Grant grant) {}

  /**
   * The permissions of a token, given the value of the Authorization header, or null if there is
   * none; empty where the token is missing or not known.
   */
  Optional<Grant> grant(String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    byte[] given = hash(authorization.substring(SCHEME.length()).strip());
    Grant found = null;
    for (Known one : known) {
      found = MessageDigest.isEqual(one.hash, given) ? one.grant : found;
    }
    return Optional.ofNullable(found);
  }

  @Override
  public Runnable due(long now) {
    if (now - lastCheck < CHECK_NANOS || !checking.compareAndSet(false, true)) {
      return null;
    }
    lastCheck = now;
    return this::check;
  }

  private void check() {
    try {
      boolean other = !Files.getLastModifiedTime(file).equals(changed) || Files.size(file) != size;
      if (other) {
        read();
        failure = null;
        LOG.log(System.Logger.Level.INFO, "the tokens of {0} were read again", file);
      }
    } catch (IOException unusable) {
      changed = null; // To be read again, even if its time has not changed.
      String found = unusable.toString();
      if (!found.equals(failure)) {
        failure = found;
        LOG.log(
            System.Logger.Level.WARNING,
            "the token file " + file + " cannot be used; the last tokens stay good: " + found);
      }
    } finally {
      checking.set(false);
    }
  }

  private void read() throws IOException {
    FileTime time = Files.getLastModifiedTime(file); // First, as the file may change meanwhile.
    long bytes = Files.size(file);
    List<Known> found = new ArrayList<>();
    List<String> withoutRole = new ArrayList<>();
    int number = 0;
    for (String line : lines()) {
      number++;
      // Some editors write a byte order mark.
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
      String[] words = token.split("\\s+");
      if (words.length == 1) {
        withoutRole.add(Integer.toString(number));
      }
      found.add(known(words, number));
    }
    if (found.isEmpty()) {
      throw new IOException("it holds no token");
    }
    known = List.copyOf(found);
    changed = time; // Only here, so that the file is read again where anything was thrown.
    size = bytes;
    if (!withoutRole.isEmpty()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "in the token file {0} these lines name no role, so their tokens may do everything: {1};"
              + " write reader, placer or admin behind each token",
          file,
          String.join(", ", withoutRole));
    }
  }

  /**
   * Reads the words of a line: a token, a role, and a fleet.
   *
   * @throws IOException if the second word is no role, or there are more than three. The message
   *     does not repeat the words, which may be parts of a secret
   */
  private static Known known(String[] words, int number) throws IOException {
    if (words.length == 1) {
      return known(words[0], Grant.Role.ADMIN, "*");
    }
    for (Grant.Role role : Grant.Role.values()) {
      if (words.length <= 3 && role.name().toLowerCase(Locale.ROOT).equals(words[1])) {
        return known(words[0], role, words.length == 3 ? words[2] : "*");
      }
    }
    throw new IOException(
        "line "
            + number
            + (words.length > 3
                ? " has " + words.length + " words"
                : " has a second word that is no role")
            + "; allowed: TOKEN [reader|placer|admin] [FLEET|PREFIX*]");
  }

  private static Known known(String token, Grant.Role role, String scope) {
    byte[] hash = hash(token);
    String name = HexFormat.of().formatHex(hash, 0, NAME_BYTES);
    return new Known(hash, new Grant(name, role, scope));
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
