package io.lighthouse.tests.contract;

import static io.lighthouse.tests.contract.BrokenLaw.unlessEqual;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.generate.Dice;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.referee.Cases;
import io.lighthouse.tests.referee.Law;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Laws that describe one fleet in two ways, which must have the same answers. */
final class Wordings {
  private static final int BATCHES = 4;

  /** A level at which every node has a domain of its own, and the resource of that domain. */
  private static final String OWN = "own";

  private static final String HEAT = "heat";

  private final Dice dice;
  private final Minutes minutes;
  private final Subject subject;

  Wordings(Dice dice, Minutes minutes, Subject subject) {
    this.dice = dice;
    this.minutes = minutes;
    this.subject = subject;
  }

  private Distributor made(RandomFleet fleet) {
    return subject.make(subject.strategy(), fleet);
  }

  /** A fleet with its beginning in the minutes. */
  private RandomFleet noted(RandomFleet fleet) {
    minutes.begin(fleet);
    return fleet;
  }

  /** Assigns the same batches to a fleet and to another description of it. */
  private void alike(
      Law law,
      RandomFleet cluster,
      RandomFleet other,
      UnaryOperator<Workload> said,
      boolean plain) {
    Distributor one = made(noted(cluster));
    Distributor two = made(other);
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

  /** A rule at the top equals one at the end of the rules of each workload that it applies to. */
  void rulesAtTheTop() {
    RandomFleet cluster = dice.fleet();
    List<Rule> top = new ArrayList<>(cluster.rules());
    top.add(dice.rule(false));
    RandomFleet ruled = with(cluster, node -> node, cluster.domains(), top);
    UnaryOperator<Workload> own =
        workload -> {
          List<Rule> rules = new ArrayList<>(workload.terms().rules());
          top.stream().filter(rule -> isFor(rule, workload)).forEach(rules::add);
          return workload.withTerms(workload.terms().rules(rules.toArray(Rule[]::new)));
        };
    RandomFleet unruled = with(cluster, node -> bringing(node, own), cluster.domains(), List.of());
    alike(Law.TOP_RULES, ruled, unruled, own, false);
  }

  private static final Rule.Cases<Optional<String>> GROUP =
      new Rule.GroupCases<>() {
        @Override
        public Optional<String> ofGroup(Rule.OfGroup rule) {
          return Optional.of(rule.group());
        }

        @Override
        public Optional<String> where(Rule.Where where) {
          return Optional.empty();
        }

        @Override
        public Optional<String> named(Rule.Named named) {
          return Optional.empty();
        }
      };

  private static boolean isFor(Rule rule, Workload workload) {
    return rule.match(GROUP)
        .map(
            group ->
                workload.terms().groups().contains(group)
                    || workload.aversionGroups().contains(group))
        .orElse(true);
  }

  private static Node bringing(Node node, UnaryOperator<Workload> as) {
    return node.withWorkloads(node.workloads().stream().map(as).toArray(Workload[]::new));
  }

  /** Other names for domains, in another order, declared in another order. */
  void otherNames() {
    RandomFleet cluster = dice.fleet();
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

  /** Another name, which reverses the order of names. */
  private static String renamed(String level, String name) {
    return level.equals(Rule.FLEET) || level.equals(Rule.NODE)
        ? name
        : "x" + (9 - (name.charAt(name.length() - 1) - '0')) + name;
  }

  private static Terms renamed(Terms terms) {
    Rule[] preferences =
        terms.preferences().stream().map(rule -> rule.match(RENAMED_RULES)).toArray(Rule[]::new);
    return terms.where(conditions(terms.where()).toArray(Condition[]::new)).preferring(preferences);
  }

  private static final Rule.Cases<Rule> RENAMED_RULES =
      new Rule.GroupCases<>() {
        @Override
        public Rule ofGroup(Rule.OfGroup rule) {
          return rule;
        }

        @Override
        public Rule where(Rule.Where where) {
          return new Rule.Where(conditions(where.conditions()));
        }

        @Override
        public Rule named(Rule.Named named) {
          return named;
        }
      };

  private static List<Condition> conditions(List<Condition> conditions) {
    return conditions.stream().map(RENAMED_CONDITIONS::apply).toList();
  }

  private static final Cases<Condition, Condition> RENAMED_CONDITIONS =
      Cases.<Condition, Condition>of(Condition.class)
          .on(
              Condition.In.class,
              in -> new Condition.In(in.level(), renamed(in.level(), in.names())))
          .on(
              Condition.NotIn.class,
              not -> new Condition.NotIn(not.level(), renamed(not.level(), not.names())))
          .on(
              Condition.Any.class,
              any -> new Condition.Any(any.lists().stream().map(Wordings::conditions).toList()))
          .onEach(
              condition -> condition,
              Condition.Somewhere.class,
              Condition.Nowhere.class,
              Condition.Has.class,
              Condition.Lacks.class)
          .complete();

  private static Set<String> renamed(String level, Set<String> names) {
    return names.stream().map(name -> renamed(level, name)).collect(Collectors.toSet());
  }

  /** Plain workloads get the same answers on nodes with labels and on nodes without. */
  void plainProblems() {
    RandomFleet cluster = dice.fleet();
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

  /** A resource of each node equals one of a domain that each node has to itself. */
  void movedResource() {
    RandomFleet cluster = dice.fleet();
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
    Distributor one = made(noted(onNodes));
    Distributor two = made(onDomains);
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
        onDomain.add(workload.withTerms(workload.terms().sharing(OWN, Resources.of(HEAT, needs))));
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
    return resources.with(HEAT, heat);
  }

  /** Every single workload has a node with its preferences if it has one without. */
  void preferences() {
    Distributor fleet = made(noted(dice.fleet()));
    for (int i = 0; i < 2 * BATCHES; i++) {
      Workload workload = dice.workload();
      Workload without = workload.withTerms(workload.terms().preferring());
      boolean expected = fleet.copy().assign(without).allPlaced();
      minutes.add("assign " + workload);
      unlessEqual(
          Law.PREFERENCE,
          "whether '" + workload.name() + "' has a node",
          expected,
          fleet.assign(workload).allPlaced());
    }
  }
}
