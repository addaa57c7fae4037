package io.lighthouse.core.order;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.index.LevelListener;
import io.lighthouse.core.index.LevelNeeds;
import io.lighthouse.core.index.Levels;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The nodes in the order of (score, name), in blocks of 64 that have bitmaps of their own.
 *
 * <p>Within a block the slots have no order. The blocks are ordered and divided by separators: all
 * keys of a block are above the separator of the previous block. None is above the block's own
 * separator. A search ANDs the bitmaps of {@link BlockRows} block by block. It returns the smallest
 * key that fits from the first block that has one.
 *
 * <p>A node moves only when its new key leaves its block. A full block moves about half of its
 * nodes to a neighbour: the blocks up to the nearest empty one are shifted by one. At first, empty
 * blocks are spread everywhere. When the shifts have become too many, the order is rebuilt.
 *
 * <p>Without the blocks, {@code BatchBenchmark} (bin-pack, 10,000 nodes) took 185 times as long on
 * 2026-11-24.
 */
final class BlockOrder implements LevelListener {
  private static final int SLOTS = 64;

  /** How many nodes a block has at first, and one in how many blocks stays empty. */
  private static final int FILL = 40;

  private static final int SPARE = 4;

  /** How many nodes are sampled for the median at which a full block is split. */
  private static final int SAMPLE = 7;

  /** After this many moves per block the order is rebuilt, which costs about as much. */
  private static final long WORN = 16;

  private final Levels levels;
  private final Scores scores;
  private final NameOrder names;

  /** By node: the score, and the label of the name. */
  private final ScoreKeys keys;

  /** By node: block times 64 plus slot; -1 where the node is in no block. */
  private int[] position;

  /** By position: the node; at a free position any value. */
  private int[] members;

  /** By block: which slots are taken. */
  private long[] live;

  /** By block: the levels of its nodes. */
  private final BlockRows rows;

  /** By block: the separator; for the last block it is above every key. */
  private ScoreKeys separators;

  private int blocks;

  /** How many blocks have moved since the order was built. */
  private long moved;

  /** The bitmaps of the current search. */
  private final RowScan chosen = new RowScan();

  /** Sorts all nodes. */
  BlockOrder(Ledger ledger, Levels levels, Scores scores, NameOrder names) {
    this.levels = levels;
    this.scores = scores;
    this.names = names;
    int nodes = ledger.nodes().slotCount();
    keys = new ScoreKeys(nodes, scores.words());
    position = new int[nodes];
    Arrays.fill(position, -1);
    int[] order = IntStream.range(0, nodes).filter(ledger.nodes()::alive).toArray();
    for (int node : order) {
      scores.computeNode(node);
      keys.score(node, scores);
      keys.label(node, names.label(node));
    }
    IndexSort.by(order, (a, b) -> keys.compare(a, keys, b));
    rows = new BlockRows(levels);
    layOut(order);
    levels.follow(this);
  }

  /** Ends the following of the levels. */
  void unfollow() {
    levels.unfollow(this);
  }

  /** By node: its key in the order. */
  ScoreKeys keys() {
    return keys;
  }

  /** Whether a node is below a key. */
  boolean below(int node, ScoreKeys of, int at) {
    return position[node] >= 0 && keys.compare(node, of, at) < 0;
  }

  @Override
  public void flip(int dimension, int level, int node, boolean set) {
    int at = node < position.length ? position[node] : -1;
    if (at < 0) {
      return; // The node is being added or removed.
    }
    if (set) {
      rows.set(dimension, level, at);
    } else {
      rows.clear(dimension, level, at);
    }
  }

  /** Follows a change of what is left on a node. */
  void settled(int node) {
    scores.computeNode(node);
    if (!keys.score(node, scores)) {
      return;
    }
    int block = find(keys, node);
    int before = position[node] >> 6;
    if (block != before) {
      take(node, before);
      add(node, block);
    }
  }

  /** Adds a node, which the levels know already. */
  void nodeAdded(int node) {
    if (node >= position.length) {
      int before = position.length;
      position = Arrays.copyOf(position, node + 1 + node / 4);
      Arrays.fill(position, before, position.length, -1);
      keys.grow(position.length);
    }
    scores.computeNode(node);
    keys.score(node, scores);
    keys.label(node, names.label(node));
    add(node, find(keys, node));
  }

