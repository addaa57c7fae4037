package io.lighthouse.cli;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The answer for people: which workload went where, what was refused and why, how full it is. */
final class AssignmentPage {
  /** Workloads listed of one node, where not everything is listed. */
  private static final int PER_NODE = 24;

  private static final String EMPTY = "(empty)";
  private static final String CORDONED = "(cordoned)";
  private static final String BESIDE = "(averse)";
  private static final String OTHERS = "(others)";
  private static final String TAKEN_BACK = "(taken back)";

  private final Terminal terminal;
  private final Page page;
  private final Fleet fleet;
  private final Assignments assignments;
  private final boolean explain;

  /** Most rows of a section. */
  private final int most;

  /** The nodes as they are now. */
  private final List<NodeState> nodes;

  /** The workloads of the file that were refused. */
  private final Map<String, Workload> refused = new HashMap<>();

  /** The workloads placed now, not before. */
  private final Set<String> placed = new HashSet<>();

  /** Prints everything there is, or only what a person reads; more of each refusal where asked. */
  AssignmentPage(
      Terminal terminal, Fleet fleet, Assignments assignments, boolean full, boolean explain) {
    this.terminal = terminal;
    this.page = new Page(terminal);
    this.fleet = fleet;
    this.assignments = assignments;
    this.explain = explain;
    this.most = full ? Integer.MAX_VALUE : 100;
    this.nodes = fleet.distributor().snapshot().nodes();
    for (int i = 0; i < assignments.size(); i++) {
      if (assignments.node(i).isPresent()) {
        placed.add(assignments.workload(i));
      } else {
        refused.put(assignments.workload(i), fleet.problem().workloads().get(i));
      }
    }
  }

  void print() throws IOException {
    page.title(
        fleet.file().title()
            + ": "
            + (assignments.allPlaced() ? "all " : assignments.placedCount() + " of ")
            + Reasons.plural(assignments.size(), "workload")
            + " placed, "
            + fleet.nodesUsed(assignments)
            + " of "
            + Reasons.plural(nodes.size(), "node")
            + " used, by "
            + fleet.problem().strategy().orElseThrow());
    placements();
    refusals();
    usage();
    page.print(terminal.out());
  }

  private void placements() {
    List<NodeState> used = new ArrayList<>();
    List<String> empty = new ArrayList<>();
    List<String> cordoned = new ArrayList<>();
    boolean before = false;
    for (NodeState node : nodes) {
      if (node.workloads().isEmpty()) {
        empty.add(node.name());
      } else {
        used.add(node);
      }
      if (node.cordoned()) {
        cordoned.add(node.name());
      }
      before |= node.workloads().stream().anyMatch(there -> !placed.contains(there.name()));
    }
    List<String> besideTheirLike = besideTheirLike();
    List<NodeState> shown = used.subList(0, Math.min(most, used.size()));
    List<String> labels = new ArrayList<>(shown.stream().map(NodeState::name).toList());
    addLabel(labels, EMPTY, empty);
    addLabel(labels, CORDONED, cordoned);
    addLabel(labels, BESIDE, besideTheirLike);
    page.section("node", before ? "workloads [those that were there before]" : "workloads", labels);
    for (NodeState node : shown) {
      page.row(node.name(), Style.PLAIN, workloads(node), ", ");
    }
    more(used.size() - shown.size(), "node");
    list(EMPTY, empty);
    list(CORDONED, cordoned);
    list(BESIDE, besideTheirLike);
  }

  private static void addLabel(List<String> labels, String label, List<String> list) {
    if (!list.isEmpty()) {
      labels.add(label);
    }
  }

  private List<String> workloads(NodeState node) {
    List<String> names = new ArrayList<>();
    for (Workload workload : node.workloads()) {
      if (names.size() == PER_NODE && most != Integer.MAX_VALUE) {
        names.add("... and " + (node.workloads().size() - PER_NODE) + " more");
        break;
      }
      names.add(placed.contains(workload.name()) ? workload.name() : "[" + workload.name() + "]");
    }
    return names;
  }

