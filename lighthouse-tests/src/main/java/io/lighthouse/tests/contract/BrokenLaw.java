package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import java.util.List;

/**
 * Ends a check: the law is broken. Carries the findings; {@link StrategyContract} adds the rest.
 */
final class BrokenLaw extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Finding> findings;

  BrokenLaw(List<Finding> findings) {
    this.findings = findings;
  }

  BrokenLaw(Law law, String about, Object expected, Object found) {
    super(found instanceof Throwable thrown ? thrown : null);
    findings = List.of(new Finding(law, about, expected.toString(), found.toString()));
  }

  @Override
  public String getMessage() {
    return findings.toString();
  }

  Law law() {
    return findings.get(0).law();
  }

  List<Finding> findings() {
    return findings;
  }

  static void unlessEqual(Law law, String about, Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new BrokenLaw(law, about, expected, found);
    }
  }

  /** Compares the states of two distributors. */
  static void unlessAlike(Law law, String about, Distributor expected, Distributor found) {
    unlessEqual(law, about, Subject.state(expected), Subject.state(found));
  }
}
