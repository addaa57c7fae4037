package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lighthouse.postgres.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions about a live fleet on its page, and what is done to the fleet there, in a browser. */
class FleetActionsIT extends OnFleetPage {
  private static final String DRAIN = "live-drain.png";

  /** {@link #textWidth} where the picture of the documents was made: changes with its font only. */
  private static final String DOCUMENTED_WIDTH = "1392.5";

  /** Starts a service with a fleet of four nodes in two zones: web-1 and web-2 on n1, db on n2. */
  private void keep(ServiceSettings settings) {
    service = TestService.start(settings);
    StringBuilder nodes = new StringBuilder();
    for (int i = 1; i <= 4; i++) {
      nodes.append(i == 1 ? "" : ",").append("{'id':'n").append(i).append("','domains':{'zone':'");
      nodes.append(i <= 2 ? "a" : "b").append("'},'resources':{'cpu':8,'mem':32}}");
    }
    String fleet = "{'strategy':'bin-pack','rubric':{'cpu':1,'mem':0.25},'nodes':[" + nodes + "]}";
    put(PROD, fleet);
    put("web-1", 2, "n1");
    put("web-2", 2, "n1");
    put("db", 7, "n2");
  }

  private void put(String workload, int cpu, String node) {
    String body = "{'requirements':{'cpu':" + cpu + ",'mem':4},'node':'" + node + "'}";
    put(PROD + "/workloads/" + workload, body);
  }

  private String nodeOf(String workload) {
    return service.get(PROD + "/workloads/" + workload).at("/node");
  }

  private void follow(String fleet) {
    load(URI.create(service.uri() + "#fleet=" + fleet));
    awaitState("Live");
  }

  /** Fills a field, and sends its form. */
  private static void ask(String form, String text) {
    browser.script(
        "document.querySelector('#%s input').value = %s;"
            .formatted(form, OpenApi.JSON.valueToTree(text)));
    browser.click("#" + form + " button");
  }

  private static void awaitAnswer(String part) {
    browser.await(part, () -> answer().contains(part));
  }

  private static String answer() {
    return browser.text("#liveanswer").replace('\t', ' ');
  }

  @ParameterizedTest
  @CsvSource({"SQLite", "PostgreSQL"})
  void aFleetIsAskedAndThenDrained(String store) {
    if (store.equals("SQLite")) {
      keep(settings());
      askAndDrain();
      browser.screenshot(PICTURES.resolve("live-drained.png"));
      assertDocumented();
      return;
    }
    try (PostgresServer server = PostgresServer.start()) {
      keep(new ServiceSettings().store(server.database()));
      askAndDrain();
      service.close();
    }
  }

  /** The width in pixels, to a tenth, of a text in the font of the page; it shows which that is. */
  private static String textWidth() {
    return browser.script(
        """
        const text = document.createElement('canvas').getContext('2d');
        text.font = '100px ' + getComputedStyle(document.documentElement).fontFamily;
        return text.measureText('Nodes in use: 2 of 4 (Wj%g)').width.toFixed(1);
        """);
  }

  /**
   * The picture of the documents is that of the plan, and would not pass for the page after it.
   * With another font nothing is compared.
   */
  private static void assertDocumented() {
    String width = textWidth();
    assumeTrue(
        width.equals(DOCUMENTED_WIDTH),
        "SKIPPED: the picture of the documents, which has another font than this machine: a text is "
            + DOCUMENTED_WIDTH
            + " px wide in it, here "
            + width);
    Path documented =
        Path.of(System.getProperty("lighthouse.root"), "docs", "live-fleet.png").normalize();
    int most = 24;
    assertThat(browser.difference(documented, PICTURES.resolve(DRAIN)))
        .as("%s is out of date: copy %s over it", documented, PICTURES.resolve(DRAIN))
        .isLessThan(most);
    assertThat(browser.difference(documented, PICTURES.resolve("live-drained.png")))
        .isGreaterThan(most);
  }

