package io.lighthouse.kubernetes.cluster.volume;

import io.lighthouse.kubernetes.cluster.mirror.ClaimUsers;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.StorageClassFacts;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How many volumes of each CSI driver the nodes hold, as the stock scheduler counts them: each
 * volume that a pod on the node uses once, and the attachments of other volumes. What is counted of
 * a node is kept until something about its pods, claims or attachments changes.
 */
public final class AttachedVolumes {
  /** The drivers that serve what old in-tree provisioners and sources stand for. */
  private static final Map<String, String> MIGRATED =
      Map.of(
          "kubernetes.io/aws-ebs", "ebs.csi.aws.com",
          "kubernetes.io/azure-disk", "disk.csi.azure.com",
          "kubernetes.io/cinder", "cinder.csi.openstack.org",
          "kubernetes.io/gce-pd", "pd.csi.storage.gke.io",
          "kubernetes.io/portworx-volume", "pxd.portworx.com",
          "awsElasticBlockStore", "ebs.csi.aws.com",
          "azureDisk", "disk.csi.azure.com",
          "cinder", "cinder.csi.openstack.org",
          "gcePersistentDisk", "pd.csi.storage.gke.io",
          "portworxVolume", "pxd.portworx.com");

  /** The old provisioners whose volumes are in no count. */
  private static final Set<String> NOT_COUNTED =
      Set.of("kubernetes.io/azure-file", "kubernetes.io/vsphere-volume");

  /** A volume as a driver names it. */
  private record Id(String driver, String handle) {}

  /**
   * What a node holds.
   *
   * @param used the volumes that pods on it use
   * @param counts by driver, these and the attached volumes that no pod on it uses
   * @param rooms by driver with a limit, how many volumes more it may hold; negative above the
   *     limit
   */
  private record Held(Set<Id> used, Map<String, Integer> counts, Map<String, Long> rooms) {}

  private final Volumes volumes;
  private final ClaimUsers users;

  /** What the nodes with limits hold, but for the stale ones. */
  private final Map<String, Held> counted = new HashMap<>();

  /** The nodes with limits that are to be counted, or counted anew. */
  private final Set<String> stale = new HashSet<>();

  /** By driver and by how many volumes more a node may hold, the counted nodes. */
  private final Map<String, TreeMap<Long, Set<String>>> byRoom = new HashMap<>();

  AttachedVolumes(Volumes volumes, ClaimUsers users) {
    this.volumes = volumes;
    this.users = users;
  }

  /** The nodes that hold too many volumes for a newcomer, of those that have a limit. */
  public Set<String> fullFor(PodFacts newcomer) {
    Set<Id> wanted = volumes(newcomer);
    if (wanted.isEmpty()) {
      return Set.of();
    }
    countStale();
    Map<String, Set<Id>> reserved = reserved(newcomer);
    // Any other node has room for all of them.
    Set<String> full = new TreeSet<>(reserved.keySet());
    byDriver(wanted)
        .forEach(
            (driver, count) ->
                byRoom
                    .getOrDefault(driver, new TreeMap<>())
                    .headMap((long) count)
                    .values()
                    .forEach(full::addAll));
    full.retainAll(counted.keySet());
    full.removeIf(node -> !isFull(node, counted.get(node), wanted, reserved));
    return full;
  }

  /** Whether a node would hold too many volumes for a newcomer, if some pods had left it. */
  public boolean isFullFor(PodFacts newcomer, String node, Set<PodEntry> without) {
    Set<Id> wanted = volumes(newcomer);
    return !wanted.isEmpty()
        && !volumes.limits(node).isEmpty()
        && isFull(node, count(node, without), wanted, reserved(newcomer));
  }

  private boolean isFull(String node, Held held, Set<Id> wanted, Map<String, Set<Id>> reserved) {
    Set<Id> more = reserved.getOrDefault(node, Set.of());
    return exceeds(held, wanted) || !more.isEmpty() && exceeds(with(held, node, more), wanted);
  }

  /** By driver, how many volumes a pod uses. */
  public Map<String, Integer> ofPod(PodFacts pod) {
    return byDriver(volumes(pod));
  }

  /** By driver, how many volumes are attached to a node and used by no pod on it. */
  public Map<String, Integer> besidesPods(String node) {
    Held held = count(node);
    Map<String, Integer> besides = new HashMap<>(held.counts());
    byDriver(held.used()).forEach((driver, some) -> besides.merge(driver, -some, Integer::sum));
    return besides;
  }

  private static Map<String, Integer> byDriver(Set<Id> volumes) {
    Map<String, Integer> counts = new HashMap<>();
    volumes.forEach(id -> counts.merge(id.driver(), 1, Integer::sum));
    return counts;
  }

  private static boolean exceeds(Held held, Set<Id> wanted) {
    Set<Id> more = new HashSet<>(wanted);
    more.removeAll(held.used());
    Map<String, Integer> counts = byDriver(more);
    return held.rooms().entrySet().stream()
        .anyMatch(room -> counts.getOrDefault(room.getKey(), 0) > Math.max(0, room.getValue()));
  }

