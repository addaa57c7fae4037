package io.lighthouse.fleets;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import java.util.List;

/**
 * A command was not carried out, and nothing has changed, unless the kind says otherwise. Neither
 * its input is invalid (that is an {@link io.lighthouse.api.error.InvalidInputException}), nor is
 * it the fault of a strategy.
 */
public final class FleetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why it was not carried out. */
  public enum Kind {
    /** A different fleet of that name exists. */
    EXISTS("exists", "The fleet is there and is another"),
    /** There is no such fleet. */
    NO_SUCH_FLEET("no-such-fleet", "There is no such fleet"),
    /** The fleet has no such node. */
    NO_SUCH_NODE("no-such-node", "The fleet has no such node"),
    /** A workload is on no node of the fleet. */
    NOT_PLACED("not-placed", "The workload has no node"),
    /** Some workloads of a batch are on no node of the fleet. */
    SOME_NOT_PLACED("not-placed", "The workload has no node"),
    /** A node that is to be removed holds workloads. */
    NOT_EMPTY("not-empty", "The node is not empty"),
    /** A node or a domain has other domains or other units than the call requires. */
    STANDS_OTHERWISE("stands-otherwise", "The domains or the units are others"),
    /** The fleet has declared no such domain. */
    NO_SUCH_DOMAIN("no-such-domain", "The fleet has no such domain"),
    /** A domain that is to be removed holds shares of workloads. */
    IN_USE("in-use", "The domain is in use"),
    /** A workload is placed, but not as the call requires. */
    PLACED_OTHERWISE("placed-otherwise", "The workload is placed otherwise"),
    /** A workload that is to be placed fits no node. */
    NO_ROOM("no-room", "The workload finds no node"),
    /** The state that a plan was made for has changed. */
    STALE("stale", "The fleet has moved on"),
    /** A move is not possible. */
    MOVE_CONFLICT("move-conflict", "A move does not go"),
    /** The fleet is not at the generation that the call asks for. */
    GENERATION("generation", "The fleet is at another generation"),
    /** The key of the call was used for another one. */
    KEY_REUSED("key-reused", "The key was used for another call"),
    /** The fleet would have more nodes or workloads than it may. */
    TOO_LARGE("limit", "The fleet would be beyond a limit"),
    /** The maximum number of fleets exists already. */
    TOO_MANY_FLEETS("too-many-fleets", "There are as many fleets as there may be"),
    /** The requested entries are not in the log any more. */
    GONE("gone", "The log does not go back so far"),
    /** The maximum number of commands waits already. */
    OVERLOAD("overload", "The service is busy"),
    /** The decision took too long; nothing has changed. */
    DECISION_TIMEOUT("decision-timeout", "The decision took too long"),
    /** A decision of the strategy does not end; the strategy is not used until it ends. */
    STRATEGY_REFUSED("strategy-refused", "The strategy does not end"),
    /** The store failed; nothing has changed. */
    STORE("store", "The store failed"),
    /**
     * Whether the command was carried out is not known: the store failed, or memory was lacking.
     */
    OUTCOME_UNKNOWN("outcome-unknown", "Whether it was done is not known"),
    /** The stored data of the fleet was altered; it is not used. */
    DAMAGED("damaged", "What the store holds of the fleet is damaged"),
    /** The fleets are being closed. */
    CLOSED("stopping", "The service stops");

    private final String type;
    private final String title;

    Kind(String type, String title) {
      this.type = type;
      this.title = title;
    }

    /**
     * Whether the command was refused because of the fleet's present state, so that it may succeed
     * later.
     *
     * @return false where the fleet, node, workload or domain is not there, and for limits and
     *     failures
     */
    public boolean isAboutTheState() {
      return switch (this) {
        case EXISTS,
            SOME_NOT_PLACED,
            NOT_EMPTY,
            STANDS_OTHERWISE,
            IN_USE,
            PLACED_OTHERWISE,
            NO_ROOM,
            STALE,
            MOVE_CONFLICT,
            GENERATION ->
            true;
        default -> false;
      };
    }

    /**
     * The last part of the problem type.
     *
     * @return such as {@code not-empty}
     */
    public String type() {
      return type;
    }

    /**
     * The kind in words.
     *
     * @return always the same for a type
     */
    public String title() {
      return title;
    }
  }

  /**
   * Why a workload does not fit the node that it is to go to.
   *
   * @param workload its name
   * @param reasons every broken condition
   */
  public record Conflict(String workload, List<Reason> reasons) {
    /** Copies. */
    public Conflict {
      reasons = List.copyOf(reasons);
    }
  }

  /** Why it was not carried out. */
  private final Kind kind;

  /** The generation that this is about; -1 where it is not known. */
  private final long generation;

  /** The life of the fleet that the generation is of. */
  private final long life;

  private final transient List<Conflict> conflicts;
  private final transient Refusal refusal;

  private FleetException(
      Kind kind,
      String detail,
      long generation,
      long life,
      List<Conflict> conflicts,
      Refusal refusal) {
    super(detail);
    this.kind = kind;
    this.generation = generation;
    this.life = life;
    this.conflicts = List.copyOf(conflicts);
    this.refusal = refusal;
  }

  /**
   * Why a command was not carried out.
   *
   * @param kind the kind
   * @param detail this case in words
   */
  public FleetException(Kind kind, String detail) {
    this(kind, detail, -1, 0, List.of(), null);
  }

  /**
   * Moves, or an assignment to a node, that are not possible.
   *
   * @param kind the kind
   * @param detail this case in words
   * @param conflicts the workloads that do not fit, and why
   */
  public FleetException(Kind kind, String detail, List<Conflict> conflicts) {
    this(kind, detail, -1, 0, conflicts, null);
  }

  /**
   * A workload that fits no node.
   *
   * @param detail this case in words
   * @param refusal why
   */
  public FleetException(String detail, Refusal refusal) {
    this(Kind.NO_ROOM, detail, -1, 0, List.of(), refusal);
  }

  /**
   * The same about a fleet at a generation.
   *
   * @param now the generation of the fleet
   * @param of the {@link Answer#life} of the fleet
   * @return a new exception
   */
  public FleetException at(long now, long of) {
    return new FleetException(kind, getMessage(), now, of, conflicts, refusal);
  }

  /**
   * Why it was not carried out.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }

  /**
   * The generation of the fleet that this is about.
   *
   * @return from 1; -1 where it is not known
   */
  public long generation() {
    return generation;
  }

  /**
   * The life of the fleet that the generation is of.
   *
   * @return as {@link Answer#life}
   */
  public long life() {
    return life;
  }

  /**
   * The workloads that do not fit, and why.
   *
   * @return one conflict for each workload; may be empty
   */
  public List<Conflict> conflicts() {
    return conflicts == null ? List.of() : conflicts;
  }

  /**
   * Why a workload fits no node.
   *
   * @return the refusal; null where this is about something else
   */
  public Refusal refusal() {
    return refusal;
  }
}
