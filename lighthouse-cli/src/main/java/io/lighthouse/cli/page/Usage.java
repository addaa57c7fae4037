package io.lighthouse.cli.page;

import io.lighthouse.api.Names;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.Plural;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.picture.FleetText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How much of one resource the whole fleet has, and how much of that is taken. */
public final class Usage {
  private static final int CELLS = 30;

  private final String name;

  /** Of the nodes where the capacity is finite and above 0. */
  private BigDecimal capacity = BigDecimal.ZERO;

  private BigDecimal left = BigDecimal.ZERO;

  /** On how many nodes it is something else than a supply. */
  private int tags;

  private int shortcomings;
  private int wards;
  private int unlimited;

  private Usage(String name) {
    this.name = name;
  }

  /** Every resource of a fleet, in the order of names. */
  public static Collection<Usage> of(List<NodeState> nodes) {
    Map<String, Usage> usages = new TreeMap<>(Names.order());
    for (NodeState node : nodes) {
      Resources capacities = node.capacity();
      for (int i = 0; i < capacities.size(); i++) {
        String name = capacities.name(i);
        usages
            .computeIfAbsent(name, Usage::new)
            .add(capacities.quantity(i), node.left().quantity(i));
      }
    }
    return usages.values();
  }

  private void add(Quantity has, Quantity leaves) {
    if (has.isInfinite()) {
      wards += has.signum() < 0 ? 1 : 0;
      unlimited += has.signum() > 0 ? 1 : 0;
    } else if (has.signum() > 0) {
      capacity = capacity.add(has.toBigDecimal());
      left = left.add(leaves.toBigDecimal());
    } else {
      tags += has.signum() == 0 ? 1 : 0;
      shortcomings += has.signum() < 0 ? 1 : 0;
    }
  }

  public String name() {
    return name;
  }

  /** Whether there is anything to be used up. */
  public boolean isSupply() {
    return capacity.signum() > 0;
  }

  /** What it is beside a supply, such as {@code spiders: ward on 2 nodes}; empty if nothing. */
  public List<String> others() {
    List<String> others = new ArrayList<>();
    add(others, tags, "tag");
    add(others, shortcomings, "shortcoming");
    add(others, wards, "ward");
    add(others, unlimited, "unlimited");
    return others;
  }

  private void add(List<String> others, int nodes, String kind) {
    if (nodes > 0) {
      others.add(name + " (" + kind + " on " + Plural.of(nodes, "node") + ")");
    }
  }

  /** A bar, the share in percent, and the figures. */
  public String bar(TerminalPage page) {
    BigDecimal used = capacity.subtract(left);
    // Full only where it is, empty only where it is.
    int cells =
        used.multiply(BigDecimal.valueOf(CELLS))
            .divide(capacity, 0, RoundingMode.HALF_UP)
            .min(BigDecimal.valueOf(left.signum() > 0 ? CELLS - 1 : CELLS))
            .max(BigDecimal.valueOf(used.signum() > 0 ? 1 : 0))
            .intValueExact();
    BigDecimal percent = FleetText.percent(used, capacity, 1);
    String full = page.blocks() ? "\u2588" : "#";
    String empty = page.blocks() ? "\u2591" : ".";
    return page.styled(left.signum() < 0 ? Style.RED : Style.CYAN, full.repeat(cells))
        + page.styled(Style.DIM, empty.repeat(CELLS - cells))
        + " ".repeat(Math.max(1, 7 - percent.toPlainString().length()))
        + percent.toPlainString()
        + " %   "
        + FleetText.brief(used)
        + " of "
        + FleetText.brief(capacity);
  }
}
