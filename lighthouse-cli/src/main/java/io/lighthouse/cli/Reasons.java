package io.lighthouse.cli;

import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says reasons in words, with their exact numbers. */
final class Reasons {
  private Reasons() {}

  /** The shortest true reason why a workload was refused. */
  static String shortest(Refusal refusal, Workload workload) {
    String everywhere = everywhere(refusal, workload);
    if (!everywhere.isEmpty()) {
      return everywhere;
    }
    NodeVerdict nearest = refusal.nearest().get(0);
    return "nearest " + nearest.node() + ": " + of(nearest);
  }

  /** What stands on every node alike; empty where there is no such thing. */
  static String everywhere(Refusal refusal, Workload workload) {
    if (refusal.nearest().isEmpty()) {
      return refusal.nodes() == 0 ? "there are no nodes" : "it fits now";
    }
    Map<String, Integer> nodesByResource = new LinkedHashMap<>();
    for (ReasonCount count : refusal.counts()) {
      if (count.nodes() == refusal.nodes()) {
        return onEveryNode(count, refusal, workload);
      }
      count.resource().ifPresent(name -> nodesByResource.merge(name, count.nodes(), Integer::sum));
    }
    for (Map.Entry<String, Integer> entry : nodesByResource.entrySet()) {
      if (entry.getValue() == refusal.nodes()) {
        return noneHasEnough(entry.getKey(), refusal, workload);
      }
    }
    return "";
  }

  private static String onEveryNode(ReasonCount count, Refusal refusal, Workload workload) {
    return switch (count.kind()) {
      case CORDONED -> "every node is cordoned";
      case MISSING -> "no node has " + count.about();
      case SHORT -> noneHasEnough(count.about(), refusal, workload);
      case SHORTCOMING -> "every node has the shortcoming " + count.about();
      case WARD -> "every node has the ward " + count.about();
      case DECLINED -> "the strategy declined every node";
      default -> "";
    };
  }

  /** A resource that no node has enough of: here it is short, there missing. */
  private static String noneHasEnough(String resource, Refusal refusal, Workload workload) {
    String required = workload.requirements().get(resource).map(Quantity::toString).orElse("any");
    for (NodeVerdict verdict : refusal.nearest()) {
      for (Reason reason : verdict.reasons()) {
        if (reason instanceof Reason.Short few && few.name().equals(resource)) {
          String most = "; nearest " + verdict.node() + " has " + few.left();
          return "no node has " + required + " " + resource + " left" + most;
        }
      }
    }
    return "no node has " + required + " " + resource + " left";
  }

  /** All that stands against a node, in one line. */
  static String of(NodeVerdict verdict) {
    List<String> all = new ArrayList<>();
    for (Reason reason : verdict.reasons()) {
      all.add(of(reason));
    }
    return String.join("; ", all);
  }

  /** One reason. */
  static String of(Reason reason) {
    if (reason instanceof Reason.Missing missing) {
      return "has no " + missing.name();
    }
    if (reason instanceof Reason.Short few) {
      return "lacks "
          + few.lacking()
          + " "
          + few.name()
          + " ("
          + few.left()
          + " left, "
          + few.required()
          + " required)";
    }
    if (reason instanceof Reason.Negative negative) {
      return negative(negative);
    }
    if (reason instanceof Reason.Averse averse) {
      return "fits, but holds others of " + String.join(", ", averse.groups());
    }
    if (reason instanceof Reason.Later later) {
      return "fits, but " + later.chosen() + " was taken";
    }
    return reason.kind() == Reason.Kind.CORDONED ? "cordoned" : "declined by the strategy";
  }

  private static String negative(Reason.Negative negative) {
    if (negative.left().isInfinite()) {
      return "ward " + negative.name();
    }
    String repaid =
        negative.required().signum() < 0
            ? ", repaid by " + negative.required().negated()
            : negative.required().equals(Quantity.ZERO)
                ? ""
                : ", " + negative.required() + " required";
    return "shortcoming " + negative.name() + " (" + negative.left() + " left" + repaid + ")";
  }

  /** On how many nodes what stood, resource by resource. */
  static List<String> counts(Refusal refusal) {
    List<String> counts = new ArrayList<>();
    for (ReasonCount count : refusal.counts()) {
      String where =
          count.nodes() == refusal.nodes() ? "every node" : plural(count.nodes(), "node");
      counts.add(kind(count) + " on " + where);
    }
    return counts;
  }

  private static String kind(ReasonCount count) {
    return switch (count.kind()) {
      case MISSING -> count.about() + " missing";
      case SHORT -> count.about() + " short";
      case SHORTCOMING -> "shortcoming " + count.about();
      case WARD -> "ward " + count.about();
      case CORDONED -> "cordoned";
      case DECLINED -> "declined";
      case AVERSE -> "averse";
      case LATER -> "fits, another was taken";
      default -> count.kind().name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    };
  }

  /** Names with their quantities. */
  static List<String> quantities(Resources resources) {
    List<String> quantities = new ArrayList<>();
    for (int i = 0; i < resources.size(); i++) {
      quantities.add(resources.quantity(i) + " " + resources.name(i));
    }
    return quantities;
  }

  /** A number of things. */
  static String plural(long count, String thing) {
    return count + " " + thing + (count == 1 ? "" : "s");
  }
}
