package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.StrategyException;
import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Examples of the pods that are evicted for another. */
class PreemptionTest {
  /** Required affinity to pods with {@code app=web}. */
  private static final String NEAR_WEB =
      "'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
          + "'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'web'}}}]}}";

  private Cluster cluster =
      Clusters.withPreemption(Distributors.installed().strategy("prioritized"));

  private void node(String name, String cpu) {
    cluster.nodeChanged(
        ClusterBench.json(
            "{'metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s','zone':'z'}},"
                    .formatted(name, name)
                + "'status':{'allocatable':{'cpu':'%s','memory':'8Gi','pods':'9'}}}"
                    .formatted(cpu)));
  }

  private String pod(String name, int priority, String cpu, String spec, String status) {
    cluster.podChanged(
        ClusterBench.json(
            ("{'metadata':{'name':'%s','namespace':'default','uid':'%s','labels':{'app':'%s'}},"
                    + "'spec':{'schedulerName':'lighthouse','priority':%d,'containers':[{"
                    + "'name':'c','resources':{'requests':{'cpu':'%s'}}}]%s},'status':{%s}}")
                .formatted(
                    name,
                    name,
                    name.replaceAll("[0-9]", ""),
                    priority,
                    cpu,
                    spec.isEmpty() ? "" : "," + spec,
                    status)));
    return name;
  }

  private String placed(String name, String node, int priority, String cpu) {
    return pod(name, priority, cpu, "'nodeName':'" + node + "'", "");
  }

  private Decision decide(String uid) {
    return cluster.decide(List.of(uid)).get(0);
  }

  private Decision.Preempt preempts(String uid) {
    return (Decision.Preempt) decide(uid);
  }

  private String message(String uid) {
    return ((Decision.Refused) decide(uid)).message();
  }

  private static List<String> names(List<WaitingPod> pods) {
    return pods.stream().map(WaitingPod::name).toList();
  }

  /** A claim with a volume of a driver, of which a node may hold some. */
  private void claim(String name, String handle) {
    cluster.changed(
        Resource.VOLUMES,
        ClusterBench.json(
            "{'metadata':{'name':'v-%s'},'spec':{'csi':{'driver':'d','volumeHandle':'%s'}}}"
                .formatted(name, handle)));
    bound(name, "v-" + name, "ReadWriteMany");
  }

  private void bound(String claim, String volume, String modes) {
    cluster.changed(
        Resource.CLAIMS,
        ClusterBench.json(
            ("{'metadata':{'name':'%s','namespace':'default','uid':'c-%s','annotations':{"
                    + "'pv.kubernetes.io/bind-completed':'yes'}},"
                    + "'spec':{'volumeName':'%s','accessModes':['%s']}}")
                .formatted(claim, claim, volume, modes)));
  }

  private static String uses(String claim) {
    return "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'" + claim + "'}}]";
  }

  private void limit(String node, int count) {
    cluster.changed(
        Resource.CSI_NODES,
        ClusterBench.json(
            ("{'metadata':{'name':'%s'},'spec':{'drivers':[{'name':'d','allocatable':{"
                    + "'count':%d}}]}}")
                .formatted(node, count)));
  }

  @Test
  void evictsOnlyThePodWhoseVolumeIsInTheWay() {
    node("n1", "4");
    limit("n1", 2);
    for (String name : new String[] {"one", "two", "new"}) {
      claim(name, name);
    }
    pod("first", 1, "1", "'nodeName':'n1'," + uses("one"), "");
    pod("second", 2, "1", "'nodeName':'n1'," + uses("two"), "");
    placed("plain", "n1", 0, "1");
    Decision.Preempt preempt = preempts(pod("urgent", 5, "1", uses("new"), ""));
    assertThat(names(preempt.victims())).containsExactly("first");
    assertThat(preempt.message()).contains("1 node(s) exceed max volume count");
  }

  @Test
  void evictsAllPodsThatShareTheVolumeInTheWay() {
    node("n1", "4");
    limit("n1", 1);
    claim("shared", "h");
    claim("new", "other");
    pod("first", 1, "1", "'nodeName':'n1'," + uses("shared"), "");
    pod("second", 2, "1", "'nodeName':'n1'," + uses("shared"), "");
    assertThat(names(preempts(pod("urgent", 5, "1", uses("new"), "")).victims()))
        .containsExactly("second", "first");
  }

