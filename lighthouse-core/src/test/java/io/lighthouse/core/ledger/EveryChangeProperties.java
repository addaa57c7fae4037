package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.Requirements;
import io.lighthouse.core.demand.Batch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Changes of every kind, of nodes, domains, groups and placements, in any order. The scales grow
 * and shrink on the way, and batches are opened, closed and left open. A roll back to any savepoint
 * finds the state of that moment, and what was refused has changed nothing.
 */
class EveryChangeProperties {
  private static final String[] LEVELS = {"rack", "zone", Rule.FLEET};
  private static final String[] GROUPS = {"g0", "g1", "g2"};

  /**
   * Coarse, fine, at the ends: a resource is rescaled whenever another kind of these comes first.
   */
  private static final String[] AMOUNTS = {
    "0", "1", "3", "7", "0.5", "0.001", "2.125", "0.000000001", "-1", "-0.25", "4000000000000000000"
  };

  private Demand demand;
  private SplittableRandom random;
  private Ledger ledger;
  private Batch open;
  private int made;

  private String any(String... of) {
    return of[random.nextInt(of.length)];
  }

  private Resources resources(String... names) {
    List<String> of = new ArrayList<>(List.of(names));
    of.removeIf(name -> random.nextInt(3) == 0);
    Quantity[] quantities = new Quantity[of.size()];
    for (int i = 0; i < quantities.length; i++) {
      quantities[i] =
          random.nextInt(12) == 0
              ? Quantity.of(any("inf", "-inf"))
              : Quantity.of(any(AMOUNTS[random.nextInt(4)], any(AMOUNTS)));
    }
    return Resources.of(of.toArray(String[]::new), quantities);
  }

  private static Resources finite(Resources of) {
    Quantity[] quantities = new Quantity[of.size()];
    for (int i = 0; i < quantities.length; i++) {
      quantities[i] = of.quantity(i).isInfinite() ? Quantity.ONE : of.quantity(i);
    }
    return Resources.of(of.names().toArray(String[]::new), quantities);
  }

  private Workload workload() {
    Terms terms = Terms.NONE.inGroups(any(GROUPS));
    if (random.nextInt(2) == 0) {
      terms = terms.sharing(any(LEVELS), finite(resources("power", "net")));
    }
    if (random.nextInt(3) == 0) {
      terms = terms.rules(new Rule.Most(2, any(GROUPS), any("rack", "zone", Rule.NODE)));
    }
    return Workload.of("w" + made++, finite(resources("cpu", "mem")))
        .withAversionGroups(any("a", "b"))
        .withTerms(random.nextInt(4) == 0 ? Terms.NONE : terms);
  }

  private Node node() {
    Node node = Node.of("n" + made++, resources("cpu", "mem", "gpu"));
    for (String level : List.of("rack", "zone")) {
      if (random.nextInt(4) > 0) {
        node = node.in(level, level + random.nextInt(3));
      }
    }
    if (random.nextInt(4) == 0 && node.resources().has("cpu")) {
      node = node.withUnits(Map.of("cpu", new Unit(Quantity.ONE, Quantity.of(8), Quantity.ONE)));
    }
    if (random.nextInt(3) == 0) {
      Workload brought = workload();
      if (node.resources().names().containsAll(brought.requirements().names())) {
        node = node.withWorkloads(brought);
      }
    }
    return random.nextInt(4) == 0 ? node.asCordoned() : node;
  }

  private int someNode() {
    return ledger.nodes().slot(random.nextInt(ledger.nodes().nodeCount()));
  }

