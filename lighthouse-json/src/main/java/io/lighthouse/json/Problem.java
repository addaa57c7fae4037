package io.lighthouse.json;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A fleet and the workloads that want a place on it: what a file or a request holds.
 *
 * <p>It is sound in its parts; whether it is sound as a whole (names once, quantities in range, an
 * installed strategy) a reader or a distributor says. Immutable and thread-safe.
 */
public final class Problem {
  /** Null where none is named. */
  private final String strategy;

  /** Null where none is given; an empty rubric is a rubric. */
  private final Rubric rubric;

  /** In the order of names. */
  private final Map<String, String> settings;

  private final List<Rule> rules;
  private final List<Domain> domains;
  private final List<Node> nodes;
  private final List<Workload> workloads;

  /** Null where the position is before the first node. */
  private final String lastPlaced;

  private Problem(
      String strategy,
      Rubric rubric,
      Map<String, String> settings,
      List<Rule> rules,
      List<Domain> domains,
      List<Node> nodes,
      List<Workload> workloads,
      String lastPlaced) {
    this.strategy = strategy;
    this.rubric = rubric;
    this.settings = settings;
    this.rules = rules;
    this.domains = domains;
    this.nodes = nodes;
    this.workloads = workloads;
    this.lastPlaced = lastPlaced;
  }

  /**
   * Nodes and workloads, and nothing else said.
   *
   * @param nodes the nodes, in order, with the workloads placed on them already
   * @param workloads those that want a place, in order
   * @return the problem
   */
  public static Problem of(List<Node> nodes, List<Workload> workloads) {
    return new Problem(
        null,
        null,
        Map.of(),
        List.of(),
        List.of(),
        List.copyOf(nodes),
        List.copyOf(workloads),
        null);
  }

  /**
   * The whole state of a distributor, as a problem without workloads. A distributor made from it
   * goes on as if nothing had been.
   *
   * @param distributor the distributor; its state is taken at one moment
   * @return the problem
   */
  public static Problem of(Distributor distributor) {
    Snapshot snapshot = distributor.snapshot();
    List<Node> nodes = new ArrayList<>();
    for (NodeState state : snapshot.nodes()) {
      nodes.add(state.toNode());
    }
    return new Problem(
        distributor.strategy().name(),
        distributor.rubric().orElse(null),
        sorted(distributor.settings()),
        List.copyOf(snapshot.rules()),
        snapshot.domains().stream().map(DomainState::toDomain).toList(),
        Collections.unmodifiableList(nodes),
        List.of(),
        snapshot.lastPlaced().orElse(null));
  }

  /**
   * The name of the strategy.
   *
   * @return its name, or nothing where the problem leaves it open
   */
  public Optional<String> strategy() {
    return Optional.ofNullable(strategy);
  }

  /**
   * The rubric.
   *
   * @return the rubric, which may be empty; or nothing where none is given
   */
  public Optional<Rubric> rubric() {
    return Optional.ofNullable(rubric);
  }

  /**
   * The settings of the strategy.
   *
   * @return values by name, in the order of names; unmodifiable
   */
  public Map<String, String> settings() {
    return settings;
  }

  /**
   * The rules of the fleet: each stands at the end of the hard rules of every workload in its
   * group, one of a plug-in at the end of all.
   *
   * @return the rules, in order; unmodifiable
   */
  public List<Rule> rules() {
    return rules;
  }

  /**
   * The declared domains.
   *
   * @return the domains, in the order given; unmodifiable
   */
  public List<Domain> domains() {
    return domains;
  }

  /**
   * The nodes.
   *
   * @return the nodes, in order; unmodifiable
   */
  public List<Node> nodes() {
    return nodes;
  }

  /**
   * The workloads that want a place.
   *
   * @return the workloads, in order; unmodifiable
   */
  public List<Workload> workloads() {
    return workloads;
  }

  /**
   * Whether a workload of this name is there, on a node or wanting a place. Looks at them all.
   *
   * @param name the name
   * @return true if so
   */
  public boolean hasWorkload(String name) {
    return workloads.stream().anyMatch(one -> one.name().equals(name))
        || nodes.stream()
            .flatMap(node -> node.workloads().stream())
            .anyMatch(one -> one.name().equals(name));
  }

