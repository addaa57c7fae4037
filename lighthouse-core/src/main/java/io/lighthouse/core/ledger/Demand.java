package io.lighthouse.core.ledger;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NameTable;
import io.lighthouse.core.account.Requirements;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one workload needs, in the ledger's ids and units. It never changes. It is valid until the
 * ledger's resources, scales or levels change.
 */
public final class Demand extends Requirements {
  /** The index of a workload of no open batch. */
  static final int OF_NO_BATCH = -1;

  public static final int[] NO_GROUPS = {};
  private static final Requirements[] NO_LEVELS = {};

  private final Workload workload;

  /** The workload's index in its batch, or {@link #OF_NO_BATCH}. */
  private final int index;

  /** The workload's terms, or others that are equal except for shares and gang. */
  private final Terms terms;

  /** Ids of the workload's aversion groups; {@link NameTable#NONE} for an unknown one. */
  private final int[] groups;

  private final List<Rule> hardRules;
  private final List<NodeSet> antiAffinityHolders;
  private final boolean isFreeOfTerms;
  private final boolean hasShares;
  private final boolean sharesUnknownLevel;

  /** By level: what is required of its domains; empty where no level matters. */
  private final Requirements[] levels;

  private final boolean hasNegativeNeed;

  /**
   * Creates a demand.
   *
   * @param ids ids of the required resources in the order of names
   * @param amounts the amount of each, scaled
   * @param hasShares whether the workload shares anything
   */
  public Demand(
      Workload workload,
      int index,
      int[] ids,
      long[] amounts,
      Set<String> immunities,
      Terms terms,
      int[] groups,
      boolean hasShares,
      boolean fleetHasNoTerms,
      Ledger ledger) {
    super(ids, amounts, immunities, ledger.resources);
    this.workload = workload;
    this.index = index;
    this.terms = terms;
    this.groups = groups;
    this.hasShares = hasShares;
    hardRules = ledger.rules.isEmpty() ? terms.rules() : withRulesAtTheTop(ledger.rules);
    antiAffinityHolders = groups.length == 0 ? List.of() : holders(groups, ledger.members);
    sharesUnknownLevel =
        hasShares && namesUnknownLevel(workload.terms().shared().keySet(), ledger.topology);
    isFreeOfTerms =
        fleetHasNoTerms
            && terms == Terms.NONE
            && (groups.length == 0 || !ledger.members.isCounting());
    levels =
        isFreeOfTerms || !hasShares && ledger.topology.hasNoAccounts()
            ? NO_LEVELS
            : ofLevels(
                hasShares ? workload.terms().shared() : Map.of(), immunities, ledger.topology);
    boolean negative = super.hasNegativeNeed();
    for (Requirements of : levels) {
      negative |= of != null && of.hasNegativeNeed();
    }
    hasNegativeNeed = negative;
  }

  private List<Rule> withRulesAtTheTop(List<Rule> top) {
    List<Rule> all = new ArrayList<>(terms.rules());
    for (Rule rule : top) {
      if (!(rule instanceof Rule.OfGroup of) || isMember(of.group())) {
        all.add(rule);
      }
    }
    return all;
  }

  private static List<NodeSet> holders(int[] groups, Members members) {
    List<NodeSet> holders = new ArrayList<>(groups.length);
    for (int group : groups) {
      if (group != NameTable.NONE) {
        holders.add(members.averseNodes(group));
      }
    }
    return holders;
  }

  private static boolean namesUnknownLevel(Set<String> levels, Topology topology) {
    for (String level : levels) {
      if (topology.levelIndex(level) == Topology.NO_LEVEL) {
        return true;
      }
    }
    return false;
  }

  /** Levels without shares matter where their domains have accounts. */
  private static Requirements[] ofLevels(
      Map<String, Resources> shared, Set<String> immunities, Topology topology) {
    Requirements[] levels = new Requirements[topology.levelCount()];
    for (int i = 0; i < levels.length; i++) {
      Level level = topology.level(i);
      Resources of = shared.get(level.name());
      if (of != null || level.hasAccounts()) {
        levels[i] =
            Requirements.of(of == null ? Resources.none() : of, immunities, level.resources());
      }
    }
    return levels;
  }

