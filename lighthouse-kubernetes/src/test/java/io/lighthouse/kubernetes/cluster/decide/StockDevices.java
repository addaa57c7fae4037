package io.lighthouse.kubernetes.cluster.decide;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The rules of DynamicResources of the stock scheduler 1.36, written down a second time. All ways
 * to give devices to the claims of a pod are tried, and each is judged as a whole. Quantities are
 * small integers. A device that was shared when it was given away, and is not any more, stays with
 * those who have it; that is stricter than the stock scheduler. A class or request selects devices
 * by the values of {@code kind} and {@code size}, as {@link RandomDevices} writes them. Of extended
 * resources a pod requests one, in its only container.
 */
final class StockDevices {
  /** What can be got wrong. */
  enum Fault {
    NONE,
    ONE_DEVICE_FOR_TWO_CLAIMS,
    ONE_DEVICE_TWICE_IN_A_POD,
    ONE_SHARED_DEVICE_TWICE_IN_A_REQUEST,
    NO_WAY_BACK,
    ONLY_THE_FIRST_OPTION,
    TAINTS_IGNORED,
    CONSTRAINTS_IGNORED,
    COUNTERS_IGNORED,
    COUNTERS_OF_OTHERS_IGNORED,
    CAPACITY_NOT_ADDED_UP,
    CAPACITY_NOT_ROUNDED,
    OLD_GENERATION_COUNTS,
    INCOMPLETE_POOL_COUNTS,
    SELECTORS_OF_REQUESTS_IGNORED,
    ALLOCATED_CLAIMS_GO_ANYWHERE,
    OWNER_NOT_CHECKED,
    ADMIN_ACCESS_TAKES_THE_DEVICE,
    EXTENDED_RESOURCES_NEED_NO_DEVICES,
    EXTENDED_RESOURCES_OF_NODES_IGNORED
  }

  final Map<String, JsonNode> slices = new LinkedHashMap<>();
  final Map<String, JsonNode> classes = new LinkedHashMap<>();
  final Map<String, JsonNode> claims = new LinkedHashMap<>();
  private final Fault fault;

  StockDevices(Fault fault) {
    this.fault = fault;
  }

  /** A device with its slice. */
  private record Found(JsonNode slice, JsonNode device) {
    String id() {
      return slice.at("/spec/driver").asString()
          + "/"
          + slice.at("/spec/pool/name").asString()
          + "/"
          + device.path("name").asString();
    }
  }

  /** A device that is wanted: of a claim, for a request in one of its ways. */
  private record Wanted(JsonNode claim, String request, String option, JsonNode how) {}

  /** What is wrong with the claims whatever the node; "" for nothing, "unsupported" for that. */
  String refusal(JsonNode pod) {
    for (JsonNode used : pod.at("/spec/resourceClaims")) {
      String name = claimName(pod, used);
      if (name.isEmpty()) {
        continue;
      }
      JsonNode claim = claims.get(name);
      if (claim == null) {
        return "could not find v1.ResourceClaim \"default/" + name + "\"";
      }
      if (claim.at("/metadata").has("deletionTimestamp")) {
        return "resourceclaim \"" + name + "\" is being deleted";
      }
      String owner = claim.at("/metadata/ownerReferences/0/uid").asString("");
      if (!used.has("resourceClaimName")
          && !owner.equals(pod.at("/metadata/uid").asString())
          && fault != Fault.OWNER_NOT_CHECKED) {
        return "ResourceClaim default/%s was not created for Pod default/%s (Pod is not owner)"
            .formatted(name, pod.at("/metadata/name").asString());
      }
      if (claim.at("/status/allocation").isObject()) {
        continue;
      }
      if (claim.toString().contains("adminAccess")) {
        return "unsupported";
      }
      for (Wanted wanted : options(claim)) {
        if (!classes.containsKey(wanted.how.path("deviceClassName").asString())) {
          return "request %s: device class %s does not exist"
              .formatted(wanted.option, wanted.how.path("deviceClassName").asString());
        }
      }
    }
    return "";
  }

