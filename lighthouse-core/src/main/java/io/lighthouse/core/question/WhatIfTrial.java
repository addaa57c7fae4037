package io.lighthouse.core.question;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.advice.WhatIf;
import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Answers what-if questions: the fleet as it is beside the fleet after suppositions. Workloads
 * without a node are placed in this order: what lost its node, what was refused, what is new.
 */
public final class WhatIfTrial {
  private WhatIfTrial() {}

  /**
   * What is, and what would be. The caller brings the fleet back to what it was.
   *
   * @param nodeOf returns the node of a workload of that fleet, if it is placed; copies nothing
   * @param batch the workloads that wait
   * @param placing whether the fleet goes on
   */
  public static WhatIf answer(
      Distributor fleet,
      Function<String, Optional<String>> nodeOf,
      List<Workload> batch,
      List<Supposition> supposed,
      WhatIf.Placing placing) {
    Fates now =
        fleet.tryOut(
            List.of(),
            tried -> {
              tried.assign(batch);
              return Fates.of(tried.snapshot(), batch);
            });
    SupposedFleet then = new SupposedFleet(fleet, nodeOf, batch);
    if (placing == WhatIf.Placing.GOING_ON) {
      Assignments placed = fleet.assign(batch);
      placed.asMap().forEach((name, node) -> node.ifPresent(on -> then.placed(name)));
    }
    for (int i = 0; i < supposed.size(); i++) {
      Supposition step = supposed.get(i);
      try {
        step.match(then);
      } catch (InvalidInputException thrown) {
        boolean inside = thrown.getCause() instanceof InvalidInputException;
        InvalidInputException wrong = inside ? (InvalidInputException) thrown.getCause() : thrown;
        String shown = InvalidInputException.shortened(step.toString());
        String place = "change " + (i + 1) + " of " + supposed.size() + " (" + shown + "): ";
        throw new InvalidInputException(
            place + wrong.subject(), wrong.field(), wrong.found(), wrong.allowed());
      }
    }
    List<Workload> wanting = then.unplaced();
    List<Refusal> refusals =
        fleet.assign(wanting, AssignOption.EXPLAIN).refusals().stream().map(then::asGiven).toList();
    Fates fates = Fates.of(fleet.snapshot(), wanting);
    return new WhatIf(now.figures(), fates.figures(), now.until(fates), refusals);
  }

  /**
   * Where every workload is at one moment.
   *
   * @param nodes by workload, its node, or nothing where it has none
   */
  private record Fates(WhatIf.Figures figures, Map<String, Optional<String>> nodes) {
    static Fates of(Snapshot snapshot, List<Workload> wanting) {
      Map<String, Optional<String>> nodes = new LinkedHashMap<>();
      int inUse = 0;
      for (NodeState node : snapshot.nodes()) {
        inUse += node.workloads().isEmpty() ? 0 : 1;
        node.workloads().forEach(held -> nodes.put(held.name(), Optional.of(node.name())));
      }
      int placed = nodes.size();
      wanting.forEach(workload -> nodes.putIfAbsent(workload.name(), Optional.empty()));
      return new Fates(
          new WhatIf.Figures(snapshot.nodes().size(), inUse, placed, nodes.size() - placed), nodes);
    }

    List<WhatIf.Fate> until(Fates then) {
      List<WhatIf.Fate> fates = new ArrayList<>();
      nodes.forEach(
          (name, before) -> {
            Optional<String> after = then.nodes.get(name);
            if (after == null) {
              fates.add(new WhatIf.Fate(name, WhatIf.Kind.GONE, before, Optional.empty()));
            } else if (!after.equals(before)) {
              fates.add(new WhatIf.Fate(name, kind(before, after), before, after));
            }
          });
      then.nodes.forEach(
          (name, after) -> {
            if (!nodes.containsKey(name)) {
              fates.add(new WhatIf.Fate(name, WhatIf.Kind.NEW, Optional.empty(), after));
            }
          });
      return fates;
    }

    private static WhatIf.Kind kind(Optional<String> before, Optional<String> after) {
      if (before.isEmpty()) {
        return WhatIf.Kind.PLACED;
      }
      return after.isEmpty() ? WhatIf.Kind.REFUSED : WhatIf.Kind.MOVED;
    }
  }
}
