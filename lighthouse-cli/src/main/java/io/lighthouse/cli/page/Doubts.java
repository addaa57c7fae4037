package io.lighthouse.cli.page;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.json.Problem;
import io.lighthouse.json.Suggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What of a problem is sound, but may not be meant. */
public final class Doubts {
  private final Problem problem;

  /** What nodes offer, and at which levels in which domains they stand. */
  private final Set<String> offered = new LinkedHashSet<>();

  private final Map<String, Set<String>> standing = new HashMap<>();

  /** What the declared domains of a level have. */
  private final Map<String, Set<String>> shared = new HashMap<>();

  /** The groups that have a member. */
  private final Set<String> members = new LinkedHashSet<>();

  private final Set<String> required = new LinkedHashSet<>();
  private final Set<String> unshared = names();
  private final Set<String> emptyLevels = names();
  private final Set<String> emptyDomains = names();
  private final Set<String> emptyGroups = names();
  private final Set<String> unconditional = names();

  private Doubts(Problem problem) {
    this.problem = problem;
    for (Node node : problem.nodes()) {
      offered.addAll(node.resources().names());
      stands(Rule.NODE, node.name());
      node.domains().forEach(this::stands);
    }
    stands(Rule.FLEET, Rule.FLEET);
    for (Domain domain : problem.domains()) {
      shared
          .computeIfAbsent(domain.level(), any -> new LinkedHashSet<>())
          .addAll(domain.resources().names());
    }
  }

  private static Set<String> names() {
    return new TreeSet<>(Names.order());
  }

  private void stands(String level, String domain) {
    standing.computeIfAbsent(level, any -> new LinkedHashSet<>()).add(domain);
  }

  /**
   * What is doubtful about a problem and the settings of its strategy, and all that it is true of.
   */
  public static Map<String, Set<String>> of(Problem problem, StrategyDescription strategy) {
    return new Doubts(problem).all(strategy);
  }

  private Map<String, Set<String>> all(StrategyDescription strategy) {
    for (Setting setting : strategy.settings()) {
      String value = problem.settings().getOrDefault(setting.name(), setting.defaultValue());
      if (setting.namesLevel() && !value.isEmpty()) {
        look(value, Set.of());
      }
    }
    List<Workload> everybody = new ArrayList<>(problem.workloads());
    problem.nodes().forEach(node -> everybody.addAll(node.workloads()));
    for (Workload workload : everybody) {
      members.addAll(workload.terms().groups());
      members.addAll(workload.aversionGroups());
    }
    for (Domain domain : problem.domains()) {
      look(domain.level(), Set.of(domain.name()));
    }
    problem.rules().forEach(this::look);
    Terms last = Terms.NONE;
    for (Workload workload : everybody) {
      // Copies of a workload have one object of terms.
      if (workload.terms() != last) {
        last = workload.terms();
        look(last);
      }
    }
    for (Workload workload : problem.workloads()) {
      required.addAll(workload.requirements().names());
    }
    Map<String, Set<String>> doubts = new LinkedHashMap<>();
    Set<String> missing = new LinkedHashSet<>();
    without(required, offered).forEach(name -> missing.add(near(name, offered)));
    add(doubts, "workloads require what no node has:", missing);
    add(doubts, "workloads share what no domain of the level has:", unshared);
    add(doubts, "no node names the level:", emptyLevels);
    add(doubts, "no node stands in:", emptyDomains);
    add(doubts, "rules count a group that nobody is in:", emptyGroups);
    add(doubts, "conditions ask for what no node has:", unconditional);
    Set<String> scored =
        new LinkedHashSet<>(
            problem.rubric().map(rubric -> rubric.weights().names()).orElse(List.of()));
    Set<String> unscored = new LinkedHashSet<>();
    without(without(scored, offered), required).forEach(name -> unscored.add(near(name, offered)));
    add(doubts, "the rubric weighs what nobody has:", unscored);
    return doubts;
  }

