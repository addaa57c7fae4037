package io.lighthouse.kubernetes.cluster.preference;

import io.lighthouse.kubernetes.cluster.mirror.NodeEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The images that the nodes report to have ({@code status.images}). */
public final class NodeImages {
  /**
   * Smaller images are ignored: the stock scheduler gives no score for less than this, in bytes.
   */
  private static final long SMALLEST = 23L << 20;

  /** An image by one of its names. */
  public static final class Image {
    private final String name;
    private long size;
    private final Map<String, NodeEntry> nodes = new TreeMap<>();

    private Image(String name) {
      this.name = name;
    }

    /** Its size in bytes, as last reported. */
    public long size() {
      return size;
    }

    /** The nodes that have it, in the order of their names. */
    public Map<String, NodeEntry> nodes() {
      return Collections.unmodifiableMap(nodes);
    }
  }

  private final Map<String, Image> images = new HashMap<>();
  private final Map<String, List<Image>> byNode = new HashMap<>();

  /** A known node has come or changed. */
  public void nodeChanged(NodeEntry entry, JsonNode node) {
    String nodeName = entry.facts.name();
    nodeGone(nodeName);
    List<Image> found = new ArrayList<>();
    for (JsonNode reported : node.path("status").path("images")) {
      long size = reported.path("sizeBytes").asLong(0);
      if (size >= SMALLEST) {
        for (JsonNode name : reported.path("names")) {
          Image image = images.computeIfAbsent(name.asString(""), Image::new);
          image.size = size;
          image.nodes.put(nodeName, entry);
          found.add(image);
        }
      }
    }
    if (!found.isEmpty()) {
      byNode.put(nodeName, List.copyOf(found));
    }
  }

  /** A node has gone; nothing happens where it is not known. */
  public void nodeGone(String node) {
    List<Image> had = byNode.remove(node);
    if (had != null) {
      for (Image image : had) {
        image.nodes.remove(node);
        if (image.nodes.isEmpty()) {
          images.remove(image.name);
        }
      }
    }
  }

  /** An image, or null where no node has it. */
  public Image find(String name) {
    return images.get(name);
  }
}
