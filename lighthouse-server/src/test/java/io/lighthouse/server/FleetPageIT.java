package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A fleet that lives in the service, followed on its page in a browser while others change it. */
@Tag("browser")
class FleetPageIT {
  private static final Path PICTURES = Path.of(System.getProperty("lighthouse.build"), "page");
  private static final String PROD = "/fleets/prod";
  private static Browser browser;

  @TempDir private Path folder;
  private TestService service;

  @BeforeAll
  static void start(@TempDir Path profile) {
    browser = Browser.start(profile);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.end();
    }
  }

  @BeforeEach
  void keep() {
    browser.prefers("light");
    browser.size(1400, 900);
    service = TestService.start(settings());
    service.put(
        PROD,
        json(
            "{'strategy':'BinPack','rubric':{'cpu':1,'mem':0.5},'nodes':["
                + "{'id':'n1','resources':{'cpu':8,'mem':32}},"
                + "{'id':'n2','resources':{'cpu':8,'mem':32}},"
                + "{'id':'n3','resources':{'cpu':4,'mem':16,'ssd':0}}]}"));
    assign("first", 2);
  }

  private ServiceSettings settings() {
    return new ServiceSettings().store(folder.resolve("fleets.db"));
  }

  @AfterEach
  void stopKeeping() {
    browser.open(URI.create("about:blank"));
    service.close();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private void assign(String name, int cpu) {
    String body =
        "{'workloads':[{'id':'" + name + "','requirements':{'cpu':" + cpu + ",'mem':1}}]}";
    assertThat(service.post(PROD + "/assign-workloads", json(body)).text()).contains("true");
  }

  private void open(URI page) {
    browser.open(URI.create("about:blank"));
    browser.open(page);
    browser.await(
        "the page has placed its problem",
        () -> !browser.script("return document.body.dataset.done || ''").isEmpty());
  }

  private void follow(URI page, String fleet) {
    open(page);
    browser.await("the fleets", () -> browser.text("#fleetlist").contains(fleet));
    browser.click("#fleetlist [data-fleet='" + fleet + "']");
    awaitState("Live");
  }

  private static void awaitState(String state) {
    browser.await(state, () -> browser.text("#livestate").contains(state));
  }

  /** Waits until the page has drawn what the service has now. */
  private void awaitNow() {
    JsonNode fleet = tree(service.get(PROD).text());
    awaitDrawn(fleet.path("generation").asText());
  }

  private static void awaitDrawn(String generation) {
    browser.await(
        "generation " + generation,
        () ->
            browser
                .script("return document.getElementById('live').dataset.generation || ''")
                .equals(generation));
  }

  /** Which workloads the page shows on a node, sorted. */
  private static String shown(String node) {
    return browser.script(
        "return [...document.querySelectorAll(\"#livenodes [data-node='"
            + node
            + "'] .chip\")].map(one => one.innerText).sort().join()");
  }

  /** The page shows what the service has, node by node. */
  private void assertShownAsItIs() {
    awaitNow();
    JsonNode problem = tree(service.get(PROD + "/problem").text());
    assertThat(browser.script("return document.querySelectorAll('#livenodes .node').length"))
        .isEqualTo(String.valueOf(problem.path("nodes").size()));
    for (JsonNode node : problem.path("nodes")) {
      TreeSet<String> held = new TreeSet<>();
      node.path("workloads").forEach(one -> held.add(one.path("name").asText()));
      String name = node.path("name").asText();
      assertThat(name).isNotEmpty();
      assertThat(shown(name)).isEqualTo(String.join(",", held));
      node.path("resources")
          .properties()
          .forEach(
              one -> {
                if (!one.getKey().equals("ssd")) {
                  assertThat(browser.text("#livenodes [data-node='" + name + "']"))
                      .contains(one.getValue().asText() + " of ");
                }
              });
    }
  }

  private static JsonNode tree(String text) {
    try {
      return OpenApi.JSON.readTree(text);
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }

  @Test
  void whatAnotherClientChangesAppearsWithoutReloading() {
    follow(service.uri(), "prod");
    assertThat(browser.text("#livename")).isEqualTo("prod");
    assertThat(browser.text("#liveverdict")).contains("1 workload", "1 of 3 nodes", "bin-pack");
    assertThat(shown("n1") + shown("n2") + shown("n3")).isEqualTo("first");

    assign("second", 8);
    browser.await("it is lit up", () -> !browser.text(".changed .chip").isEmpty());
    assertShownAsItIs();
    String second = tree(service.get(PROD + "/workloads/second").text()).path("node").asText();
    assertThat(shown(second)).contains("second");
    assertThat(browser.text("#livelog")).contains("second came to " + second);
    browser.screenshot(PICTURES.resolve("live.png"));
    browser.prefers("dark");
    browser.screenshot(PICTURES.resolve("live-dark.png"));
    browser.prefers("light");
    browser.await("it is dark again", () -> browser.text(".changed").isEmpty());

    service.put(PROD + "/nodes/n4", json("{'resources':{'cpu':16,'mem':64}}"));
    service.put(PROD + "/nodes/n1", json("{'resources':{'cpu':9.5,'mem':32},'cordoned':true}"));
    assertShownAsItIs();
    assertThat(browser.text("#livenodes [data-node='n1']")).contains("cordoned", "of 9.5 left");
    assertThat(browser.text("#livenodes [data-node='n4']")).contains("16 of 16 left");

    String drain = json("{'nodes':['" + second + "']}");
    service.post(PROD + "/move-workloads", service.post(PROD + "/plan-drain", drain).text());
    assertShownAsItIs();
    String moved = tree(service.get(PROD + "/workloads/second").text()).path("node").asText();
    assertThat(moved).isNotEqualTo(second);
    assertThat(browser.text("#livelog")).contains("move second to " + moved);
    service.delete(PROD + "/workloads/second");
    service.delete(PROD + "/nodes/n4");
    assertShownAsItIs();
    assertThat(browser.text("#livelog")).contains("second was released", "remove-node n4");
    assertThat(browser.text("main")).doesNotContain("undefined", "NaN");
  }

  @Test
  void aStreamThatIsCutAndResumedLosesAndRepeatsNothing() {
    try (CuttingProxy proxy = CuttingProxy.before(service.uri())) {
      follow(proxy.uri(), "prod");
      for (int i = 0; i < 16; i++) {
        assign("w" + i, i % 3 == 0 ? 0 : 1);
        if (i % 4 == 1) {
          awaitState("Live");
          proxy.away(true); // What was just written may be on its way.
          awaitState("Reconnecting");
          proxy.away(false);
        } else if (i % 4 == 3) {
          service.delete(PROD + "/workloads/w" + (i - 1));
        }
      }
      proxy.away(true);
      awaitState("Reconnecting");
      assign("meanwhile", 1);
      proxy.away(false);
      awaitState("Live");
      assertShownAsItIs();
      assertThat(proxy.cuts()).isGreaterThanOrEqualTo(4);
      // Each event came once and in order, and the fleet was taken whole once only.
      assertThat(
              browser.script(
                  "return [...document.querySelectorAll('#livelog b')].map(one => one.innerText)"
                      + ".reverse().join(' ')"))
          .isEqualTo(expectedGenerations());
      assertThat(service.metricsWith("/problem"))
          .containsPattern("route=\"/fleets/\\{fleet}/problem\",status=\"200\"[^}]*} 2\\b");
    }
  }

  /** All since the page was opened, at generation 2. */
  private String expectedGenerations() {
    long newest = tree(service.get(PROD).text()).path("generation").asLong();
    StringBuilder all = new StringBuilder();
    for (long i = 3; i <= newest; i++) {
      all.append(i == 3 ? "g" : " g").append(i);
    }
    return all.toString();
  }

  @Test
  void aServiceThatIsStoppedAndStartedAgainIsFollowedOn() {
    try (CuttingProxy proxy = CuttingProxy.before(service.uri())) {
      follow(proxy.uri(), "prod");
      int port = service.uri().getPort();
      service.close();
      awaitState("Reconnecting");
      service = TestService.start(settings(), port);
      assign("after", 1);
      awaitState("Live");
      assertShownAsItIs();
    }
  }

  @Test
  void fleetsThatComeAndGoAreListedAndTold() {
    follow(service.uri(), "prod");
    service.put("/fleets/second", json("{'nodes':[]}"));
    browser.await("the new one", () -> browser.text("#fleetlist").contains("second"));
    service.delete(PROD, "If-Match", "*");
    awaitState("Deleted");
    browser.await("it is gone", () -> !browser.text("#fleetlist").contains("prod"));
    browser.click("#closelive");
    assertThat(browser.text("#live")).isEmpty();
  }

  @Test
  void aLinkOpensAFleetAndOneThatIsNotThereSaysSo() {
    open(URI.create(service.uri() + "#fleet=prod"));
    awaitState("Live");
    assertThat(shown("n1") + shown("n2") + shown("n3")).isEqualTo("first");
    open(URI.create(service.uri() + "#fleet=none"));
    awaitState("there is no fleet 'none'");
  }

  @Test
  void aThousandNodesAreCellsThatLightUp() {
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      nodes
          .append(i == 0 ? "" : ",")
          .append("{'id':'m")
          .append(i)
          .append("','resources':{'cpu':4}}");
    }
    service.put("/fleets/large", json("{'strategy':'RoundRobin','nodes':[" + nodes + "]}"));
    follow(service.uri(), "large");
    assertThat(browser.script("return document.querySelectorAll('#livenodes button').length"))
        .isEqualTo("1000");
    browser.script("document.querySelector(\"#livenodes [data-cell='m0']\").focus()");
    browser.type(Browser.ENTER);
    assertThat(browser.text("#livecard")).contains("m0", "4 of 4 left");
    service.post(
        "/fleets/large/assign-workloads",
        json(
            "{'workloads':[{'id':'a','requirements':{'cpu':4}},"
                + "{'id':'b','requirements':{'cpu':1}}]}"));
    awaitDrawn("2");
    assertThat(browser.script("return document.querySelectorAll('#livenodes .changed').length"))
        .isEqualTo("2");
    assertThat(browser.text("#livecard")).contains("a", "0 of 4 left");
    assertThat(browser.script("return document.activeElement.getAttribute('aria-label')"))
        .isEqualTo("m0, 100.0\u00a0% full");
    browser.screenshot(PICTURES.resolve("live-heat.png"));
  }

  @Test
  void aTokenIsAskedForAndSentWithTheStream() throws IOException {
    service.close();
    Path tokens = Files.writeString(folder.resolve("tokens"), "secret-token reader prod\n");
    service = TestService.start(settings().tokens(tokens));
    open(service.uri());
    assertThat(browser.text("#kept")).isEmpty();
    browser.script(
        "const t = document.getElementById('token'); t.value = 'secret-token';"
            + "t.dispatchEvent(new Event('change'));");
    browser.await("the fleets", () -> browser.text("#fleetlist").contains("prod"));
    browser.click("#fleetlist [data-fleet='prod']");
    awaitState("Live");
    assertThat(browser.text("#livelog") + shown("n1") + shown("n2") + shown("n3"))
        .isEqualTo("first");
  }

  @Test
  void whereNoFleetsAreKeptThePageAsksForNone() {
    try (TestService plain = TestService.start()) {
      open(plain.uri());
      assertThat(browser.text("#kept")).isEmpty();
      assertThat(plain.metricsWith("lighthouse_")).doesNotContain("status=\"404\"");
    }
  }

  @Test
  void namesAreNeverTakenForHtmlAndMayBeAnything() {
    service.put(
        "/fleets/odd",
        json("{'nodes':[{'id':'<img src=x onerror=alert(1)>','resources':{'__proto__':4}}]}"));
    follow(service.uri(), "odd");
    service.post(
        "/fleets/odd/assign-workloads",
        json("{'workloads':[{'id':'constructor','requirements':{'__proto__':1}}]}"));
    awaitDrawn("2");
    assertThat(browser.text("#livenodes h3")).isEqualTo("<img src=x onerror=alert(1)>");
    assertThat(browser.text("#livenodes")).contains("constructor", "__proto__", "3 of 4 left");
    assertThat(browser.script("return document.querySelectorAll('main img').length"))
        .isEqualTo("0");
  }

  @ParameterizedTest
  @CsvSource({"1400,900,light", "390,800,dark"})
  void axeFindsNothing(int width, int height, String scheme) {
    browser.size(width, height);
    browser.prefers(scheme);
    follow(service.uri(), "prod");
    assign("second", 3);
    awaitNow();
    assertThat(browser.violations()).isEqualTo("[]");
    assertThat(browser.script("return document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo("true");
    if (width < 600) {
      browser.screenshot(PICTURES.resolve("live-phone-" + scheme + ".png"));
    }
  }

  @Test
  void everythingWorksByKeyboardAloneAndOnlyTheConnectionIsReadOut() {
    open(service.uri());
    browser.await("the fleets", () -> browser.text("#fleetlist").contains("prod"));
    for (int i = 0; i < 10 && !focused("fleet").equals("prod"); i++) {
      browser.type(Browser.TAB);
    }
    browser.type(Browser.ENTER);
    awaitState("Live");
    assertThat(focused("fleet")).isEqualTo("prod");
    browser.script(
        "window.spoken = []; new MutationObserver(all => window.spoken.push(...all)).observe("
            + "document.getElementById('livestate'), {childList: true, characterData: true, subtree: true});");
    assign("second", 1);
    assign("third", 1);
    awaitNow();
    assertThat(browser.script("return window.spoken.length")).isEqualTo("0");
    assertThat(browser.script("return document.querySelectorAll('#live [aria-live]').length"))
        .isEqualTo("1");
    browser.type(Browser.ENTER);
    browser.await("closed", () -> browser.text("#live").isEmpty());
    assertThat(focused("fleet")).isEqualTo("prod");
  }

  private static String focused(String kind) {
    return browser.script("return document.activeElement.dataset." + kind + " || ''");
  }
}
