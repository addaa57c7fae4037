package io.lighthouse.core.constraint;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.core.index.PossibleNodes;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;

/**
 * A counting rule of one workload, with its names resolved to ids. It computes how far a number of
 * members in a domain is from keeping the rule. There is one subclass for each kind of rule. {@link
 * GroupRules} derives from it the check of a node, the bitmaps and the reasons.
 */
abstract class GroupRule {
  /** The excess of a node that belongs to no domain, where the rule needs one. */
  static final long NO_DOMAIN = Long.MAX_VALUE;

  final Ledger ledger;
  final Rule.OfGroup rule;

  /** The index of the level, or a negative constant of members or topology. */
  final int level;

  /** The id of the group; -1 where it has no member and no bound. */
  final int group;

  /** 1 if the workload itself is a member of the group, else 0. */
  final int own;

  GroupRule(Ledger ledger, Rule.OfGroup rule, boolean member) {
    this.ledger = ledger;
    this.rule = rule;
    level = ledger.topology().levelIndex(rule.level());
    group = ledger.members().find(rule.group());
    own = member ? 1 : 0;
  }

  /** The checker of a rule; null where the rule counts no group. */
  static GroupRule of(Rule rule, Ledger ledger, PossibleNodes possible, boolean member) {
    return rule.match(
        new Rule.Cases<GroupRule>() {
          @Override
          public GroupRule most(Rule.Most most) {
            return new MostRule(ledger, most, member);
          }

          @Override
          public GroupRule least(Rule.Least least) {
            return new LeastRule(ledger, least, member);
          }

          @Override
          public GroupRule skew(Rule.Skew skew) {
            return new SkewRule(ledger, skew, member, possible);
          }

          @Override
          public GroupRule apart(Rule.Apart apart) {
            return new MostRule(ledger, apart, member);
          }

          @Override
          public GroupRule where(Rule.Where where) {
            return null;
          }

          @Override
          public GroupRule named(Rule.Named named) {
            return null;
          }
        });
  }

  /** Reads what placements change, apart from the count in a domain. */
  void refresh(Demand demand) {}

  /** How far a domain with this number of members is from keeping the rule; 0 if it keeps it. */
  abstract long excess(long members);

  /** The excess of a node that belongs to no domain of the level. */
  final long excessOutside() {
    return rule.needsDomain() ? NO_DOMAIN : 0;
  }

  /** Whether exactly the nodes without a member of the group keep the rule. */
  boolean excludesHolders() {
    return false;
  }

  /** The kind of reason for a domain that breaks the rule. */
  abstract Reason.Kind kind();

  /** The reason for a domain that breaks the rule at a place among the workload's rules. */
  abstract Reason reason(int place, String domain, int members);
}
