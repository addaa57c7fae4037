package io.lighthouse.tests.generate;

import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Referee;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Fills in the details of changes that are carried out one after the other. Each is sound in the
 * state that those before it leave; what fits there the referee says, whose books go along.
 */
final class ChangeSteps {
  /** By name of a node, in the order of nodes: its workloads and capacity. */
  private final Map<String, List<Workload>> placed = new LinkedHashMap<>();

  private final Map<String, Resources> capacities = new LinkedHashMap<>();
  private final Referee referee;
  private final List<Change> changes = new ArrayList<>();
  private final int serial;

  private ChangeSteps(Snapshot now, int serial) {
    this.serial = serial;
    List<Node> nodes = new ArrayList<>();
    for (NodeState state : now.nodes()) {
      nodes.add(state.toNode());
      placed.put(state.name(), new ArrayList<>(state.workloads()));
      capacities.put(state.name(), state.capacity());
    }
    referee = new Referee(nodes, Optional.empty(), Conduct.PLAIN);
  }

  static List<Change> of(Snapshot now, List<Sketch.Step> steps, int serial) {
    ChangeSteps filled = new ChangeSteps(now, serial);
    for (int i = 0; i < steps.size(); i++) {
      filled.add(steps.get(i), i);
    }
    return filled.changes;
  }

  private void add(Sketch.Step step, int index) {
    String suffix = serial + "." + index;
    Optional<Change> change =
        switch (step.kind() % 8) {
          case 0 -> Optional.of(new Change.AddNode(added(step.added(), suffix)));
          case 1 -> empty(step.node()).map(Change.RemoveNode::new);
          case 2 -> node(step.node()).map(node -> resize(node, step.added().resources()));
          case 3 -> node(step.node()).map(Change.Cordon::new);
          case 4 -> node(step.node()).map(Change.Uncordon::new);
          case 5 -> workload(step.other()).map(workload -> new Change.Release(workload.name()));
          case 6 -> workload(step.other()).flatMap(workload -> move(workload, step.node()));
          default -> assign(step, suffix);
        };
    change.ifPresent(this::carryOut);
  }

  private static Node added(Node node, String suffix) {
    List<Workload> brought = new ArrayList<>();
    for (Workload workload : node.workloads()) {
      brought.add(Workloads.named(workload, workload.name() + suffix));
    }
    return new Node(node.name() + suffix, node.resources(), brought, node.cordoned());
  }

  private Optional<String> node(int index) {
    return at(new ArrayList<>(placed.keySet()), index);
  }

  private Optional<String> empty(int index) {
    return at(placed.keySet().stream().filter(name -> placed.get(name).isEmpty()).toList(), index);
  }

  private Optional<Workload> workload(int index) {
    return at(placed.values().stream().flatMap(List::stream).toList(), index);
  }

  private static <T> Optional<T> at(List<T> all, int index) {
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(index % all.size()));
  }

  private Change resize(String node, Resources capacity) {
    Map<String, Quantity> all = new LinkedHashMap<>(capacity.asMap());
    for (Workload workload : placed.get(node)) {
      for (String name : workload.requirements().names()) {
        all.putIfAbsent(name, capacities.get(node).get(name).orElse(Quantity.ZERO));
      }
    }
    return new Change.Resize(node, Resources.of(all));
  }

  private Optional<Change> assign(Sketch.Step step, String suffix) {
    Workload named = Workloads.named(step.workload(), step.workload().name() + suffix);
    return at(fitting(named), step.node()).map(node -> new Change.Assign(named, node));
  }

  /** A move to a node that the workload fits once it is away. */
  private Optional<Change> move(Workload workload, int index) {
    String from = holder(workload);
    List<String> others = fitting(workload).stream().filter(to -> !to.equals(from)).toList();
    return at(others, index).map(to -> new Change.Move(workload.name(), from, to));
  }

  /** Where a workload fits, whoever it is: on another node it does not matter where it is now. */
  private List<String> fitting(Workload workload) {
    return referee.verdicts(workload, Optional.empty()).stream()
        .filter(NodeVerdict::fits)
        .map(NodeVerdict::node)
        .toList();
  }

  private String holder(Workload workload) {
    return placed.keySet().stream()
        .filter(node -> placed.get(node).contains(workload))
        .findFirst()
        .orElseThrow();
  }

  private void carryOut(Change change) {
    referee.judge(new Call.Apply(List.of(change)), List.of());
    changes.add(change);
    if (change instanceof Change.AddNode add) {
      placed.put(add.node().name(), new ArrayList<>(add.node().workloads()));
      capacities.put(add.node().name(), add.node().resources());
    } else if (change instanceof Change.RemoveNode remove) {
      placed.remove(remove.node());
    } else if (change instanceof Change.Resize resize) {
      capacities.put(resize.node(), resize.capacity());
    } else if (change instanceof Change.Assign assign) {
      placed.get(assign.node()).add(assign.workload());
    } else if (change instanceof Change.Release release) {
      take(release.workload());
    } else if (change instanceof Change.Move move) {
      placed.get(move.to()).add(take(move.workload()));
    }
  }

  private Workload take(String name) {
    for (List<Workload> there : placed.values()) {
      for (Workload workload : there) {
        if (workload.name().equals(name)) {
          there.remove(workload);
          return workload;
        }
      }
    }
    throw new IllegalStateException("nobody is named " + name);
  }
}
