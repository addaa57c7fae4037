package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Drawings over HTTP, read back with the XML parser of the JDK. */
class PicturesTest {
  private static final String FLEET =
      """
      {"nodes": [
        {"id": "n1", "resources": {"cpu": 4}, "domains": {"zone": "a", "rack": "r1"}},
        {"id": "n2", "resources": {"cpu": 4}, "domains": {"zone": "b", "rack": "r2"}},
        {"id": "n3", "resources": {"cpu": 4}, "domains": {"zone": "b", "rack": "r3"}, "workloads": [
          {"id": "here", "requirements": {"cpu": 1}}]}],
       "workloads": [
         {"id": "w", "requirements": {"cpu": 3}}, {"id": "large", "requirements": {"cpu": 9}}]
      """;

  private static TestService service;

  @BeforeAll
  static void start() {
    service = TestService.start();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static Document drawn(TestService.Answer answer) throws Exception {
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.mediaType()).isEqualTo("image/svg+xml");
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(answer.text())));
  }

  private static List<String> values(Document drawing, String attribute) {
    List<String> values = new ArrayList<>();
    NodeList all = drawing.getElementsByTagName("*");
    for (int i = 0; i < all.getLength(); i++) {
      Element one = (Element) all.item(i);
      if (one.hasAttribute(attribute)) {
        values.add(one.getAttribute(attribute));
      }
    }
    return values;
  }

  @Test
  void aDrawingIsCompressedWhereThatIsAccepted() throws Exception {
    var plain = service.post("/picture", FLEET + "}");
    var packed = service.post("/picture", FLEET + "}", "Accept-Encoding", "gzip");
    assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
    try (var in = new GZIPInputStream(new ByteArrayInputStream(packed.bytes()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(plain.text());
    }
  }

  @Test
  void theFleetIsDrawnWithWhatIsPlacedAndRefused() throws Exception {
    Document drawing = drawn(service.post("/picture", FLEET + "}"));

    assertThat(values(drawing, "data-node")).containsExactly("n1", "n2", "n3");
    assertThat(values(drawing, "data-of")).containsExactly("w", "here");
    assertThat(values(drawing, "data-workload")).containsExactly("large");
    assertThat(values(drawing, "data-domain")).containsExactly("a", "b");
    assertThat(drawing.getElementsByTagName("desc").item(0).getTextContent())
        .startsWith(
            "fleet: 1 placed before, 1 placed now, 1 refused by prioritized; 2 of 3 nodes in use");
  }

  @Test
  void theLevelIsChosen() throws Exception {
    Document drawing = drawn(service.post("/picture?level=rack", FLEET + "}"));

    assertThat(values(drawing, "data-domain")).containsExactly("r1", "r2", "r3");
  }

  @Test
  void aLevelWithoutNodesIsRefusedWithThoseThatThereAre() {
    var unknown = service.post("/picture?level=room", FLEET + "}");
    var none = service.post("/picture?level=room", "{\"nodes\":[],\"workloads\":[]}");

    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.problem()).isEqualTo("query");
    assertThat(unknown.text()).contains("level", "'room'", "one of rack, zone");
    assertThat(none.status()).isEqualTo(400);
    assertThat(none.text()).contains("none: no node stands in a domain");
  }

  @Test
  void theBodyOfTryAssignWorkloadsWillDo() {
    String plain = service.post("/picture", FLEET + "}").text();

    var asked = service.post("/picture", FLEET + ",\"explain\":true,\"remedies\":true}");

    assertThat(asked.text()).isEqualTo(plain);
  }

  @Test
  void aWrongProblemIsRefusedAsEverywhere() {
    var wrong = service.post("/picture", "{\"nodes\": [{\"id\": 7}], \"workloads\": []}");
    var json = service.post("/picture", FLEET + "}", "Accept", "application/json");

    assertThat(wrong.status()).isEqualTo(422);
    assertThat(wrong.at("/errors/0/pointer")).isEqualTo("/nodes/0/id");
    assertThat(json.status()).isEqualTo(406);
  }

  @Test
  void itIsHarmlessWhereItIsOpenedByItself() {
    String name = "<script>alert(1)</script>\\\"' onload=x";
    var answer = service.post("/picture", FLEET.replace("large", name) + "}");

    assertThat(answer.text()).doesNotContain("<script").contains("&lt;script");
    assertThat(answer.header("Content-Security-Policy"))
        .isEqualTo("default-src 'none'; style-src 'unsafe-inline'");
    assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
  }
}