  /** Equal requests and equal refusals: only the number of volumes differs. */
  @Test
  void evictsForOneVolumeAfterThreeWereTooMany() {
    node("n1", "4");
    limit("n1", 2);
    for (String name : new String[] {"one", "two", "a", "b", "c", "new"}) {
      claim(name, name);
    }
    pod("first", 1, "1", "'nodeName':'n1'," + uses("one"), "");
    pod("second", 2, "1", "'nodeName':'n1'," + uses("two"), "");
    String three =
        "'volumes':[{'name':'a','persistentVolumeClaim':{'claimName':'a'}},"
            + "{'name':'b','persistentVolumeClaim':{'claimName':'b'}},"
            + "{'name':'c','persistentVolumeClaim':{'claimName':'c'}}]";
    assertThat(message(pod("urgent1", 5, "1", three, ""))).contains("max volume count");
    assertThat(names(preempts(pod("urgent2", 5, "1", uses("new"), "")).victims()))
        .containsExactly("first");
  }

  @Test
  void evictsNoPodWhoseVolumeStaysAttached() {
    node("n1", "4");
    limit("n1", 1);
    claim("old", "h");
    claim("new", "other");
    cluster.changed(
        Resource.ATTACHMENTS,
        ClusterBench.json(
            "{'metadata':{'name':'a'},'spec':{'nodeName':'n1','attacher':'d','source':{"
                + "'persistentVolumeName':'v-old'}}}"));
    pod("first", 1, "1", "'nodeName':'n1'," + uses("old"), "");
    assertThat(message(pod("urgent", 5, "1", uses("new"), "")))
        .contains("preemption: 0/1 nodes are available: 1 node(s) exceed max volume count.");
  }

  @Test
  void evictsTheFewestOfTheLeastImportant() {
    node("n1", "4");
    node("n2", "4");
    placed("a1", "n1", 1, "2");
    placed("a2", "n1", 3, "2");
    placed("b1", "n2", 2, "2");
    placed("b2", "n2", 2, "2");
    Decision.Preempt preempt = preempts(pod("urgent", 9, "2", "", ""));
    assertThat(preempt.node()).isEqualTo("n1");
    assertThat(names(preempt.victims())).containsExactly("a1");
    assertThat(preempt.message())
        .isEqualTo("0/2 nodes are available: 2 Insufficient cpu. Nearest: n1, with 2 more cpu.");
    assertThat(preempt.why())
        .isEqualTo(
            "0 budgets violated, highest priority 1, 1 victim, not started;"
                + " least harm of 2 nodes with evictable pods");
  }

  @Test
  void comparesTheStartsOfTheMostImportantVictimsOnly() {
    for (String node : new String[] {"n1", "n2"}) {
      node(node, "4");
      String spec = "'nodeName':'" + node + "'";
      pod("small-" + node, 0, "1", spec, "'startTime':'2026-11-29T09:00:00Z'");
      String began = node.equals("n1") ? "10:00" : "11:00";
      pod("big-" + node, 1, "3", spec, "'startTime':'2026-11-29T" + began + ":00Z'");
    }
    Decision.Preempt preempt = preempts(pod("urgent", 5, "3", "", ""));
    assertThat(names(preempt.victims())).containsExactly("big-n2");
  }

  @Test
  void sparesPodsWhoseBudgetIsUsedUp() {
    node("n1", "2");
    node("n2", "2");
    placed("web1", "n1", 0, "2");
    placed("db1", "n2", 5, "2");
    String budget =
        "{'metadata':{'namespace':'default'},'spec':{'selector':{'matchLabels':{'app':'web'}}},"
            + "'status':{'disruptionsAllowed':%d}}";
    cluster.budgetChanged("b", ClusterBench.json(budget.formatted(0)));
    String urgent = pod("urgent", 9, "2", "", "");
    Decision.Preempt preempt = preempts(urgent);
    assertThat(names(preempt.victims())).containsExactly("db1");
    cluster.preemptionEnded(preempt, Set.of());
    cluster.budgetChanged("b", ClusterBench.json(budget.formatted(1)));
    preempt = preempts(urgent);
    assertThat(names(preempt.victims())).containsExactly("web1");
    cluster.preemptionEnded(preempt, Set.of());
    cluster.budgetChanged("b", ClusterBench.json(budget.formatted(0)));
    cluster.gone(Resource.BUDGETS, "b");
    assertThat(names(preempts(urgent).victims())).containsExactly("web1");
  }

  @Test
  void addsTheStockWordsToARefusal() {
    node("n1", "2");
    node("n2", "8");
    node("n3", "8");
    placed("a", "n1", 0, "1");
    placed("b", "n2", 9, "5");
    placed("c", "n2", 0, "3");
    placed("d", "n3", 9, "8");
    assertThat(message(pod("urgent", 5, "4", "", "")))
        .isEqualTo(
            "0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available:"
                + " 1 Insufficient cpu, 1 No preemption victims found for incoming pod,"
                + " 1 Preemption is not helpful for scheduling. Nearest: n1, with 3 more cpu.");
    assertThat(message(pod("polite", 5, "4", "'preemptionPolicy':'Never'", "")))
        .contains("cpu. preemption: not eligible due to preemptionPolicy=Never. Nearest");
  }

