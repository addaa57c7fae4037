package io.lighthouse.core.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a table costs, counted in names that it has to ask for: far away in memory, each of them.
 */
class NameTableCostTest {
  private final List<String> owned = new ArrayList<>();
  private int asked;

  private final NameTable table =
      new NameTable(
          number -> {
            asked++;
            return owned.get(number);
          });

  private void add(String name) {
    owned.add(name);
    assertThat(table.add(name, owned.size() - 1)).isTrue();
  }

  @BeforeEach
  void holdTenThousandNames() {
    for (int i = 0; i < 10_000; i++) {
      add("node-" + i);
    }
  }

  @Test
  void growingAsksForNoName() {
    assertThat(asked).as("a hash of 32 bits is seldom another's").isLessThan(100);
  }

  @Test
  void findingAsksForTheNameThatIsFoundAndHardlyForAnother() {
    asked = 0;
    owned.forEach(table::get);
    assertThat(asked).isBetween(10_000, 10_100);
  }

  @Test
  void missingAsksForHardlyAnyName() {
    asked = 0;
    for (int i = 0; i < 10_000; i++) {
      assertThat(table.get("other-" + i)).isEqualTo(NameTable.NONE);
    }
    assertThat(asked).isLessThan(100);
  }

  @Test
  void namesThatWereChosenToCollideCostNoMoreThanOthers() {
    List<String> colliding = List.of("");
    for (int i = 0; i < 12; i++) {
      List<String> longer = new ArrayList<>();
      colliding.forEach(name -> longer.addAll(List.of(name + "Aa", name + "BB")));
      colliding = longer;
    }
    colliding.forEach(this::add);
    asked = 0;
    owned.forEach(table::get);
    assertThat(asked)
        .as("14,096 names, 4,096 of them of one hash code")
        .isBetween(14_096, 2 * 14_096);
  }
}
