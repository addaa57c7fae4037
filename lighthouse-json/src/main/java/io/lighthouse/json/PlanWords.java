package io.lighthouse.json;

import io.lighthouse.api.Node;
import io.lighthouse.api.Rule;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Parses the goal of a plan from words that a person types.
 *
 * <pre>
 * place                     Nodes for the workloads of the problem, by moving others.
 * drain n1 n2               Empty these nodes, or those of a domain, each wholly or not at all.
 * evacuate zone=b           As many workloads as can leave these nodes, or those of a domain.
 * consolidate               Free as many nodes as possible.
 * rebalance                 Lower the fullest node.
 * repair                    Move workloads off averse nodes.
 * </pre>
 *
 * A domain is written as its level, an equals sign, and its name; a node as its name. Each node is
 * a domain of the level {@code node}, and all are those of {@code fleet=fleet}.
 */
public final class PlanWords {
  /** The resources whose moved amounts a plan can limit, in words. */
  public static final String LIMITED = "a resource that a node has or a workload requires";

  private static final List<String> OF_NODES = List.of("drain", "evacuate");

  private static final List<String> GOALS =
      List.of("place", "drain", "evacuate", "consolidate", "rebalance", "repair");

  private PlanWords() {}

  /**
   * The words for goals.
   *
   * @return in the order of the help
   */
  public static List<String> goals() {
    return GOALS;
  }

  /**
   * Whether a goal is about some nodes, which stand behind its word.
   *
   * @param goal one of {@link #goals}
   * @return true for drain and evacuate
   */
  public static boolean isOfNodes(String goal) {
    return OF_NODES.contains(goal);
  }

  /**
   * Makes a goal for a problem.
   *
   * @param goal one of {@link #goals}
   * @param places nodes and domains; empty where the goal is about none
   * @param problem the problem that they are of
   * @return the goal
   * @throws InvalidInputException if a place is neither a node nor a domain that has nodes, or
   *     names two domains
   */
  public static PlanGoal goal(String goal, List<String> places, Problem problem) {
    return ofNodes(goal, places.isEmpty() ? List.of() : nodes(places, problem), problem);
  }

  /**
   * Makes a goal of nodes.
   *
   * @param goal one of {@link #goals}
   * @param nodes names of nodes of the problem; empty where the goal is about none
   * @param problem the problem that they are of
   * @return the goal
   */
  public static PlanGoal ofNodes(String goal, List<String> nodes, Problem problem) {
    return switch (goal) {
      case "place" -> new PlanGoal.Place(problem.workloads());
      case "drain" -> new PlanGoal.Drain(nodes);
      case "evacuate" -> new PlanGoal.Evacuate(nodes);
      case "consolidate" -> new PlanGoal.Consolidate();
      case "rebalance" -> new PlanGoal.Rebalance();
      case "repair" -> new PlanGoal.Repair();
      default -> throw unknown(goal);
    };
  }

  /**
   * The nodes of a domain.
   *
   * @param level the level of the domain
   * @param domain its name
   * @param problem the problem
   * @return their names, in the order of the problem
   */
  public static List<String> nodesOf(String level, String domain, Problem problem) {
    return problem.nodes().stream()
        .filter(node -> domain.equals(domainOf(node, level)))
        .map(Node::name)
        .toList();
  }

  private static String domainOf(Node node, String level) {
    return switch (level) {
      case Rule.NODE -> node.name();
      case Rule.FLEET -> Rule.FLEET;
      default -> node.domains().get(level);
    };
  }

  /**
   * Understands a goal in one text.
   *
   * @param text the words, such as {@code drain n1 n2}
   * @param problem the problem that it is for
   * @return the goal
   * @throws InvalidInputException if the words make no sense, or a place is unknown or names two
   *     domains
   */
  public static PlanGoal parse(String text, Problem problem) {
    List<String> words = Arrays.asList(text.strip().split("\\s+"));
    String goal = words.get(0);
    List<String> places = words.subList(1, words.size());
    if (!GOALS.contains(goal)) {
      throw unknown(goal);
    }
    if (isOfNodes(goal) == places.isEmpty()) {
      throw new InvalidInputException(
          "goal",
          goal,
          places.isEmpty() ? "without a node" : "'" + places.get(0) + "', one word too many",
          places.isEmpty()
              ? goal + " NODE..., or " + goal + " LEVEL=DOMAIN"
              : "the word " + goal + " alone");
    }
    return goal(goal, places, problem);
  }

  private static InvalidInputException unknown(String goal) {
    return new InvalidInputException(
        "goal",
        "word",
        "'" + goal + "'",
        "one of " + String.join(", ", GOALS) + Suggestion.question(goal, GOALS));
  }

  /** The nodes that are named, and those of the domains that are. */
  private static List<String> nodes(List<String> places, Problem problem) {
    Set<String> known = new LinkedHashSet<>();
    Map<String, List<String>> domains = new LinkedHashMap<>();
    Map<String, String> levels = new HashMap<>();
    Set<String> ambiguous = new HashSet<>();
    for (Node node : problem.nodes()) {
      known.add(node.name());
      node.domains()
          .forEach(
              (level, domain) -> {
                String place = level + "=" + domain;
                domains.computeIfAbsent(place, none -> new ArrayList<>()).add(node.name());
                String other = levels.putIfAbsent(place, level);
                if (other != null && !other.equals(level)) {
                  ambiguous.add(place);
                }
              });
    }
    for (String name : known) {
      String place = Rule.NODE + "=" + name;
      if (domains.putIfAbsent(place, List.of(name)) != null) {
        ambiguous.add(place);
      }
    }
    if (!known.isEmpty()) {
      domains.putIfAbsent(Rule.FLEET + "=" + Rule.FLEET, List.copyOf(known));
    }
    List<String> nodes = new ArrayList<>();
    for (String place : new LinkedHashSet<>(places)) {
      if (known.contains(place)) {
        nodes.add(place);
      } else if (ambiguous.contains(place)) {
        throw new InvalidInputException(
            "goal", "node", "'" + place + "', which names two domains", "the names of its nodes");
      } else if (domains.containsKey(place)) {
        nodes.addAll(domains.get(place));
      } else {
        String allowed =
            place.indexOf('=') < 1
                ? "the name of a node" + Suggestion.question(place, known)
                : "the name of a node, or a domain that has nodes"
                    + Suggestion.question(place, domains.keySet());
        throw new InvalidInputException("goal", "node", "'" + place + "'", allowed);
      }
    }
    return nodes;
  }
}