  @Test
  void aPodThatWouldBeTheFirstOfItsKindWithoutItsVictimFits() {
    node("n1", "2");
    placed("web1", "n1", 0, "2");
    assertThat(names(preempts(pod("web2", 5, "2", NEAR_WEB, "")).victims()))
        .containsExactly("web1");
    // This one is not of its own kind, and cannot live without its victim.
    cluster.podGone("web2");
    assertThat(message(pod("api", 5, "2", NEAR_WEB, "")))
        .contains("preemption: 0/1 nodes are available: 1 node(s) didn't match pod affinity rules");
  }

  /** Equal requests and equal affinity: only one of the two pods is of its own kind. */
  @Test
  void evictsForThePodThatSelectsItselfAfterOneThatDoesNot() {
    node("n1", "2");
    placed("web1", "n1", 0, "2");
    assertThat(message(pod("api", 5, "2", NEAR_WEB, "")))
        .contains("didn't match pod affinity rules");
    assertThat(names(preempts(pod("web2", 5, "2", NEAR_WEB, "")).victims()))
        .containsExactly("web1");
  }

  @Test
  void keepsTheRoomOfANominatedPodWhoseGangFails() {
    node("n1", "1");
    String gang = "'scheduling.x-k8s.io/pod-group':'g'";
    for (String name : List.of("m1", "m2")) {
      cluster.podChanged(
          ClusterBench.json(
              ("{'metadata':{'name':'%s','namespace':'default','uid':'%s','labels':{%s}},'spec':{"
                      + "'schedulerName':'lighthouse','priority':5,'containers':[{'name':'c',"
                      + "'resources':{'requests':{'cpu':'%s'}}}]},'status':{%s}}")
                  .formatted(
                      name,
                      name,
                      gang,
                      name.equals("m1") ? "1" : "8",
                      name.equals("m1") ? "'nominatedNodeName':'n1'" : "")));
    }
    pod("other", 5, "1", "", "");
    assertThat(cluster.decide(List.of("m1", "m2", "other")))
        .hasSize(3)
        .allMatch(Decision.Refused.class::isInstance);
    assertThat(message("other")).contains("Insufficient cpu");
  }

  @Test
  void keepsTheRoomOfANominatedPodWhoseBatchFails() {
    cluster =
        Clusters.withPreemption(
            Distributors.of(
                "picky",
                (workload, nodes) -> {
                  if (workload.name().equals("bad")) {
                    throw new IllegalStateException("broken");
                  }
                  return nodes.first();
                }));
    node("n1", "1");
    pod("nominated", 5, "1", "", "'nominatedNodeName':'n1'");
    pod("other", 5, "1", "", "");
    pod("bad", 1, "0", "", "");
    assertThatThrownBy(() -> cluster.decide(List.of("nominated", "bad")))
        .isInstanceOf(StrategyException.class);
    assertThat(message("other")).contains("Insufficient cpu");
    assertThat(((Decision.Bind) decide("nominated")).node()).isEqualTo("n1");
  }

  @Test
  void itsRoomCountsForPodsOfAtMostItsPriorityAndItGoesThereWhenTheVictimsAreGone() {
    node("n1", "4");
    node("n2", "1");
    placed("a", "n1", 0, "4");
    String urgent = pod("urgent", 5, "3", "", "");
    Decision.Preempt preempt = preempts(urgent);
    cluster.preemptionEnded(preempt, Set.of("a"));
    pod("urgent", 5, "3", "", "'nominatedNodeName':'n1'");
    assertThat(message(urgent)).contains("due to a terminating pod on the nominated node.");
    cluster.podGone("a");
    assertThat(message(pod("late", 5, "2", "", ""))).contains("1 No preemption victims");
    node("n2", "4");
    // The strategy would prefer n2 were n1 not nominated.
    assertThat(((Decision.Bind) decide(urgent)).node()).isEqualTo("n1");
    assertThat(((Decision.Bind) decide("late")).node()).isEqualTo("n2");
  }

  @Test
  void takesBackNominationsOfTheLessImportant() {
    node("n1", "4");
    placed("a", "n1", 0, "4");
    pod("low", 3, "4", "", "'nominatedNodeName':'n1'");
    Decision.Preempt preempt = preempts(pod("urgent", 5, "4", "", ""));
    assertThat(names(preempt.displaced())).containsExactly("low");
    assertThat(names(preempt.victims())).containsExactly("a");
  }

