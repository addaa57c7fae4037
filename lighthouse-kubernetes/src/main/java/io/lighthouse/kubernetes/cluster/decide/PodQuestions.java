package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.kubernetes.cluster.device.ClusterDevices;
import io.lighthouse.kubernetes.cluster.mirror.MirroredFleet;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Questions about a pod, known or not, as things are now. They change nothing. */
public final class PodQuestions {
  private final MirroredFleet fleet;
  private final ConstraintTranslator translator;
  private final ClusterDevices devices;
  private final Profiles profiles;
  private final PodGroups groups;

  PodQuestions(
      MirroredFleet fleet,
      ConstraintTranslator translator,
      ClusterDevices devices,
      Profiles profiles,
      PodGroups groups) {
    this.fleet = fleet;
    this.translator = translator;
    this.devices = devices;
    this.profiles = profiles;
    this.groups = groups;
  }

  /**
   * Why a node would not do for a pod.
   *
   * @param reasons the reasons that the stock scheduler would name of the node; none where the pod
   *     fits
   * @param resolvable whether the pod may fit once other pods have left the node
   */
  public record Verdict(List<String> reasons, boolean resolvable) {}

  /** Whether a pod asks for something that Lighthouse does not support. */
  public boolean isUnsupported(PodEntry pod) {
    return !whatIsUnsupported(pod).isEmpty();
  }

  /** What of a pod, its group or its claims is not supported; empty for nothing. */
  String whatIsUnsupported(PodEntry pod) {
    if (pod.facts.unsupported != null) {
      return pod.facts.unsupported;
    }
    String ofGroup = groups.unsupported(pod.facts.pod);
    return ofGroup.isEmpty() ? devices.of(pod.facts).unsupported() : ofGroup;
  }

  /**
   * Why each node would not do for a pod.
   *
   * @return by node, in the order of nodes
   * @throws IllegalArgumentException if the pod asks for what is not supported
   */
  public Map<String, Verdict> verdicts(PodEntry entry) {
    begin();
    if (isUnsupported(entry)) {
      throw new IllegalArgumentException("not supported: " + whatIsUnsupported(entry));
    }
    Newcomer newcomer = translator.translate(entry.facts);
    Workload workload = newcomer.workload(fleet.immunities(entry.facts));
    Map<String, Verdict> verdicts = new LinkedHashMap<>();
    for (NodeVerdict verdict : ask(ignoring(entry), trial -> trial.explain(workload)).nodes()) {
      String node = verdict.node();
      verdicts.put(node, RefusalText.verdict(newcomer, verdict, fleet.facts(node)));
    }
    return verdicts;
  }

  /** The nodes that a pod fits, in the order in which the strategy would take them. */
  public List<String> ranking(PodEntry entry) {
    begin();
    Workload workload = translator.translate(entry.facts).workload(fleet.immunities(entry.facts));
    return ask(ignoring(entry), trial -> trial.advisor().choice(0, List.of(workload)))
        .candidates()
        .stream()
        .map(Choice.Candidate::node)
        .toList();
  }

  /**
   * The node that another scheduler chose for a pod that waits, beside the node that Lighthouse
   * would choose.
   */
  public NodeComparison compare(PodEntry entry, String node) {
    begin();
    if (isUnsupported(entry)) {
      return NodeComparison.unsupported(whatIsUnsupported(entry));
    }
    Newcomer newcomer = translator.translate(entry.facts);
    Workload workload = newcomer.workload(fleet.immunities(entry.facts));
    List<Change> without = ignoring(entry);
    Choice choice = ask(without, trial -> trial.advisor().choice(0, List.of(workload)));
    Map<String, Choice.Candidate> candidates = new HashMap<>();
    choice.candidates().forEach(candidate -> candidates.put(candidate.node(), candidate));
    // Room was made for the pod there, as in decide.
    Choice.Candidate nominated = entry.reserved ? candidates.get(entry.node) : null;
    Choice.Candidate best =
        nominated != null ? nominated : choice.chosen().map(candidates::get).orElse(null);
    Choice.Candidate other = candidates.get(node);
    if (best != null && other != null) {
      String strategy = profiles.of(entry.facts.pod).strategy();
      return NodeComparison.of(choice, best, other, newcomer.ofPreferences(), strategy);
    }
    Explanation explanation = ask(without, trial -> trial.explain(workload));
    NodeVerdict verdict =
        explanation.nodes().stream()
            .filter(one -> one.node().equals(node))
            .findFirst()
            .orElse(null);
    String by =
        verdict == null
            ? "node not known"
            : RefusalText.filter(newcomer, verdict).map(Filter::plugIn).orElse("its strategy");
    String reason =
        verdict == null
            ? "node " + node + " is not known to Lighthouse"
            : String.join(", ", RefusalText.texts(newcomer, verdict));
    return best == null
        ? new NodeComparison(
            NodeComparison.Kind.NO_NODE,
            "",
            by,
            reason + "; " + RefusalText.of(newcomer, explanation).text())
        : new NodeComparison(NodeComparison.Kind.REFUSED, best.node(), by, reason);
  }

  /** Whether a pod would fit the node that it is on, if it and some others were not there yet. */
  boolean fitsInPlace(PodEntry entry, PodFacts waiting, String node, Set<PodEntry> without) {
    begin();
    if (waiting.unsupported != null) {
      return false;
    }
    Set<PodEntry> left = new HashSet<>(without);
    left.add(entry);
    Newcomer newcomer = translator.translate(waiting, node, left);
    Workload workload = newcomer.workload(fleet.immunities(waiting));
    left.addAll(reservationsToIgnore(entry));
    return fleet
        .distributor()
        .tryOut(RemovalTrial.releases(left), trial -> RemovalTrial.reasons(trial, workload, node))
        .isEmpty();
  }

  private void begin() {
    translator.tidy();
    devices.beginTurn(1);
  }

  /** Asks the engine, as if some workloads were not there. */
  <T> T ask(List<Change> without, Function<Distributor, T> question) {
    return without.isEmpty()
        ? question.apply(fleet.distributor())
        : fleet.distributor().tryOut(without, question);
  }

  /**
   * Room that a scheduler has made for a pod counts for pods of at most its priority; that made for
   * the newcomer itself does not. The newcomer's words need no change for this. No count has such a
   * pod. A rule about its anti-affinity counts the members that are there. An immunity is to what
   * the newcomer does not request.
   *
   * @return the others
   */
  List<PodEntry> reservationsToIgnore(PodEntry newcomer) {
    return fleet.reserved().stream().filter(entry -> !entry.keepsRoomFrom(newcomer.facts)).toList();
  }

  private List<Change> ignoring(PodEntry newcomer) {
    return RemovalTrial.releases(reservationsToIgnore(newcomer));
  }
}
