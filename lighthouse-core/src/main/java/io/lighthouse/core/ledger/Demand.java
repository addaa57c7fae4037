package io.lighthouse.core.ledger;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What one workload needs, in the ledger's ids and units. One object is filled again for each
 * workload. It is valid until the ledger's resources or scales change.
 */
public final class Demand {
  /** The index of a workload that was not loaded from a batch. */
  static final int OF_NO_BATCH = -1;

  private Workload workload;

  /** The workload's index in the batch that it was loaded from, or {@link #OF_NO_BATCH}. */
  private int index = OF_NO_BATCH;

  /** How often this object has been filled. */
  private long serial;

  /** The batch of the shape and the place where its requirements begin; 0 outside a batch. */
  private long shapeOf;

  private int shapeStart;

  private int size;

  /** Ids of the required resources, in the order of names; the first {@link #size}. */
  private int[] ids = new int[8];

  /** The amount of each requirement, scaled. */
  private long[] needs = new long[8];

  /** Whether the workload is immune to each required resource. */
  private boolean[] isImmune = new boolean[8];

  /**
   * Ids of the workload's aversion groups, the first {@link #groupCount}; NONE for an unknown one.
   */
  private int[] groups = new int[8];

  private int groupCount;
  private boolean requiresMissingResource;
  private boolean hasNegativeNeed;

  /**
   * Known resources that the workload is immune to, ascending; the first {@link #immunityCount}.
   */
  private int[] immunities = new int[8];

  private int immunityCount;

  /** Whether the workload is immune to anything at all. */
  private boolean hasImmunities;

  /** The nodes that hold the workload's aversion groups; groups without holders are left out. */
  private final List<NodeSet> antiAffinityHolders = new ArrayList<>();

  /** The workload's terms, or others that are equal except for shares and gang. */
  private Terms terms = Terms.NONE;

  /** Whether neither the workload nor the fleet has terms. */
  private boolean isFreeOfTerms;

  /** The workload's shares of domains, and its immunities there. */
  private final DomainDemands domains = new DomainDemands();

  /** Whether the workload shares anything. */
  private boolean hasShares;

  /** The layout that {@link #slots} belong to; null for none. */
  private Layout layout;

  /** The place of each required resource in {@link #layout}. */
  private int[] slots = new int[8];

  private boolean located;

  /**
   * The workload.
   *
   * @return the workload compiled last
   */
  public Workload workload() {
    return workload;
  }

  /** The workload's index in the batch that it was loaded from, or {@link #OF_NO_BATCH}. */
  int index() {
    return index;
  }

  /**
   * How often this object has been filled; it distinguishes consecutive workloads.
   *
   * @return 0 or more
   */
  public long serial() {
    return serial;
  }

  /**
   * The number of required resources.
   *
   * @return 0 or more
   */
  public int size() {
    return size;
  }

  /**
   * A required resource.
   *
   * @param index from 0 to {@code size() - 1}, in the order of names
   * @return its id
   */
  public int id(int index) {
    return ids[index];
  }

  /**
   * The amount of a requirement.
   *
   * @param index from 0 to {@code size() - 1}
   * @return the amount, scaled; negative where the workload gives the resource
   */
  public long need(int index) {
    return needs[index];
  }

  /**
   * Whether the quantity left of a required resource is ignored.
   *
   * @param index from 0 to {@code size() - 1}
   * @return true if the workload is immune to it
   */
  public boolean isImmune(int index) {
    return isImmune[index];
  }

  /**
   * Whether some required resource is on no node.
   *
   * @return true if nothing can fit
   */
  public boolean requiresMissingResource() {
    return requiresMissingResource;
  }

  /**
   * Whether the workload has aversion groups.
   *
   * @return true if it has any
   */
  public boolean hasAversionGroups() {
    return groupCount > 0;
  }

  /**
   * Whether the workload is a member of a group.
   *
   * @param group the name of the group
   * @return true if the group is one of its groups or aversion groups
   */
  public boolean isMember(String group) {
    return terms.groups().contains(group)
        || hasAversionGroups() && workload.aversionGroups().contains(group);
  }

  /**
   * The number of aversion groups of the workload.
   *
   * @return 0 or more
   */
  public int groupCount() {
    return groupCount;
  }

  /**
   * The id of an aversion group.
   *
   * @param index from 0 to {@code groupCount() - 1}
   * @return its id; -1 where no placed workload has it and no open batch names it
   */
  public int group(int index) {
    return groups[index];
  }

  /**
   * Whether some requirement is negative.
   *
   * @return true if placing it may give room to other workloads
   */
  public boolean hasNegativeNeed() {
    return hasNegativeNeed;
  }