  private void askAndDrain() {
    follow("prod");
    browser.await("the list", () -> browser.text("#fleetlist").contains("3 workloads on 4 nodes"));
    assertThat(browser.text("#liveverdict")).contains("3 workloads", "2 of 4 nodes in use");
    assertThat(browser.text("#form") + browser.text("#fleet")).as("the problem").isEmpty();
    assertThat(count("#livenodes rect.before")).as("workloads without a colour").isEqualTo("0");
    assertThat(browser.text("#livenodes")).contains("a (2, 68.8\u00a0% of cpu)", "b (2)");

    browser.click("#livenodes .chip[data-workload='db']");
    awaitAnswer("Why is db where it is?");
    assertThat(answer())
        .contains("It is on n2. Placed anew, it would go to the same node.", "decided by name")
        .contains("As of generation 4.");
    ask("livetry", "job: cpu=4,mem=4; big: cpu=99,mem=1");
    awaitAnswer("1 workload would be refused");
    assertThat(answer()).contains("job n1");
    browser.click("#liveanswer [data-workload='big']");
    awaitAnswer("Why not big?");
    assertThat(answer()).contains("cpu short 4", "lacks 91 cpu (8 left, 99 required)");
    browser.click("#liveanswer .remedy");
    awaitAnswer("Never: it fits no node");
    assertThat(browser.text("#liveanswer .remedies")).endsWith("As of generation 4.");
    ask("livetry", "{\"a\\q\": 1}");
    awaitAnswer("unrecognized character escape 'q'");
    ask("livewhatif", "remove-node n2");
    awaitAnswer("Nodes 4 3");
    assertThat(answer()).contains("db moved n2 n3");
    ask("liveroom", "cpu=2,mem=1");
    awaitAnswer("Room for 10 more, which is the most.");
    browser.script(
        "document.getElementById('livemix').value = 'cpu=4,mem=1';"
            + "document.getElementById('liveroom').requestSubmit();"
            + "document.getElementById('livegoal').focus();");
    awaitAnswer("Room for 5 more");
    assertThat(browser.script("return document.activeElement.id"))
        .as("a late answer leaves the focus in another field")
        .isEqualTo("livegoal");
    browser.click("#livedraw");
    browser.await("a picture", () -> !count("#liveanswer img").equals("0"));
    assertThat(browser.script("return document.querySelector('#liveanswer img').alt"))
        .startsWith("prod: 3 placed before, 0 placed now, 0 refused by bin-pack");
    assertThat(service.get(PROD).at("/generation")).as("nothing was changed").isEqualTo("4");

    browser.click("#livenodes [data-drain='n1']");
    awaitAnswer("2 moves in 1 wave");
    assertThat(answer()).contains("1 web-1 n1 n3", "1 web-2 n1 n3", "Nodes in use 2 2");
    assertThat(nodeOf("web-1")).as("a plan alone moves nothing").isEqualTo("n1");
    browser.screenshot(PICTURES.resolve(DRAIN));
    browser.click("#apply");
    awaitAnswer("Carried out.");
    assertThat(nodeOf("web-1") + nodeOf("web-2")).isEqualTo("n3n3");
    browser.await("the moves", () -> browser.text("#livelog").contains("move web-1 to n3"));
    assertThat(browser.text("#livenodes [data-node='n3']")).contains("web-1", "web-2");
    assertThat(count("#livenodes [data-drain='n1']")).as("n1 is empty").isEqualTo("0");
    browser.click("#livenodes [data-cordon='n1']");
    browser.await("a cordon", () -> browser.text("[data-node='n1']").contains("cordoned"));
    assertThat(service.get(PROD + "/nodes/n1").at("/cordoned")).isEqualTo("true");
    browser.await("the focus on the button of the new card", () -> focusedCordon().equals("n1"));
    String node = json("{'domains':{'zone':'b'},'resources':{'cpu':8,'mem':32}}");
    assertThat(service.put(PROD + "/nodes/n5", node).status()).isEqualTo(201);
    browser.await("n5", () -> !browser.text("#livenodes [data-node='n5']").isEmpty());
    assertThat(focusedCordon()).as("the focus after all nodes were drawn anew").isEqualTo("n1");
    assertThat(browser.text("main")).doesNotContain("undefined", "NaN");
  }

  /** The node whose cordon button has the focus. */
  private static String focusedCordon() {
    return browser.script("return document.activeElement.dataset.cordon || ''");
  }

  @Test
  void aPlanOfAnOlderGenerationIsNotCarriedOut() {
    keep(settings());
    follow("prod");
    ask("liveplan", "drain n1");
    awaitAnswer("As of generation 4.");
    put("late", 1, "n3");
    awaitAnswer("As of generation 4; the fleet is at 5 now.");
    browser.click("#apply");
    awaitAnswer("Nothing was moved: the plan was made at generation 4, the fleet is at 5");
    assertThat(nodeOf("web-1")).isEqualTo("n1");
    browser.click("#again");
    awaitAnswer("As of generation 5.");
    browser.click("#apply");
    awaitAnswer("Carried out.");
    assertThat(nodeOf("web-1")).isNotEqualTo("n1");
    ask("liveplan", "drain n9");
    awaitAnswer("the name of a node");
    assertThat(answer()).contains("'n9'");
    assertThat(count("#apply")).isEqualTo("0");
    browser.script("window.fetch = () => Promise.reject(new Error('the line is cut'));");
    browser.click("#livenodes [data-cordon='n2']");
    awaitAnswer("Whether it was done is not known, because the service did not answer");
  }

