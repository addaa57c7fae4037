package io.lighthouse.core.oracle;

import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The oracle as the tests of core use it: a node is its place in the order. */
public final class NaiveFleet {
  /** No node. */
  public static final int NONE = -1;

  private final World world;

  /** The workload that the last question was about; questions about one workload come in runs. */
  private Workload known;

  private Question question;

  /** A fleet without nodes. */
  public NaiveFleet() {
    this(new World(Fault.NONE, List.of(), List.of(), List.of(), Optional.empty()));
  }

  private NaiveFleet(World world) {
    this.world = world;
  }

  /** Another fleet in the same state. */
  public NaiveFleet copy() {
    return new NaiveFleet(new World(world));
  }

  // ---- changes ----

  public void add(Node node) {
    carryOut(new Change.AddNode(node));
  }

  public void remove(int node) {
    carryOut(new Change.RemoveNode(name(node)));
  }

  public void resize(int node, Resources capacity) {
    carryOut(new Change.Resize(name(node), capacity));
  }

  public void cordon(int node, boolean closed) {
    carryOut(closed ? new Change.Cordon(name(node)) : new Change.Uncordon(name(node)));
  }

  public void release(String workload) {
    carryOut(new Change.Release(workload));
  }

  /** Places a workload, also where it does not fit. */
  public void place(Workload workload, int node) {
    known = null;
    world.place(workload, spot(node));
  }

  /** Carries out a possible change. */
  public void carryOut(Change change) {
    known = null;
    world.carryOut(change);
  }

  /** Carries out changes up to the first that is impossible; returns its index, or their number. */
  public int carryOutPossible(List<Change> changes) {
    for (int step = 0; step < changes.size(); step++) {
      try {
        carryOut(changes.get(step));
      } catch (InvalidInputException impossible) {
        return step;
      }
    }
    return changes.size();
  }

  // ---- reading ----

  private Spot spot(int node) {
    return world.spots.get(node);
  }

  public int size() {
    return world.spots.size();
  }

  public String name(int node) {
    return spot(node).name;
  }

  public boolean cordoned(int node) {
    return spot(node).account.cordoned;
  }

  public int lastPlaced() {
    return world.position;
  }

  /** The node of a placed workload, or {@link #NONE}. */
  public int nodeOf(String workload) {
    return world.spots.indexOf(world.nodeOf(workload));
  }

  public List<String> placedNames() {
    return world.spots.stream().flatMap(spot -> spot.placed.stream()).map(Workload::name).toList();
  }

  public List<Workload> workloads(int node) {
    return List.copyOf(spot(node).placed);
  }

  public Map<String, Nanos> left(int node) {
    return spot(node).account.left;
  }

  public Resources lefts(int node) {
    return Nanos.resources(left(node));
  }

  public Resources capacities(int node) {
    return Nanos.resources(spot(node).account.capacity);
  }

  /** Whether what is left of every node is its capacity less all that is placed there. */
  public boolean conserves() {
    return world.spots.stream().allMatch(Spot::conserves);
  }

  // ---- questions ----

  private Question question(Workload workload) {
    if (known != workload) {
      known = workload;
      question = new Question(world, workload);
    }
    return question;
  }

  public boolean fits(int node, Workload workload) {
    return question(workload).fits(spot(node));
  }

  public boolean averse(int node, Workload workload) {
    return !question(workload).friendly(spot(node));
  }

  /** All broken conditions of a node, in order. */
  public List<Reason> reasons(int node, Workload workload) {
    return question(workload).reasons(spot(node));
  }

  /** Why a node is averse. */
  public Reason aversion(int node, Workload workload) {
    return new Reason.Averse(question(workload).rivalries(spot(node)));
  }

  /** The refusal of a workload that is placed nowhere now. */
  public Refusal refusal(Workload workload) {
    return Verdicts.explanation(world, workload, Optional.empty()).summary();
  }

  /** The first candidate from a node on, wrapping round once. */
  public int first(Workload workload, int from) {
    int averse = NONE;
    for (int i = 0; i < size(); i++) {
      int node = (from + i) % size();
      if (fits(node, workload)) {
        if (!averse(node, workload)) {
          return node;
        }
        averse = averse == NONE ? node : averse;
      }
    }
    return averse;
  }

  /** The first node from one on, without wrapping round. */
  public int next(Workload workload, int from, boolean friendlyOnly) {
    for (int node = from; node < size(); node++) {
      if (fits(node, workload) && !(friendlyOnly && averse(node, workload))) {
        return node;
      }
    }
    return NONE;
  }

  /** The candidate of the lowest or the highest score. */
  public int first(Workload workload, Rubric rubric, boolean descending) {
    int best = NONE;
    boolean friendly = false;
    for (int node = 0; node < size(); node++) {
      if (!fits(node, workload)) {
        continue;
      }
      boolean friend = !averse(node, workload);
      if (best == NONE
          || (friend && !friendly)
          || (friend == friendly && compare(node, best, rubric, descending) < 0)) {
        best = node;
        friendly = friend;
      }
    }
    return best;
  }

  /** Compares nodes by score, then by name. */
  public int compare(int a, int b, Rubric rubric, boolean descending) {
    int scores = score(left(a), rubric).compareTo(score(left(b), rubric));
    return scores != 0 ? (descending ? -scores : scores) : compareNames(name(a), name(b));
  }

  /** The score of quantities. */
  public static Score score(Map<String, Nanos> quantities, Rubric rubric) {
    return Score.of(quantities, rubric);
  }

  /** The score of what a workload requires. */
  public static Score score(Workload workload, Rubric rubric) {
    return Score.of(Nanos.up(workload.requirements()), rubric);
  }

  /** By code point. */
  public static int compareNames(String a, String b) {
    return Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
  }

  /** Whether nodes and workloads together are in the range of amounts. */
  public static boolean inRange(Collection<Node> nodes, List<Workload> workloads) {
    World world = new World(Fault.NONE, List.of(), List.of(), List.copyOf(nodes), Optional.empty());
    try {
      Range.check(world, workloads);
      return true;
    } catch (InvalidInputException outOfRange) {
      return false;
    }
  }
}
