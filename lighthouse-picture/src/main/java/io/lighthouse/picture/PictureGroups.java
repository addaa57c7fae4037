package io.lighthouse.picture;

import io.lighthouse.api.Names;
import io.lighthouse.api.error.Plural;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The panels of a picture: one for each node, or with many nodes, one for each domain or kind. */
final class PictureGroups {
  /** With more nodes than this, they are drawn in groups. */
  static final int MOST_PANELS = 60;

  private static final String OTHERS = "other kinds";

  private enum By {
    NODE,
    DOMAIN,
    KIND
  }

  private final By by;

  /** The level whose domains are drawn; empty for none. */
  private final String level;

  /** The kinds with a panel of their own. */
  private final Set<String> kinds = new HashSet<>();

  /** The groups for some scenes: the same for all, so that they can be compared. */
  PictureGroups(List<PictureScene> scenes, Optional<String> wanted) {
    Map<String, Set<String>> domains = new TreeMap<>(Names.order());
    Map<String, Integer> standing = new HashMap<>();
    Map<String, Integer> ofKind = new TreeMap<>(Names.order());
    int most = 0;
    int all = 0;
    for (PictureScene scene : scenes) {
      most = Math.max(most, scene.nodes().size());
      all += scene.nodes().size();
      for (PicturedNode node : scene.nodes()) {
        ofKind.merge(node.kind(), 1, Integer::sum);
        node.state()
            .domains()
            .forEach(
                (at, name) -> {
                  domains.computeIfAbsent(at, one -> new HashSet<>()).add(name);
                  standing.merge(at, 1, Integer::sum);
                });
      }
    }
    int nodes = all;
    level =
        wanted.orElseGet(
            () ->
                domains.keySet().stream()
                    .filter(at -> domains.get(at).size() > 1 && domains.get(at).size() < nodes)
                    .min(
                        Comparator.<String, Integer>comparing(at -> -standing.get(at))
                            .thenComparing(at -> domains.get(at).size()))
                    .orElse(""));
    int ofLevel = domains.getOrDefault(level, Set.of()).size();
    boolean byDomain = ofLevel > 0 && ofLevel < MOST_PANELS;
    by = most <= MOST_PANELS ? By.NODE : byDomain ? By.DOMAIN : By.KIND;
    ofKind.entrySet().stream()
        .sorted(Comparator.comparing(kind -> -kind.getValue()))
        .limit(ofKind.size() > MOST_PANELS ? MOST_PANELS - 1 : MOST_PANELS)
        .forEach(kind -> kinds.add(kind.getKey()));
  }

  /** The levels at which a node of some scenes stands, in the order of names. */
  static List<String> levels(List<PictureScene> scenes) {
    return scenes.stream()
        .flatMap(scene -> scene.nodes().stream())
        .flatMap(node -> node.state().domains().keySet().stream())
        .distinct()
        .sorted(Names.order())
        .toList();
  }

  /** Whether every node has a panel of its own. */
  boolean ofNodes() {
    return by == By.NODE;
  }

  /** Whether the domains of a level are drawn. */
  boolean hasDomains(String of) {
    return level.equals(of) && by != By.KIND;
  }

  /** The kind of the groups, for people. */
  String words() {
    return switch (by) {
      case NODE -> level.isEmpty() ? "a panel for each node" : "nodes by " + level;
      case DOMAIN -> "nodes together by " + level;
      case KIND -> "nodes together by what they have";
    };
  }

  /** The key of the panel that a node is in. */
  String key(PicturedNode node) {
    return switch (by) {
      case NODE -> node.name();
      case DOMAIN -> box(node);
      case KIND -> kinds.contains(node.kind()) ? node.kind() : "";
    };
  }

  /** The domain around a node; empty where there is none. */
  String box(PicturedNode node) {
    return node.state().domains().getOrDefault(level, "");
  }

  /** The heading of a domain's box. */
  String heading(PictureScene scene, String box) {
    if (box.isEmpty()) {
      return "in no " + level;
    }
    List<String> said = scene.said(level, box);
    return level + " " + box + (said.isEmpty() ? "" : ": " + String.join(", ", said));
  }

  /** The panels of a scene by their keys: those of a domain one after the other, and in no last. */
  Map<String, PicturePanel> panels(PictureScene scene) {
    Map<String, List<PicturedNode>> byBox = new TreeMap<>(PictureGroups::lastWhereEmpty);
    for (PicturedNode node : scene.nodes()) {
      byBox.computeIfAbsent(by == By.KIND ? "" : box(node), one -> new ArrayList<>()).add(node);
    }
    Map<String, List<PicturedNode>> byKey = new LinkedHashMap<>();
    byBox
        .values()
        .forEach(
            within ->
                within.forEach(
                    node -> byKey.computeIfAbsent(key(node), one -> new ArrayList<>()).add(node)));
    Map<String, PicturePanel> panels = new LinkedHashMap<>();
    byKey.forEach((key, within) -> panels.put(key, panel(scene, key, within)));
    return panels;
  }

  private static int lastWhereEmpty(String a, String b) {
    return a.isEmpty() == b.isEmpty() ? Names.compare(a, b) : a.isEmpty() ? 1 : -1;
  }

  private PicturePanel panel(PictureScene scene, String key, List<PicturedNode> within) {
    PicturedNode first = within.get(0);
    if (by == By.NODE) {
      List<String> notes = first.marks();
      notes.addAll(first.domainsBut(level));
      return PicturePanel.of(first, notes);
    }
    List<String> notes = new ArrayList<>();
    notes.add(Plural.of(within.size(), "node"));
    long hot = within.stream().filter(node -> !node.hot().isEmpty()).count();
    if (hot > 0) {
      notes.add(hot + " hot");
    }
    long empty = within.stream().filter(node -> node.state().workloads().isEmpty()).count();
    if (empty > 0) {
      notes.add(empty + " empty");
    }
    long cordoned = within.stream().filter(node -> node.cordoned()).count();
    if (cordoned > 0) {
      notes.add(cordoned + " cordoned");
    }
    String title = by == By.DOMAIN ? heading(scene, key) : key.isEmpty() ? OTHERS : "each " + key;
    return PicturePanel.of(key, title, notes, within);
  }
}
