package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.config.ConfigFile;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SNIHostName;

/**
 * A kubeconfig file: a cluster, and a user by token, token file, client certificate or credential
 * plug-in. Fields that are not supported (passwords, auth-provider, impersonation) are refused by
 * name.
 */
public final class Kubeconfig {
  private static final String SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

  /** The ways to identify the caller. */
  private static final String USER =
      "token, tokenFile, client-certificate with client-key, or exec";

  private final KubeconfigSection root;
  private final Map<String, String> environment;

  private Kubeconfig(KubeconfigSection root, Map<String, String> environment) {
    this.root = root;
    this.environment = environment;
  }

  /**
   * How the cluster is reached: by a file, or from inside a pod.
   *
   * @param file the file, YAML or JSON; empty inside a pod
   * @param context the context to use; that of the file where it is empty
   * @throws InvalidInputException if the file cannot be read, or says what is not supported; or if
   *     this is no pod, or its account has no token
   */
  public static ClusterAccess access(Optional<Path> file, Optional<String> context) {
    return file.map(path -> read(path, context, System.getenv()))
        .orElseGet(() -> inCluster(System.getenv(), Path.of(SERVICE_ACCOUNT)));
  }

  static ClusterAccess read(Path file, Optional<String> context, Map<String, String> environment) {
    Map<?, ?> fields = ConfigFile.read("kubeconfig " + file, file);
    return new Kubeconfig(new KubeconfigSection(file, "", fields), environment).access(context);
  }

  /**
   * What a pod finds in its container: the server from the environment, token and authority of its
   * service account.
   */
  static ClusterAccess inCluster(Map<String, String> environment, Path account) {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
    if (host.isEmpty() || port.isEmpty()) {
      throw new InvalidInputException(
          "cluster",
          "kubeconfig",
          "missing",
          "--kubeconfig FILE, or a start inside a pod, where KUBERNETES_SERVICE_HOST and"
              + " KUBERNETES_SERVICE_PORT are set");
    }
    String literal = host.contains(":") ? "[" + host + "]" : host;
    URI server = URI.create("https://" + literal + ":" + port);
    return new ClusterAccess(
        server,
        ServerTrust.of(
            new StoredAuthorities(
                () -> Pem.certificates("ca.crt", readOfAccount(account, "ca.crt")))),
        new StoredCredentials(
            () -> new Credential(readOfAccount(account, "token").strip(), null), true),
        ProxyServer.ofEnvironment(server, environment));
  }

  private static String readOfAccount(Path account, String file) {
    try {
      return Files.readString(account.resolve(file));
    } catch (IOException unreadable) {
      throw new InvalidInputException(
          "service account", file, "not readable", "a mounted account (" + unreadable + ")");
    }
  }

  private ClusterAccess access(Optional<String> wanted) {
    String name =
        wanted
            .or(() -> root.text("current-context"))
            .orElseThrow(
                () ->
                    root.wrong(
                        "current-context", "missing", "the name of a context, or --context NAME"));
    KubeconfigSection context = root.named("contexts", name, "context");
    KubeconfigSection cluster = root.named("clusters", context.required("cluster"), "cluster");
    KubeconfigSection user =
        context
            .text("user")
            .map(of -> root.named("users", of, "user"))
            .orElseGet(() -> new KubeconfigSection(root.file(), "users.user.", Map.of()));
    URI server = server(cluster);
    return new ClusterAccess(
        server,
        trust(cluster),
        credentials(user, cluster),
        cluster
            .text("proxy-url")
            .map(ProxyServer::of)
            .or(() -> ProxyServer.ofEnvironment(server, environment)));
  }

