package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a browser, as people use it. Pictures of it are left in target/page. */
class PageIT {
  private static final String CONTROL = "\ue009";
  private static final Path PICTURES = Path.of(System.getProperty("lighthouse.build"), "page");

  private static TestService service;
  private static Browser browser;

  @BeforeAll
  static void start(@TempDir Path profile) {
    Optional<Browser> started = Browser.start(profile);
    assumeTrue(started.isPresent(), "SKIPPED: no chromium and chromedriver on the PATH");
    browser = started.get();
    service = TestService.start();
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      assertThat(browser.complaints())
          .as("complaints of the browser")
          .doesNotContain("Content Security");
      browser.close();
      service.close();
    }
  }

  @BeforeEach
  void open() {
    browser.open(service.uri());
    browser.await("the strategies are listed", () -> browser.text("#strategy").contains("BinPack"));
  }

  private static void place() {
    browser.click("#go");
    browser.await("an answer", () -> !browser.text("#summary, #faults").isEmpty() || faults());
  }

  private static boolean faults() {
    return !browser.text("#faults").isEmpty();
  }

  private static void problem(String json) {
    browser.script(
        "document.getElementById('problem').value = " + OpenApi.JSON.valueToTree(json) + ";");
  }

  @Test
  void placingShowsTheFleetAsBarsAndWhichWorkloadSitsWhere() {
    place();
    assertThat(browser.text("#verdict")).contains("8 of 10 workloads placed", "4 of 4 nodes");
    assertThat(browser.script("return document.querySelectorAll('.node').length")).isEqualTo("4");
    assertThat(browser.text("[data-node='harbour-1']")).contains("harbour-1", "cpu", "mem", "left");
    // Every placed workload is a segment of the bar of each resource that it requires.
    String drawn =
        browser.script(
            "return [...document.querySelectorAll('.gauge svg rect[data-workload]')]"
                + ".map(rect => rect.dataset.workload).sort().join(' ')");
    assertThat(drawn.split(" ")).hasSize(16).contains("db", "web-1", "web-2");
    browser.screenshot(PICTURES.resolve("light.png"));
    browser.prefers("dark");
    browser.screenshot(PICTURES.resolve("dark.png"));
    String ground = browser.script("return getComputedStyle(document.body).backgroundColor");
    browser.prefers("light");
    assertThat(ground)
        .isNotEqualTo(browser.script("return getComputedStyle(document.body).backgroundColor"));
  }

  @Test
  void theBarsAreAsLongAsTheAccountsSay() {
    problem(
        "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":6},\"workloads\":["
            + "{\"id\":\"old\",\"requirements\":{\"cpu\":2}}]}],"
            + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":4}}]}");
    place();
    assertThat(browser.text("[data-node='n'] .gauge")).contains("2 of 8 left");
    JsonNode widths =
        json(
            "return JSON.stringify([...document.querySelectorAll('.gauge rect')]"
                + ".map(rect => Number(rect.getAttribute('width'))))");
    assertThat(widths.get(0).asDouble()).isBetween(245.0, 250.0);
    assertThat(widths.get(1).asDouble()).isBetween(495.0, 500.0);
  }

  @Test
  void aClickOnARefusedWorkloadSaysWhyWithExactNumbers() {
    place();
    browser.click("#refusals [data-workload='training']");
    assertThat(browser.text("#why"))
        .contains("Why not training?", "has no such resource", "gpu", "Lacking");
    assertThat(browser.script("return document.activeElement.id")).isEqualTo("why");
    browser.screenshot(PICTURES.resolve("why.png"));
  }

  @Test
  void everythingWorksByKeyboardAlone() {
    browser.type(Browser.ENTER, CONTROL);
    browser.await("an answer", () -> browser.text("#verdict").contains("8 of 10"));
    for (int i = 0; i < 30 && !focus().equals("training"); i++) {
      browser.type(Browser.TAB);
    }
    assertThat(focus()).isEqualTo("training");
    browser.type(Browser.ENTER);
    assertThat(browser.text("#why")).contains("Why not training?");
  }

  private static String focus() {
    return browser.script("return document.activeElement.dataset.workload || ''");
  }

  @Test
  void aStrategyChosenOnThePageStandsAboveTheProblems() {
    browser.script(
        "const s = document.getElementById('strategy'); s.value = 'Prioritized';"
            + "s.dispatchEvent(new Event('change'));");
    assertThat(browser.text("#about")).contains("the first node that fits");
    place();
    assertThat(browser.text("[data-node='harbour-1'] .chips")).isEqualTo("web-1\ndb\nqueue");
  }

  @Test
  void tagsWardsAndShortcomingsAreTold() {
    browser.script(
        "const e = document.getElementById('example'); e.selectedIndex = 1;"
            + "e.dispatchEvent(new Event('change'));");
    place();
    assertThat(browser.text("#verdict")).contains("4 of 5 workloads placed");
    assertThat(browser.text("[data-node='tagged'] .marks")).contains("tag ssd");
    assertThat(browser.text("[data-node='haunted'] .marks")).contains("ward spiders");
    assertThat(browser.text("[data-node='draughty'] .marks")).contains("made up for");
    browser.screenshot(PICTURES.resolve("wards.png"));
  }

  @Test
  void faultsAreListedAndLeadToTheirPlaces() {
    problem(
        "{\n  \"nodes\": [{\"id\": \"n\", \"resources\": {\"cpu\": \"six\"}}],\n  \"workloads\": 7\n}");
    place();
    assertThat(browser.text("#faults")).contains("/nodes/0/resources/cpu", "/workloads");
    browser.click("#faults button");
    assertThat(
            browser.script(
                "const box = document.getElementById('problem');"
                    + "return box.value.slice(box.selectionStart, box.selectionStart + 5)"))
        .isEqualTo("\"six\"");
    browser.screenshot(PICTURES.resolve("faults.png"));
  }

  @Test
  void whatAProblemSaysIsNeverTakenForHtml() {
    problem(
        "{\"nodes\":[{\"id\":\"<img src=x onerror=alert(1)>\",\"resources\":{\"<b>\":1}}],"
            + "\"workloads\":[{\"id\":\"<i>w</i>\",\"requirements\":{\"<b>\":2}}]}");
    place();
    browser.click("#refusals button");
    assertThat(browser.text("#why")).contains("Why not <i>w</i>?");
    assertThat(browser.text(".node h3")).isEqualTo("<img src=x onerror=alert(1)>");
    assertThat(browser.script("return document.querySelectorAll('main img').length"))
        .isEqualTo("0");
  }

  @Test
  void anyDigitReachesTheServiceAsItWasTyped() {
    problem(
        "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"x\":1234567890.000000001}}],"
            + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"x\":1234567890.000000002}}]}");
    place();
    browser.click("#refusals button");
    assertThat(browser.text("#why")).contains("1234567890.000000002", "0.000000001");
  }

  private static JsonNode json(String script) {
    try {
      return OpenApi.JSON.readTree(browser.script(script));
    } catch (java.io.IOException broken) {
      throw new AssertionError(broken);
    }
  }
}
