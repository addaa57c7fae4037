package io.lighthouse.kubernetes.client;

import java.net.URI;
import java.util.Objects;
import javax.net.ssl.SSLContext;

/**
 * Where an API server is, how it is known to be the right one, and as whom it is asked.
 *
 * @param server its address, without a path at the end, such as {@code https://10.0.0.1:6443}
 * @param tls the authorities that are trusted, and the client's certificate where it has one
 * @param token the bearer token; none where a certificate says who asks
 * @param namespace the namespace of the context or of the service account
 */
public record ClusterAccess(URI server, SSLContext tls, BearerToken token, String namespace) {
  /** Checks that nothing is null. */
  public ClusterAccess {
    Objects.requireNonNull(server, "server");
    Objects.requireNonNull(tls, "tls");
    Objects.requireNonNull(token, "token");
    Objects.requireNonNull(namespace, "namespace");
  }
}
