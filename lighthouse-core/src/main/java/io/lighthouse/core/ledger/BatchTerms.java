package io.lighthouse.core.ledger;

import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The terms of the new workloads of a batch, read once when it is opened. Terms that equal those of
 * the workload before, except for shares and gang, become the same object. Replicas have such
 * terms. A result for one workload's terms then holds for the next one, by identity. Turns need not
 * read the terms from distant memory.
 */
final class BatchTerms {
  /** By index of the workload. */
  private final Terms[] terms;

  /** By level: its name. The levels are in the order of names. */
  private final String[] levels;

  private final SharedNeeds[] shares;
  private boolean hasGangs;

  /**
   * Reads the terms of the first {@code own} workloads, and starts the counts of members that their
   * rules need. Settles the scales of the shared resources, level by level.
   *
   * @throws io.lighthouse.api.error.InvalidInputException if a shared quantity is out of range
   */
  BatchTerms(Ledger ledger, List<Workload> workloads, int own) {
    terms = new Terms[own];
    Map<String, SharedNeeds> shared = new TreeMap<>();
    Terms last = null;
    for (int i = 0; i < own; i++) {
      Workload workload = workloads.get(i);
      Terms of = workload.terms();
      terms[i] = of;
      if (of == Terms.NONE) {
        continue;
      }
      if (of != last) {
        hasGangs |= of.gang().isPresent();
        if (last != null && areAlike(of, last)) {
          terms[i] = last;
        } else {
          last = of;
          of.rules().forEach(ledger.members::countFor);
          of.preferences().forEach(ledger.members::countFor);
        }
      }
      if (!of.shared().isEmpty()) {
        Topology.addShares(i, workload, shared);
      }
    }
    ledger.topology.admitShares(shared);
    levels = shared.keySet().toArray(String[]::new);
    shares = shared.values().toArray(SharedNeeds[]::new);
  }

  /** Whether terms are equal, except for shares and gang. */
  private static boolean areAlike(Terms some, Terms others) {
    return areAlike(some.rules(), others.rules())
        && areAlike(some.preferences(), others.preferences())
        && some.groups().equals(others.groups())
        && some.where().equals(others.where());
  }

  private static boolean areAlike(List<Rule> some, List<Rule> others) {
    boolean alike = some.size() == others.size();
    for (int i = 0; alike && i < some.size(); i++) {
      alike = some.get(i).equals(others.get(i));
    }
    return alike;
  }

  /** The terms of a workload, equal to its own except for shares and gang. */
  Terms of(int index) {
    return terms[index];
  }

  boolean hasGangs() {
    return hasGangs;
  }

  /** Whether a workload shares anything. */
  boolean hasShares(int index) {
    for (SharedNeeds of : shares) {
      if (of.place(index) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** The number of levels that have shared resources. */
  int levels() {
    return levels.length;
  }

  /** The name of a level that has shared resources. */
  String level(int at) {
    return levels[at];
  }

  /** What the workloads share of that level. */
  SharedNeeds shares(int at) {
    return shares[at];
  }
}
