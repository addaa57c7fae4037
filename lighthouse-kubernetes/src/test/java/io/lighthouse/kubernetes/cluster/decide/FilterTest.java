package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes that make a refused pod fit by one entry of the table alone, and are rare in the random
 * clusters of {@link FilterProperties}.
 */
class FilterTest {
  private static final String TAINTED = "'spec':{'taints':[{'key':'t','effect':'NoSchedule'}]}";

  private final Cluster cluster = Clusters.of(Distributors.installed().strategy("spread"));

  private Set<ClusterChange> node(String name, String labels, String more) {
    return cluster.nodeChanged(
        Objects.json(
            "{'metadata':{'name':'%s','labels':{%s}},'status':{'allocatable':"
                + "{'cpu':'9','pods':'9'}}%s}",
            name, labels, more.isEmpty() ? "" : "," + more));
  }

  private static ObjectNode pod(String name, String labels, String spec) {
    return Objects.json(
        "{'metadata':{'name':'%s','namespace':'default','uid':'%s','labels':{%s}},'spec':{%s}}",
        name, name, labels, spec);
  }

  private void placed(String name, String node, String labels, String spec) {
    cluster.podChanged(
        pod(name, labels, "'nodeName':'" + node + "'" + (spec.isEmpty() ? "" : "," + spec)));
  }

  private Set<Filter> refused(String labels, String spec) {
    cluster.podChanged(pod("new", labels, spec));
    Decision decision = cluster.decide(List.of("new")).get(0);
    assertThat(decision).isInstanceOf(Decision.Refused.class);
    return ((Decision.Refused) decision).filters();
  }

  private void helps(Set<Filter> refusedBy, Filter filter, ClusterChange change) {
    assertThat(refusedBy).contains(filter);
    assertThat(filter.helpedBy()).contains(change);
    assertThat(refusedBy)
        .filteredOn(other -> other != filter)
        .noneMatch(other -> other.helpedBy().contains(change));
    assertThat(cluster.decide(List.of("new")).get(0)).isInstanceOf(Decision.Bind.class);
  }

  private static String term(String kind, String key, String app) {
    return ("'affinity':{'%s':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
            + "'topologyKey':'%s','labelSelector':{'matchLabels':{'app':'%s'}}}]}}")
        .formatted(kind, key, app);
  }

  private static String spread() {
    return "'topologySpreadConstraints':[{'topologyKey':'zone','maxSkew':1,"
        + "'whenUnsatisfiable':'DoNotSchedule','labelSelector':{'matchLabels':{'app':'web'}}}]";
  }

  @Test
  void aPortIsFreeWhenItsPodGoes() {
    String port = "'containers':[{'name':'c','ports':[{'hostPort':80,'containerPort':80}]}]";
    node("n1", "", "");
    placed("a", "n1", "", port);
    Set<Filter> by = refused("", port);
    assertThat(cluster.podGone("a")).containsExactly(ClusterChange.POD_LEFT);
    helps(by, Filter.NODE_PORTS, ClusterChange.POD_LEFT);
  }

  @Test
  void theFirstOfItsKindMayGoAnywhereWhenTheLastOneGoes() {
    node("n1", "'zone':'a'", TAINTED);
    node("n2", "'zone':'b'", "");
    placed("a", "n1", "'app':'web'", "");
    Set<Filter> by = refused("'app':'web'", term("podAffinity", "zone", "web"));
    assertThat(cluster.podGone("a")).containsExactly(ClusterChange.POD_LEFT);
    helps(by, Filter.POD_AFFINITY, ClusterChange.POD_LEFT);
  }

  @Test
  void theFirstOfItsKindMayGoAnywhereWhenTheNodeOfTheLastOneGoes() {
    node("n1", "'zone':'a'", TAINTED);
    node("n2", "'zone':'b'", "");
    placed("a", "n1", "'app':'web'", "");
    Set<Filter> by = refused("'app':'web'", term("podAffinity", "zone", "web"));
    assertThat(cluster.nodeGone("n1")).containsExactly(ClusterChange.NODE_REMOVED);
    helps(by, Filter.POD_AFFINITY, ClusterChange.NODE_REMOVED);
  }

