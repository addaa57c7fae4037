package io.lighthouse.tests.answers;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.advice.WhatIf;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What if, played by hand on two copies of a fleet, for good. Null where something does not go. */
final class ByHand {
  private final Distributor now;
  private final Distributor then;
  private final List<Workload> homeless = new ArrayList<>();
  private List<Workload> queue;

  private ByHand(Distributor fleet, List<Workload> batch, WhatIf.Placing placing) {
    now = fleet.copy();
    now.assign(batch);
    then = placing == WhatIf.Placing.AFRESH ? fleet.copy() : now.copy();
    queue =
        batch.stream()
            .filter(one -> then.snapshot().nodeOf(one.name()).isEmpty())
            .collect(Collectors.toCollection(ArrayList::new));
  }

  /** The fates as texts, sorted; and the figures. Null where something does not go. */
  static List<String> answer(
      Distributor fleet, List<Workload> batch, List<Supposition> steps, WhatIf.Placing placing) {
    ByHand hand = new ByHand(fleet, batch, placing);
    try {
      steps.forEach(hand::play);
    } catch (InvalidInputException | NullPointerException wrong) {
      return null;
    }
    List<Workload> all = new ArrayList<>(hand.homeless);
    all.addAll(hand.queue);
    hand.then.assign(all);
    Map<String, String> before = where(hand.now, batch);
    Map<String, String> after = where(hand.then, all);
    List<String> lines = new ArrayList<>();
    lines.add(figures(hand.now, before));
    lines.add(figures(hand.then, after));
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      String from = before.getOrDefault(name, "absent");
      String to = after.getOrDefault(name, "absent");
      if (!from.equals(to)) {
        lines.add(name + ": " + from + " -> " + to);
      }
    }
    return lines;
  }

  /** The same of an answer. */
  static List<String> lines(WhatIf answer) {
    List<String> lines = new ArrayList<>();
    for (WhatIf.Figures figures : List.of(answer.now(), answer.then())) {
      lines.add(
          List.of(figures.nodes(), figures.nodesInUse(), figures.placed(), figures.refused())
              .toString());
    }
    answer.fates().stream()
        .sorted(Comparator.comparing(WhatIf.Fate::workload))
        .forEach(fate -> lines.add(fate.workload() + ": " + from(fate) + " -> " + to(fate)));
    return lines;
  }

  private static String from(WhatIf.Fate fate) {
    boolean absent = fate.kind() == WhatIf.Kind.NEW;
    return absent ? "absent" : fate.now().map(node -> "on " + node).orElse("waiting");
  }

  private static String to(WhatIf.Fate fate) {
    boolean absent = fate.kind() == WhatIf.Kind.GONE;
    return absent ? "absent" : fate.then().map(node -> "on " + node).orElse("waiting");
  }

  private static String figures(Distributor fleet, Map<String, String> where) {
    List<NodeState> nodes = fleet.snapshot().nodes();
    long used = nodes.stream().filter(node -> !node.workloads().isEmpty()).count();
    long waiting = where.values().stream().filter("waiting"::equals).count();
    return List.of((long) nodes.size(), used, where.size() - waiting, waiting).toString();
  }

  private static Map<String, String> where(Distributor fleet, List<Workload> wanting) {
    Map<String, String> where = new HashMap<>();
    wanting.forEach(one -> where.put(one.name(), "waiting"));
    fleet
        .snapshot()
        .nodes()
        .forEach(
            node -> node.workloads().forEach(one -> where.put(one.name(), "on " + node.name())));
    return where;
  }

  private void play(Supposition step) {
    step.match(new Player());
  }

  /** What each kind of supposition does by hand. */
  private final class Player implements Supposition.Cases<Void> {
    @Override
    public Void apply(Supposition.Apply apply) {
      then.apply(apply.change());
      return null;
    }

    @Override
    public Void addNodes(Supposition.AddNodes add) {
      int added = 0;
      for (int i = 1; added < add.count(); i++) {
        String name = add.like().name() + "-" + i;
        if (then.snapshot().nodes().stream().noneMatch(node -> node.name().equals(name))) {
          then.addNode(Node.of(name, add.like().resources()));
          added++;
        }
      }
      return null;
    }

    @Override
    public Void removeNode(Supposition.RemoveNode remove) {
      List<Workload> held = then.node(remove.node()).workloads();
      held.forEach(one -> then.release(one.name()));
      homeless.addAll(held);
      then.removeNode(remove.node());
      return null;
    }

    @Override
    public Void resize(Supposition.Resize resize) {
      Resources has = then.node(resize.node()).capacity();
      Map<String, Quantity> map = new HashMap<>();
      has.names().forEach(name -> map.put(name, has.get(name).orElseThrow()));
      resize.amounts().names().forEach(n -> map.put(n, resize.amounts().get(n).orElseThrow()));
      then.resize(resize.node(), Resources.of(map));
      return null;
    }

    @Override
    public Void release(Supposition.Release release) {
      drop(release.workload());
      return null;
    }

    @Override
    public Void move(Supposition.Move move) {
      Optional<String> from = then.snapshot().nodeOf(move.workload());
      then.apply(new Change.Move(move.workload(), from.orElse(null), move.to()));
      return null;
    }

    @Override
    public Void scale(Supposition.Scale scale) {
      ByHand.this.scale(scale);
      return null;
    }
  }

  private void drop(String name) {
    boolean waited = queue.removeIf(one -> one.name().equals(name));
    if (!waited && !homeless.removeIf(one -> one.name().equals(name))) {
      then.release(name);
    }
  }

  private void scale(Supposition.Scale scale) {
    List<Workload> all = new ArrayList<>(homeless);
    all.addAll(queue);
    then.snapshot().nodes().forEach(node -> all.addAll(node.workloads()));
    all.removeIf(one -> !one.name().matches(scale.workload() + "-[1-9][0-9]*"));
    all.sort(Comparator.comparing(one -> number(one)));
    if (all.isEmpty()) {
      throw new InvalidInputException("none", "none", "none", "some");
    }
    for (int i = all.size() - 1; i >= scale.replicas(); i--) {
      drop(all.get(i).name());
    }
    Set<Integer> numbers = all.stream().map(ByHand::number).collect(Collectors.toSet());
    int more = scale.replicas() - all.size();
    for (int i = 1; more > 0; i++) {
      if (!numbers.contains(i)) {
        queue.add(all.get(0).named(scale.workload() + "-" + i));
        more--;
      }
    }
  }

  private static int number(Workload one) {
    return Integer.parseInt(one.name().substring(one.name().lastIndexOf('-') + 1));
  }
}