  private int[] placed() {
    List<Integer> placed = new ArrayList<>();
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      for (int entry : ledger.placements().entries(node)) {
        placed.add(entry);
      }
    }
    return placed.stream().mapToInt(Integer::intValue).toArray();
  }

  /** One change of any kind; one that is refused must have changed nothing. */
  private void change() {
    List<Object> before = state();
    try {
      switch (open != null ? 12 : random.nextInt(13)) {
        case 0 -> ledger.nodeChanges().add(List.of(node()));
        case 1 -> ledger.nodeChanges().add(List.of(node(), node()));
        case 2 -> removeAnEmptyNode();
        case 3 -> ledger.nodeChanges().resize(someNode(), resources("cpu", "mem", "gpu", "new"));
        case 4 -> ledger.nodeChanges().cordon(someNode(), random.nextBoolean());
        case 5, 6 -> declare();
        case 7 -> ledger.domainChanges().undeclare(any("rack", "zone"), domain());
        case 8 ->
            ledger.domainChanges().resize(any(LEVELS), domain(), resources("power", "net", "x"));
        case 9 ->
            ledger.domainChanges().cordon(any("rack", "zone"), domain(), random.nextBoolean());
        case 10 -> regroup();
        case 11 -> release();
        default -> place();
      }
    } catch (InvalidInputException refused) {
      assertThat(state()).isEqualTo(before);
    }
  }

  private String domain() {
    return random.nextInt(6) == 0 ? Rule.FLEET : any("rack", "zone") + random.nextInt(3);
  }

  private void declare() {
    String level = any(LEVELS);
    String name = level.equals(Rule.FLEET) ? Rule.FLEET : level + random.nextInt(3);
    Domain domain = Domain.of(level, name, resources("power", "net"));
    ledger.domainChanges().declare(random.nextInt(4) == 0 ? domain.asCordoned() : domain);
  }

  private void removeAnEmptyNode() {
    int node = someNode();
    if (ledger.nodes().nodeCount() > 1 && ledger.placements().count(node) == 0) {
      ledger.nodeChanges().remove(node);
    }
  }

  private void regroup() {
    int[] placed = placed();
    if (placed.length > 0) {
      ledger.regroup(
          placed[random.nextInt(placed.length)], new HashSet<>(List.of(any(GROUPS), any(GROUPS))));
    }
  }

  private void release() {
    int[] placed = placed();
    if (placed.length > 0) {
      ledger.release(new int[] {placed[random.nextInt(placed.length)]});
    }
  }

  /**
   * Opens a batch, and mostly closes it; also moves workloads. This may take more than there is.
   */
  private void place() {
    if (open == null) {
      List<Workload> workloads = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        workloads.add(workload());
      }
      open = Batch.open(ledger, workloads);
    }
    int[] movable = random.nextBoolean() ? placed() : new int[0];
    for (int i = random.nextInt(6); i >= 0; i--) {
      int index = random.nextInt(open.size() + movable.length);
      boolean isNew = index < open.size();
      int entry = isNew ? open.entry(index) : movable[index - open.size()];
      demand = isNew ? open.demand(index) : ledger.demand(entry);
      if (ledger.placements().nodeOf(entry) >= 0) {
        ledger.remove(entry, demand);
      } else {
        int node = someNode();
        if (demand.areAllIn(ledger.accounts().layout(node)) && shares(node)) {
          ledger.putBack(entry, node, demand);
        }
      }
    }
    if (random.nextInt(3) > 0) {
      open.close();
      open = null;
    }
  }

  /** Whether the domains of a node have what the demand shares of them. */
  private boolean shares(int node) {
    if (demand.sharesUnknownLevel()) {
      return false;
    }
    for (int level = 0; level < ledger.topology().levelCount(); level++) {
      Requirements shared = demand.shared(level);
      int domain = ledger.topology().domainOf(level, node);
      if (shared != null
          && shared.size() > 0
          && (domain == NodeTable.NONE
              || !shared.areAllIn(ledger.topology().level(level).accounts().layout(domain)))) {
        return false;
      }
    }
    return true;
  }

  /** Everything that can be seen of a ledger. */
  private List<Object> state() {
    List<Object> state = new ArrayList<>();
    state.add(new NodeBooks(ledger));
    state.add(ledger.topology().domains());
    state.add(ledger.accounts().units().any());
    for (String group : List.of("a", "b")) {
      NodeSet holders = LedgerExamples.holders(ledger, group);
      for (int i = 0; i < ledger.nodes().nodeCount(); i++) {
        state.add(holders != null && holders.has(ledger.nodes().slot(i)));
      }
    }
    Members members = ledger.members();
    for (String group : List.of("a", "b", "g0", "g1", "g2")) {
      int id = members.find(group);
      for (String name : List.of("rack", "zone", Rule.NODE)) {
        int level = ledger.topology().levelIndex(name);
        if (!members.isCounting() || level == Topology.NO_LEVEL) {
          continue;
        }
        // Counted from now on at the latest; else it could not be compared.
        members.countFor(List.of(new Rule.Most(1, group, name)));
        id = members.find(group);
        for (int i = 0; i < ledger.nodes().nodeCount(); i++) {
          int domain = ledger.topology().domainOf(level, ledger.nodes().slot(i));
          if (domain != NodeTable.NONE) {
            state.add(members.members(id, level, domain));
            state.add(members.bounds().in(id, level, domain));
          }
        }
      }
      state.add(members.total(id));
    }
    return state;
  }

  /** For every node and domain, what is left is the capacity less what is placed there. */
  private void conserves() {
    Ledger anew = ledger.copy();
    for (int i = 0; i < anew.nodes().nodeCount(); i++) {
      for (int entry : anew.placements().entries(anew.nodes().slot(i))) {
        anew.release(new int[] {entry});
      }
    }
    for (int i = 0; i < anew.nodes().nodeCount(); i++) {
      int node = anew.nodes().slot(i);
      assertThat(anew.accounts().lefts(node)).isEqualTo(anew.accounts().capacities(node));
    }
    anew.topology()
        .domains()
        .forEach(domain -> assertThat(domain.left()).isEqualTo(domain.capacity()));
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void areRolledBackToTheStateOfAnySavepoint(@ForAll long seed) {
    random = new SplittableRandom(seed);
    made = 0;
    open = null;
    ledger = new Ledger();
    ledger.members().countFor(List.of(new Rule.Most(1, "g0", Rule.NODE)));
    Node first = Node.of("first", Resources.of("cpu", 7)).in("rack", "rack0").in("zone", "zone0");
    ledger.nodeChanges().add(List.of(first)); // So that both levels are there from the start.
    for (int i = 0; i < 4; i++) {
      try {
        ledger.nodeChanges().add(List.of(node()));
      } catch (InvalidInputException tooLarge) {
        ledger.nodeChanges().add(List.of(Node.of("n" + made++, Resources.of("cpu", 5))));
      }
    }
    ledger.commit();
    for (int call = 0; call < 4; call++) {
      List<Integer> savepoints = new ArrayList<>(List.of(ledger.savepoint()));
      List<List<Object>> states = new ArrayList<>(List.of(state()));
      List<Batch> opened = new ArrayList<>(Collections.singletonList(null));
      for (int step = 0; step < 20; step++) {
        Batch before = open;
        change();
        for (int i = savepoints.size() - 1; before != null && open == null && i >= 0; i--) {
          if (opened.get(i) == before) { // A closed batch is never resumed.
            savepoints.remove(i);
            states.remove(i);
            opened.remove(i);
          }
        }
        if (random.nextInt(3) == 0) {
          savepoints.add(ledger.savepoint());
          states.add(state());
          opened.add(open);
        }
        if (random.nextInt(6) == 0) {
          int to = random.nextInt(savepoints.size());
          ledger.rollBack(savepoints.get(to));
          open = opened.get(to); // One that was opened since then is gone.
          assertThat(state()).isEqualTo(states.get(to));
          savepoints.subList(to + 1, savepoints.size()).clear();
          states.subList(to + 1, states.size()).clear();
          opened.subList(to + 1, opened.size()).clear();
          conserves();
        }
      }
      if (random.nextInt(3) == 0) {
        ledger.rollBack(savepoints.get(0));
        open = null;
        assertThat(state()).isEqualTo(states.get(0));
      }
      if (open != null) {
        open.close();
        open = null;
      }
      List<Object> before = state();
      ledger.commit();
      assertThat(state()).isEqualTo(before);
      conserves();
    }
  }
}
