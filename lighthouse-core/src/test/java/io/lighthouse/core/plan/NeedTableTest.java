package io.lighthouse.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.search.Finder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Until when a node has room, by what is left of it and by its load. */
class NeedTableTest {
  private final Ledger ledger = new Ledger();

  private static Node node(String name, Object cpu) {
    return Node.of(name, Resources.of("cpu", cpu));
  }

  /** How many units each node has room for, of workloads of 1 to 10 units; -1 where for none. */
  private int[] room(long mostLoad) {
    Workload[] workloads = new Workload[10];
    for (int i = 0; i < workloads.length; i++) {
      workloads[i] = Workload.of("w" + i, Resources.of("cpu", i + 1));
    }
    Batch batch = Batch.open(ledger, List.of(workloads));
    Finder finder = new Finder(ledger, NamedRules.NONE);
    PlanSession session =
        new PlanSession(ledger, finder, PlanLimits.NONE, new StepBudget(StepBudget.OF_A_PLAN));
    NeedTable needs = new NeedTable(session, new int[0]);
    needs.keepBelow(mostLoad);
    int[] room = new int[ledger.nodes().slotCount()];
    for (int node = 0; node < room.length; node++) {
      room[node] = -1;
      for (int i = 0; i < workloads.length; i++) {
        long[] lack = needs.lack(batch.entry(i), node);
        boolean has = needs.hasRoom(batch.entry(i), node);
        assertThat(lack != null && lack[0] == 0).as("%s on %s", i, node).isEqualTo(has);
        room[node] = has ? i + 1 : room[node];
      }
    }
    batch.close();
    return room;
  }

  @Test
  void aNodeHasRoomBelowALoad() {
    ledger
        .nodeChanges()
        .add(
            List.of(
                node("ten", 10),
                node("endless", Quantity.INFINITY),
                node("nothing", 0),
                node("overdrawn", -3),
                node("ward", Quantity.NEGATIVE_INFINITY),
                Node.of("other", Resources.of("mem", 10)),
                node("half", 5).withWorkloads(Workload.of("placed", Resources.of("cpu", 5)))));
    ledger.commit();
    assertThat(room(Long.MAX_VALUE)).containsExactly(10, 10, -1, -1, -1, -1, 5);
    assertThat(room(PlanSession.FULL + 1)).containsExactly(10, 10, -1, -1, -1, -1, 5);
    assertThat(room(PlanSession.FULL)).containsExactly(9, 10, -1, -1, -1, -1, 4);
    assertThat(room(PlanSession.FULL / 2)).containsExactly(4, 10, -1, -1, -1, -1, -1);
    assertThat(room(1)).containsExactly(-1, 10, -1, -1, -1, -1, -1);
  }
}
