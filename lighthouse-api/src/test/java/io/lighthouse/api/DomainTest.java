package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Inventory;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Domains, units and inventories: valid and refused values at the limits. */
class DomainTest {
  private static final Resources POWER = Resources.of("power", 5);

  private static void refuses(ThrowingCallable made, String... words) {
    assertThatThrownBy(made)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void aDomainIsOfAnyLevelButThatOfNodes() {
    assertThat(Domain.of("rack", "r1", POWER).cordoned()).isFalse();
    assertThat(Domain.of("rack", "r1", POWER).asCordoned().cordoned()).isTrue();
    assertThat(Domain.of("Node", "n1", POWER).level()).isEqualTo("Node");
    refuses(() -> Domain.of("node", "n1", POWER), "domain 'n1' of level 'node'", "level");
    refuses(() -> Domain.of("", "r1", POWER), "domain", "level");
    refuses(() -> Domain.of("rack", "", POWER), "domain", "name");
  }

  @Test
  void theFleetIsOneDomainOfOneName() {
    assertThat(Domain.of("fleet", "fleet", POWER).name()).isEqualTo("fleet");
    refuses(() -> Domain.of("fleet", "f", POWER), "name", "'f'", "'fleet'");
  }

  @Test
  void unitsAreOfItsResourcesAndThoseThatSayNothingAreLeftOut() {
    Unit even = new Unit(Quantity.of(2), Quantity.INFINITY, Quantity.of(2));
    Domain rack = new Domain("rack", "r1", POWER, Map.of("power", even), false);
    assertThat(rack.units()).containsOnly(Map.entry("power", even));
    assertThat(rack.asCordoned().units()).isEqualTo(rack.units());
    assertThat(new Domain("rack", "r1", POWER, Map.of("power", Unit.ANY), false).units()).isEmpty();
    refuses(
        () -> new Domain("rack", "r1", POWER, Map.of("heat", Unit.ANY), false),
        "units",
        "'heat'",
        "one of its resources");
  }

  @Test
  void aStateIsWrittenOutAsWhatIsLeft() {
    DomainState state =
        new DomainState("rack", "r1", POWER, Resources.of("power", 1), Map.of(), true);
    assertThat(state.toDomain())
        .isEqualTo(Domain.of("rack", "r1", Resources.of("power", 1)).asCordoned());
    refuses(
        () -> new DomainState("rack", "r1", POWER, POWER, Map.of("heat", Unit.ANY), false),
        "units",
        "'heat'");
  }

  @Test
  void aUnitIsRefusedBeyondItsEnds() {
    Quantity one = Quantity.of(1);
    Quantity least = Quantity.of("1e-9");
    assertThat(new Unit(one, one, one).allows(one)).isTrue();
    assertThat(new Unit(Quantity.ZERO, least, Quantity.ZERO).max()).isEqualTo(least);
    refuses(() -> new Unit(Quantity.of("-1e-9"), one, one), "unit", "min");
    refuses(() -> new Unit(Quantity.INFINITY, Quantity.INFINITY, one), "unit", "min");
    refuses(() -> new Unit(Quantity.ZERO, Quantity.ZERO, one), "unit", "max");
    refuses(() -> new Unit(Quantity.ZERO, one, Quantity.of(-1)), "unit", "step");
    refuses(() -> new Unit(Quantity.ZERO, one, Quantity.INFINITY), "unit", "step");
    refuses(() -> new Unit(Quantity.of(2), one, one), "unit", "min", "at most max, which is 1");
  }

  @Test
  void aUnitAllowsFromLeastToMostInWholeSteps() {
    Unit unit = new Unit(Quantity.of("0.5"), Quantity.of(2), Quantity.of("0.5"));
    for (String good : List.of("0.5", "1", "1.5", "2", "0", "-0.3")) {
      assertThat(unit.allows(Quantity.of(good))).as(good).isTrue();
    }
    for (String bad : List.of("0.499999999", "0.500000001", "0.75", "2.000000001", "2.5")) {
      assertThat(unit.allows(Quantity.of(bad))).as(bad).isFalse();
    }
    assertThat(Unit.ANY.allows(Quantity.of("1e-12"))).isTrue();
  }

  @Test
  void anInventoryIsWhatIsNotReservedTimesItsRatioRoundedDown() {
    assertThat(Inventory.ofTotal(32).reserved(2).ratio(4).quantity()).isEqualTo(Quantity.of(120));
    assertThat(Inventory.ofTotal(1).reserved(2).quantity()).isEqualTo(Quantity.of(-1));
    assertThat(Inventory.ofTotal("0.1").ratio("1e-9").quantity()).isEqualTo(Quantity.ZERO);
    assertThat(Inventory.ofTotal("-0.1").ratio("1e-9").quantity()).isEqualTo(Quantity.of("-1e-9"));
    assertThat(Inventory.ofTotal("inf").reserved(1).ratio(3).quantity())
        .isEqualTo(Quantity.INFINITY);
  }

  @Test
  void anInventoryRefusesWhatIsNotAboveNoneOrInfinite() {
    Inventory inventory = Inventory.ofTotal(8);
    for (String wrong : List.of("0", "-1e-9", "inf")) {
      refuses(() -> inventory.ratio(wrong), "inventory", "ratio", "a finite number above 0");
      refuses(() -> inventory.min(wrong), "inventory", "min", "a finite number above 0");
      refuses(() -> inventory.max(wrong), "inventory", "max", "a finite number above 0");
      refuses(() -> inventory.step(wrong), "inventory", "step", "a finite number above 0");
    }
    refuses(() -> inventory.reserved("inf"), "inventory", "reserved", "a finite decimal");
    refuses(() -> inventory.max(1).min(2), "unit", "min", "at most max");
    assertThat(inventory.min("1e-9").max(4).step(2).unit())
        .isEqualTo(new Unit(Quantity.of("1e-9"), Quantity.of(4), Quantity.of(2)));
    assertThat(inventory.unit()).isEqualTo(Unit.ANY);
  }
}
