package io.lighthouse.core.feasibility;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Members;
import java.util.Optional;

/** At most {@code most} members in a domain, the workload included if it is one. */
final class MostRule extends GroupRule {
  private final int most;

  MostRule(Ledger ledger, Rule.Most rule, boolean member) {
    super(ledger, rule, member);
    most = rule.most();
  }

  @Override
  long excess(long members) {
    return Math.max(0, members + own - most);
  }

  @Override
  boolean excludesHolders() {
    return level == Members.NODE && own == most;
  }

  @Override
  Reason.Kind kind() {
    return Reason.Kind.CROWDED;
  }

  @Override
  Reason reason(int place, String domain, int members) {
    return new Reason.Crowded(
        rule.group(),
        rule.level(),
        domain,
        members,
        most,
        (int) excess(members),
        place,
        Optional.empty());
  }
}
