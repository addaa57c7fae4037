package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Credentials of a kubeconfig or a pod. Those in files are read again about every minute, and when
 * the server refuses them. Thread-safe.
 */
final class StoredCredentials implements Credentials {
  /** The age at which files are read again: tokens of service accounts are valid for an hour. */
  private static final Duration FRESH = Duration.ofSeconds(60);

  private final Supplier<Credential> reader;
  private final boolean inFiles;
  private Credential value;
  private long readAt;

  /**
   * Reads the credential for the first time.
   *
   * @param reader reads the credential
   * @param inFiles whether a part of it is in files
   * @throws InvalidInputException if it cannot be read
   */
  StoredCredentials(Supplier<Credential> reader, boolean inFiles) {
    this.reader = reader;
    this.inFiles = inFiles;
    value = reader.get();
    readAt = System.nanoTime();
  }

  @Override
  public synchronized Credential current(long end) {
    if (inFiles && System.nanoTime() - readAt > FRESH.toNanos()) {
      readAgain();
    }
    return value;
  }

  @Override
  public synchronized boolean renew(Credential refused) {
    if (inFiles && value.equals(refused)) {
      readAgain();
    }
    return !value.equals(refused);
  }

  private void readAgain() {
    readAt = System.nanoTime();
    try {
      value = reader.get();
    } catch (InvalidInputException atTheMoment) {
      // A file is being replaced. The old credential may still be good; the next read is soon.
      readAt -= FRESH.toNanos() / 2;
    }
  }
}
