package io.lighthouse.tests.referee;

import io.lighthouse.api.Condition;
import io.lighthouse.tests.referee.Books.Entry;
import java.util.List;
import java.util.function.Predicate;

/** Conditions on a node. */
final class Conditions {
  private static final Cases<Condition, Predicate<Entry>> KINDS =
      Cases.<Condition, Predicate<Entry>>of(Condition.class)
          .on(
              Condition.In.class,
              in -> node -> node.at(in.level()).filter(in.names()::contains).isPresent())
          .on(
              Condition.NotIn.class,
              not -> node -> node.at(not.level()).filter(not.names()::contains).isEmpty())
          .on(Condition.Somewhere.class, level -> node -> node.at(level.level()).isPresent())
          .on(Condition.Nowhere.class, level -> node -> node.at(level.level()).isEmpty())
          .on(Condition.Has.class, has -> node -> holds(has, node))
          .on(
              Condition.Lacks.class,
              lacks -> node -> !node.account.capacity.containsKey(lacks.resource()))
          .on(
              Condition.Any.class,
              any -> node -> any.lists().stream().anyMatch(list -> allHold(list, node)))
          .complete();

  private Conditions() {}

  static boolean hold(Condition condition, Entry node) {
    return KINDS.apply(condition).test(node);
  }

  static boolean allHold(List<Condition> conditions, Entry node) {
    return conditions.stream().allMatch(condition -> hold(condition, node));
  }

  private static boolean holds(Condition.Has has, Entry node) {
    Amount capacity = node.account.capacity.get(has.resource());
    return capacity != null
        && capacity.toQuantity().compareTo(has.least()) >= 0
        && capacity.toQuantity().compareTo(has.most()) <= 0;
  }
}
