package io.lighthouse.server.fleets;

import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.Outcome;

/** The HTTP status of an answer of a durable fleet. */
final class FleetStatus {
  private FleetStatus() {}

  static int of(Outcome outcome) {
    return switch (outcome) {
      case DONE -> 200;
      case CREATED -> 201;
      case EMPTY -> 204;
    };
  }

  static int of(FleetException.Kind kind) {
    return switch (kind) {
      case NO_SUCH_FLEET, NO_SUCH_NODE, NO_SUCH_DOMAIN, NOT_PLACED -> 404;
      case EXISTS,
          SOME_NOT_PLACED,
          NOT_EMPTY,
          STANDS_OTHERWISE,
          IN_USE,
          PLACED_OTHERWISE,
          NO_ROOM,
          STALE,
          MOVE_CONFLICT ->
          409;
      case GONE -> 410;
      case GENERATION -> 412;
      case TOO_LARGE -> 413;
      case KEY_REUSED -> 422;
      case DAMAGED -> 500;
      case OVERLOAD, DECISION_TIMEOUT, STRATEGY_REFUSED, STORE, OUTCOME_UNKNOWN, CLOSED -> 503;
      case TOO_MANY_FLEETS -> 507;
    };
  }
}
