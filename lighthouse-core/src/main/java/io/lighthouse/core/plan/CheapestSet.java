package io.lighthouse.core.plan;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The cheapest set of workloads that must leave a node so that another has room there. A set costs
 * the sizes of its workloads, and a constant for each.
 */
final class CheapestSet {
  /** The size of a set at most. */
  static final int LARGEST = 3;

  /** The workloads of a node at most whose pairs are tried. */
  private static final int PAIRED = 32;

  /** The workloads of a node at most whose triples are tried. */
  private static final int TRIPLED = 12;

  /** What a move costs beside the size of what is moved: an eighth of a mean node. */
  private static final long MOVE = 1L << (PlanSession.SHARE_BITS - 3);

  private static final int NONE = -1;

  private final PlanSession session;
  private final NeedTable needs;

  CheapestSet(PlanSession session, NeedTable needs) {
    this.session = session;
    this.needs = needs;
  }

  /** Workloads that are to leave a node, the smallest first. */
  record Leaving(long cost, int node, int[] entries) {}

  /** What it costs to move a workload. */
  long cost(int entry) {
    return needs.size(entry) + MOVE;
  }

  /** Whether a workload may be in a set of a size that covers a lack. */
  boolean mayHelp(int entry, long[] lack, int largest) {
    needs.size(entry); // Reads its amounts.
    if (largest == 1) {
      return covers(entry, NONE, NONE, lack);
    }
    for (int d = 0; d < lack.length; d++) {
      if (lack[d] > 0 && needs.amount(entry, d) > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Finds the cheapest set.
   *
   * @param node the node that is to be left
   * @param lack by dimension, what it lacks
   * @param members workloads that may leave it; their order changes
   * @param largest the size of the set at most
   * @return null for none
   */
  Leaving find(int node, long[] lack, int[] members, int largest) {
    long best = Long.MAX_VALUE;
    int[] chosen = {};
    int some = 0;
    for (int member : members) {
      if (!covers(member, NONE, NONE, lack)) {
        members[some++] = member;
      } else if (cost(member) < best) {
        best = cost(member);
        chosen = new int[] {member};
      }
    }
    int paired = largest < 2 ? 0 : Math.min(some, PAIRED);
    for (int i = 0; i < paired; i++) {
      for (int j = i + 1; j < paired; j++) {
        long cost = cost(members[i]) + cost(members[j]);
        if (cost < best && covers(members[i], members[j], NONE, lack)) {
          best = cost;
          chosen = new int[] {members[i], members[j]};
        }
      }
    }
    session.budget.spend(paired * paired >> 3);
    boolean triples = largest == LARGEST && some <= TRIPLED && session.mayRead(some * some * some);
    int tripled = triples ? some : 0;
    for (int i = 0; i < tripled; i++) {
      for (int j = i + 1; j < tripled; j++) {
        long pair = cost(members[i]) + cost(members[j]);
        for (int k = j + 1; k < tripled; k++) {
          long cost = pair + cost(members[k]);
          if (cost < best && covers(members[i], members[j], members[k], lack)) {
            best = cost;
            chosen = new int[] {members[i], members[j], members[k]};
          }
        }
      }
    }
    if (chosen.length == 0) {
      return null;
    }
    int[] entries =
        Arrays.stream(chosen)
            .boxed()
            .sorted(Comparator.comparingLong(needs::size))
            .mapToInt(Integer::intValue)
            .toArray();
    return new Leaving(best, node, entries);
  }

  private boolean covers(int one, int two, int three, long[] lack) {
    for (int d = 0; d < lack.length; d++) {
      if (lack[d] > 0) {
        long sum = needs.amount(one, d);
        sum += two == NONE ? 0 : needs.amount(two, d);
        sum += three == NONE ? 0 : needs.amount(three, d);
        if (sum < lack[d]) {
          return false;
        }
      }
    }
    return true;
  }
}