  /** The limits, the pods with claims or the attached volumes of a node have changed. */
  void recountNode(String node) {
    if (counted.containsKey(node) || !volumes.limits(node).isEmpty()) {
      stale.add(node);
    } else {
      // It may have gone with its limits before anything was counted.
      stale.remove(node);
    }
  }

  /** A claim has changed, or its volume. */
  void recountUsers(String claim) {
    users.ofClaim(claim).forEach(pod -> recountNode(pod.node));
  }

  /** A class has changed, by which volumes are counted that are not made yet. */
  void recountAll() {
    stale.addAll(counted.keySet());
  }

  private void countStale() {
    for (String node : stale) {
      Held before = counted.remove(node);
      if (before != null) {
        before.rooms().forEach((driver, room) -> remove(node, driver, room));
      }
      if (!volumes.limits(node).isEmpty()) {
        Held held = count(node);
        counted.put(node, held);
        held.rooms()
            .forEach(
                (driver, room) ->
                    byRoom
                        .computeIfAbsent(driver, none -> new TreeMap<>())
                        .computeIfAbsent(room, none -> new HashSet<>())
                        .add(node));
      }
    }
    stale.clear();
  }

  private void remove(String node, String driver, long room) {
    Map<Long, Set<String>> rooms = byRoom.get(driver);
    rooms.computeIfPresent(
        room, (same, nodes) -> nodes.remove(node) && nodes.isEmpty() ? null : nodes);
    if (rooms.isEmpty()) {
      byRoom.remove(driver);
    }
  }

  private Held count(String node) {
    return count(node, Set.of());
  }

  private Held count(String node, Set<PodEntry> without) {
    Set<Id> used = new HashSet<>();
    for (PodEntry pod : users.onNode(node)) {
      if (!without.contains(pod)) {
        addVolumes(pod.facts, used);
      }
    }
    return held(node, used);
  }

  private Held held(String node, Set<Id> used) {
    Set<Id> all = new HashSet<>(used);
    for (Volumes.Attachment attachment : volumes.attachments(node)) {
      VolumeFacts volume = volumes.volume(attachment.volume());
      if (volume != null && !volume.driver().isEmpty() && !attachment.driver().isEmpty()) {
        all.add(new Id(attachment.driver(), volume.handle()));
      }
    }
    Map<String, Integer> counts = byDriver(all);
    Map<String, Long> rooms = new HashMap<>();
    volumes
        .limits(node)
        .forEach((driver, limit) -> rooms.put(driver, limit - counts.getOrDefault(driver, 0)));
    return new Held(used, counts, rooms);
  }

  /** The same with the volumes of pods that have room reserved on the node. */
  private Held with(Held held, String node, Set<Id> more) {
    Set<Id> used = new HashSet<>(held.used());
    used.addAll(more);
    return held(node, used);
  }

  /** By node, the volumes of pods that have room reserved there and count for a newcomer. */
  private Map<String, Set<Id>> reserved(PodFacts newcomer) {
    Map<String, Set<Id>> reserved = new HashMap<>();
    for (PodEntry pod : users.reserved()) {
      if (pod.keepsRoomFrom(newcomer)) {
        addVolumes(pod.facts, reserved.computeIfAbsent(pod.node, none -> new HashSet<>()));
      }
    }
    return reserved;
  }

  private Set<Id> volumes(PodFacts pod) {
    Set<Id> ids = new HashSet<>();
    addVolumes(pod, ids);
    return ids;
  }

  private void addVolumes(PodFacts pod, Set<Id> ids) {
    for (PodFacts.Claim used : pod.claims) {
      ClaimFacts claim = volumes.claim(used.key());
      if (claim != null && (!used.ephemeral() || claim.controller().equals(pod.pod.uid()))) {
        Id id = id(claim);
        if (id != null) {
          ids.add(id);
        }
      }
    }
  }

  /**
   * The volume of a claim, or one that stands for the volume to be made; null where none counts.
   */
  private Id id(ClaimFacts claim) {
    VolumeFacts volume = volumes.volume(claim.volume());
    if (volume != null) {
      if (!volume.migratable().isEmpty()) {
        return new Id(MIGRATED.get(volume.migratable()), "in-tree " + volume.name());
      }
      boolean counts = !volume.driver().isEmpty() && !volume.handle().isEmpty();
      return counts ? new Id(volume.driver(), volume.handle()) : null;
    }
    StorageClassFacts storageClass = volumes.storageClass(claim.storageClass());
    if (storageClass == null
        || storageClass.provisioner().isEmpty()
        || NOT_COUNTED.contains(storageClass.provisioner())) {
      return null;
    }
    String provisioner = storageClass.provisioner();
    return new Id(MIGRATED.getOrDefault(provisioner, provisioner), "claim " + claim.key());
  }
}
