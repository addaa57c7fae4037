package io.lighthouse.scheduler;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Why an execution of the queue was not placed in a pass. Immutable.
 *
 * @param execution its id
 * @param jobType its job type
 * @param priority its priority
 * @param why the reason
 * @param names what the reason is about: resources or workspaces, in the order of names. For {@link
 *     Why#NO_ROOM_RESERVED}, the node that was kept free for it. Else empty
 * @param shortOn where there was no room: by resource, on how many of the open nodes there was too
 *     little left; in the order of names, else empty. A node may count for several resources
 */
public record NotPlaced(
    String execution,
    String jobType,
    int priority,
    Why why,
    List<String> names,
    Map<String, Integer> shortOn) {

  /** A reason. */
  public enum Why {
    /** The catalogue does not know its job type. */
    TYPE_UNKNOWN,
    /** Its job type is paused. */
    TYPE_PAUSED,
    /** As many executions of its job type run as may. */
    TYPE_LIMIT,
    /** It reads from or writes to a workspace that is not known. */
    WORKSPACE_UNKNOWN,
    /** It asks for a resource that no node has. */
    RESOURCE_UNKNOWN,
    /** It asks for more of a resource than any node has. */
    RESOURCE_TOO_LARGE,
    /** No node that is open for new work has enough left. */
    NO_ROOM,
    /** As {@link #NO_ROOM}; one node is kept free for it for the rest of the pass. */
    NO_ROOM_RESERVED,
    /**
     * A node has enough left, but none that the filter allows and that it need not avoid because it
     * refused its launches; and none is kept free for it.
     */
    NOT_ALLOWED,
    /** The chosen node has too few free devices. */
    DEVICE_REFUSED,
    /** The strategy declined every node that it fits. */
    DECLINED,
    /**
     * A strategy chooses, and an amount that it asks for is out of the range of the strategy's
     * ledger. A failure of the report says what.
     */
    INVALID,
    /** An execution of the same id runs: it waits until that is over. */
    RUNS,
    /** It was no longer in the queue, or was cancelled there, when the store committed. */
    GONE,
    /**
     * It had a node, and the store did not say whether it was committed: it is still in the queue,
     * or the running executions will name it.
     */
    UNCONFIRMED,
    /** It had a node, but the queue, the store or the strategy failed, and all was undone. */
    ROLLED_BACK
  }

  /** Copies. */
  public NotPlaced {
    names = List.copyOf(names);
    shortOn = Collections.unmodifiableMap(new LinkedHashMap<>(shortOn));
  }
}
