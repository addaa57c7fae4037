package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The ResourceClaims that are known, and the devices that they have or get. For one thread. */
public final class ResourceClaims {
  /** By namespace and name. */
  private final Map<String, ResourceClaim> known = new HashMap<>();

  /** The claims that were made for the extended resources of pods, by namespace and pod's uid. */
  private final Map<String, Set<String>> extended = new HashMap<>();

  private final AssumedDevices assumed = new AssumedDevices(this::recount);

  /** The claims that are giving their devices back, or are deleted, by namespace and name. */
  private final Set<String> beingFreed = new HashSet<>();

  private final DeviceUsage usage;

  /**
   * No claims.
   *
   * @param usage is kept equal to what the claims have
   */
  ResourceClaims(DeviceUsage usage) {
    this.usage = usage;
  }

  /** What is assumed for pods that were placed here. */
  AssumedDevices assumed() {
    return assumed;
  }

  // ---- what comes and goes ----

  /** A claim has come or changed. */
  ClusterDevices.News changed(ResourceClaim claim) {
    ResourceClaim before = known.put(claim.key(), claim);
    recount(claim.key());
    assumed.seen(claim.key());
    if (before != null) {
      forgetExtended(before);
    }
    if (claim.isOfExtendedResources()) {
      extended.computeIfAbsent(owner(claim), none -> new TreeSet<>()).add(claim.key());
      if (before == null) {
        return ClusterDevices.News.NOTHING;
      }
    }
    if (before == null) {
      return ClusterDevices.News.CLAIM;
    }
    if (!before.uid().equals(claim.uid())) {
      return ClusterDevices.News.DEVICES;
    }
    // Other pods with the claim may fit now. A claim that is made for one pod has no others.
    boolean isOurs = assumed.allocation(claim.key()) != null;
    if (!hasSameDevices(before, claim) && !(isOurs && claim.isOfOnePod())) {
      return ClusterDevices.News.DEVICES;
    }
    if (claim.reservedFor().size() >= before.reservedFor().size()) {
      return ClusterDevices.News.NOTHING;
    }
    // Devices without a user can be given back, see takeToFree.
    return claim.allocation() == null ? ClusterDevices.News.CLAIM : ClusterDevices.News.DEVICES;
  }

  private static boolean hasSameDevices(ResourceClaim one, ResourceClaim other) {
    return one.allocation() == null || other.allocation() == null
        ? one.allocation() == other.allocation()
        : one.allocation().hasDevicesOf(other.allocation());
  }

  /** The claim of a namespace and name has gone. */
  ClusterDevices.News gone(String key) {
    ResourceClaim before = known.remove(key);
    recount(key);
    if (before == null) {
      return ClusterDevices.News.NOTHING;
    }
    boolean hasUser = forgetExtended(before);
    // Pods that name a claim which is not of one pod may fit with one that is made anew.
    return before.allocation() != null || !before.isOfOnePod()
        ? ClusterDevices.News.DEVICES
        : hasUser ? ClusterDevices.News.CLAIM : ClusterDevices.News.NOTHING;
  }

  /** The pod that owns a claim of extended resources, by namespace and uid. */
  private static String owner(ResourceClaim claim) {
    return claim.namespace() + "/" + claim.controller();
  }

  /** Whether a claim was made for the extended resources of a pod. */
  private boolean forgetExtended(ResourceClaim claim) {
    Set<String> keys = extended.get(owner(claim));
    if (keys == null || !keys.remove(claim.key())) {
      return false;
    }
    if (keys.isEmpty()) {
      extended.remove(owner(claim));
    }
    return true;
  }

  /**
   * Counts the devices of a claim as they are now. The devices that a write gives to a pod count,
   * whatever the claim has.
   */
  private void recount(String key) {
    List<Allocation> now = new ArrayList<>();
    ResourceClaim claim = known.get(key);
    Allocation written = claim == null ? null : claim.allocation();
    if (written != null) {
      now.add(written);
    }
    Allocation some = assumed.allocation(key);
    if (some != null && (written == null || !written.hasDevicesOf(some))) {
      now.add(some);
    }
    usage.count(key, now);
  }

  // ---- the claims of a pod ----

  /** The claim of a namespace and name; null where it is not known. */
  ResourceClaim get(String key) {
    return known.get(key);
  }

