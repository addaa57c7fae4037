package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.Retention;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.Stores;
import io.lighthouse.postgres.PostgresServer;
import io.lighthouse.postgres.TestProxy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A fleet that lives in the service, followed on its page in a browser while others change it. */
class FleetPageIT extends OnFleetPage {
  /** The page asks for the list every 5 s; here every half second. */
  @BeforeAll
  static void hurry() {
    SHARED
        .browser()
        .beforeEveryPage(
            "{ const real = window.setInterval; window.setInterval = (what, every, ...more) =>"
                + " real(what, every === 5000 ? 500 : every, ...more); }");
  }

  @BeforeEach
  void keep() {
    service = TestService.start(settings());
    put(
        PROD,
        "{'strategy':'BinPack','rubric':{'cpu':1,'mem':0.5},'nodes':["
            + "{'id':'n1','resources':{'cpu':8,'mem':32}},"
            + "{'id':'n2','resources':{'cpu':8,'mem':32}},"
            + "{'id':'n3','resources':{'cpu':4,'mem':16,'ssd':0}}]}");
    assign("first", 2);
  }

  private void assign(String name, int cpu) {
    String body =
        "{'workloads':[{'id':'" + name + "','requirements':{'cpu':" + cpu + ",'mem':1}}]}";
    assertThat(service.post(PROD + "/assign-workloads", json(body)).text()).contains("true");
  }

  private static void open(URI page) {
    load(page);
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
    try (TestProxy proxy = TestProxy.before(service.uri())) {
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
      assertThat(toldGenerations()).isEqualTo(expectedGenerations());
      assertThat(service.metricsWith("/problem"))
          .containsPattern("route=\"/fleets/\\{fleet}/problem\",status=\"200\"[^}]*} 2\\b");
    }
  }

  /** Those that the page tells of, in their order. */
  private static String toldGenerations() {
    return browser.script(
        "return [...document.querySelectorAll('#livelog b')].map(one => one.innerText)"
            + ".reverse().join(' ')");
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
    try (TestProxy proxy = TestProxy.before(service.uri())) {
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
  void aStreamThatFallsSilentIsOpenedAgain() {
    try (TestProxy proxy = TestProxy.before(service.uri())) {
      open(proxy.uri());
      // The page gives a silent stream 40 s; here its clock for that goes faster.
      browser.script(
          "const real = window.setTimeout; window.setTimeout = (what, after, ...more) =>"
              + " real(what, after === 40000 ? 1000 : after, ...more);");
      browser.await("the fleets", () -> browser.text("#fleetlist").contains("prod"));
      browser.click("#fleetlist [data-fleet='prod']");
      awaitState("Live");
      for (String unheard : List.of("a", "b")) {
        proxy.hush();
        assign(unheard, 1);
        assertShownAsItIs();
      }
      assertThat(proxy.cuts()).as("the page did it itself").isZero();
      assertThat(toldGenerations()).isEqualTo("g3 g4");
    }
  }

  @Test
  void whereTheLogDoesNotGoBackSoFarTheFleetIsTakenAnew() throws Exception {
    try (TestProxy proxy = TestProxy.before(service.uri())) {
      follow(proxy.uri(), "prod");
      proxy.away(true);
      awaitState("Reconnecting");
      assign("a", 1);
      final byte[] third = service.get(PROD + "/problem").bytes();
      assign("b", 1);
      final byte[] fourth = service.get(PROD + "/problem").bytes();
      assign("c", 1);
      final int port = service.uri().getPort();
      service.close();
      try (Journal journal = Stores.open(folder.resolve("fleets.db").toString())) {
        // As after days: all entries that no snapshot needs have gone.
        Retention nothing = new Retention(Long.MAX_VALUE, 1, Long.MAX_VALUE);
        List<Entry> entries = journal.entries(1, 2, 2);
        journal.save(Saved.of(1, 3, entries.get(0).hash(), gzip(third)), nothing);
        journal.save(Saved.of(1, 4, entries.get(1).hash(), gzip(fourth)), nothing);
        assertThat(journal.oldest(1)).contains(4L);
      }
      service = TestService.start(settings(), port);
      proxy.away(false);
      awaitState("Live");
      assertShownAsItIs();
      assertThat(service.metricsWith("status=\"410\""))
          .containsPattern("route=\"/fleets/\\{fleet}/events\",status=\"410\"[^}]*} 1\\b");
      assign("d", 1);
      assertShownAsItIs();
      assertThat(toldGenerations()).isEqualTo("g6");
    }
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  /** As when a backup is restored: the page knows more than the service. */
  @Test
  void aFleetThatWentBackWhileThePageWasAwayIsTakenAnew() throws Exception {
    Path file = folder.resolve("fleets.db");
    try (TestProxy proxy = TestProxy.before(service.uri())) {
      follow(proxy.uri(), "prod");
      Path backup = folder.resolve("backup.db");
      try (Journal journal = Stores.openToRead(file.toString())) {
        journal.backup(backup);
      }
      assign("lost", 1);
      assertShownAsItIs();
      proxy.away(true);
      awaitState("Reconnecting");
      final int port = service.uri().getPort();
      service.close();
      Files.deleteIfExists(folder.resolve("fleets.db-wal"));
      Files.deleteIfExists(folder.resolve("fleets.db-shm"));
      Files.move(backup, file, StandardCopyOption.REPLACE_EXISTING);
      service = TestService.start(settings(), port);
      proxy.away(false);
      awaitState("Live");
      assertShownAsItIs();
      assertThat(browser.text("#livelog")).isEmpty();
    }
  }

  /** As when a standby is promoted that was one entry behind: its rows are sound. */
  @Test
  void aFleetOfWhichTheStoreLosesSomethingIsTakenAnew() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      String store = server.database();
      service.close();
      service = TestService.start(new ServiceSettings().store(store));
      service.put(PROD, json("{'nodes':[{'id':'n1','resources':{'cpu':8,'mem':32}}]}"));
      assign("first", 1);
      follow(service.uri(), "prod");
      say(store, "CREATE TABLE row_before AS SELECT * FROM fleet");
      assign("lost", 1);
      assertShownAsItIs();
      say(
          store,
          "DELETE FROM entry WHERE generation = 3; UPDATE fleet SET generation = b.generation,"
              + " hash = b.hash, digest = b.digest FROM row_before AS b WHERE fleet.id = b.id");
      browser.await("it is gone", () -> !shown("n1").contains("lost"));
      awaitState("Live");
      assertShownAsItIs();
      assertThat(browser.text("#livelog")).doesNotContain("lost");
      assign("later", 1);
      assertShownAsItIs();
      assertThat(toldGenerations()).isEqualTo("g3");
    }
  }

  /** Says something to a database behind its service's back. */
  private static void say(String store, String sql) throws Exception {
    Process psql =
        new ProcessBuilder("psql", "-q", store.replace("jdbc:", ""), "-c", sql).inheritIO().start();
    assertThat(psql.waitFor()).isZero();
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
    load(URI.create(service.uri() + "#fleet=prod"));
    awaitState("Live");
    assertThat(shown("n1") + shown("n2") + shown("n3")).isEqualTo("first");
    load(URI.create(service.uri() + "#fleet=none"));
    awaitState("there is no fleet 'none'");
    assertThat(service.metricsWith("route=\"/strategies\""))
        .as("the hidden editor places nothing")
        .doesNotContain("route=\"/try-assign-workloads\"");
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
        .isEqualTo("m0: 100.0\u00a0% of cpu");
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
