package io.lighthouse.tests.builtin;

import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** {@code pack}, which places small batches in the way of large ones: in parts. */
public final class PackInParts {
  private PackInParts() {}

  /**
   * Makes the strategy.
   *
   * @param pairs a batch with more pairs of a node and a workload is large
   */
  public static PlacementStrategy above(long pairs) {
    try {
      Constructor<? extends PlacementStrategy> constructor =
          Distributors.installed().find("pack").getClass().getDeclaredConstructor(long.class);
      constructor.setAccessible(true);
      return constructor.newInstance(pairs);
    } catch (ReflectiveOperationException wrong) {
      throw new IllegalStateException(wrong);
    }
  }

  /**
   * The same with a session of one's own.
   *
   * @param place given the placer and its session
   */
  public static PlacementStrategy above(long pairs, BiConsumer<BatchPlacer, Session> place) {
    PlacementStrategy pack = above(pairs);
    return new PlacementStrategy() {
      @Override
      public String name() {
        return pack.name();
      }

      @Override
      public List<Setting> settings() {
        return pack.settings();
      }

      @Override
      public boolean sequential() {
        return false;
      }

      @Override
      public Placer newPlacer(Fleet fleet, Settings settings) {
        BatchPlacer placer = (BatchPlacer) pack.newPlacer(fleet, settings);
        return (BatchPlacer) session -> place.accept(placer, session);
      }
    };
  }

  /**
   * A session with some other answers.
   *
   * @param answer given the name of a method, what it returns; empty where the session answers
   */
  public static Session altered(Session session, Function<String, Optional<Object>> answer) {
    return (Session)
        Proxy.newProxyInstance(
            Session.class.getClassLoader(),
            new Class<?>[] {Session.class},
            (self, method, arguments) -> {
              Optional<Object> other = answer.apply(method.getName());
              try {
                return other.isPresent() ? other.get() : method.invoke(session, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  /** How many workloads of a session are placed. */
  public static int placed(Session session) {
    return (int) IntStream.range(0, session.size()).filter(i -> session.nodeOf(i) >= 0).count();
  }

  /** Places all others, each on the first node that it fits. */
  public static void placeTheRest(Session session) {
    for (int i = 0; i < session.size(); i++) {
      if (session.nodeOf(i) < 0) {
        session.assign(i, session.candidates(i).first().index());
      }
    }
  }
}
