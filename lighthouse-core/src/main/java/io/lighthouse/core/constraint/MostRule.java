package io.lighthouse.core.constraint;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Members;
import java.util.Optional;

/**
 * At most a number of members in a domain, the workload included if it is one: {@link Rule.Most} or
 * {@link Rule.Apart}.
 */
final class MostRule extends GroupRule {
  private final int most;

  MostRule(Ledger ledger, Rule.OfGroup rule, boolean member) {
    super(ledger, rule, member);
    most = rule.limitForNewcomers(member);
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
