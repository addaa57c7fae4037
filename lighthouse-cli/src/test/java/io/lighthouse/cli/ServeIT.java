package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service as a process of its own, from outside: its documentation, its signals, its codes. */
class ServeIT {
  private static final Path ROOT = Path.of(System.getProperty("lighthouse.root"));
  private static final String DOCUMENTED = "http://127.0.0.1:8087/";
  private static final String SOUND = "{\"nodes\":[],\"workloads\":[]}";

  @TempDir private Path folder;

  /** A command that runs; its standard output is read line by line, its errors go to a file. */
  private final class Running implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final Path errors;

    Running(List<String> command, Map<String, String> environment) throws IOException {
      errors = Files.createTempFile(folder, "errors", ".txt");
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
      builder.environment().putAll(environment);
      process = builder.start();
      out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Where it listens; waits until it does. */
    String uri() throws IOException {
      String line = out.readLine();
      assertThat(line).as(errors()).startsWith("lighthouse listens on ");
      return line.substring("lighthouse listens on ".length());
    }

    int exit() throws InterruptedException {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    }

    String errors() throws IOException {
      return Files.readString(errors);
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private Running serve(String... options) throws IOException {
    return serve(Map.of(), options);
  }

  private Running serve(Map<String, String> environment, String... options) throws IOException {
    List<String> command = Launch.command();
    command.add("serve");
    command.addAll(List.of(options));
    return new Running(command, environment);
  }

  private static String curl(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("curl", "-sS", "--max-time", "60"));
    command.addAll(List.of(words));
    return output(command);
  }

  private static String output(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream out = process.getInputStream()) {
      return new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * The launcher in a checkout that was built, with what this build has made: {@code .ci/run}
   * starts the one that builds.
   */
  private Path launcher() throws IOException {
    Path checkout = folder.resolve("checkout");
    for (String file : List.of("lighthouse", "pom.xml", "lighthouse-bom/pom.xml")) {
      Path copy = checkout.resolve(file);
      Files.createDirectories(copy.getParent());
      Files.copy(ROOT.resolve(file), copy, StandardCopyOption.COPY_ATTRIBUTES);
    }
    Path built = Files.createDirectories(checkout.resolve("target/launcher"));
    Files.createSymbolicLink(built.resolve("modules"), Launch.MODULES);
    Files.writeString(built.resolve("current"), "modules\n");
    return checkout.resolve("lighthouse");
  }

  @Test
  void everyExampleOfTheDocumentationGetsItsAnswerFromTheLauncher() throws Exception {
    String page =
        Files.readString(ROOT.resolve("docs/http-examples.md"))
            + Files.readString(ROOT.resolve("docs/http.md"));
    Matcher examples =
        Pattern.compile("```sh\n(curl .*?)\n```\n```json\n(.*?)\n```", Pattern.DOTALL)
            .matcher(page);
    String launcher = launcher().toString();
    try (Running service =
        new Running(
            List.of(launcher, "serve"),
            Map.of("LIGHTHOUSE_PORT", "0", "JAVA_HOME", System.getProperty("java.home")))) {
      String uri = service.uri();
      int count = 0;
      while (examples.find()) {
        String call = examples.group(1);
        assertThat(call).contains(DOCUMENTED);
        assertThat(
                output(
                    List.of(
                        "bash",
                        "-c",
                        call.replace(DOCUMENTED, uri).replaceFirst("curl", "curl -sS"))))
            .as(call)
            .isEqualTo(examples.group(2));
        count++;
      }
      assertThat(count).isEqualTo(18);
      service.process.destroy();
      assertThat(service.exit()).isZero();
    }
  }

  @Nested
  class Life {
    @Test
    void aTermSignalEndsItInOrderWhileACallRuns() throws Exception {
      try (Running service = serve("--port", "0", "--log", "info")) {
        String uri = service.uri();
        Process slow =
            new ProcessBuilder(
                    "bash",
                    "-c",
                    "(printf '{\"nodes\":[],'; sleep 1.5; printf '\"workloads\":[]}') | curl -sS -T - -X POST "
                        + uri
                        + "assign-workloads")
                .start();
        while (!curl(uri + "metrics").contains("lighthouse_bytes_in_flight 12.0")) {
          Thread.onSpinWait();
        }
        // Not by Process.destroy, which closes what there is still to read.
        service.process.toHandle().destroy();
        assertThat(service.exit()).isZero();
        assertThat(service.out.lines()).containsExactly("lighthouse stopped");
        assertThat(new String(slow.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .isEqualTo("{\"successful\":true,\"assignments\":{}}");
        // One line a request, of JSON.
        assertThat(service.errors().lines())
            .anyMatch(line -> line.matches("\\{\"time\":.*\"status\":200,.*\"bytes_in\":27,.*}"));
      }
    }

    @Test
    void killedItLeavesNothingBehindAndStartsAgainOnItsPort() throws Exception {
      String port;
      try (Running service = serve("--port", "0", "--log", "off")) {
        String uri = service.uri();
        port = uri.replaceFirst(".*:([0-9]+)/", "$1");
        assertThat(curl("--data", SOUND, uri + "assign-workloads")).contains("true");
        service.process.destroyForcibly();
        assertThat(service.exit()).isEqualTo(128 + 9);
        assertThat(service.errors()).isEmpty();
      }
      try (Running service = serve("--port", port, "--log", "off")) {
        assertThat(curl("--data", SOUND, service.uri() + "assign-workloads")).contains("true");
      }
    }

    @Test
    void limitsOfAFileGiveWayToOptions() throws Exception {
      Path config = folder.resolve("serve.yaml");
      Files.writeString(config, "max-nodes: 1\nmax-depth: 3\n");
      String two =
          SOUND.replaceFirst(
              "\\[]", "[{\"id\":\"a\",\"resources\":{}},{\"id\":\"b\",\"resources\":{}}]");
      try (Running service =
          serve("--port", "0", "--config", config.toString(), "--max-depth", "9")) {
        assertThat(curl("--data", two, service.uri() + "assign-workloads"))
            .contains("\"status\":413", "at most 1 node\"");
      }
      try (Running service =
          serve("--port", "0", "--config", config.toString(), "--max-nodes", "9")) {
        assertThat(curl("--data", two, service.uri() + "assign-workloads"))
            .contains("\"status\":413", "at most 3 levels");
      }
    }

    @Test
    void everyOptionIsAnEnvironmentVariableAndGivesWayToTheOption() throws Exception {
      Map<String, String> environment =
          Map.of(
              "LIGHTHOUSE_PORT",
              "1",
              "LIGHTHOUSE_MAX_NODES",
              "1",
              "LIGHTHOUSE_LOG",
              "off",
              "LIGHTHOUSE_CORS_ORIGIN",
              "",
              "LIGHTHOUSE_HOST",
              "");
      try (Running service = serve(environment, "--port", "0")) {
        String two =
            SOUND.replaceFirst(
                "\\[]", "[{\"id\":\"a\",\"resources\":{}},{\"id\":\"b\",\"resources\":{}}]");
        assertThat(curl("--data", two, service.uri() + "assign-workloads"))
            .contains("\"status\":413", "at most 1 node\"");
      }
    }
  }

  @Nested
  class Trouble {
    private void fails(int code, String message, String... options) throws Exception {
      try (Running service = serve(options)) {
        assertThat(service.exit()).as(service.errors()).isEqualTo(code);
        assertThat(service.errors()).contains(message).doesNotContain("Exception", "\tat ");
        assertThat(service.out.readLine()).isNull();
      }
    }

    @Test
    void aPortInUseIsCode3() throws Exception {
      try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
        String port = Integer.toString(taken.getLocalPort());
        fails(3, "cannot listen on 127.0.0.1:" + port + ": the port is in use", "--port", port);
      }
    }

    @Test
    void anAddressOfNobodyHereIsCode3() throws Exception {
      fails(
          3,
          "cannot listen on 192.0.2.1:0: the address is none of this machine",
          "--bind",
          "192.0.2.1",
          "--port",
          "0");
    }

    @Test
    void aPluginDirectoryThatIsNoneIsCode2() throws Exception {
      fails(
          2,
          "'--plugins': '" + folder.resolve("nowhere") + "' cannot be read; allowed: a directory",
          "--plugins",
          folder.resolve("nowhere").toString());
    }

    @Test
    void aTokenFileThatCannotBeReadIsCode2() throws Exception {
      fails(2, "cannot use the token file " + folder + ": ", "--token-file", folder.toString());
      Path empty = Files.writeString(folder.resolve("empty"), "# nothing\n");
      fails(2, "it holds no token", "--token-file", empty.toString());
    }

    @Test
    void aKeystoreThatIsNoneIsCode2() throws Exception {
      Path password = Files.writeString(folder.resolve("password"), "secret\n");
      Path broken = Files.writeString(folder.resolve("broken.p12"), "no keystore");
      String missing = folder.resolve("missing.p12").toString();
      fails(
          2,
          "cannot use the keystore " + missing + ": there is no such file",
          "--tls-keystore",
          missing,
          "--tls-password-file",
          password.toString());
      fails(
          2,
          "cannot use the keystore " + broken,
          "--tls-keystore",
          broken.toString(),
          "--tls-password-file",
          password.toString());
      fails(2, "go together", "--tls-keystore", missing);
    }

    @Test
    void wrongUseIsCode2() throws Exception {
      fails(2, "'--port': 'many' is not a whole number from 0 to 65535", "--port", "many");
      fails(2, "'--port': '70000' is not a whole number from 0 to 65535", "--port", "70000");
      fails(
          2,
          "--decision-timeout is 'fast'; allowed: a time such as 500ms",
          "--decision-timeout",
          "fast");
      fails(2, "--max-body is 'big'; allowed: a size such as 65536", "--max-body", "big");
    }

    @Test
    void aBrokenPluginIsNamedAndHidesNoOther() throws Exception {
      Path plugins = Files.createDirectory(folder.resolve("plugins"));
      Files.writeString(plugins.resolve("broken.jar"), "no jar");
      try (Running service = serve("--port", "0", "--plugins", plugins.toString())) {
        String uri = service.uri();
        assertThat(service.errors()).contains("a strategy cannot be used", "broken.jar");
        assertThat(curl(uri + "strategies")).contains("round-robin", "broken.jar");
        assertThat(curl("--data", SOUND, uri + "assign-workloads")).contains("true");
      }
    }
  }

  @Test
  void tlsAndTokensTogether() throws Exception {
    Path keystore = folder.resolve("service.p12");
    output(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "service",
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-storetype",
            "PKCS12",
            "-keystore",
            keystore.toString(),
            "-storepass",
            "changeit"));
    Path password = Files.writeString(folder.resolve("password"), "changeit\n");
    Path tokens =
        Files.writeString(folder.resolve("tokens"), "# ours\n\nfirst-token\nsecond-token\n");
    try (Running service =
        serve(
            "--port",
            "0",
            "--log",
            "off",
            "--tls-keystore",
            keystore.toString(),
            "--tls-password-file",
            password.toString(),
            "--token-file",
            tokens.toString())) {
      String uri = service.uri();
      assertThat(uri).startsWith("https://");
      String call = uri + "assign-workloads";
      assertThat(curl("-k", "--data", SOUND, call)).contains("\"status\":401");
      assertThat(curl("-k", "-H", "Authorization: Bearer second-token", "--data", SOUND, call))
          .isEqualTo("{\"successful\":true,\"assignments\":{}}");
      assertThat(curl("-k", "-H", "Authorization: Bearer second", "--data", SOUND, call))
          .contains("\"status\":401");
      assertThat(curl("-k", uri + "health/ready")).contains("ready");
      assertThat(curl("-k", uri + "metrics")).contains("\"status\":401");
    }
  }
}
