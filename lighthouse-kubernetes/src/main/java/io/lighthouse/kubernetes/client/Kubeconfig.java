package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * A kubeconfig file: a cluster, and a user by token, token file or client certificate. What would
 * let others in or run programs (exec and auth-provider plug-ins, passwords, impersonation,
 * unchecked certificates, proxies) is refused by name; {@code kubectl proxy} serves those who need
 * it.
 */
public final class Kubeconfig {
  private static final String SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

  /** Where the ways round a kubeconfig that runs programs are written down. */
  private static final String WAYS = "docs/kubernetes.md, 'A kubeconfig that runs programs'";

  private final Path file;
  private final Map<?, ?> root;

  private Kubeconfig(Path file, Map<?, ?> root) {
    this.file = file;
    this.root = root;
  }

  /**
   * How the cluster is reached: by a file, or from inside a pod.
   *
   * @param file the file; empty inside a pod
   * @param context the context to use; that of the file where it is empty
   * @return how the cluster is reached
   * @throws InvalidInputException as {@link #read} and {@link #inCluster()} say
   */
  public static ClusterAccess access(Optional<Path> file, Optional<String> context) {
    return file.map(path -> read(path, context)).orElseGet(Kubeconfig::inCluster);
  }

  /**
   * Reads a file.
   *
   * @param file the file, YAML or JSON
   * @param context the context to use; that of the file where it is empty
   * @return how the cluster is reached
   * @throws InvalidInputException if it cannot be read, or says what is not supported
   */
  public static ClusterAccess read(Path file, Optional<String> context) {
    Object loaded;
    try {
      loaded =
          new Load(LoadSettings.builder().setLabel(file.toString()).build())
              .loadFromString(Files.readString(file));
    } catch (IOException unreadable) {
      throw new InvalidInputException(
          "kubeconfig", "path", "'" + file + "'", "a file that can be read (" + unreadable + ")");
    } catch (YamlEngineException broken) {
      throw new InvalidInputException(
          "kubeconfig " + file, "the text", "no YAML", "YAML (" + broken.getMessage() + ")");
    }
    if (!(loaded instanceof Map<?, ?> root)) {
      throw new InvalidInputException("kubeconfig " + file, "the text", "no object", "an object");
    }
    return new Kubeconfig(file, root).access(context);
  }

  /**
   * What a pod finds in its container: the server from the environment, token and authority of its
   * service account.
   *
   * @return how the cluster is reached
   * @throws InvalidInputException if this is no pod, or its account has no token
   */
  public static ClusterAccess inCluster() {
    return inCluster(System.getenv(), Path.of(SERVICE_ACCOUNT));
  }

  static ClusterAccess inCluster(Map<String, String> environment, Path account) {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
    if (host.isEmpty() || port.isEmpty()) {
      throw new InvalidInputException(
          "cluster",
          "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT",
          "not set",
          "a start inside a pod, or --kubeconfig FILE");
    }
    try {
      String authority = Files.readString(account.resolve("ca.crt"));
      String literal = host.contains(":") ? "[" + host + "]" : host;
      Path namespace = account.resolve("namespace");
      return new ClusterAccess(
          URI.create("https://" + literal + ":" + port),
          TlsContexts.of(Pem.certificates("ca.crt", authority), List.of(), null),
          BearerToken.ofFile(account.resolve("token")),
          Files.exists(namespace) ? Files.readString(namespace).strip() : "default");
    } catch (IOException unreadable) {
      throw new InvalidInputException(
          "service account", "ca.crt", "not readable", "a mounted account (" + unreadable + ")");
    }
  }

