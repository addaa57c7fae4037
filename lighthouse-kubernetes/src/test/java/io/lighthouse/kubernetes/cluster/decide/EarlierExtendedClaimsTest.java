package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.device.DeviceWork;
import io.lighthouse.kubernetes.cluster.device.ResourceClaim;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What becomes of claims that earlier attempts have made for extended resources. */
class EarlierExtendedClaimsTest extends ExtendedResourcesBench {
  private Optional<ResourceClaim> claimToDelete(String uid) {
    return cluster.devices().claims().takeToDelete(cluster.facts(uid).pod);
  }

  /** The claim of a pod that was placed and could not be bound. */
  private ObjectNode left(ObjectNode pod) {
    ObjectNode claim = left(work(pod), "any-name");
    cluster.assumeFailed(uid(pod));
    return claim;
  }

  private ObjectNode left(DeviceWork work, String name) {
    ObjectNode claim = (ObjectNode) work.writes().get(0).claim().json().deepCopy();
    claim.withObjectProperty("metadata").put("name", name).put("uid", "uid-of-claim");
    claim.withObjectProperty("status").set("allocation", work.writes().get(0).allocation().json());
    return claim;
  }

  @Test
  void aClaimOfAnEarlierAttemptIsDeletedFirst() {
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(work(pod), "any-name");
    assertThat(claimToDelete("uid-p")).isEmpty();
    cluster.assumeFailed("uid-p");
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);

