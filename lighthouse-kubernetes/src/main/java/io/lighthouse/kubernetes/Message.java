package io.lighthouse.kubernetes;

import io.lighthouse.kubernetes.cluster.Cluster;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** A message from another thread to the scheduling loop. */
sealed interface Message {
  /** Calls the case for this kind of message. */
  <R> R match(Cases<R> cases);

  /** One function for each kind of message. */
  interface Cases<R> {
    R ofCluster(OfCluster message);

    R bindingEnded(BindingEnded message);

    R look(Look message);
  }

  /** A message of a reflector. */
  sealed interface OfCluster extends Message {
    /** Calls the case for this kind of message. */
    <R> R match(ClusterCases<R> cases);

    @Override
    default <R> R match(Cases<R> cases) {
      return cases.ofCluster(this);
    }
  }

  /** One function for each kind of message of a reflector. */
  interface ClusterCases<R> {
    R listBegun(ListBegun message);

    R seen(Seen message);

    R gone(Gone message);

    R listEnded(ListEnded message);
  }

  /**
   * A list begins. Objects that are not in it when it ends are gone.
   *
   * @param wentBack whether the server's versions are lower than before, so that known versions
   *     must not be compared with those of the list
   */
  record ListBegun(Resource resource, boolean wentBack) implements OfCluster {
    @Override
    public <R> R match(ClusterCases<R> cases) {
      return cases.listBegun(this);
    }
  }

  /** An object of the list, or one that was added or changed. */
  record Seen(Resource resource, JsonNode object) implements OfCluster {
    @Override
    public <R> R match(ClusterCases<R> cases) {
      return cases.seen(this);
    }
  }

  /** An object was deleted, or has left the selection. */
  record Gone(Resource resource, JsonNode object) implements OfCluster {
    @Override
    public <R> R match(ClusterCases<R> cases) {
      return cases.gone(this);
    }
  }

  /** The list is complete. */
  record ListEnded(Resource resource) implements OfCluster {
    @Override
    public <R> R match(ClusterCases<R> cases) {
      return cases.listEnded(this);
    }
  }

  /**
   * A binding has ended.
   *
   * @param pod the pod as the server has it, if it was read; null otherwise
   * @param detail the server's message; empty if the binding succeeded
   */
  record BindingEnded(Binding binding, Binder.Outcome outcome, JsonNode pod, String detail)
      implements Message {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.bindingEnded(this);
    }
  }

  /** A request to read the cluster while nothing changes it. */
  record Look(Consumer<Cluster> with) implements Message {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.look(this);
    }
  }
}
