package io.lighthouse.kubernetes.export;

import static io.lighthouse.kubernetes.export.KubernetesImportTest.claim;
import static io.lighthouse.kubernetes.export.KubernetesImportTest.node;
import static io.lighthouse.kubernetes.export.KubernetesImportTest.placed;
import static io.lighthouse.kubernetes.export.KubernetesImportTest.pod;
import static io.lighthouse.kubernetes.export.KubernetesImportTest.read;
import static io.lighthouse.kubernetes.export.KubernetesImportTest.uses;
import static io.lighthouse.kubernetes.export.KubernetesImportTest.volume;
import static io.lighthouse.kubernetes.export.KubernetesImportTest.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.core.Distributors;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What spreads and pod affinity count in an export: as for the stock scheduler. */
class ExportedCountsTest {
  private static String spread(String more) {
    return "'topologySpreadConstraints':[{'topologyKey':'zone','maxSkew':1,"
        + "'whenUnsatisfiable':'DoNotSchedule','nodeTaintsPolicy':'Honor',"
        + "'labelSelector':{%s}}]".formatted(more);
  }

  private static final String WEB = "'matchLabels':{'app':'web'}";

  @Test
  void podsThatEndDoNotCountForASpread() throws IOException {
    String ends = "'deletionTimestamp':'2026-01-01T00:00:00Z'";
    KubernetesImport imported =
        read(
            node("n1", "a", ""),
            node("n2", "b", ""),
            with(ends, pod("old-1", "web", "'nodeName':'n2'")),
            with(ends, pod("old-2", "web", "'nodeName':'n2'")),
            pod("web-1", "web", "'nodeName':'n1'," + spread(WEB)),
            pod("web-2", "web", spread(WEB)));
    assertThat(imported.remarks()).isEmpty();
    assertThat(placed(imported).toString()).isEqualTo("{default/web-2: n2}");
  }

  /** Pods on node n2 do not count for a pod that selects the others, until they are moved. */
  @Test
  void podsOnNodesThatDoNotCountAreNotCountedByASpread() throws IOException {
    String selected =
        "'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
            + "{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'NotIn',"
            + "'values':['n2']}]}]}}},"
            + spread(WEB);
    KubernetesImport imported =
        read(
            node("n1", "a", ""),
            node("n2", "a", ""),
            node("n3", "b", ""),
            pod("other-1", "web", "'nodeName':'n2'"),
            pod("other-2", "web", "'nodeName':'n2'"),
            pod("web-1", "web", "'nodeName':'n3'," + selected),
            pod("web-2", "web", selected));
    assertThat(imported.remarks()).isEmpty();
    assertThat(placed(imported).toString()).isEqualTo("{default/web-2: n1}");
    Distributor fleet =
        Distributors.installed().strategy("spread").nodes(imported.problem().nodes()).build();
    fleet.apply(
        new Change.Move("default/other-1", "n2", "n1"),
        new Change.Move("default/other-2", "n2", "n1"));
    assertThat(fleet.assign(imported.problem().workloads()).toString())
        .isEqualTo("{default/web-2: n3}");
  }

  private static String requesting(String resource, String pod) {
    return pod.replace("'cpu':'1'", "'cpu':'1','%s':'1'".formatted(resource));
  }

  /** The stock scheduler counts zone b, and so has no room for a second pod in zone a. */
  @Test
  void aZoneWithoutTheResourceOfAPodCountsForItsSpread() throws IOException {
    String gpu = node("n1", "a", "").replace("'pods':'10'", "'pods':'10','example.com/gpu':'4'");
    KubernetesImport imported =
        read(
            gpu,
            node("n2", "b", ""),
            requesting("example.com/gpu", pod("web-1", "web", spread(WEB))),
            requesting("example.com/gpu", pod("web-2", "web", spread(WEB))));
    assertThat(imported.remarks()).isEmpty();
    assertThat(placed(imported).toString()).isEqualTo("{default/web-1: n1, default/web-2: none}");
  }

  @Test
  void anEmptySelectorOfASpreadCountsNoPods() throws IOException {
    KubernetesImport imported =
        read(
            node("n1", "a", ""),
            node("n2", "b", "").replace("'zone':'b'", ""),
            pod("some-1", "x", "'nodeName':'n1'"),
            pod("some-2", "x", "'nodeName':'n1'"),
            node("n3", "c", "").replace("'cpu':'4'", "'cpu':'0'"),
            pod("web-1", "web", spread("")),
            pod("web-2", "web", spread("")),
            pod("web-3", "web", spread("")));
    assertThat(placed(imported).toString())
        .isEqualTo("{default/web-1: n1, default/web-2: n1, default/web-3: none}");
  }

