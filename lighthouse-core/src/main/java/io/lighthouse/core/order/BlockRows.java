package io.lighthouse.core.order;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.index.LevelNeeds;
import io.lighthouse.core.index.Levels;
import java.util.Arrays;

/**
 * The bitmaps of {@link Levels} in the order of a {@link BlockOrder}: one word per block, with a
 * node's bit at its slot in the block. A position is the block times 64 plus the slot.
 */
final class BlockRows {
  private final Levels levels;

  /** One bit per slot; [dimension][level][block]. */
  private final long[][][] rows;

  /** Bitmaps of no blocks. */
  BlockRows(Levels levels) {
    this.levels = levels;
    rows = new long[levels.dimensions()][][];
    for (int d = 0; d < rows.length; d++) {
      rows[d] = new long[levels.levels(d)][];
    }
  }

  /** Makes new bitmaps of this many blocks without nodes. */
  void reserve(int blocks) {
    for (long[][] of : rows) {
      Arrays.setAll(of, level -> new long[blocks]);
    }
  }

  /** Clears all bits. */
  void clear() {
    for (long[][] of : rows) {
      for (long[] row : of) {
        Arrays.fill(row, 0);
      }
    }
  }

  /** Sets the bits of a node at all levels that it has. */
  void put(int node, int position) {
    for (int d = 0; d < rows.length; d++) {
      for (int level = levels.height(d, node); level >= 0; level--) {
        set(d, level, position);
      }
    }
  }

  /** Clears these bits. */
  void take(int node, int position) {
    for (int d = 0; d < rows.length; d++) {
      for (int level = levels.height(d, node); level >= 0; level--) {
        clear(d, level, position);
      }
    }
  }

  void set(int dimension, int level, int position) {
    rows[dimension][level][position >> 6] |= 1L << position;
  }

  void clear(int dimension, int level, int position) {
    rows[dimension][level][position >> 6] &= ~(1L << position);
  }

  /** Shifts blocks by one; the one that is left has no nodes then. */
  void move(int from, int count, int by) {
    int left = by > 0 ? from : from + count - 1;
    for (long[][] of : rows) {
      for (long[] row : of) {
        System.arraycopy(row, from, row, from + by, count);
        row[left] = 0;
      }
    }
  }

  /** Adds the bitmaps that concern some needs. */
  void addRows(LevelNeeds needs, RowScan into) {
    needs.addRows(into, rows);
  }

  /** Compares the bits of a node with its levels. */
  void audit(Audit audit, int node, int position) {
    for (int d = 0; d < rows.length; d++) {
      for (int level = 0; level < rows[d].length; level++) {
        audit.equal(
            "order: bit of level " + level + " of node",
            node,
            levels.height(d, node) >= level ? 1 : 0,
            rows[d][level][position >> 6] >>> position & 1);
      }
    }
  }

  /** Checks that no other slots of a block have bits. */
  void auditFree(Audit audit, int block, long taken) {
    for (long[][] of : rows) {
      for (long[] row : of) {
        audit.equal("order: bits of free places in block", block, 0, row[block] & ~taken);
      }
    }
  }
}
