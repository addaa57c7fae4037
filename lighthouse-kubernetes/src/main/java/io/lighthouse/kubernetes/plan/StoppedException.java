package io.lighthouse.kubernetes.plan;

/** The rest of the plan is not carried out; the message is the reason. */
final class StoppedException extends Exception {
  private static final long serialVersionUID = 1L;

  StoppedException(String why) {
    super(why);
  }
}
