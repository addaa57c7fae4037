package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.client.ExecCredentials.Issued;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A credential plug-in of a kubeconfig: a program that prints an {@code ExecCredential} of {@code
 * client.authentication.k8s.io}. It runs without a terminal. Messages contain the end of its error
 * output, and never its output, which holds the secret. Immutable.
 *
 * @param command the program with its arguments
 * @param environment variables in addition to those of this process
 * @param apiVersion the version that the program must speak
 * @param cluster the cluster, for {@code KUBERNETES_EXEC_INFO}; null where it is not provided
 * @param installHint how to install the program; may be empty
 * @param limit the longest that it may run
 */
record ExecPlugin(
    List<String> command,
    Map<String, String> environment,
    String apiVersion,
    ObjectNode cluster,
    String installHint,
    Duration limit)
    implements ExecCredentials.Issuer {
  static final List<String> VERSIONS =
      List.of("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1");

  /** The limit where the kubeconfig cannot set one. */
  static final Duration LIMIT = Duration.ofSeconds(60);

  /** The longest output, in bytes. */
  private static final int MOST_BYTES = 1 << 20;

  /** How much of the error output a message contains, in bytes. */
  private static final int TAIL = 1_000;

  /** A word that may be a token; messages leave it out. */
  private static final Pattern LONG_WORD = Pattern.compile("\\S{100,}");

  /** How long the rest of the output may take once the program has ended, in seconds. */
  private static final long REST = 5;

  @Override
  public Issued issue() throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.environment().put("KUBERNETES_EXEC_INFO", info());
    Process process;
    try {
      process = builder.start();
    } catch (IOException missing) {
      String hint = installHint.isEmpty() ? "" : "; " + installHint.strip();
      throw new IOException(this + " cannot be started: " + missing.getMessage() + hint, missing);
    }
    CompletableFuture<byte[]> output = read(process.getInputStream(), MOST_BYTES + 1);
    CompletableFuture<byte[]> errors = tail(process.getErrorStream());
    try {
      process.getOutputStream().close();
      if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        kill(process);
        throw failed("did not end within " + limit.toSeconds() + " s", errors);
      }
      if (process.exitValue() != 0) {
        throw failed("ended with exit code " + process.exitValue(), errors);
      }
      return issued(output.get(REST, TimeUnit.SECONDS), errors);
    } catch (TimeoutException | ExecutionException unread) {
      throw failed("ended, but its output could not be read", errors);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(this + ": interrupted");
    } finally {
      kill(process);
    }
  }

  /** Also ends what a script has started: it may hold the pipes open. */
  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private String info() {
    ObjectNode info = JsonNodeFactory.instance.objectNode();
    info.put("apiVersion", apiVersion).put("kind", "ExecCredential");
    ObjectNode spec = info.putObject("spec").put("interactive", false);
    if (cluster != null) {
      spec.set("cluster", cluster);
    }
    return new String(ObjectTrees.write(info), StandardCharsets.UTF_8);
  }

  private interface Reading {
    byte[] read() throws IOException;
  }

  private static CompletableFuture<byte[]> read(InputStream in, int most) {
    return inBackground(
        () -> {
          byte[] start = in.readNBytes(most);
          in.transferTo(OutputStream.nullOutputStream());
          return start;
        });
  }

  /** The last bytes of a stream. */
  private static CompletableFuture<byte[]> tail(InputStream in) {
    return inBackground(
        () -> {
          byte[] tail = {};
          byte[] piece = new byte[1 << 12];
          int read;
          while ((read = in.read(piece)) >= 0) {
            byte[] both = Arrays.copyOf(tail, tail.length + read);
            System.arraycopy(piece, 0, both, tail.length, read);
            tail = Arrays.copyOfRange(both, Math.max(0, both.length - TAIL), both.length);
          }
          return tail;
        });
  }

  private static CompletableFuture<byte[]> inBackground(Reading reading) {
    CompletableFuture<byte[]> bytes = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                bytes.complete(reading.read());
              } catch (IOException closed) {
                bytes.completeExceptionally(closed);
              }
            },
            "lighthouse-credential-output");
    thread.setDaemon(true);
    thread.start();
    return bytes;
  }

  private IOException failed(String what, CompletableFuture<byte[]> errors) {
    String tail = "";
    try {
      tail = new String(errors.get(1, TimeUnit.SECONDS), StandardCharsets.UTF_8).strip();
      tail = LONG_WORD.matcher(tail).replaceAll("[...]");
    } catch (ExecutionException | TimeoutException unread) {
      // The message goes without it.
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return new IOException(
        this + " " + what + (tail.isEmpty() ? "; it wrote no error" : "; it wrote: " + tail));
  }

  /** Reads the output. No failure has a cause here: a parser quotes what it reads. */
  private Issued issued(byte[] output, CompletableFuture<byte[]> errors) throws IOException {
    if (output.length > MOST_BYTES) {
      throw failed("printed more than " + MOST_BYTES + " bytes", errors);
    }
    JsonNode answer;
    try {
      answer = ObjectTrees.read(new ByteArrayInputStream(output));
    } catch (JacksonException notJson) {
      throw failed("printed no JSON", errors);
    }
    if (!answer.path("kind").asString("").equals("ExecCredential")) {
      throw failed("printed no ExecCredential", errors);
    }
    String version = answer.path("apiVersion").asString("");
    if (!version.equals(apiVersion)) {
      String found = InvalidInputException.shortened(version);
      throw failed("speaks '" + found + "'; the kubeconfig says " + apiVersion, errors);
    }
    JsonNode status = answer.path("status");
    String token = status.path("token").asString("");
    String certificate = status.path("clientCertificateData").asString("");
    String key = status.path("clientKeyData").asString("");
    if (certificate.isEmpty() != key.isEmpty()) {
      throw failed("printed clientCertificateData or clientKeyData without the other", errors);
    }
    if (token.isEmpty() && key.isEmpty()) {
      throw failed("printed neither a token nor a client certificate", errors);
    }
    try {
      ClientCertificate own =
          key.isEmpty()
              ? null
              : new ClientCertificate(
                  Pem.certificates("clientCertificateData", certificate),
                  Pem.privateKey("clientKeyData", key));
      String expires = status.path("expirationTimestamp").asString("");
      return new Issued(
          new Credential(token.isEmpty() ? null : token, own),
          expires.isEmpty() ? null : OffsetDateTime.parse(expires).toInstant());
    } catch (InvalidInputException wrong) {
      throw failed("printed a credential that cannot be used: " + wrong.getMessage(), errors);
    } catch (DateTimeException noTime) {
      throw failed("printed an expirationTimestamp that is no time of RFC 3339", errors);
    }
  }

  /** The name of the program, for messages. Its arguments may hold secrets. */
  @Override
  public String toString() {
    return "credential plug-in '" + command.get(0) + "'";
  }
}