  /** Those that sit on an averse node, for want of a friendly one. */
  private List<String> besideTheirLike() {
    List<String> names = new ArrayList<>();
    for (NodeState node : nodes) {
      Map<String, String> firstOfGroup = new HashMap<>();
      for (Workload workload : node.workloads()) {
        String other = null;
        for (String group : workload.aversionGroups()) {
          String first = firstOfGroup.putIfAbsent(group, workload.name());
          other = other == null ? first : other;
        }
        if (other != null && placed.contains(workload.name())) {
          names.add(workload.name() + " beside " + other);
        }
      }
    }
    return names;
  }

  private void refusals() {
    if (assignments.allPlaced()) {
      return;
    }
    List<Refusal> refusals = assignments.refusals();
    boolean asOfNow = refusals.isEmpty();
    if (asOfNow) {
      refusals = explainedNow();
    }
    List<Refusal> shown = refusals.subList(0, Math.min(most, refusals.size()));
    int count = asOfNow ? assignments.refusedCount() : refusals.size();
    int takenBack = assignments.refusedCount() - count;
    List<String> labels = new ArrayList<>(shown.stream().map(Refusal::workload).toList());
    if (takenBack > 0) {
      labels.add(TAKEN_BACK);
    }
    page.section("refused", asOfNow ? "why, as it is now" : "why", labels);
    for (Refusal refusal : shown) {
      row(refusal);
    }
    more(count - shown.size(), "refused workload");
    if (takenBack > 0) {
      page.row(
          TAKEN_BACK,
          Style.DIM,
          Reasons.plural(takenBack, "workload") + " that had found a place: all or nothing");
    }
  }

  private void row(Refusal refusal) {
    Workload workload = refused.get(refusal.workload());
    if (!explain) {
      page.row(refusal.workload(), Style.RED, Reasons.shortest(refusal, workload));
      return;
    }
    String label = refusal.workload();
    String everywhere = Reasons.everywhere(refusal, workload);
    if (!everywhere.isEmpty()) {
      page.row(label, Style.RED, everywhere);
      label = "";
    }
    page.row(label, Style.RED, Reasons.counts(refusal), "; ");
    for (NodeVerdict near : refusal.nearest()) {
      page.row("", Style.PLAIN, "nearest " + near.node() + ": " + Reasons.of(near));
    }
  }

  /** Why the first of the refused fit nowhere now, after everything: where nobody asked before. */
  private List<Refusal> explainedNow() {
    List<Refusal> refusals = new ArrayList<>();
    for (int i = 0; i < assignments.size() && refusals.size() < most; i++) {
      if (assignments.node(i).isEmpty()) {
        Explanation now = fleet.distributor().explain(fleet.problem().workloads().get(i));
        refusals.add(now.summary());
      }
    }
    return refusals;
  }

  private void usage() {
    List<Usage> supplies = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (Usage usage : Usage.of(nodes)) {
      if (usage.isSupply()) {
        supplies.add(usage);
      }
      others.addAll(usage.others());
    }
    if (supplies.isEmpty() && others.isEmpty()) {
      return;
    }
    List<Usage> shown = supplies.subList(0, Math.min(most, supplies.size()));
    List<String> labels = new ArrayList<>(shown.stream().map(Usage::name).toList());
    addLabel(labels, OTHERS, others);
    page.section("resource", "used", labels);
    for (Usage usage : shown) {
      page.set(usage.name(), usage.bar(page));
    }
    more(supplies.size() - shown.size(), "resource");
    list(OTHERS, others);
  }

  private void list(String label, List<String> names) {
    if (!names.isEmpty()) {
      List<String> shown = new ArrayList<>(names.subList(0, Math.min(most, names.size())));
      if (shown.size() < names.size()) {
        shown.add("... and " + (names.size() - shown.size()) + " more");
      }
      page.row(label, Style.DIM, shown, ", ");
    }
  }

  private void more(int count, String thing) {
    if (count > 0) {
      page.row("...", Style.DIM, "and " + Reasons.plural(count, thing) + " more; --full lists all");
    }
  }
}
