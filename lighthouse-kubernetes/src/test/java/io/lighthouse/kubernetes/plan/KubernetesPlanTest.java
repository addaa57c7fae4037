package io.lighthouse.kubernetes.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.Storage;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Plans of a live cluster. {@link EvictionsTest} carries some out. */
class KubernetesPlanTest extends PlanBench {
  @Test
  void makingAPlanChangesNothing() throws Exception {
    bench.add(owned(on("a", "n0"), "ReplicaSet"));
    bench.add(owned(on("b", "n0"), "ReplicaSet"));
    KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
    assertThat(plan.plan().changes()).hasSize(2).allMatch(Change.Move.class::isInstance);
    assertThat(plan.plan().unmet()).isEmpty();
    assertThat(plan.freed()).containsExactly("n0");
    assertThat(plan.remarks()).isEmpty();
    assertThat(bench.nodes()).noneMatch(node -> node.path("spec").has("unschedulable"));
    assertThat(podsOn("n0")).containsExactly("a", "b");
  }

  @Test
  void podsWithClaimsGoOnlyWhereTheirVolumesAre() throws Exception {
    Storage storage = new Storage(bench.admin(), "planned", "example.com/p");
    storage.addClaim("planned-two");
    storage.addVolume("planned-two", "n0", "n2");
    storage.bind("planned-two", "planned-two");
    storage.addClaim("planned-one");
    storage.addVolume("planned-one", "n0");
    storage.bind("planned-one", "planned-one");
    for (String claim : List.of("planned-one", "planned-two")) {
      ObjectNode pod = owned(Storage.pod(claim, claim), "ReplicaSet");
      pod.withObjectProperty("spec").put("nodeName", "n0");
      bench.add(pod);
    }
    KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
    assertThat(plan.plan().unmet()).containsExactly("n0");
    assertThat(plan.remarks()).isEmpty();
    bench.deletePod("planned-one");
    plan = KubernetesPlan.make(planner, drain("n0"));
    assertThat(plan.plan().changes())
        .containsExactly(new Change.Move("default/planned-two", "n0", "n2"));
  }

  @Test
  void saysWhichRulesOfAMovedPodItDoesNotKnow() throws Exception {
    ObjectNode web = owned(on("web", "n0"), "ReplicaSet");
    web.withObjectProperty("spec")
        .set(
            "topologySpreadConstraints",
            Objects.json(
                    "{'x':[{'topologyKey':'topology.kubernetes.io/zone','maxSkew':1,"
                        + "'whenUnsatisfiable':'DoNotSchedule',"
                        + "'labelSelector':{'matchLabels':{'app':'test'}}}]}")
                .get("x"));
    bench.add(web);
    KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
    assertThat(plan.plan().moves()).isEqualTo(1);
    assertThat(plan.remarks())
        .singleElement()
        .asString()
        .startsWith("pod default/web: its spread by topology.kubernetes.io/zone counts no");
  }

  /** No pod of a DaemonSet is moved, and none keeps a node from being drained. */
  @Test
  void podsThatBelongToANodeCountForTheRulesOfOthers() throws Exception {
    for (String node : List.of("n0", "n1")) {
      bench.add(agent(node));
    }
    ObjectNode web = owned(on("web", "n0"), "ReplicaSet");
    web.withObjectProperty("spec").set("affinity", Objects.apartFrom("n1"));
    bench.add(web);
    KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
    assertThat(plan.plan().changes()).containsExactly(new Change.Move("default/web", "n0", "n2"));
    assertThat(plan.plan().unmet()).isEmpty();
    assertThat(plan.remarks()).isEmpty();
    assertThat(plan.freed()).containsExactly("n0");
  }

  private static ObjectNode agent(String node) {
    ObjectNode agent = owned(on("agent-" + node, node), "DaemonSet");
    agent.withObjectProperty("metadata").withObjectProperty("labels").put("group", node);
    return agent;
  }

  private static KubernetesPlan consolidated() throws IOException {
    return KubernetesPlan.make(
        planner,
        new KubernetesPlan.Request("consolidate", List.of(), PlanLimits.NONE, false, false));
  }

