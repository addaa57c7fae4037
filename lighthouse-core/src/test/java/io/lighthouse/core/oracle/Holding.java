package io.lighthouse.core.oracle;

import io.lighthouse.api.Condition;

/** Whether a condition holds for a node. */
record Holding(Spot spot, Fault fault) implements Condition.Cases<Boolean> {
  @Override
  public Boolean in(Condition.In in) {
    return spot.at(in.level()) != null && in.names().contains(spot.at(in.level()));
  }

  @Override
  public Boolean notIn(Condition.NotIn not) {
    return spot.at(not.level()) == null
        ? fault != Fault.TAKES_NOWHERE_FOR_SOMEWHERE_ELSE
        : !not.names().contains(spot.at(not.level()));
  }

  @Override
  public Boolean somewhere(Condition.Somewhere somewhere) {
    return spot.at(somewhere.level()) != null;
  }

  @Override
  public Boolean nowhere(Condition.Nowhere nowhere) {
    return spot.at(nowhere.level()) == null;
  }

  @Override
  public Boolean has(Condition.Has has) {
    Nanos capacity =
        fault == Fault.LOOKS_AT_WHAT_IS_LEFT_IN_A_CONDITION
            ? spot.account.left.get(has.resource())
            : spot.account.capacity.get(has.resource());
    return capacity != null
        && capacity.quantity().compareTo(has.least()) >= 0
        && capacity.quantity().compareTo(has.most()) <= 0;
  }

  @Override
  public Boolean lacks(Condition.Lacks lacks) {
    return !spot.account.capacity.containsKey(lacks.resource());
  }

  @Override
  public Boolean any(Condition.Any any) {
    return any.lists().stream()
        .anyMatch(list -> list.stream().allMatch(condition -> condition.match(this)));
  }
}
