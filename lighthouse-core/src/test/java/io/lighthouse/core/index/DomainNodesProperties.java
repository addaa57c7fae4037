package io.lighthouse.core.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.ledger.Clock;
import io.lighthouse.core.ledger.Ledger;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * The nodes of domains are those that are in them, whatever was queried before and however the
 * fleet has changed since. Postings or rows that are kept too long are detected.
 */
class DomainNodesProperties {
  @Property(tries = 50, shrinking = ShrinkingMode.OFF)
  void theNodesOfDomainsAreThoseThatStandThere(@ForAll long seed) {
    live(new SplittableRandom(seed), domainNodes -> {});
  }

  @Example
  void postingsThatDoNotHearOfAChangedFleetAreFoundOut() {
    assertThatThrownBy(
            () ->
                live(
                    new SplittableRandom(1),
                    domainNodes -> {
                      if (((int[][]) get(domainNodes, "nodes")).length > 0) {
                        ((Clock.Stamp) get(domainNodes, "made")).renew();
                      }
                    }))
        .isInstanceOfAny(AssertionError.class, IndexOutOfBoundsException.class);
  }

  /** A query that reaches a taken slot of the rows must detect that it is another's. */
  @Example
  void aRowThatIsTakenForAnothersIsFoundOut() {
    assertThatThrownBy(
            () ->
                live(
                    new SplittableRandom(1),
                    domainNodes -> {
                      BitRow[][] rows = (BitRow[][]) get(domainNodes, "rows");
                      for (BitRow[] of : rows) {
                        for (int i = 1; i < of.length; i++) {
                          if (of[i] != null && of[0] != null) {
                            of[i] = of[0];
                          }
                        }
                      }
                    }))
        .isInstanceOf(AssertionError.class);
  }

  private static void live(SplittableRandom random, Consumer<DomainNodes> fault) {
    Ledger ledger = new Ledger();
    DomainNodes domainNodes = new DomainNodes(ledger);
    int domains = 1 + random.nextInt(random.nextBoolean() ? 8 : 2 * DomainNodes.MOST_IN_A_SET);
    List<String> alive = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      if (alive.isEmpty() || random.nextInt(4) == 0) {
        come(ledger, random, domains, alive, step);
      } else if (random.nextInt(4) == 0) {
        String gone = alive.remove(random.nextInt(alive.size()));
        ledger.nodeChanges().remove(ledger.nodes().node(gone));
      }
      if (random.nextBoolean()) {
        ledger.commit();
      }
      fault.accept(domainNodes);
      for (int question = 0; question < 4; question++) {
        ask(ledger, domainNodes, random);
      }
    }
  }

  private static void come(
      Ledger ledger, SplittableRandom random, int domains, List<String> alive, int step) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(40); i++) {
      Node node = Node.of("n" + step + "-" + i, Resources.of("cpu", 1));
      nodes.add(
          random.nextInt(5) == 0
              ? node
              : node.in("rack", "r" + random.nextInt(domains)).in("zone", "z" + i % 3));
      alive.add(node.name());
    }
    ledger.nodeChanges().add(nodes);
  }

  private static void ask(Ledger ledger, DomainNodes domainNodes, SplittableRandom random) {
    int level = random.nextInt(ledger.topology().levelCount());
    int domains = ledger.topology().level(level).domains().slotCount();
    if (domains == 0) {
      return;
    }
    if (domains <= DomainNodes.MOST_IN_A_SET) {
      long set = random.nextLong() & -1L >>> Long.SIZE - domains;
      Domains wanted = domain -> (set >>> domain & 1) != 0;
      TreeSet<Integer> inside = standingIn(ledger, level, wanted);
      assertThat(nodes(domainNodes.ofSet(level, set, false))).isEqualTo(inside);
      TreeSet<Integer> withOutside = aliveNodes(ledger);
      withOutside.removeAll(standingIn(ledger, level, domain -> !wanted.have(domain)));
      assertThat(nodes(domainNodes.ofSet(level, set, true))).isEqualTo(withOutside);
    }
    int one = random.nextInt(domains);
    TreeSet<Integer> there = standingIn(ledger, level, domain -> domain == one);
    assertThat(domainNodes.count(level, one)).isEqualTo(there.size());
    assertThat(domainNodes.nodes(level, one))
        .containsExactly(there.stream().mapToInt(Integer::intValue).toArray());
    if (domains > DomainNodes.MOST_IN_A_SET) {
      assertThat(nodes(domainNodes.ofOne(level, one))).isEqualTo(there);
    }
    BitRow row = new BitRow((ledger.nodes().slotCount() + 63) >> 6);
    domainNodes.set(row, level, one, true);
    assertThat(nodes(row)).isEqualTo(there);
    row.copy(domainNodes.all());
    domainNodes.set(row, level, one, false);
    TreeSet<Integer> others = aliveNodes(ledger);
    others.removeAll(there);
    assertThat(nodes(row)).isEqualTo(others);
  }

  private interface Domains {
    boolean have(int domain);
  }

  private static TreeSet<Integer> aliveNodes(Ledger ledger) {
    TreeSet<Integer> nodes = new TreeSet<>();
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      if (ledger.nodes().alive(node)) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  /** By the look at every node. */
  private static TreeSet<Integer> standingIn(Ledger ledger, int level, Domains wanted) {
    TreeSet<Integer> nodes = new TreeSet<>();
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      int domain = ledger.nodes().alive(node) ? ledger.topology().domainOf(level, node) : -1;
      if (domain >= 0 && wanted.have(domain)) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  private static TreeSet<Integer> nodes(BitRow row) {
    TreeSet<Integer> nodes = new TreeSet<>();
    for (int node = 0; node < 64 * row.words.length; node++) {
      if (row.has(node)) {
        nodes.add(node);
      }
    }
    assertThat(row.count()).isEqualTo(nodes.size());
    return nodes;
  }

  private static Object get(DomainNodes domainNodes, String field) {
    try {
      return field(field).get(domainNodes);
    } catch (ReflectiveOperationException changed) {
      throw new IllegalStateException(changed);
    }
  }

  private static Field field(String name) throws ReflectiveOperationException {
    Field field = DomainNodes.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