  /**
   * The present holders of the workload's aversion groups. The sets are the ledger's own and change
   * with it.
   *
   * @return one set per group that has holders; empty where no node is averse
   */
  public List<NodeSet> antiAffinityHolders() {
    return antiAffinityHolders;
  }

  /**
   * Whether the workload has terms, which must then be checked.
   *
   * @return false where they are {@link Terms#NONE}
   */
  public boolean hasTerms() {
    return terms != Terms.NONE;
  }

  /**
   * The workload's terms, except for shares and gang. Neighbours in a batch with equal terms have
   * the same object, which is near in memory.
   *
   * @return equal to its own in groups, conditions, rules and preferences
   */
  public Terms terms() {
    return terms;
  }

  /**
   * Whether the workload has no terms, and no terms of the fleet could concern it.
   *
   * @return true if it fits every open node that has enough
   */
  public boolean isFreeOfTerms() {
    return isFreeOfTerms;
  }

  /**
   * Whether the workload shares anything.
   *
   * @return true if its terms contain a share
   */
  public boolean hasShares() {
    return hasShares;
  }

  /**
   * Whether the workload shares resources of a level that has no node.
   *
   * @return true if nothing can fit
   */
  public boolean sharesUnknownLevel() {
    return domains.sharesUnknownLevel();
  }

  /**
   * The index of the first level from which on domains do not matter.
   *
   * @return 0 where no level matters
   */
  public int levelCount() {
    return domains.levelCount();
  }

  /**
   * The workload's share of a level, in the ids and units of the level's accounts.
   *
   * @param level the index of a level
   * @return null where it shares nothing and nothing there could reject it
   */
  public Demand shared(int level) {
    return domains.of(level);
  }

  /**
   * Whether the workload ignores the quantity of a resource.
   *
   * @param id the id of a resource
   * @return true if it is immune
   */
  public boolean isImmuneTo(int id) {
    return Arrays.binarySearch(immunities, 0, immunityCount, id) >= 0;
  }

  /**
   * The number of known resources that the workload is immune to.
   *
   * @return 0 or more
   */
  public int immunityCount() {
    return immunityCount;
  }

  /**
   * A known resource that the workload is immune to.
   *
   * @param index from 0 to {@code immunityCount() - 1}
   * @return its id; ascending with the index
   */
  public int immunity(int index) {
    return immunities[index];
  }

  /**
   * Locates the required resources in a layout. It costs nothing for the layout of the last call.
   *
   * @param wanted the layout of a node
   * @return whether the layout has all of them; if so, {@link #slot} returns their places
   */
  public boolean locate(Layout wanted) {
    if (wanted == layout) {
      return located;
    }
    layout = wanted;
    for (int i = 0; i < size; i++) {
      slots[i] = wanted.slot(ids[i]);
      if (slots[i] < 0) {
        located = false;
        return false;
      }
    }
    located = true;
    return true;
  }

  /**
   * The place of a required resource in the layout last located.
   *
   * @param index from 0 to {@code size() - 1}
   * @return its place
   */
  public int slot(int index) {
    return slots[index];
  }

