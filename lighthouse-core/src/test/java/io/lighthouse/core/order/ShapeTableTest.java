package io.lighthouse.core.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShapeTableTest {
  private final Ledger ledger = new Ledger();
  private final ShapeTable table = new ShapeTable(10);

  private Demand shape(Object... requirements) {
    return shape(Workload.of("w", Resources.of(requirements)));
  }

  private Demand shape(Workload workload) {
    if (ledger.nodes().nodeCount() == 0) {
      ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 1, "mem", 1))));
    }
    Batch batch = Batch.open(ledger, List.of(workload));
    Demand demand;
    demand = batch.demand(0);
    batch.close();
    return demand;
  }

  @Test
  void holdsNothingBeforeAShapeIsPut() {
    Demand none = shape();
    assertThat(table.holds(table.place(none), none)).isFalse();
    Demand zero = shape("cpu", 0);
    assertThat(table.holds(table.place(zero), zero)).isFalse();
    table.put(table.place(none), none);
    assertThat(table.holds(table.place(none), none)).isTrue();
    table.clear();
    assertThat(table.holds(table.place(none), none)).isFalse();
  }

  @Test
  void holdsEachOfSeveralShapesAndNoOther() {
    List<Demand> shapes =
        List.of(
            shape("cpu", 1, "mem", 2),
            shape("cpu", 2, "mem", 1),
            shape("cpu", 1),
            shape("mem", 1),
            shape("cpu", -1));
    shapes.forEach(shape -> table.put(table.place(shape), shape));
    for (Demand shape : shapes) {
      assertThat(table.holds(table.place(shape), shape)).isTrue();
      for (Demand other : shapes) {
        assertThat(table.holds(table.place(shape), other)).isEqualTo(other == shape);
      }
    }
  }

  @Test
  void holdsShapesOfManyRequirements() {
    Object[] nine = new Object[18];
    for (int i = 0; i < 9; i++) {
      nine[2 * i] = "r" + i;
      nine[2 * i + 1] = i;
    }
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of(nine))));
    Demand demand = shape(nine);
    table.put(table.place(demand), demand);
    assertThat(table.holds(table.place(demand), shape(nine))).isTrue();
    nine[17] = 99;
    assertThat(table.holds(table.place(demand), shape(nine))).as("the last differs").isFalse();
  }

  @Test
  void hasNoPlaceForWhoIsImmuneOrAverse() {
    Workload plain = Workload.of("w", Resources.of("cpu", 1));
    assertThat(table.place(shape(plain))).isNotNegative();
    assertThat(table.place(shape(plain.withImmunities("mem")))).isEqualTo(-1);
    assertThat(table.place(shape(plain.withAversionGroups("g")))).isEqualTo(-1);
  }

  @Test
  void spreadsShapesThatDifferLittleOverItsPlaces() {
    Set<Integer> places = new HashSet<>();
    for (int cpu = 0; cpu < 32; cpu++) {
      for (int mem = 0; mem < 32; mem++) {
        places.add(table.place(shape("cpu", cpu, "mem", mem << 10)));
      }
    }
    assertThat(places).as("of 1,024 places, where chance takes 647").hasSizeGreaterThan(550);
    assertThat(places).allMatch(place -> place >= 0 && place < table.places());
  }
}
