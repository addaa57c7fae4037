package io.lighthouse.kubernetes.cluster.volume;

import io.lighthouse.kubernetes.cluster.mirror.ClaimUsers;
import io.lighthouse.kubernetes.cluster.object.CapacityFacts;
import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.object.StorageClassFacts;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * The storage objects of the cluster as the server has them. Claims and capacities are known by
 * namespace and name, all others by their name. For one thread.
 */
public final class Volumes {
  /** The largest number of selections that are kept. */
  private static final int MOST_SELECTIONS = 1 << 16;

  /**
   * What a volume is for.
   *
   * @param claim the claim that it names, by namespace and name; empty for none
   */
  private record Use(String storageClass, String claim) {
    static Use of(VolumeFacts volume) {
      return new Use(volume.storageClass(), volume.claim());
    }
  }

  private final Map<String, ClaimFacts> claims = new HashMap<>();
  private final Map<String, VolumeFacts> volumes = new HashMap<>();

  /** The volumes by what they are for, and by name. */
  private final Map<Use, TreeMap<String, VolumeFacts>> byUse = new HashMap<>();

  /** The claims that name each volume. */
  private final Map<String, Set<String>> claimsByVolume = new HashMap<>();

  /** Each selection of nodes by volumes once: equal ones are the same object. */
  private final Map<NodeSelection, NodeSelection> selections = new HashMap<>();

  private final Map<String, StorageClassFacts> classes = new HashMap<>();
  private final Map<String, CapacityFacts> capacities = new TreeMap<>();

  /** The drivers whose capacity is checked before they make a volume. */
  private final Set<String> driversWithCapacity = new HashSet<>();

  /** By node, the largest number of volumes of each driver. */
  private final Map<String, Map<String, Long>> limits = new TreeMap<>();

  private final Map<String, Attachment> attachments = new HashMap<>();
  private final Map<String, Map<String, Attachment>> attachmentsByNode = new HashMap<>();

  /**
   * Those of each volume. To search all 10,000 for each of 10,000 volumes took 9 s or more when a
   * cluster was listed (a busy machine, 2026-11-29).
   */
  private final Map<String, Map<String, Attachment>> attachmentsByVolume = new HashMap<>();

  /** How many of them each node holds. */
  final AttachedVolumes attached;

  /**
   * A volume that a driver has attached to a node, or is attaching.
   *
   * @param node the node
   * @param driver the driver
   * @param volume the name of the volume; empty where it is none of the cluster's
   */
  record Attachment(String node, String driver, String volume) {}

  Volumes(ClaimUsers users) {
    attached = new AttachedVolumes(this, users);
    users.onChange(attached::recountNode);
  }

  /**
   * An object has come or changed.
   *
   * @return whether a pod that was refused may fit now
   * @throws io.lighthouse.api.error.InvalidInputException if a quantity is none
   */
  public boolean changed(Resource resource, JsonNode object) {
    return switch (resource) {
      case CLAIMS -> claimChanged(ClaimFacts.of(object));
      case VOLUMES -> volumeChanged(VolumeFacts.of(object));
      case STORAGE_CLASSES -> classChanged(StorageClassFacts.of(object));
      case CSI_NODES -> limitsChanged(name(object), limits(object));
      case CSI_DRIVERS -> driverChanged(name(object), object);
      case CAPACITIES -> {
        CapacityFacts facts = CapacityFacts.of(object);
        yield !facts.equals(capacities.put(ObjectFields.key(object), facts));
      }
      case ATTACHMENTS -> attachmentChanged(name(object), object);
      default -> throw noStorage(resource);
    };
  }

  /**
   * An object has gone.
   *
   * @param key its name, or namespace and name
   * @return whether a pod that was refused may fit now
   */
  public boolean gone(Resource resource, String key) {
    switch (resource) {
      case CLAIMS -> {
        ClaimFacts before = claims.remove(key);
        if (before != null) {
          unlink(before);
          attached.recountUsers(key);
        }
      }
      case VOLUMES -> {
        VolumeFacts before = volumes.remove(key);
        if (before != null) {
          forgetUse(before);
          recountVolume(key);
        }
      }
      case STORAGE_CLASSES -> {
        classes.remove(key);
        attached.recountAll();
      }
      case CSI_NODES -> {
        boolean hadLimits = limits.remove(key) != null;
        attached.recountNode(key);
        return hadLimits;
      }
      case CSI_DRIVERS -> {
        return driversWithCapacity.remove(key);
      }
      case CAPACITIES -> capacities.remove(key);
      case ATTACHMENTS -> {
        return detach(key);
      }
      default -> throw noStorage(resource);
    }
    return false;
  }

  private static IllegalArgumentException noStorage(Resource resource) {
    return new IllegalArgumentException(resource + " are not storage");
  }

  private static String name(JsonNode object) {
    return ObjectFields.text(object.path("metadata"), "name");
  }

  // ---- claims and volumes ----

  private boolean claimChanged(ClaimFacts claim) {
    ClaimFacts before = claims.put(claim.key(), claim);
    if (before != null) {
      unlink(before);
    }
    if (!claim.volume().isEmpty()) {
      claimsByVolume.computeIfAbsent(claim.volume(), none -> new TreeSet<>()).add(claim.key());
    }
    if (before == null
        || !before.volume().equals(claim.volume())
        || !before.storageClass().equals(claim.storageClass())
        || !before.controller().equals(claim.controller())) {
      attached.recountUsers(claim.key());
    }
    return true;
  }

  private void unlink(ClaimFacts claim) {
    Set<String> some = claimsByVolume.get(claim.volume());
    if (some != null && some.remove(claim.key()) && some.isEmpty()) {
      claimsByVolume.remove(claim.volume());
    }
  }

