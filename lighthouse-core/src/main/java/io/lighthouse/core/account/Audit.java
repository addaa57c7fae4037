package io.lighthouse.core.account;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Compares state that is derived from the accounts with the same state recomputed from them. Each
 * owner of derived state has an {@code audit} method that reports here. The entry is {@code
 * FleetView.audit}.
 *
 * <p>For tests and for fault finding: an audit reads all nodes and placements, and changes nothing.
 */
public final class Audit {
  private final List<String> findings = new ArrayList<>();

  /**
   * Compares a value with the recomputed one.
   *
   * @param what the state, with the node, group or level that it belongs to
   * @param recomputed the value computed from the accounts
   * @param kept the value that is kept
   */
  public void equal(String what, Object recomputed, Object kept) {
    if (!Objects.equals(recomputed, kept)) {
      findings.add(what + " is " + kept + ", by the accounts " + recomputed);
    }
  }

  /**
   * The same for numbers, without boxing them where they are equal.
   *
   * @param what the state
   * @param index the node, group or resource that it belongs to
   * @param recomputed the value computed from the accounts
   * @param kept the value that is kept
   */
  public void equal(String what, int index, long recomputed, long kept) {
    if (recomputed != kept) {
      equal(what + " of " + index, recomputed, kept);
    }
  }

  /** One sentence for each value that differs; empty where all agree. */
  public List<String> findings() {
    return List.copyOf(findings);
  }
}
