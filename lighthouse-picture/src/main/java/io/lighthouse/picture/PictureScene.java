package io.lighthouse.picture;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Names;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The content of a {@link Picture} of one fleet: its nodes with the workloads on them, and the
 * refused workloads. Immutable and thread-safe.
 */
public final class PictureScene {
  private static final int LISTED = 24;

  private final String title;
  private final List<PicturedNode> nodes = new ArrayList<>();
  private final List<Workload> refused = new ArrayList<>();
  private final List<DomainState> domains;

  /** The declared domains by level and name. */
  private final Map<Map.Entry<String, String>, DomainState> declared = new HashMap<>();

  private final String placed;

  /** Whether its workloads without a node are waiting: nothing was placed, so none was refused. */
  private final boolean waiting;

  private final Map<String, PicturedNode> nodeOf = new LinkedHashMap<>();

  /**
   * A fleet after a batch. It computes all figures once.
   *
   * @param title its title
   * @param strategy the name of the strategy that placed the batch
   * @param snapshot the fleet then
   * @param batch the workloads of the batch
   * @param assignments its answer
   */
  public PictureScene(
      String title,
      String strategy,
      Snapshot snapshot,
      List<Workload> batch,
      Assignments assignments) {
    this(
        title,
        snapshot,
        IntStream.range(0, assignments.size())
            .filter(i -> assignments.node(i).isEmpty())
            .mapToObj(batch::get)
            .toList(),
        PlacementSummary.of(snapshot, assignments).words(strategy),
        false);
  }

  private PictureScene(
      String title, Snapshot snapshot, List<Workload> withoutNode, String placed, boolean waiting) {
    this.title = title;
    this.placed = placed;
    this.waiting = waiting;
    domains = snapshot.domains();
    refused.addAll(withoutNode);
    Set<String> common = common(snapshot.nodes());
    for (DomainState domain : domains) {
      declared.put(Map.entry(domain.level(), domain.name()), domain);
    }
    for (NodeState state : snapshot.nodes()) {
      PicturedNode node = PicturedNode.of(state, declared, common);
      nodes.add(node);
      state.workloads().forEach(workload -> nodeOf.put(workload.name(), node));
    }
  }

  /**
   * A fleet as it is, with workloads that wait: no strategy was used.
   *
   * @param title its title
   * @param snapshot the fleet
   * @param waiting the workloads without a node
   * @return the scene
   */
  public static PictureScene asItIs(String title, Snapshot snapshot, List<Workload> waiting) {
    String words =
        "%s placed, %s waiting; %s"
            .formatted(
                snapshot.placedCount(), waiting.size(), PlacementSummary.nodesInUse(snapshot));
    return new PictureScene(title, snapshot, waiting, words, true);
  }

  /** The resources that more than half of the workloads require. */
  private Set<String> common(List<NodeState> states) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    int all = refused.size();
    refused.forEach(workload -> count(workload, counts));
    for (NodeState state : states) {
      all += state.workloads().size();
      state.workloads().forEach(workload -> count(workload, counts));
    }
    Set<String> common = new HashSet<>();
    for (Map.Entry<String, Integer> count : counts.entrySet()) {
      if (2L * count.getValue() > all) {
        common.add(count.getKey());
      }
    }
    return common;
  }

  private static void count(Workload workload, Map<String, Integer> counts) {
    for (int i = 0; i < workload.requirements().size(); i++) {
      if (workload.requirements().quantity(i).signum() > 0) {
        counts.merge(workload.requirements().name(i), 1, Integer::sum);
      }
    }
  }

  /**
   * Its title.
   *
   * @return the title, as given
   */
  public String title() {
    return title;
  }

  List<PicturedNode> nodes() {
    return nodes;
  }

  /**
   * The workloads without a node: refused, or waiting where nothing was placed.
   *
   * @return in the order of the batch
   */
  public List<Workload> refused() {
    return Collections.unmodifiableList(refused);
  }

  /** What its workloads without a node are. */
  String withoutNode() {
    return waiting ? "Waiting" : "Refused";
  }

  List<DomainState> domains() {
    return domains;
  }

  /** The node of every placed workload. */
  Map<String, PicturedNode> nodeOf() {
    return nodeOf;
  }

  /** The facts of a domain, if it is declared: whether it is cordoned, and its used amounts. */
  List<String> said(String level, String name) {
    List<String> said = new ArrayList<>();
    DomainState domain = declared.get(Map.entry(level, name));
    if (domain != null) {
      if (domain.cordoned()) {
        said.add("cordoned");
      }
      said.addAll(FleetText.shares(domain));
    }
    return said;
  }

  /**
   * How much of everything is placed.
   *
   * @return one line
   */
  public String placed() {
    return placed;
  }

  /**
   * The nodes with a hot resource: nine tenths of it taken, or more.
   *
   * @return such as {@code edge-1 (cpu)}, in the order of nodes
   */
  public List<String> hot() {
    return nodes.stream()
        .filter(node -> !node.hot().isEmpty())
        .map(node -> node.name() + " (" + String.join(", ", node.hot()) + ")")
        .toList();
  }

  /**
   * What is stranded on all nodes together: left beside a resource that has run out, which more
   * than half of the workloads require.
   *
   * @return such as {@code 12 mem}, in the order of names
   */
  public List<String> stranded() {
    Map<String, BigDecimal> sums = new TreeMap<>(Names.order());
    for (PicturedNode node : nodes) {
      for (PicturedNode.Supply supply : node.supplies()) {
        sums.merge(supply.resource(), node.stranded(supply), BigDecimal::add);
      }
    }
    List<String> stranded = new ArrayList<>();
    sums.forEach(
        (resource, sum) -> {
          if (sum.signum() > 0) {
            stranded.add(FleetText.brief(sum) + " " + resource);
          }
        });
    return stranded;
  }

  /**
   * The first names, at most {@value #LISTED}, and the number of the others.
   *
   * @param names any names
   * @return {@code none} if there are none
   */
  public static String listed(List<String> names) {
    if (names.isEmpty()) {
      return "none";
    }
    String listed = String.join(", ", names.subList(0, Math.min(LISTED, names.size())));
    return names.size() <= LISTED ? listed : listed + " and " + (names.size() - LISTED) + " more";
  }

  /** Everything that it shows, in words. */
  String described() {
    List<String> names = refused.stream().map(Workload::name).toList();
    return "%s: %s. Hot: %s. Stranded: %s. %s: %s."
        .formatted(title, placed, listed(hot()), listed(stranded()), withoutNode(), listed(names));
  }
}
