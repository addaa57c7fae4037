package io.lighthouse.core.constraint;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;

/**
 * At least {@code least} members are already in a domain. For a workload that is a member itself,
 * the bound is at most the number of members in the fleet. So the first member can be placed.
 */
final class LeastRule extends GroupRule {
  private final int least;
  private int bound;

  LeastRule(Ledger ledger, Rule.Least rule, boolean member) {
    super(ledger, rule, member);
    least = rule.least();
  }

  @Override
  void refresh(Demand demand) {
    bound = own == 0 ? least : Math.min(least, ledger.members().total(group));
  }

  @Override
  long excess(long members) {
    return Math.max(0, bound - members);
  }

  @Override
  Reason.Kind kind() {
    return Reason.Kind.ALONE;
  }

  @Override
  Reason reason(int place, String domain, int members) {
    return new Reason.Alone(
        rule.group(), rule.level(), domain, members, bound, (int) excess(members), place);
  }
}