  private static void add(Map<String, Set<String>> doubts, String lead, Set<String> of) {
    if (!of.isEmpty()) {
      doubts.put(lead, of);
    }
  }

  /** A name that is not known, with the one that was probably meant. */
  private static String near(String name, Set<String> known) {
    return name + Suggestion.of(name, known).map(near -> " (" + near + "?)").orElse("");
  }

  /** The names of all that nodes have. */
  public static Set<String> offered(Problem problem) {
    Set<String> offered = new LinkedHashSet<>();
    problem.nodes().forEach(node -> offered.addAll(node.resources().names()));
    return offered;
  }

  /** What a workload probably means by a resource that no node has; empty where nothing is near. */
  public static String meant(Workload workload, Set<String> offered) {
    for (String name : workload.requirements().names()) {
      if (!offered.contains(name)) {
        String question = Suggestion.question(name, offered);
        if (!question.isEmpty()) {
          return question;
        }
      }
    }
    return "";
  }

  private static Set<String> without(Set<String> some, Set<String> others) {
    Set<String> rest = new LinkedHashSet<>(some);
    rest.removeAll(others);
    return rest;
  }

  private void look(Terms terms) {
    for (Map.Entry<String, Resources> entry : terms.shared().entrySet()) {
      String level = entry.getKey();
      look(level, Set.of());
      for (String name : entry.getValue().names()) {
        if (!shared.getOrDefault(level, Set.of()).contains(name)) {
          unshared.add(level + " " + name);
        }
      }
    }
    look(terms.where());
    terms.rules().forEach(this::look);
    terms.preferences().forEach(this::look);
    terms.gang().flatMap(gang -> gang.within()).ifPresent(level -> look(level, Set.of()));
  }

  private void look(Rule rule) {
    rule.match(new NamesOfRule());
  }

  private void look(List<Condition> conditions) {
    conditions.forEach(condition -> condition.match(new NamesIn()));
  }

  /** Looks for the names in a rule, for each kind. */
  private final class NamesOfRule implements Rule.GroupCases<Void> {
    @Override
    public Void ofGroup(Rule.OfGroup rule) {
      look(rule.level(), Set.of());
      lookForGroup(rule.group());
      return null;
    }

    @Override
    public Void where(Rule.Where where) {
      look(where.conditions());
      return null;
    }

    @Override
    public Void named(Rule.Named named) {
      return null;
    }
  }

  /** Looks for the names in a condition, for each kind. */
  private final class NamesIn implements Condition.Cases<Void> {
    @Override
    public Void in(Condition.In in) {
      look(in.level(), in.names());
      return null;
    }

    @Override
    public Void notIn(Condition.NotIn notIn) {
      look(notIn.level(), notIn.names());
      return null;
    }

    @Override
    public Void somewhere(Condition.Somewhere somewhere) {
      look(somewhere.level(), Set.of());
      return null;
    }

    @Override
    public Void nowhere(Condition.Nowhere nowhere) {
      look(nowhere.level(), Set.of());
      return null;
    }

    @Override
    public Void has(Condition.Has has) {
      lookForResource(has.resource());
      return null;
    }

    @Override
    public Void lacks(Condition.Lacks lacks) {
      lookForResource(lacks.resource());
      return null;
    }

    @Override
    public Void any(Condition.Any any) {
      any.lists().forEach(Doubts.this::look);
      return null;
    }
  }

  private void look(String level, Set<String> domains) {
    if (!standing.containsKey(level)) {
      emptyLevels.add(near(level, standing.keySet()));
      return;
    }
    for (String domain : domains) {
      if (!standing.get(level).contains(domain)) {
        emptyDomains.add(level + " " + near(domain, standing.get(level)));
      }
    }
  }

  private void lookForGroup(String group) {
    if (!members.contains(group)) {
      emptyGroups.add(near(group, members));
    }
  }

  private void lookForResource(String resource) {
    if (!offered.contains(resource)) {
      unconditional.add(near(resource, offered));
    }
  }
}
