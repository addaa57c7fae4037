package io.lighthouse.server.placement;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.json.Problem;
import io.lighthouse.json.StrategyWords;
import io.lighthouse.json.read.ProblemDocument;
import java.util.ArrayList;
import java.util.List;

/**
 * The problem of a request, with its strategy.
 *
 * @param document the problem, with the positions of its parts
 * @param word the caller's name of the strategy
 * @param missingFromRubric the places where {@code BinPack} lacks a name of the rubric: the first
 *     JSON pointers; empty where nothing is missing, or another strategy is requested
 */
record Request(ProblemDocument document, String word, List<String> missingFromRubric) {
  /** The strategy where the caller names none. */
  private static final String DEFAULT = "Prioritized";

  /** The maximum number of places without a name of the rubric that an answer lists. */
  private static final int PLACES = 10;

  static Request of(ProblemDocument document) {
    String word = document.problem().strategy().orElse(DEFAULT);
    boolean strict = word.equals(StrategyWords.BIN_PACK) && document.problem().rubric().isPresent();
    return new Request(document, word, strict ? missing(document.problem()) : List.of());
  }

  Problem problem() {
    return document.problem();
  }

  boolean explain() {
    return document.flags().contains(PlacementCall.EXPLAIN);
  }

  /**
   * An upper bound of the reasons that all refusals together may list, at most three nodes for each
   * workload.
   */
  long reasons() {
    long onNode = 0;
    for (Node node : problem().nodes()) {
      onNode = Math.max(onNode, node.resources().size());
    }
    long reasons = 0;
    for (Workload workload : problem().workloads()) {
      reasons += 3 * (onNode + workload.requirements().size());
    }
    return reasons;
  }

  private static List<String> missing(Problem problem) {
    List<String> missing = new ArrayList<>();
    List<String> names = problem.rubric().orElseThrow().weights().names();
    for (int i = 0; i < problem.nodes().size(); i++) {
      find(names, problem.nodes().get(i).resources(), "nodes", i, "resources", missing);
    }
    for (int i = 0; i < problem.workloads().size(); i++) {
      Resources requirements = problem.workloads().get(i).requirements();
      find(names, requirements, "workloads", i, "requirements", missing);
    }
    return missing;
  }

  private static void find(
      List<String> names, Resources in, String list, int index, String map, List<String> missing) {
    for (String name : names) {
      if (missing.size() < PLACES && !in.has(name)) {
        missing.add(pointer(list, Integer.toString(index), map, name));
      }
    }
  }

  /** The JSON pointer of a place. */
  static String pointer(String... steps) {
    StringBuilder pointer = new StringBuilder();
    for (String step : steps) {
      pointer.append('/').append(step.replace("~", "~0").replace("/", "~1"));
    }
    return pointer.toString();
  }
}
