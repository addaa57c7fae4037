package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the page of live fleets in a browser, each on a service and a store of its own. */
@Tag("browser")
abstract class OnFleetPage {
  static final Path PICTURES = Path.of(System.getProperty("lighthouse.build"), "page");
  static final String PROD = "/fleets/prod";

  @RegisterExtension static final SharedBrowser SHARED = new SharedBrowser();
  static Browser browser;

  @TempDir Path folder;
  TestService service;

  @BeforeEach
  void show() {
    browser = SHARED.browser();
    browser.prefers("light");
    browser.size(1400, 900);
  }

  @AfterEach
  void close() {
    browser.open(URI.create("about:blank"));
    service.close();
  }

  ServiceSettings settings() {
    return new ServiceSettings().store(folder.resolve("fleets.db"));
  }

  static String json(String text) {
    return text.replace('\'', '"');
  }

  void put(String path, String body) {
    assertThat(service.put(path, json(body)).status()).isEqualTo(201);
  }

  static void load(URI page) {
    browser.load(page);
  }

  static void awaitState(String state) {
    browser.await(state, () -> browser.text("#livestate").contains(state));
  }

  /** How many of them are shown. */
  static String count(String selector) {
    return browser.script(
        "return [...document.querySelectorAll("
            + OpenApi.JSON.valueToTree(selector)
            + ")].filter(o => !o.hidden).length");
  }
}
