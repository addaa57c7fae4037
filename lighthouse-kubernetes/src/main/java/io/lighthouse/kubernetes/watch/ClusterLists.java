package io.lighthouse.kubernetes.watch;

import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.object.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Lists a cluster once, without a watch. */
public final class ClusterLists {
  /** The longest that a call of such a client may take. */
  public static final Duration LIMIT = Duration.ofSeconds(60);

  private ClusterLists() {}

  /** All objects that decide where pods may go, listed one resource after the other. */
  public static Map<Resource, List<JsonNode>> read(ApiServer server) throws IOException {
    Map<Resource, List<JsonNode>> objects = new EnumMap<>(Resource.class);
    for (Resource resource : Resource.OF_PLACEMENT) {
      List<JsonNode> found = new ArrayList<>();
      server.list(resource.path(), found::add);
      objects.put(resource, found);
    }
    return objects;
  }
}
