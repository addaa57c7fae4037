package io.lighthouse.tests.contract;

import static io.lighthouse.tests.contract.BrokenLaw.unlessEqual;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.generate.ClusterDice;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.referee.Law;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Laws that say the same of a fleet in two ways, which should not differ. */
final class ClusterTwins {
  private static final int BATCHES = 4;

  /** A level at which every node stands in a domain of its own, and what it has there. */
  private static final String OWN = "own";

  private static final String HEAT = "heat";

  private final ClusterDice dice;
  private final Minutes minutes;
  private final Function<RandomFleet, Distributor> make;

  ClusterTwins(ClusterDice dice, Minutes minutes, Function<RandomFleet, Distributor> make) {
    this.dice = dice;
    this.minutes = minutes;
    this.make = make;
  }

  /** A fleet with its beginning in the minutes. */
  private RandomFleet noted(RandomFleet fleet) {
    minutes.begin(fleet);
    return fleet;
  }

  /** The same batches, to a fleet and to another way of saying it. */
  private void alike(
      Law law,
      RandomFleet cluster,
      RandomFleet other,
      UnaryOperator<Workload> said,
      boolean plain) {
    Distributor one = make.apply(noted(cluster));
    Distributor two = make.apply(other);
    for (int i = 0; i < BATCHES; i++) {
      List<Workload> batch = plain ? plain(dice.batch()) : dice.batch();
      List<Workload> otherwise = batch.stream().map(said).toList();
      minutes.add("assign " + batch);
      unlessEqual(
          law,
          "the answer to " + otherwise,
          one.assign(batch).asMap(),
          two.assign(otherwise).asMap());
    }
  }

  private static List<Workload> plain(List<Workload> batch) {
    return batch.stream().map(workload -> workload.withTerms(Terms.NONE)).toList();
  }

  private static RandomFleet with(
      RandomFleet cluster, UnaryOperator<Node> node, List<Domain> domains, List<Rule> rules) {
    return new RandomFleet(
        cluster.nodes().stream().map(node).toList(),
        domains,
        rules,
        cluster.rubric(),
        cluster.lastPlaced());
  }

  /** What is at the top stands at the end of the rules of each workload that it is for. */
  void rulesAtTheTop() {
    RandomFleet cluster = dice.cluster();
    List<Rule> top = new ArrayList<>(cluster.rules());
    top.add(dice.rule(false));
    RandomFleet ruled = with(cluster, node -> node, cluster.domains(), top);
    UnaryOperator<Workload> own =
        workload -> {
          List<Rule> rules = new ArrayList<>(workload.terms().rules());
          top.stream().filter(rule -> isFor(rule, workload)).forEach(rules::add);
          return workload.withTerms(withRules(workload.terms(), rules));
        };
    RandomFleet unruled = with(cluster, node -> bringing(node, own), cluster.domains(), List.of());
    alike(Law.TOP_RULES, ruled, unruled, own, false);
  }

  private static boolean isFor(Rule rule, Workload workload) {
    String group =
        rule instanceof Rule.Most most
            ? most.group()
            : rule instanceof Rule.Least least ? least.group() : ((Rule.Skew) rule).group();
    return workload.terms().groups().contains(group) || workload.aversionGroups().contains(group);
  }

  private static Terms withRules(Terms terms, List<Rule> rules) {
    return new Terms(
        terms.shared(), terms.groups(), terms.where(), rules, terms.preferences(), terms.gang());
  }

  private static Node bringing(Node node, UnaryOperator<Workload> as) {
    return node.withWorkloads(node.workloads().stream().map(as).toArray(Workload[]::new));
  }

