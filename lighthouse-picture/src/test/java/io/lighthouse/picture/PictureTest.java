package io.lighthouse.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Drawings as a caller in Java makes them; what stands in them is the command's test to say. */
class PictureTest {
  private static final List<Workload> BATCH =
      List.of(
          Workload.of("a", Resources.of("cpu", 2)),
          Workload.of("b", Resources.of("cpu", 3)),
          Workload.of("c", Resources.of("cpu", 9)));

  private static Node node(String name, String zone) {
    return Node.of(name, Resources.of("cpu", 4)).in("zone", zone);
  }

  private static PictureScene scene(String title, Node... nodes) {
    Distributor fleet = Distributors.installed().strategy("prioritized").nodes(nodes).build();
    Assignments answer = fleet.assign(BATCH);
    return new PictureScene(title, "prioritized", fleet.snapshot(), BATCH, answer);
  }

  private static List<String> values(String svg, String attribute) {
    return Pattern.compile(" " + attribute + "=\"([^\"]*)\"")
        .matcher(svg)
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  @Test
  void tellsAFleetInWordsAndInADrawing() {
    Picture picture =
        Picture.of(
            scene("monday", node("n1", "x"), node("n2", "y"), node("n3", "y")), Optional.empty());

    assertThat(picture.summary())
        .isEqualTo("0 placed before, 2 placed now, 1 refused by prioritized; 2 of 3 nodes in use");
    assertThat(picture.groups()).isEqualTo("nodes by zone");
    assertThat(values(picture.svg(), "data-node")).containsExactly("n1", "n2", "n3");
    assertThat(values(picture.svg(), "data-workload")).containsExactly("c");
    assertThat(picture.html()).contains(picture.svg()).contains("<title>monday</title>");
  }

  @Test
  void showsWhatHasMovedBetweenTwo() {
    PictureScene before = scene("monday", node("n1", "x"), node("n2", "y"));
    PictureScene after = scene("tuesday", node("n2", "y"), node("n1", "x"));

    Picture picture = Picture.of(before, after, Optional.empty());

    assertThat(picture.summary())
        .isEqualTo("2 workloads moved, 0 placed only after, 0 only before");
    assertThat(values(picture.svg(), "data-from")).containsExactlyInAnyOrder("n1", "n2");
  }

  @Test
  void marksTheNodesOfACordonedDomainAndOfACordonedFleet() {
    Distributor fleet =
        Distributors.installed()
            .strategy("prioritized")
            .domains(
                Domain.of("zone", "x", Resources.none()),
                Domain.of(Rule.FLEET, Rule.FLEET, Resources.none()))
            .nodes(node("n1", "x"), node("n2", "y"))
            .build();
    fleet.apply(new Change.CordonDomain("zone", "x", true));
    assertThat(cordoned(fleet)).isEqualTo(1);
    fleet.apply(new Change.CordonDomain(Rule.FLEET, Rule.FLEET, true));
    assertThat(cordoned(fleet)).isEqualTo(2);
    PictureScene scene = PictureScene.asItIs("f", fleet.snapshot(), List.of());
    assertThat(Picture.of(scene, Optional.empty()).svg())
        .contains("cordoned with its domain or the fleet");
  }

  private static long cordoned(Distributor fleet) {
    PictureScene scene = PictureScene.asItIs("f", fleet.snapshot(), List.of());
    return values(Picture.of(scene, Optional.empty()).svg(), "class").stream()
        .filter("panel cordoned"::equals)
        .count();
  }

  @Test
  void isTheSameForTheSameFleet() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      nodes.add(node("n" + i, "z" + i % 7));
    }
    String once = Picture.of(scene("f", nodes.toArray(Node[]::new)), Optional.empty()).svg();
    String again = Picture.of(scene("f", nodes.toArray(Node[]::new)), Optional.empty()).svg();
    Collections.reverse(nodes);
    String other = Picture.of(scene("f", nodes.toArray(Node[]::new)), Optional.empty()).svg();

    assertThat(again).isEqualTo(once);
    assertThat(other).isNotEqualTo(once);
  }

  @Test
  void refusesALevelThatIsNotThere() {
    PictureScene scene = scene("f", node("n1", "x"));

    assertThatThrownBy(() -> Picture.of(scene, Optional.of("rack")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'rack'")
        .hasMessageContaining("one of zone");
    assertThatThrownBy(() -> Picture.of(scene("empty"), Optional.of("rack")))
        .hasMessageContaining("no node stands in a domain");
  }
}
