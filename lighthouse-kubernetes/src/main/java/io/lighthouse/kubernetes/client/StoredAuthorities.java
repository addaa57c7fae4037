package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;

/**
 * The trusted authorities of a kubeconfig or a pod. They are read again for each new connection,
 * because a cluster may replace its authority. Thread-safe.
 */
final class StoredAuthorities implements Supplier<List<X509Certificate>> {
  private final Supplier<List<X509Certificate>> reader;
  private List<X509Certificate> value;

  /**
   * Reads the authorities for the first time.
   *
   * @param reader reads the authorities
   * @throws InvalidInputException if they cannot be read
   */
  StoredAuthorities(Supplier<List<X509Certificate>> reader) {
    this.reader = reader;
    value = reader.get();
  }

  @Override
  public synchronized List<X509Certificate> get() {
    try {
      value = reader.get();
    } catch (InvalidInputException atTheMoment) {
      // A file is being replaced. The old authorities may still be good.
    }
    return value;
  }
}
