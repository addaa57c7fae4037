package io.lighthouse.tests.referee;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.List;

/** The findings of one judgement, in the order in which they were made. */
final class Findings {
  private final List<Finding> all = new ArrayList<>();

  List<Finding> all() {
    return all;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  void find(Law law, String about, String expected, String found) {
    all.add(new Finding(law, about, expected, found));
  }

  void find(Law law, Workload workload, String expected, String found) {
    find(law, "workload '" + workload.name() + "'", expected, found);
  }

  void expect(Law law, String about, Object expected, Object found) {
    if (!expected.equals(found)) {
      find(law, about, expected.toString(), found.toString());
    }
  }

  /** A workload was placed on a node although a reason stood against it. */
  void misplaced(Workload workload, String node, Reason reason) {
    find(
        ReasonKinds.lawOf(reason),
        workload,
        "a node that it fits",
        "placed on '" + node + "': " + reason);
  }
}
