package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.volume.VolumeWork;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods with claims, by example. */
class VolumeClaimsTest {
  private final Cluster cluster = Clusters.of(Distributors.installed().strategy("prioritized"));

  @BeforeEach
  void classes() {
    for (String name : List.of("n1", "n2", "n3")) {
      cluster.nodeChanged(
          ClusterBench.json(
              "{'metadata':{'name':'%s','labels':{'host':'%s'}},'status':{'allocatable':{"
                      .formatted(name, name)
                  + "'cpu':'4','memory':'8Gi','pods':'9'}}}"));
    }
    put(
        Resource.STORAGE_CLASSES,
        "{'metadata':{'name':'local'},'provisioner':'kubernetes.io/no-provisioner',"
            + "'volumeBindingMode':'WaitForFirstConsumer'}");
    put(
        Resource.STORAGE_CLASSES,
        "{'metadata':{'name':'made'},'provisioner':'d',"
            + "'volumeBindingMode':'WaitForFirstConsumer'}");
  }

  private void put(Resource kind, String object) {
    cluster.changed(kind, ClusterBench.json(object));
  }

  private void claim(String name, String storageClass) {
    put(
        Resource.CLAIMS,
        "{'metadata':{'name':'%s','namespace':'default','uid':'c-%s'},'spec':{"
                .formatted(name, name)
            + "'storageClassName':'%s','resources':{'requests':{'storage':'1Gi'}}}}"
                .formatted(storageClass));
  }

  private void bound(String claim, String volume, String modes) {
    put(
        Resource.CLAIMS,
        "{'metadata':{'name':'%s','namespace':'default','uid':'c-%s','annotations':{"
                .formatted(claim, claim)
            + "'pv.kubernetes.io/bind-completed':'yes'}},'spec':{'volumeName':'%s',"
                .formatted(volume)
            + "'accessModes':[%s]}}".formatted(modes));
  }

  private void local(String name, String host) {
    put(
        Resource.VOLUMES,
        "{'metadata':{'name':'%s'},'spec':{'storageClassName':'local','capacity':{".formatted(name)
            + "'storage':'1Gi'},'nodeAffinity':{'required':{'nodeSelectorTerms':[{"
            + "'matchExpressions':[{'key':'host','operator':'In','values':['%s']}]}]}}},"
                .formatted(host)
            + "'status':{'phase':'Available'}}");
  }

  private void csi(String volume, String handle) {
    put(
        Resource.VOLUMES,
        "{'metadata':{'name':'%s'},'spec':{'csi':{'driver':'d','volumeHandle':'%s'}}}"
            .formatted(volume, handle));
  }

  private void limit(String node, int count) {
    put(
        Resource.CSI_NODES,
        "{'metadata':{'name':'%s'},'spec':{'drivers':[{'name':'d','allocatable':{'count':%d}}]}}"
            .formatted(node, count));
  }

  private String pod(String name, String claim, String metadata, String spec) {
    return pod(name, claim, metadata, spec, "");
  }