  private static String near(String app, String... keys) {
    StringBuilder terms = new StringBuilder();
    for (String key : keys) {
      terms.append(terms.isEmpty() ? "" : ",");
      terms.append("{'topologyKey':'%s','labelSelector':".formatted(key));
      terms.append("{'matchLabels':{'app':'%s'}}}".formatted(app));
    }
    return "'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[%s]}}"
        .formatted(terms);
  }

  /** As for the stock scheduler: where no pod is on a node with the label, the first is free. */
  @Test
  void aPodThatIsNearItselfIsTheFirstWherePodsOnlyAreOnNodesWithoutTheLabel() throws IOException {
    KubernetesImport imported =
        read(
            node("n0", "", "").replace("'zone':''", "'rack':'r'"),
            node("n1", "a", ""),
            node("n2", "b", ""),
            pod("web-1", "web", "'nodeName':'n0'"),
            pod("web-2", "web", near("web", "zone")),
            pod("web-3", "web", near("web", "zone")));
    assertThat(placed(imported).toString()).isEqualTo("{default/web-2: n1, default/web-3: n1}");
    String remark =
        ": its pod affinity does not count pods that are on a node without the label, even if they"
            + " are moved";
    assertThat(imported.remarks())
        .containsExactly("pod default/web-2" + remark, "pod default/web-3" + remark);
  }

  /** The first pod needs the label, too. */
  @Test
  void aPodThatIsNearItselfGoesOnlyWhereTheLabelIs() throws IOException {
    KubernetesImport imported =
        read(
            node("n0", "", "").replace("'zone':''", ""),
            pod("web-1", "web", near("web", "zone")),
            pod("web-2", "web", near("web", "zone")));
    assertThat(imported.remarks()).isEmpty();
    assertThat(placed(imported).toString()).isEqualTo("{default/web-1: none, default/web-2: none}");
  }

  /** Each term needs a pod that all terms are about. */
  @Test
  void termsOfPodAffinityAreAboutTheSamePods() throws IOException {
    String both =
        near("db", "zone").replace("]}}", ",{'topologyKey':'zone','labelSelector':{'matchLabels'")
            + ":{'tier':'fast'}}}]}}";
    KubernetesImport imported =
        read(
            node("n1", "a", ""),
            node("n2", "b", ""),
            pod("slow", "db", "'nodeName':'n1'"),
            pod("other", "x", "'nodeName':'n1'").replace("'app'", "'tier':'fast','app'"),
            pod("fast", "db", "'nodeName':'n2'").replace("'app'", "'tier':'fast','app'"),
            pod("web", "web", both));
    assertThat(imported.remarks()).isEmpty();
    assertThat(placed(imported).toString()).isEqualTo("{default/web: n2}");
  }

  @Test
  void zonesThatAPodNeverGoesToAndThatItsSpreadWouldCountAreRemarked() {
    String inA =
        "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':"
            + "[{'key':'zone','operator':'In','values':['a']}]}]}}";
    KubernetesImport imported =
        read(
            node("n1", "a", "").replace("'zone':'a'", "'zone':'a','rack':'r'"),
            node("n2", "b", ""),
            node("n3", "c", "'unschedulable':true"),
            volume("v1", inA),
            claim("c1", "'volumeName':'v1'"),
            pod("held", "web", uses("c1") + "," + spread(WEB)),
            pod("near", "web", near("web", "rack") + "," + spread(WEB)),
            pod("near zone", "web", near("web", "zone") + "," + spread(WEB)),
            pod("web", "web", spread(WEB) + ",'tolerations':[{'operator':'Exists'}]"),
            pod("plain", "web", spread(WEB).replace("'nodeTaintsPolicy':'Honor',", "")));
    String remark = ": its spread by zone counts no zone that it can never go to (";
    assertThat(imported.remarks())
        .containsExactly(
            "pod default/held" + remark + "its volumes)",
            "pod default/near" + remark + "the labels of its pod affinity)",
            "pod default/near zone" + remark + "nodes that are unschedulable and have no taint)",
            "pod default/plain" + remark + "nodeAffinityPolicy and nodeTaintsPolicy Honor)");
  }

  /**
   * Zone b is left out by its taint, so there are fewer zones than two, and none counts as empty.
   */
  @Test
  void aSpreadCountsOnlyZonesWithNodesThatCount() throws IOException {
    String taint = "'taints':[{'key':'k','effect':'NoSchedule'}]";
    String twoZones = spread(WEB).replace("'maxSkew':1", "'maxSkew':1,'minDomains':2");
    KubernetesImport imported =
        read(
            node("n1", "a", ""),
            node("n2", "b", taint),
            pod("web-1", "web", "'nodeName':'n1'," + twoZones),
            pod("web-2", "web", twoZones));
    assertThat(imported.remarks()).isEmpty();
    assertThat(placed(imported).toString()).isEqualTo("{default/web-2: none}");
  }
}
