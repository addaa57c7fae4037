package io.lighthouse.kubernetes.cluster.object;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The images that a pod needs on its node.
 *
 * @param names of init containers, containers and image volumes, one for each; with a tag
 * @param containers the number of init containers and containers
 */
public record PodImages(List<String> names, int containers) {
  static final PodImages NONE = new PodImages(List.of(), 0);

  static PodImages of(JsonNode spec) {
    List<String> names = new ArrayList<>();
    int containers = 0;
    for (String field : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.path(field)) {
        containers++;
        add(names, ObjectFields.text(container, "image"));
      }
    }
    for (JsonNode volume : spec.path("volumes")) {
      add(names, ObjectFields.text(volume.path("image"), "reference"));
    }
    return new PodImages(List.copyOf(names), containers);
  }

  private static void add(List<String> names, String image) {
    if (!image.isEmpty()) {
      names.add(image.lastIndexOf(':') > image.lastIndexOf('/') ? image : image + ":latest");
    }
  }
}
