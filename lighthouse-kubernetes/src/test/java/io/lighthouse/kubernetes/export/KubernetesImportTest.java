package io.lighthouse.kubernetes.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Rule;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Problem;
import io.lighthouse.json.read.ProblemReader;
import io.lighthouse.json.write.ProblemWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class KubernetesImportTest {
  static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text.replace('\'', '"'));
  }

  static String node(String name, String zone, String spec) {
    return "{'kind':'Node','metadata':{'name':'%s','labels':{'zone':'%s'}},'spec':{%s},"
            .formatted(name, zone, spec)
        + "'status':{'allocatable':{'cpu':'4','memory':'8Gi','pods':'10'}}}";
  }

  static String pod(String name, String app, String spec) {
    return "{'kind':'Pod','metadata':{'name':'%s','namespace':'default','uid':'u-%s',"
            .formatted(name, name)
        + "'labels':{'app':'%s'}},'spec':{'containers':[{'name':'c','resources':".formatted(app)
        + "{'requests':{'cpu':'1'}}}]%s}}".formatted(spec.isEmpty() ? "" : "," + spec);
  }

  static KubernetesImport read(String... items) {
    return KubernetesImport.of(
        List.of(json("{'kind':'List','items':[" + String.join(",", items) + "]}")), "prioritized");
  }

  /** What is written is read again, and placed. */
  static Assignments placed(KubernetesImport imported) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    ProblemWriter.write(imported.problem(), text);
    Problem problem =
        ProblemReader.standard().read(new ByteArrayInputStream(text.toByteArray())).problem();
    assertThat(problem).isEqualTo(imported.problem());
    Distributor fleet =
        Distributors.installed()
            .strategy(problem.strategy().orElseThrow())
            .nodes(problem.nodes())
            .build();
    return fleet.assign(problem.workloads());
  }

  @Test
  void aProblemFilePlacesThePodsAsTheClusterWould() throws IOException {
    String anti =
        "'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
            + "[{'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}}}]}}";
    KubernetesImport imported =
        read(
            node("n1", "a", ""),
            node("n2", "b", ""),
            node("n3", "c", "'taints':[{'key':'k','effect':'NoSchedule'}]"),
            pod("db-1", "db", "'nodeName':'n1'," + anti),
            pod("db-2", "db", anti),
            pod("db-3", "db", anti),
            pod("db-4", "db", anti + ",'tolerations':[{'operator':'Exists'}]"),
            pod("pinned", "web", "'nodeSelector':{'zone':'c'}"));
    assertThat(imported.remarks()).isEmpty();
    assertThat(placed(imported).toString())
        .isEqualTo(
            "{default/db-2: n2, default/db-3: none, default/db-4: n3, default/pinned: none}");
  }

  /** Half of a pair of surrogates is no character, and no part of a name. */
  @Test
  void theNameOfALongSelectorEndsWithAWholeCharacter() throws IOException {
    String before = "pods: app IN [";
    String app = "x".repeat(199 - before.length()) + "\ud83d\ude00";
    String anti =
        "'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
            + "[{'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'%s'}}}]}}"
                .formatted(app);
    KubernetesImport imported =
        read(node("n1", "a", ""), node("n2", "b", ""), pod("p", app, anti), pod("q", app, anti));
    assertThat(placed(imported).toString()).isEqualTo("{default/p: n1, default/q: n2}");
  }

  @Test
  void aPlanMovesAPlacedPodOnlyWhereItsConstraintsLetIt() {
    String near =
        "'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
            + "[{'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}}}]}}";
    String taint = "'taints':[{'key':'k','effect':'NoSchedule'}]";
    KubernetesImport imported =
        read(
            node("n1", "a", ""),
            node("n2", "b", ""),
            node("n3", "a", ""),
            node("n4", "c", taint),
            node("n5", "d", ""),
            pod("db", "db", "'nodeName':'n3'"),
            pod("chosen", "x", "'nodeName':'n1','nodeSelector':{'zone':'d'}"),
            pod("near", "y", "'nodeName':'n1'," + near),
            pod(
                "tolerant",
                "z",
                "'nodeName':'n1','nodeSelector':{'zone':'c'},"
                    + "'tolerations':[{'operator':'Exists'}]"),
            pod("nowhere", "w", "'nodeName':'n2','nodeSelector':{'zone':'b'}"));
    assertThat(imported.remarks()).isEmpty();
    Distributor fleet =
        Distributors.installed().strategy("spread").nodes(imported.problem().nodes()).build();
    Plan plan = fleet.advisor().plan(new PlanGoal.Drain(List.of("n1", "n2")), PlanLimits.NONE);
    assertThat(plan.unmet()).containsExactly("n2");
    assertThat(plan.changes())
        .containsExactlyInAnyOrder(
            new Change.Move("default/chosen", "n1", "n5"),
            new Change.Move("default/near", "n1", "n3"),
            new Change.Move("default/tolerant", "n1", "n4"));
  }

  /** A pod with more of its metadata. */
  static String with(String metadata, String pod) {
    return pod.replace("'namespace'", metadata + ",'namespace'");
  }

  @Test
  void podsThatBelongToTheirNodesStayThere() {
    String owner = "'ownerReferences':[{'kind':'DaemonSet','uid':'d','controller':true}]";
    String affine =
        "'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
            + "{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'In',"
            + "'values':['n1']}]}]}}}";
    KubernetesImport imported =
        read(
            node("n1", "a", ""),
            node("n2", "b", ""),
            with(
                "'annotations':{'kubernetes.io/config.mirror':'h'}",
                pod("mirror", "x", "'nodeName':'n1'")),
            with("'deletionTimestamp':'2026-01-01T00:00:00Z'", pod("ends", "x", "'nodeName':'n1'")),
            with(owner, pod("daemon", "x", "'nodeName':'n1'," + affine)),
            pod("web", "x", "'nodeName':'n1'"));
    assertThat(imported.remarks()).isEmpty();
    Condition stays = new Condition.In(Rule.NODE, Set.of("n1"));
    assertThat(imported.problem().nodes().get(0).workloads())
        .extracting(workload -> workload.terms().where())
        .containsExactly(List.of(stays), List.of(stays), List.of(stays), List.of());
    Distributor fleet =
        Distributors.installed().strategy("spread").nodes(imported.problem().nodes()).build();
    Plan plan = fleet.advisor().plan(new PlanGoal.Evacuate(List.of("n1")), PlanLimits.NONE);
    assertThat(plan.changes()).containsExactly(new Change.Move("default/web", "n1", "n2"));
  }

  @Test
  void hostPortsSpreadAndAffinityAreRules() throws IOException {
    String near =
        "'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
            + "[{'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}}}]}}";
    String spread =
        "'topologySpreadConstraints':[{'topologyKey':'zone','maxSkew':1,"
            + "'whenUnsatisfiable':'DoNotSchedule','nodeTaintsPolicy':'Honor',"
            + "'labelSelector':{'matchLabels':{'app':'web'}}}]";
    String port =
        "'hostNetwork':true,'initContainers':[{'name':'i','restartPolicy':'Always',"
            + "'ports':[{'hostPort':80}]}]";
    KubernetesImport imported =
        read(
            node("n1", "a", ""),
            node("n2", "b", ""),
            pod("db", "db", "'nodeName':'n2'"),
            pod("near", "x", near),
            pod("p-1", "y", port),
            pod("p-2", "y", port),
            pod("p-3", "y", port),
            pod("web-1", "web", spread),
            pod("web-2", "web", spread));
    assertThat(imported.remarks()).isEmpty();
    assertThat(placed(imported).toString())
        .isEqualTo(
            "{default/near: n2, default/p-1: n1, default/p-2: n2, default/p-3: none,"
                + " default/web-1: n1, default/web-2: n2}");
  }

  /** As for the stock scheduler, the ports of a pod do not conflict with each other. */
  @Test
  void aPodMayHaveAPortAtEveryAddressAndAtOne() throws IOException {
    String both =
        "'initContainers':[{'name':'i','restartPolicy':'Always','ports':[{'hostPort':80},"
            + "{'hostPort':80,'hostIP':'10.0.0.1'},{'hostPort':80,'hostIP':'10.0.0.2'}]}]";
    String one =
        "'initContainers':[{'name':'i','restartPolicy':'Always','ports':"
            + "[{'hostPort':80,'hostIP':'10.0.0.1'}]}]";
    KubernetesImport imported =
        read(
            node("n1", "a", ""),
            node("n2", "b", ""),
            pod("both-1", "x", both),
            pod("both-2", "x", both),
            pod("both-3", "x", both),
            pod("one", "x", one));
    assertThat(placed(imported).toString())
        .isEqualTo(
            "{default/both-1: n1, default/both-2: n2, default/both-3: none, default/one: none}");
  }

  static String claim(String name, String spec) {
    return "{'kind':'PersistentVolumeClaim','metadata':{'name':'%s','namespace':'default',"
            .formatted(name)
        + "'annotations':{'pv.kubernetes.io/bind-completed':'yes'}},'spec':{%s}}".formatted(spec);
  }

  static String volume(String name, String spec) {
    return "{'kind':'PersistentVolume','metadata':{'name':'%s','labels':{}},'spec':{%s}}"
        .formatted(name, spec);
  }

  static String uses(String claim) {
    return "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'%s'}}]".formatted(claim);
  }

  @Test
  void podsGoWhereTheirVolumesAre() throws IOException {
    String inB =
        "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':"
            + "[{'key':'zone','operator':'In','values':['b']}]}]}}";
    KubernetesImport imported =
        read(
            node("n1", "a", ""),
            node("n2", "b", ""),
            node("n3", "c", ""),
            volume("v1", inB),
            claim("c1", "'volumeName':'v1'"),
            claim("once", "'volumeName':'v2','accessModes':['ReadWriteOncePod']"),
            volume("v2", ""),
            claim("csi-1", "'volumeName':'v3'"),
            volume("v3", "'csi':{'driver':'d','volumeHandle':'1'}"),
            claim("csi-2", "'volumeName':'v4'"),
            volume("v4", "'csi':{'driver':'d','volumeHandle':'2'}"),
            "{'kind':'StorageClass','metadata':{'name':'made'},'provisioner':'p',"
                + "'volumeBindingMode':'WaitForFirstConsumer','allowedTopologies':"
                + "[{'matchLabelExpressions':[{'key':'zone','values':['c']}]}]}",
            "{'kind':'PersistentVolumeClaim','metadata':{'name':'fresh','namespace':'default'},"
                + "'spec':{'storageClassName':'made'}}",
            "{'kind':'CSINode','metadata':{'name':'n1'},'spec':{'drivers':"
                + "[{'name':'d','allocatable':{'count':1}}]}}",
            pod("a", "x", uses("c1")),
            pod("b", "x", uses("fresh")),
            pod("c", "x", uses("once")),
            pod("d", "x", uses("once")),
            pod("e", "x", uses("csi-1") + ",'nodeName':'n1'"),
            pod("f", "x", uses("csi-2") + ",'nodeSelector':{'zone':'a'}"),
            pod("g", "x", uses("missing")));
    assertThat(imported.remarks())
        .containsExactly("pod default/g is left out: persistentvolumeclaim \"missing\" not found");
    assertThat(placed(imported).toString())
        .isEqualTo(
            "{default/a: n2, default/b: n3, default/c: n1, default/d: none, default/f: none}");
  }

  private static String member(String gang, int wanted, String pod) {
    return pod.replace(
        "'labels':{",
        "'labels':{'pod-group.scheduling.sigs.k8s.io/name':'%s',".formatted(gang)
            + "'pod-group.scheduling.sigs.k8s.io/min-available':'%d',".formatted(wanted));
  }

  /** As the scheduler does, which waits for the others. */
  @Test
  void gangsThatCannotBePlacedWholeAreLeftOut() throws IOException {
    KubernetesImport imported =
        read(
            node("n1", "a", ""),
            member("few", 3, pod("few-1", "x", "")),
            member("few", 3, pod("few-2", "x", "")),
            with(
                "'deletionTimestamp':'2026-01-01T00:00:00Z'",
                member("few", 3, pod("few-3", "x", "'nodeName':'n1'"))),
            member("gated", 2, pod("gated-1", "x", "")),
            member("gated", 2, pod("gated-2", "x", "'schedulingGates':[{'name':'g'}]")),
            member("lost", 1, pod("lost-1", "x", "")),
            member("lost", 1, pod("lost-2", "x", uses("missing"))),
            member("enough", 2, pod("enough-1", "x", "'nodeName':'n1'")),
            member("enough", 2, pod("enough-2", "x", "")));
    assertThat(imported.remarks())
        .containsExactly(
            "pod default/few-1 is left out: pod group few has only 2 of 3 pods",
            "pod default/few-2 is left out: pod group few has only 2 of 3 pods",
            "pod default/gated-1 is left out: pod group gated has only a member that cannot be"
                + " placed",
            "pod default/gated-2 is left out: scheduling gates",
            "pod default/lost-1 is left out: pod group lost has only a member that cannot be placed",
            "pod default/lost-2 is left out: persistentvolumeclaim \"missing\" not found");
    assertThat(placed(imported).toString()).isEqualTo("{default/enough-2: n1}");
  }

  @Test
  void whatAFileDoesNotSayIsRemarked() {
    KubernetesImport imported =
        KubernetesImport.of(
            List.of(
                json("{'kind':'NodeList','items':[" + node("n1", "a", "") + "]}"),
                json(
                    "{'kind':'PodList','items':["
                        + pod("claims", "a", "'resourceClaims':[{'name':'c'}]")
                        + ","
                        + pod("gated", "a", "'schedulingGates':[{'name':'g'}]")
                        + ","
                        + pod("lost", "a", "'nodeName':'gone'")
                        + "]}"),
                json("{'kind':'ServiceList','items':[{'metadata':{'name':'s'}}]}")),
            "spread");
    assertThat(imported.problem().workloads()).isEmpty();
    assertThat(imported.remarks())
        .containsExactly(
            "pod default/claims is left out: not supported: resourceClaims",
            "pod default/gated is left out: scheduling gates",
            "pod default/lost is left out: no node gone, which it is on",
            "left out: 1 object of kind Service");
  }

  @Test
  void whatIsNoListIsRefused() {
    assertThatThrownBy(() -> KubernetesImport.of(List.of(json("{'kind':'Pod'}")), "spread"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'Pod'");
    assertThatThrownBy(() -> read(pod("p", "a", "")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no node");
  }

  @Test
  void whatIsNoQuantityIsRefusedWithTheNameOfItsObject() {
    String node = node("n1", "a", "");
    assertThatThrownBy(() -> read(node.replace("8Gi", "8gb")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("node 'n1': status.allocatable.memory is '8gb'; allowed: a Kuber");
    assertThatThrownBy(() -> read(node, pod("p", "a", "").replace("'cpu':'1'", "'cpu':'1x'")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(
            "pod 'default/p': spec.containers[0].resources.requests.cpu is '1x'; allowed");
    String status = "{'name':'c','resources':{},'allocatedResources':{'cpu':'1x'}}";
    String resized =
        pod("p", "a", "")
            .replaceFirst("}$", ",'status':{'containerStatuses':[%s]}}".formatted(status));
    assertThatThrownBy(() -> read(node, resized))
        .hasMessageStartingWith(
            "pod 'default/p': status.containerStatuses[0].allocatedResources.cpu is '1x'; allowed");
    String volume =
        "{'kind':'PersistentVolume','metadata':{'name':'v'},'spec':{'capacity':{'storage':'1x'}}}";
    assertThatThrownBy(() -> read(node, volume))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(
            "PersistentVolume 'v': spec.capacity.storage is '1x'; allowed: a Kuber");
    String claim =
        "{'kind':'PersistentVolumeClaim','metadata':{'name':'c','namespace':'a'},"
            + "'spec':{'resources':{'requests':{'storage':'1x'}}}}";
    assertThatThrownBy(() -> read(node, claim))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(
            "PersistentVolumeClaim 'a/c': spec.resources.requests.storage is '1x'; allowed: a");
    String capacity =
        "{'kind':'CSIStorageCapacity','metadata':{'name':'c','namespace':'a'},'capacity':'%s'%s}";
    assertThatThrownBy(() -> read(node, capacity.formatted("1x", "")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("CSIStorageCapacity 'a/c': capacity is '1x'; allowed: a Kuber");
    assertThatThrownBy(() -> read(node, capacity.formatted("1", ",'maximumVolumeSize':'1x'")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("CSIStorageCapacity 'a/c': maximumVolumeSize is '1x'; allowed: a");
  }
}
