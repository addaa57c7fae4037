package io.lighthouse.core.engine;

import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.core.view.CandidateView;
import io.lighthouse.core.view.OrderView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/** The candidates of one turn. They record the queries of the strategy, and the answers. */
final class RecordedCandidates implements Candidates {
  /**
   * A query. The answer is null where the strategy read the candidates by itself.
   *
   * @param after for a turn the index of the node that it begins behind; else -1
   * @param kept for a score the order; else null
   * @param comparator null where there is none
   */
  record Query(
      Choice.Order order,
      int after,
      OrderView kept,
      Comparator<? super FleetNode> comparator,
      FleetNode answer) {
    /** One that needs nothing but its order. */
    static Query of(Choice.Order order, FleetNode answer) {
      return new Query(order, -1, null, null, answer);
    }
  }

  private final CandidateView candidates;

  /** In the order of the calls. */
  private final List<Query> queries = new ArrayList<>();

  /** For a strategy that chooses at this turn, or one that places whole batches at once. */
  RecordedCandidates(CandidateView candidates, boolean batch) {
    this.candidates = candidates;
    if (batch) {
      record(Query.of(Choice.Order.BATCH, null));
    }
  }

  /** The last query that was answered with a node, or that the strategy answered by itself. */
  Query answeredWith(FleetNode chosen) {
    for (int i = queries.size() - 1; i >= 0; i--) {
      if (queries.get(i).answer() == chosen || queries.get(i).answer() == null) {
        return queries.get(i);
      }
    }
    return Query.of(Choice.Order.STRATEGY, null);
  }

  private FleetNode record(Query query) {
    queries.add(query);
    return query.answer();
  }

  @Override
  public FleetNode first() {
    return record(Query.of(Choice.Order.NODES, candidates.first()));
  }

  @Override
  public FleetNode firstAfter(int index) {
    FleetNode answer = candidates.firstAfter(index);
    return record(new Query(Choice.Order.TURN, index, null, null, answer));
  }

  @Override
  public FleetNode first(NodeOrder order) {
    FleetNode answer = candidates.first(order); // Refuses an order that is not of this fleet.
    return record(new Query(Choice.Order.SCORE, -1, (OrderView) order, null, answer));
  }

  @Override
  public FleetNode emptiest() {
    return record(Query.of(Choice.Order.FULLEST, candidates.emptiest()));
  }

  @Override
  public FleetNode mostEven() {
    return record(Query.of(Choice.Order.VARIANCE, candidates.mostEven()));
  }

  @Override
  public FleetNode best(Comparator<? super FleetNode> comparator) {
    FleetNode answer = candidates.best(comparator);
    return record(
        comparator instanceof OrderView kept
            ? new Query(Choice.Order.SCORE, -1, kept, null, answer)
            : new Query(Choice.Order.COMPARATOR, -1, null, comparator, answer));
  }

  @Override
  public FleetNode decline() {
    return candidates.decline();
  }

  @Override
  public Iterator<FleetNode> iterator() {
    record(Query.of(Choice.Order.STRATEGY, null));
    return candidates.iterator();
  }
}
