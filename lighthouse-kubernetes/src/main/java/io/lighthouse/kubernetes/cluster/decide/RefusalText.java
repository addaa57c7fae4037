package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.kubernetes.cluster.mirror.EngineWords;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The engine's explanation in the stock scheduler's words: {@code 0/5 nodes are available: 2
 * Insufficient cpu, 3 node(s) had untolerated taint(s).} A node with two reasons counts in both;
 * the entries are sorted as text. Behind that the node that came nearest, and what it would take.
 */
final class RefusalText {
  private static final String NO_NODES = "no nodes available to schedule pods";

  private RefusalText() {}

  /** The refusal of a pod that found no node. */
  static PodRefusal of(Newcomer newcomer, Explanation explanation) {
    int nodes = explanation.nodes().size();
    if (nodes == 0) {
      return new PodRefusal(NO_NODES, 0, Filter.ALL);
    }
    Optional<Set<String>> names = newcomer.facts.selection.names();
    if (names.isPresent() && names.get().isEmpty()) {
      String conflict = everywhere(nodes, "pod affinity terms conflict");
      return new PodRefusal(conflict, nodes, Set.of(Filter.NODE_AFFINITY));
    }
    if (newcomer.everywhere() != null) {
      RefusalCause cause = newcomer.everywhere();
      return new PodRefusal(everywhere(nodes, cause.text()), nodes, Set.of(cause.filter()));
    }
    Map<String, Integer> counts = new TreeMap<>();
    Set<Filter> filters = EnumSet.noneOf(Filter.class);
    List<String> lacking = new ArrayList<>();
    List<String> occupied = new ArrayList<>();
    for (NodeVerdict verdict : explanation.nodes()) {
      List<RefusalCause> causes = causes(newcomer, names.orElse(null), verdict);
      causes.forEach(cause -> filters.add(cause.filter()));
      for (String text : texts(causes)) {
        counts.merge(text, 1, Integer::sum);
      }
      if (!causes.isEmpty() && isResolvable(causes)) {
        (lacksResources(causes) ? lacking : occupied).add(verdict.node());
      }
    }
    return new PodRefusal(
        counted(nodes, counts),
        nearest(newcomer, explanation),
        nodes,
        filters.isEmpty() ? Filter.ALL : filters,
        lacking,
        occupied);
  }

  private static String begin(int nodes) {
    return "0/" + nodes + " nodes are available: ";
  }

  /** The message where one reason, without a count, refuses the pod on all nodes. */
  static String everywhere(int nodes, String why) {
    return begin(nodes) + why + ".";
  }

  /** The number of nodes with each reason, as the stock scheduler writes them. */
  static String counted(int nodes, Map<String, Integer> counts) {
    Set<String> entries = new TreeSet<>();
    counts.forEach((text, count) -> entries.add(count + " " + text));
    return begin(nodes) + String.join(", ", entries) + ".";
  }

  /** What the stock scheduler would say of a node; nothing where it fits. */
  static List<String> texts(Newcomer newcomer, NodeVerdict verdict) {
    return texts(causes(newcomer, verdict));
  }

  /** The same, and whether other pods that leave the node may help. */
  static PodQuestions.Verdict verdict(Newcomer newcomer, NodeVerdict verdict, NodeFacts node) {
    List<RefusalCause> causes = causes(newcomer, verdict);
    boolean isTooSmall = lacksResources(causes) && newcomer.facts.exceeds(node);
    return new PodQuestions.Verdict(texts(causes), isResolvable(causes) && !isTooSmall);
  }

  private static boolean lacksResources(List<RefusalCause> causes) {
    return !causes.isEmpty() && causes.get(0).filter() == Filter.NODE_RESOURCES_FIT;
  }

  /** The filter that refuses a node; nothing where it fits. */
  static Optional<Filter> filter(Newcomer newcomer, NodeVerdict verdict) {
    return causes(newcomer, verdict).stream().map(RefusalCause::filter).findFirst();
  }

  private static boolean isResolvable(List<RefusalCause> causes) {
    return causes.stream().allMatch(RefusalCause::resolvable);
  }

  private static List<RefusalCause> causes(Newcomer newcomer, NodeVerdict verdict) {
    return causes(newcomer, newcomer.facts.selection.names().orElse(null), verdict);
  }

  /** Each text once. */
  private static List<String> texts(List<RefusalCause> causes) {
    return causes.stream().map(RefusalCause::text).distinct().toList();
  }

  /**
   * The reasons of the first filter that refuses a node; of a spread or affinity only the first.
   */
  private static List<RefusalCause> causes(
      Newcomer newcomer, Set<String> names, NodeVerdict verdict) {
    boolean isJudged = newcomer.everywhere() == null;
    if (isJudged && names != null && !names.contains(verdict.node())) {
      return List.of(RefusalCause.OTHER_NODE);
    }
    List<RefusalCause> first = new ArrayList<>();
    for (Reason reason : verdict.reasons()) {
      RefusalCause cause = cause(newcomer, reason);
      if (cause != null) {
        int order = first.isEmpty() ? -1 : compare(cause, first.get(0));
        if (order < 0) {
          first.clear();
        }
        if (order <= 0) {
          first.add(cause);
        }
      }
    }
    return first;
  }

  private static int compare(RefusalCause a, RefusalCause b) {
    int filters = a.filter().compareTo(b.filter());
    return filters != 0 ? filters : Integer.compare(a.turn(), b.turn());
  }

