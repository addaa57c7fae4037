package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The devices of the cluster, the claims to them, and which nodes have devices for a pod. For one
 * thread. The rules are those of the stock scheduler 1.36 (DynamicResources) for the requests that
 * {@link DeviceRequest} can read.
 */
public final class ClusterDevices {
  /** The longest search for the devices of one pod on all nodes. */
  static final int MOST_STEPS = 1_000_000;

  /** The largest number of pods of a gang whose longest searches may take place. */
  private static final int MOST_PODS = 4;

  private final Function<String, NodeFacts> nodes;
  private final Supplier<Collection<String>> nodeNames;
  private final Pools pools = new Pools();
  private final DeviceUsage usage = new DeviceUsage();
  private final ResourceClaims claims = new ResourceClaims(usage);
  private final Map<String, DeviceClass> classes = new HashMap<>();

  /** The class that provides each extended resource. */
  private Map<String, DeviceClass> providers = Map.of();

  /** The steps that are left to the pods of this turn together. */
  private int stepsLeft = MOST_STEPS;

  private final KeptDevices kept = new KeptDevices(usage);

  /**
   * No devices.
   *
   * @param nodes finds the facts of a node, null where it is not known
   * @param nodeNames the names of all nodes
   */
  public ClusterDevices(Function<String, NodeFacts> nodes, Supplier<Collection<String>> nodeNames) {
    this.nodes = nodes;
    this.nodeNames = nodeNames;
  }

  /** The claims to devices. */
  public ResourceClaims claims() {
    return claims;
  }

  /** What is assumed for pods that were placed here. */
  public AssumedDevices assumed() {
    return claims.assumed();
  }

  /** What a change says about pods that were refused. */
  public enum News {
    /** It helps none of them. */
    NOTHING,
    /** It may help pods that name the claim. */
    CLAIM,
    /** It may help all pods that lack devices. */
    DEVICES
  }

  /** An object has come or changed. */
  public News changed(Resource resource, JsonNode object) {
    return switch (resource) {
      case RESOURCE_CLAIMS -> claims.changed(ResourceClaim.of(object));
      case DEVICE_CLASSES -> {
        DeviceClass fresh = DeviceClass.of(object);
        boolean isSame = fresh.equals(classes.put(fresh.name(), fresh));
        providers = DeviceClass.byResource(classes.values());
        yield isSame ? News.NOTHING : News.DEVICES;
      }
      case RESOURCE_SLICES -> pools.changed(ResourceSlice.of(object)) ? News.DEVICES : News.NOTHING;
      default -> throw noDevices(resource);
    };
  }

  /**
   * An object has gone.
   *
   * @param key namespace and name of a claim, the name of anything else
   */
  public News gone(Resource resource, String key) {
    return switch (resource) {
      case RESOURCE_CLAIMS -> claims.gone(key);
      case DEVICE_CLASSES -> {
        DeviceClass before = classes.remove(key);
        providers = DeviceClass.byResource(classes.values());
        // Its resource may come from another class now, or be that of nodes alone.
        yield before == null ? News.NOTHING : News.DEVICES;
      }
      case RESOURCE_SLICES -> {
        // A pool may be complete without it.
        pools.gone(key);
        yield News.DEVICES;
      }
      default -> throw noDevices(resource);
    };
  }

  private static IllegalArgumentException noDevices(Resource resource) {
    return new IllegalArgumentException(resource + " are not devices");
  }

  // ---- a pod's turn ----

  /**
   * The turn of a pod begins, or that of a gang. The loop of a scheduler decides about a whole gang
   * before it does anything else, so the searches of a turn together have a limit (pages 170 and
   * 176 of the decisions).
   */
  public void beginTurn(int pods) {
    stepsLeft = MOST_STEPS * Math.min(pods, MOST_PODS);
    kept.forget();
  }

  /** The claims of a pod, sorted by what they need. */
  public PodDevices of(PodFacts pod) {
    if (!pod.mayNeedDevices()) {
      return PodDevices.NONE;
    }
    if (claims.extended(pod.pod).findAny().isPresent()) {
      // It is of an earlier attempt, and is deleted: its requests and devices are those of a node.
      return PodDevices.refused("cannot schedule extended resource claim");
    }
    if (assumed().isBeingWritten(pod.pod.uid())) {
      return PodDevices.refused("claims of the pod are being written");
    }
    return needs(pod);
  }

