package io.lighthouse.picture;

import io.lighthouse.api.DomainState;
import io.lighthouse.api.Names;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A node of a picture. A resource is a supply where its capacity is finite and above 0. The node is
 * hot where nine tenths or more of a supply are used. Where that is a supply that most workloads
 * require, what is left of the others is stranded on the node.
 *
 * @param state the node
 * @param cordoned whether it takes no new workload, because it or a domain that it is in is
 *     cordoned
 * @param supplies its supplies, in the order of names
 * @param hot the supplies of which nine tenths are used
 * @param strands whether what is left of its other supplies is stranded
 */
record PicturedNode(
    NodeState state, boolean cordoned, List<Supply> supplies, Set<String> hot, boolean strands) {
  private static final BigDecimal NINE = BigDecimal.valueOf(9);

  /**
   * The capacity and the used amount of a resource on a node; the used amount is negative where
   * workloads give more than they take.
   */
  record Supply(String resource, BigDecimal capacity, BigDecimal used) {
    BigDecimal left() {
      return capacity.subtract(used);
    }

    boolean isHot() {
      return used.movePointRight(1).compareTo(capacity.multiply(NINE)) >= 0;
    }
  }

  /**
   * A node of a fleet where most workloads require these resources.
   *
   * @param declared the declared domains by level and name
   */
  static PicturedNode of(
      NodeState state, Map<Map.Entry<String, String>, DomainState> declared, Set<String> common) {
    Map.Entry<String, String> fleet = Map.entry(Rule.FLEET, Rule.FLEET);
    boolean within =
        Stream.concat(Stream.of(fleet), state.domains().entrySet().stream())
            .map(declared::get)
            .anyMatch(domain -> domain != null && domain.cordoned());
    boolean cordoned = state.cordoned() || within;
    List<Supply> supplies = new ArrayList<>();
    Set<String> hot = new LinkedHashSet<>();
    for (int i = 0; i < state.capacity().size(); i++) {
      Quantity has = state.capacity().quantity(i);
      if (has.isInfinite() || has.signum() <= 0) {
        continue;
      }
      BigDecimal capacity = has.toBigDecimal();
      BigDecimal left = state.left().quantity(i).toBigDecimal();
      Supply supply = new Supply(state.capacity().name(i), capacity, capacity.subtract(left));
      supplies.add(supply);
      if (supply.isHot()) {
        hot.add(supply.resource());
      }
    }
    boolean strands = !cordoned && hot.stream().anyMatch(common::contains);
    return new PicturedNode(state, cordoned, supplies, hot, strands);
  }

  String name() {
    return state.name();
  }

  /** The stranded amount of a supply. */
  BigDecimal stranded(Supply supply) {
    return strands && !hot.contains(supply.resource())
        ? supply.left().max(BigDecimal.ZERO)
        : BigDecimal.ZERO;
  }

  /** Whether there is any capacity that is stranded. */
  boolean hasStranded() {
    return supplies.stream().anyMatch(supply -> stranded(supply).signum() > 0);
  }

  /** The rest of a supply that takes no new workload; 0 or more. */
  BigDecimal closed(Supply supply) {
    return cordoned ? supply.left().max(BigDecimal.ZERO) : BigDecimal.ZERO;
  }

  /**
   * The largest used share of one of its supplies, in parts of {@code of}; from 0 to {@code of}.
   */
  BigDecimal fullest(int of) {
    BigDecimal fullest = BigDecimal.ZERO;
    for (Supply supply : supplies) {
      fullest = fullest.max(SvgText.part(supply.used(), supply.capacity(), of));
    }
    return fullest.min(BigDecimal.valueOf(of));
  }

  /** Its properties beside supplies, such as {@code ward dmz}, and whether it is cordoned. */
  List<String> marks() {
    List<String> marks = new ArrayList<>();
    if (cordoned) {
      marks.add(state.cordoned() ? "cordoned" : "cordoned with its domain or the fleet");
    }
    for (int i = 0; i < state.capacity().size(); i++) {
      Quantity has = state.capacity().quantity(i);
      String name = state.capacity().name(i);
      if (has.isInfinite()) {
        marks.add((has.signum() < 0 ? "ward " : "unlimited ") + name);
      } else if (has.signum() == 0) {
        marks.add("tag " + name);
      } else if (has.signum() < 0) {
        Quantity left = state.left().quantity(i);
        marks.add("shortcoming " + name + " " + has + " (" + left + " left)");
      }
    }
    return marks;
  }

  /** The key of its kind: its capacities. */
  String kind() {
    return state.capacity().isEmpty()
        ? "without resources"
        : String.join(", ", FleetText.quantities(state.capacity()));
  }

  /** The domains that it is in, except that of one level. */
  List<String> domainsBut(String level) {
    return state.domains().entrySet().stream()
        .filter(at -> !at.getKey().equals(level))
        .sorted(Map.Entry.comparingByKey(Names.order()))
        .map(at -> FleetText.nameOf(at.getKey(), at.getValue()))
        .toList();
  }

  /** How much a workload requires of a resource; 0 where it is not named. */
  static BigDecimal required(Workload workload, String resource) {
    return workload.requirements().get(resource).orElse(Quantity.ZERO).toBigDecimal();
  }
}
