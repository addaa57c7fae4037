package com.example.caller;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.nio.file.Path;

/** Places three workloads with the strategy named first, of the plug-in directory named second. */
public final class PlaceOnce {
  private PlaceOnce() {}

  /**
   * Prints where the workloads went, and where the strategy comes from.
   *
   * @param arguments the name of a strategy, and where wanted a directory
   */
  public static void main(String[] arguments) {
    Distributors installed =
        arguments.length > 1
            ? Distributors.installed(Path.of(arguments[1]))
            : Distributors.installed();
    Distributor fleet =
        installed
            .strategy(arguments[0])
            .nodes(
                Node.of("small", Resources.of("cpu", 2)),
                Node.of("large", Resources.of("cpu", 5)),
                Node.of("medium", Resources.of("cpu", 3)))
            .build();
    Resources two = Resources.of("cpu", 2);
    System.out.println(
        fleet.assign(Workload.of("a", two), Workload.of("b", two), Workload.of("c", two)));
    System.out.println(fleet.strategy().origin());
    System.out.println("faults: " + installed.faults());
  }
}