  /** The same as {@link #of}, whatever becomes of claims of an earlier attempt. */
  private PodDevices needs(PodFacts pod) {
    List<Allocation> allocations = new ArrayList<>();
    List<ResourceClaim> open = new ArrayList<>();
    for (PodFacts.DeviceClaim used : pod.deviceClaims) {
      String refusal = claims.refusal(pod, used);
      if (!refusal.isEmpty()) {
        return PodDevices.refused(refusal);
      }
      ResourceClaim claim = claims.get(used.key());
      Allocation allocation = claims.allocation(claim);
      if (allocation != null) {
        allocations.add(allocation);
        continue;
      }
      PodDevices problem = check(claim);
      if (problem != PodDevices.NONE) {
        return problem;
      }
      open.add(claim);
    }
    Set<String> extended = new TreeSet<>();
    for (String resource : pod.containers.isEmpty() ? Set.<String>of() : pod.request.keySet()) {
      DeviceClass provider = providers.get(resource);
      if (provider != null && !provider.unsupported().isEmpty() && !isOffered(resource)) {
        return PodDevices.unsupported(provider.unsupported());
      }
      if (provider != null) {
        extended.add(resource);
      }
    }
    return new PodDevices("", "", allocations, open, extended);
  }

  /** What keeps a claim from getting devices at all. */
  private PodDevices check(ResourceClaim claim) {
    if (!claim.unsupported().isEmpty()) {
      return PodDevices.unsupported(claim.unsupported());
    }
    if (assumed().allocation(claim.key()) != null) {
      // A claim of that name has gone, and its pod is on the way still.
      return PodDevices.refused(
          "resource claim " + claim.key() + " is in the process of being allocated");
    }
    for (DeviceRequest request : claim.requests()) {
      for (DeviceRequest.Option option : request.options()) {
        DeviceClass of = classes.get(option.deviceClass());
        if (of == null) {
          return PodDevices.refused(
              "request %s: device class %s does not exist"
                  .formatted(option.name(), option.deviceClass()));
        }
        if (!of.unsupported().isEmpty()) {
          return PodDevices.unsupported(of.unsupported());
        }
      }
    }
    return PodDevices.NONE;
  }

  /** The extended resources that classes provide. */
  public Set<String> extendedResources() {
    return providers.keySet();
  }

  /** Whether a node offers an extended resource itself, of those that classes provide. */
  private boolean isOffered(String resource) {
    return nodeNames.get().stream()
        .map(nodes)
        .anyMatch(node -> node != null && !node.isUnlimited(resource));
  }

  /** The extended resources that a node does not offer itself. */
  private static List<String> lacking(PodDevices needed, NodeFacts node) {
    return needed.extended().stream().filter(node::isUnlimited).toList();
  }

  /** The claim that a pod gets besides its own for the extended resources that its node lacks. */
  private Optional<ExtendedClaim> extendedClaim(PodFacts pod, List<String> lacking) {
    return lacking.isEmpty()
        ? Optional.empty()
        : Optional.of(ExtendedClaim.of(pod, lacking, providers));
  }

  /**
   * The nodes that have devices for a pod. Nodes that reach the same devices, and lack the same
   * resources, are searched once. After {@value #MOST_STEPS} steps in all, or where the turn has
   * none left, no further search begins. The first look at each device does not count.
   */
  public Set<String> fit(PodFacts pod, PodDevices needed) {
    List<ResourceClaim> open = needed.open();
    Set<String> fit = new LinkedHashSet<>();
    Map<List<String>, List<ResourceClaim>> claimsByLack = new HashMap<>();
    Map<List<Object>, Boolean> found = new HashMap<>();
    // A claim may request nothing: then it needs no device.
    boolean needsDevices = open.stream().anyMatch(claim -> !claim.requests().isEmpty());
    boolean isLocal = needsDevices && !pools.areShared();
    int stepsAtEnd = Math.max(0, stepsLeft - MOST_STEPS);
    for (String name : isLocal ? pools.nodesWithDevices() : new TreeSet<>(nodeNames.get())) {
      NodeFacts node = nodes.apply(name);
      if (node == null) {
        continue;
      }
      List<String> lacking = lacking(needed, node);
      List<ResourceClaim> all =
          claimsByLack.computeIfAbsent(lacking, some -> with(open, extendedClaim(pod, some)));
      if (all.isEmpty()) {
        fit.add(name);
        continue;
      }
      Pools.Reached reached = pools.reached(node);
      List<Object> question = List.of(reached, lacking);
      if (!found.containsKey(question) && stepsLeft > stepsAtEnd && isSupported(lacking, all)) {
        DeviceSearch search = search(reached, all);
        found.put(question, search.find().isPresent());
        stepsLeft -= search.stepsBack();
      }
      if (found.getOrDefault(question, false)) {
        fit.add(name);
      }
    }
    // The last search may have taken more.
    stepsLeft = Math.max(stepsLeft, stepsAtEnd);
    return fit;
  }

