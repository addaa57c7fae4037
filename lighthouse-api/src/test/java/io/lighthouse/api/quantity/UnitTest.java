package io.lighthouse.api.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import org.junit.jupiter.api.Test;

class UnitTest {
  private static final Quantity TWO = Quantity.of(2);

  @Test
  void anInfiniteRequirementIsNoMultipleOfAStep() {
    assertThat(new Unit(Quantity.ZERO, Quantity.INFINITY, TWO).allows(Quantity.INFINITY)).isFalse();
    assertThat(new Unit(Quantity.ZERO, TWO, Quantity.ZERO).allows(Quantity.INFINITY)).isFalse();
    assertThat(Unit.ANY.allows(Quantity.INFINITY)).isTrue();
    assertThat(new Unit(TWO, TWO, TWO).allows(Quantity.NEGATIVE_INFINITY)).isTrue();
    assertThat(new Unit(TWO, TWO, TWO).allows(TWO)).isTrue();
  }

  @Test
  void saysWhatEachPartMayBe() {
    Quantity minus = Quantity.of(-1);
    assertThatThrownBy(() -> new Unit(minus, TWO, TWO))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("unit: min is -1; allowed: a finite number from 0");
    assertThatThrownBy(() -> new Unit(TWO, Quantity.ZERO, TWO))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("unit: max is 0; allowed: a number above 0, or inf");
    assertThatThrownBy(() -> new Unit(TWO, TWO, Quantity.INFINITY))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("unit: step is inf; allowed: a finite number from 0");
  }

  @Test
  void repeatsNoLongBoundInFull() {
    Quantity most = Quantity.of("1" + "0".repeat(300));
    Quantity more = Quantity.of("2" + "0".repeat(300));
    assertThatThrownBy(() -> new Unit(more, most, TWO))
        .hasMessageEndingWith("at most max, which is 1" + "0".repeat(199) + "... (301 characters)");
  }
}
