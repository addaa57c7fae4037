package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * A fleet whose nodes change while workloads come and go: {@value #ROUNDS} rounds of a change of
 * one node, then a workload that leaves and comes back. Both are timed separately, by {@code
 * System.nanoTime}, whose cost of about 25 ns is in each figure.
 */
@BenchmarkMode(Mode.SingleShotTime)
public class NodeChangeBenchmark extends ProblemState {
  /** Rounds of an operation. */
  public static final int ROUNDS = 1_000;

  /** The kind of a node's change. */
  public enum Change {
    /** None, for comparison. */
    NONE("nothing"),
    /** A node gets a little more, or a little less. */
    RESIZE("a node is resized"),
    /** An empty node is removed and another one added; counts as two changes. */
    REPLACE("a node is removed, another added");

    private final String label;

    Change(String label) {
      this.label = label;
    }

    @Override
    public String toString() {
      return label;
    }
  }

  /** The kind of change between two placements. */
  @Param("NONE")
  public Change change;

  private Distributor distributor;
  private List<Workload> placed;
  private List<NodeState> states;

  /** The sizes to which each node is resized. */
  private List<Resources> larger;

  private int next;
  private int added;

  /** Fills the fleet. */
  @Setup(Level.Trial)
  public void fill() {
    BenchmarkProblem problem = generate();
    distributor = strategy.distributor(problem);
    placed = fill(distributor, problem, true);
    Collections.shuffle(placed, new Random(1));
    states = new ArrayList<>(distributor.snapshot().nodes());
    Collections.shuffle(states, new Random(2));
    larger = new ArrayList<>();
    for (NodeState state : states) {
      Resources has = state.capacity();
      String name = has.name(0);
      larger.add(has.with(name, has.get(name).orElseThrow().plus(Quantity.ONE)));
    }
    distributor.addNode(spare());
  }

  private Node spare() {
    return Node.of("spare-" + added, Resources.of("cpu", 1, "mem", 1));
  }

  /** Returns how many workloads found a node again. */
  @Benchmark
  public int changeAndPlace() {
    long changing = 0;
    long placing = 0;
    int again = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long began = System.nanoTime();
      change();
      long changed = System.nanoTime();
      int at = next % placed.size();
      Workload workload = placed.get(at);
      distributor.release(workload.name());
      boolean found = distributor.assign(workload).allPlaced();
      long done = System.nanoTime();
      changing += changed - began;
      placing += done - changed;
      if (found) {
        again++;
      } else {
        placed.remove(at); // The node that had room for it is smaller now.
      }
      next++;
    }
    Outcome.add("changing", (double) changing / ROUNDS / (change == Change.REPLACE ? 2 : 1));
    Outcome.add("placing", (double) placing / ROUNDS);
    return again;
  }

  private void change() {
    if (change == Change.RESIZE) {
      int at = next % states.size();
      boolean more = next / states.size() % 2 == 0;
      distributor.resize(states.get(at).name(), more ? larger.get(at) : states.get(at).capacity());
    } else if (change == Change.REPLACE) {
      distributor.removeNode("spare-" + added++);
      distributor.addNode(spare());
    }
  }
}