  private ClusterAccess access(Optional<String> wanted) {
    String context = wanted.orElseGet(() -> text(root, "current-context", "current-context"));
    if (context == null || context.isEmpty()) {
      throw wrong("current-context", "missing", "the name of a context, or --context NAME");
    }
    Map<?, ?> chosen = named("contexts", context, "context");
    String where = "contexts '" + context + "'.";
    Map<?, ?> cluster = named("clusters", required(chosen, "cluster", where), "cluster");
    String name = text(chosen, "user", where + "user");
    Map<?, ?> user = name == null ? Map.of() : named("users", name, "user");
    String namespace = text(chosen, "namespace", where + "namespace");
    String clusterWhere = "clusters.cluster.";
    String userWhere = "users.user.";
    refuse(cluster, clusterWhere, "insecure-skip-tls-verify", "certificate-authority");
    refuse(cluster, clusterWhere, "proxy-url", "a server that is reached directly");
    refuse(cluster, clusterWhere, "tls-server-name", "a server whose certificate has its name");
    String other =
        "token, tokenFile, or client-certificate with client-key; or run kubectl proxy,"
            + " and give its address as the server";
    for (String field : new String[] {"exec", "auth-provider"}) {
      refuse(user, userWhere, field, other + " (kubectl runs the program then; " + WAYS + ")");
    }
    for (String field : new String[] {"username", "password", "as"}) {
      refuse(user, userWhere, field, other);
    }
    Optional<String> authority = pem(cluster, clusterWhere, "certificate-authority");
    Optional<String> certificate = pem(user, userWhere, "client-certificate");
    Optional<String> key = pem(user, userWhere, "client-key");
    if (certificate.isPresent() != key.isPresent()) {
      throw wrong(
          userWhere + (certificate.isPresent() ? "client-key" : "client-certificate"),
          "missing",
          "both client-certificate and client-key, or neither");
    }
    List<X509Certificate> trusted =
        authority
            .map(text -> Pem.certificates(place("certificate-authority"), text))
            .orElse(List.of());
    List<X509Certificate> chain =
        certificate
            .map(text -> Pem.certificates(place("client-certificate"), text))
            .orElse(List.of());
    PrivateKey secret = key.map(text -> Pem.privateKey(place("client-key"), text)).orElse(null);
    return new ClusterAccess(
        server(required(cluster, "server", clusterWhere)),
        TlsContexts.of(trusted, chain, secret),
        token(user, userWhere),
        namespace == null ? "default" : namespace);
  }

  private BearerToken token(Map<?, ?> user, String where) {
    String token = text(user, "token", where + "token");
    if (token != null && !token.isEmpty()) {
      return BearerToken.of(token);
    }
    String tokenFile = text(user, "tokenFile", where + "tokenFile");
    return tokenFile == null || tokenFile.isEmpty()
        ? BearerToken.none()
        : BearerToken.ofFile(beside(tokenFile));
  }

  private URI server(String text) {
    try {
      URI uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
      boolean http = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
      if (http && uri.getHost() != null && uri.getQuery() == null && uri.getFragment() == null) {
        return uri;
      }
    } catch (URISyntaxException broken) {
      // Told below.
    }
    throw wrong("clusters.cluster.server", "'" + text + "'", "https://HOST:PORT");
  }

  /** The entry of a list of named entries, and in it the object of the kind's name. */
  private Map<?, ?> named(String list, String name, String kind) {
    if (root.get(list) instanceof List<?> entries) {
      for (Object entry : entries) {
        if (entry instanceof Map<?, ?> map && name.equals(map.get("name"))) {
          if (map.get(kind) instanceof Map<?, ?> found) {
            return found;
          }
          throw wrong(list + " '" + name + "'." + kind, "no object", "an object");
        }
      }
    }
    throw wrong(list, "without '" + name + "'", "an entry of that name");
  }

  /** A text in PEM, from the file that a field names, or inline in Base64 from FIELD-data. */
  private Optional<String> pem(Map<?, ?> map, String where, String field) {
    String data = text(map, field + "-data", where + field + "-data");
    if (data != null && !data.isEmpty()) {
      try {
        return Optional.of(
            new String(Base64.getMimeDecoder().decode(data), StandardCharsets.ISO_8859_1));
      } catch (IllegalArgumentException broken) {
        throw wrong(where + field + "-data", "no Base64", "Base64 of PEM");
      }
    }
    String path = text(map, field, where + field);
    if (path == null || path.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(beside(path), StandardCharsets.ISO_8859_1));
    } catch (IOException unreadable) {
      throw wrong(where + field, "'" + path + "'", "a file that can be read (" + unreadable + ")");
    }
  }

  /** Paths of a kubeconfig count from its own folder. */
  private Path beside(String path) {
    return file.toAbsolutePath().resolveSibling(path);
  }

  private String required(Map<?, ?> map, String field, String where) {
    String value = text(map, field, where + field);
    if (value == null || value.isEmpty()) {
      throw wrong(where + field, "missing", "a text");
    }
    return value;
  }

  /** Null where the field is not there. */
  private String text(Map<?, ?> map, String field, String where) {
    Object value = map.get(field);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw wrong(where, "'" + value + "'", "a text");
  }

  private void refuse(Map<?, ?> map, String where, String field, String allowed) {
    Object value = map.get(field);
    if (value != null && !Boolean.FALSE.equals(value) && !"".equals(value)) {
      // What a password is does not belong into a message.
      throw wrong(where + field, "set, which is not supported", allowed);
    }
  }

  private String place(String field) {
    return "kubeconfig " + file + ", " + field;
  }

  private InvalidInputException wrong(String field, String found, String allowed) {
    return new InvalidInputException("kubeconfig " + file, field, found, allowed);
  }
}
