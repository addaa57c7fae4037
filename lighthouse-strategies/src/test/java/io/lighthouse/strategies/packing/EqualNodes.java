package io.lighthouse.strategies.packing;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Amounts;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.Session;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;

/** Boards of equal, empty nodes with two resources, which are ahead of a session of no use. */
final class EqualNodes {
  private static final List<String> RESOURCES = List.of("cpu", "license");

  private EqualNodes() {}

  /**
   * A board.
   *
   * @param nodes how many nodes
   * @param license the amount of the second resource; of the first, a node has 100
   */
  static Board board(int nodes, long license, List<Workload> batch) {
    Amounts amounts = amounts(license);
    FleetNode node =
        fake(
            FleetNode.class,
            Map.of("placedCount", 0, "capacity", Resources.of("cpu", 100, "license", 1)));
    Fleet fleet = fake(Fleet.class, Map.of("amounts", amounts, "size", nodes, "node", node));
    Board board = new Board(fleet, session(batch), 1_000_000);
    board.goAhead();
    return board;
  }

  /** A workload that requires both resources. */
  static Workload workload(int cpu, int license) {
    return Workload.of("w", Resources.of("cpu", cpu, "license", license));
  }

  private static Amounts amounts(long license) {
    return new Amounts() {
      @Override
      public int ids() {
        return RESOURCES.size();
      }

      @Override
      public String resource(int id) {
        return RESOURCES.get(id);
      }

      @Override
      public int digits(int id) {
        return 0;
      }

      @Override
      public void left(int node, long[] into) {
        into[0] = 100;
        into[1] = license;
      }

      @Override
      public void capacity(int node, long[] into) {
        left(node, into);
      }
    };
  }

  private static Session session(List<Workload> batch) {
    return (Session)
        Proxy.newProxyInstance(
            Session.class.getClassLoader(),
            new Class<?>[] {Session.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "over" -> false;
                  case "size" -> batch.size();
                  case "workload" -> batch.get((int) arguments[0]);
                  case "required" -> {
                    Resources required = batch.get((int) arguments[0]).requirements();
                    for (int id = 0; id < RESOURCES.size(); id++) {
                      ((long[]) arguments[1])[id] =
                          required
                              .get(RESOURCES.get(id))
                              .map(amount -> Long.parseLong(amount.toString()))
                              .orElse(Amounts.ABSENT);
                    }
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static <T> T fake(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answers.get(method.getName())));
  }
}
