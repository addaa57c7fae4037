package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Layout;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;

/**
 * Rows of bits for all that does not hang on amounts: the nodes that are open, those that have a
 * name, and those that have nothing below 0 of a resource. A demand takes those that say something
 * for it, and {@link RowScan} ANDs them with the others.
 *
 * <p>Rare names ({@link RareNames}) have no rows of their own, so that the rows stay few however
 * many names there are; all that is negative of them shares one row. Who asks for a rare name, or
 * is immune to one, goes without: what survives is checked exactly.
 */
final class Eligibility {
  private final Ledger ledger;
  private final int nodes;
  private final long[] open;
  private int closed;

  /** By id: the nodes that have it; null until it is asked for. */
  private final long[][] having;

  /** By id: the nodes that do not have less than 0 of it; null until one has. */
  private final long[][] sound;

  /** By id: how many nodes have less than 0 of it. */
  private final int[] negatives;

  /** Ids that have a row of sound nodes; the first {@link #soundCount}. */
  private int[] soundIds = new int[8];

  private int soundCount;

  /** The nodes that have nothing negative of a rare name; and how many have something. */
  private final long[] soundOfRare;

  private int unsoundOfRare;

  /** The rows of the demand at hand; the first {@link #asked}. */
  private long[][] rows = new long[8][];

  private int asked;

  Eligibility(Ledger ledger) {
    this.ledger = ledger;
    nodes = ledger.slotCount();
    open = RowScan.everyNode(nodes);
    having = new long[ledger.resourceIds()][];
    sound = new long[having.length][];
    negatives = new int[having.length];
    soundOfRare = RowScan.everyNode(nodes);
    for (int node = 0; node < nodes; node++) {
      cordonChanged(node);
      Layout layout = ledger.layout(node);
      for (int slot = 0; ledger.negatives(node) > 0 && slot < layout.size(); slot++) {
        if (ledger.left(node, slot) < 0) {
          signChanged(node, layout.id(slot), true);
        }
      }
    }
  }

  /** A node has been opened or closed. */
  void cordonChanged(int node) {
    closed -= set(open, node, !ledger.cordoned(node));
  }

  /** What is left of a resource on a node has passed 0. */
  void signChanged(int node, int id, boolean negative) {
    negatives[id] += negative ? 1 : -1;
    if (RareNames.isRare(ledger, id)) {
      unsoundOfRare -= set(soundOfRare, node, !hasNegativeOfRare(node));
      return;
    }
    if (sound[id] == null) {
      sound[id] = RowScan.everyNode(nodes);
      if (soundCount == soundIds.length) {
        soundIds = Arrays.copyOf(soundIds, 2 * soundCount);
      }
      soundIds[soundCount++] = id;
    }
    set(sound[id], node, !negative);
  }

  /**
   * Takes up a demand, whose amounts the levels have taken up: what they have a row for needs none
   * here.
   */
  void ask(Demand demand, Levels levels) {
    asked = 0;
    boolean rare = false;
    if (closed > 0) {
      add(open);
    }
    for (int i = 0; i < demand.size(); i++) {
      int id = demand.id(i);
      rare |= RareNames.isRare(ledger, id);
      if (ledger.nodesWith(id) < nodes
          && !levels.hasRow(demand, i)
          && !RareNames.isRare(ledger, id)) {
        add(having(id));
      }
    }
    for (int i = 0; i < soundCount; i++) {
      int id = soundIds[i];
      if (negatives[id] > 0 && demand.indexOf(id) < 0 && !demand.immuneTo(id)) {
        add(sound[id]);
      }
    }
    for (int i = 0; i < demand.immunityCount(); i++) {
      rare |= RareNames.isRare(ledger, demand.immunity(i));
    }
    if (unsoundOfRare > 0 && !rare) {
      add(soundOfRare);
    }
  }

  /** Adds the rows of the demand at hand. */
  void addRows(RowScan scan) {
    for (int i = 0; i < asked; i++) {
      scan.add(rows[i]);
    }
  }

  /** Whether the rows of the demand at hand admit a node. */
  boolean admits(int node) {
    for (int i = 0; i < asked; i++) {
      if ((rows[i][node >> 6] >>> node & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  private void add(long[] row) {
    if (asked == rows.length) {
      rows = Arrays.copyOf(rows, 2 * asked);
    }
    rows[asked++] = row;
  }

  private long[] having(int id) {
    if (having[id] == null) {
      having[id] = new long[open.length];
      for (int node = 0; node < nodes; node++) {
        if (ledger.layout(node).slot(id) >= 0) {
          having[id][node >> 6] |= 1L << node;
        }
      }
    }
    return having[id];
  }

  private boolean hasNegativeOfRare(int node) {
    Layout layout = ledger.layout(node);
    for (int slot = 0; slot < layout.size(); slot++) {
      if (ledger.left(node, slot) < 0 && RareNames.isRare(ledger, layout.id(slot))) {
        return true;
      }
    }
    return false;
  }

  /** Sets or clears a bit; answers by how much the bits that are set have become more. */
  private static int set(long[] row, int node, boolean on) {
    long before = row[node >> 6];
    row[node >> 6] = on ? before | 1L << node : before & ~(1L << node);
    return Long.bitCount(row[node >> 6]) - Long.bitCount(before);
  }
}