  /** Other names for domains, in another order, declared in another order. */
  void otherNames() {
    RandomFleet cluster = dice.cluster();
    UnaryOperator<Workload> renamed = workload -> workload.withTerms(renamed(workload.terms()));
    List<Domain> domains = new ArrayList<>();
    for (Domain domain : cluster.domains()) {
      domains.add(
          new Domain(
              domain.level(),
              renamed(domain.level(), domain.name()),
              domain.resources(),
              domain.units(),
              domain.cordoned()));
    }
    Collections.reverse(domains);
    UnaryOperator<Node> standing =
        node -> {
          Map<String, String> at = new TreeMap<>();
          node.domains().forEach((level, name) -> at.put(level, renamed(level, name)));
          return new Node(
              node.name(),
              node.resources(),
              node.workloads().stream().map(renamed).toList(),
              node.cordoned(),
              at,
              node.units());
        };
    RandomFleet other = with(cluster, standing, domains, cluster.rules());
    alike(Law.DOMAIN_NAMES, cluster, other, renamed, false);
  }

  /** Another name, and one that comes later where this came earlier. */
  private static String renamed(String level, String name) {
    return level.equals(Rule.FLEET) || level.equals(Rule.NODE)
        ? name
        : "x" + (9 - (name.charAt(name.length() - 1) - '0')) + name;
  }

  private static Terms renamed(Terms terms) {
    return new Terms(
        terms.shared(),
        terms.groups(),
        conditions(terms.where()),
        terms.rules(),
        terms.preferences().stream().map(ClusterTwins::renamed).toList(),
        terms.gang());
  }

  private static Rule renamed(Rule rule) {
    return rule instanceof Rule.Where where ? new Rule.Where(conditions(where.conditions())) : rule;
  }

  private static List<Condition> conditions(List<Condition> conditions) {
    return conditions.stream().map(ClusterTwins::renamed).toList();
  }

  private static Condition renamed(Condition condition) {
    BiFunction<String, Set<String>, Set<String>> names =
        (level, all) -> all.stream().map(name -> renamed(level, name)).collect(Collectors.toSet());
    if (condition instanceof Condition.In in) {
      return new Condition.In(in.level(), names.apply(in.level(), in.names()));
    }
    if (condition instanceof Condition.NotIn not) {
      return new Condition.NotIn(not.level(), names.apply(not.level(), not.names()));
    }
    return condition instanceof Condition.Any any
        ? new Condition.Any(any.lists().stream().map(ClusterTwins::conditions).toList())
        : condition;
  }

  /** Plain workloads on nodes that stand in domains which are labels, and on nodes that do not. */
  void plainProblems() {
    RandomFleet cluster = dice.cluster();
    UnaryOperator<Node> brings = node -> bringing(node, workload -> workload.withTerms(Terms.NONE));
    UnaryOperator<Node> nowhere =
        node ->
            new Node(
                node.name(),
                node.resources(),
                brings.apply(node).workloads(),
                node.cordoned(),
                Map.of(),
                node.units());
    RandomFleet labelled = with(cluster, brings, List.of(), List.of());
    RandomFleet bare = with(cluster, nowhere, List.of(), List.of());
    alike(Law.DOMAIN_PLAIN, labelled, bare, workload -> workload, true);
  }

  /** A resource of each node, and the same of a domain that each node has to itself. */
  void movedResource() {
    RandomFleet cluster = dice.cluster();
    List<Domain> domains = new ArrayList<>(cluster.domains());
    Map<String, Integer> heat = new TreeMap<>();
    for (Node node : cluster.nodes()) {
      heat.put(node.name(), dice.below(9));
      domains.add(Domain.of(OWN, node.name(), Resources.of(HEAT, heat.get(node.name()))));
    }
    RandomFleet onNodes =
        with(
            cluster,
            node ->
                new Node(
                    node.name(),
                    also(node.resources(), heat.get(node.name())),
                    node.workloads(),
                    node.cordoned(),
                    node.domains(),
                    node.units()),
            cluster.domains(),
            cluster.rules());
    RandomFleet onDomains =
        with(cluster, node -> node.in(OWN, node.name()), domains, cluster.rules());
    Distributor one = make.apply(noted(onNodes));
    Distributor two = make.apply(onDomains);
    for (int i = 0; i < BATCHES; i++) {
      List<Workload> onNode = new ArrayList<>();
      List<Workload> onDomain = new ArrayList<>();
      for (Workload workload : dice.batch()) {
        int needs = dice.below(4);
        onNode.add(
            new Workload(
                workload.name(),
                also(workload.requirements(), needs),
                workload.immunities(),
                workload.aversionGroups(),
                workload.terms()));
        Terms terms = workload.terms();
        Map<String, Resources> shared = new TreeMap<>(terms.shared());
        shared.put(OWN, Resources.of(HEAT, needs));
        onDomain.add(
            workload.withTerms(
                new Terms(
                    shared,
                    terms.groups(),
                    terms.where(),
                    terms.rules(),
                    terms.preferences(),
                    terms.gang())));
      }
      minutes.add("assign " + onNode);
      unlessEqual(
          Law.DOMAIN_BOOKS,
          "the answer to " + onDomain,
          one.assign(onNode).asMap(),
          two.assign(onDomain).asMap());
    }
  }