  /** Removes a node, which the levels still know. */
  void nodeRemoving(int node) {
    take(node, position[node] >> 6);
  }

  /** Takes over the new labels of all names, which compare as before. */
  void relabelled() {
    ScoreKeys highest = new ScoreKeys(1, scores.words());
    highest.lowest(0);
    for (int block = 0; block < blocks; block++) {
      for (long word = live[block]; word != 0; word &= word - 1) {
        int node = members[(block << 6) + Long.numberOfTrailingZeros(word)];
        keys.label(node, names.label(node));
        if (keys.compare(node, highest, 0) > 0) {
          highest.copy(0, keys, node);
        }
      }
      separators.copy(block, highest, 0);
    }
    separators.highest(blocks - 1);
  }

  private void add(int node, int block) {
    int into = block;
    if (live[block] == -1L) {
      split(block);
      into = find(keys, node);
    }
    put(node, into);
  }

  // ---- searching ----

  /** The block that holds a key, or would hold it. */
  int find(ScoreKeys of, int at) {
    int from = 0;
    int to = blocks - 1;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (separators.compare(middle, of, at) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /**
   * The first node that fits.
   *
   * @param start the block before which nothing fits; ascending only
   * @param friends whether averse nodes are skipped
   */
  int first(Query query, int start, boolean friends, boolean descending) {
    chosen.clear();
    rows.addRows(query.resources.amounts(), chosen);
    if (chosen.count() == 0) {
      chosen.append(live);
    }
    if (chosen.empty()) {
      return NodeTable.NONE;
    }
    int used = chosen.count();
    int first = NodeTable.NONE;
    if (!descending) {
      for (int at = start; first == NodeTable.NONE && at < blocks; at++) {
        at = chosen.next(at, blocks, used);
        if (at < blocks) {
          first = first(at, query, friends, false, first);
        }
      }
      return first;
    }
    for (int at = blocks - 1; at >= 0 && (first == NodeTable.NONE || ties(at, first)); at--) {
      first = first(at, query, friends, true, first);
    }
    return first;
  }

  /** The first node of a block that fits, if it is before the one found so far. */
  private int first(int block, Query query, boolean friends, boolean descending, int found) {
    int first = found;
    LevelNeeds needs = query.resources.amounts();
    long word = chosen.word(block, chosen.count());
    for (; word != 0; word &= word - 1) {
      int node = members[(block << 6) + Long.numberOfTrailingZeros(word)];
      if (!needs.covers(node)) {
        levels.missed();
      } else if ((first == NodeTable.NONE || before(node, first, descending))
          && query.mayFit(node)
          && !(friends && query.averse(node))
          && query.fits(node)) {
        first = node;
      }
    }
    return first;
  }

  /** Whether a block may hold a node of the same score. */
  private boolean ties(int at, int node) {
    return separators.compareScores(at, keys, node) >= 0;
  }

  boolean before(int a, int b, boolean descending) {
    int compared = keys.compareScores(a, keys, b);
    return compared == 0 ? keys.label(a) < keys.label(b) : descending == compared > 0;
  }

  // ---- blocks ----

  private void put(int node, int block) {
    int slot = Long.numberOfTrailingZeros(~live[block]);
    position[node] = (block << 6) + slot;
    members[position[node]] = node;
    live[block] |= 1L << slot;
    rows.put(node, position[node]);
  }

  private void take(int node, int block) {
    rows.take(node, position[node]);
    live[block] &= ~(1L << position[node]);
    position[node] = -1;
  }

  /** Moves the upper or the lower part of a full block to a neighbour, which is emptied for it. */
  private void split(int block) {
    int empty = nearestEmpty(block);
    moved += Math.abs(empty - block);
    if (empty < 0 || moved > WORN * blocks) {
      layOut(inOrder());
      return;
    }
    int median = medianOfSample(block);
    boolean up = empty > block;
    int other = up ? block + 1 : block - 1;
    if (up) {
      move(other, empty - other, 1);
      separators.move(block, other, empty - other);
      separators.copy(block, keys, median);
    } else {
      move(empty + 1, other - empty, -1);
      separators.move(empty + 1, empty, other - empty);
      separators.copy(other, keys, median);
    }
    for (long word = live[block]; word != 0; word &= word - 1) {
      int node = members[(block << 6) + Long.numberOfTrailingZeros(word)];
      if (before(median, node, false) == up) {
        take(node, block);
        put(node, other);
      }
    }
  }

  /** The nearest block without a node; -1 where there is none. */
  private int nearestEmpty(int block) {
    for (int far = 1; far < blocks; far++) {
      if (block + far < blocks && live[block + far] == 0) {
        return block + far;
      }
      if (block >= far && live[block - far] == 0) {
        return block - far;
      }
    }
    return -1;
  }

  /** A node near the median, never the last of the block, so that both parts have nodes. */
  private int medianOfSample(int block) {
    int[] sample = new int[SAMPLE];
    for (int i = 0; i < SAMPLE; i++) {
      int node = members[(block << 6) + i * (SLOTS / SAMPLE)];
      int at = i;
      for (; at > 0 && before(node, sample[at - 1], false); at--) {
        sample[at] = sample[at - 1];
      }
      sample[at] = node;
    }
    return sample[SAMPLE / 2];
  }

  /**
   * Shifts blocks by one. The block at the target end is empty before, the one left is empty after.
   */
  private void move(int from, int count, int by) {
    if (count == 0) {
      return;
    }
    int left = by > 0 ? from : from + count - 1;
    System.arraycopy(members, from * SLOTS, members, (from + by) * SLOTS, count * SLOTS);
    System.arraycopy(live, from, live, from + by, count);
    live[left] = 0;
    rows.move(from, count, by);
    for (int block = from + by; block < from + by + count; block++) {
      for (long word = live[block]; word != 0; word &= word - 1) {
        int at = (block << 6) + Long.numberOfTrailingZeros(word);
        position[members[at]] = at;
      }
    }
  }

  /** All nodes that are in a block, in order. */
  private int[] inOrder() {
    int[] order = new int[Arrays.stream(live).mapToInt(Long::bitCount).sum()];
    int at = 0;
    for (int block = 0; block < blocks; block++) {
      for (long word = live[block]; word != 0; word &= word - 1) {
        order[at++] = members[(block << 6) + Long.numberOfTrailingZeros(word)];
      }
    }
    IndexSort.by(order, (a, b) -> keys.compare(a, keys, b));
    return order;
  }

  private void layOut(int[] order) {
    int filled = (order.length + FILL - 1) / FILL;
    int wanted = filled + filled / (SPARE - 1) + 1;
    if (wanted > blocks) {
      reserve(wanted);
    }
    Arrays.fill(live, 0);
    rows.clear();
    int next = 0;
    for (int block = 0; block < blocks; block++) {
      boolean spare = block % SPARE == SPARE - 1;
      for (int i = 0; i < FILL && !spare && next < order.length; i++) {
        put(order[next++], block);
      }
      if (next > 0) {
        separators.copy(block, keys, order[next - 1]);
      } else {
        separators.lowest(block);
      }
    }
    separators.highest(blocks - 1);
    moved = 0;
  }

  private void reserve(int wanted) {
    blocks = wanted;
    members = new int[blocks * SLOTS];
    live = new long[blocks];
    separators = new ScoreKeys(blocks, scores.words());
    rows.reserve(blocks);
  }

  // ---- audit ----

  /** Recomputes the key, the position and the bits of each node. */
  void audit(Audit audit, NodeTable table) {
    ScoreKeys fresh = new ScoreKeys(1, scores.words());
    int there = 0;
    for (int node = 0; node < table.slotCount(); node++) {
      int at = node < position.length ? position[node] : -1;
      audit.equal("order: node " + node + " stands in a block", table.alive(node), at >= 0);
      if (!table.alive(node) || at < 0) {
        continue;
      }
      there++;
      scores.computeNode(node);
      fresh.score(0, scores);
      fresh.label(0, names.label(node));
      audit.equal("order: key of node", node, 0, keys.compare(node, fresh, 0));
      audit.equal("order: block of node", node, find(fresh, 0), at >> 6);
      audit.equal("order: node at the place of node", node, node, members[at]);
      audit.equal("order: bit of node", node, 1, live[at >> 6] >>> at & 1);
      rows.audit(audit, node, at);
    }
    int taken = 0;
    for (int block = 0; block < blocks; block++) {
      taken += Long.bitCount(live[block]);
      rows.auditFree(audit, block, live[block]);
    }
    audit.equal("order: taken places", there, taken);
  }
}
