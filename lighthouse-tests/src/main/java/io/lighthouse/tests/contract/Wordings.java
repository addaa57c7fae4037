package io.lighthouse.tests.contract;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Sketch;
import io.lighthouse.tests.referee.Books;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Cases;
import io.lighthouse.tests.referee.Law;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Laws that describe one fleet in two ways, which must have the same answers. */
final class Wordings {
  /** A level at which every node has a domain of its own, and the resource of that domain. */
  private static final String OWN = "own";

  private static final String HEAT = "heat";

  private final Scenario scenario;
  private final RandomFleet fleet;
  private final CallRecord record;
  private final Subject subject;

  Wordings(Scenario scenario, CallRecord record, Subject subject) {
    this.scenario = scenario;
    fleet = scenario.fleet();
    this.record = record;
    this.subject = subject;
  }

  /** Assigns the batches to a fleet, and in other words to another description of it. */
  private void alike(
      Law law,
      RandomFleet one,
      UnaryOperator<Workload> words,
      RandomFleet other,
      UnaryOperator<Workload> otherWords) {
    ScenarioRun first = new ScenarioRun(subject, new Scenario(one, scenario.sketches()), record);
    record.add("in other words");
    ScenarioRun second = new ScenarioRun(subject, new Scenario(other, List.of()), record);
    first.calls(
        call -> {
          if (call instanceof Call.Assign assign) {
            List<Workload> batch = assign.batch().stream().map(words).toList();
            List<Workload> otherwise = assign.batch().stream().map(otherWords).toList();
            Assignments answer = (Assignments) first.ask(new Call.Assign(batch, List.of()));
            record.add("in other words " + new Call.Assign(otherwise, List.of()));
            Assignments found = second.distributor.assign(otherwise);
            if (!answer.asMap().equals(found.asMap())) {
              throw new BrokenLaw(law, "the answer in other words", answer, found);
            }
          }
        });
  }

  private static RandomFleet with(
      RandomFleet cluster, UnaryOperator<Node> node, List<Domain> domains, List<Rule> rules) {
    return new RandomFleet(
        cluster.nodes().stream().map(node).toList(), domains, rules, cluster.lastPlaced());
  }

  /**
   * A rule at the top equals one at the end of the rules of each workload that it applies to: the
   * rules of the fleet, and the first one of a workload.
   */
  void rulesAtTheTop() {
    Stream<Rule> first =
        scenario.sketches().stream()
            .filter(Sketch.Assign.class::isInstance)
            .flatMap(sketch -> ((Sketch.Assign) sketch).workloads().stream())
            .flatMap(workload -> workload.terms().rules().stream())
            .limit(1);
    List<Rule> top = Stream.concat(fleet.rules().stream(), first).toList();
    RandomFleet ruled = with(fleet, node -> node, fleet.domains(), top);
    UnaryOperator<Workload> own =
        workload -> {
          List<Rule> rules = new ArrayList<>(workload.terms().rules());
          top.stream().filter(rule -> Books.isFor(rule, workload)).forEach(rules::add);
          return workload.withTerms(workload.terms().rules(rules.toArray(Rule[]::new)));
        };
    RandomFleet unruled = with(fleet, node -> bringing(node, own), fleet.domains(), List.of());
    alike(Law.TOP_RULES, ruled, workload -> workload, unruled, own);
  }

  private static Node node(Node like, Resources resources, Map<String, String> domains) {
    return new Node(
        like.name(), resources, like.workloads(), like.cordoned(), domains, like.units());
  }

  private static Node bringing(Node node, UnaryOperator<Workload> as) {
    return node.withWorkloads(node.workloads().stream().map(as).toArray(Workload[]::new));
  }

  /** Other names for domains, in another order, declared in another order. */
  void otherNames() {
    UnaryOperator<Workload> renamed = workload -> workload.withTerms(renamed(workload.terms()));
    List<Domain> domains = new ArrayList<>();
    for (Domain domain : fleet.domains()) {
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
          return node(bringing(node, renamed), node.resources(), at);
        };
    RandomFleet other = with(fleet, standing, domains, fleet.rules());
    alike(Law.DOMAIN_NAMES, fleet, workload -> workload, other, renamed);
  }

  /** Another name, which reverses the order of names. */
  private static String renamed(String level, String name) {
    return level.equals(Rule.FLEET) || level.equals(Rule.NODE)
        ? name
        : "x" + (9 - (name.charAt(name.length() - 1) - '0')) + name;
  }

  private static Terms renamed(Terms terms) {
    Rule[] preferences =
        terms.preferences().stream().map(RENAMED_RULES::apply).toArray(Rule[]::new);
    return terms.where(conditions(terms.where()).toArray(Condition[]::new)).preferring(preferences);
  }

  private static final Cases<Rule, Rule> RENAMED_RULES =
      Cases.<Rule, Rule>of(Rule.class)
          .on(Rule.Where.class, where -> new Rule.Where(conditions(where.conditions())))
          .others(rule -> rule)
          .complete();

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
          .others(condition -> condition)
          .complete();

  private static Set<String> renamed(String level, Set<String> names) {
    return names.stream().map(name -> renamed(level, name)).collect(Collectors.toSet());
  }

  /** Plain workloads get the same answers on nodes with labels and on nodes without. */
  void plainProblems() {
    UnaryOperator<Workload> plain = workload -> workload.withTerms(Terms.NONE);
    UnaryOperator<Node> nowhere = node -> node(bringing(node, plain), node.resources(), Map.of());
    RandomFleet labelled = with(fleet, node -> bringing(node, plain), List.of(), List.of());
    RandomFleet bare = with(fleet, nowhere, List.of(), List.of());
    alike(Law.DOMAIN_PLAIN, labelled, plain, bare, plain);
  }

  /** A resource of each node equals one of a domain that each node has to itself. */
  void movedResource() {
    List<Domain> domains = new ArrayList<>(fleet.domains());
    for (Node node : fleet.nodes()) {
      domains.add(Domain.of(OWN, node.name(), Resources.of(HEAT, some(node.name(), 9))));
    }
    UnaryOperator<Node> hot =
        node -> node(node, node.resources().with(HEAT, some(node.name(), 9)), node.domains());
    alike(
        Law.BOOKS,
        with(fleet, hot, fleet.domains(), fleet.rules()),
        workload ->
            new Workload(
                workload.name(),
                workload.requirements().with(HEAT, some(workload.name(), 4)),
                workload.immunities(),
                workload.aversionGroups(),
                workload.terms()),
        with(fleet, node -> node.in(OWN, node.name()), domains, fleet.rules()),
        workload ->
            workload.withTerms(
                workload.terms().sharing(OWN, Resources.of(HEAT, some(workload.name(), 4)))));
  }

  /** A number below a bound that hangs on a name only. */
  private static int some(String name, int bound) {
    return Math.floorMod(name.hashCode(), bound);
  }
}
