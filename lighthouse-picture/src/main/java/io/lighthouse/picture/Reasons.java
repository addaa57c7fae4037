package io.lighthouse.picture;

import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.Plural;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sums up in words why workloads were refused, with exact numbers. Thread-safe. */
public final class Reasons {
  private Reasons() {}

  /**
   * The shortest true reason why a workload was refused.
   *
   * @param refusal its refusal
   * @param workload the workload
   * @return what applies to every node, or else what the nearest one lacks
   */
  public static String shortest(Refusal refusal, Workload workload) {
    String everywhere = everywhere(refusal, workload);
    if (!everywhere.isEmpty()) {
      return everywhere;
    }
    NodeVerdict nearest = refusal.nearest().get(0);
    return "nearest " + nearest.node() + ": " + of(nearest);
  }

  /**
   * The reason that applies to every node.
   *
   * @param refusal a refusal
   * @param workload the refused workload
   * @return such as {@code no node has 9 cpu left; nearest n1 has 3}; empty if there is none
   */
  public static String everywhere(Refusal refusal, Workload workload) {
    if (refusal.gang().isPresent()) {
      return ofGang(refusal.gang().get());
    }
    if (refusal.nearest().isEmpty()) {
      return refusal.nodes() == 0 ? "there are no nodes" : "it fits now";
    }
    Map<List<String>, Integer> nodesByResource = new LinkedHashMap<>();
    for (ReasonCount count : refusal.counts()) {
      if (count.nodes() == refusal.nodes()) {
        return onEveryNode(count, refusal, workload);
      }
      if (count.kind() == Reason.Kind.UNIT) {
        continue; // Such a node may have enough, and may be counted as short of it as well.
      }
      count
          .resource()
          .ifPresent(
              name ->
                  nodesByResource.merge(List.of(count.level(), name), count.nodes(), Integer::sum));
    }
    for (Map.Entry<List<String>, Integer> entry : nodesByResource.entrySet()) {
      if (entry.getValue() == refusal.nodes()) {
        return noneHasEnough(entry.getKey().get(0), entry.getKey().get(1), refusal, workload);
      }
    }
    return "";
  }

  /** Why a gang was not placed. */
  static String ofGang(GangRefusal gang) {
    String attempt =
        "its gang %s was not placed: %s of %s found a node"
            .formatted(gang.gang(), gang.placed(), gang.members());
    return gang.domain()
        .map(domain -> attempt + " in " + domain + ", the best of " + gang.tried() + " tried")
        .orElse(attempt);
  }

  private static String onEveryNode(ReasonCount count, Refusal refusal, Workload workload) {
    String about = count.about();
    String level = count.level();
    String domain = level.isEmpty() ? "node" : level;
    return switch (count.kind()) {
      case CORDONED -> "every " + domain + " is cordoned";
      case MISSING -> "no " + domain + " has " + about;
      case SHORT -> noneHasEnough(level, about, refusal, workload);
      case SHORTCOMING -> "every " + domain + " has the shortcoming " + about;
      case WARD -> "every " + domain + " has the ward " + about;
      case NO_DOMAIN -> "no node stands in a " + level;
      case UNIT -> "no " + domain + " gives " + about + " in such an amount";
      case NOT_SELECTED -> "no node meets its where[" + about + "]";
      case CROWDED -> "every " + domain + " has too many of " + about;
      case ALONE -> "no " + domain + " has enough of " + about;
      case SKEWED -> "every " + domain + " is too full of " + about;
      case RULE -> "the rule " + about + " is against every node";
      case DECLINED -> "no node that fits was taken";
      case AVERSE, WORSE, LATER -> "";
    };
  }

  /** A resource that no node or domain has enough of: here it is short, there missing. */
  private static String noneHasEnough(
      String level, String resource, Refusal refusal, Workload workload) {
    Resources all =
        level.isEmpty()
            ? workload.requirements()
            : workload.terms().shared().getOrDefault(level, Resources.none());
    String required = all.get(resource).map(Quantity::toString).orElse("any");
    String none =
        "no " + (level.isEmpty() ? "node" : level) + " has " + required + " " + resource + " left";
    for (NodeVerdict verdict : refusal.nearest()) {
      for (Reason reason : verdict.reasons()) {
        if (reason.level().orElse("").equals(level)
            && reason.resource().equals(Optional.of(resource))) {
          String nearest = reason.match(new WhatIsLeft(verdict.node()));
          if (!nearest.isEmpty()) {
            return none + "; nearest " + nearest;
          }
        }
      }
    }
    return none;
  }

  /** What is left of the resource that a node, or a domain of it, has too little of. */
  private record WhatIsLeft(String where) implements Reason.SomeCases<String> {
    @Override
    public String insufficient(Reason.Insufficient few) {
      return where + " has " + few.left();
    }

    @Override
    public String at(Reason.At at) {
      return at.reason().match(new WhatIsLeft(at.domain()));
    }

    @Override
    public String other(Reason other) {
      return "";
    }
  }

  /**
   * All reasons of a node, in one line.
   *
   * @param verdict the verdict of a node
   * @return such as {@code lacks 1 cpu (2 left, 3 required)}
   */
  public static String of(NodeVerdict verdict) {
    List<String> all = new ArrayList<>();
    for (Reason reason : verdict.reasons()) {
      all.add(ReasonText.of(reason));
    }
    return String.join("; ", all);
  }

  /**
   * On how many nodes each reason applied.
   *
   * @param refusal a refusal
   * @return such as {@code cpu short on 2 nodes}, in the order of the counts
   */
  public static List<String> counts(Refusal refusal) {
    List<String> counts = new ArrayList<>();
    for (ReasonCount count : refusal.counts()) {
      String where =
          count.nodes() == refusal.nodes() ? "every node" : Plural.of(count.nodes(), "node");
      counts.add(ReasonText.of(count) + " on " + where);
    }
    return counts;
  }
}