  /** The claims that were made for the extended resources of a pod. */
  Stream<ResourceClaim> extended(WaitingPod pod) {
    String owner = pod.namespace() + "/" + pod.uid();
    return extended.getOrDefault(owner, Set.of()).stream().map(known::get);
  }

  /** The allocation of a claim as it is known or assumed; null where it has none. */
  Allocation allocation(ResourceClaim claim) {
    return claim.allocation() != null ? claim.allocation() : assumed.allocation(claim);
  }

  /** Why a claim keeps a pod off all nodes, in the stock scheduler's words; empty for nothing. */
  String refusal(PodFacts pod, PodFacts.DeviceClaim used) {
    ResourceClaim claim = known.get(used.key());
    if (claim == null) {
      return "could not find v1.ResourceClaim \"" + used.key() + "\"";
    }
    if (claim.deleting()) {
      return "resourceclaim \"" + claim.name() + "\" is being deleted";
    }
    if (used.isMade() && !claim.controller().equals(pod.pod.uid())) {
      return "ResourceClaim %s was not created for Pod %s (Pod is not owner)"
          .formatted(claim.key(), pod.pod.key());
    }
    if (beingFreed.contains(claim.key())) {
      return "resource claim " + claim.key() + " is giving its devices back";
    }
    return allocation(claim) != null && isInUse(claim, pod.pod.uid()) ? "resourceclaim in use" : "";
  }

  /** Whether a claim takes no further pod, counting those on the way. */
  private boolean isInUse(ResourceClaim claim, String podUid) {
    Set<String> users = new HashSet<>(claim.reservedFor());
    users.addAll(assumed.users(claim));
    return !users.contains(podUid) && users.size() >= ResourceClaim.MOST_RESERVED;
  }

  /**
   * Whether a pod waits for its own claims alone: one of an earlier attempt is deleted, or they are
   * being written or giving their devices back. This ends by itself, unless a controller leaves its
   * finalizer on a claim.
   */
  public boolean areChanging(PodFacts pod) {
    return assumed.isBeingWritten(pod.pod.uid())
        || extended(pod.pod).anyMatch(claim -> mayGo(claim, pod.pod))
        || pod.deviceClaims.stream().anyMatch(used -> beingFreed.contains(used.key()));
  }

  /** Whether a claim of an earlier attempt of a pod is of no use to other pods. */
  private boolean mayGo(ResourceClaim claim, WaitingPod pod) {
    return !assumed.isWanted(claim) && Set.of(pod.uid()).containsAll(claim.reservedFor());
  }

  // ---- what gives its devices back ----

  /**
   * A claim that has devices and no user, of a pod that found no node: other devices may help it,
   * and those that it has may help others. Until {@link #freeEnded}, no pod gets a node with this
   * claim.
   *
   * @param waits whether a pod, by its uid, is known to have no node: it is no user
   * @return the first such claim
   */
  public Optional<ResourceClaim> takeToFree(PodFacts pod, Predicate<String> waits) {
    for (PodFacts.DeviceClaim used : pod.deviceClaims) {
      ResourceClaim claim = known.get(used.key());
      if (claim != null
          && claim.allocation() != null
          && !assumed.isWanted(claim)
          && claim.reservedFor().stream().allMatch(waits)
          && beingFreed.add(claim.key())) {
        return Optional.of(claim);
      }
    }
    return Optional.empty();
  }

  /**
   * A claim that was made for an earlier attempt of a pod that is refused now. Until {@link
   * #freeEnded}, the pod gets no node.
   *
   * @return nothing where all of them are being deleted, or other pods use them
   */
  public Optional<ResourceClaim> takeToDelete(WaitingPod pod) {
    if (assumed.work(pod.uid()).isPresent()) {
      return Optional.empty();
    }
    return extended(pod)
        .filter(claim -> mayGo(claim, pod))
        .filter(claim -> !claim.deleting() || ResourceClaim.hasFinalizer(claim.json()))
        .filter(claim -> beingFreed.add(claim.key()))
        .findFirst();
  }

  /** A claim has given its devices back, or was deleted, or could not be. */
  public void freeEnded(ResourceClaim claim) {
    beingFreed.remove(claim.key());
  }
}
