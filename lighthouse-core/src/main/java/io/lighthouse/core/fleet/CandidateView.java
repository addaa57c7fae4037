package io.lighthouse.core.fleet;

import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.core.feasibility.Finder;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.NodeTable;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The candidates of one turn, answered by the finder.
 *
 * <p>A placer is called only where some node fits. To know that, the view runs the first query of
 * the strategy's last turn beforehand, and keeps its result. A strategy that always makes the same
 * query thus costs one search a turn, not two. The guess changes the cost only.
 */
final class CandidateView implements Candidates {
  /** The questions that can be guessed. */
  private enum Question {
    FIRST,
    AFTER,
    ORDERED
  }

  private final FleetView fleet;
  private final Finder finder;

  /** The session that these belong to; null where a turn opens and closes them. */
  private final SessionView session;

  /** Null while no turn is open. */
  private Demand demand;

  private boolean none;

  /** Whether only friendly nodes are candidates. */
  private boolean friendly;

  /** The question put beforehand at this turn, and at the next one. */
  private Question guess = Question.FIRST;

  private Question nextGuess = Question.FIRST;

  /** The orders that belong to them where they are ordered; else whatever was there. */
  private OrderView guessedOrder;

  private OrderView nextOrder;

  /** Where the guessed question began, and what it found. */
  private int from;

  private int found;

  private boolean asked;

  /** How many changes the session had seen. */
  private long opened;

  /** Counts the turns, so that an iterator knows its own. */
  private int turn;

  CandidateView(FleetView fleet, SessionView session) {
    this.fleet = fleet;
    this.session = session;
    finder = fleet.finder;
  }

  /** Opens a turn; returns whether any node fits. */
  boolean open(Demand wanted) {
    demand = wanted;
    asked = false;
    opened = session == null ? 0 : session.changes();
    turn++;
    guess = nextGuess;
    guessedOrder = nextOrder;
    from = guess == Question.AFTER ? behind(fleet.ledger.lastPlaced()) : 0;
    found =
        demand.requiresMissingResource()
            ? NodeTable.NONE
            : guess == Question.ORDERED ? find(guessedOrder) : find(from);
    none = found == NodeTable.NONE;
    friendly = !none && !fleet.finder.averse(found, demand);
    return !none;
  }

  void close() {
    demand = null;
  }

  /** What was found when the turn opened: a node that fits and is a candidate. */
  int found() {
    return found;
  }

  /** Whether a node that fits is a candidate. */
  boolean offers(int node) {
    return fleet.finder.isCandidate(node, demand, friendly);
  }

  @Override
  public FleetNode first() {
    return begin(0, Question.FIRST);
  }

  @Override
  public FleetNode firstAfter(int index) {
    if (index < -1 || index >= fleet.size()) {
      throw new IndexOutOfBoundsException(
          "node " + index + " of a fleet of " + fleet.size() + " nodes");
    }
    return begin(behind(index < 0 ? index : fleet.slot(index)), Question.AFTER);
  }

  @Override
  public FleetNode first(NodeOrder order) {
    if (!(order instanceof OrderView view) || view.fleet != fleet) {
      throw new IllegalArgumentException("the order is not of this fleet");
    }
    checkQuestion();
    boolean known =
        guess == Question.ORDERED
            && guessedOrder.order == view.order
            && guessedOrder.descending == view.descending;
    learn(Question.ORDERED, view);
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
    checkQuestion();
    try {
      return node(none ? NodeTable.NONE : fleet.loads(rule).best(demand, friendly));
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
    checkQuestion();
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

  private FleetNode begin(int at, Question question) {
    checkQuestion();
    boolean known = none || (guess != Question.ORDERED && from == at);
    learn(question, null);
    return node(known ? found : find(at));
  }

  private int find(int at) {
    try {
      return finder.first(demand, at);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  private int find(OrderView order) {
    try {
      return finder.first(demand, order.order, order.descending);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  private int next(int at) {
    try {
      return finder.nextCandidate(demand, at, friendly);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  /** Remembers the first question of a turn for the next; a later one is answered anew. */
  private void learn(Question question, OrderView order) {
    if (!asked) {
      asked = true;
      nextGuess = question;
      nextOrder = order;
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
  private void checkQuestion() {
    Engine.checkNotInterrupted();
    checkOpen();
  }

  private void checkOpen() {
    if (demand == null) {
      throw new IllegalStateException("the turn of these candidates has ended");
    }
    if (session != null && session.changes() != opened) {
      throw new IllegalStateException(
          "the state has changed since these candidates were asked for");
    }
  }
}
