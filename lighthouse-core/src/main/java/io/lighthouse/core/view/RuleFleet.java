package io.lighthouse.core.view;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A fleet as a rule sees it: only what the rule has declared to read. Reading more is its failure.
 */
final class RuleFleet implements Fleet {
  private final FleetView fleet;
  private final Set<Reads> reads;

  /** By slot, the node as the rule sees it: one object for each, so that it can compare them. */
  private Node[] nodes = {};

  /** Notes what the rule must not do, and makes what is thrown for it. */
  private final Function<String, IllegalStateException> fault;

  RuleFleet(FleetView fleet, Set<Reads> reads, Function<String, IllegalStateException> fault) {
    this.fleet = fleet;
    this.reads = reads;
    this.fault = fault;
  }

  /** The node of a slot. */
  FleetNode at(int slot) {
    return of(fleet.at(slot));
  }

  private FleetNode of(NodeView node) {
    int slot = node.slot();
    if (slot >= nodes.length) {
      nodes = Arrays.copyOf(nodes, slot + 1 + nodes.length / 2);
    }
    if (nodes[slot] == null || nodes[slot].node != node) {
      nodes[slot] = new Node(node);
    }
    return nodes[slot];
  }

  private void check(Reads wanted) {
    if (!reads.contains(wanted) && !reads.contains(Reads.FLEET)) {
      throw fault.apply("it reads " + wanted + ", which it has not declared");
    }
  }

  @Override
  public int size() {
    check(Reads.FLEET);
    return fleet.size();
  }

  @Override
  public FleetNode node(int index) {
    check(Reads.FLEET);
    return of(fleet.node(index));
  }

  @Override
  public int lastPlaced() {
    throw fault.apply("a rule does not read the round-robin position");
  }

  @Override
  public Optional<Rubric> rubric() {
    throw fault.apply("a rule does not read the rubric");
  }

  @Override
  public NodeOrder orderBy(Rubric rubric) {
    throw fault.apply("a rule keeps no order");
  }

  @Override
  public List<FleetDomain> domains(String level) {
    check(Reads.FLEET);
    return fleet.domains(level).stream().map(domain -> (FleetDomain) new Domain(domain)).toList();
  }

  private final class Node implements FleetNode {
    private final FleetNode node;

    Node(FleetNode node) {
      this.node = node;
    }

    @Override
    public String name() {
      return node.name();
    }

    @Override
    public int index() {
      check(Reads.FLEET);
      return node.index();
    }

    @Override
    public Optional<Quantity> left(String resource) {
      check(Reads.ACCOUNTS);
      return node.left(resource);
    }

    @Override
    public Optional<Quantity> capacity(String resource) {
      return node.capacity(resource);
    }

    @Override
    public Resources left() {
      check(Reads.ACCOUNTS);
      return node.left();
    }

    @Override
    public Resources capacity() {
      return node.capacity();
    }

    @Override
    public int placedCount() {
      check(Reads.PLACED);
      return node.placedCount();
    }

    @Override
    public List<Workload> workloads() {
      check(Reads.PLACED);
      return node.workloads();
    }

    @Override
    public Optional<FleetDomain> domain(String level) {
      return node.domain(level).map(Domain::new);
    }

    @Override
    public String toString() {
      return node.toString();
    }
  }

  private final class Domain implements FleetDomain {
    private final FleetDomain domain;

    Domain(FleetDomain domain) {
      this.domain = domain;
    }

    @Override
    public String level() {
      return domain.level();
    }

    @Override
    public String name() {
      return domain.name();
    }

    @Override
    public Resources left() {
      check(Reads.DOMAIN_ACCOUNTS);
      return domain.left();
    }

    @Override
    public Resources capacity() {
      return domain.capacity();
    }

    @Override
    public List<FleetNode> nodes() {
      check(Reads.DOMAIN_PLACED);
      return domain.nodes().stream().map(node -> of((NodeView) node)).toList();
    }

    @Override
    public int members(String group) {
      check(Reads.DOMAIN_PLACED);
      return domain.members(group);
    }

    @Override
    public boolean equals(Object object) {
      return object instanceof Domain other && domain.equals(other.domain);
    }

    @Override
    public int hashCode() {
      return domain.hashCode();
    }

    @Override
    public String toString() {
      return domain.toString();
    }
  }
}