  /** Not where an extended resource requests more devices than a claim may have, for example. */
  private boolean isSupported(List<String> lacking, List<ResourceClaim> open) {
    return open.stream().allMatch(claim -> claim.unsupported().isEmpty())
        && lacking.stream().allMatch(resource -> providers.get(resource).unsupported().isEmpty());
  }

  private static List<ResourceClaim> with(
      List<ResourceClaim> open, Optional<ExtendedClaim> extended) {
    List<ResourceClaim> all = new ArrayList<>(open);
    extended.ifPresent(one -> all.add(one.claim()));
    return all;
  }

  /**
   * Until {@link #keepNothing}, a newcomer does not get the devices that another pod needs on the
   * node where room was made for it. A claim that both have keeps none. The steps count for the
   * turn of the newcomer; a gang searches for a pod once. Where the turn has no steps left, nothing
   * more is kept, and the newcomer gets no devices.
   */
  public void keep(PodFacts pod, String node, PodFacts newcomer) {
    NodeFacts facts = nodes.apply(node);
    boolean hasThem = claims.extended(pod.pod).anyMatch(claim -> claim.allocation() != null);
    if (facts == null || hasThem || assumed().isBeingWritten(pod.pod.uid())) {
      return;
    }
    PodDevices needed = needs(pod);
    if (!needed.needsDevices()) {
      return;
    }
    List<String> lacking = lacking(needed, facts);
    List<ResourceClaim> open = with(needed.open(), extendedClaim(pod, lacking));
    newcomer.deviceClaims.forEach(own -> open.removeIf(claim -> claim.key().equals(own.key())));
    open.removeIf(claim -> kept.has(claim.key()));
    Set<String> keys = open.stream().map(ResourceClaim::key).collect(Collectors.toSet());
    if (!kept.keepKnown(pod.pod.uid(), keys) && stepsLeft > 0 && isSupported(lacking, open)) {
      DeviceSearch search = search(pools.reached(facts), open);
      Map<String, Allocation> found = new HashMap<>();
      search
          .find()
          .ifPresent(
              choices ->
                  open.forEach(
                      claim -> found.put(claim.key(), AllocationJson.of(claim, choices, classes))));
      stepsLeft -= search.stepsBack();
      kept.keep(pod.pod.uid(), keys, found);
    }
  }

  /** No devices are kept for other pods any more. */
  public void keepNothing() {
    kept.keepNothing();
  }

  private DeviceSearch search(Pools.Reached reached, List<ResourceClaim> open) {
    return new DeviceSearch(classes, pools, usage, pools.devices(reached), open);
  }

  // ---- pods on the way ----

  /** A pod goes to a node: its claims have their devices from now on. */
  public void assume(PodFacts pod, String node) {
    PodDevices needed = of(pod);
    if (needed == PodDevices.NONE) {
      return;
    }
    NodeFacts facts = nodes.apply(node);
    Optional<ExtendedClaim> extended = extendedClaim(pod, lacking(needed, facts));
    List<ResourceClaim> open = with(needed.open(), extended);
    List<DeviceSearch.Choice> choices =
        open.isEmpty() ? List.of() : search(pools.reached(facts), open).find().orElseThrow();
    List<DeviceWork.Write> writes = new ArrayList<>();
    for (PodFacts.DeviceClaim used : pod.deviceClaims) {
      writes.add(write(claims.get(used.key()), choices));
    }
    ObjectNode podStatus = pod.namesExtendedClaim ? ExtendedClaim.noPodStatus() : null;
    if (extended.isPresent()) {
      writes.add(write(extended.get().claim(), choices));
      podStatus = extended.get().podStatus();
    }
    if (!writes.isEmpty() || podStatus != null) {
      assumed().assume(pod.pod.uid(), new DeviceWork(List.copyOf(writes), podStatus));
    }
  }

  /** What is written of a claim: the devices that it has, or those that were chosen for it. */
  private DeviceWork.Write write(ResourceClaim claim, List<DeviceSearch.Choice> choices) {
    Allocation known = claims.allocation(claim);
    Allocation allocation = known == null ? AllocationJson.of(claim, choices, classes) : known;
    return new DeviceWork.Write(claim, allocation, claim.allocation() == null);
  }
}
