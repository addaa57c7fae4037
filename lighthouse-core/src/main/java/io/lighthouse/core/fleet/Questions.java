package io.lighthouse.core.fleet;

import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/** The candidates of one turn, which note what the strategy asks of them and what is answered. */
final class Questions implements Candidates {
  /**
   * A question. The answer is null where the strategy read the candidates by itself.
   *
   * @param after for a turn the index of the node that it begins behind; else -1
   * @param kept for a score the order; else null
   * @param comparator null where there is none
   */
  record Question(
      Choice.Order order,
      int after,
      OrderView kept,
      Comparator<? super FleetNode> comparator,
      FleetNode answer) {
    /** One that needs nothing but its order. */
    static Question of(Choice.Order order, FleetNode answer) {
      return new Question(order, -1, null, null, answer);
    }
  }

  private final CandidateView candidates;

  /** In the order in which they came. */
  private final List<Question> asked = new ArrayList<>();

  /** Of a strategy that chooses at this turn, or that places whole batches and is not asked. */
  Questions(CandidateView candidates, boolean batch) {
    this.candidates = candidates;
    if (batch) {
      note(Question.of(Choice.Order.BATCH, null));
    }
  }

  /** The last question that was answered with a node, or that the strategy answered by itself. */
  Question answeredWith(FleetNode chosen) {
    for (int i = asked.size() - 1; i >= 0; i--) {
      if (asked.get(i).answer() == chosen || asked.get(i).answer() == null) {
        return asked.get(i);
      }
    }
    return Question.of(Choice.Order.STRATEGY, null);
  }

  private FleetNode note(Question question) {
    asked.add(question);
    return question.answer();
  }

  @Override
  public FleetNode first() {
    return note(Question.of(Choice.Order.NODES, candidates.first()));
  }

  @Override
  public FleetNode firstAfter(int index) {
    FleetNode answer = candidates.firstAfter(index);
    return note(new Question(Choice.Order.TURN, index, null, null, answer));
  }

  @Override
  public FleetNode first(NodeOrder order) {
    FleetNode answer = candidates.first(order); // Refuses an order that is not of this fleet.
    return note(new Question(Choice.Order.SCORE, -1, (OrderView) order, null, answer));
  }

  @Override
  public FleetNode emptiest() {
    return note(Question.of(Choice.Order.FULLEST, candidates.emptiest()));
  }

  @Override
  public FleetNode mostEven() {
    return note(Question.of(Choice.Order.VARIANCE, candidates.mostEven()));
  }

  @Override
  public FleetNode best(Comparator<? super FleetNode> comparator) {
    FleetNode answer = candidates.best(comparator);
    return note(
        comparator instanceof OrderView kept
            ? new Question(Choice.Order.SCORE, -1, kept, null, answer)
            : new Question(Choice.Order.COMPARATOR, -1, null, comparator, answer));
  }

  @Override
  public FleetNode decline() {
    return candidates.decline();
  }

  @Override
  public Iterator<FleetNode> iterator() {
    note(Question.of(Choice.Order.STRATEGY, null));
    return candidates.iterator();
  }
}
