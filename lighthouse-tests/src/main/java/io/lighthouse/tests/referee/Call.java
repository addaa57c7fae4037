package io.lighthouse.tests.referee;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import java.util.List;

/** Something asked of a distributor, as data: it can be printed, judged, and asked again. */
public sealed interface Call {
  /**
   * Asks.
   *
   * @param distributor the one to ask
   * @return its answer; an empty list where the call has none
   */
  Object on(Distributor distributor);

  /**
   * Assigns a batch.
   *
   * @param batch the workloads
   * @param options what is asked beyond the ordinary
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
   * The short form of a change of the fleet itself, such as {@link Distributor#addNode} for {@link
   * Change.AddNode}.
   *
   * @param change a change that has one: of a node that comes, goes, is resized, cordoned or opened
   */
  record ShortForm(Change change) implements Call {
    /**
     * Checks.
     *
     * @throws IllegalArgumentException if the change has no short form
     */
    public ShortForm {
      if (!(change instanceof Change.AddNode
          || change instanceof Change.RemoveNode
          || change instanceof Change.Resize
          || change instanceof Change.Cordon
          || change instanceof Change.Uncordon)) {
        throw new IllegalArgumentException("no call stands for: " + change);
      }
    }

    @Override
    public Object on(Distributor distributor) {
      if (change instanceof Change.AddNode add) {
        distributor.addNode(add.node());
      } else if (change instanceof Change.RemoveNode remove) {
        distributor.removeNode(remove.node());
      } else if (change instanceof Change.Resize resize) {
        distributor.resize(resize.node(), resize.capacity());
      } else if (change instanceof Change.Cordon cordon) {
        distributor.cordon(cordon.node());
      } else {
        distributor.uncordon(((Change.Uncordon) change).node());
      }
      return List.of();
    }

    @Override
    public String toString() {
      return Texts.of(change);
    }
  }

  /**
   * Carries out changes, all or none.
   *
   * @param changes the changes, in their order
   */
  record Apply(List<Change> changes) implements Call {
    /** Copies. */
    public Apply {
      changes = List.copyOf(changes);
    }

    @Override
    public Object on(Distributor distributor) {
      distributor.apply(changes);
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