  private static String claimName(JsonNode pod, JsonNode used) {
    if (used.has("resourceClaimName")) {
      return used.path("resourceClaimName").asString();
    }
    for (JsonNode made : pod.at("/status/resourceClaimStatuses")) {
      if (made.path("name").equals(used.path("name"))) {
        return made.path("resourceClaimName").asString("");
      }
    }
    return "";
  }

  /** The names of the claims of a pod, each once. */
  static List<String> claimNames(JsonNode pod) {
    List<String> names = new ArrayList<>();
    for (JsonNode used : pod.at("/spec/resourceClaims")) {
      String name = claimName(pod, used);
      if (!name.isEmpty() && !names.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  /** What a node says to a pod whose claims are as they should be; "" where it fits. */
  String verdict(JsonNode pod, JsonNode node) {
    List<JsonNode> open = new ArrayList<>();
    boolean isElsewhere = false;
    for (String name : claimNames(pod)) {
      JsonNode allocation = claims.get(name).at("/status/allocation");
      if (!allocation.isObject()) {
        open.add(claims.get(name));
      } else if (fault != Fault.ALLOCATED_CLAIMS_GO_ANYWHERE) {
        isElsewhere |= !matches(allocation.path("nodeSelector"), node);
      }
    }
    extendedClaim(pod, node).ifPresent(open::add);
    // The stock scheduler notes that a claim is elsewhere, and reports it after its search.
    if (!open.isEmpty() && !canAllocate(open, node)) {
      return "cannot allocate all claims";
    }
    return isElsewhere ? "resourceclaim not available on the node" : "";
  }

  /** The claim that a pod gets for the extended resource that a node does not offer. */
  Optional<JsonNode> extendedClaim(JsonNode pod, JsonNode node) {
    for (Map.Entry<String, JsonNode> one :
        pod.at("/spec/containers/0/resources/requests").properties()) {
      String name = one.getKey();
      boolean isOffered =
          node.at("/status/allocatable").path(name).asInt(0) > 0
              && fault != Fault.EXTENDED_RESOURCES_OF_NODES_IGNORED;
      if (name.contains("/") && !isOffered && fault != Fault.EXTENDED_RESOURCES_NEED_NO_DEVICES) {
        String uid = pod.at("/metadata/uid").asString();
        return Optional.of(
            io.lighthouse.kubernetes.control.Objects.json(
                "{'metadata':{'name':'%s-extended-resources-%s','namespace':'default','uid':'of-%s',"
                    + "'annotations':{'resource.kubernetes.io/extended-resource-claim':'true'},"
                    + "'ownerReferences':[{'uid':'%s','controller':true}]},'spec':{'devices':{"
                    + "'requests':[{'name':'container-0-request-1','exactly':{"
                    + "'deviceClassName':'%s','count':%d}}]}}}",
                uid, uid, uid, uid, name.substring(name.indexOf('/') + 1), one.getValue().asInt()));
      }
    }
    return Optional.empty();
  }

  private static boolean matches(JsonNode selector, JsonNode node) {
    if (!selector.isObject()) {
      return true;
    }
    JsonNode term = selector.at("/nodeSelectorTerms/0");
    boolean matches = true;
    for (JsonNode field : term.path("matchFields")) {
      matches &= contains(field.path("values"), node.at("/metadata/name").asString());
    }
    for (JsonNode label : term.path("matchExpressions")) {
      JsonNode value = node.at("/metadata/labels").path(label.path("key").asString());
      matches &= value.isString() && contains(label.path("values"), value.asString());
    }
    return matches;
  }

  private static boolean contains(JsonNode list, String text) {
    for (JsonNode one : list) {
      if (one.asString().equals(text)) {
        return true;
      }
    }
    return false;
  }

  // ---- pools ----

  private static String pool(JsonNode slice) {
    return slice.at("/spec/driver").asString() + "/" + slice.at("/spec/pool/name").asString();
  }

  /** The slices that count. */
  private List<JsonNode> slices() {
    Map<String, List<JsonNode>> pools = new LinkedHashMap<>();
    for (JsonNode slice : slices.values()) {
      long generation = slice.at("/spec/pool/generation").asLong();
      long last =
          slices.values().stream()
              .filter(other -> pool(other).equals(pool(slice)))
              .mapToLong(other -> other.at("/spec/pool/generation").asLong())
              .max()
              .getAsLong();
      if (generation == last || fault == Fault.OLD_GENERATION_COUNTS) {
        pools.computeIfAbsent(pool(slice), none -> new ArrayList<>()).add(slice);
      }
    }
    List<JsonNode> all = new ArrayList<>();
    for (List<JsonNode> some : pools.values()) {
      boolean isComplete = some.size() == some.get(0).at("/spec/pool/resourceSliceCount").asInt();
      if (isComplete
          || fault == Fault.INCOMPLETE_POOL_COUNTS
          || fault == Fault.OLD_GENERATION_COUNTS) {
        all.addAll(some);
      }
    }
    return all;
  }

  private List<Found> devices(JsonNode node) {
    List<Found> found = new ArrayList<>();
    for (JsonNode slice : slices()) {
      JsonNode spec = slice.path("spec");
      boolean isReached =
          spec.has("nodeName")
              ? spec.path("nodeName").equals(node.at("/metadata/name"))
              : spec.path("allNodes").asBoolean(false)
                  || spec.has("nodeSelector") && matches(spec.path("nodeSelector"), node);
      for (JsonNode device : spec.path("devices")) {
        if (isReached && !device.has("bindingConditions")) {
          found.add(new Found(slice, device));
        }
      }
    }
    return found;
  }

  // ---- all ways ----

  private static List<Wanted> options(JsonNode claim) {
    List<Wanted> options = new ArrayList<>();
    for (JsonNode request : claim.at("/spec/devices/requests")) {
      String name = request.path("name").asString();
      if (request.has("exactly")) {
        options.add(new Wanted(claim, name, name, request.path("exactly")));
      }
      for (JsonNode one : request.path("firstAvailable")) {
        String option = name + "/" + one.path("name").asString();
        options.add(new Wanted(claim, name, option, one));
      }
    }
    return options;
  }

  private boolean canAllocate(List<JsonNode> open, JsonNode node) {
    List<List<Wanted>> requests = new ArrayList<>();
    for (JsonNode claim : open) {
      Map<String, List<Wanted>> byRequest = new LinkedHashMap<>();
      for (Wanted option : options(claim)) {
        byRequest.computeIfAbsent(option.request, none -> new ArrayList<>()).add(option);
      }
      requests.addAll(byRequest.values());
    }
    return tryOptions(requests, 0, new ArrayList<>(), devices(node));
  }

  private boolean tryOptions(
      List<List<Wanted>> requests, int at, List<Wanted> wanted, List<Found> devices) {
    if (at == requests.size()) {
      return tryDevices(wanted, new ArrayList<>(), devices);
    }
    for (Wanted option : requests.get(at)) {
      List<Wanted> more = new ArrayList<>(wanted);
      for (int i = 0; i < option.how.path("count").asInt(1); i++) {
        more.add(option);
      }
      if (tryOptions(requests, at + 1, more, devices)) {
        return true;
      }
      if (fault == Fault.ONLY_THE_FIRST_OPTION) {
        return false;
      }
    }
    return false;
  }

  private boolean tryDevices(List<Wanted> wanted, List<Found> given, List<Found> devices) {
    int at = given.size();
    if (at == wanted.size()) {
      return isRight(wanted, given);
    }
    for (Found device : devices) {
      if (!suits(wanted.get(at), device)) {
        continue;
      }
      List<Found> more = new ArrayList<>(given);
      more.add(device);
      boolean isPossible = fault != Fault.NO_WAY_BACK || isRight(wanted.subList(0, at + 1), more);
      if (isPossible && tryDevices(wanted, more, devices)) {
        return true;
      }
      if (isPossible && fault == Fault.NO_WAY_BACK) {
        return false;
      }
    }
    return false;
  }

  /** Whether a device is of the class, and matches the request. */
  private boolean suits(Wanted wanted, Found found) {
    JsonNode attributes = found.device.path("attributes");
    String kind = attributes.at("/kind/string").asString("");
    String deviceClass = wanted.how.path("deviceClassName").asString();
    boolean suits = deviceClass.equals("any") || deviceClass.equals(kind);
    if (!wanted.how.path("selectors").isEmpty() && fault != Fault.SELECTORS_OF_REQUESTS_IGNORED) {
      suits &= attributes.at("/size/int").asInt(0) >= 2;
    }
    for (JsonNode taint : found.device.path("taints")) {
      boolean counts = !taint.path("effect").asString().equals("None");
      boolean isTolerated = !wanted.how.path("tolerations").isEmpty();
      suits &= !counts || isTolerated || fault == Fault.TAINTS_IGNORED;
    }
    for (Map.Entry<String, JsonNode> asked : wanted.how.at("/capacity/requests").properties()) {
      suits &= found.device.path("capacity").has(asked.getKey());
    }
    return suits;
  }

  /** Whether devices that suit can be given together, beside what other claims have. */
  private boolean isRight(List<Wanted> wanted, List<Found> given) {
    Map<String, Found> known = new HashMap<>();
    for (JsonNode slice : slices()) {
      for (JsonNode device : slice.at("/spec/devices")) {
        Found found = new Found(slice, device);
        known.put(found.id(), found);
      }
    }
    Set<String> whole = new HashSet<>();
    Set<String> shared = new HashSet<>();
    Map<String, Long> taken = new HashMap<>();
    Set<String> users = new HashSet<>();
    for (JsonNode claim : claims.values()) {
      for (JsonNode result : claim.at("/status/allocation/devices/results")) {
        String id = idOf(result);
        if (result.path("adminAccess").asBoolean(false)
            && fault != Fault.ADMIN_ACCESS_TAKES_THE_DEVICE) {
          continue;
        }
        users.add(id);
        if (result.has("shareID")) {
          shared.add(id);
          for (Map.Entry<String, JsonNode> some : result.path("consumedCapacity").properties()) {
            taken.merge(id + some.getKey(), some.getValue().asLong(), Long::sum);
          }
        } else {
          whole.add(id);
        }
      }
    }
    if (fault == Fault.ONE_DEVICE_FOR_TWO_CLAIMS) {
      whole.clear();
      shared.clear();
    }
    Set<String> counted = new HashSet<>(users);
    if (fault == Fault.COUNTERS_OF_OTHERS_IGNORED) {
      counted.clear();
    }
    for (int i = 0; i < given.size(); i++) {
      Found found = given.get(i);
      String id = found.id();
      if (found.device.path("allowMultipleAllocations").asBoolean(false)) {
        if (whole.contains(id)) {
          return false;
        }
      } else if (shared.contains(id)
          || !whole.add(id) && fault != Fault.ONE_DEVICE_TWICE_IN_A_POD) {
        return false;
      }
      counted.add(id);
      for (Map.Entry<String, JsonNode> capacity : found.device.path("capacity").properties()) {
        String key = id + capacity.getKey();
        long value = capacity.getValue().path("value").asLong();
        long takes = takes(wanted.get(i), capacity.getKey(), capacity.getValue());
        long sum =
            fault == Fault.CAPACITY_NOT_ADDED_UP ? takes : taken.merge(key, takes, Long::sum);
        if (takes < 0 || sum > value) {
          return false;
        }
      }
    }
    return (fault == Fault.COUNTERS_IGNORED || counterLimitsHold(counted, known))
        && (fault == Fault.CONSTRAINTS_IGNORED || constraintsHold(wanted, given))
        && (fault == Fault.ONE_SHARED_DEVICE_TWICE_IN_A_REQUEST || areDistinct(wanted, given));
  }

  /** Whether each request has different devices, also where they may be shared. */
  private static boolean areDistinct(List<Wanted> wanted, List<Found> given) {
    Set<List<Object>> devices = new HashSet<>();
    for (int i = 0; i < given.size(); i++) {
      Wanted of = wanted.get(i);
      String claim = of.claim.at("/metadata/name").asString();
      if (!devices.add(List.of(claim, of.option, given.get(i).id()))) {
        return false;
      }
    }
    return true;
  }

  /** What a claim takes of a capacity; negative if that is more than it may take. */
  private long takes(Wanted wanted, String name, JsonNode capacity) {
    JsonNode asked = wanted.how.at("/capacity/requests").path(name);
    JsonNode policy = capacity.path("requestPolicy");
    if (asked.isMissingNode()) {
      return policy.has("default")
          ? policy.path("default").asLong()
          : capacity.path("value").asLong();
    }
    long amount = asked.asLong();
    if (fault == Fault.CAPACITY_NOT_ROUNDED) {
      return amount;
    }
    if (policy.has("validRange")) {
      long rounded = policy.at("/validRange/min").asLong();
      while (rounded < amount) {
        rounded += policy.at("/validRange/step").asLong();
      }
      return rounded > policy.at("/validRange/max").asLong() ? -1 : rounded;
    }
    if (policy.has("validValues")) {
      for (JsonNode valid : policy.path("validValues")) {
        if (valid.asLong() >= amount) {
          return valid.asLong();
        }
      }
      return -1;
    }
    return amount;
  }

  private boolean counterLimitsHold(Set<String> used, Map<String, Found> known) {
    Map<String, Long> left = new HashMap<>();
    for (JsonNode slice : slices()) {
      for (JsonNode set : slice.at("/spec/sharedCounters")) {
        for (Map.Entry<String, JsonNode> counter : set.path("counters").properties()) {
          left.put(
              pool(slice) + "/" + set.path("name").asString() + "/" + counter.getKey(),
              counter.getValue().path("value").asLong());
        }
      }
    }
    for (String id : used) {
      Found found = known.get(id);
      if (found == null) {
        continue;
      }
      for (JsonNode set : found.device.path("consumesCounters")) {
        for (Map.Entry<String, JsonNode> counter : set.path("counters").properties()) {
          left.merge(
              pool(found.slice) + "/" + set.path("counterSet").asString() + "/" + counter.getKey(),
              -counter.getValue().path("value").asLong(),
              Long::sum);
        }
      }
    }
    return left.values().stream().allMatch(value -> value >= 0);
  }

  private static boolean constraintsHold(List<Wanted> wanted, List<Found> given) {
    for (int i = 0; i < given.size(); i++) {
      for (JsonNode constraint : wanted.get(i).claim.at("/spec/devices/constraints")) {
        for (int j = 0; j < given.size(); j++) {
          boolean isAboutBoth =
              wanted.get(i).claim == wanted.get(j).claim
                  && isAbout(constraint, wanted.get(i))
                  && isAbout(constraint, wanted.get(j));
          JsonNode one = group(given.get(i));
          JsonNode other = group(given.get(j));
          if (isAboutBoth && (one.isMissingNode() || !Objects.equals(one, other))) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** A name without a domain is in the domain of the driver. */
  private static JsonNode group(Found found) {
    JsonNode attributes = found.device.path("attributes");
    return attributes.path(attributes.has("group") ? "group" : "example.com/group").path("int");
  }

  private static boolean isAbout(JsonNode constraint, Wanted wanted) {
    JsonNode requests = constraint.path("requests");
    return requests.isEmpty()
        || contains(requests, wanted.request)
        || contains(requests, wanted.option);
  }

  /** What is wrong with the devices that the open claims of a pod got on a node; "" for nothing. */
  String judge(Map<String, JsonNode> allocations, JsonNode node) {
    List<Wanted> wanted = new ArrayList<>();
    List<Found> given = new ArrayList<>();
    for (Map.Entry<String, JsonNode> one : allocations.entrySet()) {
      JsonNode claim = claims.get(one.getKey());
      Map<String, Integer> counts = new HashMap<>();
      Map<String, Integer> wantedOf = new HashMap<>();
      Set<String> requests = new HashSet<>();
      for (JsonNode result : one.getValue().at("/devices/results")) {
        String option = result.path("request").asString();
        Wanted as =
            options(claim).stream()
                .filter(some -> some.option.equals(option))
                .findFirst()
                .orElse(null);
        Found device =
            devices(node).stream()
                .filter(some -> some.id().equals(idOf(result)))
                .findFirst()
                .orElse(null);
        if (as == null || device == null || !suits(as, device)) {
          return "a wrong device: " + result;
        }
        counts.merge(as.request, 1, Integer::sum);
        wantedOf.put(as.request, as.how.path("count").asInt(1));
        boolean isNewOption = requests.add(option);
        if (isNewOption
            && requests.stream().filter(some -> some.startsWith(as.request + "/")).count() > 1) {
          return "two ways of one request: " + result;
        }
        wanted.add(as);
        given.add(device);
        boolean isShared = device.device.path("allowMultipleAllocations").asBoolean(false);
        if (isShared != result.has("shareID")
            || isShared
                && result.path("consumedCapacity").size()
                    != device.device.path("capacity").size()) {
          return "a wrong share: " + result;
        }
        for (Map.Entry<String, JsonNode> some : result.path("consumedCapacity").properties()) {
          long takes = takes(as, some.getKey(), device.device.path("capacity").get(some.getKey()));
          if (takes != some.getValue().asLong()) {
            return "a wrong amount: " + result;
          }
        }
      }
      Set<String> all = new HashSet<>();
      options(claim).forEach(option -> all.add(option.request));
      if (!counts.equals(wantedOf) || !counts.keySet().equals(all)) {
        return "wrong numbers: " + one.getValue();
      }
      if (!matches(one.getValue().path("nodeSelector"), node)) {
        return "a wrong node: " + one.getValue();
      }
    }
    return isRight(wanted, given) ? "" : "not together: " + allocations;
  }

  /** Whether a claim has a share of a device that is not shared any more. */
  boolean hasFormerShares() {
    Set<String> shared = new HashSet<>();
    for (JsonNode claim : claims.values()) {
      for (JsonNode result : claim.at("/status/allocation/devices/results")) {
        if (result.has("shareID")) {
          shared.add(idOf(result));
        }
      }
    }
    for (JsonNode slice : slices()) {
      for (JsonNode device : slice.at("/spec/devices")) {
        boolean isShared = device.path("allowMultipleAllocations").asBoolean(false);
        if (!isShared && shared.contains(new Found(slice, device).id())) {
          return true;
        }
      }
    }
    return false;
  }

  private static String idOf(JsonNode result) {
    return "%s/%s/%s"
        .formatted(
            result.path("driver").asString(),
            result.path("pool").asString(),
            result.path("device").asString());
  }

  /** Whether all devices of an allocation are reached from a node. */
  boolean reaches(JsonNode allocation, JsonNode node) {
    List<String> there = devices(node).stream().map(Found::id).toList();
    for (JsonNode result : allocation.at("/devices/results")) {
      String id = idOf(result);
      if (!there.contains(id)) {
        return false;
      }
    }
    return true;
  }
}
