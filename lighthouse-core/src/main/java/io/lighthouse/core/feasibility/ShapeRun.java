package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.NodeAccounts;

/**
 * The run of one shape that the first node was searched for last. What did not fit then does not
 * fit now, unless something has been given back: so the next of the run takes the same node, or
 * goes on where the last search ended. How many more of them the node takes is counted once; as
 * long as every change since was one of them placed there, the node need not be looked at again.
 */
final class ShapeRun {
  private final NodeAccounts accounts;
  private Demand demand;
  private long shape;
  private long givenBack;
  private int found;

  /** How many more the node that was found takes, after so many changes; 0 where nobody knows. */
  private long room;

  private long changes;

  ShapeRun(NodeAccounts accounts) {
    this.accounts = accounts;
  }

  /** Whether a demand is of this run, and nothing has been given back since. */
  boolean goesOn(Demand next, long givenBackNow) {
    return next == demand && next.shape() == shape && givenBackNow == givenBack;
  }

  /** The node that the last one found, or {@link Finder#NONE}: then there is none for the next. */
  int found() {
    return found;
  }

  /**
   * Whether one more of the run fits the node that the last one found.
   *
   * @param now how many changes there have been
   * @param settled the node that the last of them was on
   */
  boolean fitsFound(Demand next, long now, int settled) {
    if (now == changes + 1 && settled == found) {
      room--;
      changes = now;
    }
    if (now != changes || room <= 0) {
      room = accounts.fits(found, next) ? accounts.copies(found, next) : 0;
      changes = now;
    }
    return room > 0;
  }

  /** Remembers what the first of a run has found, or the next of it anew. */
  void learn(Demand next, int node, long givenBackNow) {
    demand = next;
    shape = next.shape();
    givenBack = givenBackNow;
    found = node;
    room = 0;
  }
}
