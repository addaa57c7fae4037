package io.lighthouse.scheduler.choice;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.core.Distributors;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.port.PortException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The distributor of one manager. It lives from pass to pass. At the beginning of each its nodes
 * follow those of the pass:
 *
 * <ul>
 *   <li>They are in the order of their names. If the names change, the distributor is made anew.
 *   <li>The capacity of a node is its watermark. What is left is what remains of its offers.
 *   <li>Its workloads are its executions, with their requests. One more workload makes up the
 *       difference to what is in use; its quantities may be negative. Where less than nothing is
 *       left, the distributor holds 0.
 *   <li>A node that may not take new work, or lends nothing, is cordoned.
 * </ul>
 *
 * <p>A node that has not changed since the last pass costs a comparison. A node that the
 * distributor refuses, because a quantity is out of its range, is reported and stays cordoned. One
 * whose name is ill-formed is reported and left out.
 */
final class PassFleet {
  /** The workload that is placed and released at once, to move the round-robin position. */
  private static final String PROBE = FollowedNode.OTHER_USE + "no node";

  /** The end of a list is behind all that are in it. */
  private static final Comparator<RunningExecution> ORDER =
      Comparator.nullsLast(RunningExecution.MOST_IMPORTANT_FIRST);

  private final Supplier<Distributors.Builder> builder;
  private Distributor distributor;

  /** In the order of names. Empty while they change: what throws has them made anew. */
  private List<FollowedNode> nodes = List.of();

  private final Map<String, FollowedNode> byName = new HashMap<>();

  /** The executions that {@link #nodes} have, the most important first. */
  private List<RunningExecution> running = List.of();

  /** The node of the last accepted execution; empty before the first. */
  private String lastPlaced = "";

  /** The same at the beginning of the pass. */
  private String lastPlacedBefore = "";

  /** Whether the round-robin position of the distributor may differ from {@link #lastPlaced}. */
  private boolean positionMoved;

  private boolean overdrawn;

  PassFleet(Supplier<Distributors.Builder> builder) {
    this.builder = builder;
    distributor = builder.get().build();
  }

  Distributor distributor() {
    return distributor;
  }

  /** Brings the distributor up to date, and reports the nodes that it refuses. */
  void begin(
      Collection<SchedulingNode> ofPass,
      List<RunningExecution> executions,
      FitIndex candidates,
      List<LighthouseException> failures) {
    lastPlacedBefore = lastPlaced;
    overdrawn = false;
    List<SchedulingNode> all = wellNamed(ofPass, failures);
    List<FollowedNode> following = nodes;
    nodes = List.of();
    if (!areNamesOf(following, all)) {
      following = makeAnew(all);
    }
    followExecutions(executions);
    List<FollowedNode> changed = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    for (int i = 0; i < following.size(); i++) {
      following.get(i).candidate = -1;
      if (following.get(i).follow(all.get(i), gone)) {
        changed.add(following.get(i));
      }
      overdrawn |= following.get(i).isOverdrawn;
    }
    for (int i = 0; i < candidates.size(); i++) {
      FollowedNode candidate = byName.get(candidates.node(i).name());
      if (candidate == null) {
        candidates.close(i);
      } else if (candidates.node(i).lends()) {
        candidate.candidate = i;
      }
    }
    distributor.release(gone);
    changed.forEach(node -> update(node, failures));
    nodes = following;
    if (positionMoved) {
      restorePosition();
    }
    List<Change> cordons = new ArrayList<>();
    for (FollowedNode node : nodes) {
      if (node.open != node.candidate >= 0) {
        node.open = !node.open;
        cordons.add(node.open ? new Change.Uncordon(node.name) : new Change.Cordon(node.name));
      }
    }
    distributor.apply(cordons);
  }

  /** The nodes that a distributor can have. The others are reported. */
  private static List<SchedulingNode> wellNamed(
      Collection<SchedulingNode> ofPass, List<LighthouseException> failures) {
    List<SchedulingNode> named = new ArrayList<>();
    for (SchedulingNode node : ofPass) {
      try {
        Names.require(
            node.name(), "node '" + node.name() + "' with agent '" + node.agent() + "'", "name");
        named.add(node);
      } catch (InvalidInputException illFormed) {
        failures.add(
            new PortException(
                "ClusterNode", "name", "answered what no strategy can use:", illFormed));
      }
    }
    return named;
  }

  private static boolean areNamesOf(List<FollowedNode> following, List<SchedulingNode> all) {
    boolean same = following.size() == all.size();
    for (int i = 0; same && i < all.size(); i++) {
      same = following.get(i).name.equals(all.get(i).name());
    }
    return same;
  }

