package io.lighthouse.tests.answers;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Offer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every list of offered nodes and every placement, of finite quantities of 0 or more and workloads
 * without immunities and terms. Plain maps of decimals; nothing of the engine.
 */
final class EverySizing {
  private final List<Workload> batch;
  private final List<Offer> offers;
  private final List<Map<String, BigDecimal>> there = new ArrayList<>();
  private BigDecimal best;

  private EverySizing(List<Node> nodes, List<Workload> batch, List<Offer> offers) {
    this.batch = batch;
    this.offers = offers;
    nodes.stream().filter(node -> !node.cordoned()).forEach(one -> there.add(map(one.resources())));
  }

  /** The lowest price at which all have a node; null where none does. */
  static BigDecimal lowest(List<Node> nodes, List<Workload> batch, List<Offer> offers) {
    EverySizing every = new EverySizing(nodes, batch, offers);
    every.choose(0, BigDecimal.ZERO, new ArrayList<>(every.there));
    return every.best;
  }

  static Map<String, BigDecimal> map(Resources resources) {
    Map<String, BigDecimal> map = new HashMap<>();
    resources.names().forEach(n -> map.put(n, resources.get(n).orElseThrow().toBigDecimal()));
    return map;
  }

  private void choose(int kind, BigDecimal price, List<Map<String, BigDecimal>> nodes) {
    if (best != null && price.compareTo(best) >= 0) {
      return;
    }
    if (kind == offers.size()) {
      List<Map<String, BigDecimal>> left = new ArrayList<>();
      nodes.forEach(node -> left.add(new HashMap<>(node)));
      if (places(0, left)) {
        best = price;
      }
      return;
    }
    Offer offer = offers.get(kind);
    int most = Math.min(offer.limit(), batch.size());
    List<Map<String, BigDecimal>> more = new ArrayList<>(nodes);
    BigDecimal all = price;
    for (int count = 0; count <= most; count++) {
      choose(kind + 1, all, more);
      more.add(map(offer.like().resources()));
      all = all.add(offer.price().toBigDecimal());
    }
  }

  private boolean places(int index, List<Map<String, BigDecimal>> left) {
    if (index == batch.size()) {
      return true;
    }
    Map<String, BigDecimal> needs = map(batch.get(index).requirements());
    for (Map<String, BigDecimal> node : left) {
      if (take(node, needs, -1)) {
        if (places(index + 1, left)) {
          return true;
        }
        take(node, needs, 1);
      }
    }
    return false;
  }

  /** Takes where all of it is there, or gives back. */
  static boolean take(Map<String, BigDecimal> node, Map<String, BigDecimal> needs, int sign) {
    for (Map.Entry<String, BigDecimal> need : needs.entrySet()) {
      BigDecimal has = node.get(need.getKey());
      if (has == null || sign < 0 && has.compareTo(need.getValue()) < 0) {
        return false;
      }
    }
    needs.forEach(
        (name, need) -> node.merge(name, sign < 0 ? need.negate() : need, BigDecimal::add));
    return true;
  }
}
