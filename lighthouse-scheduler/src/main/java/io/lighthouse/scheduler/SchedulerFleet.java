package io.lighthouse.scheduler;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.RunningExecution;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes of the cluster as a placement strategy sees them: what is left is what remains of the
 * offered resources, what an empty node has is its watermark. A node keeps its object from pass to
 * pass as long as it is known.
 */
final class SchedulerFleet implements Fleet {
  private final Optional<Rubric> rubric;

  /** By place, which is the order of their names. */
  private List<View> views = List.of();

  /** By name. */
  private Map<String, View> byName = new HashMap<>();

  /** The name of the node that took the last placed workload; empty before the first. */
  private String lastPlaced = "";

  /** The same at the beginning of the pass. */
  private String lastPlacedBefore = "";

  /** What the execution asks for whose turn it is. */
  private Resources request = Resources.none();

  /** Null until asked for in this turn. */
  private ScaledAmounts amounts;

  SchedulerFleet(Optional<Rubric> rubric) {
    this.rubric = rubric;
  }

  /** The nodes of a new pass, in the order of their names. */
  void begin(List<SchedulingNode> nodes) {
    Map<String, View> known = byName;
    byName = new HashMap<>();
    List<View> next = new ArrayList<>();
    for (SchedulingNode node : nodes) {
      View view = known.getOrDefault(node.name(), new View(node.name()));
      view.node = node;
      view.index = next.size();
      next.add(view);
      byName.put(node.name(), view);
    }
    views = next;
    lastPlacedBefore = lastPlaced;
  }

  /** It is the turn of an execution that asks for this. */
  void turnTo(Resources wanted) {
    request = wanted;
    amounts = null;
  }

  void placed(String node) {
    lastPlaced = node;
  }

  void rollBack() {
    lastPlaced = lastPlacedBefore;
  }

  boolean keeps(NodeOrder order) {
    return order instanceof Order own && own.fleet() == this;
  }

  View view(String name) {
    return byName.get(name);
  }

  @Override
  public int size() {
    return views.size();
  }

  @Override
  public FleetNode node(int index) {
    return views.get(index);
  }

  /** The position on a node that is gone passes to the one before it. */
  @Override
  public int lastPlaced() {
    if (lastPlaced.isEmpty()) {
      return -1;
    }
    View view = byName.get(lastPlaced);
    if (view != null) {
      return view.index;
    }
    int before = -1;
    while (before + 1 < views.size() && Names.compare(views.get(before + 1).name, lastPlaced) < 0) {
      before++;
    }
    return before;
  }

  @Override
  public Optional<Rubric> rubric() {
    return rubric;
  }

  /** Of this turn: what an execution takes from a node is accounted after it. */
  @Override
  public ScaledAmounts amounts() {
    if (amounts == null) {
      amounts = new ScaledAmounts(views, request);
    }
    return amounts;
  }

  @Override
  public NodeOrder orderBy(Rubric weights) {
    return new Order(this, weights, new HashMap<>(), 1);
  }

  /** A node. */
  static final class View implements FleetNode {
    private final String name;
    private SchedulingNode node;
    private int index;

    View(String name) {
      this.name = name;
    }

    SchedulingNode node() {
      return node;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int index() {
      return index;
    }

    @Override
    public Optional<Quantity> left(String resource) {
      return node.remaining().get(resource);
    }

    @Override
    public Optional<Quantity> capacity(String resource) {
      return node.capacity().watermark().get(resource);
    }

    @Override
    public Resources left() {
      return node.remaining();
    }

    @Override
    public Resources capacity() {
      return node.capacity().watermark();
    }

    @Override
    public int placedCount() {
      return node.present().size() + node.newExecutions().size();
    }

    @Override
    public List<Workload> workloads() {
      List<Workload> workloads = new ArrayList<>();
      for (RunningExecution execution : node.present()) {
        workloads.add(Workload.of(execution.id(), execution.origin().request()));
      }
      for (Placement placement : node.newExecutions()) {
        workloads.add(Workload.of(placement.execution().id(), placement.execution().request()));
      }
      return workloads;
    }
  }

  /**
   * By exact score of what is left; the score of a node is computed again when that has changed.
   */
  private record Order(SchedulerFleet fleet, Rubric weights, Map<FleetNode, Scored> kept, int sign)
      implements NodeOrder {

    /** A score, and what it is the score of. */
    private record Scored(Resources left, BigDecimal score) {}

    @Override
    public NodeOrder descending() {
      return new Order(fleet, weights, kept, -sign);
    }

    @Override
    public int compare(FleetNode a, FleetNode b) {
      int byScore = score(a).compareTo(score(b));
      return byScore != 0 ? sign * byScore : Names.compare(a.name(), b.name());
    }

    private BigDecimal score(FleetNode node) {
      Resources left = node.left();
      Scored scored = kept.get(node);
      if (scored == null || scored.left() != left) {
        scored = new Scored(left, scoreOf(left));
        kept.put(node, scored);
      }
      return scored.score();
    }

    private BigDecimal scoreOf(Resources left) {
      Resources weight = weights.weights();
      BigDecimal sum = BigDecimal.ZERO;
      for (int i = 0; i < weight.size(); i++) {
        Quantity quantity = left.get(weight.name(i)).orElse(Quantity.ZERO);
        sum = sum.add(weight.quantity(i).toBigDecimal().multiply(quantity.toBigDecimal()));
      }
      return sum;
    }
  }
}
