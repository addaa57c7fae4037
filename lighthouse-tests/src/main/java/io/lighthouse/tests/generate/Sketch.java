package io.lighthouse.tests.generate;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.referee.Call;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A call whose details are filled in from the state that it meets. What comes out is sound in any
 * state: names are new where they must be new and known where they must be known.
 */
public sealed interface Sketch {
  /**
   * Fills in the details.
   *
   * @param now the state that the call is to meet
   * @param serial a number that no other sketch of the scenario has
   * @return the call, or nothing where there is nothing to call for
   */
  Optional<Call> call(Snapshot now, int serial);

  /**
   * A batch.
   *
   * @param workloads without the rest of their names
   * @param options what is asked beyond the ordinary
   */
  record Assign(List<Workload> workloads, List<AssignOption> options) implements Sketch {
    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      List<Workload> batch = new ArrayList<>();
      for (Workload workload : workloads) {
        String name = workload.name() + serial + "." + batch.size();
        batch.add(Workloads.named(workload, name));
      }
      return Optional.of(new Call.Assign(batch, options));
    }
  }

  /**
   * A release of some.
   *
   * @param first which of the placed ones, counted round
   * @param number how many from there on
   */
  record Release(int first, int number) implements Sketch {
    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      List<String> placed =
          now.nodes().stream()
              .flatMap(node -> node.workloads().stream())
              .map(Workload::name)
              .toList();
      if (placed.isEmpty()) {
        return Optional.empty();
      }
      List<String> names = new ArrayList<>();
      for (int i = 0; i < number; i++) {
        names.add(placed.get((first + i) % placed.size()));
      }
      return Optional.of(new Call.Release(names));
    }
  }

  /**
   * A release of a node.
   *
   * @param node which node, counted round
   */
  record ReleaseNode(int node) implements Sketch {
    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      return at(now.nodes(), node).map(state -> new Call.ReleaseNode(state.name()));
    }
  }

  /** A release of all. */
  record ReleaseAll() implements Sketch {
    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      return Optional.of(new Call.ReleaseAll());
    }
  }

  /**
   * A new node.
   *
   * @param node without the rest of its name
   */
  record AddNode(Node node) implements Sketch {
    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      List<Workload> brought = new ArrayList<>();
      for (Workload workload : node.workloads()) {
        brought.add(Workloads.named(workload, workload.name() + serial));
      }
      String name = node.name() + serial;
      return Optional.of(
          new Call.ShortForm(
              new Change.AddNode(new Node(name, node.resources(), brought, node.cordoned()))));
    }
  }

  /**
   * A removal.
   *
   * @param node which of the empty nodes, counted round
   */
  record RemoveNode(int node) implements Sketch {
    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      List<NodeState> empty =
          now.nodes().stream().filter(state -> state.workloads().isEmpty()).toList();
      return at(empty, node).map(state -> new Call.ShortForm(new Change.RemoveNode(state.name())));
    }
  }

  /**
   * Another capacity.
   *
   * @param node which node, counted round
   * @param capacity the capacity; what placed workloads need beyond it stays
   */
  record Resize(int node, Resources capacity) implements Sketch {
    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      return at(now.nodes(), node)
          .map(
              state -> {
                Map<String, Quantity> all = new LinkedHashMap<>(capacity.asMap());
                for (Workload workload : state.workloads()) {
                  for (String name : workload.requirements().names()) {
                    all.putIfAbsent(name, state.capacity().get(name).orElse(Quantity.ZERO));
                  }
                }
                return new Call.ShortForm(new Change.Resize(state.name(), Resources.of(all)));
              });
    }
  }

  /**
   * A cordon, or its end.
   *
   * @param node which node, counted round
   * @param cordoned which of both
   */
  record Cordon(int node, boolean cordoned) implements Sketch {
    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      return at(now.nodes(), node)
          .map(
              state ->
                  new Call.ShortForm(
                      cordoned
                          ? new Change.Cordon(state.name())
                          : new Change.Uncordon(state.name())));
    }
  }

  /**
   * Changes, carried out all or none.
   *
   * @param steps what each is to be
   */
  record Changes(List<Step> steps) implements Sketch {
    /** Copies. */
    public Changes {
      steps = List.copyOf(steps);
    }

    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      List<Change> changes = ChangeSteps.of(now, steps, serial);
      return changes.isEmpty() ? Optional.empty() : Optional.of(new Call.Apply(changes));
    }
  }

  /**
   * A change whose details are filled in from the state that it meets.
   *
   * @param kind which kind, from 0 on, counted round
   * @param node which node, counted round
   * @param other which placed workload, or which other node, counted round
   * @param workload one to assign, without the rest of its name
   * @param added a node to add, without the rest of its name; its resources serve a resize
   */
  record Step(int kind, int node, int other, Workload workload, Node added) {}

  private static Optional<NodeState> at(List<NodeState> nodes, int index) {
    return nodes.isEmpty() ? Optional.empty() : Optional.of(nodes.get(index % nodes.size()));
  }
}
