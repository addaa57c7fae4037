package io.lighthouse.picture;

import io.lighthouse.api.Names;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.Plural;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A panel of a picture: one node, or a group of them together.
 *
 * @param key identifies it among the panels
 * @param title its heading
 * @param notes further facts
 * @param nodes its nodes, in the order of the fleet
 * @param single whether it is one node, whose blocks are its workloads
 * @param bars a bar for each supply, in the order of names
 * @param moreBars how many supplies have no bar
 */
record PicturePanel(
    String key,
    String title,
    List<String> notes,
    List<PicturedNode> nodes,
    boolean single,
    List<Bar> bars,
    int moreBars) {
  private static final int MOST_BARS = 8;
  private static final int MOST_BLOCKS = 24;

  /** The kind of a block of a bar. */
  enum Kind {
    /** A workload, or several small ones. */
    WORKLOAD,
    /** A workload that gives a resource: a requirement below 0, which makes the bar longer. */
    GIVEN,
    /** The used amount on nodes that are not hot. */
    USED,
    /** The used amount on nodes where this resource is hot. */
    HOT
  }

  /**
   * A piece of a bar: its kind and label, its amount, and the number of workloads or nodes in it.
   */
  record Block(Kind kind, String label, BigDecimal amount, int count) {}

  /** A supply: its blocks add up to the used amount; some of the rest is stranded or closed. */
  record Bar(
      String resource,
      BigDecimal capacity,
      BigDecimal used,
      BigDecimal stranded,
      BigDecimal closed,
      boolean hot,
      List<Block> blocks) {

    /** The amount that its whole length stands for. */
    BigDecimal length() {
      BigDecimal taken = BigDecimal.ZERO;
      BigDecimal given = BigDecimal.ZERO;
      for (Block block : blocks) {
        taken = taken.add(block.amount().max(BigDecimal.ZERO));
        given = given.subtract(block.amount().min(BigDecimal.ZERO));
      }
      return capacity.add(given).max(taken);
    }
  }

  /** The panel of one node. */
  static PicturePanel of(PicturedNode node, List<String> notes) {
    List<Bar> bars = new ArrayList<>();
    for (PicturedNode.Supply supply : node.supplies()) {
      bars.add(
          new Bar(
              supply.resource(),
              supply.capacity(),
              supply.used(),
              node.stranded(supply),
              node.closed(supply),
              supply.isHot(),
              blocks(node.state().workloads(), supply.resource())));
    }
    String name = node.name();
    return new PicturePanel(name, name, notes, List.of(node), true, shown(bars), more(bars));
  }

  /** The panel of a group of nodes. */
  static PicturePanel of(String key, String title, List<String> notes, List<PicturedNode> nodes) {
    Map<String, List<PicturedNode.Supply>> byName = new TreeMap<>(Names.order());
    Map<String, BigDecimal[]> left = new TreeMap<>(Names.order());
    for (PicturedNode node : nodes) {
      for (PicturedNode.Supply supply : node.supplies()) {
        byName.computeIfAbsent(supply.resource(), name -> new ArrayList<>()).add(supply);
        BigDecimal[] sums =
            left.computeIfAbsent(
                supply.resource(), name -> new BigDecimal[] {BigDecimal.ZERO, BigDecimal.ZERO});
        sums[0] = sums[0].add(node.stranded(supply));
        sums[1] = sums[1].add(node.closed(supply));
      }
    }
    List<Bar> bars = new ArrayList<>();
    byName.forEach((resource, supplies) -> bars.add(bar(resource, supplies, left.get(resource))));
    return new PicturePanel(key, title, notes, nodes, false, shown(bars), more(bars));
  }

  private static Bar bar(String resource, List<PicturedNode.Supply> supplies, BigDecimal[] left) {
    BigDecimal capacity = BigDecimal.ZERO;
    BigDecimal used = BigDecimal.ZERO;
    BigDecimal[] sums = {BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO};
    int[] counts = new int[sums.length];
    for (PicturedNode.Supply supply : supplies) {
      capacity = capacity.add(supply.capacity());
      used = used.add(supply.used());
      int of = supply.used().signum() < 0 ? 2 : supply.isHot() ? 0 : 1;
      sums[of] = sums[of].add(supply.used());
      counts[of] += supply.used().signum() == 0 ? 0 : 1;
    }
    List<Block> blocks = new ArrayList<>();
    Kind[] kinds = {Kind.HOT, Kind.USED, Kind.GIVEN};
    String[] labels = {"on hot nodes", "on other nodes", "given by workloads"};
    for (int i = 0; i < sums.length; i++) {
      if (counts[i] > 0) {
        blocks.add(new Block(kinds[i], labels[i], sums[i], counts[i]));
      }
    }
    return new Bar(resource, capacity, used, left[0], left[1], counts[0] > 0, blocks);
  }

  /** A block for each workload that requires a resource; the smallest together, where too many. */
  private static List<Block> blocks(List<Workload> workloads, String resource) {
    List<Block> blocks = new ArrayList<>();
    for (Workload workload : workloads) {
      BigDecimal amount = PicturedNode.required(workload, resource);
      if (amount.signum() != 0) {
        Kind kind = amount.signum() > 0 ? Kind.WORKLOAD : Kind.GIVEN;
        blocks.add(new Block(kind, workload.name(), amount, 1));
      }
    }
    if (blocks.size() <= MOST_BLOCKS) {
      return blocks;
    }
    List<Block> largest = new ArrayList<>(blocks);
    largest.sort(Comparator.comparing(block -> block.amount().abs().negate()));
    Set<Block> alone = new HashSet<>(largest.subList(0, MOST_BLOCKS - 2));
    List<Block> shown = new ArrayList<>();
    for (Kind kind : List.of(Kind.WORKLOAD, Kind.GIVEN)) {
      BigDecimal rest = BigDecimal.ZERO;
      int count = 0;
      for (Block block : blocks) {
        if (block.kind() == kind && alone.contains(block)) {
          shown.add(block);
        } else if (block.kind() == kind) {
          rest = rest.add(block.amount());
          count++;
        }
      }
      if (count > 0) {
        shown.add(new Block(kind, Plural.of(count, "workload"), rest, count));
      }
    }
    return shown;
  }

  /** The fullest, in the order of names. */
  private static List<Bar> shown(List<Bar> bars) {
    List<Bar> fullest = new ArrayList<>(bars);
    fullest.sort(Comparator.comparing(bar -> SvgText.part(bar.used(), bar.capacity(), -10_000)));
    List<Bar> shown = new ArrayList<>(fullest.subList(0, Math.min(MOST_BARS, bars.size())));
    shown.sort(Comparator.comparing(Bar::resource, Names.order()));
    return shown;
  }

  private static int more(List<Bar> bars) {
    return Math.max(0, bars.size() - MOST_BARS);
  }
}
