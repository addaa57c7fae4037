package io.lighthouse.core.view;

import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.constraint.Within;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.load.LoadRule;
import io.lighthouse.core.search.Finder;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The candidates of one turn, answered by the finder.
 *
 * <p>A placer is called only where some node fits. To know that, the view runs the first query of
 * the strategy's last turn beforehand, and keeps its result. A strategy that always makes the same
 * query thus costs one search a turn, not two. The guess changes the cost only.
 *
 * <p>Without the guess, {@code BatchBenchmark} (round robin, 10,000 nodes) took 1.5 times as long
 * on 2026-11-24.
 */
public final class CandidateView implements Candidates {
  private final FleetView fleet;
  private final Finder finder;

  /** Counts what ends the turn of these candidates, such as changes of a session. */
  private final LongSupplier changes;

  /** Is notified when a query has been bound again. */
  private final Consumer<CandidateView> rebound;

  /** What the workload needs; null while no turn is open. */
  private Demand demand;

  private Within within;

  /** The query of the workload; null where it has been given back. */
  private Query query;

  private boolean none;

  /** Whether only friendly nodes are candidates. */
  private boolean friendly;

  /** The order of the query that was run beforehand; null for the order of nodes. */
  private OrderView guessedOrder;

  /** The same for the next turn, and whether it then begins behind the node placed on last. */
  private OrderView nextOrder;

  private boolean nextIsAfter;

  /** Where the guessed query began in the order of nodes, and what it found. */
  private int from;

  private int found;

  private boolean asked;

  /** The number of changes when the turn opened. */
  private long opened;

  /** Counts the turns, so that an iterator knows its own. */
  private int turn;

  /**
   * Candidates of no turn yet.
   *
   * @param changes counts what ends a turn without {@link #close}
   * @param rebound is notified when a query that was given back has been bound again
   */
  public CandidateView(FleetView fleet, LongSupplier changes, Consumer<CandidateView> rebound) {
    this.fleet = fleet;
    this.changes = changes;
    this.rebound = rebound;
    finder = fleet.finder;
  }

  /** Opens a turn of the workload of a query; returns whether some node fits. */
  public boolean open(Query bound) {
    query = bound;
    demand = bound.demand();
    within = bound.within();
    asked = false;
    opened = changes.getAsLong();
    turn++;
    guessedOrder = nextOrder;
    from = nextIsAfter ? behind(fleet.ledger.lastPlaced()) : 0;
    found = guessedOrder != null ? find(guessedOrder) : find(from);
    none = found == NodeTable.NONE;
    friendly = !none && !query.averse(found);
    return !none;
  }

  /** Ends the turn. The query is its caller's to close. */
  public void close() {
    query = null;
    demand = null;
  }

  /** Closes the query for now. It is bound again when the candidates are next used. */
  public void release() {
    if (query != null) {
      query.close();
      query = null;
    }
  }

  /**
   * What was found when the turn opened: a node that fits and is a candidate, or {@link
   * NodeTable#NONE}.
   */
  public int found() {
    return found;
  }

  /** Whether a node that fits is a candidate, and not averse while a friendly node fits. */
  public boolean offers(int node) {
    return finder.isCandidate(query, node, friendly);
  }

  @Override
  public FleetNode first() {
    return begin(0, false);
  }

  @Override
  public FleetNode firstAfter(int index) {
    return begin(behind(index == -1 ? -1 : fleet.slot(index)), true);
  }

  @Override
  public FleetNode first(NodeOrder order) {
    if (!(order instanceof OrderView view) || view.fleet != fleet) {
      throw new IllegalArgumentException("the order is not of this fleet");
    }
    checkQueryAllowed();
    boolean known =
        guessedOrder != null
            && guessedOrder.order == view.order
            && guessedOrder.descending == view.descending;
    record(view, false);
    return node(known || none ? found : find(view));
  }

  @Override
  public FleetNode emptiest() {
    return least(LoadRule.FULLEST);
  }

  @Override
  public FleetNode mostEven() {
    return least(LoadRule.VARIANCE);
  }

  private FleetNode least(LoadRule rule) {
    checkQueryAllowed();
    try {
      return node(none ? NodeTable.NONE : fleet.loads(rule).best(query, found, friendly));
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  @Override
  public FleetNode best(Comparator<? super FleetNode> comparator) {
    FleetNode best = NodeView.DECLINED;
    for (FleetNode candidate : this) {
      if (best == NodeView.DECLINED || comparator.compare(candidate, best) < 0) {
        best = candidate;
      }
    }
    return best;
  }

  @Override
  public FleetNode decline() {
    return NodeView.DECLINED;
  }

  @Override
  public Iterator<FleetNode> iterator() {
    checkQueryAllowed();
    int own = turn;
    return new Iterator<>() {
      private int next = none ? NodeTable.NONE : CandidateView.this.next(0);

      @Override
      public boolean hasNext() {
        return next != NodeTable.NONE;
      }

      @Override
      public FleetNode next() {
        checkOpen();
        if (turn != own) {
          throw new IllegalStateException("the candidates are of an earlier turn");
        }
        if (next == NodeTable.NONE) {
          throw new NoSuchElementException("no more candidates");
        }
        FleetNode node = fleet.at(next);
        next = CandidateView.this.next(next + 1);
        return node;
      }
    };
  }

  private FleetNode begin(int at, boolean after) {
    checkQueryAllowed();
    boolean known = none || (guessedOrder == null && from == at);
    record(null, after);
    return node(known ? found : find(at));
  }

  private int find(int at) {
    try {
      return finder.first(query, at);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  private int find(OrderView order) {
    try {
      return finder.first(query, order.order, order.descending);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  private int next(int at) {
    try {
      return finder.nextCandidate(query, at, friendly);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  /** Records the first query of a turn as the guess for the next turn. */
  private void record(OrderView order, boolean after) {
    if (!asked) {
      asked = true;
      nextOrder = order;
      nextIsAfter = after;
    }
  }

  /** Where a search after a slot begins. */
  private int behind(int slot) {
    return slot + 1 == fleet.ledger.nodes().slotCount() ? 0 : slot + 1;
  }

  private FleetNode node(int slot) {
    return slot == NodeTable.NONE ? NodeView.DECLINED : fleet.at(slot);
  }

  /** Checks that a query is allowed; not repeated for every node of an iteration. */
  private void checkQueryAllowed() {
    Interruption.check();
    checkOpen();
  }

  private void checkOpen() {
    if (demand == null) {
      throw new IllegalStateException("the turn of these candidates has ended");
    }
    if (changes.getAsLong() != opened) {
      throw new IllegalStateException(
          "the state has changed since these candidates were asked for");
    }
    if (query == null || !query.isCurrent()) { // Or the session has tried something out.
      release();
      try {
        query = finder.bind(demand, within);
      } catch (RuntimeException | Error broken) {
        throw fleet.broken(broken);
      }
      rebound.accept(this);
    }
  }
}
