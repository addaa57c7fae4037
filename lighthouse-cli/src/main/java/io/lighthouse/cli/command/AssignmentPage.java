package io.lighthouse.cli.command;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.Plural;
import io.lighthouse.cli.page.Doubts;
import io.lighthouse.cli.page.Style;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.cli.page.Usage;
import io.lighthouse.picture.FleetText;
import io.lighthouse.picture.PlacementSummary;
import io.lighthouse.picture.Reasons;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The answer for people: which workload went where, what was refused and why, how full it is. */
final class AssignmentPage {
  /** Names listed in one row, where not everything is listed. */
  private static final int LISTED = 24;

  private final Terminal terminal;
  private final TerminalPage page;
  private final LoadedFleet fleet;
  private final Assignments assignments;
  private final boolean explain;

  /** What nodes have; found at the first refusal. */
  private Set<String> offered;

  /** Most rows of a section. */
  private final int most;

  /** The fleet as it is now. */
  private final Snapshot snapshot;

  private final List<NodeState> nodes;

  /** The workloads of the file that were refused. */
  private final Map<String, Workload> refused = new HashMap<>();

  /** The workloads placed now, not before. */
  private final Set<String> placed = new HashSet<>();

  /** Prints everything there is, or only what a person reads; more of each refusal where asked. */
  AssignmentPage(
      Terminal terminal,
      LoadedFleet fleet,
      Assignments assignments,
      boolean full,
      boolean explain) {
    this.terminal = terminal;
    this.page = new TerminalPage(terminal);
    this.fleet = fleet;
    this.assignments = assignments;
    this.explain = explain;
    this.most = full ? Integer.MAX_VALUE : 100;
    this.snapshot = fleet.distributor().snapshot();
    this.nodes = snapshot.nodes();
    for (int i = 0; i < assignments.size(); i++) {
      if (assignments.node(i).isPresent()) {
        placed.add(assignments.workload(i));
      } else {
        refused.put(assignments.workload(i), fleet.problem().workloads().get(i));
      }
    }
  }

  void print() throws IOException {
    PlacementSummary summary = PlacementSummary.of(snapshot, assignments);
    page.title(fleet.file().title() + ": " + summary.words(fleet.strategy()));
    placements();
    refusals();
    usage();
    domains();
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
    List<NodeState> shown = used.subList(0, Math.min(most, used.size()));
    TerminalPage.Section section =
        page.section("node", before ? "workloads [those that were there before]" : "workloads");
    for (NodeState node : shown) {
      section.row(node.name(), Style.PLAIN, workloads(node), ", ");
    }
    more(section, used.size() - shown.size(), "node");
    list(section, "(empty)", empty);
    list(section, "(cordoned)", cordoned);
    list(section, "(averse)", besideTheirLike());
    section.end();
  }

  private List<String> workloads(NodeState node) {
    List<String> names = new ArrayList<>();
    for (Workload workload : node.workloads()) {
      String name = workload.name();
      names.add(placed.contains(name) ? name : "[" + name + "]");
    }
    return cut(names);
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
    TerminalPage.Section section = page.section("refused", asOfNow ? "why, as it is now" : "why");
    for (Refusal refusal : shown) {
      row(section, refusal);
    }
    more(section, count - shown.size(), "refused workload");
    if (takenBack > 0) {
      String taken = Plural.of(takenBack, "workload") + " that had found a place";
      section.row("(taken back)", Style.DIM, taken + ": all or nothing");
    }
    section.end();
  }

  private void row(TerminalPage.Section section, Refusal refusal) {
    Workload workload = refused.get(refusal.workload());
    if (!explain) {
      section.row(
          refusal.workload(),
          Style.RED,
          Reasons.shortest(refusal, workload) + Doubts.meant(workload, offered()));
      return;
    }
    String label = refusal.workload();
    String everywhere = Reasons.everywhere(refusal, workload);
    if (!everywhere.isEmpty()) {
      section.row(label, Style.RED, everywhere + Doubts.meant(workload, offered()));
      label = "";
    }
    section.row(label, Style.RED, Reasons.counts(refusal), "; ");
    for (NodeVerdict near : refusal.nearest()) {
      section.row("", Style.PLAIN, "nearest " + near.node() + ": " + Reasons.of(near));
    }
  }

  private Set<String> offered() {
    if (offered == null) {
      offered = Doubts.offered(fleet.problem());
    }
    return offered;
  }

  /**
   * Explains the first of the refused as the fleet is at the end, where the answer has no reasons.
   */
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
    List<Usage> shown = supplies.subList(0, Math.min(most, supplies.size()));
    TerminalPage.Section section = page.section("resource", "used");
    for (Usage usage : shown) {
      section.set(usage.name(), usage.bar(page));
    }
    more(section, supplies.size() - shown.size(), "resource");
    list(section, "(others)", others);
    section.end();
  }

  /** What is taken of every declared domain. */
  private void domains() {
    List<DomainState> domains = snapshot.domains();
    if (domains.isEmpty()) {
      return;
    }
    List<DomainState> shown = domains.subList(0, Math.min(most, domains.size()));
    TerminalPage.Section section = page.section("domain", "shared");
    for (DomainState domain : shown) {
      List<String> shares = FleetText.shares(domain);
      if (domain.cordoned()) {
        shares.add(0, "cordoned");
      }
      section.row(
          FleetText.nameOf(domain.level(), domain.name()),
          Style.PLAIN,
          shares.isEmpty() ? List.of("nothing") : cut(shares),
          ", ");
    }
    more(section, domains.size() - shown.size(), "domain");
    section.end();
  }

  private void list(TerminalPage.Section section, String label, List<String> names) {
    if (!names.isEmpty()) {
      section.row(label, Style.DIM, cut(names), ", ");
    }
  }

  /** As many of the names as one row lists. */
  private List<String> cut(List<String> names) {
    if (most == Integer.MAX_VALUE || names.size() <= LISTED) {
      return names;
    }
    List<String> cut = new ArrayList<>(names.subList(0, LISTED));
    cut.add("... and " + (names.size() - LISTED) + " more");
    return cut;
  }

  private static void more(TerminalPage.Section section, int count, String thing) {
    if (count > 0) {
      String left = "and " + Plural.of(count, "more " + thing);
      section.row("...", Style.DIM, left + "; --full lists all");
    }
  }
}