  private static URI server(KubeconfigSection cluster) {
    String text = cluster.required("server");
    try {
      URI uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
      boolean http = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
      boolean host = uri.getHost() != null && uri.getPort() <= ProxyServer.MOST_PORT;
      if (http && host && uri.getQuery() == null && uri.getFragment() == null) {
        return uri;
      }
    } catch (URISyntaxException broken) {
      // Told below.
    }
    String shown = text.replaceFirst("//[^/]*@", "//"); // Without a password.
    throw cluster.wrong("server", "'" + shown + "'", "https://HOST:PORT");
  }

  private static ServerTrust trust(KubeconfigSection cluster) {
    StoredAuthorities authorities = new StoredAuthorities(() -> authorities(cluster));
    boolean unchecked = cluster.isTrue("insecure-skip-tls-verify");
    if (unchecked && !authorities.get().isEmpty()) {
      throw cluster.wrong(
          "insecure-skip-tls-verify", "set with certificate-authority", "one of the two");
    }
    return new ServerTrust(authorities, serverName(cluster), unchecked);
  }

  /** A name that a TLS handshake can send. */
  private static Optional<String> serverName(KubeconfigSection cluster) {
    Optional<String> name = cluster.text("tls-server-name");
    try {
      name.ifPresent(SNIHostName::new);
    } catch (IllegalArgumentException noName) {
      throw cluster.wrong("tls-server-name", "'" + name.get() + "'", "the name of a host");
    }
    return name;
  }

  private static List<X509Certificate> authorities(KubeconfigSection cluster) {
    return cluster
        .pem("certificate-authority")
        .map(text -> Pem.certificates(place(cluster, "certificate-authority"), text))
        .orElse(List.of());
  }

  private static Credentials credentials(KubeconfigSection user, KubeconfigSection cluster) {
    user.refuse("auth-provider", USER + "; Kubernetes itself has replaced it by exec");
    for (String field : List.of("username", "password", "as", "as-uid", "as-groups")) {
      user.refuse(field, USER);
    }
    boolean inFiles = false;
    boolean stored = false;
    for (String field : List.of("token", "tokenFile", "client-certificate", "client-key")) {
      inFiles |= !field.equals("token") && user.text(field).isPresent();
      stored |= user.text(field).isPresent() || user.text(field + "-data").isPresent();
    }
    Optional<KubeconfigSection> exec = user.section("exec");
    if (exec.isPresent()) {
      if (stored) {
        throw user.wrong("exec", "set beside a token or a certificate", "one of them");
      }
      ExecPlugin plugin = ExecSection.read(exec.get(), cluster);
      return new ExecCredentials(plugin, Clock.systemUTC(), System::nanoTime);
    }
    AtomicReference<String> lastToken = new AtomicReference<>(user.text("token").orElse(null));
    return new StoredCredentials(() -> stored(user, lastToken), inFiles);
  }

  /**
   * The credential that the user's section and its files hold now.
   *
   * @param lastToken the token of the last read; before the first one the field {@code token}
   */
  private static Credential stored(KubeconfigSection user, AtomicReference<String> lastToken) {
    if (user.text("tokenFile").isPresent()) {
      try {
        String text = user.content("tokenFile", StandardCharsets.UTF_8).strip();
        lastToken.set(new Credential(text, null).token());
      } catch (InvalidInputException unusable) {
        if (user.text("token").isEmpty()) {
          throw unusable;
        }
      }
    }
    String token = lastToken.get();
    Optional<String> certificate = user.pem("client-certificate");
    Optional<String> key = user.pem("client-key");
    if (certificate.isPresent() != key.isPresent()) {
      throw user.wrong(
          certificate.isPresent() ? "client-key" : "client-certificate",
          "missing",
          "both client-certificate and client-key, or neither");
    }
    if (certificate.isEmpty()) {
      return new Credential(token, null);
    }
    return new Credential(
        token,
        new ClientCertificate(
            Pem.certificates(place(user, "client-certificate"), certificate.get()),
            Pem.privateKey(place(user, "client-key"), key.get())));
  }

  private static String place(KubeconfigSection section, String field) {
    return "kubeconfig " + section.file() + ", " + field;
  }
}
