package io.lighthouse.kubernetes.cluster.volume;

import io.lighthouse.kubernetes.cluster.object.CapacityFacts;
import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
import io.lighthouse.kubernetes.cluster.object.StorageClassFacts;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The claims of one pod that get volumes together with its node, judged node by node as the stock
 * scheduler does. The smallest claim gets the smallest volume that will do; a claim without such a
 * volume needs a class that makes one.
 *
 * <p>Nodes that the same selections select get the same judgement, which is made once. The
 * selections are those of the volumes, classes and capacities that the claims can use.
 */
final class DelayedClaims {
  private static final Comparator<VolumeFacts> SMALLEST =
      Comparator.comparing(VolumeFacts::capacity).thenComparing(VolumeFacts::name);

  private final Volumes volumes;
  private final AssumedVolumes assumed;
  private final NodesByLabel nodes;

  /** The claims with a selected node. */
  private final List<Making> selected = new ArrayList<>();

  private final Set<String> selectedNodes = new HashSet<>();

  /** The claims for which volumes are looked for, the smallest first. */
  private final List<Matching> matching = new ArrayList<>();

  /** The selections that have a say; the first is of all nodes. */
  private final List<NodeSelection> selections = new ArrayList<>(List.of(NodeSelection.ALL));

  private final Map<NodeSelection, Integer> numbers = new IdentityHashMap<>();

  /** How a volume for a claim can be made: on nodes that a selection selects. */
  private record Making(
      ClaimFacts claim, boolean isPossible, int topology, List<Integer> capacities) {}

  /**
   * The volumes that a claim can get.
   *
   * @param making what happens where there is none
   * @param own the volume that is for this claim alone; null where there is none
   * @param ownNodes the selection of that volume
   * @param free by selection, the other volumes, the smallest first
   */
  private record Matching(
      Making making, VolumeFacts own, int ownNodes, Map<Integer, List<VolumeFacts>> free) {}

  /** The judgement of a node. */
  private record Judgement(boolean isUnmatched, boolean isFull, VolumeWork work) {}

  /**
   * The nodes that will not do.
   *
   * @param unmatched those where a claim has no volume, and none can be made
   * @param full those where there is not enough storage to make one
   */
  record Verdict(Set<String> unmatched, Set<String> full) {}

  DelayedClaims(
      Volumes volumes, AssumedVolumes assumed, NodesByLabel nodes, List<ClaimFacts> claims) {
    this.volumes = volumes;
    this.assumed = assumed;
    this.nodes = nodes;
    numbers.put(NodeSelection.ALL, 0);
    List<ClaimFacts> unselected = new ArrayList<>();
    for (ClaimFacts claim : claims) {
      String node = assumed.selectedNode(claim);
      if (node == null) {
        unselected.add(claim);
      } else {
        selectedNodes.add(node);
        selected.add(making(claim));
      }
    }
    unselected.sort(Comparator.comparing(ClaimFacts::size));
    unselected.forEach(claim -> matching.add(matching(claim)));
  }

  private int number(NodeSelection selection) {
    Integer known = numbers.get(selection);
    if (known == null) {
      known = selections.size();
      numbers.put(selection, known);
      selections.add(selection);
    }
    return known;
  }

  private Making making(ClaimFacts claim) {
    StorageClassFacts storageClass = volumes.storageClass(claim.storageClass());
    if (storageClass == null || storageClass.provisioner().isEmpty()) {
      return new Making(claim, false, 0, null);
    }
    List<CapacityFacts> capacities = volumes.capacities(claim, storageClass);
    return new Making(
        claim,
        true,
        number(storageClass.nodes()),
        capacities == null
            ? null
            : capacities.stream().map(capacity -> number(capacity.nodes())).distinct().toList());
  }

  private Matching matching(ClaimFacts claim) {
    VolumeFacts own = null;
    Map<Integer, List<VolumeFacts>> free = new HashMap<>();
    for (VolumeFacts one : volumes.mayBeOf(claim)) {
      VolumeFacts volume = assumed.withClaim(one);
      if (!volume.claim().isEmpty() && !volume.isFor(claim) || !isLargeEnough(volume, claim)) {
        continue;
      }
      if (!volume.claim().isEmpty()) {
        own = own == null || one.name().compareTo(own.name()) < 0 ? one : own;
      } else if (isUsable(volume, claim)) {
        free.computeIfAbsent(number(volume.nodes()), none -> new ArrayList<>()).add(volume);
      }
    }
    free.values().forEach(some -> some.sort(SMALLEST));
    return new Matching(making(claim), own, own == null ? 0 : number(own.nodes()), free);
  }

