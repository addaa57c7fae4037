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
    boolean above = reason.level().isPresent();
    return switch (reason.kind()) {
      case CORDONED -> above ? Law.DOMAIN_CLOSED : Law.CORDON;
      case MISSING -> above ? Law.DOMAIN_ROOM : Law.NAMES;
      case SHORT -> above ? Law.DOMAIN_ROOM : Law.ROOM;
      case SHORTCOMING -> above ? Law.DOMAIN_ROOM : Law.NEGATIVES;
      case WARD -> above ? Law.DOMAIN_WARD : Law.NEGATIVES;
      case UNIT -> Law.UNITS;
      case NOT_SELECTED -> Law.SELECTION;
      case CROWDED -> Law.MOST;
      case ALONE -> Law.LEAST;
      case SKEWED -> Law.SKEW;
      case NO_DOMAIN -> Law.DOMAIN_ROOM;
      case AVERSE -> Law.AVERSION;
      case RULE, DECLINED, WORSE, LATER -> Law.BEST;
    };
  }
}
