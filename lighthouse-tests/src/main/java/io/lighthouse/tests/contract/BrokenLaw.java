package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
    findings = List.of(new Finding(law, about, text(expected), text(found)));
  }

  private static String text(Object value) {
    return value instanceof Optional<?> some
        ? some.map(Object::toString).orElse("none")
        : value.toString();
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
    unlessAlike(law, about, Subject.state(expected), Subject.state(found));
  }

  /** Compares two states part by part, and reports only the parts that differ. */
  static void unlessAlike(
      Law law, String about, Map<String, Object> expected, Map<String, Object> found) {
    Set<String> parts = new LinkedHashSet<>(expected.keySet());
    parts.addAll(found.keySet());
    List<Finding> findings = new ArrayList<>();
    for (String part : parts) {
      Object before = expected.getOrDefault(part, "nothing");
      Object after = found.getOrDefault(part, "nothing");
      if (!before.equals(after)) {
        findings.add(new Finding(law, about + ", " + part, text(before), text(after)));
      }
    }
    if (!findings.isEmpty()) {
      throw new BrokenLaw(findings);
    }
  }
}