  @Test
  void aNodeWithoutTheLabelCannotBreakAntiAffinity() {
    node("n1", "'zone':'a'", "");
    placed("a", "n1", "'app':'web'", "");
    Set<Filter> by = refused("", term("podAntiAffinity", "zone", "web"));
    assertThat(node("n1", "", "")).containsExactly(ClusterChange.NODE_LABELS);
    helps(by, Filter.POD_ANTI_AFFINITY, ClusterChange.NODE_LABELS);
  }

  @Test
  void antiAffinityToANamespaceEndsWithItsLabel() {
    JsonNode gold = Objects.json("{'metadata':{'name':'default','labels':{'tier':'gold'}}}");
    assertThat(cluster.namespaceChanged(gold)).containsExactly(ClusterChange.NAMESPACE_LABELS);
    node("n1", "'zone':'a'", "");
    placed("a", "n1", "'app':'web'", "");
    Set<Filter> by =
        refused(
            "",
            "'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
                + "'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'web'}},"
                + "'namespaces':['other'],"
                + "'namespaceSelector':{'matchLabels':{'tier':'gold'}}}]}}");
    assertThat(cluster.namespaceGone("default")).containsExactly(ClusterChange.NAMESPACE_LABELS);
    helps(by, Filter.POD_ANTI_AFFINITY, ClusterChange.NAMESPACE_LABELS);
  }

  private static String uses(String claim) {
    return "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'" + claim + "'}}]";
  }

  /** A claim that has a volume. */
  private void claim(String name, String modes) {
    cluster.changed(
        Resource.VOLUMES,
        Objects.json(
            "{'metadata':{'name':'v-%s'},'spec':{'csi':{'driver':'d','volumeHandle':'%s'}}}",
            name, name));
    cluster.changed(
        Resource.CLAIMS,
        Objects.json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'%s','annotations':{"
                + "'pv.kubernetes.io/bind-completed':'yes'}},"
                + "'spec':{'volumeName':'v-%s','accessModes':['%s']}}",
            name, name, name, modes));
  }

  @Test
  void aClaimForOnePodIsFreeWhenTheNodeOfItsPodGoes() {
    node("n1", "", "");
    node("n2", "", "");
    claim("c", "ReadWriteOncePod");
    placed("a", "n1", "", uses("c"));
    Set<Filter> by = refused("", uses("c"));
    assertThat(cluster.nodeGone("n1")).containsExactly(ClusterChange.NODE_REMOVED);
    helps(by, Filter.VOLUME_RESTRICTIONS, ClusterChange.NODE_REMOVED);
  }

  @Test
  void aVolumeIsOnTheNodeWhenAnotherPodBringsIt() {
    node("n1", "", "");
    claim("first", "ReadWriteMany");
    claim("shared", "ReadWriteMany");
    cluster.changed(
        Resource.CSI_NODES,
        Objects.json(
            "{'metadata':{'name':'n1'},'spec':{'drivers':[{'name':'d','allocatable':{'count':1}}]}}"));
    placed("a", "n1", "", uses("first"));
    Set<Filter> by = refused("", uses("shared"));
    JsonNode another = pod("b", "", "'nodeName':'n1'," + uses("shared"));
    assertThat(cluster.podChanged(another)).containsExactly(ClusterChange.POD_ARRIVED);
    helps(by, Filter.NODE_VOLUME_LIMITS, ClusterChange.POD_ARRIVED);
  }

  @Test
  void aSpreadAllowsMoreWhenAPodComesToTheEmptiestDomain() {
    node("n1", "'zone':'a'", "");
    node("n2", "'zone':'b'", TAINTED);
    placed("a", "n1", "'app':'web'", "");
    Set<Filter> by = refused("'app':'web'", spread());
    JsonNode tolerant = pod("b", "'app':'web'", "'nodeName':'n2'");
    assertThat(cluster.podChanged(tolerant)).containsExactly(ClusterChange.POD_ARRIVED);
    helps(by, Filter.POD_TOPOLOGY_SPREAD, ClusterChange.POD_ARRIVED);
  }

  @Test
  void aSpreadAllowsMoreWhenAPodGoes() {
    node("n1", "'zone':'a'", "");
    node("n2", "'zone':'b'", TAINTED);
    placed("a", "n1", "'app':'web'", "");
    Set<Filter> by = refused("'app':'web'", spread());
    assertThat(cluster.podGone("a")).containsExactly(ClusterChange.POD_LEFT);
    helps(by, Filter.POD_TOPOLOGY_SPREAD, ClusterChange.POD_LEFT);
  }
}
