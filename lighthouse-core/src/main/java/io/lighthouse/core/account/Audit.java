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

  /** Compares a value that is kept with the one that was computed from the accounts. */
  public void equal(String what, Object recomputed, Object kept) {
    if (!Objects.equals(recomputed, kept)) {
      findings.add(what + " is " + kept + ", by the accounts " + recomputed);
    }
  }

  /** The same for a number of a node, group or resource, without boxing it where it is right. */
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
