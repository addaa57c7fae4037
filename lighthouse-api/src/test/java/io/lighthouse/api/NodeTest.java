package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class NodeTest {
  private static final Workload VM = Workload.of("vm-1", Resources.of("cpu", 1));

  @Test
  void aNodeOfANameAndResourcesIsEmptyAndOpen() {
    Node node = Node.of("n1", Resources.of("cpu", 6, "mem", "12.5"));

    assertThat(node.workloads()).isEmpty();
    assertThat(node.cordoned()).isFalse();
    assertThat(node).isEqualTo(Node.of("n1", Map.of("mem", 12.50, "cpu", 6L)));
    assertThat(node)
        .hasToString("Node[name=n1, resources={cpu: 6, mem: 12.5}, workloads=[], cordoned=false]");
  }

  @Test
  void variationsLeaveTheOriginalAlone() {
    Node node = Node.of("n1", Resources.of("cpu", 6));

    assertThat(node.asCordoned().cordoned()).isTrue();
    assertThat(node.withWorkloads(VM).workloads()).containsExactly(VM);
    assertThat(node.withWorkloads(VM).asCordoned().workloads()).containsExactly(VM);
    assertThat(node.asCordoned().withWorkloads(VM).cordoned()).isTrue();
    assertThat(node).isEqualTo(Node.of("n1", Resources.of("cpu", 6)));
  }

  @Test
  void theListOfWorkloadsIsCopied() {
    List<Workload> placed = new ArrayList<>(List.of(VM));
    Node node = new Node("n1", Resources.of("cpu", 6), placed, false);
    placed.clear();

    assertThat(node.workloads()).containsExactly(VM);
    assertThatThrownBy(() -> node.workloads().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void nullIsAProgrammersMistake() {
    assertThatNullPointerException().isThrownBy(() -> Node.of("n1", (Resources) null));
    assertThatNullPointerException().isThrownBy(() -> Node.of(null, Resources.none()));
    assertThatNullPointerException().isThrownBy(() -> Workload.of("w", (Resources) null));
    assertThatNullPointerException().isThrownBy(() -> new Rubric(null));
    assertThatNullPointerException()
        .isThrownBy(() -> Resources.of(new String[] {"cpu"}, new Quantity[1]))
        .withMessage("cpu");
  }

  @Nested
  class Refusing {
    @Test
    void anEmptyOrIllFormedName() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.of("", Resources.none()))
          .withMessage("node: name is ''; allowed: a name of at least one character");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.of("n\udc00", Resources.none()))
          .withMessageContaining("U+DC00 at index 1");
    }

    @Test
    void aWorkloadBroughtAlongThatRequiresWhatTheNodeDoesNotHave() {
      Node node = Node.of("n1", Resources.of("mem", 6, "disk", 1));

      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> node.withWorkloads(VM))
          .withMessage(
              "node 'n1': workloads['vm-1'].requirements.cpu is a resource that the node does not"
                  + " have; allowed: the node's own: disk, mem");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.of("n1", Resources.none()).withWorkloads(VM))
          .withMessageEndingWith("; allowed: none: the node has no resources");
    }
  }

  @Nested
  class FromAMap {
    @Test
    void everythingIsRead() {
      Node node =
          Node.fromMap(
              Map.of(
                  "name",
                  "n1",
                  "resources",
                  Map.of("cpu", 6, "spiders", Double.NEGATIVE_INFINITY),
                  "workloads",
                  List.of(Map.of("name", "vm-1", "requirements", Map.of("cpu", 1))),
                  "cordoned",
                  true));

      assertThat(node)
          .isEqualTo(
              Node.of("n1", Resources.of("cpu", 6, "spiders", "-inf"))
                  .withWorkloads(VM)
                  .asCordoned());
    }

    @Test
    void aListKeepsItsOrder() {
      assertThat(
              Node.fromList(
                  List.of(
                      Map.of("name", "b", "resources", Map.of()),
                      Map.of("name", "a", "resources", Map.of()))))
          .extracting(Node::name)
          .containsExactly("b", "a");
    }

    @Test
    void aNodeIsOpenUnlessItSaysOtherwise() {
      Map<String, Object> map = new HashMap<>(Map.of("name", "n1", "resources", Map.of()));

      assertThat(Node.fromMap(map).cordoned()).isFalse();
      map.put("cordoned", false);
      assertThat(Node.fromMap(map).cordoned()).isFalse();
    }

    @Test
    void aMissingKeyIsNamed() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.fromMap(Map.of("resources", Map.of())))
          .withMessage("node: name is missing; allowed: a text");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.fromMap(Map.of("name", "n1")))
          .withMessage("node 'n1': resources is missing; allowed: a map from names to quantities");
    }

    @Test
    void aWrongQuantityIsNamedWithItsNode() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.fromMap(Map.of("name", "n1", "resources", Map.of("cpu", "x"))))
          .withMessageStartingWith("node 'n1': resources.cpu is 'x'; allowed: a JSON number");
    }

    @Test
    void anUnknownKeyIsNamedWithThoseKnown() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.fromMap(Map.of("name", "n1", "resources", Map.of(), "cpu", 1)))
          .withMessage(
              "node 'n1': key is 'cpu'; allowed: one of name, resources, workloads, cordoned");
    }

    @Test
    void aValueOfAnotherTypeIsNamed() {
      Map<String, Object> map = new HashMap<>(Map.of("name", "n1", "resources", Map.of()));
      map.put("cordoned", "yes");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.fromMap(map))
          .withMessage("node 'n1': cordoned is yes; allowed: true or false");
      map.put("cordoned", null);
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.fromMap(map))
          .withMessage("node 'n1': cordoned is null; allowed: true or false");
      map.put("cordoned", false);
      map.put("workloads", "vm-1");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.fromMap(map))
          .withMessage("node 'n1': workloads is vm-1; allowed: a collection");
      map.put("workloads", List.of("vm-1"));
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.fromMap(map))
          .withMessage("node 'n1': workloads is [vm-1]; allowed: a collection of maps");
      map.put("workloads", List.of());
      map.put("resources", Map.of(1, 2));
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.fromMap(map))
          .withMessage("node 'n1': resources is {1=2}; allowed: texts as keys");
      map.put("resources", List.of());
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.fromMap(map))
          .withMessage("node 'n1': resources is []; allowed: a map from names to quantities");
      map.put("name", 5);
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Node.fromMap(map))
          .withMessage("node: name is 5; allowed: a text");
    }
  }

  @Test
  void theStateOfANodeTurnsIntoTheNodeItIsMadeFrom() {
    List<Workload> placed = new ArrayList<>(List.of(VM));
    NodeState state =
        new NodeState("n1", Resources.of("cpu", 6), Resources.of("cpu", 5), placed, true);
    placed.clear();

    assertThat(state.toNode())
        .isEqualTo(Node.of("n1", Resources.of("cpu", 5)).withWorkloads(VM).asCordoned());
  }

  @Test
  void theStateOfANodeKeepsMapsOfItsOwnInOrder() {
    Map<String, String> domains = new HashMap<>(Map.of("zone", "z", "rack", "r"));
    Map<String, Unit> units = new HashMap<>(Map.of("cpu", Unit.ANY));
    Resources cpu = Resources.of("cpu", 6);
    NodeState state = new NodeState("n1", cpu, cpu, List.of(), false, domains, units);
    domains.put("a", "b");
    units.clear();

    assertThat(state.domains()).hasToString("{rack=r, zone=z}");
    assertThat(state.units()).containsOnlyKeys("cpu");
    assertThatThrownBy(() -> state.domains().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
