package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.StockDevices.Fault;
import io.lighthouse.kubernetes.cluster.device.DeviceWork;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The verdict of the stock scheduler on pods with claims to devices, pod by pod and node by node,
 * and the devices that the claims get. Meanwhile pools are published anew, claims are written, and
 * pods are bound, given back and deleted. A refused pod that fits later was woken.
 */
class DeviceProperties {
  /** How many clusters; each gets eight pods. */
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.clusters", 200);

  private static final int PODS = 8;

  @Test
  void everyNodeSaysToEveryPodWithClaimsWhatTheStockSchedulerWouldSay() {
    Map<String, Integer> seen = new TreeMap<>();
    for (int seed = 0; seed < CLUSTERS; seed++) {
      Life life = Lives.agreeing(new Life(seed, Fault.NONE), seed, PODS);
      life.seen.forEach((what, count) -> seen.merge(what, count, Integer::sum));
    }
    Lives.occurred(
        seen,
        CLUSTERS / 50,
        "allocated",
        "shared claim",
        "share of a device",
        "second option",
        "several devices",
        "given back",
        "freed",
        "extended resource",
        "extended resource of the node",
        "woken",
        "not supported",
        "could not find",
        "is being deleted",
        "was not created",
        "does not exist",
        "not available on the node",
        "cannot allocate all claims");
  }

  @Tag("planted")
  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void noticesARuleThatIsGotWrong(Fault fault) {
    Lives.disagree(fault, CLUSTERS, PODS, seed -> new Life(seed, fault));
  }

  /**
   * The table of filters says that this change helps pods without devices; without it, some wait.
   */
  @Tag("planted")
  @ParameterizedTest
  @EnumSource(value = ClusterChange.class, names = "DEVICES")
  void noticesAChangeThatWakesNobody(ClusterChange missing) {
    Lives.disagree(missing, CLUSTERS, PODS, seed -> new Life(seed, Fault.NONE, missing));
  }

  /** A cluster to which pods with claims come, one by one, while its devices change. */
  private static final class Life implements Lives.Life {
    final Cluster cluster =
        Cluster.withProfiles(
            new Profiles(Map.of("lighthouse", Clusters.standard("spread"))),
            names -> Distributors.installed().strategy("spread"),
            false,
            new PodFacts.Reads(false, true));
    final StockDevices stock;
    final RandomDevices random;
    final Map<String, Integer> seen = new TreeMap<>();

    /** The pods with a node, by their names. */
    final Map<String, ObjectNode> placed = new LinkedHashMap<>();

    /** The pods that are on the way to a node, by their names. */
    final Map<String, ObjectNode> onTheWay = new LinkedHashMap<>();

    /** Some refused pods, by their names, and the changes that would have them tried again. */
    final Map<String, Set<ClusterChange>> waiting = new LinkedHashMap<>();

    /** Those of them for which such a change has come. */
    final Set<String> woken = new HashSet<>();

    /** A change that is lost; null for none. */
    final ClusterChange missing;

    Life(long seed, Fault fault) {
      this(seed, fault, null);
    }

    Life(long seed, Fault fault, ClusterChange missing) {
      this.missing = missing;
      stock = new StockDevices(fault);
      random =
          new RandomDevices(
              seed, stock, false, (kind, object) -> changed(cluster.changed(kind, object)));
      if (seed % 2 == 0) {
        random.nodes.forEach(cluster::nodeChanged);
        random.addAll();
      } else {
        random.addAll();
        random.nodes.forEach(cluster::nodeChanged);
      }
    }

    private void changed(Set<ClusterChange> changes) {
      for (Map.Entry<String, Set<ClusterChange>> one : waiting.entrySet()) {
        for (ClusterChange change : changes) {
          if (change != missing && one.getValue().contains(change)) {
            woken.add(one.getKey());
          }
        }
      }
    }

    /** Whether a refused pod fits now, and nothing has it tried again. */
    private Optional<String> forgotten() {
      for (String uid : List.copyOf(waiting.keySet())) {
        if (cluster.questions().isUnsupported(cluster.waitingEntry(uid))) {
          continue;
        }
        boolean fits = Clusters.verdicts(cluster, uid).values().stream().anyMatch(List::isEmpty);
        if (fits && !woken.contains(uid)) {
          return Optional.of(uid + " fits, and waits on");
        }
        if (fits) {
          count("woken");
        }
        if (woken.remove(uid)) {
          waiting.remove(uid);
          cluster.podGone(uid);
        }
      }
      return Optional.empty();
    }

