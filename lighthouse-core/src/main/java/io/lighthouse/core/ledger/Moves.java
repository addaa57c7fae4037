package io.lighthouse.core.ledger;

import io.lighthouse.core.account.NodeTable;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Many placements and their ends as one inverse. It keeps the former lists of the touched nodes,
 * and the former node of every moved workload. Its size depends on what was touched, not on how
 * often.
 */
final class Moves implements Runnable {
  private final Ledger ledger;
  private final Placements placements;

  /** By moved entry: the slot of its former node, or {@link NodeTable#NONE}. */
  private final Map<Integer, Integer> nodes = new TreeMap<>();

  /** By slot of a touched node: its former list. */
  private final Map<Integer, int[]> lists = new TreeMap<>();

  /** The former round-robin position. */
  private int position;

  private Moves(Ledger ledger) {
    this.ledger = ledger;
    placements = ledger.placements;
  }

  /** The moves since a savepoint; null if any other change happened since. */
  static Moves since(int savepoint, Ledger ledger) {
    UndoLog log = ledger.log;
    Placements placements = ledger.placements;
    Moves moves = new Moves(ledger);
    moves.position = ledger.lastPlaced();
    Set<Integer> entries = new TreeSet<>();
    Set<Integer> touched = new TreeSet<>();
    Moves earlier = null;
    int from = savepoint;
    if (from < log.size() && !log.isPlacement(from) && log.inverse(from) instanceof Moves first) {
      earlier = first;
      entries.addAll(earlier.nodes.keySet());
      touched.addAll(earlier.lists.keySet());
      from += UndoLog.RECORD;
    }
    for (int at = from; at < log.size(); at += UndoLog.RECORD) {
      if (!log.isPlacement(at)) {
        return null;
      }
      entries.add(log.entry(at));
      touched.add(log.node(at) < 0 ? ~log.node(at) : log.node(at));
    }
    Map<Integer, int[]> now = new TreeMap<>();
    touched.forEach(node -> now.put(node, placements.entries(node)));
    for (int at = log.size() - UndoLog.RECORD; at >= from; at -= UndoLog.RECORD) {
      if (log.node(at) >= 0) {
        placements.unlink(log.entry(at));
        moves.position = log.position(at);
      } else {
        placements.relink(log.entry(at), ~log.node(at), log.previous(at));
      }
    }
    if (earlier != null) {
      earlier.link(earlier.nodes.keySet(), earlier.lists);
      moves.position = earlier.position;
    }
    entries.forEach(entry -> moves.nodes.put(entry, placements.nodeOf(entry)));
    touched.forEach(node -> moves.lists.put(node, placements.entries(node)));
    moves.link(entries, now);
    return moves;
  }

  /** The moved entries that are placed now, node by node, in the order of their arrival. */
  int[] placed() {
    return lists.keySet().stream()
        .flatMapToInt(node -> Arrays.stream(placements.entries(node)))
        .filter(nodes::containsKey)
        .toArray();
  }

  /** Its size, in records of the log. */
  int size() {
    return nodes.size();
  }

  @Override
  public void run() {
    nodes.forEach(
        (entry, before) -> {
          int now = placements.nodeOf(entry);
          if (now != before && now >= 0) {
            ledger.charges.charge(now, ledger.demand(entry), -1, true);
          }
        });
    nodes.forEach(
        (entry, before) -> {
          if (placements.nodeOf(entry) != before && before >= 0) {
            ledger.charges.charge(before, ledger.charges.demand(entry, 1), 1, true);
          }
        });
    link(nodes.keySet(), lists);
    ledger.lastPlaced(position);
  }

  private void link(Set<Integer> entries, Map<Integer, int[]> wanted) {
    entries.forEach(placements::markUnplaced);
    wanted.forEach(placements::setList);
  }
}
