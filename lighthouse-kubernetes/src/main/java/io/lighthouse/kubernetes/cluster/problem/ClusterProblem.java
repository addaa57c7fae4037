package io.lighthouse.kubernetes.cluster.problem;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.Problem;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.mirror.EngineWords;
import io.lighthouse.kubernetes.cluster.mirror.MirroredFleet;
import io.lighthouse.kubernetes.cluster.mirror.NodeEntry;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.HostPort;
import io.lighthouse.kubernetes.cluster.object.LabelLevels;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.PodTerm;
import io.lighthouse.kubernetes.cluster.object.SpreadConstraint;
import io.lighthouse.kubernetes.cluster.object.Taint;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A cluster as a problem: nodes with the pods on them, and the waiting pods, in the lasting words
 * of the problem format, whereas a decision says constraints for one moment. A selector becomes a
 * group, of which the pods that it counts are members; anti-affinity and host ports are {@code
 * most}, affinity {@code least}, spread {@code skew}, a pod group a gang.
 *
 * @param problem nodes in the order in which they came, waiting pods in the order of their turns
 * @param remarks what the problem does not say, or not exactly, a line each
 * @param placed the names of the pods on nodes, and their uids
 * @param unsupported of placed pods, by name, why it is not known where else they might go
 * @param inexact of pods, by name, the remarks on rules that the problem does not say exactly; in
 *     the order of the remarks
 * @param beside nodes of the problem that are none of the cluster, and stand beside one of it; see
 *     {@link #withOwnPods}
 */
public record ClusterProblem(
    Problem problem,
    List<String> remarks,
    Map<String, String> placed,
    Map<String, String> unsupported,
    Map<String, List<String>> inexact,
    List<Node> beside) {
  /**
   * Writes a cluster as a problem. Changes nothing.
   *
   * @param cluster the cluster, made to be written; assumed pods count as placed
   * @param strategy the strategy that the problem is to name
   */
  public static ClusterProblem of(Cluster cluster, String strategy) {
    return of(cluster, strategy, uid -> false);
  }

  /**
   * The same, where some placed pods belong to their nodes. Such a pod takes room; it is not moved,
   * and no rule counts it.
   *
   * @param ofNode whether the placed pod of a uid is one of these
   */
  public static ClusterProblem of(Cluster cluster, String strategy, Predicate<String> ofNode) {
    return new Builder(cluster, ofNode, false).written(strategy);
  }

  /**
   * The same, but rules count those pods. Where a rule is about such a pod, it is on a cordoned
   * node beside its own, in the same domains. So its own node may be empty.
   */
  public static ClusterProblem withOwnPods(
      Cluster cluster, String strategy, Predicate<String> ofNode) {
    return new Builder(cluster, ofNode, true).written(strategy);
  }

  private static final class Builder {
    private final Cluster cluster;
    private final MirroredFleet fleet;
    private final PodSelections selections;
    private final Set<String> remarks = new LinkedHashSet<>();
    private final Map<String, Integer> names = new HashMap<>();
    private final Predicate<String> ofNode;
    private final Map<String, String> placed = new HashMap<>();
    private final Map<String, String> unsupported = new HashMap<>();
    private final Map<String, List<String>> inexact = new LinkedHashMap<>();

    private final ClaimTerms claims;
    private final SpreadTerms spreads;

    /** The pods of nodes that rules count; null where they count none. */
    private final OwnPods ownPods;

    Builder(Cluster cluster, Predicate<String> ofNode, boolean countsOwnPods) {
      this.cluster = cluster;
      ownPods = countsOwnPods ? new OwnPods() : null;
      claims = new ClaimTerms(cluster.volumes(), cluster.pods(), cluster.fleet()::values);
      this.ofNode = ofNode;
      fleet = cluster.fleet();
      selections = new PodSelections(cluster);
      spreads = new SpreadTerms(cluster, selections);
      for (PodEntry pod : cluster.pods()) {
        names.merge(pod.facts.pod.key(), 1, Integer::sum);
      }
    }

    /** Its uid is named only where two pods share a name, as an old and a new one do. */
    private String name(PodEntry pod) {
      String key = pod.facts.pod.key();
      return key + (names.get(key) == 1 ? "" : " " + pod.uid());
    }

    ClusterProblem written(String strategy) {
      List<Node> nodes = nodes();
      List<Node> beside = ownPods == null ? List.of() : ownPods.beside(nodes);
      nodes.addAll(beside);
      Problem problem = Problem.of(nodes, waiting()).withStrategy(strategy);
      return new ClusterProblem(
          problem, List.copyOf(remarks), placed, unsupported, inexact, beside);
    }

    private List<Node> nodes() {
      List<Node> nodes = new ArrayList<>();
      for (NodeEntry entry : fleet.nodes().values()) {
        if (entry.facts != null) {
          List<Workload> held = new ArrayList<>();
          for (PodEntry pod : entry.pods) {
            if (!ofNode.test(pod.uid())) {
              held.add(placed(pod));
            } else if (ownPods != null) {
              List<Rule> binding = new ArrayList<>();
              addBinding(binding, pod.facts);
              ownPods.add(pod, name(pod), groups(pod), binding);
            }
          }
          Map<String, Quantity> more = new TreeMap<>(claims.left(entry.facts.name(), entry.pods));
          more.putAll(spreads.left(entry));
          Node node = EngineWords.node(entry, held, more);
          node = ownPods == null ? node : node.in(OwnPods.LEVEL, node.name());
          nodes.add(spreads.withLevels(node, entry.facts));
        }
      }
      return nodes;
    }

    private List<Workload> waiting() {
      List<Workload> waiting = new ArrayList<>();
      List<PodEntry> queue = new ArrayList<>(cluster.pods());
      queue.removeIf(pod -> pod.node != null);
      queue.sort(Comparator.comparing((PodEntry pod) -> pod.facts.pod, WaitingPod.TURNS));
      Map<String, String> gangs = cluster.gangObstacles(pod -> leftOut(pod.facts).isEmpty());
      for (PodEntry pod : queue) {
        String left = leftOut(pod.facts);
        if (left.isEmpty()) {
          left = pod.facts.pod.groupKey().map(gangs::get).orElse("");
        }
        if (left.isEmpty()) {
          waiting.add(waiting(pod));
        } else {
          remarks.add("pod " + name(pod) + " is left out: " + left);
        }
      }
      for (PodEntry pod : cluster.pods()) {
        boolean nowhere = pod.node != null && fleet.facts(pod.node) == null;
        if (nowhere) {
          remarks.add(
              "pod " + name(pod) + " is left out: no node " + pod.node + ", which it is on");
        } else if (pod.reserved) {
          remarks.add(
              "pod " + name(pod) + " counts as placed on " + pod.node + ", for which it waits");
        }
      }
      return waiting;
    }

    private String leftOut(PodFacts facts) {
      String unplaceable = unplaceable(facts);
      if (!unplaceable.isEmpty()) {
        return unplaceable;
      }
      return facts.pod.gated() ? "scheduling gates" : facts.deleting ? "being deleted" : "";
    }

    /** Why it is not known which nodes will do for a pod; empty where it is known. */
    private String unplaceable(PodFacts facts) {
      if (facts.unsupported != null) {
        return "not supported: " + facts.unsupported;
      }
      return cluster.volumes().claims(facts).refusal();
    }

    private Workload placed(PodEntry pod) {
      PodFacts facts = pod.facts;
      String name = name(pod);
      placed.put(name, pod.uid());
      String unplaceable = unplaceable(facts);
      if (!unplaceable.isEmpty()) {
        unsupported.put(name, unplaceable);
        remarks.add("pod " + name + " should stay where it is: " + unplaceable);
      }
      return new Workload(
          name,
          claims.required(facts, EngineWords.required(facts)),
          fleet.immunities(facts),
          Set.of(),
          terms(pod, List.of(), Optional.empty()));
    }

    private Workload waiting(PodEntry pod) {
      PodFacts facts = pod.facts;
      List<Rule> preferences = new ArrayList<>();
      addSoft(preferences, facts);
      for (SpreadConstraint spread : facts.spreads) {
        if (!spread.hard()) {
          preferences.add(
              new Rule.Skew(
                  0, selections.spread(facts, spread), LabelLevels.level(spread.key()), 1));
        }
      }
      return new Workload(
          name(pod),
          claims.required(facts, EngineWords.required(facts)),
          fleet.immunities(facts),
          Set.of(),
          terms(pod, preferences, facts.pod.gang().map(gang -> gang(facts, gang))));
    }

    private void remarkOnRule(PodEntry pod, String words) {
      String remark = "pod " + name(pod) + ": " + words;
      if (remarks.add(remark)) {
        inexact.computeIfAbsent(name(pod), none -> new ArrayList<>()).add(remark);
      }
    }

    /** Where a pod may go, whether it is placed or waits. */
    private Terms terms(PodEntry pod, List<Rule> preferences, Optional<Gang> gang) {
      PodFacts facts = pod.facts;
      List<Condition> where = facts.selection.conditions(fleet::values);
      if (pod.node != null && facts.belongsToNode) {
        Condition stays = new Condition.In(Rule.NODE, Set.of(pod.node));
        if (!where.contains(stays)) {
          where.add(stays);
        }
      }
      List<Rule> rules = new ArrayList<>();
      int conditions = where.size();
      claims.addTerms(facts, where, rules);
      boolean hasLimits = where.size() > conditions;
      addBinding(rules, facts);
      addAffinity(rules, pod);
      for (SpreadConstraint spread : facts.spreads) {
        if (spread.hard()) {
          String reason = spreads.inexact(facts, spread, hasLimits);
          spreads.addTerms(facts, spread, where, rules);
          if (!reason.isEmpty()) {
            remarkOnRule(
                pod,
                "its spread by "
                    + spread.key()
                    + " counts no zone that it can never go to ("
                    + reason
                    + ")");
          }
        }
      }
      return new Terms(Map.of(), groups(pod), where, rules, preferences, gang);
    }

    private void addAffinity(List<Rule> rules, PodEntry pod) {
      PodSelections.Group near = selections.affine(pod.facts);
      for (PodTerm term : pod.facts.affinity) {
        rules.add(new Rule.Least(1, near.name(), LabelLevels.level(term.key())));
      }
      if (near != null && near.isByNode()) {
        remarkOnRule(
            pod,
            "its pod affinity does not count pods that are on a node without the label, even if"
                + " they are moved");
      }
    }

    private static Gang gang(PodFacts facts, WaitingPod.PodGroup gang) {
      return new Gang(facts.pod.namespace() + "/" + gang.name(), Optional.empty());
    }

    /** The rules that bind newcomers, too: of placed pods as of waiting ones. */
    private void addBinding(List<Rule> rules, PodFacts facts) {
      String level = ownPods == null ? Rule.NODE : OwnPods.LEVEL;
      for (HostPort port : facts.ports) {
        HostPort everywhere = port.atEveryAddress();
        if (port.equals(everywhere)) {
          rules.add(new Rule.Most(1, port.group(), level));
        } else if (!facts.ports.contains(everywhere)) {
          rules.add(new Rule.Most(0, port.groupAt(HostPort.EVERY), level));
          rules.add(new Rule.Most(1, port.groupAt(port.address()), level));
        }
      }
      for (PodTerm term : facts.antiAffinity) {
        int most = selections.isAmong(facts, term.pods()) ? 1 : 0;
        String group = selections.group(term.pods());
        rules.add(new Rule.Most(most, group, LabelLevels.level(term.key())));
      }
    }

    private void addSoft(List<Rule> preferences, PodFacts facts) {
      for (Taint taint : fleet.softTaints()) {
        if (!facts.tolerates(taint)) {
          preferences.add(
              new Rule.Where(List.of(new Condition.Nowhere(EngineWords.softLevel(taint)))));
        }
      }
      for (PodFacts.Preference preference : facts.preferences) {
        if (preference.nodes() != null) {
          List<Condition> conditions = NodeSelection.conditions(preference.nodes(), fleet::values);
          if (!conditions.isEmpty()) {
            preferences.add(new Rule.Where(conditions));
          }
        } else {
          PodTerm term = preference.pods();
          String level = LabelLevels.level(term.key());
          String group = selections.group(term.pods());
          int most = selections.isAmong(facts, term.pods()) ? 1 : 0;
          preferences.add(
              preference.against()
                  ? new Rule.Most(most, group, level)
                  : new Rule.Least(1, group, level));
        }
      }
    }

    private Set<String> groups(PodEntry pod) {
      Set<String> of = selections.of(pod);
      for (HostPort port : pod.facts.ports) {
        of.add(port.group());
        of.add(port.groupAt(port.address()));
      }
      of.addAll(claims.groups(pod.facts));
      return of;
    }
  }
}
