package io.lighthouse.core.ledger;

import io.lighthouse.api.Resources;
import java.util.Arrays;
import java.util.Map;

/**
 * What one workload needs of domains. By level: its shares and its immunities, in the ids and units
 * of the level's accounts. Filled again for each workload, as its {@link Demand} is.
 */
final class DomainDemands {
  /** By level; null where the workload shares nothing and nothing there could reject it. */
  private Demand[] shared = {};

  /** By level: filled again for each workload that has a share of the level. */
  private Demand[] filled = {};

  private int levelCount;
  private boolean sharesUnknownLevel;

  /** The index of the first level from which on domains do not matter. */
  int levelCount() {
    return levelCount;
  }

  /** The share of a level; null where the level does not matter. */
  Demand of(int level) {
    return level < levelCount ? shared[level] : null;
  }

  /** Whether the workload shares resources of a level that has no node. */
  boolean sharesUnknownLevel() {
    return sharesUnknownLevel;
  }

  void clear() {
    levelCount = 0;
    sharesUnknownLevel = false;
  }

  /** Adopts the ledger's levels, with no shares so far. */
  void begin(Ledger ledger) {
    levelCount = ledger.topology.levelCount();
    if (shared.length < levelCount) {
      shared = new Demand[levelCount];
      filled = Arrays.copyOf(filled, levelCount);
    }
    Arrays.fill(shared, 0, levelCount, null);
  }

  /** Completes the levels without shares; they matter where their domains have accounts. */
  void end(Demand whose, Ledger ledger) {
    for (int i = 0; i < levelCount; i++) {
      if (shared[i] == null && ledger.topology.level(i).hasAccounts()) {
        begin(whose, i, 0, ledger);
      }
    }
  }

  private Demand begin(Demand whose, int level, int count, Ledger ledger) {
    filled[level] = filled[level] == null ? new Demand() : filled[level];
    shared[level] = filled[level];
    ResourceTable table = ledger.topology.level(level).resources();
    shared[level].begin(whose.workload(), count, table, whose.hasImmunities());
    return shared[level];
  }

  /** Compiles the shares in a workload's terms; returns whether any amount is negative. */
  boolean compile(Demand whose, Ledger ledger) {
    boolean gives = false;
    for (Map.Entry<String, Resources> of : whose.terms().shared().entrySet()) {
      int level = ledger.topology.levelIndex(of.getKey());
      sharesUnknownLevel |= level == Topology.NO_LEVEL;
      if (level != Topology.NO_LEVEL) {
        Demand into = begin(whose, level, of.getValue().size(), ledger);
        compile(into, of.getValue(), ledger.topology.level(level).resources());
        gives |= into.hasNegativeNeed();
      }
    }
    return gives;
  }

  /** Compiles resources; one that no domain has gets no id. */
  private static void compile(Demand into, Resources resources, ResourceTable table) {
    for (int i = 0; i < resources.size(); i++) {
      int id = table.find(resources.name(i), i);
      if (id < 0) {
        into.set(i, NameTable.NONE, 0, table);
      } else {
        into.set(i, id, table.need(id, resources.quantity(i)), table);
      }
    }
  }

  /** Loads the shares of a new workload from its batch; returns whether any amount is negative. */
  boolean load(Demand whose, BatchTerms batch, int index, Ledger ledger) {
    boolean gives = false;
    for (int i = 0; i < batch.levels(); i++) {
      SharedNeeds shares = batch.shares(i);
      int place = shares.place(index);
      int level = place < 0 ? Topology.NO_LEVEL : ledger.topology.levelIndex(batch.level(i));
      sharesUnknownLevel |= place >= 0 && level == Topology.NO_LEVEL;
      if (level != Topology.NO_LEVEL) {
        ResourceTable table = ledger.topology.level(level).resources();
        int start = shares.start(place);
        Demand into = begin(whose, level, shares.end(place) - start, ledger);
        for (int k = 0; k < into.size(); k++) {
          into.set(k, shares.id(start + k), shares.need(start + k), table);
        }
        gives |= into.hasNegativeNeed();
      }
    }
    return gives;
  }
}
