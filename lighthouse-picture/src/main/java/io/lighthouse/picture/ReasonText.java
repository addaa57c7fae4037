package io.lighthouse.picture;

import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Rule;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;

/**
 * Texts for the reasons of refusals, with their exact numbers. Only this class words them: the
 * command line prints these texts, and the service sends them to its page. Thread-safe.
 */
public final class ReasonText {
  /** The text of each kind of reason. */
  private static final Reason.Cases<String> WORDS =
      new Reason.Cases<>() {
        @Override
        public String cordoned(Reason.Cordoned cordoned) {
          return "cordoned";
        }

        @Override
        public String missing(Reason.Missing missing) {
          return "has no " + missing.name();
        }

        @Override
        public String insufficient(Reason.Insufficient few) {
          String amounts = " (" + few.left() + " left, " + few.required() + " required)";
          return "lacks " + few.lacking() + " " + few.name() + amounts;
        }

        @Override
        public String negative(Reason.Negative negative) {
          if (negative.left().isInfinite()) {
            return "ward " + negative.name();
          }
          String repaid =
              negative.required().signum() < 0
                  ? ", repaid by " + negative.required().negated()
                  : negative.required().equals(Quantity.ZERO)
                      ? ""
                      : ", " + negative.required() + " required";
          return "shortcoming " + negative.name() + " (" + negative.left() + " left" + repaid + ")";
        }

        @Override
        public String at(Reason.At at) {
          return FleetText.nameOf(at.at(), at.domain()) + ": " + of(at.reason());
        }

        @Override
        public String noDomain(Reason.NoDomain outside) {
          return "stands in no " + outside.at();
        }

        @Override
        public String offUnit(Reason.OffUnit off) {
          return "gives " + off.name() + unit(off.unit()) + " (" + off.required() + " required)";
        }

        @Override
        public String notSelected(Reason.NotSelected condition) {
          return "where[" + condition.condition() + "] does not hold";
        }

        @Override
        public String crowded(Reason.Crowded crowded) {
          return there(crowded.at(), crowded.domain(), crowded.members(), crowded.group())
              + " already, at most "
              + crowded.most()
              + crowded.by().map(holder -> " beside " + holder).orElse("");
        }

        @Override
        public String alone(Reason.Alone alone) {
          return there(alone.at(), alone.domain(), alone.members(), alone.group())
              + ", at least "
              + alone.least();
        }

        @Override
        public String skewed(Reason.Skewed skewed) {
          return there(skewed.at(), skewed.domain(), skewed.members(), skewed.group())
              + " already, the emptiest has "
              + skewed.floor()
              + ", at most "
              + skewed.skew()
              + " more";
        }

        @Override
        public String byRule(Reason.ByRule rule) {
          return "rule " + rule.name() + ": " + rule.text();
        }

        @Override
        public String worse(Reason.Worse worse) {
          return "fits, but others are better by preferences[" + worse.preference() + "]";
        }

        @Override
        public String declined(Reason.Declined declined) {
          return "fits, was not taken";
        }

        @Override
        public String averse(Reason.Averse averse) {
          return "fits, but holds others of " + String.join(", ", averse.groups());
        }

        @Override
        public String later(Reason.Later later) {
          return "fits, but " + later.chosen() + " was taken";
        }
      };

  private ReasonText() {}

  /**
   * One reason.
   *
   * @param reason the reason
   * @return such as {@code lacks 2 cpu (1 left, 3 required)}
   */
  public static String of(Reason reason) {
    return reason.match(WORDS);
  }

  /**
   * The subject of a count of reasons.
   *
   * @param count the count
   * @return such as {@code cpu short}, without the number of nodes
   */
  public static String of(ReasonCount count) {
    String about = count.about();
    String at = count.level().isEmpty() ? "" : " at " + count.level();
    return switch (count.kind()) {
      case MISSING -> about + " missing" + at;
      case SHORT -> about + " short" + at;
      case SHORTCOMING -> "shortcoming " + about + at;
      case WARD -> "ward " + about + at;
      case CORDONED -> "cordoned" + at;
      case NO_DOMAIN -> "no " + count.level();
      case UNIT -> about + " not in its unit" + at;
      case NOT_SELECTED -> "where[" + about + "] does not hold";
      case CROWDED -> "too many of " + about + at;
      case ALONE -> "too few of " + about + at;
      case SKEWED -> "too uneven for " + about + at;
      case RULE -> "rule " + about;
      case DECLINED -> "declined";
      case AVERSE -> "averse";
      case WORSE -> "fits, others are better by preferences[" + about + "]";
      case LATER -> "fits, another was taken";
    };
  }

  private static String unit(Unit unit) {
    String text = unit.min().signum() > 0 ? " from " + unit.min() : "";
    text += unit.max().isInfinite() ? "" : " up to " + unit.max();
    return unit.step().signum() > 0 ? text + " in steps of " + unit.step() : text;
  }

  private static String there(String level, String domain, int members, String group) {
    String count = members + " of " + group;
    return level.equals(Rule.NODE)
        ? count + " here"
        : FleetText.nameOf(level, domain) + ": " + count + " there";
  }
}