  private String pod(String name, String claim, String metadata, String spec, String status) {
    String volumes =
        "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'%s'}}]".formatted(claim);
    cluster.podChanged(
        ClusterBench.json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'%s'%s},'spec':{%s%s},"
                    .formatted(name, name, metadata, volumes, spec)
                + "'status':{%s}}".formatted(status)));
    return name;
  }

  private Decision decide(String uid) {
    return cluster.decide(List.of(uid)).get(0);
  }

  private String node(String uid) {
    return ((Decision.Bind) decide(uid)).node();
  }

  private String message(String uid) {
    return ((Decision.Refused) decide(uid)).message();
  }

  @Test
  void aVolumeIsForOnePodFromTheDecisionOn() {
    local("v1", "n2");
    claim("a", "local");
    claim("b", "local");
    assertThat(node(pod("p", "a", "", ""))).isEqualTo("n2");
    VolumeWork work = cluster.volumes().work("p").orElseThrow();
    assertThat(work.matches()).hasSize(1);
    assertThat(work.matches().get(0).volume().name()).isEqualTo("v1");
    // An event of the pod that is still unbound changes nothing of this.
    pod("p", "a", ",'labels':{'new':'label'}", "");
    assertThat(message(pod("q", "b", "", "")))
        .startsWith(
            "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.");
    assertThat(cluster.assumeFailed("p")).isTrue();
    assertThat(cluster.volumes().work("p")).isEmpty();
    assertThat(node("q")).isEqualTo("n2");
  }

  @Test
  void aPodThatGoesGivesItsVolumeBack() {
    local("v1", "n2");
    claim("a", "local");
    claim("b", "local");
    node(pod("p", "a", "", ""));
    cluster.podGone("p");
    assertThat(node(pod("q", "b", "", ""))).isEqualTo("n2");
  }

  @Test
  void podsThatShareAClaimShareItsNode() {
    claim("a", "made");
    String first = node(pod("p", "a", "", ""));
    for (String other : List.of("q", "r")) {
      assertThat(node(pod(other, "a", "", ""))).isEqualTo(first);
    }
    // It stays so until the last of them is given back.
    cluster.assumeFailed("p");
    assertThat(cluster.volumes().work("q")).isPresent();
    assertThat(node("p")).isEqualTo(first);
  }

  @Test
  void aGangThatIsNotPlacedTakesNoVolume() {
    local("v1", "n1");
    claim("a", "local");
    claim("b", "local");
    String gang =
        ",'labels':{'scheduling.x-k8s.io/pod-group':'g'},'annotations':{"
            + "'pod-group.scheduling.sigs.k8s.io/min-available':'2'}";
    pod("p", "a", gang, "");
    pod("q", "b", gang, "");
    assertThat(cluster.decide(List.of("p", "q"))).allMatch(Decision.Refused.class::isInstance);
    claim("c", "local");
    assertThat(node(pod("alone", "c", "", ""))).isEqualTo("n1");
  }

  @Test
  void aSharedVolumeCountsOnceOnANode() {
    csi("v1", "1");
    csi("v2", "2");
    bound("shared", "v1", "");
    bound("other", "v2", "");
    for (String node : List.of("n1", "n2", "n3")) {
      limit(node, 1);
    }
    for (String name : List.of("a", "b", "c")) {
      pod(name, "shared", "", ",'nodeName':'n1'");
    }
    pod("d", "other", "", ",'nodeName':'n2'");
    assertThat(Clusters.verdict(cluster, pod("p", "shared", "", ""), "n1")).isEmpty();
    assertThat(Clusters.verdict(cluster, "p", "n2"))
        .containsExactly("node(s) exceed max volume count");
    cluster.podGone("d");
    assertThat(Clusters.verdict(cluster, "p", "n2")).isEmpty();
  }

  @Test
  void roomThatIsReservedForAnotherPodCountsItsVolumes() {
    csi("v1", "1");
    csi("v2", "2");
    bound("one", "v1", "");
    bound("two", "v2", "");
    limit("n1", 1);
    pod("nominated", "one", "", ",'priority':5", "'nominatedNodeName':'n1'");
    assertThat(Clusters.verdict(cluster, pod("p", "two", "", ",'priority':4"), "n1"))
        .containsExactly("node(s) exceed max volume count");
    assertThat(Clusters.verdict(cluster, pod("q", "two", "", ",'priority':6"), "n1")).isEmpty();
    assertThat(Clusters.verdict(cluster, "nominated", "n1")).isEmpty();
  }

  @Test
  void aClaimOfOnePodIsFreeOnceThatPodIsGone() {
    csi("v1", "1");
    bound("once", "v1", "'ReadWriteOncePod'");
    pod("a", "once", "", ",'nodeName':'n1'");
    assertThat(message(pod("p", "once", "", "")))
        .startsWith(
            "0/3 nodes are available: 3 node(s) unavailable due to PersistentVolumeClaim with"
                + " ReadWriteOncePod access mode already in-use by another pod.");
    cluster.podGone("a");
    assertThat(decide("p")).isInstanceOf(Decision.Bind.class);
  }

  @Test
  void aVolumeWithAnOldSourceCountsForTheDriverThatServesItNow() {
    for (String node : new String[] {"n1", "n2", "n3"}) {
      put(
          Resource.CSI_NODES,
          "{'metadata':{'name':'%s'},'spec':{'drivers':[{'name':'ebs.csi.aws.com','allocatable':"
                  .formatted(node)
              + "{'count':%d}}]}}".formatted(node.equals("n2") ? 1 : 0));
    }
    for (String name : new String[] {"v1", "v2"}) {
      put(
          Resource.VOLUMES,
          "{'metadata':{'name':'%s'},'spec':{'awsElasticBlockStore':{'volumeID':'%s'}}}"
              .formatted(name, name));
      bound("old-" + name, name, "");
    }
    assertThat(node(pod("p", "old-v1", "", ""))).isEqualTo("n2");
    assertThat(message(pod("q", "old-v2", "", "")))
        .startsWith("0/3 nodes are available: 3 node(s) exceed max volume count.");
  }
}