  /**
   * Compiles a workload of no batch, whose quantities are in range and no finer than the scales.
   *
   * @param node the node that it is on, or a negative number for none
   */
  static Demand of(Workload workload, int node, Ledger ledger) {
    Terms terms = workload.terms();
    Resources required = workload.requirements();
    int[] ids =
        node < 0
            ? ledger.resources.ids(required)
            : ledger.resources.ids(required, ledger.accounts.layout(node));
    return new Demand(
        workload,
        OF_NO_BATCH,
        ids,
        ledger.resources.needs(required, ids),
        workload.immunities(),
        terms,
        groups(workload.aversionGroups(), ledger.members),
        !terms.shared().isEmpty(),
        ledger.hasNoTerms(),
        ledger);
  }

  private static int[] groups(Set<String> names, Members members) {
    if (names.isEmpty()) {
      return NO_GROUPS;
    }
    int[] ids = new int[names.size()];
    int at = 0;
    for (String name : names) {
      ids[at++] = members.find(name);
    }
    return ids;
  }

  /** The workload that was compiled. */
  public Workload workload() {
    return workload;
  }

  /** The workload's index in its batch, or {@link #OF_NO_BATCH}. */
  int index() {
    return index;
  }

  @Override
  public boolean hasNegativeNeed() {
    return hasNegativeNeed;
  }

  /**
   * Whether a node's resources reject every workload that needs as much, if they reject this one.
   * False for one with immunities, or that requires less than 0 of something.
   */
  public boolean isDecidedByNeeds() {
    return !hasImmunities() && !hasNegativeNeed;
  }

  /** Whether the workload has aversion groups. */
  public boolean hasAversionGroups() {
    return groups.length > 0;
  }

  /** Whether a group is one of the workload's groups or aversion groups. */
  public boolean isMember(String group) {
    return terms.groups().contains(group)
        || hasAversionGroups() && workload.aversionGroups().contains(group);
  }

  /** The number of aversion groups of the workload. */
  public int groupCount() {
    return groups.length;
  }

  /** The id of an aversion group; -1 where no placed workload has it and no open batch names it. */
  public int group(int index) {
    return groups[index];
  }

  /**
   * The nodes that hold the workload's aversion groups: one set for each known group, which may be
   * empty. The sets are the ledger's own and change with it.
   */
  public List<NodeSet> antiAffinityHolders() {
    return antiAffinityHolders;
  }

  /** Whether the workload has terms other than {@link Terms#NONE}, which must then be checked. */
  public boolean hasTerms() {
    return terms != Terms.NONE;
  }

  /**
   * The workload's terms, except for shares and gang. Neighbours in a batch with equal terms have
   * the same object, which is near in memory.
   */
  public Terms terms() {
    return terms;
  }

  /**
   * The rules that the workload must keep: its own, then the rules at the top that count no group
   * or one of its groups.
   */
  public List<Rule> hardRules() {
    return hardRules;
  }

  /**
   * Whether the workload has no terms, and no terms of the fleet could concern it. Then it fits
   * every open node that has enough.
   */
  public boolean isFreeOfTerms() {
    return isFreeOfTerms;
  }

  /** Whether the workload shares anything. */
  public boolean hasShares() {
    return hasShares;
  }

  /** Whether the workload shares resources of a level that has no node. Then nothing can fit. */
  public boolean sharesUnknownLevel() {
    return sharesUnknownLevel;
  }

  /** The index of the first level from which on domains do not matter; 0 where no level matters. */
  public int levelCount() {
    return levels.length;
  }

  /**
   * What the workload requires of the domains of a level; null where it shares nothing and nothing
   * there could reject it.
   */
  public Requirements shared(int level) {
    return level < levels.length ? levels[level] : null;
  }
}