  /**
   * The round-robin position: the node that took the last placed workload.
   *
   * @return its name, or nothing where the position is before the first node
   */
  public Optional<String> lastPlaced() {
    return Optional.ofNullable(lastPlaced);
  }

  /**
   * The same with another strategy.
   *
   * @param name its name
   * @return a new problem
   * @throws InvalidInputException if it is empty or ill-formed
   */
  public Problem withStrategy(String name) {
    Names.require(name, "problem", "strategy");
    return new Problem(name, rubric, settings, rules, domains, nodes, workloads, lastPlaced);
  }

  /**
   * The same with another rubric.
   *
   * @param weights the rubric
   * @return a new problem
   */
  public Problem withRubric(Rubric weights) {
    return new Problem(
        strategy,
        Objects.requireNonNull(weights),
        settings,
        rules,
        domains,
        nodes,
        workloads,
        lastPlaced);
  }

  /**
   * The same with these settings instead of its own.
   *
   * @param values values by name
   * @return a new problem
   * @throws InvalidInputException if a name or value is ill-formed, or a name is empty
   */
  public Problem withSettings(Map<String, String> values) {
    return new Problem(
        strategy, rubric, sorted(values), rules, domains, nodes, workloads, lastPlaced);
  }

  /**
   * The same with another round-robin position.
   *
   * @param node the name of a node
   * @return a new problem
   * @throws InvalidInputException if it is empty or ill-formed
   */
  public Problem withLastPlaced(String node) {
    Names.require(node, "problem", "lastPlaced");
    return new Problem(strategy, rubric, settings, rules, domains, nodes, workloads, node);
  }

  /**
   * The same with these workloads to place instead of its own.
   *
   * @param batch those that want a place, in order
   * @return a new problem
   */
  public Problem withWorkloads(List<Workload> batch) {
    return new Problem(
        strategy, rubric, settings, rules, domains, nodes, List.copyOf(batch), lastPlaced);
  }

  /**
   * The same without its nodes, what is on them, and the round-robin position.
   *
   * @return a new problem
   */
  public Problem withoutNodes() {
    return new Problem(strategy, rubric, settings, rules, domains, List.of(), workloads, null);
  }

  /**
   * The same with these rules of the fleet instead of its own.
   *
   * @param hard the rules
   * @return a new problem
   * @throws InvalidInputException if one is a {@link Rule.Where} or a skew of 0, which only
   *     preferences may be
   */
  public Problem withRules(List<Rule> hard) {
    Terms.NONE.rules(hard.toArray(Rule[]::new));
    return new Problem(
        strategy, rubric, settings, List.copyOf(hard), domains, nodes, workloads, lastPlaced);
  }

  /**
   * The same with these declared domains instead of its own.
   *
   * @param declared the domains
   * @return a new problem
   */
  public Problem withDomains(List<Domain> declared) {
    return new Problem(
        strategy, rubric, settings, rules, List.copyOf(declared), nodes, workloads, lastPlaced);
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof Problem other
        && Objects.equals(strategy, other.strategy)
        && Objects.equals(rubric, other.rubric)
        && settings.equals(other.settings)
        && rules.equals(other.rules)
        && domains.equals(other.domains)
        && nodes.equals(other.nodes)
        && workloads.equals(other.workloads)
        && Objects.equals(lastPlaced, other.lastPlaced);
  }

  @Override
  public int hashCode() {
    return Objects.hash(strategy, rubric, settings, rules, domains, nodes, workloads, lastPlaced);
  }

  /** Its size, such as {@code 12 nodes, 25 workloads, strategy bin-pack}. */
  @Override
  public String toString() {
    return nodes.size()
        + " nodes, "
        + workloads.size()
        + " workloads"
        + (strategy == null ? "" : ", strategy " + strategy);
  }

  private static Map<String, String> sorted(Map<String, String> values) {
    Map<String, String> sorted = new TreeMap<>(Names.order());
    for (Map.Entry<String, String> entry : values.entrySet()) {
      String name = Names.require(entry.getKey(), "settings", "name");
      String value = entry.getValue();
      sorted.put(name, value.isEmpty() ? value : Names.require(value, "settings", name));
    }
    return Collections.unmodifiableMap(sorted);
  }
}