  @Test
  void takesBackNominationsOfTheLessImportantOfAllItsProfiles() {
    Profiles.Profile profile = Clusters.standard("prioritized");
    cluster =
        Cluster.withProfiles(
            new Profiles(Map.of("lighthouse", profile, "second", profile)),
            names -> Distributors.installed().strategy("prioritized"),
            true,
            PodFacts.Reads.NEITHER);
    node("n1", "4");
    placed("b", "n1", 0, "4");
    for (String scheduler : List.of("lighthouse", "second", "another")) {
      cluster.podChanged(
          ClusterBench.json(
              ("{'metadata':{'name':'low-%s','namespace':'default','uid':'low-%s'},'spec':{"
                      + "'schedulerName':'%s','priority':3,'containers':[]},'status':{"
                      + "'nominatedNodeName':'n1'}}")
                  .formatted(scheduler, scheduler, scheduler)));
    }
    assertThat(names(preempts(pod("urgent", 5, "2", "", "")).displaced()))
        .containsExactly("low-lighthouse", "low-second");
  }

  @Test
  void losesItsNominationWhereNothingHelpsAnyMore() {
    node("n1", "4");
    placed("a", "n1", 0, "4");
    String urgent = pod("urgent", 5, "4", "", "'nominatedNodeName':'gone'");
    assertThat(preempts(urgent).node()).isEqualTo("n1");
    cluster.podGone(urgent);
    pod("urgent", 5, "40", "", "'nominatedNodeName':'n1'");
    assertThat(((Decision.Refused) decide(urgent)).lostNomination()).isEqualTo("n1");
  }

  /** As by kube-scheduler 1.36, where only a preemption that fails takes a nomination back. */
  @Test
  void aPodThatNeverPreemptsKeepsItsNomination() {
    node("n1", "4");
    placed("a", "n1", 0, "4");
    for (String node : List.of("n1", "gone")) {
      String polite =
          pod("polite", 5, "4", "'preemptionPolicy':'Never'", "'nominatedNodeName':'" + node + "'");
      assertThat(((Decision.Refused) decide(polite)).lostNomination()).as(node).isEmpty();
    }
  }

  @Test
  void aVictimThatIsEvictedAlreadyIsNotEvictedForAnother() {
    node("n1", "4");
    placed("a", "n1", 0, "4");
    String first = pod("first", 5, "4", "", "");
    assertThat(names(preempts(first).victims())).containsExactly("a");
    Decision.Preempt second = preempts(pod("second", 6, "4", "", ""));
    assertThat(second.victims()).isEmpty();
    assertThat(names(second.ending())).containsExactly("a");
    assertThat(names(second.displaced())).containsExactly("first");
  }

  @Test
  void membersOfAGangPreemptNothing() {
    node("n1", "4");
    placed("a", "n1", 0, "4");
    cluster.podChanged(
        ClusterBench.json(
            "{'metadata':{'name':'g','namespace':'default','uid':'g','labels':{"
                + "'scheduling.x-k8s.io/pod-group':'gang'}},'spec':{'schedulerName':'lighthouse',"
                + "'priority':5,'containers':[{'name':'c','resources':{'requests':{'cpu':'4'}}}]},"
                + "'status':{}}"));
    assertThat(message("g")).contains("Insufficient cpu").doesNotContain("preemption");
  }

  private void volume(String name, String node, String modes) {
    cluster.changed(
        Resource.VOLUMES,
        ClusterBench.json(
            ("{'metadata':{'name':'%s'},'spec':{'csi':{'driver':'d','volumeHandle':'%s'}%s}}")
                .formatted(
                    name,
                    name,
                    node.isEmpty()
                        ? ""
                        : ",'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':[{"
                            + "'key':'kubernetes.io/hostname','operator':'In','values':['"
                            + node
                            + "']}]}]}}")));
    bound(name, name, modes);
  }

  @Test
  void evictsNobodyOnANodeThatTheVolumeRulesOut() {
    node("n1", "4");
    node("n2", "2");
    volume("data", "n2", "ReadWriteOnce");
    placed("a1", "n1", 1, "4");
    assertThat(message(pod("urgent", 9, "3", uses("data"), "")))
        .contains(
            "preemption: 0/2 nodes are available: 1 Preemption is not helpful for scheduling,"
                + " 1 node(s) didn't match PersistentVolume's node affinity.");
  }

  @Test
  void evictsThePodThatHasAClaimForOnePod() {
    node("n1", "4");
    node("n2", "4");
    volume("data", "", "ReadWriteOncePod");
    pod("owner", 1, "1", "'nodeName':'n2'," + uses("data"), "");
    placed("a1", "n1", 1, "1");
    placed("a2", "n2", 1, "1");
    Decision.Preempt preempt = preempts(pod("urgent", 9, "1", uses("data"), ""));
    assertThat(preempt.node()).isEqualTo("n2");
    assertThat(names(preempt.victims())).containsExactly("owner");
  }
}
