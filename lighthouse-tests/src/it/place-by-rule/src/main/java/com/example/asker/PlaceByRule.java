package com.example.asker;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.nio.file.Path;
import java.util.Map;

/** Places three workloads by the rule near-data, of the plug-in directory named first. */
public final class PlaceByRule {
  private PlaceByRule() {}

  /**
   * Prints where the workloads went, and where the rule comes from.
   *
   * @param arguments where wanted a directory
   */
  public static void main(String[] arguments) {
    Distributors installed =
        arguments.length > 0
            ? Distributors.installed(Path.of(arguments[0]))
            : Distributors.installed();
    Rule near = new Rule.Named("near-data", Map.of("most", "1"));
    Distributor fleet =
        installed
            .strategy("prioritized")
            .nodes(
                Node.of("far", Resources.of("cpu", 5)).in("hops", "7"),
                Node.of("near", Resources.of("cpu", 5)).in("hops", "1"))
            .build();
    Workload hard = Workload.of("a", Resources.of("cpu", 3)).withTerms(Terms.NONE.rules(near));
    System.out.println(fleet.assign(hard, hard.named("b"), Workload.of("c", Resources.none())));
    System.out.println(installed.rules().get(0).origin());
    System.out.println("faults: " + installed.faults());
  }
}
