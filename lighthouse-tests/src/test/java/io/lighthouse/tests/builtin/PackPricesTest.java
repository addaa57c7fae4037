package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code pack} by the price of nodes, told by a resource or a map; and where it begins. */
class PackPricesTest {
  private static final List<Node> NODES =
      List.of(node("large", 8), node("small", 4), node("other=1", 4));

  private static Node node(String name, int cpu) {
    return Node.of(name, Resources.of("cpu", cpu));
  }

  private static Distributor fleet(List<Node> nodes, Map<String, String> settings) {
    return Distributors.installed().strategy("pack").settings(settings).nodes(nodes).build();
  }

  private static List<String> used(Distributor fleet) {
    return fleet.snapshot().nodes().stream()
        .filter(node -> !node.workloads().isEmpty())
        .map(NodeState::name)
        .toList();
  }

  private static List<String> used(String prices) {
    Distributor fleet = fleet(NODES, Map.of("goal", "least-cost", "prices", prices));
    fleet.assign(
        Workload.of("a", Resources.of("cpu", 3)), Workload.of("b", Resources.of("cpu", 3)));
    return used(fleet);
  }

  @Test
  void takesTheCheapNodesThoughTheyAreMore() {
    assertThat(used("large=3, small=1, other=1=1")).containsExactly("small", "other=1");
    assertThat(used("large=1.5,*=1")).containsExactly("large");
    assertThat(used("*=0.001, large=0.0021")).containsExactly("small", "other=1");
  }

  @ParameterizedTest
  @CsvSource({
    "64000000000000, 2000000000000",
    "1000000000001, 1000000000000",
    "0.0000009, 0.0000001",
    "5000000.0000009, 5000000.0000001",
    "inf, 1",
    "inf, 64000000000000"
  })
  void takesTheCheaperNodeByItsCapacity(String dear, String cheap) {
    List<Node> nodes =
        List.of(
            Node.of("dear", Resources.of("cpu", 4).with("euro", dear)),
            Node.of("cheap", Resources.of("cpu", 4).with("euro", cheap)));
    Distributor fleet = fleet(nodes, Map.of("goal", "least-cost", "price", "euro"));
    fleet.assign(Workload.of("a", Resources.of("cpu", 1)));
    assertThat(used(fleet)).containsExactly("cheap");
  }

  /** The digits of a map have no limit; the first 18 of the dearest price count. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dear=64000000000000,cheap=2000000000000",
        "dear=0.0000009,cheap=0.0000001",
        "dear=123456789012345678901234567890,cheap=123456789012345670000000000000",
        "dear=1000000000000000000000000,cheap=0.000000000001",
        "dear=0.000000000001,cheap=0"
      })
  void takesTheCheaperNodeOfAMap(String prices) {
    Distributor fleet =
        fleet(
            List.of(node("dear", 4), node("cheap", 4)),
            Map.of("goal", "least-cost", "prices", prices));
    fleet.assign(Workload.of("a", Resources.of("cpu", 1)));
    assertThat(used(fleet)).containsExactly("cheap");
  }

  @Test
  void nodesThatComeLaterCostAsMuchAsTheDearest() {
    Distributor fleet =
        fleet(NODES.subList(0, 1), Map.of("goal", "least-cost", "prices", "large=2"));
    fleet.addNode(node("later", 8));
    assertThat(fleet.assign(Workload.of("a", Resources.of("cpu", 3))).allPlaced()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "large; NAME=PRICE",
        "=3; NAME=PRICE",
        "large=1,; NAME=PRICE",
        "large=much; a price",
        "large=-1; 0 or more",
        "large=inf; a JSON number, 0 or more",
        "large=Infinity; a JSON number, 0 or more",
        "large=1e1001; of at most 1000 digits",
        "large=1,large=2; once",
        "large=1,small=2; node 'other=1'"
      })
  void refusesAnIllFormedMap(String prices, String allowed) {
    assertThatThrownBy(() -> used(prices))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll("prices", allowed)
        .hasMessageNotContaining("+inf");
  }

  @Test
  void refusesTwoPriceLists() {
    assertThatThrownBy(
            () -> fleet(NODES, Map.of("goal", "least-cost", "prices", "*=1", "price", "cpu")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("not both");
  }

  /** A map says the same as a resource of which each node has its price. */
  @Test
  void aMapSaysWhatAResourceSays() {
    for (int seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Node> nodes = new ArrayList<>();
      StringBuilder map = new StringBuilder();
      for (int i = 0; i < 2 + random.nextInt(6); i++) {
        String price = random.nextInt(1, 9) + ".25";
        nodes.add(Node.of("n" + i, Resources.of("cpu", random.nextInt(4, 20)).with("euro", price)));
        map.append(i == 0 ? "" : ",").append("n").append(i).append('=').append(price);
      }
      List<Workload> batch = new ArrayList<>();
      for (int i = 0; i < 2 + random.nextInt(12); i++) {
        batch.add(Workload.of("w" + i, Resources.of("cpu", random.nextInt(1, 7))));
      }
      Distributor one = fleet(nodes, Map.of("goal", "least-cost", "price", "euro"));
      Distributor other = fleet(nodes, Map.of("goal", "least-cost", "prices", map.toString()));
      assertThat(one.assign(batch).asMap()).isEqualTo(other.assign(batch).asMap());
    }
  }

  /** The node to empty next is the one with the least load for its price, exactly. */
  @Test
  void theCurrencyDoesNotMatter() {
    for (int seed = 0; seed < 40; seed++) {
      List<Map<String, Optional<String>>> found = new ArrayList<>();
      for (String zeros : List.of("", "000000000")) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
          String price = random.nextInt(1, 100) + zeros;
          int cpu = random.nextInt(8, 30);
          nodes.add(Node.of("n" + i, Resources.of("cpu", cpu, "mem", 40).with("euro", price)));
        }
        List<Workload> batch = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
          Resources needs = Resources.of("cpu", random.nextInt(1, 9), "mem", random.nextInt(1, 15));
          batch.add(Workload.of("w" + i, needs));
        }
        Map<String, String> settings =
            Map.of("goal", "least-cost", "price", "euro", "steps", "10000");
        found.add(fleet(nodes, settings).assign(batch).asMap());
      }
      assertThat(found.get(1)).isEqualTo(found.get(0));
    }
  }

  /** The first workload stays where first fit put it, unless it has to make room. */
  @Test
  void beginsWithFirstFitWhereItIsTold() {
    List<Workload> batch = new ArrayList<>();
    for (int size : new int[] {1, 3, 4, 4}) {
      batch.add(Workload.of("w" + batch.size(), Resources.of("cpu", size)));
    }
    Distributor asGiven = fleet(NODES, Map.of("start", "first-fit", "goal", "place-all"));
    assertThat(asGiven.assign(batch).asMap())
        .hasToString(
            "{w0=Optional[large], w1=Optional[large], w2=Optional[large], w3=Optional[small]}");
    // First fit leaves 3 of the large and 1 of the small, and the last has no node.
    List<Workload> tight = new ArrayList<>();
    for (int size : new int[] {1, 3, 3, 3, 4}) {
      tight.add(Workload.of("w" + tight.size(), Resources.of("cpu", size)));
    }
    Distributor full =
        fleet(NODES.subList(0, 2), Map.of("start", "first-fit", "goal", "place-all"));
    assertThat(full.assign(tight).placedCount()).isEqualTo(4);
  }
}