    Decision decision = decide(pod);
    assertThat(message(decision))
        .startsWith("0/2 nodes are available: cannot schedule extended resource claim.");
    Optional<ResourceClaim> deleted = claimToDelete("uid-p");
    assertThat(deleted.map(ResourceClaim::name)).contains("any-name");
    assertThat(claimToDelete("uid-p")).isEmpty();
    // Its devices count until it has gone.
    assertThat(node(decide(gpus("q", 1)))).isEqualTo("n2");
    assertThat(cluster.gone(Resource.RESOURCE_CLAIMS, "default/any-name"))
        .contains(ClusterChange.DEVICES);
    cluster.devices().claims().freeEnded(deleted.orElseThrow());
    assertThat(node(decide(pod))).isEqualTo("n1");
  }

  /** As after the restart of a scheduler that had written the claim and not bound the pod. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNominatedPodKeepsItsNodeAndDevicesWhileAClaimOfAnEarlierAttemptGoes(boolean preempts) {
    cluster = cluster(preempts, true);
    addDevices();
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(pod);
    pod.putObject("status").put("nominatedNodeName", "n1");
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    assertNominatedToN1(pod);
    assertThat(claimToDelete("uid-p")).isPresent();
    assertNominatedToN1(pod);
    assertThat(node(decide(gpus("q", 1)))).isEqualTo("n2");
    claim.withObjectProperty("status").remove("allocation");
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    assertNominatedToN1(pod);
    assertThat(node(decide(gpus("r", 1)))).isEqualTo("n2");
    cluster.gone(Resource.RESOURCE_CLAIMS, "default/any-name");
    assertThat(message(decide(gpus("s", 1)))).contains("2 cannot allocate all claims");
    assertThat(node(decide(pod))).isEqualTo("n1");
  }

  private void assertNominatedToN1(ObjectNode pod) {
    Decision.Refused refused = (Decision.Refused) decide(pod);
    assertThat(refused.message()).contains("cannot schedule extended resource claim");
    assertThat(refused.lostNomination()).isEmpty();
    assertThat(cluster.nominatedNode(uid(pod))).contains("n1");
  }

  /** Its answer counts before the watch shows it, but does not revive it once it has gone. */
  @Test
  void aClaimIsUnseenUntilAnEventShowsIt() {
    ObjectNode pod = gpus("p", 1);
    ObjectNode claim = left(work(pod), "p-extended-resources-uid-p");
    assertThat(cluster.devices().assumed().isUnseen(claim)).isTrue();
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    assertThat(cluster.devices().assumed().isUnseen(claim)).isFalse();
    cluster.gone(Resource.RESOURCE_CLAIMS, "default/p-extended-resources-uid-p");
    assertThat(cluster.devices().assumed().isUnseen(claim)).isFalse();
    cluster.assumeFailed("uid-p");
    decide(pod);
    assertThat(cluster.devices().assumed().isUnseen(claim)).isTrue();
    cluster.assumeFailed("uid-p");
    assertThat(cluster.devices().assumed().isUnseen(claim)).isFalse();
  }

  @Test
  void theEndOfAClaimWithoutDevicesHelpsItsPod() {
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(work(pod), "any-name");
    claim.remove("status");
    cluster.assumeFailed("uid-p");
    assertThat(cluster.changed(Resource.RESOURCE_CLAIMS, claim)).isEmpty();
    assertThat(((Decision.Refused) decide(pod)).filters()).containsExactly(Filter.PRE_FILTER);
    assertThat(cluster.gone(Resource.RESOURCE_CLAIMS, "default/any-name"))
        .containsExactly(ClusterChange.RESOURCE_CLAIM);
    assertThat(node(decide(pod))).isEqualTo("n1");
  }

  @Test
  void aClaimOfAnotherPodOrOfATemplateIsNotDeleted() {
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(pod);
    claim.withObjectProperty("metadata").remove("annotations");
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    assertThat(claimToDelete("uid-p")).isEmpty();
    assertThat(node(decide(pod))).isEqualTo("n2");
  }

  /** A claim made in one namespace does not stop the pods of another. */
  @Test
  void aClaimOfAnotherNamespaceIsNotThatOfThePod() {
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(pod);
    claim.withObjectProperty("metadata").put("namespace", "other");
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    assertThat(claimToDelete("uid-p")).isEmpty();
    assertThat(node(decide(pod))).isEqualTo("n2");
  }

  @Test
  void aClaimThatGetsAnotherOwnerDoesNotStopItsFirst() {
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(pod);
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    ObjectNode moved = claim.deepCopy();
    ((ObjectNode) moved.at("/metadata/ownerReferences/0")).put("uid", "uid-q");
    cluster.changed(Resource.RESOURCE_CLAIMS, moved);
    assertThat(claimToDelete("uid-p")).isEmpty();
    cluster.gone(Resource.RESOURCE_CLAIMS, "default/any-name");
    assertThat(claimToDelete("uid-p")).isEmpty();
    assertThat(node(decide(pod))).isEqualTo("n1");
  }

  @Test
  void aClaimThatOtherPodsUseIsNotDeleted() {
    ObjectNode pod = gpus("p", 2);
    ObjectNode claim = left(pod);
    ArrayNode users = claim.withObjectProperty("status").putArray("reservedFor");
    users.addObject().put("resource", "pods").put("uid", "uid-p");
    ObjectNode shared = claim.deepCopy();
    ((ArrayNode) shared.at("/status/reservedFor")).addObject().put("uid", "uid-other");
    cluster.changed(Resource.RESOURCE_CLAIMS, shared);
    assertThat(claimToDelete("uid-p")).isEmpty();
    cluster.changed(Resource.RESOURCE_CLAIMS, claim);
    assertThat(claimToDelete("uid-p")).isPresent();
  }

  /** Else the kubelet would wait for a claim that is not there. */
  @Test
  void aPodThatNeedsNoClaimAnyMoreNamesNone() {
    node("n1", ",'example.com/gpu':'3'");
    ObjectNode pod = gpus("p", 1);
    pod.withObjectProperty("status")
        .putObject("extendedResourceClaimStatus")
        .put("resourceClaimName", "c");
    DeviceWork work = work(pod);
    assertThat(work.writes()).isEmpty();
    assertThat(work.podStatus()).isEqualTo(Objects.json("{'extendedResourceClaimStatus':null}"));
  }
}