  @Test
  void onlyAnAdministratorCarriesAPlanOut() throws IOException {
    keep(settings());
    service.close();
    Path tokens = Files.writeString(folder.resolve("tokens"), "r reader\na admin\n");
    service = TestService.start(settings().tokens(tokens));
    browser.open(service.uri());
    browser.await("the token", () -> !browser.text("#tokenrow").isEmpty());
    token("r");
    browser.await("the fleets", () -> browser.text("#fleetlist").contains("prod"));
    browser.click("#fleetlist [data-fleet='prod']");
    browser.await("n1", () -> !browser.text("#livenodes [data-drain='n1']").isEmpty());
    browser.click("#livenodes [data-drain='n1']");
    awaitAnswer("2 moves in 1 wave");
    browser.click("#apply");
    awaitAnswer("Nothing was moved: the token has the role reader");
    browser.click("#livenodes [data-cordon='n2']");
    awaitAnswer("Nothing was changed: the token has the role reader");
    assertThat(service.get(PROD, "Authorization", "Bearer r").at("/generation")).isEqualTo("4");
    token("a");
    browser.await("the fleet to be read anew", () -> count("#liveanswer").equals("0"));
    browser.await("n1", () -> !browser.text("#livenodes [data-drain='n1']").isEmpty());
    browser.click("#livenodes [data-drain='n1']");
    awaitAnswer("2 moves in 1 wave");
    browser.click("#apply");
    awaitAnswer("Carried out.");
  }

  private static void token(String token) {
    browser.script(
        "const t = document.getElementById('token'); t.value = '"
            + token
            + "'; t.dispatchEvent(new Event('change'));");
  }

  private static void choose(String id, String value, String event) {
    browser.script(
        "const s = document.getElementById('%s'); s.value = '%s'; s.dispatchEvent(new Event('%s'));"
            .formatted(id, value, event));
  }

  private static String first() {
    return browser.script("return document.querySelector('#livenodes [data-cell]').dataset.cell");
  }

  @Test
  void cellsAreGroupedSortedColouredAndFiltered() {
    keep(settings());
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < 70; i++) {
      nodes.append(i == 0 ? "" : ",").append("{'id':'m").append(i).append("','domains':{'rack':'r");
      nodes.append(i % 2).append("'},'resources':{'cpu':4,'mem':8}}");
    }
    service.put("/fleets/large", json("{'nodes':[" + nodes + "]}"));
    for (String[] one : new String[][] {{"a-job", "m5", "4", "2"}, {"b-job", "m8", "1", "8"}}) {
      String body = "{'requirements':{'cpu':%s,'mem':%s},'node':'%s'}";
      service.put(
          "/fleets/large/workloads/" + one[0], json(body.formatted(one[2], one[3], one[1])));
    }
    service.put("/fleets/large/nodes/m9/cordoned", json("{'cordoned':true}"));
    follow("large");
    assertThat(browser.text("#livenodes")).contains("r0 (35, 2.9\u00a0% of mem)", "r1 (35, ");
    assertThat(first()).as("the fullest of the first rack").isEqualTo("m8");
    choose("liveorder", "fullest", "change");
    choose("liveresource", "cpu", "change");
    assertThat(first()).isEqualTo("m5");
    assertThat(browser.script("return document.querySelector(\"[data-cell='m8']\").title"))
        .isEqualTo("m8: 25.0\u00a0% of cpu");
    choose("liveorder", "emptiest", "change");
    assertThat(first()).isEqualTo("m0");
    choose("livefind", "B-JOB", "input");
    assertThat(count("#livenodes [data-cell]")).isEqualTo("1");
    assertThat(browser.text("#liveshown")).isEqualTo("1 of 70 nodes");
    assertThat(count("#livenodes [tabindex='0']")).as("is reached by Tab").isEqualTo("1");
    choose("livefind", "", "input");
    choose("livewhich", "cordoned", "change");
    assertThat(count("#livenodes [data-cell]")).isEqualTo("1");
    // A node that comes to match is shown as it changes.
    service.put("/fleets/large/nodes/m7/cordoned", json("{'cordoned':true}"));
    browser.await("m7", () -> browser.text("#liveshown").equals("2 of 70 nodes"));
  }

  @ParameterizedTest
  @CsvSource({"1400,900", "390,844"})
  void axeFindsNothing(int width, int height) {
    keep(settings());
    browser.size(width, height);
    follow("prod");
    put("late", 1, "n3");
    browser.await("an event", () -> browser.text("#livelog").contains("late came to n3"));
    browser.click("#livenodes [data-drain='n1']");
    awaitAnswer("2 moves in 1 wave");
    browser.assertNoViolations();
    ask("livetry", "big: cpu=99,mem=1");
    awaitAnswer("1 workload would be refused");
    browser.assertNoViolations();
    assertThat(browser.script("return document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo("true");
    for (String scheme : List.of("light", "dark")) {
      browser.prefers(scheme);
      browser.screenshot(PICTURES.resolve("live-ask-" + width + "-" + scheme + ".png"));
    }
  }
}
