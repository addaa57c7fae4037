package io.lighthouse.tests.answers;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.referee.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Fleets that came about somehow. */
public final class Fleets {
  private Fleets() {}

  public static Distributor played(Scenario scenario, String strategy) {
    Distributors.Builder builder =
        Distributors.of(Distributors.installed().find(strategy)).nodes(scenario.fleet().nodes());
    if (strategy.equals("bin-pack")) {
      builder.rubric(Rubric.of("cpu", 1, "mem", 0.5));
    }
    if (strategy.equals("pack")) {
      builder.setting("steps", "2000");
    }
    if (strategy.equals("devices")) {
      builder.setting("device", "cpu");
    }
    scenario.fleet().lastPlaced().ifPresent(builder::lastPlaced);
    Distributor fleet = builder.build();
    for (int serial = 0; serial < scenario.sketches().size(); serial++) {
      Optional<Call> call = scenario.sketches().get(serial).call(fleet.snapshot(), serial);
      call.ifPresent(one -> one.on(fleet));
    }
    return fleet;
  }

  /** The same workloads under names that no scenario uses. */
  public static List<Workload> named(String prefix, List<Workload> workloads) {
    List<Workload> named = new ArrayList<>();
    workloads.forEach(one -> named.add(one.named(prefix + "-" + (named.size() + 1))));
    return named;
  }
}