  private static Resources also(Resources resources, int heat) {
    Map<String, Quantity> all = new TreeMap<>(resources.asMap());
    all.put(HEAT, Quantity.of(heat));
    return Resources.of(all);
  }

  /** Every workload alone has a node with its preferences if it has one without. */
  void preferences() {
    Distributor fleet = make.apply(noted(dice.cluster()));
    for (int i = 0; i < 2 * BATCHES; i++) {
      Workload workload = dice.workload();
      Terms terms = workload.terms();
      Workload without =
          workload.withTerms(
              new Terms(
                  terms.shared(),
                  terms.groups(),
                  terms.where(),
                  terms.rules(),
                  List.of(),
                  terms.gang()));
      boolean expected = fleet.copy().assign(without).allPlaced();
      minutes.add("assign " + workload);
      unlessEqual(
          Law.PREFERENCE,
          "whether '" + workload.name() + "' has a node",
          expected,
          fleet.assign(workload).allPlaced());
    }
  }

  /** What goes on from a copy, or from what is written out, goes on alike; and the copy apart. */
  void copies() {
    RandomFleet cluster = noted(dice.cluster());
    Distributor fleet = make.apply(cluster);
    fleet.assign(dice.batch());
    Distributor copy = fleet.copy();
    List<Object> then = state(fleet);
    unlessEqual(Law.COPY, "the copy", then, state(copy));
    Distributor read =
        make.apply(
            new RandomFleet(
                fleet.snapshot().nodes().stream().map(node -> node.toNode()).toList(),
                fleet.snapshot().domains().stream().map(domain -> domain.toDomain()).toList(),
                cluster.rules(),
                cluster.rubric(),
                fleet.snapshot().lastPlaced()));
    unlessEqual(Law.WRITTEN_OUT, "what was written out and read", then, state(read));
    List<Workload> next = dice.batch();
    minutes.add("copied, then assign " + next);
    Map<?, ?> expected = copy.assign(next).asMap();
    unlessEqual(Law.COPY, "the original after its copy was changed", then, state(fleet));
    unlessEqual(Law.COPY, "the answer of the original", expected, fleet.assign(next).asMap());
    unlessEqual(Law.WRITTEN_OUT, "the answer after reading", expected, read.assign(next).asMap());
    unlessEqual(Law.COPY, "the state at the end", state(copy), state(fleet));
    unlessEqual(Law.WRITTEN_OUT, "the state at the end", state(copy), state(read));
    List<String> placed =
        next.stream()
            .map(Workload::name)
            .filter(name -> fleet.snapshot().nodeOf(name).isPresent())
            .toList();
    fleet.release(placed);
    unlessEqual(
        Law.RELEASE, "what is left when the batch is released", then.subList(0, 2), left(fleet));
  }

  private static List<Object> state(Distributor fleet) {
    List<Object> state = left(fleet);
    state.add(fleet.snapshot().lastPlaced());
    return state;
  }

  private static List<Object> left(Distributor fleet) {
    return new ArrayList<>(List.of(fleet.snapshot().nodes(), fleet.snapshot().domains()));
  }
}
