package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * The claims and devices of pods that were placed here. They count until the pod is gone: a list
 * may bring a claim as it was before it was written. For one thread.
 */
public final class AssumedDevices {
  private final Consumer<String> changed;

  /** By namespace and name of the claim. */
  private final Map<String, Assumed> assumed = new HashMap<>();

  /** What is to be written, or was, for each of the pods, by its uid. */
  private final Map<String, DeviceWork> works = new HashMap<>();

  /** The pods whose claims are being written. What was assumed for them counts until that ends. */
  private final Set<String> beingWritten = new HashSet<>();

  /** Those of them that do not go to their node any more. */
  private final Set<String> releasedMeanwhile = new HashSet<>();

  /** The claims that are to be created and no event has shown, by namespace and name. */
  private final Set<String> unseen = new HashSet<>();

  /**
   * The allocation that a claim is to get, or has got.
   *
   * @param claimUid the uid of the claim
   * @param pods the uids of the pods that use it
   */
  private record Assumed(String claimUid, Allocation allocation, Set<String> pods) {}

  /**
   * Nothing is assumed.
   *
   * @param changed takes the key of each claim of which other devices are assumed
   */
  AssumedDevices(Consumer<String> changed) {
    this.changed = changed;
  }

  /** A pod goes to a node: its claims have their devices from now on. */
  void assume(String podUid, DeviceWork work) {
    works.put(podUid, work);
    for (DeviceWork.Write write : work.writes()) {
      ResourceClaim claim = write.claim();
      String key = claim.key();
      if (write.isNew() && !assumed.containsKey(key)) {
        assumed.put(key, new Assumed(claim.uid(), write.allocation(), new HashSet<>()));
        changed.accept(key);
      }
      if (assumed.containsKey(key)) {
        assumed.get(key).pods().add(podUid);
      }
      if (claim.uid().isEmpty()) {
        unseen.add(key);
      }
    }
  }

  /** What is assumed of a claim of this name, whatever its uid; null for nothing. */
  Allocation allocation(String claim) {
    Assumed some = assumed.get(claim);
    return some == null ? null : some.allocation();
  }

  /** What is assumed of a claim; null for nothing. */
  Allocation allocation(ResourceClaim claim) {
    Assumed some = assumed.get(claim.key());
    return some != null && some.claimUid().equals(claim.uid()) ? some.allocation() : null;
  }

  /** The uids of the pods for which devices are assumed of a claim. */
  Set<String> users(ResourceClaim claim) {
    Assumed some = assumed.get(claim.key());
    return some == null ? Set.of() : some.pods();
  }

  /** Whether one of the pods has a claim. */
  boolean isWanted(ResourceClaim claim) {
    return works.values().stream()
        .flatMap(work -> work.writes().stream())
        .anyMatch(write -> write.claim().key().equals(claim.key()));
  }

  /**
   * The pod is gone, or does not go there: its claims are as the server has them, once no write of
   * them is on the way.
   *
   * @return whether devices may be free by that
   */
  public boolean release(String podUid) {
    if (beingWritten.contains(podUid)) {
      releasedMeanwhile.add(podUid);
      return false;
    }
    DeviceWork work = works.remove(podUid);
    if (work == null) {
      return false;
    }
    boolean areFree = false;
    for (DeviceWork.Write write : work.writes()) {
      String key = write.claim().key();
      unseen.remove(key);
      Assumed some = assumed.get(key);
      if (some != null && some.pods().remove(podUid)) {
        areFree = true;
        if (some.pods().isEmpty()) {
          assumed.remove(key);
          changed.accept(key);
        }
      }
    }
    return areFree;
  }

  /** What is assumed for a pod; nothing where it has no claims. */
  public Optional<DeviceWork> work(String podUid) {
    return Optional.ofNullable(works.get(podUid));
  }

  /**
   * What must be written before an assumed pod is bound; nothing where it has no claims. Until
   * {@link #writeEnded}, what was assumed for it counts.
   */
  public Optional<DeviceWork> takeWork(String podUid) {
    Optional<DeviceWork> work = work(podUid);
    work.ifPresent(some -> beingWritten.add(podUid));
    return work;
  }

  /**
   * The claims of a pod were written, or could not be. What was written is known by now.
   *
   * @return whether devices may be free by that
   */
  public boolean writeEnded(String podUid) {
    beingWritten.remove(podUid);
    return releasedMeanwhile.remove(podUid) && release(podUid);
  }

  /** Whether the claims of a pod are being written. */
  boolean isBeingWritten(String podUid) {
    return beingWritten.contains(podUid);
  }

  /** An event has shown a claim. */
  void seen(String claim) {
    unseen.remove(claim);
  }

  /** Whether a claim was made for a pod that is on the way, and no event has shown it yet. */
  public boolean isUnseen(JsonNode claim) {
    return unseen.contains(ObjectFields.key(claim));
  }
}
