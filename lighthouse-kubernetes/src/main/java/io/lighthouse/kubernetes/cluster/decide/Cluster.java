package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.device.ClusterDevices;
import io.lighthouse.kubernetes.cluster.device.ResourceClaim;
import io.lighthouse.kubernetes.cluster.device.ResourceClaims;
import io.lighthouse.kubernetes.cluster.mirror.MirroredFleet;
import io.lighthouse.kubernetes.cluster.mirror.PodCounts;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.PodGroupFacts;
import io.lighthouse.kubernetes.cluster.object.PodOwner;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.cluster.preference.NodeImages;
import io.lighthouse.kubernetes.cluster.preference.PodOwners;
import io.lighthouse.kubernetes.cluster.volume.VolumeRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * The cluster as this scheduler knows it, and its decisions.
 *
 * <p><b>Feeding.</b> The caller passes every node, every namespace and every pod that has not
 * finished, as the API server sent them. Bound pods and pods of other schedulers are among them.
 * Events may come in any order, twice, and between lists: each holds the present state. A pod may
 * name a node that is not known yet. A pod that is deleted and made anew has another uid. Finished
 * pods (Succeeded, Failed) may be passed, too. Each change returns what may let a refused pod fit.
 * An object that cannot be read is an {@link io.lighthouse.api.error.InvalidInputException}, and
 * changes nothing. One that goes and is not known changes nothing either.
 *
 * <p><b>Deciding.</b> {@link #decide} places waiting pods, one after the other, and keeps each
 * placement as assumed. An event that shows the pod bound, to this or another node, replaces the
 * assumption. An event of the pod still unbound does not. {@link #assumeFailed} takes the
 * assumption back, and {@link #podGone} ends it.
 *
 * <p>For one thread at a time. No clock, no chance: equal calls give equal answers.
 */
public final class Cluster {
  private final MirroredFleet fleet;
  private final PodCounts counts = new PodCounts();
  final Map<String, PodEntry> pods = new LinkedHashMap<>();
  final Map<String, Map<String, String>> namespaces = new HashMap<>();
  private final VolumeRules volumes = new VolumeRules(counts.claimUsers);
  private final ClusterDevices devices;
  final ConstraintTranslator translator;
  private final PodQuestions questions;
  private final Turns turns;
  private final DisruptionBudgets budgets = new DisruptionBudgets();
  private final PodOwners owners = new PodOwners();
  private final NodeImages images = new NodeImages();
  private final boolean whole;
  private final PodFacts.Reads reads;
  private final Profiles profiles;
  private final PodGroups groups = new PodGroups();

  /** The extended resources that pods have requested; none where claims are not read. */
  private final Set<String> requested = new HashSet<>();

  /** Those of them that DeviceClasses provide: no node lacks them, as {@link #devices} decides. */
  private Set<String> unlimited = Set.of();

  private Cluster(
      Profiles profiles,
      Function<Function<String, String>, Distributors.Builder> engine,
      boolean whole,
      boolean preempts,
      PodFacts.Reads reads) {
    this.whole = whole;
    this.reads = reads;
    this.profiles = profiles;
    fleet = new MirroredFleet(engine.apply(this::schedulerName).build(), counts);
    devices = new ClusterDevices(fleet::facts, () -> fleet.nodes().keySet());
    translator =
        new ConstraintTranslator(
            fleet, counts, volumes, devices, owners, images, profiles, namespaces::get);
    Preemption preemption = preempts ? new Preemption(fleet, translator, budgets, profiles) : null;
    questions = new PodQuestions(fleet, translator, devices, profiles, groups);
    turns = new Turns(fleet, translator, volumes, devices, profiles, groups, questions, preemption);
  }

  /** The scheduler that a pod asks for; empty where the pod is not known. */
  private String schedulerName(String uid) {
    PodEntry entry = pods.get(uid);
    return entry == null ? "" : entry.facts.pod.schedulerName();
  }

  /**
   * An empty cluster for pods of several scheduler names.
   *
   * @param profiles how the pods of each name are placed
   * @param engine makes what the engine is to be like, from the scheduler name of a pod by its uid
   * @param preempts whether pods are evicted for pods of a higher priority
   * @param reads what is read of pods; if it is not, pods that name it are not supported
   * @return the cluster
   */
  public static Cluster withProfiles(
      Profiles profiles,
      Function<Function<String, String>, Distributors.Builder> engine,
      boolean preempts,
      PodFacts.Reads reads) {
    return new Cluster(profiles, engine, false, preempts, reads);
  }

  /**
   * A cluster that is to be written out: of bound pods, too, it knows where else they might go,
   * which no decision asks for.
   *
   * @param objects all objects of each resource
   * @throws io.lighthouse.api.error.InvalidInputException if an object cannot be read
   */
  public static Cluster forExport(Map<Resource, ? extends Collection<JsonNode>> objects) {
    Profiles.Profile first = new Profiles.Profile("first", List.of(), false);
    Cluster cluster =
        new Cluster(
            new Profiles(Map.of("", first)),
            names -> Distributors.of("first", (pod, nodes) -> nodes.first()),
            true,
            false,
            PodFacts.Reads.NEITHER);
    objects.forEach((resource, all) -> all.forEach(one -> cluster.changed(resource, one)));
    return cluster;
  }

  /** An object has come or changed. */
  public Set<ClusterChange> changed(Resource resource, JsonNode object) {
    return switch (resource) {
      case NODES -> nodeChanged(object);
      case NAMESPACES -> namespaceChanged(object);
      case PODS -> podChanged(object);
      case BUDGETS -> {
        budgetChanged(resource.key(object), object);
        yield Set.of();
      }
      case POD_GROUPS -> podGroupChanged(resource.key(object), object);
      case SERVICES, REPLICATION_CONTROLLERS, REPLICA_SETS, STATEFUL_SETS -> {
        // No refusal depends on it: pods only prefer nodes by it.
        owners.changed(resource.key(object), PodOwner.of(resource, object));
        yield Set.of();
      }
      case DEVICE_CLASSES -> {
        Set<ClusterChange> changes = ofDevices(devices.changed(resource, object));
        if (!changes.isEmpty()) {
          // It may provide an extended resource that nodes lacked.
          changes.add(ClusterChange.NODE_ALLOCATABLE);
        }
        yield changes;
      }
      case RESOURCE_CLAIMS, RESOURCE_SLICES -> ofDevices(devices.changed(resource, object));
      case CLAIMS, VOLUMES, STORAGE_CLASSES, CSI_NODES, CSI_DRIVERS, CAPACITIES, ATTACHMENTS ->
          ofStorage(volumes.volumes().changed(resource, object));
    };
  }

  /**
   * An object has gone.
   *
   * @param key its {@link Resource#key}
   */
  public Set<ClusterChange> gone(Resource resource, String key) {
    return switch (resource) {
      case NODES -> nodeGone(key);
      case NAMESPACES -> namespaceGone(key);
      case PODS -> podGone(key);
      case BUDGETS -> {
        budgets.gone(key);
        yield Set.of();
      }
      case POD_GROUPS -> {
        // Its pods that wait are refused until it is there again.
        groups.gone(key);
        yield Set.of();
      }
      case SERVICES, REPLICATION_CONTROLLERS, REPLICA_SETS, STATEFUL_SETS -> {
        owners.gone(resource, key);
        yield Set.of();
      }
      case RESOURCE_CLAIMS, DEVICE_CLASSES, RESOURCE_SLICES ->
          ofDevices(devices.gone(resource, key));
      case CLAIMS, VOLUMES, STORAGE_CLASSES, CSI_NODES, CSI_DRIVERS, CAPACITIES, ATTACHMENTS ->
          ofStorage(volumes.volumes().gone(resource, key));
    };
  }

  private static Set<ClusterChange> ofStorage(boolean mayHelp) {
    return mayHelp ? EnumSet.of(ClusterChange.STORAGE) : Set.of();
  }

  private static Set<ClusterChange> ofDevices(ClusterDevices.News news) {
    return switch (news) {
      case NOTHING -> EnumSet.noneOf(ClusterChange.class);
      case CLAIM -> EnumSet.of(ClusterChange.RESOURCE_CLAIM);
      case DEVICES -> EnumSet.of(ClusterChange.DEVICES);
    };
  }

  /** A node has come or changed. */
  public Set<ClusterChange> nodeChanged(JsonNode node) {
    NodeFacts after = NodeFacts.of(node);
    NodeFacts before = fleet.facts(after.name());
    NodeFacts counted = after.withUnlimited(unlimited);
    restore(counted);
    images.nodeChanged(fleet.nodes().get(after.name()), node);
    Set<ClusterChange> changes = ClusterChange.ofNode(before, counted);
    if (before != null) {
      // A pod gets of a resource what the node offers, or devices where it offers nothing.
      changes.addAll(ClusterChange.ofNode(before.withUnlimited(Set.of()), after));
    }
    return changes;
  }

  /** Lets nodes have as much as pods request of the extended resources that devices provide. */
  private void readExtendedResources() {
    Set<String> provided = new HashSet<>(requested);
    provided.retainAll(devices.extendedResources());
    if (!provided.equals(unlimited)) {
      unlimited = provided;
      fleet.nodes().values().stream()
          .filter(node -> node.facts != null)
          .forEach(node -> fleet.nodeChanged(node.facts.withUnlimited(unlimited)));
    }
  }

  /** A node has gone. Pods bound to it stay known, and count again if the node comes back. */
  public Set<ClusterChange> nodeGone(String name) {
    boolean known = fleet.facts(name) != null;
    fleet.nodeGone(name);
    volumes.nodeGone(name);
    images.nodeGone(name);
    return known ? EnumSet.of(ClusterChange.NODE_REMOVED) : Set.of();
  }

  /** A pod has come or changed. One that has finished counts as gone. */
  public Set<ClusterChange> podChanged(JsonNode pod) {
    PodFacts facts = whole ? PodFacts.parseBoundPods(pod) : PodFacts.of(pod, reads);
    ClusterChange.Seen before = seen(facts.pod.uid());
    boolean areDevicesFree = changed(facts);
    Set<ClusterChange> changes = ClusterChange.ofPod(before, seen(facts.pod.uid()));
    if (areDevicesFree) {
      changes.add(ClusterChange.DEVICES);
    }
    return changes;
  }

  private ClusterChange.Seen seen(String uid) {
    PodEntry entry = pods.get(uid);
    return entry == null
        ? ClusterChange.Seen.NOT_THERE
        : new ClusterChange.Seen(entry.facts, entry.node, entry.reserved);
  }

  /** Returns whether devices may be free by that. */
  private boolean changed(PodFacts facts) {
    if (facts.finished) {
      return podGone(facts.pod.uid()).contains(ClusterChange.DEVICES);
    }
    if (reads.resourceClaims()) {
      facts.request.keySet().stream().filter(PodFacts::isExtended).forEach(requested::add);
    }
    PodEntry entry = pods.computeIfAbsent(facts.pod.uid(), uid -> new PodEntry(facts));
    String nodeBefore = entry.node;
    boolean bound = !facts.nodeName.isEmpty();
    boolean assumed = entry.assumed && !bound;
    if (bound || facts.nominated.equals(entry.nominatedTo)) {
      entry.nominatedTo = null;
    }
    String nominated = entry.nominatedTo != null ? entry.nominatedTo : facts.nominated;
    String target = bound ? facts.nodeName : assumed ? entry.node : nominated;
    boolean reserves = !bound && !assumed;
    boolean same =
        target.equals(entry.node) && reserves == entry.reserved && facts.countsAs(entry.facts);
    if (!same && entry.node != null) {
      fleet.takeAway(entry);
    }
    boolean areDevicesFree = false;
    if (!assumed) {
      volumes.release(facts.pod.uid());
    }
    boolean isWhereItWas = bound && facts.nodeName.equals(nodeBefore);
    if (!assumed && !isWhereItWas) {
      areDevicesFree = devices.assumed().release(facts.pod.uid());
    }
    if (!facts.pod.groupKey().equals(entry.facts.pod.groupKey())) {
      groups.podLeaves(entry);
    }
    entry.facts = facts;
    groups.podCame(entry);
    entry.assumed = assumed;
    if (!same && !target.isEmpty()) {
      if (reserves) {
        fleet.reserve(entry, target);
      } else {
        fleet.place(entry, target);
      }
    }
    return areDevicesFree;
  }

  /** A pod has gone. */
  public Set<ClusterChange> podGone(String uid) {
    Set<ClusterChange> changes = ClusterChange.ofPod(seen(uid), ClusterChange.Seen.NOT_THERE);
    PodEntry entry = pods.remove(uid);
    volumes.release(uid);
    if (devices.assumed().release(uid)) {
      changes.add(ClusterChange.DEVICES);
    }
    if (entry != null) {
      groups.podLeaves(entry);
    }
    if (entry != null && entry.node != null) {
      fleet.takeAway(entry);
    }
    return changes;
  }

  /**
   * A namespace has come or changed; its labels decide what the namespace selectors of pods match.
   */
  public Set<ClusterChange> namespaceChanged(JsonNode namespace) {
    JsonNode metadata = namespace.path("metadata");
    Map<String, String> labels = ObjectFields.labels(metadata.path("labels"));
    if (labels.equals(namespaces.put(ObjectFields.text(metadata, "name"), labels))) {
      return Set.of();
    }
    translator.namespacesChanged();
    return EnumSet.of(ClusterChange.NAMESPACE_LABELS);
  }

  /** A namespace has gone. */
  public Set<ClusterChange> namespaceGone(String name) {
    if (namespaces.remove(name) == null) {
      return Set.of();
    }
    translator.namespacesChanged();
    return EnumSet.of(ClusterChange.NAMESPACE_LABELS);
  }

  /** A disruption budget has come or changed; its key is its uid. */
  public void budgetChanged(String key, JsonNode budget) {
    budgets.changed(key, DisruptionBudget.of(budget));
  }

  /** A PodGroup has come or changed; its key is its namespace and name. */
  public Set<ClusterChange> podGroupChanged(String key, JsonNode group) {
    boolean mayHelp = groups.changed(key, PodGroupFacts.of(group));
    return mayHelp ? EnumSet.of(ClusterChange.POD_GROUP) : Set.of();
  }

  /**
   * The gang that a pod is a member of, as the PodGroups are now, by {@link WaitingPod#groupKey};
   * nothing where the pod is placed alone.
   */
  public Optional<String> gangKey(WaitingPod pod) {
    return groups.gangKey(pod);
  }

  /**
   * Whether enough pods of the PodGroup of a pod have a node, if only for now, so that each of the
   * others may have one alone. False for a gang by labels, which is placed whole or not at all.
   */
  public boolean hasMinCount(WaitingPod pod) {
    return groups.hasMinCount(pod);
  }

  /**
   * Why the gangs of waiting pods are not placed, whatever room there is. Fewer pods are there than
   * a gang has to have, or a member of a gang by labels cannot be placed.
   *
   * @param canBePlaced whether there may be a node for a waiting pod
   * @return the reasons by {@link WaitingPod#groupKey}; none of a gang that may be placed
   */
  public Map<String, String> gangObstacles(Predicate<PodEntry> canBePlaced) {
    return groups.obstacles(pods.values(), canBePlaced);
  }

  /** A pod that is known and has no node; nothing where it is bound, assumed or being deleted. */
  public Optional<WaitingPod> waitingPod(String uid) {
    return Optional.ofNullable(pods.get(uid)).filter(PodEntry::waits).map(entry -> entry.facts.pod);
  }

  /** The node that a pod is assumed on and not yet seen bound to; nothing where there is none. */
  public Optional<String> assumedNode(String uid) {
    return Optional.ofNullable(pods.get(uid))
        .filter(entry -> entry.assumed)
        .map(entry -> entry.node);
  }

  /**
   * Places waiting pods, in the order given. At the turn of the first member of a gang all waiting
   * members take theirs, asked for or not: all of them are placed, or none. Their order is by
   * priority, then by creation time, then by arrival. A gang of which fewer pods are there, placed
   * or waiting, than it has to have is refused. Of the gang of a PodGroup, those that fit are
   * placed once its {@code minCount} have a node.
   *
   * <p>The hash of a placement is the SHA-256 of four lines: the name of the strategy, the pod, the
   * node, and what the pods on the node held before. The line of the pod is that of {@link
   * io.lighthouse.api.Workload#toString}.
   *
   * @param uids which pods, in the order of their turns; those that are not known, bound, assumed,
   *     being deleted or gated are passed over
   * @return a decision for each of the others, in the order of turns
   */
  public List<Decision> decide(Collection<String> uids) {
    readExtendedResources();
    List<PodEntry> queue = new ArrayList<>();
    for (String uid : new LinkedHashSet<>(uids)) {
      PodEntry entry = pods.get(uid);
      if (entry != null && entry.waits() && !entry.facts.pod.gated()) {
        queue.add(entry);
      }
    }
    return turns.decide(queue);
  }

  /** The node that a pod is nominated to; nothing where there is none. */
  public Optional<String> nominatedNode(String uid) {
    return Optional.ofNullable(pods.get(uid))
        .map(PodEntry::nominated)
        .filter(node -> !node.isEmpty());
  }

  /**
   * A preemption has been carried out, or has failed. From now on the server's objects decide where
   * the pod is nominated, and victims that were not evicted may be chosen again.
   *
   * @param evicted the uids of the victims that end or have gone
   */
  public void preemptionEnded(Decision.Preempt decision, Set<String> evicted) {
    for (WaitingPod victim : decision.victims()) {
      PodEntry entry = pods.get(victim.uid());
      if (entry != null && !evicted.contains(victim.uid())) {
        entry.evictedFor = null;
      }
    }
    PodEntry entry = pods.get(decision.pod().uid());
    if (entry != null && entry.nominatedTo != null) {
      entry.nominatedTo = null;
      changed(entry.facts);
    }
  }

  /**
   * The binding of an assumed pod has failed: the room is free again, and the pod waits. Returns
   * whether it was assumed; if not, nothing happens.
   */
  public boolean assumeFailed(String uid) {
    PodEntry entry = pods.get(uid);
    if (entry == null || !entry.assumed) {
      return false;
    }
    fleet.takeAway(entry);
    entry.evictedFor = null;
    changed(entry.facts);
    return true;
  }

  /**
   * A pod that is known and has no node, to ask about as long as nothing changes.
   *
   * @throws IllegalArgumentException if it is not known, or bound, assumed or being deleted
   */
  public PodEntry waitingEntry(String uid) {
    readExtendedResources();
    PodEntry entry = pods.get(uid);
    if (entry == null || !entry.waits()) {
      throw new IllegalArgumentException("no pod '" + uid + "' waits");
    }
    return entry;
  }

  /**
   * A pod that a caller asks about: the one that is known by its uid, or one that is made of the
   * object and not kept.
   */
  public PodEntry askedAbout(String uid, JsonNode pod) {
    PodEntry known = pods.get(uid);
    return known != null ? known : new PodEntry(PodFacts.of(pod, reads));
  }

  /** Questions about a pod. */
  public PodQuestions questions() {
    return questions;
  }

  /**
   * Whether a pod would fit the node that it was bound to, as things are now, if it and some other
   * pods were not there yet. It may have ended since. Changes nothing.
   *
   * @param waiting the pod as it was when it waited: of bound pods not all is known
   * @param without the uids of the other pods
   * @return false also where the node is not known, or the pod is not supported
   */
  public boolean fitsInPlace(PodFacts waiting, String node, Collection<String> without) {
    PodEntry known = pods.getOrDefault(waiting.pod.uid(), new PodEntry(waiting));
    Set<PodEntry> left = new HashSet<>();
    without.forEach(uid -> left.add(pods.get(uid)));
    left.remove(null);
    return fleet.facts(node) != null && questions.fitsInPlace(known, waiting, node, left);
  }

  /** Sets a node back to earlier facts. */
  public void restore(NodeFacts node) {
    fleet.nodeChanged(node);
    volumes.nodeChanged(node);
  }

  /** Sets a pod back to earlier facts. */
  public void restore(PodFacts pod) {
    changed(pod);
  }

  /** What is known of a pod that has not ended; null where it is not known. */
  public PodFacts facts(String uid) {
    PodEntry entry = pods.get(uid);
    return entry == null ? null : entry.facts;
  }

  /** The storage of the cluster, and what is assumed of it. */
  public VolumeRules volumes() {
    return volumes;
  }

  /** The devices of the cluster, and what is assumed of them. */
  public ClusterDevices devices() {
    return devices;
  }

  /**
   * As {@link ResourceClaims#takeToFree}, of a refused pod. A pod does not need the devices that a
   * claim has while it waits to be placed here, and is nominated to no node.
   *
   * @return nothing where no node refused it for devices and no gang of it waits
   */
  public Optional<ResourceClaim> takeClaimToFree(Decision.Refused refused) {
    Predicate<String> waits =
        uid ->
            nominatedNode(uid).isEmpty()
                && waitingPod(uid)
                    .filter(pod -> profiles.canPlaceTogether(refused.pod(), pod))
                    .isPresent();
    return Optional.ofNullable(pods.get(refused.pod().uid()))
        .filter(entry -> refused.freesDevices())
        .flatMap(entry -> devices.claims().takeToFree(entry.facts, waits));
  }

  /** The fleet, to be exported. */
  public MirroredFleet fleet() {
    return fleet;
  }

  /** The pods that are known. */
  public Collection<PodEntry> pods() {
    return pods.values();
  }

  /** The labels of a namespace, or null. */
  public Map<String, String> namespaceLabels(String namespace) {
    return namespaces.get(namespace);
  }
}
