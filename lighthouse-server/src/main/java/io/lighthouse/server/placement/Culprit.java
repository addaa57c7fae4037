package io.lighthouse.server.placement;

import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.rule.RuleException;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.ProblemDetails;

/** The broken part where a decision fails through no fault of the caller. Answered with 500. */
public enum Culprit {
  /** The requested strategy, or its installation. */
  STRATEGY("strategy", "The strategy is broken", System.Logger.Level.WARNING),

  /** A rule of a plug-in. */
  RULE("rule", "The rule is broken", System.Logger.Level.WARNING),

  /** Lighthouse itself: its engine, or this service. */
  LIGHTHOUSE("internal", "Lighthouse failed", System.Logger.Level.ERROR);

  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");

  private final String type;
  private final String title;
  private final System.Logger.Level level;

  Culprit(String type, String title, System.Logger.Level level) {
    this.type = type;
    this.title = title;
    this.level = level;
  }

  /**
   * The part that caused a failure.
   *
   * @param broken the failure
   * @return the broken part
   */
  public static Culprit of(LighthouseException broken) {
    if (broken instanceof InternalErrorException) {
      return LIGHTHOUSE;
    }
    return broken instanceof RuleException ? RULE : STRATEGY;
  }

  /**
   * The last part of its problem type, which is also its label in the metrics.
   *
   * @return a word
   */
  public String type() {
    return type;
  }

  /**
   * The problem in words.
   *
   * @return always the same for a type
   */
  public String title() {
    return title;
  }

  /**
   * Answers a failure that is no mistake of the caller's, logs it, and counts it.
   *
   * @param why what was thrown
   * @param exchange to be answered
   * @param observer counts it
   */
  public static void answer(Throwable why, Exchange exchange, Observer observer) {
    Culprit culprit = LIGHTHOUSE;
    String detail = "this is a bug of Lighthouse; see its log";
    if (why instanceof OutOfMemoryError) {
      exchange.fail(ProblemDetails.busy("there is no memory for this now; try again"));
      logOutOfMemory();
      return;
    } else if (why instanceof LighthouseException broken) {
      culprit = of(broken);
      detail = broken.getMessage();
      LOG.log(culprit.level, culprit.title, broken);
    } else {
      LOG.log(System.Logger.Level.ERROR, "a call failed; this is a bug of Lighthouse", why);
    }
    exchange.fail(culprit.problem(detail));
    observer.failed(culprit);
  }

  /** Logs that there was no memory for a call. Its answer comes first, as memory may be lacking. */
  public static void logOutOfMemory() {
    LOG.log(System.Logger.Level.ERROR, "out of memory; lower the limits, or give it more");
  }

  /**
   * The answer to the caller.
   *
   * @param detail this case in words
   * @return the problem details, status 500
   */
  public ProblemDetails problem(String detail) {
    return ProblemDetails.of(500, type, title, detail);
  }
}
