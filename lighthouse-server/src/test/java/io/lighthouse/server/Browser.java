package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Chromium without a screen, driven over the W3C WebDriver protocol by the chromedriver. */
final class Browser implements AutoCloseable {
  private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
  private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Keys by WebDriver's code points. */
  static final String TAB = "\ue004";

  static final String ENTER = "\ue007";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process driver;
  private final URI session;
  private final List<String> scripts = new ArrayList<>();

  private Browser(Process driver, int port, Path chromium, Path profile) {
    this.driver = driver;
    URI base = URI.create("http://127.0.0.1:" + port + "/session/");
    ObjectNode wanted = OpenApi.JSON.createObjectNode();
    ObjectNode always = wanted.putObject("capabilities").putObject("alwaysMatch");
    always.putObject("goog:loggingPrefs").put("browser", "ALL");
    ObjectNode options = always.putObject("goog:chromeOptions");
    options.put("binary", chromium.toString());
    for (String argument :
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1400,1000",
            "--user-data-dir=" + profile)) {
      options.withArray("args").add(argument);
    }
    JsonNode answer = send("POST", URI.create(base.toString().replaceFirst("/$", "")), wanted);
    session = base.resolve(answer.path("sessionId").asText() + "/");
  }

  /** One with a new empty profile; where there is no Chromium or driver, the tests are skipped. */
  static Browser start(Path profile) {
    Optional<Path> chromium = installed("chromium", "google-chrome");
    Optional<Path> chromedriver = installed("chromedriver");
    assumeTrue(
        chromium.isPresent() && chromedriver.isPresent(),
        "SKIPPED: no chromium and chromedriver on the PATH");
    try {
      Process driver =
          new ProcessBuilder(chromedriver.get().toString(), "--port=0")
              .redirectErrorStream(true)
              .start();
      return new Browser(driver, port(driver), chromium.get(), profile);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static Optional<Path> installed(String... names) {
    for (String name : names) {
      for (String folder : System.getenv("PATH").split(":")) {
        Path path = Path.of(folder, name);
        if (Files.isExecutable(path)) {
          return Optional.of(path);
        }
      }
    }
    return Optional.empty();
  }

  private static int port(Process driver) throws IOException {
    BufferedReader out =
        new BufferedReader(new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8));
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      Matcher matcher = PORT.matcher(line);
      if (matcher.find()) {
        return Integer.parseInt(matcher.group(1));
      }
    }
    throw new IOException("the chromedriver did not start");
  }

  void open(URI page) {
    call("url", OpenApi.JSON.createObjectNode().put("url", page.toString()));
  }

  /** Opens a page anew: another fragment alone would leave the page as it is. */
  void load(URI page) {
    if (page.getFragment() != null) {
      open(URI.create("about:blank"));
    }
    open(page);
  }

  /** Runs a script in every page that is opened from now on, before the page's own. */
  void beforeEveryPage(String script) {
    ObjectNode body =
        OpenApi.JSON.createObjectNode().put("cmd", "Page.addScriptToEvaluateOnNewDocument");
    body.putObject("params").put("source", script);
    scripts.add(call("goog/cdp/execute", body).path("identifier").asText());
  }

  /** Runs no script more before those of a page. */
  void forgetScripts() {
    for (String script : scripts) {
      ObjectNode body =
          OpenApi.JSON.createObjectNode().put("cmd", "Page.removeScriptToEvaluateOnNewDocument");
      body.putObject("params").put("identifier", script);
      call("goog/cdp/execute", body);
    }
    scripts.clear();
  }

  /** Runs a script in the page; answers what it returns, as text. */
  String script(String script) {
    ObjectNode body = OpenApi.JSON.createObjectNode().put("script", script);
    body.putArray("args");
    JsonNode answer = call("execute/sync", body);
    return answer.isTextual() ? answer.asText() : answer.toString();
  }

  /** The text of what a selector finds; empty where it finds nothing that can be seen. */
  String text(String selector) {
    return script(
        "const one = document.querySelector("
            + OpenApi.JSON.valueToTree(selector)
            + "); return one && one.checkVisibility() ? one.innerText : '';");
  }

  /** Waits until something holds. */
  void await(String what, Supplier<Boolean> holds) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.get()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "not within " + PATIENCE + ": " + what + "; the page says: " + text("body"));
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  void click(String selector) {
    ObjectNode find =
        OpenApi.JSON.createObjectNode().put("using", "css selector").put("value", selector);
    String element = call("element", find).path(ELEMENT).asText();
    call("element/" + element + "/click", OpenApi.JSON.createObjectNode());
  }

  /** Types into whatever has the focus; some of the keys held down. */
  void type(String keys, String... held) {
    ObjectNode body = OpenApi.JSON.createObjectNode();
    ObjectNode source = body.putArray("actions").addObject().put("type", "key").put("id", "keys");
    var actions = source.putArray("actions");
    for (String key : held) {
      actions.addObject().put("type", "keyDown").put("value", key);
    }
    keys.codePoints()
        .mapToObj(Character::toString)
        .forEach(
            key -> {
              actions.addObject().put("type", "keyDown").put("value", key);
              actions.addObject().put("type", "keyUp").put("value", key);
            });
    for (String key : held) {
      actions.addObject().put("type", "keyUp").put("value", key);
    }
    call("actions", body);
  }

  /** Lets the page believe that its reader prefers dark or light. */
  void prefers(String scheme) {
    ObjectNode body = OpenApi.JSON.createObjectNode().put("cmd", "Emulation.setEmulatedMedia");
    body.putObject("params")
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", scheme);
    call("goog/cdp/execute", body);
  }

  /** Lets the page believe that its window has this size. */
  void size(int width, int height) {
    ObjectNode body =
        OpenApi.JSON.createObjectNode().put("cmd", "Emulation.setDeviceMetricsOverride");
    body.putObject("params")
        .put("width", width)
        .put("height", height)
        .put("deviceScaleFactor", 1)
        .put("mobile", width < 600);
    call("goog/cdp/execute", body);
  }

  /** Runs a script that hands its answer to a function, {@code done}; answers it as text. */
  String scriptLater(String script) {
    ObjectNode body =
        OpenApi.JSON
            .createObjectNode()
            .put("script", "const done = arguments[arguments.length - 1]; " + script);
    body.putArray("args");
    JsonNode answer = call("execute/async", body);
    return answer.isTextual() ? answer.asText() : answer.toString();
  }

  /** What axe-core finds wrong with the accessibility of the page as it is now: a JSON array. */
  String violations() {
    if (script("return window.axe ? 'there' : ''").isEmpty()) {
      try (InputStream axe = Browser.class.getClassLoader().getResourceAsStream("axe.min.js")) {
        String code = new String(axe.readAllBytes(), StandardCharsets.UTF_8);
        script(code + "; window.axe = axe; return 1;");
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }
    // Of what else it finds nothing is put together.
    return scriptLater(
        "window.axe.run({resultTypes: ['violations']}).then(found => done(JSON.stringify(found.violations.map(one => one.id + ': '"
            + " + one.nodes.slice(0, 3).map(node => node.html.slice(0, 120)).join(' | ')))));");
  }

  /** Fails where axe-core finds something wrong with the page as it is now, in light or in dark. */
  void assertNoViolations() {
    for (String scheme : List.of("light", "dark")) {
      prefers(scheme);
      assertThat(violations()).as(scheme).isEqualTo("[]");
    }
  }

  /** Fails if since the last time a page did what its policy forbids. */
  void assertNoComplaints() {
    assertThat(complaints()).as("complaints of the browser").doesNotContain("Content Security");
  }

  /** What the browser complained of since the last time: errors, broken policies. */
  private String complaints() {
    return call("se/log", OpenApi.JSON.createObjectNode().put("type", "browser")).toString();
  }

  void screenshot(Path file) {
    try {
      Files.createDirectories(file.getParent());
      JsonNode image = send("GET", session.resolve("screenshot"), null);
      Files.write(file, Base64.getDecoder().decode(image.asText()));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /**
   * The greatest difference of two squares of two pictures, from 0 to 255. A square counts with its
   * mean colour, so that fonts and edges hardly count. Leaves the page.
   */
  int difference(Path one, Path other) {
    open(URI.create("about:blank"));
    return Integer.parseInt(
        scriptLater(
            """
            const side = 50;
            const squares = async data => {
              const image = new Image();
              image.src = 'data:image/png;base64,' + data;
              await image.decode();
              const canvas = document.createElement('canvas');
              canvas.width = image.width;
              canvas.height = image.height;
              const drawn = canvas.getContext('2d');
              drawn.drawImage(image, 0, 0);
              const sums = {};
              const pixels = drawn.getImageData(0, 0, image.width, image.height).data;
              for (let i = 0; i < pixels.length; i++) {
                const x = Math.floor(((i >> 2) %% image.width) / side);
                const y = Math.floor(Math.floor((i >> 2) / image.width) / side);
                const sum = sums[[x, y, i %% 4]] ||= [0, 0];
                sum[0] += pixels[i];
                sum[1]++;
              }
              return Object.fromEntries(Object.entries(sums).map(([at, [sum, n]]) => [at, sum / n]));
            };
            Promise.all([squares('%s'), squares('%s')]).then(([a, b]) => {
              const all = [...new Set([...Object.keys(a), ...Object.keys(b)])];
              const most = Math.max(
                  ...all.map(at => at in a && at in b ? Math.abs(a[at] - b[at]) : 255));
              done(String(Math.round(most)));
            }, failed => done(String(failed)));
            """
                .formatted(base64(one), base64(other))));
  }

  private static String base64(Path file) {
    try {
      return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private JsonNode call(String command, ObjectNode body) {
    return send("POST", session.resolve(command), body);
  }

  private JsonNode send(String method, URI uri, ObjectNode body) {
    HttpRequest.BodyPublisher publisher =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body.toString());
    try {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(uri)
                  .header("Content-Type", "application/json")
                  .method(method, publisher)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      JsonNode value = OpenApi.JSON.readTree(response.body()).path("value");
      if (response.statusCode() != 200) {
        throw new AssertionError(uri + ": " + value.path("message").asText());
      }
      return value;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AssertionError(stopped);
    }
  }

  @Override
  public void close() {
    try {
      send("DELETE", URI.create(session.toString().replaceFirst("/$", "")), null);
    } finally {
      driver.destroy();
    }
  }
}
