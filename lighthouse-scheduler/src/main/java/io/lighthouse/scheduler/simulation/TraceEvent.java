package io.lighthouse.scheduler.simulation;

import io.lighthouse.api.Resources;
import java.time.Duration;

/** Something that happens to a virtual cluster. Immutable. */
public sealed interface TraceEvent {
  /**
   * When it happens.
   *
   * @return the time since the beginning, 0 or more
   */
  Duration at();

  /**
   * Calls the case for this kind of event. Code that depends on the kind implements {@link Cases},
   * so that it fails to compile when a kind is added.
   *
   * @param cases one function for each kind
   * @param <R> what they return
   * @return what the case for this kind returns
   */
  <R> R match(Cases<R> cases);

  /**
   * One function for each kind of event.
   *
   * @param <R> what the functions return
   */
  interface Cases<R> {
    /**
     * {@return the result for {@link NodeJoins}}
     *
     * @param event the event
     */
    R nodeJoins(NodeJoins event);

    /**
     * {@return the result for {@link NodeLeaves}}
     *
     * @param event the event
     */
    R nodeLeaves(NodeLeaves event);

    /**
     * {@return the result for {@link NodePauses}}
     *
     * @param event the event
     */
    R nodePauses(NodePauses event);

    /**
     * {@return the result for {@link NodeResumes}}
     *
     * @param event the event
     */
    R nodeResumes(NodeResumes event);

    /**
     * {@return the result for {@link OffersRescinded}}
     *
     * @param event the event
     */
    R offersRescinded(OffersRescinded event);

    /**
     * {@return the result for {@link Submits}}
     *
     * @param event the event
     */
    R submits(Submits event);

    /**
     * {@return the result for {@link Cancels}}
     *
     * @param event the event
     */
    R cancels(Cancels event);

    /**
     * {@return the result for {@link SystemTaskDue}}
     *
     * @param event the event
     */
    R systemTaskDue(SystemTaskDue event);
  }

  /**
   * A node connects, also one that was there before.
   *
   * @param at when
   * @param node its name
   * @param resources what it has; quantities from 0 to 1e900
   */
  record NodeJoins(Duration at, String node, Resources resources) implements TraceEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.nodeJoins(this);
    }
  }

  /**
   * A node is gone, and everything that runs on it.
   *
   * @param at when
   * @param node its name
   */
  record NodeLeaves(Duration at, String node) implements TraceEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.nodeLeaves(this);
    }
  }

  /**
   * A node takes nothing new; what runs there goes on.
   *
   * @param at when
   * @param node its name
   */
  record NodePauses(Duration at, String node) implements TraceEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.nodePauses(this);
    }
  }

  /**
   * A node takes new work again.
   *
   * @param at when
   * @param node its name
   */
  record NodeResumes(Duration at, String node) implements TraceEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.nodeResumes(this);
    }
  }

  /**
   * In the pass at this time, the offers of a node are rescinded after the pass has seen them.
   *
   * @param at when
   * @param node its name
   */
  record OffersRescinded(Duration at, String node) implements TraceEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.offersRescinded(this);
    }
  }

  /**
   * Work comes into the queue.
   *
   * @param at when
   * @param execution its id, unique in the trace
   * @param jobType the name of its job type
   * @param priority how important it is: the lower, the more important
   * @param request what it needs
   * @param runs how long it runs
   */
  record Submits(
      Duration at, String execution, String jobType, int priority, Resources request, Duration runs)
      implements TraceEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.submits(this);
    }
  }

  /**
   * An execution is cancelled.
   *
   * @param at when
   * @param execution its id
   */
  record Cancels(Duration at, String execution) implements TraceEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.cancels(this);
    }
  }

  /**
   * A system task becomes due.
   *
   * @param at when
   * @param name its name, unique in the trace
   * @param request what it needs
   * @param runs how long it runs
   */
  record SystemTaskDue(Duration at, String name, Resources request, Duration runs)
      implements TraceEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.systemTaskDue(this);
    }
  }
}