  /** Without the rule, web would go to n1, which holds more. */
  @Test
  void podsThatBelongToANodeCountForTheRulesOfPodsThatAreConsolidated() throws Exception {
    for (String node : List.of("n0", "n1", "n2")) {
      bench.add(agent(node));
    }
    ObjectNode web = owned(on("web", "n0"), "ReplicaSet");
    bench.add(web);
    bench.add(owned(on("a", "n1"), "ReplicaSet"));
    bench.add(owned(on("b", "n1"), "ReplicaSet"));
    KubernetesPlan free = consolidated();
    assertThat(free.plan().changes()).containsExactly(new Change.Move("default/web", "n0", "n1"));
    assertThat(free.freed()).containsExactly("n0");

    bench.deletePod("web");
    web.withObjectProperty("spec").set("affinity", Objects.apartFrom("n1"));
    bench.add(web);
    KubernetesPlan plan = consolidated();
    assertThat(plan.plan().changes())
        .containsExactlyInAnyOrder(
            new Change.Move("default/a", "n1", "n0"), new Change.Move("default/b", "n1", "n0"));
    assertThat(plan.freed()).containsExactly("n1");
    assertThat(plan.remarks()).isEmpty();
    assertThat(plan.plan().before()).isEqualTo(free.plan().before());
    assertThat(plan.plan().after().placed()).isEqualTo(3);
    assertThat(plan.plan().after().nodesInUse()).isOne();
    assertThat(plan.plan().bound()).isEqualTo(free.plan().bound());
    assertThat(plan.plan().optimal()).isTrue();
  }

  /** A port is one of the node, not of a label. */
  @Test
  void portsOfPodsThatBelongToANodeCountForPodsThatAreConsolidated() throws Exception {
    ObjectNode agent = agent("n1");
    port(agent);
    bench.add(agent);
    ObjectNode web = owned(on("web", "n0"), "ReplicaSet");
    port(web);
    bench.add(web);
    bench.add(owned(on("a", "n1"), "ReplicaSet"));
    bench.add(owned(on("b", "n1"), "ReplicaSet"));
    KubernetesPlan plan = consolidated();
    assertThat(plan.plan().changes())
        .containsExactlyInAnyOrder(
            new Change.Move("default/a", "n1", "n0"), new Change.Move("default/b", "n1", "n0"));
    assertThat(plan.freed()).containsExactly("n1");
  }

  private static void port(ObjectNode pod) {
    ObjectNode container = (ObjectNode) pod.path("spec").path("containers").path(0);
    container.withArrayProperty("ports").addObject().put("containerPort", 80).put("hostPort", 80);
  }

  /** Affinity to a pod that belongs to a node is kept on every node that has one. */
  @Test
  void podsGoBesidePodsThatBelongToANode() throws Exception {
    for (String node : List.of("n0", "n2")) {
      ObjectNode agent = agent(node);
      agent.withObjectProperty("metadata").withObjectProperty("labels").put("group", "log");
      bench.add(agent);
    }
    ObjectNode web = owned(on("web", "n0"), "ReplicaSet");
    web.withObjectProperty("spec").set("affinity", Objects.apartFrom("log"));
    ObjectNode affinity = (ObjectNode) web.path("spec").path("affinity");
    affinity.set("podAffinity", affinity.remove("podAntiAffinity"));
    bench.add(web);
    for (String pod : List.of("a", "b")) {
      bench.add(owned(on(pod, "n1"), "ReplicaSet"));
    }
    bench.add(owned(on("c", "n2"), "ReplicaSet"));
    bench.add(owned(on("d", "n2"), "ReplicaSet"));
    KubernetesPlan plan = consolidated();
    assertThat(plan.plan().changes()).containsExactly(new Change.Move("default/web", "n0", "n2"));
    assertThat(plan.freed()).containsExactly("n0");
  }

  @Test
  void refusesWhatIsNoGoal() {
    assertThatThrownBy(
            () -> new KubernetesPlan.Request("repair", List.of(), PlanLimits.NONE, false, false))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'repair'");
    assertThatThrownBy(() -> drain())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("drain NODE...");
    assertThatThrownBy(() -> KubernetesPlan.make(planner, drain("nowhere")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'nowhere'");
    assertThatThrownBy(
            () ->
                KubernetesPlan.make(
                    planner,
                    new KubernetesPlan.Request(
                        "drain",
                        List.of("n0"),
                        PlanLimits.NONE.withPinned(Set.of("default/nobody")),
                        false,
                        false)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("nobody");
  }
}
