package io.lighthouse.kubernetes.plan;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.PlanWords;
import io.lighthouse.json.Problem;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.problem.ClusterProblem;
import io.lighthouse.kubernetes.watch.ClusterLists;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * A plan for a live cluster: which pods would go where, to drain some nodes or to free as many as
 * can be. Making it changes nothing. {@link #carryOut} carries it out by evictions. Then the
 * cluster's scheduler chooses the node of each replacement: the plan shows that there is room for
 * all, not where each will be.
 *
 * <p>Pods of daemon sets, mirror pods and pods that are being deleted belong to their nodes: they
 * are not moved, and do not keep a node from being free. Immutable and thread-safe.
 */
public final class KubernetesPlan {
  /** What can be planned for a cluster. */
  private static final List<String> GOALS = List.of("drain", "consolidate");

  private final ClusterAccess access;
  private final Plan plan;
  private final List<String> remarks;

  /** The nodes that the plan leaves free, which are cordoned first. */
  private final List<String> freed;

  /** The pods that are moved, by their names in the plan. */
  private final Map<String, JsonNode> moved;

  /**
   * What is wished for.
   *
   * @param goal drain or consolidate
   * @param places the nodes to drain, or labels as {@code topology.kubernetes.io/zone=b}; empty for
   *     consolidate
   * @param limits limits of the plan; names of pods are {@code namespace/name}
   * @param unmanaged whether pods that no controller would bring back may go, too
   * @param emptyDirs whether pods may go whose emptyDir volumes, with all that is in them, go too
   */
  public record Request(
      String goal, List<String> places, PlanLimits limits, boolean unmanaged, boolean emptyDirs) {
    /** Copies. */
    public Request {
      places = List.copyOf(places);
      if (!GOALS.contains(goal)) {
        throw new InvalidInputException(
            "plan of a cluster", "goal", "'" + goal + "'", String.join(" or ", GOALS));
      }
      if (goal.equals("drain") == places.isEmpty()) {
        throw new InvalidInputException(
            "plan of a cluster",
            goal,
            places.isEmpty() ? "without a node" : "with a node",
            places.isEmpty() ? "drain NODE..." : "consolidate alone");
      }
    }
  }

  /**
   * How carrying a plan out ended.
   *
   * @param evicted how many pods were evicted
   * @param moves how many the plan names
   * @param stopped why it stopped before the end, or what is left; empty where all is done
   */
  public record Outcome(int evicted, long moves, Optional<String> stopped) {}

  private KubernetesPlan(
      ClusterAccess access, Map<Resource, List<JsonNode>> objects, Request request) {
    this.access = access;
    Map<String, JsonNode> byUid = new HashMap<>();
    Set<String> ofNodes = new HashSet<>();
    for (JsonNode pod : objects.get(Resource.PODS)) {
      byUid.put(ObjectFields.uid(pod), pod);
      if (PodFacts.belongsToNode(pod)) {
        ofNodes.add(ObjectFields.uid(pod));
      }
    }
    Cluster cluster = Cluster.forExport(objects);
    // Where any node may become empty, the pods that belong to nodes count from beside them.
    ClusterProblem written =
        request.goal().equals("drain")
            ? ClusterProblem.of(cluster, "first")
            : ClusterProblem.withOwnPods(cluster, "first", ofNodes::contains);
    PlanGoal goal = PlanWords.goal(request.goal(), request.places(), written.problem());
    if (goal instanceof PlanGoal.Drain drain) {
      // Elsewhere, the pods that belong to a node count for the rules of others. They stay.
      Predicate<String> leftBehind =
          uid -> ofNodes.contains(uid) && drain.nodes().contains(ObjectFields.node(byUid.get(uid)));
      written = ClusterProblem.of(cluster, "first", leftBehind);
    }
    Problem problem = written.problem();
    Set<String> about = new HashSet<>();
    for (Node node : problem.nodes()) {
      if (!(goal instanceof PlanGoal.Drain drain) || drain.nodes().contains(node.name())) {
        node.workloads().forEach(pod -> about.add(pod.name()));
      }
    }
    Map<String, List<String>> staying = new TreeMap<>();
    Set<String> pinned = new HashSet<>(request.limits().pinned());
    Map<String, String> placed = written.placed();
    Map<String, String> unknown = written.unsupported();
    placed.forEach(
        (name, uid) -> {
          if (ofNodes.contains(uid)) {
            pinned.add(name);
            return;
          }
          String unsupported = unknown.get(name);
          String why = unsupported != null ? unsupported : obstacle(byUid.get(uid), request);
          if (!why.isEmpty()) {
            pinned.add(name);
            if (about.contains(name)) {
              staying.computeIfAbsent(why, none -> new ArrayList<>()).add(name);
            }
          }
        });
    remarks = remarks(staying);
    Distributor fleet = fleet(problem.nodes());
    PlanLimits limits = request.limits();
    plan = plan(fleet, goal, limits.withPinned(pinned), written);
    Map<String, JsonNode> movedPods = new HashMap<>();
    Set<String> left = new LinkedHashSet<>();
    if (goal instanceof PlanGoal.Drain drain) {
      left.addAll(drain.nodes());
      plan.unmet().forEach(left::remove);
    }
    for (Change change : plan.changes()) {
      if (change instanceof Change.Move move) {
        movedPods.put(move.workload(), byUid.get(placed.get(move.workload())));
        left.add(move.from());
      }
    }
    moved = Map.copyOf(movedPods);
    // What of the rules of a moved pod the plan does not know.
    written
        .inexact()
        .forEach((name, some) -> remarks.addAll(moved.containsKey(name) ? some : List.of()));
    fleet.tryOut(plan.changes(), Distributor::snapshot).nodes().stream()
        .filter(node -> !node.workloads().isEmpty())
        .forEach(node -> left.remove(node.name()));
    freed = List.copyOf(left);
  }

  /** Why a pod is not to be evicted, though it might go somewhere; empty for no reason. */
  private static String obstacle(JsonNode pod, Request request) {
    if (ObjectFields.node(pod).isEmpty()) {
      return "it waits for room that was made for it";
    }
    if (ObjectFields.controller(pod.path("metadata")).isEmpty() && !request.unmanaged()) {
      return "no controller would bring it back (--force)";
    }
    for (JsonNode volume : pod.path("spec").path("volumes")) {
      if (volume.has("emptyDir") && !request.emptyDirs()) {
        return "its emptyDir volumes would be lost (--delete-emptydir-data)";
      }
    }
    return "";
  }

  private static Distributor fleet(List<Node> nodes) {
    return Distributors.of("first", (pod, candidates) -> candidates.first()).nodes(nodes).build();
  }

  /** Makes a plan. Its figures do not count the nodes beside others, which are none. */
  private static Plan plan(
      Distributor fleet, PlanGoal goal, PlanLimits limits, ClusterProblem written) {
    Set<String> pinned = new HashSet<>(limits.pinned());
    List<Node> beside = written.beside();
    beside.forEach(node -> node.workloads().forEach(pod -> pinned.add(pod.name())));
    Plan plan = fleet.advisor().plan(goal, limits.withPinned(pinned));
    if (beside.isEmpty()) {
      return plan;
    }
    List<Node> nodes = new ArrayList<>(written.problem().nodes());
    nodes.removeAll(beside);
    // Its bound holds here, too: rules about the pods beside can only need more nodes.
    Plan without = fleet(nodes).advisor().plan(goal, limits);
    Plan.Bound bound = without.bound();
    int inUse = plan.after().nodesInUse() - beside.size();
    return new Plan(
        goal,
        plan.generation(),
        plan.waves(),
        plan.unmet(),
        without.before(),
        new Plan.Figures(
            without.before().placed(), inUse, plan.after().fullest(), plan.after().averse()),
        new Plan.Bound(bound.figure(), bound.best(), bound.best().equals(Quantity.of(inUse))),
        plan.obstacles());
  }

  private static List<String> remarks(Map<String, List<String>> staying) {
    List<String> remarks = new ArrayList<>();
    staying.forEach(
        (why, names) -> {
          names.sort(null);
          String some = String.join(", ", names.subList(0, Math.min(3, names.size())));
          int more = names.size() - 3;
          remarks.add(some + (more > 0 ? " and " + more + " more" : "") + " cannot go: " + why);
        });
    return remarks;
  }

  /**
   * Makes a plan for a cluster as it is now. It only reads.
   *
   * @param kubeconfig the kubeconfig file; empty inside a pod
   * @param context the context; that of the file where it is empty
   * @param request what is wished for
   * @return the plan
   * @throws InvalidInputException if the file is not usable, or there is no such node
   * @throws IOException if the server refuses, or does not answer
   */
  public static KubernetesPlan make(
      Optional<Path> kubeconfig, Optional<String> context, Request request) throws IOException {
    return make(Kubeconfig.access(kubeconfig, context), request);
  }

  static KubernetesPlan make(ClusterAccess access, Request request) throws IOException {
    try (ApiServer server = new ApiServer(access, ClusterLists.LIMIT)) {
      return new KubernetesPlan(access, ClusterLists.read(server), request);
    }
  }

  /**
   * The plan; pods are called {@code namespace/name}.
   *
   * @return the plan
   */
  public Plan plan() {
    return plan;
  }

  /**
   * What of the goal cannot be, and why; and of pods that are moved, what of their rules the plan
   * does not know.
   *
   * @return a line for each reason, with the pods that it is about
   */
  public List<String> remarks() {
    return remarks;
  }

  /**
   * The nodes that the plan frees.
   *
   * @return their names
   */
  public List<String> freed() {
    return freed;
  }

  /**
   * Carries the plan out: cordons the nodes that it frees, and evicts the pods, one after the
   * other, each when the server's disruption budgets let it go. The next one is evicted when the
   * one before has ended and its controller has as many pods with a node as before. A pod that is
   * being deleted when its turn comes counts as one of them if another waits for a node. A new pod
   * of a Job that has finished meanwhile counts while none of the Job waits for a node. It stops at
   * the first that does not come to that within the patience. It goes on if the controller needs
   * fewer pods by then: a new one has a node, or had one, and none waits. Nodes that were cordoned
   * stay so.
   *
   * @param patience how long to wait at each step of each pod
   * @param told takes a line for each thing that is done
   * @return how it ended
   * @throws IOException if the server refuses a cordon, or cannot be read at all
   * @throws InterruptedException if the thread is interrupted
   */
  public Outcome carryOut(Duration patience, Consumer<String> told)
      throws IOException, InterruptedException {
    try (ApiServer server = new ApiServer(access, ClusterLists.LIMIT);
        Evictions evictions = new Evictions(server, patience, told)) {
      return evictions.carryOut(plan, moved, freed);
    }
  }
}
