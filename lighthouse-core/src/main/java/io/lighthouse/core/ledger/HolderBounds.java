package io.lighthouse.core.ledger;

import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.core.account.NodeTable;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The bounds that the rules of placed workloads set for newcomers, by group, level and domain. They
 * are set while {@link Members} counts.
 */
public final class HolderBounds {
  /** No bound. */
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  private final Ledger ledger;
  private final Groups groups;

  /** Runs when the least bound of a group at a level changes. */
  private final Runnable leastChanged;

  HolderBounds(Ledger ledger, Groups groups, Runnable leastChanged) {
    this.ledger = ledger;
    this.groups = groups;
    this.leastChanged = leastChanged;
  }

  /** Sets the bounds of a workload's rules (sign 1), or removes them (-1). */
  void account(Set<String> averse, Terms terms, int node, int sign) {
    List<Rule> rules = terms.rules();
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i) instanceof Rule.OfGroup of) {
        int limit = of.limitForNewcomers(Members.isMember(averse, terms, of.group()));
        if (limit != UNBOUNDED) {
          set(of, limit, node, sign);
        }
      }
    }
  }

  private void set(Rule.OfGroup rule, int limit, int node, int sign) {
    int level = ledger.topology.levelIndex(rule.level());
    int domain = ledger.topology.domainOf(level, node);
    if (domain == NodeTable.NONE) {
      return;
    }
    int id = groups.intern(rule.group());
    Group group = groups.get(id);
    LevelBounds of = group.setBounds(level);
    int least = of.least();
    of.add(limit, domain, ledger.topology.domainCount(level), sign);
    if (of.least() != least) {
      leastChanged.run();
    }
    group.boundCount += sign;
    groups.dropIfUnused(id);
  }

  /**
   * The least bound that a placed workload sets to a group in any domain of a level, or {@link
   * #UNBOUNDED}. The group is an id or -1, the level an index or {@link Members#NODE}.
   */
  public int least(int group, int level) {
    LevelBounds set = of(group, level);
    return set == null ? UNBOUNDED : set.least();
  }

  /** The least bound that a workload placed in a domain sets to a group, as {@link #least}. */
  public int in(int group, int level, int domain) {
    LevelBounds set = of(group, level);
    return set == null ? UNBOUNDED : set.in(domain);
  }

  /**
   * The same without some bounds.
   *
   * @param without by bound, how often it does not count
   */
  public int inWithout(int group, int level, int domain, Map<Integer, Integer> without) {
    LevelBounds set = of(group, level);
    return set == null ? UNBOUNDED : set.inWithout(domain, without);
  }

  private LevelBounds of(int group, int level) {
    return group < 0 ? null : groups.get(group).bounds(level);
  }
}
