package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The range of amounts at its very ends, on every way in, at every scale. 2^62 - 1 units are
 * accepted, and 2^62 are not. Neither are -2^63, whose magnitude is no long, or what is beyond.
 */
class RangeEndsTest {
  private static final BigInteger LIMIT = BigInteger.ONE.shiftLeft(62);
  private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
  private static final List<BigInteger> OUT =
      List.of(
          LIMIT,
          LIMIT.negate(),
          LEAST,
          LEAST.add(BigInteger.ONE),
          LEAST.subtract(BigInteger.ONE),
          LEAST.negate(),
          BigInteger.valueOf(Long.MAX_VALUE),
          BigInteger.ONE.shiftLeft(64));

  static IntStream digits() {
    return IntStream.rangeClosed(0, 9);
  }

  private static Distributor fleet() {
    return Distributors.of(LivingFleet.roundRobin())
        .nodes(Node.of("n", Resources.of("mem", "inf")), Node.of("ward", Resources.of("x", "-inf")))
        .build();
  }

  private static Quantity quantity(BigInteger units, int digits) {
    return Quantity.of(new BigDecimal(units, digits));
  }

  private static Workload workload(String name, Quantity mem) {
    return Workload.of(name, Resources.of("mem", mem));
  }

  /** Every way by which a quantity comes in, by name. */
  private static Map<String, Consumer<Distributor>> ways(Quantity quantity) {
    Resources resources = Resources.of("mem", quantity);
    Node node = Node.of("new", resources);
    Workload workload = workload("w", quantity);
    Workload plain = workload("plain", Quantity.ZERO);
    Map<String, Consumer<Distributor>> ways = new LinkedHashMap<>();
    ways.put(
        "a fleet's node", any -> Distributors.of(LivingFleet.roundRobin()).nodes(node).build());
    ways.put("a new node", fleet -> fleet.addNode(node));
    ways.put("a resize", fleet -> fleet.resize("n", resources));
    ways.put("a workload", fleet -> fleet.assign(workload));
    ways.put("one of a batch", fleet -> fleet.assign(plain, workload));
    ways.put(
        "all or nothing",
        fleet -> fleet.assign(List.of(workload, plain), AssignOption.ALL_OR_NOTHING));
    ways.put("fitting", fleet -> fleet.fitting(workload));
    ways.put("an explanation", fleet -> fleet.explain(workload));
    ways.put("one explained in a batch", fleet -> fleet.explain(0, List.of(plain, workload)));
    ways.put("a node as a change", fleet -> fleet.apply(new Change.AddNode(node)));
    ways.put("a resize as a change", fleet -> fleet.apply(new Change.Resize("n", resources)));
    ways.put("a workload as a change", fleet -> fleet.apply(new Change.Assign(workload, "n")));
    ways.put(
        "a workload tried out",
        fleet -> fleet.tryOut(List.of(new Change.Assign(workload, "n")), tried -> null));
    ways.put(
        "a question about it", fleet -> fleet.tryOut(List.of(), tried -> tried.assign(workload)));
    return ways;
  }

  private static List<Object> state(Distributor distributor) {
    Snapshot now = distributor.snapshot();
    return List.of(now.nodes(), now.lastPlaced(), now.placedCount(), now.generation());
  }

  @ParameterizedTest
  @MethodSource("digits")
  void whatIsOutIsRefusedOnEveryWayAndChangesNothing(int digits) {
    for (BigInteger units : OUT) {
      Quantity quantity = quantity(units, digits);
      ways(quantity)
          .forEach(
              (way, in) -> {
                Distributor fleet = fleet();
                List<Object> before = state(fleet);
                assertThatThrownBy(() -> in.accept(fleet))
                    .as(way + " of " + quantity)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("2^62 / 10^" + digits);
                assertThat(state(fleet)).isEqualTo(before);
              });
    }
  }

  @ParameterizedTest
  @MethodSource("digits")
  void whatIsJustInIsAccountedExactlyOnEveryWay(int digits) {
    for (BigInteger units :
        List.of(LIMIT.subtract(BigInteger.ONE), BigInteger.ONE.subtract(LIMIT))) {
      Quantity quantity = quantity(units, digits);
      ways(quantity)
          .forEach(
              (way, in) -> {
                Distributor fleet = fleet();
                in.accept(fleet);
                for (NodeState node : fleet.snapshot().nodes()) {
                  assertThat(node.left().get("mem").orElse(Quantity.INFINITY))
                      .as(way)
                      .isIn(Quantity.INFINITY, quantity);
                }
              });
    }
  }

  /** Their sum would wrap round to 0. */
  @ParameterizedTest
  @MethodSource("digits")
  void twoThatAreOutDoNotMakeUpForEachOther(int digits) {
    Quantity least = quantity(LEAST, digits);
    Distributor fleet = fleet();
    assertThatThrownBy(() -> fleet.assign(workload("a", least), workload("b", least)))
        .isInstanceOf(InvalidInputException.class);
    Node brings =
        Node.of("new", Resources.of("mem", 0))
            .withWorkloads(workload("a", least), workload("b", least));
    assertThatThrownBy(() -> fleet.addNode(brings)).isInstanceOf(InvalidInputException.class);
    Quantity half = quantity(LIMIT.shiftRight(1), digits);
    assertThatThrownBy(() -> fleet.assign(workload("a", half), workload("b", half)))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> fleet.assign(workload("a", half), workload("b", half.negated())))
        .as("magnitudes count")
        .isInstanceOf(InvalidInputException.class);
    assertThat(fleet.snapshot().placedCount()).isZero();
  }

  /** At one digit the most that there can be of whole units is a tenth. */
  @Test
  void aFinerQuantityElsewhereNarrowsTheRange() {
    for (int digits = 1; digits <= 9; digits++) {
      Quantity in =
          Quantity.of(
              new BigDecimal(LIMIT, digits).toBigInteger().subtract(BigInteger.ONE).toString());
      Quantity finest = quantity(BigInteger.ONE, digits);
      Distributor fleet = fleet();
      fleet.assign(workload("fine", finest));
      Quantity out = Quantity.of(in.toBigDecimal().add(BigDecimal.valueOf(2)));
      assertThatThrownBy(() -> fleet.assign(workload("out", out)))
          .as("digits " + digits)
          .isInstanceOf(InvalidInputException.class);
      assertThat(fleet.assign(workload("in", in)).allPlaced()).isTrue();
    }
  }

  /** Minus 2^63 as it is was taken for a ward. */
  @Test
  void theLeastLongIsNoWard() {
    assertThatThrownBy(() -> fleet().addNode(Node.of("m", Resources.of("y", Long.MIN_VALUE))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll("node 'm'", "resources.y is -9223372036854775808");
  }
}