  private boolean volumeChanged(VolumeFacts fresh) {
    if (selections.size() > MOST_SELECTIONS) {
      selections.clear();
    }
    NodeSelection nodes = selections.computeIfAbsent(fresh.nodes(), selection -> selection);
    VolumeFacts volume = fresh.withNodes(nodes);
    VolumeFacts before = volumes.put(volume.name(), volume);
    if (before != null) {
      forgetUse(before);
    }
    byUse.computeIfAbsent(Use.of(volume), none -> new TreeMap<>()).put(volume.name(), volume);
    if (before == null
        || !before.driver().equals(volume.driver())
        || !before.handle().equals(volume.handle())
        || !before.migratable().equals(volume.migratable())) {
      recountVolume(volume.name());
    }
    return true;
  }

  private void forgetUse(VolumeFacts volume) {
    byUse.computeIfPresent(
        Use.of(volume),
        (use, some) -> some.remove(volume.name()) != null && some.isEmpty() ? null : some);
  }

  private void recountVolume(String volume) {
    claimsOf(volume).forEach(attached::recountUsers);
    attachmentsByVolume
        .getOrDefault(volume, Map.of())
        .values()
        .forEach(attachment -> attached.recountNode(attachment.node()));
  }

  // ---- classes and drivers ----

  private boolean classChanged(StorageClassFacts storageClass) {
    StorageClassFacts before = classes.put(storageClass.name(), storageClass);
    if (before == null || !before.provisioner().equals(storageClass.provisioner())) {
      attached.recountAll();
    }
    return !storageClass.equals(before);
  }

  private static Map<String, Long> limits(JsonNode node) {
    Map<String, Long> limits = new TreeMap<>();
    for (JsonNode driver : node.path("spec").path("drivers")) {
      JsonNode count = driver.path("allocatable").path("count");
      if (count.isNumber()) {
        limits.put(ObjectFields.text(driver, "name"), count.longValue());
      }
    }
    return limits;
  }

  private boolean limitsChanged(String node, Map<String, Long> fresh) {
    boolean changed = !fresh.equals(limits.put(node, fresh));
    if (changed) {
      attached.recountNode(node);
    }
    return changed;
  }

  private boolean driverChanged(String name, JsonNode driver) {
    if (driver.path("spec").path("storageCapacity").asBoolean(false)) {
      driversWithCapacity.add(name);
      return false;
    }
    return driversWithCapacity.remove(name);
  }

  // ---- attachments ----

  private boolean attachmentChanged(String name, JsonNode object) {
    JsonNode spec = object.path("spec");
    String volume = ObjectFields.text(spec.path("source"), "persistentVolumeName");
    Attachment fresh =
        new Attachment(
            ObjectFields.text(spec, "nodeName"), ObjectFields.text(spec, "attacher"), volume);
    if (!fresh.equals(attachments.get(name))) {
      detach(name);
      attachments.put(name, fresh);
      attachmentsByNode.computeIfAbsent(fresh.node(), none -> new TreeMap<>()).put(name, fresh);
      attachmentsByVolume.computeIfAbsent(volume, none -> new TreeMap<>()).put(name, fresh);
      attached.recountNode(fresh.node());
    }
    return false;
  }

  private boolean detach(String name) {
    Attachment before = attachments.remove(name);
    if (before == null) {
      return false;
    }
    remove(name, attachmentsByNode, before.node());
    remove(name, attachmentsByVolume, before.volume());
    attached.recountNode(before.node());
    return true;
  }

  private static void remove(String name, Map<String, Map<String, Attachment>> from, String key) {
    Map<String, Attachment> some = from.get(key);
    some.remove(name);
    if (some.isEmpty()) {
      from.remove(key);
    }
  }

  // ---- for the other classes of this package ----

  /** A claim, or null. */
  public ClaimFacts claim(String key) {
    return claims.get(key);
  }

  /** A volume, or null. */
  public VolumeFacts volume(String name) {
    return volumes.get(name);
  }

  /** The keys of the claims that name a volume, which need not be there. */
  public Set<String> claimsOf(String volume) {
    return Collections.unmodifiableSet(claimsByVolume.getOrDefault(volume, Set.of()));
  }

  /** A class, or null. */
  StorageClassFacts storageClass(String name) {
    return classes.get(name);
  }

  /**
   * The volumes that a claim may get: those of its class that no claim has, and those that name it.
   * Beside volumes of 10,000 other claims of the class, a pod took 13 ms where all were checked,
   * and 0.2 ms with this (a busy machine, 2026-11-29).
   */
  List<VolumeFacts> mayBeOf(ClaimFacts claim) {
    List<VolumeFacts> found = new ArrayList<>();
    for (String named : List.of("", claim.key())) {
      Use use = new Use(claim.storageClass(), named);
      found.addAll(byUse.getOrDefault(use, new TreeMap<>()).values());
    }
    return found;
  }

  /** The capacities in which a claim's volume may be made; null where the capacity is no matter. */
  List<CapacityFacts> capacities(ClaimFacts claim, StorageClassFacts storageClass) {
    if (claim.request() == null || !driversWithCapacity.contains(storageClass.provisioner())) {
      return null;
    }
    return capacities.values().stream().filter(capacity -> capacity.holds(claim)).toList();
  }

  /**
   * By driver, the largest number of its volumes on a node; a driver without a limit is not in it.
   */
  public Map<String, Long> limits(String node) {
    return limits.getOrDefault(node, Map.of());
  }

  /** What is attached to a node, by the names of the attachments. */
  Collection<Attachment> attachments(String node) {
    return attachmentsByNode.getOrDefault(node, Map.of()).values();
  }
}
