package io.lighthouse.core.account;

import io.lighthouse.api.Resources;
import java.util.Arrays;
import java.util.Set;

/**
 * What a workload requires of one set of accounts, those of nodes or of a level's domains: ids of
 * resources and scaled amounts. It never changes. It is valid while the scales stay the same.
 */
public class Requirements {
  private static final int[] NO_IDS = {};

  /** Ids of the required resources in the order of names. */
  private final int[] ids;

  /** The amount of each requirement, scaled; parallel to {@link #ids}. */
  private final long[] amounts;

  /** Known resources that the workload is immune to, ascending. */
  private final int[] immunities;

  /** Whether the workload is immune to anything at all. */
  private final boolean hasImmunities;

  private final boolean requiresMissingResource;
  private final boolean hasNegativeNeed;

  /** Requirements by the ids of resources, in the order of names, and the scaled amount of each. */
  public Requirements(int[] ids, long[] amounts, Set<String> immune, ResourceTable table) {
    this.ids = ids;
    this.amounts = amounts;
    hasImmunities = !immune.isEmpty();
    immunities = hasImmunities ? knownIds(immune, table) : NO_IDS;
    boolean missing = false;
    boolean negative = false;
    for (int i = 0; i < ids.length; i++) {
      missing |= ids[i] == NameTable.NONE || table.nodes[ids[i]] == 0;
      negative |= amounts[i] < 0;
    }
    requiresMissingResource = missing;
    hasNegativeNeed = negative;
  }

  /** Compiles resources; one that is unknown gets no id. */
  public static Requirements of(Resources required, Set<String> immune, ResourceTable table) {
    int[] ids = table.ids(required);
    return new Requirements(ids, table.needs(required, ids), immune, table);
  }

  private static int[] knownIds(Set<String> names, ResourceTable table) {
    int[] ids = new int[names.size()];
    int known = 0;
    for (String name : names) {
      int id = table.find(name);
      if (id != NameTable.NONE) {
        ids[known++] = id;
      }
    }
    Arrays.sort(ids, 0, known);
    return known == ids.length ? ids : Arrays.copyOf(ids, known);
  }

  /** The number of required resources. */
  public final int size() {
    return ids.length;
  }

  /** The id of a required resource; the indexes are in the order of names. */
  public final int id(int index) {
    return ids[index];
  }

  /** The amount of a requirement, scaled; negative where the workload gives the resource. */
  public final long need(int index) {
    return amounts[index];
  }

  /** The index of a resource among the required resources, or -1. */
  public final int indexOf(int id) {
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] == id) {
        return i;
      }
    }
    return -1;
  }

  /** Whether some required resource is on no node, or in no domain. Then nothing can fit. */
  public final boolean requiresMissingResource() {
    return requiresMissingResource;
  }

  /** Whether some amount is negative. Then placing the workload may give room to others. */
  public boolean hasNegativeNeed() {
    return hasNegativeNeed;
  }

  /** Whether the workload is immune to the required resource of an index. */
  public final boolean isImmune(int index) {
    return immunities.length > 0 && isImmuneTo(ids[index]);
  }

  /** Whether the workload is immune to a resource: it ignores what is left of it. */
  public final boolean isImmuneTo(int id) {
    return Arrays.binarySearch(immunities, id) >= 0;
  }

  /** Whether the workload is immune to any resource, known or not. */
  public final boolean hasImmunities() {
    return hasImmunities;
  }

  /** The number of known resources that the workload is immune to. */
  public final int immunityCount() {
    return immunities.length;
  }

  /** The id of a known resource that the workload is immune to; ascending with the index. */
  public final int immunity(int index) {
    return immunities[index];
  }

  /** Whether others are of the same resources. */
  public final boolean hasSameIds(Requirements other) {
    return Arrays.equals(ids, other.ids);
  }

  /** Whether others require as much of the same resources. */
  public final boolean hasEqualNeeds(Requirements other) {
    return hasSameIds(other) && Arrays.equals(amounts, other.amounts);
  }

  /** Whether a layout has all required resources. */
  public final boolean areAllIn(Layout layout) {
    int next = 0;
    for (int i = 0; i < ids.length; i++) {
      next = layout.slot(ids[i], next) + 1;
      if (next == 0) {
        return false;
      }
    }
    return true;
  }
}
