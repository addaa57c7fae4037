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
import io.lighthouse.api.error.Plural;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A fleet and the workloads that want a place on it: what a file or a request holds.
 *
 * <p>It is sound in its parts; whether it is sound as a whole (names once, quantities in range, an
 * installed strategy) a reader or a distributor says. Immutable and thread-safe.
 *
 * @param strategy the name of the strategy; empty where the problem leaves it open
 * @param rubric the rubric, which may be an empty one; nothing where none is given
 * @param settings the settings of the strategy: values by name, kept in the order of names
 * @param rules the rules of the fleet, in order: each stands at the end of the hard rules of every
 *     workload in its group, one of a plug-in at the end of all
 * @param domains the declared domains, in the order given
 * @param nodes the nodes, in order, with the workloads placed on them already
 * @param workloads those that want a place, in order
 * @param lastPlaced the round-robin position, the name of the node that took the last placed
 *     workload; empty where the position is before the first node
 */
public record Problem(
    Optional<String> strategy,
    Optional<Rubric> rubric,
    Map<String, String> settings,
    List<Rule> rules,
    List<Domain> domains,
    List<Node> nodes,
    List<Workload> workloads,
    Optional<String> lastPlaced) {
  /**
   * Checks and copies.
   *
   * @throws InvalidInputException if a name or the value of a setting is ill-formed, a name is
   *     empty, or a rule is a {@link Rule.Where} or a skew of 0, which only preferences may be
   */
  public Problem {
    strategy.ifPresent(name -> Names.require(name, "problem", "strategy"));
    Objects.requireNonNull(rubric, "rubric");
    settings = sorted(settings);
    Terms.NONE.rules(rules.toArray(Rule[]::new));
    rules = List.copyOf(rules);
    domains = List.copyOf(domains);
    nodes = List.copyOf(nodes);
    workloads = List.copyOf(workloads);
    lastPlaced.ifPresent(node -> Names.require(node, "problem", "lastPlaced"));
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
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        List.of(),
        List.of(),
        nodes,
        workloads,
        Optional.empty());
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
    return new Problem(
        Optional.of(distributor.strategy().name()),
        distributor.rubric(),
        distributor.settings(),
        snapshot.rules(),
        snapshot.domains().stream().map(DomainState::toDomain).toList(),
        snapshot.nodes().stream().map(NodeState::toNode).toList(),
        List.of(),
        snapshot.lastPlaced());
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
   * The names of all workloads. Reads them all.
   *
   * @return those on the nodes, then those that want a place, in their order
   */
  public List<String> workloadNames() {
    return Stream.concat(
            nodes.stream().flatMap(node -> node.workloads().stream()), workloads.stream())
        .map(Workload::name)
        .toList();
  }

  /**
   * The names of the resources that a node has or a workload requires, placed or waiting. Reads all
   * nodes and workloads.
   *
   * @return a new set, in the order in which they come first
   */
  public Set<String> resourceNames() {
    Set<String> names = new LinkedHashSet<>();
    for (Node node : nodes) {
      names.addAll(node.resources().names());
      node.workloads().forEach(workload -> names.addAll(workload.requirements().names()));
    }
    workloads.forEach(workload -> names.addAll(workload.requirements().names()));
    return names;
  }

  /**
   * The same with another strategy.
   *
   * @param name its name
   * @return a new problem
   * @throws InvalidInputException if it is empty or ill-formed
   */
  public Problem withStrategy(String name) {
    return new Problem(
        Optional.of(name), rubric, settings, rules, domains, nodes, workloads, lastPlaced);
  }

  /**
   * The same with another rubric.
   *
   * @param weights the rubric
   * @return a new problem
   */
  public Problem withRubric(Rubric weights) {
    return new Problem(
        strategy, Optional.of(weights), settings, rules, domains, nodes, workloads, lastPlaced);
  }

  /**
   * The same with these settings instead of its own.
   *
   * @param values values by name
   * @return a new problem
   * @throws InvalidInputException if a name or value is ill-formed, or a name is empty
   */
  public Problem withSettings(Map<String, String> values) {
    return new Problem(strategy, rubric, values, rules, domains, nodes, workloads, lastPlaced);
  }

  /**
   * The same with another round-robin position.
   *
   * @param node the name of a node
   * @return a new problem
   * @throws InvalidInputException if it is empty or ill-formed
   */
  public Problem withLastPlaced(String node) {
    return new Problem(
        strategy, rubric, settings, rules, domains, nodes, workloads, Optional.of(node));
  }

  /**
   * The same with these workloads to place instead of its own.
   *
   * @param batch those that want a place, in order
   * @return a new problem
   */
  public Problem withWorkloads(List<Workload> batch) {
    return new Problem(strategy, rubric, settings, rules, domains, nodes, batch, lastPlaced);
  }

  /**
   * The same without its nodes, what is on them, and the round-robin position.
   *
   * @return a new problem
   */
  public Problem withoutNodes() {
    return new Problem(
        strategy, rubric, settings, rules, domains, List.of(), workloads, Optional.empty());
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
    return new Problem(strategy, rubric, settings, hard, domains, nodes, workloads, lastPlaced);
  }

  /**
   * The same with these declared domains instead of its own.
   *
   * @param declared the domains
   * @return a new problem
   */
  public Problem withDomains(List<Domain> declared) {
    return new Problem(strategy, rubric, settings, rules, declared, nodes, workloads, lastPlaced);
  }

  /** Its size, such as {@code 12 nodes, 25 workloads, strategy bin-pack}. */
  @Override
  public String toString() {
    return Plural.of(nodes.size(), "node")
        + ", "
        + Plural.of(workloads.size(), "workload")
        + strategy.map(name -> ", strategy " + name).orElse("");
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
