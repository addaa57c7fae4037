package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.Distributors;
import io.lighthouse.picture.Picture;
import io.lighthouse.picture.PictureScene;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page in a browser, as people use it. Pictures of it are left in target/page. */
@Tag("browser")
class PageIT {
  /** All that are installed, by name. */
  private static final List<String> STRATEGIES =
      Distributors.installed().strategies().stream().map(StrategyDescription::name).toList();

  private static final String CONTROL = "\ue009";
  private static final Path PICTURES = Path.of(System.getProperty("lighthouse.build"), "page");

  @RegisterExtension static final SharedBrowser SHARED = new SharedBrowser();

  private static TestService service;
  private static Browser browser;

  @BeforeAll
  static void start() {
    browser = SHARED.browser();
    // A search takes its time; on a slow machine too it is to be seen beside the others.
    service =
        TestService.start(
            new ServiceSettings().limit(ServiceLimit.DECISION_TIMEOUT, Duration.ofMinutes(1)));
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  @BeforeEach
  void open() {
    browser.prefers("light");
    browser.size(1400, 900);
    load(service.uri());
  }

  private static void load(URI page) {
    browser.load(page);
    browser.await("the page has placed its problem", () -> done() > 0);
  }

  /** How often an answer was shown, or that there is none. */
  private static int done() {
    String count = browser.script("return document.body.dataset.done || '0'");
    return Integer.parseInt(count);
  }

  private static void act(Runnable action) {
    int before = done();
    action.run();
    browser.await("an answer", () -> done() > before);
  }

  private static void place() {
    act(() -> browser.click("#go"));
  }

  private static void choose(String id, String value) {
    browser.script(
        "const s = document.getElementById('%s'); s.value = %s; s.dispatchEvent(new Event('change'));"
            .formatted(id, OpenApi.JSON.valueToTree(value)));
  }

  private static void why(String selector) {
    browser.click(selector);
    browser.await("reasons", () -> !browser.text("#why").isEmpty());
  }

  private static void problem(String json) {
    browser.script(
        "document.getElementById('problem').value = " + OpenApi.JSON.valueToTree(json) + ";");
  }

  @Test
  void placingShowsTheFleetAsBarsAndWhichWorkloadSitsWhere() {
    place();
    assertThat(browser.text("#verdict"))
        .contains("1 placed before, 8 placed now, 2 refused", "4 of 4 nodes");
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
    why("#refusals [data-workload='training']");
    assertThat(browser.text("#why")).contains("Why not training?", "gpu missing", "has no gpu");
    assertThat(browser.script("return document.activeElement.id")).isEqualTo("why");
    browser.screenshot(PICTURES.resolve("why.png"));
  }

  @Test
  void reasonsOfDomainsAndRulesAreTold() {
    problem(
        "{\"nodes\":[{\"id\":\"n1\",\"resources\":{\"cpu\":4},\"domains\":{\"zone\":\"b\"}}],"
            + "\"domains\":[{\"level\":\"zone\",\"name\":\"b\",\"resources\":{\"power\":1}}],"
            + "\"workloads\":[{\"id\":\"web-1\",\"requirements\":{\"cpu\":1},\"groups\":[\"web\"]},"
            + "{\"id\":\"web-2\",\"requirements\":{\"cpu\":1},\"groups\":[\"web\"],"
            + "\"shared\":{\"zone\":{\"power\":2}},"
            + "\"where\":[{\"level\":\"zone\",\"in\":[\"a\"]}],"
            + "\"rules\":[{\"most\":1,\"group\":\"web\",\"level\":\"zone\"}]}]}");
    place();
    why("#refusals [data-workload='web-2']");
    assertThat(browser.text("#why"))
        .contains("power short at zone", "zone b: lacks 1 power (1 left, 2 required)")
        .contains("where[0] does not hold")
        .contains("zone b: 1 of web there already, at most 1")
        .doesNotContain("undefined");
  }

  @Test
  void whatWouldHaveToChangeIsTold() {
    place();
    why("#refusals [data-workload='training']");
    browser.click(".remedy");
    browser.await("remedies", () -> !browser.text(".remedies").isEmpty());
    assertThat(browser.text(".remedies"))
        .contains("Never: it fits no node", "grow", "harbour-", "gpu", "then it fits harbour-")
        .doesNotContain("undefined");
    assertThat(browser.script("return document.activeElement.className")).isEqualTo("remedies");
    browser.screenshot(PICTURES.resolve("remedies.png"));
  }

  @Test
  void whatIfIsAnsweredSideBySide() {
    place();
    browser.script(
        "document.getElementById('changes').value = 'cordon harbour-4; add 1 x cpu=8,mem=32'");
    act(() -> browser.click("#suppose"));
    assertThat(browser.text("#supposed").replace('\t', ' '))
        .contains("Nodes 4 5", "Placed in all 9 10", "Refused 2 1", "reports")
        .doesNotContain("undefined");
    browser.screenshot(PICTURES.resolve("what-if.png"));

    browser.script("document.getElementById('changes').value = 'vanish n1'");
    act(() -> browser.click("#suppose"));
    assertThat(browser.text("#supposed")).contains("vanish", "remove-node");
  }

  @Test
  void whatTheRubricMissesIsToldWhereverItIsAsked() {
    problem(
        "{\"strategy\":\"BinPack\",\"rubric\":{\"cpu\":1,\"mem\":1},"
            + "\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":1}}],"
            + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}]}");
    place();
    for (String[] asked :
        List.of(
            new String[] {"changes", "cordon n", "#suppose"},
            new String[] {"offers", "a: cpu=1", "#size"})) {
      browser.script("document.getElementById('" + asked[0] + "').value = '" + asked[1] + "'");
      act(() -> browser.click(asked[2]));
      assertThat(browser.text("#supposed")).contains("Missing: ", "/nodes/0");
    }
  }

  @Test
  void howManyNodesItTakesIsCounted() {
    place();
    browser.script(
        "document.getElementById('offers').value = 'huge: cpu=64,mem=256,gpu=4,price=9'");
    act(() -> browser.click("#size"));
    assertThat(browser.text("#supposed").replace('\t', ' '))
        .contains("huge 1", "For 9; nothing cheaper will do.")
        .doesNotContain("undefined");
  }

  @Test
  void aPlacedWorkloadSaysWhyItIsThere() {
    place();
    browser.click("#fleet .chip[data-workload='db']");
    browser.click("#whyhere");
    browser.await("why", () -> browser.text("#why").contains("decided by"));
    assertThat(browser.text("#why").replace('\t', ' '))
        .contains("Why db is where it is", "It is on harbour-1.", "Of 1 candidate")
        .doesNotContain("undefined");
  }

  @Test
  void theRecordOfTheDecisionIsSaved() {
    place();
    browser.click("#record");
    browser.await(
        "a record",
        () ->
            !browser
                .script("return document.getElementById('record').dataset.saved || ''")
                .isEmpty());
    assertThat(
            Integer.parseInt(
                browser.script("return document.getElementById('record').dataset.saved")))
        .isGreaterThan(1000);
  }

  @Test
  void everythingWorksByKeyboardAlone() {
    act(() -> browser.type(Browser.ENTER, CONTROL));
    assertThat(browser.text("#verdict")).contains("8 placed now, 2 refused");
    for (int i = 0; i < 40 && !focus().equals("training"); i++) {
      browser.type(Browser.TAB);
    }
    assertThat(focus()).isEqualTo("training");
    browser.type(Browser.ENTER);
    browser.await("reasons", () -> !browser.text("#why").isEmpty());
    assertThat(browser.text("#why")).contains("Why not training?");
  }

  private static String focus() {
    return browser.script("return document.activeElement.dataset.workload || ''");
  }

  @Test
  void aStrategyChosenOnThePageStandsAboveTheProblems() {
    choose("strategy", "prioritized");
    assertThat(browser.text("#about")).contains("the first node that fits");
    place();
    assertThat(browser.text("[data-node='harbour-1'] .chips")).isEqualTo("web-1\ndb\nqueue");
  }

  @Test
  void tagsWardsAndShortcomingsAreTold() {
    act(() -> choose("example", "Tags, wards and shortcomings"));
    assertThat(browser.text("#verdict")).contains("4 placed now, 1 refused");
    assertThat(browser.text("[data-node='tagged'] .marks")).contains("tag ssd");
    assertThat(browser.text("[data-node='haunted'] .marks")).contains("ward spiders");
    assertThat(browser.text("[data-node='draughty'] .marks")).contains("made up for");
    browser.screenshot(PICTURES.resolve("wards.png"));
  }

  @Test
  void faultsAreMarkedInTheEditorAndTheLastAnswerStays() {
    place();
    problem(
        "{\n  \"nodes\": [{\"id\": \"n\", \"resources\": {\"cpu\": \"six\"}}],\n  \"workloads\": 7\n}");
    place();
    assertThat(browser.text("#faults"))
        .contains("line 2, column 46", "/nodes/0/resources/cpu", "line 3, column 16", "/workloads")
        .contains("Below is the last answer.");
    assertThat(browser.text("#verdict")).contains("8 placed now, 2 refused");
    why("#refusals [data-workload='training']");
    assertThat(browser.text("#why")).contains("has no gpu");
    String marked =
        "return [...document.querySelectorAll('#marks mark')].map(m => m.textContent).join('|')";
    assertThat(browser.script(marked)).startsWith("  \"nodes\"").endsWith("|  \"workloads\": 7");
    // Each mark lies behind its line of the text.
    assertThat(
            browser.script(
                "const m = document.querySelectorAll('#marks mark'), b = document.getElementById('problem');"
                    + "const line = parseFloat(getComputedStyle(b).lineHeight), top = b.getBoundingClientRect().top;"
                    + "return [...m].map(o => Math.round((o.getBoundingClientRect().top - top) / line)).join()"))
        .isEqualTo("1,2");
    browser.click("#faults button");
    assertThat(
            browser.script(
                "const box = document.getElementById('problem');"
                    + "return box.value.slice(box.selectionStart, box.selectionStart + 5)"))
        .isEqualTo("\"six\"");
    browser.screenshot(PICTURES.resolve("faults.png"));
    browser.type("7");
    assertThat(browser.script(marked)).as("marks of another text").isEmpty();
    problem("{\n\n  \"nodes\": [}");
    act(() -> browser.type(Browser.ENTER, CONTROL));
    assertThat(browser.script(marked)).isEqualTo("  \"nodes\": [}");
    problem("{\"nodes\": [], \"workloads\": []}");
    act(() -> browser.type(Browser.ENTER, CONTROL));
    assertThat(browser.text("#faults") + browser.script(marked)).isEmpty();
    assertThat(browser.text("#verdict")).contains("0 placed now");
    browser.script("window.fetch = () => Promise.reject(new Error('the line is cut'));");
    place();
    assertThat(browser.text("#faults"))
        .contains("The service did not answer", "the line is cut")
        .as("the last answer is of this text")
        .doesNotContain("Below is the last answer.");
  }

  @Test
  void whatAProblemSaysIsNeverTakenForHtml() {
    problem(
        "{\"nodes\":[{\"id\":\"<img src=x onerror=alert(1)>\",\"resources\":{\"<b>\":1}}],"
            + "\"workloads\":[{\"id\":\"<i>w</i>\",\"requirements\":{\"<b>\":2}}]}");
    place();
    why("#refusals button");
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
    why("#refusals button");
    assertThat(browser.text("#why")).contains("1234567890.000000002", "0.000000001");
  }

  @Test
  void aStrategyIsListedOnce() {
    assertThat(
            browser.script(
                "return [...document.querySelectorAll('#strategy option')].map(o => o.text).join()"))
        .isEqualTo("as the problem says," + String.join(",", STRATEGIES));
  }

  /** The row of a strategy in the table of the comparison. */
  private static String row(String strategy) {
    return "#compared tbody tr:nth-child(" + (STRATEGIES.indexOf(strategy) + 1) + ")";
  }

  @Test
  void anotherExampleReplacesTheResult() {
    act(() -> choose("example", "Round robin"));
    assertThat(browser.text("#verdict")).contains("3 placed now, 0 refused");
    assertThat(browser.text("#refused")).isEmpty();
  }

  /** Names that every object of JavaScript is born with. */
  @Test
  void namesMayBeAnything() {
    String names = "constructor,toString,__proto__,hasOwnProperty,valueOf";
    StringBuilder nodes = new StringBuilder();
    StringBuilder workloads = new StringBuilder();
    for (String name : names.split(",")) {
      String comma = nodes.isEmpty() ? "" : ",";
      nodes.append(comma).append("{\"id\":\"").append(name).append("\",\"resources\":{\"");
      nodes.append(name).append("\":4,\"cpu\":2}}");
      workloads.append(comma).append("{\"id\":\"").append(name).append("\",\"requirements\":{\"");
      workloads.append(name).append("\":1}}");
    }
    workloads.append(",{\"id\":\"isPrototypeOf\",\"requirements\":{\"propertyIsEnumerable\":1}}");
    problem("{\"nodes\":[" + nodes + "],\"workloads\":[" + workloads + "]}");
    place();
    assertThat(browser.text("#verdict")).contains("5 placed now, 1 refused", "5 of 5 nodes");
    for (String name : names.split(",")) {
      assertThat(browser.text("[data-node='" + name + "']")).contains("3 of 4 left", "2 of 2 left");
    }
    why("#refusals button");
    assertThat(browser.text("#why")).contains("propertyIsEnumerable");
    assertThat(browser.text("main")).doesNotContain("NaN", "undefined");
  }

  @Test
  void reasonsAreAskedForOneByOneAndRefusalsShownByTheHundred() {
    StringBuilder workloads = new StringBuilder();
    for (int i = 0; i < 1896; i++) {
      workloads.append(i == 0 ? "" : ",").append("{\"id\":\"w").append(i);
      workloads.append("\",\"requirements\":{\"cpu\":9}}");
    }
    problem(
        "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":1}}],\"workloads\":[" + workloads + "]}");
    place();
    assertThat(browser.text("#refusedtitle")).startsWith("1896 refused");
    String chips = "return document.querySelectorAll('#refusals button').length";
    assertThat(browser.script(chips)).isEqualTo("24");
    assertThat(browser.text("#morerefused")).isEqualTo("Show 100 more of 1872");
    browser.click("#morerefused");
    assertThat(browser.script(chips)).isEqualTo("124");
    why("#refusals [data-workload='w110']");
    assertThat(browser.text("#why")).contains("Why not w110?", "lacks 8 cpu (1 left, 9 required)");
    String asked = "route=\"/explain-workload\"";
    assertThat(service.metricsWith(asked)).contains(asked);
  }

  @Test
  void allStrategiesAreComparedWithOneClick() {
    act(() -> browser.click("#comparing"));
    assertThat(browser.text("#compared"))
        .contains("bin-pack", "prioritized", "round-robin", "Placed now", "Stranded on them")
        .contains("8 of 10");
    assertThat(browser.script("return document.querySelectorAll('#compared svg.bar').length"))
        .isEqualTo(String.valueOf(3 * STRATEGIES.size()));
    assertThat(browser.text("#compared tr.best th")).isEqualTo("pack");
    browser.screenshot(PICTURES.resolve("compared.png"));
    browser.click(row("prioritized") + " button");
    assertThat(browser.script("return document.getElementById('strategy').value"))
        .isEqualTo("prioritized");
    assertThat(browser.text("[data-node='harbour-1'] .chips")).isEqualTo("web-1\ndb\nqueue");
    assertThat(browser.text("#compared")).contains("bin-pack");
  }

  @Test
  void aStrategyThatCannotBeComparedSaysWhy() {
    problem("{\"nodes\":[],\"workloads\":[{\"id\":\"w\",\"requirements\":{}}]}");
    act(() -> browser.click("#comparing"));
    assertThat(browser.text(row("bin-pack"))).contains("bin-pack", "rubric");
    assertThat(browser.text(row("prioritized"))).contains("prioritized", "0 of 1");
  }

  @Test
  void aThousandNodesAreOneScreenOfCells() {
    act(() -> choose("example", "A thousand nodes"));
    assertThat(browser.script("return document.querySelectorAll('#cells button').length"))
        .isEqualTo("1000");
    String height =
        browser.script("return document.getElementById('cells').getBoundingClientRect().height");
    assertThat(Double.parseDouble(height)).isLessThan(900);
    browser.screenshot(PICTURES.resolve("heat.png"));
    assertThat(browser.text("#cells")).as("the racks are seen at once").contains("rack2 (250, ");
    choose("order", "fullest");
    // One stop of Tab, then arrows; the card comes on demand.
    browser.script("document.querySelector('#cells button').focus()");
    browser.type("\ue014\ue014\ue015"); // right, right, down
    browser.type(Browser.ENTER);
    String name = browser.script("return document.activeElement.dataset.cell");
    assertThat(browser.text("#fleet")).startsWith(name).contains("left");
    assertThat(browser.script("return document.querySelectorAll('#cells [tabindex=\"0\"]').length"))
        .isEqualTo("1");
    browser.script(
        "const f = document.getElementById('find'); f.value = 'rack3-7'; f.dispatchEvent(new Event('input'));");
    assertThat(browser.text("#shown")).isEqualTo("11 of 1000 nodes");
    browser.script(
        "const f = document.getElementById('find'); f.value = ''; f.dispatchEvent(new Event('input'));");
    choose("order", "name");
    assertThat(browser.text("#cells")).contains("rack1 (250, ", "rack4 (250, ");
    assertThat(browser.text("#order")).contains("by rack", "by room");
    choose("order", "level:room");
    assertThat(browser.text("#cells"))
        .containsPattern("north \\(500, [0-9.]+\u00a0% of (cpu|mem)\\)")
        .contains("south (500, ")
        .doesNotContain("rack1 (");
    browser.prefers("dark");
    browser.screenshot(PICTURES.resolve("heat-dark.png"));
  }

  @Test
  void aDomainShowsWhatIsSharedInIt() {
    StringBuilder others = new StringBuilder();
    for (int i = 0; i < 70; i++) {
      others.append(",{\"id\":\"b").append(i).append("\",\"resources\":{\"cpu\":1}}");
    }
    problem(
        "{\"domains\":[{\"level\":\"rack\",\"name\":\"r1\",\"resources\":{\"power\":1}}],\"nodes\":["
            + "{\"id\":\"a\",\"domains\":{\"rack\":\"r1\"},\"resources\":{\"cpu\":2}}"
            + others
            + "],\"workloads\":["
            + "{\"id\":\"w\",\"requirements\":{\"cpu\":1},\"shared\":{\"rack\":{\"power\":0.25}}}]}");
    place();
    choose("order", "level:rack");
    assertThat(browser.text("#cells"))
        .contains("r1 (1, 50.0\u00a0% of cpu; 0.75 of 1 power left to share)")
        .contains("in no rack (70");
  }

  @Test
  void aLinkHoldsTheProblemAndTheStrategy() {
    problem(
        "{\"nodes\":[{\"id\":\"n\u00e9\",\"resources\":{\"x\":1.10}}],\"workloads\":"
            + "[{\"id\":\"only\",\"requirements\":{\"x\":1}}]}");
    choose("strategy", "round-robin");
    place();
    browser.click("#link");
    awaitCopied("link");
    String link = browser.script("return location.href");
    assertThat(link).contains("#p=", "&s=round-robin");
    load(URI.create(link));
    assertThat(browser.text("#verdict")).contains("1 placed now, 0 refused");
    assertThat(browser.script("return document.getElementById('problem').value"))
        .contains("n\u00e9", "1.10");
    assertThat(browser.script("return document.getElementById('strategy').value"))
        .isEqualTo("round-robin");
  }

  @Test
  void theCallIsCopiedForCurlAndGivesTheSameAnswer() throws Exception {
    problem(
        "{\"nodes\":[{\"id\":\"it's\",\"resources\":{}}],\"workloads\":"
            + "[{\"id\":\"w\",\"requirements\":{}}]}");
    place();
    browser.click("#curl");
    awaitCopied("curl");
    String call = browser.script("return document.getElementById('curl').dataset.copied");
    Process shell =
        new ProcessBuilder("sh", "-c", call.replaceFirst("curl", "curl -sS"))
            .redirectErrorStream(true)
            .start();
    assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("{\"failures\":[],\"assignments\":{\"w\":\"it's\"}}");
  }

  @Test
  void thePictureIsTheServicesOwnDrawing() {
    String problem = browser.script("return document.getElementById('problem').value");
    String drawing = service.post("/picture", problem).text();

    browser.click("#draw");
    awaitPicture();

    String source = "document.querySelector('#picture img').src";
    assertThat(browser.script("return decodeURIComponent(" + source + ".split(',')[1])"))
        .isEqualTo(drawing);
    assertThat(browser.script("return document.querySelector('#picture img').alt"))
        .contains(browser.text("#verdict strong"))
        .startsWith(
            "fleet: 1 placed before, 8 placed now, 2 refused by bin-pack; 4 of 4 nodes in use")
        .endsWith("Refused: reports, training.");
    browser.screenshot(PICTURES.resolve("picture.png"));
    browser.prefers("dark");
    browser.screenshot(PICTURES.resolve("picture-dark.png"));
    browser.prefers("light");
    browser.click("#draw");
    assertThat(browser.text("#picture")).isEmpty();
    assertThat(browser.script("return document.getElementById('picture').hidden"))
        .isEqualTo("true");
  }

  @ParameterizedTest
  @CsvSource({"0.66666, 66.7", "0.66649, 66.6", "0.1235, 12.4", "0.9996, 100.0", "0, 0.0"})
  void percentagesAreRoundedAsInTheCommand(String share, String percent) {
    assertThat(browser.script("return model.percent(" + share + ")"))
        .isEqualTo(percent + "\u00a0%");
  }

  @Test
  void thePictureOfAThousandNodesFitsOnAPhone() {
    browser.size(390, 800);
    load(service.uri());
    act(() -> choose("example", "A thousand nodes"));
    browser.click("#draw");
    awaitPicture();

    assertThat(browser.script("return document.querySelector('#picture img').alt"))
        .contains("of 1000 nodes in use");
    assertThat(browser.script("return document.documentElement.scrollWidth")).isEqualTo("390");
    browser.screenshot(PICTURES.resolve("picture-phone.png"));
    // Another problem has another picture.
    act(() -> choose("example", "Round robin"));
    assertThat(browser.script("return document.getElementById('picture').hidden"))
        .isEqualTo("true");
  }

  private static void awaitCopied(String id) {
    String copied = "return document.getElementById('" + id + "').dataset.copied || ''";
    browser.await("the button #" + id + " to copy", () -> !browser.script(copied).isEmpty());
  }

  private void awaitPicture() {
    browser.await(
        "the picture is drawn",
        () ->
            browser
                .script(
                    "const i = document.querySelector('#picture img');"
                        + "return String(i !== null && i.complete && i.naturalWidth > 500)")
                .equals("true"));
  }

  /** The page that a command writes: nothing is cropped on a screen, nor wider than a phone. */
  @Test
  void aPictureIsAsWideAsTheScreen(@TempDir Path folder) throws IOException {
    Distributor fleet =
        Distributors.installed()
            .strategy("prioritized")
            .nodes(Node.of("n1", Resources.of("cpu", 4)), Node.of("n2", Resources.of("cpu", 4)))
            .build();
    List<Workload> batch =
        List.of(Workload.of("a", Resources.of("cpu", 4)), Workload.of("b", Resources.of("cpu", 9)));
    PictureScene scene =
        new PictureScene("f", "prioritized", fleet.snapshot(), batch, fleet.assign(batch));
    PictureScene before = PictureScene.asItIs("g", fleet.snapshot(), batch.subList(1, 2));
    for (Picture picture :
        List.of(Picture.of(scene, Optional.empty()), Picture.of(before, scene, Optional.empty()))) {
      Path html = Files.writeString(folder.resolve("f.html"), picture.html());
      Path svg = Files.writeString(folder.resolve("f.svg"), picture.svg());
      for (int width : new int[] {1400, 390}) {
        browser.size(width, 844);
        browser.open(html.toUri());
        assertThat(cropped()).as(width + " " + picture.summary()).isEqualTo("0");
        assertThat(browser.violations()).isEqualTo("[]");
      }
      browser.screenshot(PICTURES.resolve("picture-html-phone.png"));
      browser.size(1400, 844);
      browser.open(svg.toUri());
      assertThat(cropped()).isEqualTo("0");
    }
  }

  /** How many of the shapes that are shown reach beyond the window. */
  private static String cropped() {
    return browser.script(
        "const all = [...document.querySelectorAll('svg rect, svg text')].filter(o => o.checkVisibility() && !o.closest('defs'));"
            + "if (!all.some(o => o.matches('.refused'))) throw new Error('no refused box');"
            + "return all.filter(o => o.getBoundingClientRect().right > innerWidth + 0.5).length;");
  }

  @Test
  void theResultIsSavedAsAPicture() {
    browser.click("#svg");
    browser.click("#png");
    browser.await(
        "a picture",
        () ->
            !browser.script("return document.getElementById('png').dataset.saved || ''").isEmpty());
    assertThat(
            Integer.parseInt(browser.script("return document.getElementById('svg').dataset.saved")))
        .isGreaterThan(1000);
    assertThat(
            Integer.parseInt(browser.script("return document.getElementById('png').dataset.saved")))
        .isGreaterThan(5000);
  }

  @Test
  void aPhoneShowsTheResultAfterPlacingAndNothingSticksOut() {
    browser.size(390, 800);
    load(service.uri());
    place();
    browser.await(
        "the result is in sight",
        () ->
            Double.parseDouble(
                    browser.script(
                        "return document.getElementById('summary').getBoundingClientRect().top"))
                < 200);
    assertThat(browser.text(".masthead nav")).contains("OpenAPI", "Strategies", "Metrics");
    assertThat(browser.script("return document.documentElement.scrollWidth")).isEqualTo("390");
    browser.screenshot(PICTURES.resolve("phone.png"));
    browser.script("scrollTo(0, 0)");
    browser.screenshot(PICTURES.resolve("phone-top.png"));
    act(() -> browser.click("#comparing"));
    assertThat(browser.script("return document.documentElement.scrollWidth")).isEqualTo("390");
    assertThat(
            browser.script(
                "const t = document.querySelector('#comparison .scroll');"
                    + "return t.scrollWidth <= t.clientWidth"))
        .as("the whole comparison is in sight")
        .isEqualTo("true");
    act(() -> choose("example", "A thousand nodes"));
    assertThat(browser.script("return document.documentElement.scrollWidth")).isEqualTo("390");
  }

  /** No line of the example is wider than the editor. */
  @Test
  void theEditorShowsWholeLines() {
    assertThat(
            browser.script(
                "const b = document.getElementById('problem'); return b.scrollWidth <= b.clientWidth"))
        .isEqualTo("true");
  }

  @ParameterizedTest
  @CsvSource({"1400,900", "390,800"})
  void axeFindsNothing(int width, int height) {
    browser.size(width, height);
    load(service.uri());
    why("#refusals button");
    browser.script("document.getElementById('comparing').focus()");
    act(() -> browser.type(Browser.ENTER));
    browser.assertNoViolations();
    problem("{");
    place();
    assertThat(browser.text("#faults")).contains("Below is the last answer.");
    browser.assertNoViolations();
    act(() -> choose("example", "A thousand nodes"));
    browser.click("#cells button");
    browser.assertNoViolations();
  }

  private static JsonNode json(String script) {
    try {
      return OpenApi.JSON.readTree(browser.script(script));
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }
}
