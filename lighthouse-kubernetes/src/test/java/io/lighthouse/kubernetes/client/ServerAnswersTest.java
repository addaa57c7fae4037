package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What a server may send, what it may not, and what is a list. */
class ServerAnswersTest extends ConnectionsBench {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "HTTP/1.1 200 OK|content-length: 7||{'a':1}",
        "HTTP/1.1 200|Content-Length:7|X: y||{'a':1}",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||3|{'a|4;x=y|':1}|0||",
        "HTTP/1.1 200 OK|Transfer-Encoding: Chunked||07|{'a':1}|0|Trailer: t||",
        "HTTP/1.1 100 Continue||HTTP/1.1 103 Hints|Link: x||HTTP/1.1 200 OK|Content-Length: 7||"
            + "{'a':1}",
        "HTTP/1.0 200 OK|Content-Length: 7||{'a':1}",
        "HTTP/1.1 201 Created|Connection: close|Content-Length: 7||{'a':1}",
      })
  void takesEveryFormOfAnAnswer(String answer) throws Exception {
    then(answer.replace('\'', '"'));
    try (ApiServer client = client()) {
      assertThat(client.get("/x").path("a").asInt()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "HTTP/2 200||~Unsupported version",
        "SSH-2.0-server|~Invalid protocol version",
        "HTTP/1.1 two||~invalid status code",
        "HTTP/1.1 2x0 OK||~invalid status code",
        "HTTP/1.1 200 OK|Content-Length: -1||~Negative content length",
        "HTTP/1.1 200 OK|Content-Length: 99999999999||~longer than",
        "HTTP/1.1 200 OK|nothing||~Invalid header",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||x|~Bad chunk header",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1|{}|0||~chunk",
      })
  void refusesWhatIsNoAnswer(String answer, String words) throws Exception {
    then(answer);
    try (ApiServer client = client()) {
      assertThatThrownBy(() -> client.post("/x", JsonNodeFactory.instance.objectNode()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("POST /x")
          .hasMessageContaining(words);
    }
  }

  @Test
  void refusesAHeadWithoutEnd() throws Exception {
    then("HTTP/1.1 200 OK|" + "X: y|".repeat(20_000));
    try (ApiServer client = client()) {
      assertThatThrownBy(() -> client.get("/x"))
          .hasMessageContaining("Maximum header count exceeded");
    }
  }

  @Test
  void aListMayComeZippedAndWithoutTheBooksOfItsFields() throws Exception {
    String list =
        "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[{\"metadata\":{\"name\":\"a\","
            + "\"managedFields\":[{\"f:x\":{}}],\"n\":[1,2.5,true,null,{\"b\":\"c\"}]}}]}";
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(zipped)) {
      out.write(list.getBytes(StandardCharsets.UTF_8));
    }
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    String head =
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
            .formatted(zipped.size());
    answer.write(head.getBytes(StandardCharsets.UTF_8));
    answer.write(zipped.toByteArray());
    answers.add(answer.toByteArray());
    try (ApiServer client = client()) {
      List<JsonNode> items = new ArrayList<>();
      assertThat(client.list("/pods", items::add)).isEqualTo("7");
      assertThat(requests.get(0)).contains("\r\nAccept-Encoding: gzip\r\n");
      assertThat(items)
          .hasToString("[{\"metadata\":{\"name\":\"a\",\"n\":[1,2.5,true,null,{\"b\":\"c\"}]}}]");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "{'message':'maintenance'}~no items",
        "{'metadata':{'resourceVersion':'7'}}~no items",
        "{'metadata':{'resourceVersion':'7'},'items':{'a':[]}}~no items",
        "{'items':[]}~no resourceVersion",
        "{'items':[],'metadata':{'resourceVersion':''}}~no resourceVersion",
        "{'items':[],'metadata':'7'}~no resourceVersion",
        "[]~no list"
      })
  void whatIsNoListIsNotAnEmptyOne(String answer, String words) throws Exception {
    thenBody(answer);
    try (ApiServer client = client()) {
      assertThatThrownBy(() -> client.list("/pods", item -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("GET /pods?limit=500: the ")
          .hasMessageContaining(words);
    }
  }

  @Test
  void aListWithoutItemsIsEmpty() throws Exception {
    thenBody("{'items':null,'metadata':{'resourceVersion':'7'}}");
    try (ApiServer client = client()) {
      List<JsonNode> items = new ArrayList<>();
      assertThat(client.list("/pods", items::add)).isEqualTo("7");
      assertThat(items).isEmpty();
    }
  }

  /** An answer with this JSON; single quotes stand for double ones. */
  private void thenBody(String json) {
    then(
        "HTTP/1.1 200 OK|Content-Length: %d||%s".formatted(json.length(), json.replace('\'', '"')));
  }
}
