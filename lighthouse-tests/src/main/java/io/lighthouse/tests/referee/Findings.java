package io.lighthouse.tests.referee;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

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

  /** Compares two lists: the names of their elements, then the elements one by one. */
  <T> void expectEach(
      Law law, String about, Function<T, String> name, List<T> expected, List<T> found) {
    List<String> names = expected.stream().map(name).toList();
    List<String> foundNames = found.stream().map(name).toList();
    expect(law, about + "each", names, foundNames);
    for (int i = 0; i < names.size() && names.equals(foundNames); i++) {
      expect(law, about + "'" + names.get(i) + "'", expected.get(i), found.get(i));
    }
  }

  /** A workload was placed on a node although a reason stood against it. */
  void misplaced(Workload workload, String node, Reason reason) {
    Law law =
        switch (reason.kind()) {
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
    find(law, workload, "a node that it fits", "placed on '" + node + "': " + reason);
  }
}
