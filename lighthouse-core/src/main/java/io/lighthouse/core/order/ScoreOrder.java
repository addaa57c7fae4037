package io.lighthouse.core.order;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.index.IndexCost;
import io.lighthouse.core.index.Levels;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The order of the nodes of one ledger by score, then name, kept in blocks once that pays.
 *
 * <p>Two shortcuts save work, and both are exact. The first needs weights that are not negative and
 * a workload without negative requirements and immunities. Then no node of a lower score than the
 * workload's own fits, so the search starts there. The second: a search for a shape continues where
 * the last one for it ended ({@link RunMemo}).
 *
 * <p>Without the first, {@code BatchBenchmark} ({@code BIN_PACK}, 10,000 nodes) took 1.09 and 1.21
 * times as long on 2026-11-29, and with 200 shapes 1.28 and 1.10 times.
 */
public final class ScoreOrder {
  private final Rubric rubric;
  private final Ledger ledger;

  /** Has the order follow the ledger from its next use on. */
  private final Consumer<ScoreOrder> keeper;

  /** Whether the ends of searches are remembered. */
  private final boolean remembers;

  /** Null where stale. */
  private Scores scores;

  /** Null where not built. */
  private BlockOrder blocks;

  /** When blocks pay. */
  private final IndexCost cost;

  /** Built with the blocks. */
  private RunMemo memo;

  /** The workload's own score. */
  private ScoreKeys own;

  /**
   * An order that is not kept yet.
   *
   * @param scans what blocks cost, in scans of all nodes
   * @param remembers whether the ends of searches are remembered
   */
  public ScoreOrder(
      Rubric rubric, Ledger ledger, Consumer<ScoreOrder> keeper, int scans, boolean remembers) {
    cost = new IndexCost(scans);
    this.rubric = rubric;
    this.ledger = ledger;
    this.keeper = keeper;
    this.remembers = remembers;
  }

  /**
   * Compares two nodes by score, the higher first where descending, then by name, which always
   * ascends. Returns 0 only for the same node.
   */
  public int compare(int a, int b, boolean descending) {
    return scores().compareNodes(a, b, descending);
  }

  public Rubric rubric() {
    return rubric;
  }

  public Scores scores() {
    keeper.accept(this);
    if (scores == null) {
      scores = new Scores(rubric, ledger);
    }
    return scores;
  }

  /**
   * Whether there are blocks. Builds them as soon as they pay.
   *
   * @param scansAhead how many searches are sure to read all nodes without them
   */
  public boolean ready(Levels levels, Supplier<NameOrder> names, int scansAhead) {
    if (blocks == null) {
      int nodes = ledger.nodes().slotCount();
      cost.read(nodes);
      if (cost.pays(nodes, scansAhead)) {
        blocks = new BlockOrder(ledger, levels, scores(), names.get());
        memo = new RunMemo(ledger.clock(), scores().words());
        own = new ScoreKeys(1, scores().words());
      }
    }
    return blocks != null;
  }

  /** The first node that fits by the blocks, of the friendly ones or of all. */
  public int first(Query query, boolean friends, boolean descending) {
    Demand demand = query.demand();
    boolean bounded =
        !descending
            && scores.monotone()
            && !demand.hasNegativeNeed()
            && demand.immunityCount() == 0;
    if (!bounded) {
      return blocks.first(query, 0, friends, descending);
    }
    boolean remembered = remembers && query.isRemembered();
    int place = remembered ? memo.place(demand) : -1;
    int start;
    if (memo.knows(place, demand)) {
      int recent =
          memo.foundNone(place) ? NodeTable.NONE : memo.firstOfRecent(place, query, blocks);
      if (recent != NodeTable.NONE || memo.foundNone(place)) {
        return recent;
      }
      start = memo.start(place, blocks);
    } else {
      scores.computeDemand(demand);
      own.score(0, scores);
      own.label(0, Long.MIN_VALUE);
      start = blocks.find(own, 0);
    }
    int found = blocks.first(query, start, friends, false);
    if (place >= 0) {
      memo.learn(place, demand, found, blocks);
    }
    return found;
  }

  void settled(int node) {
    if (blocks != null) {
      blocks.settled(node);
    }
  }

  /** Adds a node. */
  void nodeAdded(int node) {
    if (scores != null && !scores.current(rubric)) {
      reshaped();
    } else if (blocks != null) {
      blocks.nodeAdded(node);
    }
  }

  /** Removes a node. */
  void nodeRemoving(int node) {
    if (blocks != null) {
      blocks.nodeRemoving(node);
    }
  }

  /** Follows new labels of all names. */
  void relabelled() {
    if (blocks != null) {
      blocks.relabelled();
      memo.clear();
    }
  }

  /** Follows new levels: the blocks have to be rebuilt. */
  public void relevelled() {
    if (blocks != null) {
      blocks.unfollow();
      blocks = null;
    }
    cost.dropped();
  }

  /** Drops what changes that it does not follow would make stale. */
  void reshaped() {
    relevelled();
    scores = null;
  }

  void audit(Audit audit) {
    if (blocks != null) {
      blocks.audit(audit, ledger.nodes());
      memo.audit(audit, ledger, blocks);
    }
  }
}