    private void count(String what) {
      seen.merge(what, 1, Integer::sum);
    }

    @Override
    public Optional<String> step() {
      if (random.chance(15)) {
        random.publishAnew();
      }
      if (random.chance(20) && !placed.isEmpty()) {
        free(random.pick(placed.keySet().toArray(String[]::new)));
      }
      Optional<String> forgotten = forgotten();
      if (forgotten.isPresent()) {
        return forgotten;
      }
      ObjectNode pod = random.pod();
      String uid = pod.at("/metadata/uid").asString();
      cluster.podChanged(pod);
      String refusal = stock.refusal(pod);
      if (refusal.equals("unsupported")) {
        count("not supported");
        return cluster.questions().isUnsupported(cluster.waitingEntry(uid))
            ? Optional.empty()
            : Optional.of(pod + " is supported");
      }
      if (cluster.questions().isUnsupported(cluster.waitingEntry(uid))) {
        return Optional.of(pod + " is not supported");
      }
      Map<String, String> expected = new TreeMap<>();
      for (JsonNode node : random.nodes) {
        String text = refusal.isEmpty() ? stock.verdict(pod, node) : refusal;
        expected.put(node.at("/metadata/name").asString(), text);
        notice(text);
      }
      Map<String, String> found = new TreeMap<>();
      Clusters.verdicts(cluster, uid)
          .forEach((node, texts) -> found.put(node, String.join("; ", texts)));
      if (!found.equals(expected)) {
        return Optional.of(
            "%s\nis told %s\ninstead of %s\nof %s\nand %s"
                .formatted(pod, found, expected, stock.claims, stock.slices.values()));
      }
      Decision decision = cluster.decide(List.of(uid)).get(0);
      if (decision instanceof Decision.Bind bind) {
        return placed(pod, bind.node());
      }
      Set<ClusterChange> helpful = EnumSet.noneOf(ClusterChange.class);
      ((Decision.Refused) decision).filters().forEach(filter -> helpful.addAll(filter.helpedBy()));
      waiting.put(uid, helpful);
      return expected.containsValue("") ? Optional.of(pod + " is refused") : Optional.empty();
    }

    private void notice(String text) {
      for (String part :
          List.of(
              "could not find",
              "is being deleted",
              "was not created",
              "does not exist",
              "not available on the node",
              "cannot allocate all claims")) {
        if (text.contains(part)) {
          count(part);
        }
      }
    }

    /** The claims must have the devices that they asked for, and those before keep theirs. */
    private Optional<String> placed(ObjectNode pod, String name) {
      String uid = pod.at("/metadata/uid").asString();
      JsonNode node =
          random.nodes.stream()
              .filter(one -> one.at("/metadata/name").asString().equals(name))
              .findFirst()
              .orElseThrow();
      Map<String, JsonNode> fresh = new LinkedHashMap<>();
      Optional<JsonNode> extended = stock.extendedClaim(pod, node);
      Optional<DeviceWork> work = cluster.devices().assumed().work(uid);
      List<String> written = new ArrayList<>();
      for (DeviceWork.Write write : work.map(DeviceWork::writes).orElse(List.of())) {
        String claim = write.claim().name();
        if (write.claim().uid().isEmpty()) {
          if (extended.isEmpty()) {
            return Optional.of(pod + " gets a claim on " + name);
          }
          stock.claims.put(claim, extended.get());
        }
        JsonNode allocation = write.allocation().json();
        JsonNode known = stock.claims.get(claim).at("/status/allocation");
        written.add(claim);
        if (known.isMissingNode()) {
          fresh.put(claim, allocation);
        } else if (!known.equals(allocation)) {
          return Optional.of(claim + " has " + known + ", and its pod is to have " + allocation);
        } else {
          count("shared claim");
        }
      }
      List<String> wanted = new ArrayList<>(StockDevices.claimNames(pod));
      extended.ifPresent(made -> wanted.add(made.at("/metadata/name").asString()));
      if (extended.isPresent()) {
        count("extended resource");
      } else if (pod.at("/spec/containers/0/resources/requests").size() > 2) {
        count("extended resource of the node");
      }
      if (!written.equals(wanted)) {
        return Optional.of(pod + " has written " + written);
      }
      String wrong = stock.judge(fresh, node);
      if (!wrong.isEmpty()) {
        return Optional.of(pod + "\ngets on " + name + " " + wrong);
      }
      fresh.forEach(this::notice);
      for (JsonNode one : fresh.values()) {
        for (JsonNode other : random.nodes) {
          if (stock.reaches(one, other) != isSelected(one, other)) {
            return Optional.of("wrong nodes for " + other + ": " + one);
          }
        }
      }
      fresh.forEach((claim, allocation) -> allocate(claim, allocation, uid));
      if (fresh.keySet().stream().anyMatch(this::mayBeShared)) {
        // The write of the claim will say so.
        changed(EnumSet.of(ClusterChange.DEVICES));
      }
      if (random.chance(15)) {
        count("given back");
        cluster.assumeFailed(uid);
        cluster.podGone(uid);
        changed(EnumSet.of(ClusterChange.POD_LEFT, ClusterChange.DEVICES));
        fresh.keySet().forEach(claim -> stock.claims.computeIfPresent(claim, (k, v) -> open(v)));
        stock.claims.remove(extendedClaim(uid));
        return Optional.empty();
      }
      if (random.chance(70)) {
        fresh.keySet().forEach(claim -> tell(claim));
        ObjectNode bound = pod.deepCopy();
        bound.withObjectProperty("spec").put("nodeName", name);
        changed(cluster.podChanged(bound));
        placed.put(uid, bound);
      } else {
        onTheWay.put(uid, pod);
      }
      return Optional.empty();
    }

