package io.lighthouse.tests.referee;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
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
   * Adds a node.
   *
   * @param node the node
   */
  record AddNode(Node node) implements Call {
    @Override
    public Object on(Distributor distributor) {
      distributor.addNode(node);
      return List.of();
    }

    @Override
    public String toString() {
      return "add " + Texts.of(node);
    }
  }

  /**
   * Removes a node.
   *
   * @param node its name
   */
  record RemoveNode(String node) implements Call {
    @Override
    public Object on(Distributor distributor) {
      distributor.removeNode(node);
      return List.of();
    }
  }

  /**
   * Gives a node another capacity.
   *
   * @param node its name
   * @param capacity the capacity
   */
  record Resize(String node, Resources capacity) implements Call {
    @Override
    public Object on(Distributor distributor) {
      distributor.resize(node, capacity);
      return List.of();
    }
  }

  /**
   * Cordons a node or opens it again.
   *
   * @param node its name
   * @param cordoned whether it is to be cordoned
   */
  record Cordon(String node, boolean cordoned) implements Call {
    @Override
    public Object on(Distributor distributor) {
      if (cordoned) {
        distributor.cordon(node);
      } else {
        distributor.uncordon(node);
      }
      return List.of();
    }
  }
}
