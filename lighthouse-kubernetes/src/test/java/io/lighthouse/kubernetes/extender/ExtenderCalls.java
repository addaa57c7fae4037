package io.lighthouse.kubernetes.extender;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Asks an extender as the stock scheduler does. */
final class ExtenderCalls {
  static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI extender;

  ExtenderCalls(URI extender) {
    this.extender = extender;
  }

  /** The status and body of an answer to a body. */
  HttpResponse<String> post(String path, byte[] body) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(extender.resolve(path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(body)));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Which of the nodes will do for a pod, which gets its name as uid. */
  JsonNode filter(ObjectNode pod, String... nodes) throws IOException, InterruptedException {
    return ask("/filter", pod, nodes);
  }

  /** The scores of nodes for a pod, which gets its name as uid. */
  JsonNode prioritize(ObjectNode pod, String... nodes) throws IOException, InterruptedException {
    return ask("/prioritize", pod, nodes);
  }

  private JsonNode ask(String path, ObjectNode pod, String... nodes)
      throws IOException, InterruptedException {
    pod.withObjectProperty("metadata").put("uid", pod.at("/metadata/name").asString());
    ObjectNode args = MAPPER.createObjectNode();
    args.set("Pod", pod);
    ArrayNode names = args.putArray("NodeNames");
    for (String node : nodes) {
      names.add(node);
    }
    return MAPPER.readTree(post(path, MAPPER.writeValueAsBytes(args)).body());
  }
}
