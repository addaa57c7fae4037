package io.lighthouse.core.session;

import io.lighthouse.core.account.Layout;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether the workloads of a batch that are on one node could have been placed there one after the
 * other, each fitting at its turn. A session allows more: a workload that gave room may be taken
 * away again when others have used it.
 *
 * <p>The present order on the node is tried first. Then two moves are made that never hurt. A
 * workload that only gives, and fits, is placed first; one that only takes, and would fit as the
 * last one, is placed last. The remaining workloads both give and take, or wait for such a one.
 * Their orders are searched, each set of placed workloads once.
 */
final class ReachableOrder {
  /** The number of sets searched at most; 17 workloads that all both give and take have as many. */
  private static final int MOST_SETS = 1 << 17;

  /** A set of workloads is the bits of a long. */
  private static final int MOST_SEARCHED = 63;

  /** By account of the node: what is left before they are placed, scaled. */
  private final long[] left;

  /** One of them: what it needs by account of the node, and what it is immune to. */
  private record Member(int index, long[] needs, boolean[] immune) {
    boolean gives() {
      return Arrays.stream(needs).anyMatch(need -> need < 0);
    }

    boolean takes() {
      return Arrays.stream(needs).anyMatch(need -> need > 0);
    }
  }

  private final List<Member> members = new ArrayList<>();
  private final Set<Long> seen = new HashSet<>();

  /** The order that was found: the first workloads, and the last ones in reverse order. */
  private final Deque<Member> first = new ArrayDeque<>();

  private final Deque<Member> last = new ArrayDeque<>();

  private ReachableOrder(long[] left) {
    this.left = left;
  }

  /** The workloads of a batch that are on a node, in their order there. */
  static int[] members(Ledger ledger, Batch batch, int node) {
    return Arrays.stream(ledger.placements().entries(node))
        .map(batch::indexOf)
        .filter(index -> index >= 0)
        .toArray();
  }

  /** Such an order for all of a batch that are on a node; null where there is none. */
  static int[] find(Ledger ledger, Batch batch, int node) {
    return find(ledger, batch, members(ledger, batch, node), node);
  }

  /**
   * Such an order for those workloads of a batch that are on a node, the one given where that is
   * one; null where there is none.
   */
  static int[] find(Ledger ledger, Batch batch, int[] indexes, int node) {
    Layout layout = ledger.accounts().layout(node);
    long[] left = new long[layout.size()];
    for (int i = 0; i < left.length; i++) {
      left[i] = ledger.accounts().left(node, i);
    }
    ReachableOrder order = new ReachableOrder(left);
    for (int index : indexes) {
      Demand demand = batch.demand(index);
      Member member = new Member(index, new long[left.length], new boolean[left.length]);
      for (int i = 0; i < left.length; i++) {
        int at = demand.indexOf(layout.id(i));
        member.needs[i] = at < 0 ? 0 : demand.need(at);
        member.immune[i] = demand.isImmuneTo(layout.id(i));
      }
      order.members.add(member);
      order.add(member, 1);
    }
    return order.isPresentOrderFeasible() ? indexes : order.find();
  }

  private int[] find() {
    boolean more = true;
    while (more) {
      more = members.removeIf(member -> !member.takes() && placeFirst(member));
      more |= members.removeIf(member -> !member.gives() && placeLast(member));
    }
    if (!members.isEmpty() && (members.size() > MOST_SEARCHED || !search(0))) {
      return null;
    }
    return Stream.concat(first.stream(), last.stream()).mapToInt(Member::index).toArray();
  }

  private boolean isPresentOrderFeasible() {
    long[] before = left.clone();
    int placed = 0;
    while (placed < members.size() && fits(members.get(placed))) {
      add(members.get(placed++), -1);
    }
    System.arraycopy(before, 0, left, 0, left.length);
    return placed == members.size();
  }

  /** Places a workload first if it fits now. */
  private boolean placeFirst(Member member) {
    boolean fits = fits(member);
    if (fits) {
      add(member, -1);
      first.addLast(member);
    }
    return fits;
  }

  /** Places a workload last if it fits then; it is left out from now on. */
  private boolean placeLast(Member member) {
    for (int i = 0; i < left.length; i++) {
      long end = left[i];
      for (Member other : members) {
        end -= isFinite(left[i]) ? other.needs[i] : 0;
      }
      if (end < 0 && !member.immune[i]) {
        return false;
      }
    }
    last.addFirst(member);
    return true;
  }

  /** Whether the workloads that are not placed yet fit in some order, which is then kept. */
  private boolean search(long placed) {
    if (Long.bitCount(placed) == members.size()) {
      return true;
    }
    if (seen.size() >= MOST_SETS || !seen.add(placed)) {
      return false;
    }
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      if ((placed >>> i & 1) == 0 && fits(member)) {
        add(member, -1);
        first.addLast(member);
        if (search(placed | 1L << i)) {
          return true;
        }
        first.removeLast();
        add(member, 1);
      }
    }
    return false;
  }

  private boolean fits(Member member) {
    for (int i = 0; i < left.length; i++) {
      long after = isFinite(left[i]) ? left[i] - member.needs[i] : left[i];
      if (after < 0 && !member.immune[i]) {
        return false;
      }
    }
    return true;
  }

  private void add(Member member, int sign) {
    for (int i = 0; i < left.length; i++) {
      if (isFinite(left[i])) {
        left[i] += sign * member.needs[i];
      }
    }
  }

  private static boolean isFinite(long amount) {
    return amount != Long.MAX_VALUE && amount != Long.MIN_VALUE;
  }
}
