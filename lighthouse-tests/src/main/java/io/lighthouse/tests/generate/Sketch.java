package io.lighthouse.tests.generate;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.referee.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A call whose details are filled in from the state that it meets. The call is sound in any state:
 * names are new where they must be new and known where they must be known.
 */
public sealed interface Sketch {
  /**
   * Fills in the details.
   *
   * @param now the state that the call is to meet
   * @param serial a number that no other sketch of the scenario has
   * @return the call, or nothing where the state leaves nothing to call for
   */
  Optional<Call> call(Snapshot now, int serial);

  /**
   * Lists simpler sketches, for shrinking.
   *
   * @return sketches with one part less each
   */
  default Stream<Sketch> simpler() {
    return Stream.empty();
  }

  /**
   * A batch.
   *
   * @param workloads without the rest of their names
   * @param options the options of the call
   */
  record Assign(List<Workload> workloads, List<AssignOption> options) implements Sketch {
    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      List<Workload> batch = new ArrayList<>();
      for (Workload workload : workloads) {
        batch.add(workload.named(workload.name() + serial + "." + batch.size()));
      }
      return Optional.of(new Call.Assign(batch, options));
    }

    @Override
    public String toString() {
      return new Call.Assign(workloads, options).toString();
    }

    @Override
    public Stream<Sketch> simpler() {
      Stream<List<Workload>> batches =
          Stream.concat(
              Shrinking.without(workloads, 1), Shrinking.simpler(workloads, Shrinking::simpler));
      return Stream.concat(
          batches.map(batch -> new Assign(batch, options)),
          Shrinking.without(options, 0).map(fewer -> new Assign(workloads, fewer)));
    }
  }

  /**
   * A question about a workload.
   *
   * @param workload without the rest of its name
   */
  record Explain(Workload workload) implements Sketch {
    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      return Optional.of(new Call.Explain(workload.named(workload.name() + serial)));
    }

    @Override
    public String toString() {
      return new Call.Explain(workload).toString();
    }

    @Override
    public Stream<Sketch> simpler() {
      return Shrinking.simpler(workload).map(Explain::new);
    }
  }

  /**
   * A release of several workloads.
   *
   * @param first the index of the first, modulo the number of placed workloads
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
   * @param node its index, modulo the number of nodes
   */
  record ReleaseNode(int node) implements Sketch {
    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      return Steps.at(now.nodes(), node).map(state -> new Call.ReleaseNode(state.name()));
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
   * A change that may turn out to be impossible.
   *
   * @param step the change
   */
  record Attempt(Step step) implements Sketch {
    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      return Steps.any(now, step, serial).map(Call.Attempt::new);
    }

    @Override
    public Stream<Sketch> simpler() {
      return step.simpler().map(Attempt::new);
    }
  }

  /**
   * Changes, carried out all or none.
   *
   * @param steps the changes, in order
   */
  record Changes(List<Step> steps) implements Sketch {
    /** Copies. */
    public Changes {
      steps = List.copyOf(steps);
    }

    @Override
    public Optional<Call> call(Snapshot now, int serial) {
      List<Change> changes = Steps.sound(now, steps, serial);
      return changes.isEmpty() ? Optional.empty() : Optional.of(new Call.Apply(changes));
    }

    @Override
    public Stream<Sketch> simpler() {
      return Stream.concat(Shrinking.without(steps, 1), Shrinking.simpler(steps, Step::simpler))
          .map(Changes::new);
    }
  }

  /**
   * A change whose details are filled in from the state that it meets.
   *
   * @param kind the kind of {@link Change}
   * @param node the index of a node or a domain, modulo their number
   * @param other the index of a placed workload, modulo their number
   * @param workload one to assign, without the rest of its name; its groups serve a regrouping
   * @param added a node to add, without the rest of its name; its resources serve a resize
   * @param domain a domain to declare; its resources serve the resize of a domain
   */
  record Step(Class<?> kind, int node, int other, Workload workload, Node added, Domain domain) {
    /** What the kinds need besides indexes. */
    private static final Map<Class<?>, Function<Step, Object>> DRAWN =
        Map.of(
            Change.AddNode.class,
            Step::added,
            Change.Resize.class,
            step -> step.added().resources(),
            Change.Assign.class,
            Step::workload,
            Change.Regroup.class,
            step -> step.workload().terms().groups(),
            Change.Declare.class,
            Step::domain,
            Change.ResizeDomain.class,
            step -> step.domain().resources());

    @Override
    public String toString() {
      Object drawn = DRAWN.getOrDefault(kind, step -> "").apply(this);
      return kind.getSimpleName() + " at " + node + " of " + other + " " + drawn;
    }

    /** With a simpler node, where one is added, or a simpler workload, where one is assigned. */
    Stream<Step> simpler() {
      if (kind == Change.AddNode.class) {
        return Shrinking.simpler(added)
            .map(less -> new Step(kind, node, other, workload, less, domain));
      }
      return kind == Change.Assign.class
          ? Shrinking.simpler(workload)
              .map(less -> new Step(kind, node, other, less, added, domain))
          : Stream.empty();
    }
  }
}
