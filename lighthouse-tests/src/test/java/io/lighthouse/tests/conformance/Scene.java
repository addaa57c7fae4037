package io.lighthouse.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A small fleet and workloads for it, for examples that read as sentences. */
final class Scene {
  private final List<Node> nodes = new ArrayList<>();
  private final List<Workload> batch = new ArrayList<>();
  private Rubric rubric = Rubric.of();
  private Distributor distributor;

  Scene node(String name, Object... resources) {
    nodes.add(Node.of(name, Resources.of(resources)));
    return this;
  }

  Scene wants(String name, Object... requirements) {
    batch.add(Workload.of(name, Resources.of(requirements)));
    return this;
  }

  /** The last one is immune. */
  Scene immuneTo(String... names) {
    Workload last = batch.remove(batch.size() - 1);
    batch.add(new Workload(last.name(), last.requirements(), Set.of(names), last.aversionGroups()));
    return this;
  }

  /** The last one is averse. */
  Scene averseIn(String... groups) {
    Workload last = batch.remove(batch.size() - 1);
    batch.add(new Workload(last.name(), last.requirements(), last.immunities(), Set.of(groups)));
    return this;
  }

  Scene rubric(Object... weights) {
    rubric = Rubric.of(weights);
    return this;
  }

  /** Asserts the node of every workload, as {@code name: node} or {@code name: none}, in order. */
  Scene goes(String strategy, String placements) {
    distributor = Distributors.installed().strategy(strategy).rubric(rubric).nodes(nodes).build();
    Assignments answer = distributor.assign(batch);
    assertThat(answer).as(strategy).hasToString("{" + placements + "}");
    return this;
  }

  /** The same by every strategy. */
  Scene goes(String placements) {
    goes("round-robin", placements);
    goes("bin-pack", placements);
    return goes("prioritized", placements);
  }

  /** Asserts what is left on a node, after the last of the above. */
  Scene left(String node, Object... resources) {
    assertThat(distributor.node(node).left()).as(node).isEqualTo(Resources.of(resources));
    return this;
  }
}
