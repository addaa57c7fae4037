package io.lighthouse.kubernetes.client;

import java.net.URI;
import java.util.Optional;

/**
 * Where an API server is, how its certificate is checked, and as whom it is called.
 *
 * @param server its address, without a path at the end, such as {@code https://10.0.0.1:6443}
 * @param trust how its certificate is checked
 * @param credentials the identity of the caller
 * @param proxy the proxy on the way, if there is one
 */
public record ClusterAccess(
    URI server, ServerTrust trust, Credentials credentials, Optional<ProxyServer> proxy) {}
