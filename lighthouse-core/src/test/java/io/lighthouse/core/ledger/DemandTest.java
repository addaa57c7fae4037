package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.demand.BatchOfOne;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a demand knows of its workload. */
class DemandTest {
  private final Ledger ledger = new Ledger();
  private Demand demand;

  private static Workload workload(Object... requirements) {
    return Workload.of("w", Resources.of(requirements));
  }

  /** Good as long as no scale changes. */
  private Demand load(Workload workload) {
    demand = BatchOfOne.demand(ledger, workload);
    return demand;
  }

  private int id(String resource) {
    return ledger.resources().resourceId(resource);
  }

  @Test
  void knowsWhatMattersOfAWorkload() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 1, "ward", "-inf"))));
    Workload workload =
        new Workload(
            "w", Resources.of("cpu", -1, "none", 2), Set.of("ward", "cpu", "unknown"), Set.of());
    Batch batch = Batch.open(ledger, List.of(workload, Workload.of("v", Resources.none())));
    demand = batch.demand(0);
    assertThat(demand.requiresMissingResource()).isTrue();
    assertThat(demand.hasNegativeNeed()).isTrue();
    assertThat(demand.immunityCount()).isEqualTo(2);
    assertThat(demand.isImmuneTo(id("ward"))).isTrue();
    assertThat(demand.isImmune(demand.indexOf(id("cpu")))).isTrue();
    demand = batch.demand(1);
    assertThat(demand.requiresMissingResource()).isFalse();
    assertThat(demand.hasNegativeNeed()).isFalse();
    assertThat(demand.immunityCount()).isZero();
    assertThat(demand.size()).isZero();
    batch.close();
  }

  @Test
  void givesOnlyWhereSomethingIsRequiredBelowZero() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 1, "mem", 1))));
    assertThat(load(workload("cpu", 1, "mem", 2)).hasNegativeNeed()).isFalse();
    assertThat(load(workload("cpu", 0, "mem", 0)).hasNegativeNeed()).isFalse();
    assertThat(load(workload("cpu", -1, "mem", 2)).hasNegativeNeed()).isTrue();
    assertThat(load(workload("cpu", 2, "mem", "-0.5")).hasNegativeNeed()).isTrue();
  }

  @Test
  void knowsWhetherALayoutHasAllRequiredResources() {
    ledger
        .nodeChanges()
        .add(
            List.of(
                Node.of("all", Resources.of("cpu", 1, "disk", 1, "mem", 1, "zone", 0)),
                Node.of("other", Resources.of("disk", 1, "mem", 1, "zone", 0)),
                Node.of("less", Resources.of("cpu", 1, "disk", 1))));
    load(workload("disk", 3, "zone", 0));
    assertThat(demand.indexOf(id("disk"))).isZero();
    assertThat(demand.indexOf(id("zone"))).isEqualTo(1);
    assertThat(demand.indexOf(id("mem"))).isEqualTo(-1);
    assertThat(demand.areAllIn(ledger.accounts().layout(0))).isTrue();
    assertThat(demand.areAllIn(ledger.accounts().layout(1))).isTrue();
    assertThat(demand.areAllIn(ledger.accounts().layout(2))).isFalse();
    load(workload("disk", 3));
    assertThat(demand.areAllIn(ledger.accounts().layout(2))).as("it requires less").isTrue();
    load(workload("mem", 3));
    assertThat(demand.areAllIn(ledger.accounts().layout(2))).as("it requires another").isFalse();
    Layout all = ledger.accounts().layout(0);
    assertThat(all.slot(id("disk"), 0)).isEqualTo(1);
    assertThat(all.slot(id("disk"), 1)).isEqualTo(1);
    assertThat(all.slot(id("disk"), 2)).as("before that place").isEqualTo(-1);
    assertThat(all.slot(id("zone"), 2)).isEqualTo(3);
  }

  @Test
  void holdsAnyNumberOfRequirementsAndImmunities() {
    Map<String, Object> resources = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      resources.put("r" + (10 + i), i);
      names.add("r" + (10 + i));
    }
    ledger.nodeChanges().add(List.of(Node.of("n", resources)));
    load(
        new Workload(
            "w", Resources.of(resources), Set.copyOf(names.subList(0, 20)), Set.of("g", "h")));
    assertThat(demand.size()).isEqualTo(40);
    assertThat(demand.areAllIn(ledger.accounts().layout(0))).isTrue();
    for (int i = 0; i < 40; i++) {
      assertThat(demand.id(i)).isEqualTo(id(names.get(i)));
      assertThat(demand.need(i)).isEqualTo(i);
      assertThat(ledger.accounts().layout(0).slot(demand.id(i), i)).isEqualTo(i);
      assertThat(demand.isImmune(i)).isEqualTo(i < 20);
    }
    assertThat(demand.immunityCount()).isEqualTo(20);
    for (int i = 1; i < 20; i++) {
      assertThat(demand.immunity(i)).isGreaterThan(demand.immunity(i - 1));
    }
    assertThat(demand.hasAversionGroups()).isTrue();
    assertThat(demand.antiAffinityHolders())
        .as("nothing is placed")
        .allMatch(nodes -> nodes.size() == 0);
  }
}
