package io.lighthouse.tests.referee;

import io.lighthouse.api.Reason;

/** What kinds of reasons mean to the laws. */
final class ReasonKinds {
  private ReasonKinds() {}

  /** Whether no placement and no release can take away a reason of a kind. */
  static boolean isLasting(Reason.Kind kind) {
    return switch (kind) {
      case CORDONED, MISSING, WARD, NO_DOMAIN, UNIT, NOT_SELECTED -> true;
      case SHORT, SHORTCOMING, CROWDED, ALONE, SKEWED, RULE, DECLINED, AVERSE, WORSE, LATER ->
          false;
    };
  }

  /** The law that a placement breaks if a reason stands against it. */
  static Law lawOf(Reason reason) {
    return switch (reason.kind()) {
      case CORDONED -> Law.CORDON;
      case MISSING, NO_DOMAIN -> Law.NAMES;
      case SHORT -> Law.ROOM;
      case SHORTCOMING, WARD -> Law.NEGATIVES;
      case UNIT -> Law.UNITS;
      case NOT_SELECTED -> Law.SELECTION;
      case CROWDED -> Law.MOST;
      case ALONE -> Law.LEAST;
      case SKEWED -> Law.SKEW;
      case AVERSE -> Law.AVERSION;
      case RULE, DECLINED, WORSE, LATER -> Law.BEST;
    };
  }
}