  private static boolean isLargeEnough(VolumeFacts volume, ClaimFacts claim) {
    return volume.capacity().compareTo(claim.size()) >= 0
        && volume.volumeMode().equals(claim.volumeMode())
        && volume.attributesClass().equals(claim.attributesClass())
        && !volume.deleting();
  }

  private static boolean isUsable(VolumeFacts volume, ClaimFacts claim) {
    return volume.available()
        && (claim.selector() == null || claim.selector().matches(volume.labels()))
        && volume.accessModes().containsAll(claim.accessModes());
  }

  /** The selections that alone decide; nothing where each node is to be judged. */
  Optional<List<NodeSelection>> topologies() {
    List<NodeSelection> found = new ArrayList<>();
    boolean isDecided = selected.isEmpty();
    for (Matching one : matching) {
      Making making = one.making();
      isDecided &=
          one.own() == null
              && one.free().isEmpty()
              && making.isPossible()
              && making.capacities() == null;
      found.add(selections.get(making.topology()));
    }
    return isDecided ? Optional.of(found) : Optional.empty();
  }

  /** All nodes that will not do. */
  Verdict verdict() {
    Verdict verdict = new Verdict(new TreeSet<>(), new TreeSet<>());
    if (!selectedNodes.isEmpty()) {
      verdict.unmatched().addAll(nodes.names());
      String only = selectedNodes.iterator().next();
      if (selectedNodes.size() == 1 && verdict.unmatched().remove(only)) {
        add(verdict, only, judge(only));
      }
      return verdict;
    }
    Map<String, List<Integer>> selecting = new HashMap<>();
    for (int i = 1; i < selections.size(); i++) {
      for (String node : nodes.selected(selections.get(i))) {
        selecting.computeIfAbsent(node, none -> new ArrayList<>()).add(i);
      }
    }
    Map<List<Integer>, Judgement> judged = new HashMap<>();
    for (String node : nodes.names()) {
      List<Integer> of = selecting.getOrDefault(node, List.of());
      Judgement known = judged.get(of);
      if (known == null) {
        known = judge(node, of);
        judged.put(of, known);
      }
      add(verdict, node, known);
    }
    return verdict;
  }

  private static void add(Verdict verdict, String node, Judgement judgement) {
    if (judgement.isUnmatched()) {
      verdict.unmatched().add(node);
    }
    if (judgement.isFull()) {
      verdict.full().add(node);
    }
  }

  /** What is done for a node that will do. */
  VolumeWork work(String node) {
    return judge(node).work();
  }

  private Judgement judge(String node) {
    NodeFacts facts = nodes.node(node);
    List<Integer> selecting = new ArrayList<>();
    for (int i = 1; i < selections.size(); i++) {
      if (selections.get(i).matches(facts)) {
        selecting.add(i);
      }
    }
    return judge(node, selecting);
  }

  /**
   * Judges a node.
   *
   * @param selecting the numbers of the selections that select it, in order; all nodes left out
   */
  private Judgement judge(String node, List<Integer> selecting) {
    List<VolumeWork.Match> matches = new ArrayList<>();
    List<Making> toMake = new ArrayList<>(selected);
    Set<String> taken = new HashSet<>();
    for (Matching one : matching) {
      VolumeFacts best = best(one, selecting, taken);
      if (best == null) {
        toMake.add(one.making());
      } else {
        taken.add(best.name());
        matches.add(new VolumeWork.Match(one.making().claim(), best));
      }
    }
    List<ClaimFacts> provisions = new ArrayList<>();
    for (Making one : toMake) {
      if (!one.isPossible() || !selects(one.topology(), selecting)) {
        return new Judgement(true, false, VolumeWork.none(node));
      }
      if (one.capacities() != null
          && one.capacities().stream().noneMatch(number -> selects(number, selecting))) {
        return new Judgement(false, true, VolumeWork.none(node));
      }
      provisions.add(one.claim());
    }
    return new Judgement(false, false, new VolumeWork(node, matches, provisions));
  }

  private static boolean selects(int number, List<Integer> selecting) {
    return number == 0 || selecting.contains(number);
  }

  private static VolumeFacts best(Matching one, List<Integer> selecting, Set<String> taken) {
    if (one.own() != null) {
      return selects(one.ownNodes(), selecting) ? one.own() : null;
    }
    VolumeFacts best = first(one.free().get(0), taken);
    for (int number : selecting) {
      VolumeFacts next = first(one.free().get(number), taken);
      if (next != null && (best == null || SMALLEST.compare(next, best) < 0)) {
        best = next;
      }
    }
    return best;
  }

  private static VolumeFacts first(List<VolumeFacts> some, Set<String> taken) {
    if (some != null) {
      for (VolumeFacts volume : some) {
        if (!taken.contains(volume.name())) {
          return volume;
        }
      }
    }
    return null;
  }
}