    private void notice(String claim, JsonNode allocation) {
      count("allocated");
      JsonNode results = allocation.at("/devices/results");
      for (JsonNode result : results) {
        if (result.has("shareID")) {
          count("share of a device");
        }
        if (result.path("request").asString().endsWith("o1")) {
          count("second option");
        }
      }
      if (results.size() > 1) {
        count("several devices");
      }
    }

    private static boolean isSelected(JsonNode allocation, JsonNode node) {
      JsonNode selector = allocation.path("nodeSelector");
      if (selector.isMissingNode()) {
        return true;
      }
      JsonNode term = selector.at("/nodeSelectorTerms/0");
      boolean matches = true;
      for (JsonNode field : term.path("matchFields")) {
        matches &= field.path("values").get(0).equals(node.at("/metadata/name"));
      }
      for (JsonNode label : term.path("matchExpressions")) {
        matches &= label.path("values").get(0).equals(node.at("/metadata/labels/zone"));
      }
      return matches;
    }

    /**
     * The name of the claim that a pod gets for its extended resource; pods have their uid as name.
     */
    private static String extendedClaim(String uid) {
      return uid + "-extended-resources-" + uid;
    }

    private boolean mayBeShared(String claim) {
      return !stock.claims.get(claim).at("/metadata").has("ownerReferences");
    }

    private void allocate(String claim, JsonNode allocation, String uid) {
      ObjectNode now = (ObjectNode) stock.claims.get(claim).deepCopy();
      ObjectNode status = now.putObject("status");
      status.set("allocation", allocation);
      status.putArray("reservedFor").addObject().put("uid", uid);
      stock.claims.put(claim, now);
    }

    private static JsonNode open(JsonNode claim) {
      ObjectNode now = (ObjectNode) claim.deepCopy();
      now.remove("status");
      return now;
    }

    private void tell(String claim) {
      changed(cluster.changed(Resource.RESOURCE_CLAIMS, stock.claims.get(claim)));
    }

    /** A pod goes, and the devices of its claims are free: all users of a claim have gone. */
    private void free(String uid) {
      count("freed");
      ObjectNode pod = placed.remove(uid);
      changed(cluster.podGone(uid));
      if (stock.claims.remove(extendedClaim(uid)) != null) {
        changed(cluster.gone(Resource.RESOURCE_CLAIMS, "default/" + extendedClaim(uid)));
      }
      for (String claim : StockDevices.claimNames(pod)) {
        boolean isUsed =
            Stream.concat(placed.values().stream(), onTheWay.values().stream())
                .anyMatch(other -> StockDevices.claimNames(other).contains(claim));
        if (!isUsed
            && stock.claims.get(claim).at("/status/reservedFor/0/uid").asString("").equals(uid)) {
          stock.claims.computeIfPresent(claim, (k, v) -> open(v));
          tell(claim);
        }
      }
    }
  }
}
