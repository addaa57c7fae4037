package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The bearer token of requests: none, a fixed one, or that of a file, which is read again.
 * Thread-safe.
 */
public final class BearerToken {
  /** A file is read again after this long: tokens of service accounts live an hour and more. */
  private static final Duration FRESH = Duration.ofSeconds(60);

  /** The file; null for a fixed token. */
  private final Path file;

  private String value;
  private long readAt;

  private BearerToken(Path file, String value) {
    this.file = file;
    this.value = value;
    this.readAt = System.nanoTime();
  }

  /**
   * No token.
   *
   * @return the same for all
   */
  public static BearerToken none() {
    return new BearerToken(null, null);
  }

  /**
   * A token that stays.
   *
   * @param token the token
   * @return it
   */
  public static BearerToken of(String token) {
    return new BearerToken(null, checked("token", token));
  }

  /**
   * The token in a file, which is read now and about every minute.
   *
   * @param file the file
   * @return it
   * @throws InvalidInputException if the file cannot be read or holds no token
   */
  public static BearerToken ofFile(Path file) {
    try {
      return new BearerToken(file, checked(file.toString(), Files.readString(file).strip()));
    } catch (IOException unreadable) {
      throw new InvalidInputException(
          "token file", "path", "'" + file + "'", "a file that can be read (" + unreadable + ")");
    }
  }

  /** A line end in a token would end the header. */
  private static String checked(String where, String token) {
    if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new InvalidInputException(
          where, "the token", "empty or not printable", "visible ASCII characters on one line");
    }
    return token;
  }

  /**
   * The token of now. Where its file cannot be read or holds none at the moment, the last one.
   *
   * @return the token, if there is one
   */
  public synchronized Optional<String> value() {
    if (file != null && System.nanoTime() - readAt > FRESH.toNanos()) {
      readAgain();
    }
    return Optional.ofNullable(value);
  }

  /** Reads the file again at once: the server has refused the token. */
  synchronized void readAgain() {
    if (file == null) {
      return;
    }
    readAt = System.nanoTime();
    try {
      value = checked(file.toString(), Files.readString(file).strip());
    } catch (IOException | InvalidInputException atTheMoment) {
      // The file is being replaced; the old token may still be good, and the next look is soon.
      readAt -= FRESH.toNanos() / 2;
    }
  }
}