  /** Null where the reason says only why another node was taken. */
  private static RefusalCause cause(Newcomer newcomer, Reason reason) {
    return reason.match(new Causes(newcomer));
  }

  /** What the stock scheduler would refuse a node for, for each kind of reason. */
  private record Causes(Newcomer newcomer) implements Reason.Cases<RefusalCause> {
    @Override
    public RefusalCause cordoned(Reason.Cordoned cordoned) {
      return RefusalCause.UNSCHEDULABLE;
    }

    @Override
    public RefusalCause missing(Reason.Missing missing) {
      return RefusalCause.resource(missing.name());
    }

    @Override
    public RefusalCause insufficient(Reason.Insufficient few) {
      return RefusalCause.resource(few.name());
    }

    @Override
    public RefusalCause negative(Reason.Negative negative) {
      if (!negative.left().isInfinite()) {
        return RefusalCause.resource(negative.name());
      }
      return negative.name().equals(EngineWords.UNSCHEDULABLE)
          ? RefusalCause.UNSCHEDULABLE
          : RefusalCause.TAINT;
    }

    @Override
    public RefusalCause at(Reason.At at) {
      return at.reason().match(this);
    }

    @Override
    public RefusalCause noDomain(Reason.NoDomain outside) {
      return newcomer.ofRule(outside.rule());
    }

    @Override
    public RefusalCause offUnit(Reason.OffUnit off) {
      return null;
    }

    @Override
    public RefusalCause notSelected(Reason.NotSelected condition) {
      return newcomer.ofCondition(condition.condition());
    }

    @Override
    public RefusalCause crowded(Reason.Crowded crowded) {
      return crowded
          .by()
          .map(holder -> RefusalCause.rule("node(s) broke a rule of " + holder))
          .orElseGet(() -> newcomer.ofRule(crowded.rule()));
    }

    @Override
    public RefusalCause alone(Reason.Alone alone) {
      return newcomer.ofRule(alone.rule());
    }

    @Override
    public RefusalCause skewed(Reason.Skewed skewed) {
      return newcomer.ofRule(skewed.rule());
    }

    @Override
    public RefusalCause byRule(Reason.ByRule rule) {
      return RefusalCause.rule("node(s) broke rule " + rule.name() + ": " + rule.text());
    }

    @Override
    public RefusalCause worse(Reason.Worse worse) {
      return null;
    }

    @Override
    public RefusalCause declined(Reason.Declined declined) {
      return RefusalCause.DECLINED;
    }

    @Override
    public RefusalCause averse(Reason.Averse averse) {
      return null;
    }

    @Override
    public RefusalCause later(Reason.Later later) {
      return null;
    }
  }

  // ---- the nearest remedy ----

  private static String nearest(Newcomer newcomer, Explanation explanation) {
    if (explanation.summary().nearest().isEmpty()) {
      return "";
    }
    NodeVerdict nearest = explanation.summary().nearest().get(0);
    Set<String> lacks = new TreeSet<>();
    for (Reason reason : nearest.reasons()) {
      String lack = lack(newcomer, reason);
      if (!lack.isEmpty()) {
        lacks.add(lack);
      }
    }
    return lacks.isEmpty()
        ? ""
        : " Nearest: " + nearest.node() + ", with " + String.join(" and ", lacks) + ".";
  }

  private static String lack(Newcomer newcomer, Reason reason) {
    return reason.match(
        new Reason.SomeCases<>() {
          @Override
          public String insufficient(Reason.Insufficient few) {
            return few.name().equals(NodeFacts.PODS)
                ? "one pod less on it"
                : more(few.name(), few.lacking());
          }

          @Override
          public String negative(Reason.Negative negative) {
            String name = negative.name();
            if (!negative.left().isInfinite()) {
              return more(name, negative.lacking());
            }
            if (name.equals(EngineWords.UNSCHEDULABLE)) {
              return "an uncordon";
            }
            return name.startsWith(EngineWords.TAINT)
                ? "a toleration of " + name.substring(EngineWords.TAINT.length())
                : "";
          }

          @Override
          public String missing(Reason.Missing missing) {
            return more(missing.name(), missing.required());
          }

          @Override
          public String other(Reason other) {
            RefusalCause cause = cause(newcomer, other);
            return cause == null ? "" : change(cause.filter());
          }
        });
  }

  private static String more(String resource, Quantity lacking) {
    return amount(resource, lacking) + " more " + resource;
  }

  /** What of the pod would have to change. */
  private static String change(Filter filter) {
    return switch (filter) {
      case NODE_AFFINITY -> "another node selector or affinity";
      case NODE_PORTS -> "other host ports";
      case POD_TOPOLOGY_SPREAD -> "a wider topology spread";
      case POD_AFFINITY, POD_ANTI_AFFINITY -> "another pod (anti-)affinity";
      default -> "";
    };
  }

  private static String amount(String resource, Quantity quantity) {
    if (resource.equals("cpu")) {
      return quantity.scale() == 0 ? quantity.toString() : quantity.scaledTo(3, 0) + "m";
    }
    long units = quantity.scaledTo(0, 0);
    for (int shift = 30; shift > 0; shift -= 10) {
      if (units > 0 && units % (1L << shift) == 0) {
        return (units >> shift) + (shift == 30 ? "Gi" : shift == 20 ? "Mi" : "Ki");
      }
    }
    return quantity.toString();
  }
}
