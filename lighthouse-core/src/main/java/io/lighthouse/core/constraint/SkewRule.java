package io.lighthouse.core.constraint;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.core.index.PossibleNodes;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Members;
import io.lighthouse.core.ledger.Topology;

/**
 * No domain holds more than {@code skew} members above the floor: the count of the emptiest
 * eligible domain. The floor is 0 while fewer than {@code minDomains} domains are allowed.
 */
final class SkewRule extends GroupRule {
  private final Rule.Skew skew;
  private final PossibleNodes possible;
  private int floor;

  SkewRule(Ledger ledger, Rule.Skew rule, boolean member, PossibleNodes possible) {
    super(ledger, rule, member);
    skew = rule;
    this.possible = possible;
  }

  @Override
  void refresh(Demand demand) {
    floor = level == Topology.NO_LEVEL ? 0 : floor(demand);
  }

  private int floor(Demand demand) {
    PossibleNodes.Shape shape = possible.of(demand);
    if (skew.minDomains() > 1 && possible.known(shape, level) < skew.minDomains()) {
      return 0;
    }
    PossibleNodes.Eligible eligible = possible.eligible(shape, level);
    if (level != Members.NODE) {
      return eligible.least(ledger.members().domains(group, level));
    }
    int least = Integer.MAX_VALUE;
    for (int node = 0; node < eligible.domains().length && least > 0; node++) {
      if (eligible.domains()[node]) {
        least = Math.min(least, ledger.members().members(group, level, node));
      }
    }
    return least == Integer.MAX_VALUE ? 0 : least;
  }

  @Override
  long excess(long members) {
    return Math.max(0, members + own - floor - skew.skew());
  }

  @Override
  Reason.Kind kind() {
    return Reason.Kind.SKEWED;
  }

  @Override
  Reason reason(int place, String domain, int members) {
    return new Reason.Skewed(
        skew.group(),
        skew.level(),
        domain,
        members,
        floor,
        skew.skew(),
        (int) excess(members),
        place);
  }
}
