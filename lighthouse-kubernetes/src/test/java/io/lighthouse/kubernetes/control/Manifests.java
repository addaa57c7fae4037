package io.lighthouse.kubernetes.control;

import io.lighthouse.kubernetes.client.ApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Creates the objects of a file of manifests, as kubectl would. */
public final class Manifests {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final ApiServer admin;

  /** For this server. */
  public Manifests(ApiServer admin) {
    this.admin = admin;
  }

  /** The objects of a text, in its order. */
  public static List<JsonNode> read(String yaml) {
    List<JsonNode> objects = new ArrayList<>();
    new Load(LoadSettings.builder().build())
        .loadAllFromString(yaml)
        .forEach(one -> objects.add(MAPPER.valueToTree((Map<?, ?>) one)));
    return objects;
  }

  /** Creates all; answers how many. */
  public int apply(Path file) throws IOException {
    int made = 0;
    for (JsonNode object : read(Files.readString(file))) {
      String version = object.path("apiVersion").asString();
      String kind = object.path("kind").asString();
      String namespace = object.path("metadata").path("namespace").asString("");
      String path =
          (version.contains("/") ? "/apis/" : "/api/")
              + version
              + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
              + "/"
              + kind.toLowerCase(Locale.ROOT)
              + "s";
      admin.post(path, object);
      made++;
    }
    return made;
  }
}
