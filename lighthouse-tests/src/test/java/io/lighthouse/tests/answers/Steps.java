package io.lighthouse.tests.answers;

import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Supposition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random lists of what is supposed of a fleet; now and then something that does not go. */
final class Steps {
  private final Random random;
  private final List<String> nodes = new ArrayList<>();
  private final List<String> workloads = new ArrayList<>();

  private Steps(Snapshot fleet, List<Workload> batch, Random random) {
    this.random = random;
    nodes.add("nowhere");
    workloads.add("nobody");
    for (NodeState node : fleet.nodes()) {
      nodes.add(node.name());
      node.workloads().forEach(workload -> workloads.add(workload.name()));
    }
    batch.forEach(workload -> workloads.add(workload.name()));
  }

  static List<Supposition> of(Snapshot fleet, List<Workload> batch, Random random) {
    Steps steps = new Steps(fleet, batch, random);
    List<Supposition> supposed = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      supposed.add(steps.next());
    }
    return supposed;
  }

  private Supposition next() {
    return switch (random.nextInt(9)) {
      case 0 ->
          new Supposition.AddNodes(
              1 + random.nextInt(3),
              Node.of(random.nextBoolean() ? "new" : "n", Resources.of("cpu", random.nextInt(9))));
      case 1, 2 -> new Supposition.RemoveNode(any(nodes));
      case 3 ->
          new Supposition.Resize(
              any(nodes), Resources.of(random.nextBoolean() ? "cpu" : "mem", random.nextInt(12)));
      case 4 -> new Supposition.Apply(new Change.Cordon(any(nodes)));
      case 5 -> new Supposition.Apply(new Change.Uncordon(any(nodes)));
      case 6 -> new Supposition.Release(any(workloads));
      case 7 -> new Supposition.Move(any(workloads), any(nodes));
      default -> new Supposition.Scale("batch", random.nextInt(6));
    };
  }

  private String any(List<String> names) {
    return names.get(
        names.size() == 1 || random.nextInt(12) == 0 ? 0 : random.nextInt(names.size()));
  }
}
