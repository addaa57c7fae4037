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

  private int levels;
  private boolean lost;

  /** The index of the first level from which on domains do not matter. */
  int levels() {
    return levels;
  }

  /** The share of a level; null where the level does not matter. */
  Demand of(int level) {
    return level < levels ? shared[level] : null;
  }

  /** Whether the workload shares resources of a level that has no node. */
  boolean lost() {
    return lost;
  }

  void clear() {
    levels = 0;
    lost = false;
  }

  /** Adopts the ledger's levels, with no shares so far. */
  void begin(Ledger ledger) {
    levels = ledger.topology.levelCount();
    if (shared.length < levels) {
      shared = new Demand[levels];
      filled = Arrays.copyOf(filled, levels);
    }
    Arrays.fill(shared, 0, levels, null);
  }

  /** Completes the levels without shares; they matter where their domains have accounts. */
  void end(Demand whose, Ledger ledger) {
    for (int i = 0; i < levels; i++) {
      if (shared[i] == null && ledger.topology.level(i).accounted()) {
        begin(whose, i, 0, ledger);
      }
    }
  }

  private Demand begin(Demand whose, int level, int count, Ledger ledger) {
    filled[level] = filled[level] == null ? new Demand() : filled[level];
    shared[level] = filled[level];
    Columns columns = ledger.topology.level(level).columns();
    shared[level].begin(whose.workload(), count, columns, whose.bears());
    return shared[level];
  }

  /** Compiles the shares in a workload's terms; returns whether any amount is negative. */
  boolean compile(Demand whose, Ledger ledger) {
    boolean gives = false;
    for (Map.Entry<String, Resources> of : whose.terms().shared().entrySet()) {
      int level = ledger.topology.levelIndex(of.getKey());
      lost |= level == Topology.NO_LEVEL;
      if (level != Topology.NO_LEVEL) {
        Demand into = begin(whose, level, of.getValue().size(), ledger);
        compile(into, of.getValue(), ledger.topology.level(level).columns());
        gives |= into.giving();
      }
    }
    return gives;
  }

  /** Compiles resources; one that no domain has gets no id. */
  private static void compile(Demand into, Resources resources, Columns columns) {
    for (int i = 0; i < resources.size(); i++) {
      int id = columns.find(resources.name(i), i);
      if (id < 0) {
        into.set(i, Demand.NOWHERE, 0, columns);
      } else {
        into.set(i, id, columns.need(id, resources.quantity(i)), columns);
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
      lost |= place >= 0 && level == Topology.NO_LEVEL;
      if (level != Topology.NO_LEVEL) {
        Columns columns = ledger.topology.level(level).columns();
        int start = shares.start(place);
        Demand into = begin(whose, level, shares.end(place) - start, ledger);
        for (int k = 0; k < into.size(); k++) {
          into.set(k, shares.id(start + k), shares.need(start + k), columns);
        }
        gives |= into.giving();
      }
    }
    return gives;
  }
}
