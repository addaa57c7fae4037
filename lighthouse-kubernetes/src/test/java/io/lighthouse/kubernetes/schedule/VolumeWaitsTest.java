package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Clusters;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.Storage;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** When the wait of a pod for its volumes is checked, and what ends it. */
class VolumeWaitsTest {
  private static final long LIMIT = Duration.ofMinutes(10).toNanos();

  private final Cluster cluster = Clusters.of(Distributors.installed().strategy("prioritized"));
  private final VolumeWaits waits = new VolumeWaits(Duration.ofNanos(LIMIT));

  @BeforeEach
  void addNode() {
    cluster.nodeChanged(Objects.node("n1", "a", "64", "64Gi", 99));
    cluster.changed(
        Resource.STORAGE_CLASSES,
        Objects.json(
            "{'metadata':{'name':'made'},'provisioner':'d',"
                + "'volumeBindingMode':'WaitForFirstConsumer'}"));
  }

  private void claim(String name, String metadata, String spec) {
    cluster.changed(
        Resource.CLAIMS,
        Objects.json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'c-%s'%s},'spec':{"
                + "'storageClassName':'made','resources':{'requests':{'storage':'1Gi'}}%s}}",
            name, name, metadata, spec));
  }

  private void bindClaim(String name) {
    claim(
        name,
        ",'annotations':{'volume.kubernetes.io/selected-node':'n1',"
            + "'pv.kubernetes.io/bind-completed':'yes'}",
        ",'volumeName':'v-" + name + "'");
  }

  private void addVolume(String claim) {
    addVolume(claim, ",'claimRef':{'namespace':'default','name':'%s','uid':'c-%s'}", claim, claim);
  }

  private void addVolume(String claim, String reference, Object... parts) {
    cluster.changed(
        Resource.VOLUMES,
        Objects.json(
            "{'metadata':{'name':'v-%s'},'spec':{'storageClassName':'made',"
                + "'capacity':{'storage':'1Gi'}%s},'status':{'phase':'Available'}}",
            claim, reference.formatted(parts)));
  }

  private static ObjectNode pod(String name) {
    ObjectNode pod = Storage.pod(name, name);
    pod.withObjectProperty("metadata").put("uid", name).put("namespace", "default");
    return pod;
  }

  /**
   * Pods with a claim of their name each have the node, and the claims are as they were written.
   */
  private void wait(long now, String... names) {
    for (String name : names) {
      claim(name, "", "");
      cluster.podChanged(pod(name));
      Decision.Bind decision = (Decision.Bind) cluster.decide(List.of(name)).get(0);
      claim(name, ",'annotations':{'volume.kubernetes.io/selected-node':'n1'}", "");
      waits.add(new Binding(decision, name, now), cluster.volumes().work(name).orElseThrow(), now);
    }
  }

  /** The pods whose wait is over, with the reason where they are not to be bound. */
  private String ended(long now) {
    return ended(now, Integer.MAX_VALUE);
  }

  private String ended(long now, int most) {
    return waits.takeEnded(cluster, now, most).stream()
        .map(
            end ->
                end.binding().uid() + (end.failure().isEmpty() ? "" : " (" + end.failure() + ")"))
        .collect(Collectors.joining(", "));
  }

  private String endedBy(Resource resource, String key) {
    waits.changed(cluster, resource, key);
    return ended(0);
  }

  @Test
  void aWaitIsCheckedOnlyWhenWhatItDependsOnHasChanged() {
    wait(0, "p", "q");
    assertThat(ended(0)).isEmpty();
    bindClaim("p");
    addVolume("p");
    assertThat(ended(0)).as("nothing was reported").isEmpty();
    assertThat(endedBy(Resource.CLAIMS, "default/q")).isEmpty();
    assertThat(endedBy(Resource.CLAIMS, "default/p")).isEqualTo("p");
    assertThat(waits.size()).isEqualTo(1);
    assertThat(endedBy(Resource.CLAIMS, "default/p")).as("it has ended").isEmpty();
  }

  @Test
  void aVolumeMayBecomeKnownAfterItsClaim() {
    wait(0, "p");
    bindClaim("p");
    assertThat(endedBy(Resource.CLAIMS, "default/p")).isEmpty();
    addVolume("p");
    assertThat(endedBy(Resource.VOLUMES, "v-p")).isEqualTo("p");
  }

  /** What the claim names decides. */
  @Test
  void aVolumeThatBecomesKnownAfterItsClaimNeedNotNameIt() throws Exception {
    wait(0, "none", "other");
    bindClaim("none");
    bindClaim("other");
    assertThat(ended(0)).isEmpty();
    addVolume("none", "");
    assertThat(endedBy(Resource.VOLUMES, "v-none")).isEqualTo("none");
    addVolume("other", ",'claimRef':{'namespace':'default','name':'x','uid':'c-x'}");
    assertThat(endedBy(Resource.VOLUMES, "v-other")).isEqualTo("other");
  }

  @Test
  void whatIsThereBeforeTheWaitBeginsCounts() {
    wait(0, "p");
    bindClaim("p");
    addVolume("p");
    assertThat(ended(0)).isEqualTo("p");
  }

  @Test
  void theObjectsOfAWaitEndIt() {
    wait(0, "claim", "deleted", "gone", "node");
    assertThat(ended(0)).isEmpty();
    cluster.gone(Resource.CLAIMS, "default/claim");
    assertThat(endedBy(Resource.CLAIMS, "default/claim"))
        .isEqualTo("claim (persistentvolumeclaim \"claim\" not found)");
    ObjectNode pod = pod("deleted");
    pod.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-22T12:00:00Z");
    cluster.podChanged(pod);
    assertThat(endedBy(Resource.PODS, "deleted")).isEqualTo("deleted (the pod is being deleted)");
    cluster.podGone("gone");
    waits.remove("gone");
    assertThat(endedBy(Resource.PODS, "gone")).isEmpty();
    assertThat(waits.size()).isEqualTo(1);
    cluster.nodeGone("n1");
    assertThat(endedBy(Resource.NODES, "n1")).isEqualTo("node (node \"n1\" not found)");
    assertThat(waits.size()).isZero();
  }

  @Test
  void theVolumesThatWereWrittenForAWaitEndIt() {
    for (String name : List.of("gone", "reset", "bound")) {
      addVolume(name, "");
      wait(0, name);
      addVolume(name);
    }
    assertThat(ended(0)).isEmpty();
    cluster.gone(Resource.VOLUMES, "v-gone");
    assertThat(endedBy(Resource.VOLUMES, "v-gone"))
        .isEqualTo("gone (persistentvolume \"v-gone\" not found)");
    addVolume("reset", "");
    assertThat(endedBy(Resource.VOLUMES, "v-reset"))
        .isEqualTo("reset (ClaimRef got reset for pv \"v-reset\")");
    bindClaim("bound");
    assertThat(endedBy(Resource.CLAIMS, "default/bound")).isEqualTo("bound");
  }

  @Test
  void theOldestWaitEndsFirstByTheLimit() {
    wait(0, "p");
    wait(10, "q");
    assertThat(ended(LIMIT - 1)).isEmpty();
    assertThat(ended(LIMIT)).isEqualTo("p (not bound within 600000ms)");
    assertThat(ended(LIMIT + 10)).isEqualTo("q (not bound within 600000ms)");
  }

  @Test
  void waitsThatAreTooManyAtATimeAreTakenLater() {
    wait(0, "p", "q", "r", "s");
    for (String name : List.of("p", "q", "r")) {
      bindClaim(name);
      addVolume(name);
    }
    assertThat(ended(0, 0)).isEmpty();
    assertThat(ended(0, 2)).isEqualTo("p, q");
    assertThat(ended(LIMIT, 1)).isEqualTo("r");
    assertThat(waits.size()).isEqualTo(1);
    assertThat(ended(LIMIT, 1)).startsWith("s (not bound within");
  }

  /** They free room, and need no binding. */
  @Test
  void waitsThatFailDoNotCountAsBindings() {
    wait(0, "p", "q", "r", "s");
    bindClaim("r");
    addVolume("r");
    ObjectNode deleted = pod("s");
    deleted.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-22T12:00:00Z");
    cluster.podChanged(deleted);
    String failed = " (not bound within 600000ms)";
    assertThat(ended(LIMIT, 1)).isEqualTo("p" + failed + ", q" + failed + ", r");
    assertThat(ended(LIMIT, 1)).isEqualTo("s (the pod is being deleted)");
  }
}
