package io.lighthouse.strategies.packing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.Session;
import java.lang.reflect.Proxy;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each workload requires the tag of a node of its own. */
class FitsTest {
  /** A byte for each pair of 40,000 kinds is more memory than tests have. */
  @ParameterizedTest
  @ValueSource(ints = {3, 40_000})
  void aNodeAllowsWhatRequiresItsTag(int count) {
    Fits fits = new Fits(session(count), fleet(count));

    assertThat(IntStream.range(0, count)).allMatch(at -> fits.allows(at, at));
    assertThat(IntStream.range(1, count)).noneMatch(at -> fits.allows(at, at - 1));
    int[] some = {2, 0};
    Fits part = new Fits(fits, some, some);
    assertThat(part.allows(1, 1)).isTrue();
    assertThat(part.allows(0, 1)).isFalse();
  }

  private static Session session(int count) {
    return fake(
        Session.class,
        (method, at) ->
            method.equals("size") ? count : Workload.of("w" + at, Resources.of("tag-" + at, 0)));
  }

  private static Fleet fleet(int count) {
    return fake(
        Fleet.class,
        (method, at) ->
            method.equals("size")
                ? count
                : fake(FleetNode.class, (of, none) -> Resources.of("tag-" + at, 0)));
  }

  private static <T> T fake(Class<T> type, BiFunction<String, Object, Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                answer.apply(method.getName(), arguments == null ? null : arguments[0])));
  }
}
