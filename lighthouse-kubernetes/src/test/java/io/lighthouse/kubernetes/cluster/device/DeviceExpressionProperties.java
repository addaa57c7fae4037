package io.lighthouse.kubernetes.cluster.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.device.RandomExpressions.Case;
import io.lighthouse.kubernetes.cluster.device.RandomExpressions.Fault;
import io.lighthouse.kubernetes.cluster.device.RandomExpressions.Tree;
import io.lighthouse.kubernetes.cluster.device.RandomExpressions.Value;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Random expressions against an oracle. {@link RandomExpressions} writes an expression, and
 * computes its value by rules of its own while it does.
 */
class DeviceExpressionProperties {
  private static final int SEEDS = 3000;

  @Property(shrinking = ShrinkingMode.OFF)
  void agreesWithTheOracle(@ForAll long seed) {
    RandomExpressions maker = new RandomExpressions(seed, Fault.NONE);
    Tree tree = maker.root();
    assertThat(agrees(maker, tree)).as("%s is %s of %s", tree.text(), tree.value(), maker).isTrue();
  }

  @Example
  void everyFaultOfTheOracleIsNoticed() {
    for (Fault fault : EnumSet.complementOf(EnumSet.of(Fault.NONE))) {
      boolean noticed =
          LongStream.range(0, SEEDS)
              .mapToObj(seed -> new RandomExpressions(seed, fault))
              .anyMatch(maker -> !agrees(maker, maker.root()));
      assertThat(noticed).as("%s is noticed", fault).isTrue();
    }
  }

  @Example
  void everyCaseIsCovered() {
    Map<Case, Integer> counts = new EnumMap<>(Case.class);
    for (int seed = 0; seed < SEEDS; seed++) {
      RandomExpressions maker = new RandomExpressions(seed, Fault.NONE);
      Tree tree = maker.root();
      maker.cases.add(
          tree.value() == Value.ERROR
              ? Case.ERROR
              : !(tree.value() instanceof Boolean value)
                  ? Case.NO_BOOLEAN
                  : value ? Case.TRUE : Case.FALSE);
      maker.cases.forEach(one -> counts.merge(one, 1, Integer::sum));
    }
    for (Case one : Case.values()) {
      assertThat(counts.getOrDefault(one, 0)).as("%s in %s", one, counts).isGreaterThan(SEEDS / 50);
    }
  }

  /** Negated, an expression that is false matches, and one that fails does not. */
  private static boolean agrees(RandomExpressions maker, Tree tree) {
    return DeviceExpression.parse(tree.text()).matches(maker) == tree.value().equals(true)
        && DeviceExpression.parse("!(" + tree.text() + ")").matches(maker)
            == tree.value().equals(false);
  }
}
