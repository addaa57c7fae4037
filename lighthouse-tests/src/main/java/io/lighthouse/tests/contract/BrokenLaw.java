package io.lighthouse.tests.contract;

import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import java.util.List;

/**
 * Ends a check: the law is broken. Carries the findings; {@link StrategyContract} adds the rest.
 */
final class BrokenLaw extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Finding> findings;

  BrokenLaw(List<Finding> findings, Throwable cause) {
    super(cause);
    this.findings = findings;
  }

  BrokenLaw(Law law, String about, Object expected, Object found) {
    this(List.of(new Finding(law, about, expected.toString(), found.toString())), null);
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
}
