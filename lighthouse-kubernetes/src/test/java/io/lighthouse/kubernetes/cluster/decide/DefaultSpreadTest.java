package io.lighthouse.kubernetes.cluster.decide;

import static io.lighthouse.kubernetes.cluster.decide.ClusterBench.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.object.Resource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefaultSpreadTest {
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String OF_SET =
      ",'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'web-1',"
          + "'controller':true}]";

  private final Cluster cluster = Clusters.of(Distributors.installed().strategy("prioritized"));

  private void node(String name, String zone) {
    cluster.nodeChanged(
        json(
            "{'metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s'%s}},'status':{"
                    .formatted(name, name, zone.isEmpty() ? "" : ",'" + ZONE + "':'" + zone + "'")
                + "'allocatable':{'cpu':'4','pods':'10'}}}"));
  }

  private void service(String selector) {
    cluster.changed(
        Resource.SERVICES,
        json(
            "{'metadata':{'namespace':'default','name':'web'},'spec':{'selector':{%s}}}"
                .formatted(selector)));
  }

  private void replicaSet() {
    cluster.changed(
        Resource.REPLICA_SETS,
        json(
            "{'metadata':{'namespace':'default','name':'web-1'},"
                + "'spec':{'selector':{'matchLabels':{'app':'web'}}}}"));
  }

  private Decision.Bind bind(String name, String metadata, String spec) {
    cluster.podChanged(
        json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'%s','labels':{'app':'web'}%s},"
                    .formatted(name, name, metadata)
                + "'spec':{'schedulerName':'lighthouse'%s}}".formatted(spec)));
    return (Decision.Bind) cluster.decide(List.of(name)).get(0);
  }

  private List<String> nodesOf(int pods, String metadata, String spec) {
    List<String> nodes = new ArrayList<>();
    for (int i = 0; i < pods; i++) {
      nodes.add(bind("p" + i, metadata, spec).node());
    }
    return nodes;
  }

  @Test
  void podsOfAServiceGoToDifferentNodesAndZonesInTurn() {
    for (String name : List.of("a1", "a2", "a3", "b1", "b2")) {
      node(name, name.substring(0, 1));
    }
    service("'app':'web'");
    assertThat(nodesOf(6, "", "")).containsExactly("a1", "b1", "a2", "b2", "a3", "b1");
  }

  @Test
  void replicasAreSpreadWithoutAnyService() {
    node("n1", "");
    node("n2", "");
    replicaSet();
    assertThat(nodesOf(3, OF_SET, "")).containsExactly("n1", "n2", "n1");
  }

  @Test
  void ofNodesWithoutAZoneOnlyTheirOwnPodsCount() {
    node("a1", "a");
    node("a2", "a");
    node("free", "");
    service("'app':'web'");
    assertThat(nodesOf(3, "", "")).containsExactly("a1", "free", "a2");
  }

  @Test
  void aPodWithASpreadOfItsOwnHasNoOther() {
    node("n1", "a");
    node("n2", "b");
    service("'app':'web'");
    String own =
        ",'topologySpreadConstraints':[{'topologyKey':'rack','maxSkew':1,"
            + "'whenUnsatisfiable':'ScheduleAnyway',"
            + "'labelSelector':{'matchLabels':{'app':'web'}}}]";
    assertThat(nodesOf(3, "", own)).containsOnly("n1");
  }

  @Test
  void decisionsAboutOtherPodsAreTheSameAsWithoutServices() {
    node("n1", "a");
    node("n2", "b");
    bindAndRemove();
    Decision before = bindAndRemove();
    replicaSet();
    service("'app':'db'");
    assertThat(bindAndRemove()).isEqualTo(before);
    service("'app':'web'");
    assertThat(bindAndRemove()).isNotEqualTo(before);
    cluster.gone(Resource.SERVICES, "default/web");
    assertThat(bindAndRemove()).isEqualTo(before);
  }

  private Decision bindAndRemove() {
    Decision decision = bind("p", "", "");
    cluster.podGone("p");
    return decision;
  }

  @Test
  void aSpreadNeverRefuses() {
    node("n1", "a");
    service("'app':'web'");
    assertThat(nodesOf(10, "", "")).containsOnly("n1");
  }
}