  /** Makes a distributor of nodes that have nothing yet. */
  private List<FollowedNode> makeAnew(List<SchedulingNode> all) {
    running = List.of();
    byName.clear();
    List<FollowedNode> made = new ArrayList<>();
    List<Change> bare = new ArrayList<>();
    for (SchedulingNode node : all) {
      FollowedNode followed = new FollowedNode(node.name());
      made.add(followed);
      byName.put(node.name(), followed);
      bare.add(new Change.AddNode(Node.of(node.name(), Resources.none())));
    }
    // To the strategy every node comes later, as settings that name nodes allow.
    distributor = builder.get().build();
    distributor.apply(bare);
    positionMoved = !lastPlaced.isEmpty();
    return made;
  }

  /**
   * Adds the executions that have come to their nodes, and removes those that are gone. Both lists
   * are in order, so one walk along both finds them.
   */
  private void followExecutions(List<RunningExecution> now) {
    int was = 0;
    int is = 0;
    while (was < running.size() || is < now.size()) {
      RunningExecution former = was < running.size() ? running.get(was) : null;
      RunningExecution present = is < now.size() ? now.get(is) : null;
      int order = former == present ? 0 : ORDER.compare(former, present);
      if (former != present && order <= 0 && byName.containsKey(former.node())) {
        byName.get(former.node()).remove(former);
      }
      if (former != present && order >= 0 && byName.containsKey(present.node())) {
        byName.get(present.node()).add(present);
      }
      was += order <= 0 ? 1 : 0;
      is += order >= 0 ? 1 : 0;
    }
    running = now;
  }

  /** Resizes a node where it has to be, and places what is missing there. */
  private void update(FollowedNode node, List<LighthouseException> failures) {
    List<Change> changes = new ArrayList<>();
    if (!node.capacity.equals(node.inDistributor)) {
      changes.add(new Change.Resize(node.name, node.capacity));
    }
    boolean places = !node.missing.isEmpty();
    if (places) {
      changes.add(new Change.Uncordon(node.name));
      node.missing.forEach(
          (id, requirements) ->
              changes.add(new Change.Assign(Workload.of(id, requirements), node.name)));
    }
    try {
      distributor.apply(changes);
      node.upToDate();
      node.open |= places;
      positionMoved |= places;
    } catch (InvalidInputException outOfRange) {
      failures.add(
          new PortException("CapacityBook", "refresh", outOfRange.getMessage(), outOfRange));
      node.outdate();
      node.candidate = -1;
    }
  }

  /** Notes that the distributor has placed an execution. */
  int chosen(String workload, Resources requirements, String node) {
    FollowedNode at = byName.get(node);
    at.placed.put(workload, requirements);
    at.outdate();
    return at.candidate;
  }

  /** The index of a node among the candidates of the pass. */
  int candidate(String node) {
    return byName.get(node).candidate;
  }

  /** Whether less than nothing is left of anything on any node of the pass. */
  boolean isOverdrawn() {
    return overdrawn;
  }

  /** Notes that what was chosen last was accepted. */
  void accepted(String node) {
    lastPlaced = node;
  }

  /** Takes back what was chosen last. */
  void takeBack(String workload, String node) {
    byName.get(node).placed.remove(workload);
    distributor.release(workload);
    restorePosition();
  }

  void close(String node) {
    byName.get(node).open = false;
    distributor.cordon(node);
  }

  /** Nothing of the pass holds: the next pass releases what no node has. */
  void rollBack() {
    lastPlaced = lastPlacedBefore;
    positionMoved = true;
  }

  /**
   * Moves the round-robin position to the node of the last accepted execution; if that is gone, to
   * the one before it. The last node stands for none, since what follows it is the first.
   */
  private void restorePosition() {
    positionMoved = false;
    if (nodes.isEmpty()) {
      return;
    }
    int at = nodes.size() - 1;
    while (at > 0 && Names.compare(nodes.get(at).name, lastPlaced) > 0) {
      at--;
    }
    boolean first = Names.compare(nodes.get(at).name, lastPlaced) > 0;
    FollowedNode to = nodes.get(first ? nodes.size() - 1 : at);
    List<Change> changes = new ArrayList<>();
    changes.add(new Change.Uncordon(to.name));
    changes.add(new Change.Assign(probe(to), to.name));
    changes.add(new Change.Release(PROBE));
    if (!to.open) {
      changes.add(new Change.Cordon(to.name));
    }
    distributor.apply(changes);
  }

  /** It fits also where less than nothing is left. */
  private static Workload probe(FollowedNode node) {
    return new Workload(PROBE, Resources.none(), Set.copyOf(node.inDistributor.names()), Set.of());
  }
}