  /**
   * The index of a resource among the required resources.
   *
   * @param id the id of a resource
   * @return its index, or -1
   */
  public int indexOf(int id) {
    for (int i = 0; i < size; i++) {
      if (ids[i] == id) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Whether the workload is immune to any resource of a node or a domain, known or not.
   *
   * @return false where it has no immunities
   */
  public boolean hasImmunities() {
    return hasImmunities;
  }

  /** Compiles a workload whose quantities are in range and no finer than their scales. */
  void compile(Workload wanted, Ledger ledger) {
    Resources required = wanted.requirements();
    ResourceTable table = ledger.resources;
    begin(wanted, required.size(), table, !wanted.immunities().isEmpty());
    index = OF_NO_BATCH;
    for (int i = 0; i < size; i++) {
      int id = table.find(required.name(i), i);
      set(i, id, table.need(id, required.quantity(i)), table);
    }
    if (!wanted.aversionGroups().isEmpty()) {
      ensureGroups(wanted.aversionGroups().size());
      for (String group : wanted.aversionGroups()) {
        groups[groupCount++] = ledger.members.find(group);
      }
      refresh(ledger);
    }
    terms = wanted.terms();
    hasShares = !terms.shared().isEmpty();
    if (dependsOnDomains(ledger, ledger.hasNoTerms())) {
      hasNegativeNeed |= hasShares && domains.compile(this, ledger);
      domains.end(this, ledger);
    }
  }

  /** Whether domains matter; if so, the workload's shares of them must be compiled. */
  private boolean dependsOnDomains(Ledger ledger, boolean plainFleet) {
    domains.clear();
    isFreeOfTerms = !hasTerms() && plainFleet && (groupCount == 0 || !ledger.members.isCounting());
    if (isFreeOfTerms || (!hasShares && ledger.topology.hasNoAccounts())) {
      return false;
    }
    domains.begin(ledger);
    return true;
  }

  /** Loads a workload from the arrays of its batch, possibly only its requirements. */
  void load(Batch batch, int at, Ledger ledger, boolean needsOnly) {
    index = at;
    int start = batch.start(index);
    boolean simple = batch.fleetHasNoTerms() && batch.needsOnlyResources(index);
    boolean repeats =
        simple
            && batch.serial() == shapeOf
            && start == shapeStart
            && batch.end(index) - start == size;
    if (repeats) {
      workload = needsOnly ? workload : batch.workload(index);
      serial++;
      return;
    }
    if (simple && shapeOf != 0 && batch.end(index) - start == size) {
      workload = batch.workload(index); // The last one was simple too: the rest stays.
      serial++;
      requiresMissingResource = false;
      hasNegativeNeed = false;
      setAll(batch, start, ledger);
      shapeOf = batch.serial();
      shapeStart = start;
      return;
    }
    begin(batch.workload(index), batch.end(index) - start, ledger.resources, batch.isImmune(index));
    setAll(batch, start, ledger);
    int count = batch.groupCount(index);
    if (count > 0) {
      ensureGroups(count);
      for (int i = 0; i < count; i++) {
        groups[groupCount++] = batch.group(index, i);
      }
      refresh(ledger);
    }
    terms = batch.terms(index);
    BatchTerms of = batch.shared(index);
    hasShares = hasTerms() && (of == null ? !terms.shared().isEmpty() : of.hasShares(index));
    if (dependsOnDomains(ledger, batch.fleetHasNoTerms())) {
      if (hasShares) {
        hasNegativeNeed |=
            of == null ? domains.compile(this, ledger) : domains.load(this, of, index, ledger);
      }
      domains.end(this, ledger);
    }
    shapeOf = simple ? batch.serial() : 0;
    shapeStart = start;
  }

  private void setAll(Batch batch, int start, Ledger ledger) {
    for (int i = 0; i < size; i++) {
      set(i, batch.id(start + i), batch.need(start + i), ledger.resources);
    }
  }

  /**
   * Reads the holders of the workload's groups again. All else stays valid while the batch is open.
   *
   * @param ledger the accounts
   */
  public void refresh(Ledger ledger) {
    serial++;
    antiAffinityHolders.clear();
    for (int i = 0; i < groupCount; i++) {
      NodeSet holders = groups[i] == NameTable.NONE ? null : ledger.members.averseNodes(groups[i]);
      if (holders != null && holders.size() > 0) {
        antiAffinityHolders.add(holders);
      }
    }
  }

  /** Begins a workload. It is read only where it may have rules, as it may be in distant memory. */
  void begin(Workload wanted, int count, ResourceTable table, boolean bearing) {
    workload = wanted;
    serial++;
    shapeOf = 0;
    if (size != count) {
      layout = null;
    }
    requiresMissingResource = false;
    hasNegativeNeed = false;
    size = count;
    if (size > ids.length) {
      ids = new int[2 * size];
      needs = new long[2 * size];
      isImmune = new boolean[2 * size];
      slots = new int[2 * size];
    }
    immunityCount = 0;
    terms = Terms.NONE;
    groupCount = 0;
    antiAffinityHolders.clear();
    hasImmunities = bearing;
    if (hasImmunities) {
      compileImmunities(table);
    }
  }

  private void ensureGroups(int count) {
    if (count > groups.length) {
      groups = new int[2 * count];
    }
  }

  void set(int index, int id, long need, ResourceTable table) {
    if (ids[index] != id) {
      ids[index] = id;
      layout = null; // Otherwise the same resources keep their slots.
    }
    needs[index] = need;
    isImmune[index] = immunityCount > 0 && isImmuneTo(id);
    requiresMissingResource |= id == NameTable.NONE || table.nodes[id] == 0;
    hasNegativeNeed |= need < 0;
  }

  private void compileImmunities(ResourceTable table) {
    for (String name : workload.immunities()) {
      int id = table.find(name);
      if (id != NameTable.NONE) {
        if (immunityCount == immunities.length) {
          immunities = Arrays.copyOf(immunities, 2 * immunityCount);
        }
        immunities[immunityCount++] = id;
      }
    }
    Arrays.sort(immunities, 0, immunityCount);
  }
}
