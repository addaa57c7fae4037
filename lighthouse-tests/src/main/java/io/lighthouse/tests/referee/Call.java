package io.lighthouse.tests.referee;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import java.util.List;
import java.util.function.Consumer;

/** A call of a distributor as data: it can be printed, judged and repeated. */
public sealed interface Call {
  /**
   * Makes the call.
   *
   * @param distributor the distributor to call
   * @return its answer; an empty list where the method returns nothing
   */
  Object on(Distributor distributor);

  /**
   * Assigns a batch.
   *
   * @param batch the workloads
   * @param options its options
   */
  record Assign(List<Workload> batch, List<AssignOption> options) implements Call {
    /** Copies. */
    public Assign {
      batch = List.copyOf(batch);
      options = List.copyOf(options);
    }

    @Override
    public Object on(Distributor distributor) {
      return distributor.assign(batch, options.toArray(AssignOption[]::new));
    }

    /**
     * Whether it is all or nothing.
     *
     * @return true if so
     */
    public boolean allOrNothing() {
      return options.contains(AssignOption.ALL_OR_NOTHING);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("assign " + options);
      batch.forEach(workload -> text.append("\n      ").append(Texts.of(workload)));
      return text.toString();
    }
  }

  /**
   * Releases workloads.
   *
   * @param names their names
   */
  record Release(List<String> names) implements Call {
    /** Copies. */
    public Release {
      names = List.copyOf(names);
    }

    @Override
    public Object on(Distributor distributor) {
      return distributor.release(names);
    }
  }

  /**
   * Releases everything on a node.
   *
   * @param node its name
   */
  record ReleaseNode(String node) implements Call {
    @Override
    public Object on(Distributor distributor) {
      return distributor.releaseNode(node);
    }
  }

  /** Releases everything. */
  record ReleaseAll() implements Call {
    @Override
    public Object on(Distributor distributor) {
      return distributor.releaseAll();
    }
  }

  /**
   * Carries out a change that may not be possible now. It returns whether it was carried out.
   *
   * @param change the change; the nodes, domains and workloads that it names are there
   */
  record Attempt(Change change) implements Call {
    @Override
    public Object on(Distributor distributor) {
      try {
        distributor.apply(change);
        return true;
      } catch (InvalidInputException impossible) {
        return false;
      }
    }

    @Override
    public String toString() {
      return "attempt " + Texts.of(change);
    }
  }

  /**
   * Explains where a workload would go now.
   *
   * @param workload one without a gang, whose name is not in use
   */
  record Explain(Workload workload) implements Call {
    @Override
    public Object on(Distributor distributor) {
      return distributor.explain(workload);
    }

    @Override
    public String toString() {
      return "explain " + Texts.of(workload);
    }
  }

  /**
   * Carries out changes, all or none. One that comes alone is made by its own method where there is
   * one, such as {@link Distributor#addNode}.
   *
   * @param changes the changes, in their order
   */
  record Apply(List<Change> changes) implements Call {
    private static final Cases<Change, Consumer<Distributor>> ALONE =
        Cases.<Change, Consumer<Distributor>>of(Change.class)
            .on(Change.AddNode.class, add -> fleet -> fleet.addNode(add.node()))
            .on(Change.RemoveNode.class, remove -> fleet -> fleet.removeNode(remove.node()))
            .on(Change.Resize.class, to -> fleet -> fleet.resize(to.node(), to.capacity()))
            .on(Change.Cordon.class, cordon -> fleet -> fleet.cordon(cordon.node()))
            .on(Change.Uncordon.class, open -> fleet -> fleet.uncordon(open.node()))
            .others(change -> fleet -> fleet.apply(change))
            .complete();

    /** Copies. */
    public Apply {
      changes = List.copyOf(changes);
    }

    @Override
    public Object on(Distributor distributor) {
      if (changes.size() == 1) {
        ALONE.apply(changes.get(0)).accept(distributor);
      } else {
        distributor.apply(changes);
      }
      return List.of();
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("apply");
      changes.forEach(change -> text.append("\n      ").append(Texts.of(change)));
      return text.toString();
    }
  }
}
