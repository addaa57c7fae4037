package io.lighthouse.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.NaiveFleet;
import io.lighthouse.core.oracle.ProblemMaker;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** What the view guesses of a strategy's next question changes its cost, and never its answers. */
class CandidateViewProperties {

  @Property(shrinking = ShrinkingMode.OFF)
  void answersAStrategyThatAlternatesItsQuestionsAsItAnswersAnyOther(@ForAll long seed) {
    ProblemMaker maker = new ProblemMaker(seed);
    Alternating strategy = new Alternating(maker);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 1 + maker.nodes % 90; i++) {
      Node node = maker.node();
      nodes.add(node);
      strategy.naive.add(node);
    }
    Distributor distributor = Distributors.of(strategy).nodes(nodes).build();
    for (int batch = 0; batch < 6; batch++) {
      List<Workload> workloads = new ArrayList<>();
      for (int i = 0; i < 1 + maker.random.nextInt(40); i++) {
        workloads.add(maker.workload());
      }
      strategy.turns = 0;
      var assignments = distributor.assign(workloads);
      assertThat(strategy.turns).isEqualTo(assignments.placedCount());
      for (Workload workload : workloads) {
        int where = strategy.naive.nodeOf(workload.name());
        assertThat(assignments.nodeOf(workload.name()).orElse("none"))
            .isEqualTo(where < 0 ? "none" : strategy.naive.name(where));
        if (where < 0) {
          assertThat(strategy.naive.first(workload, 0) < 0 || strategy.gave)
              .as("nobody is refused who fits, unless somebody gave something after the turn")
              .isTrue();
        }
      }
      for (String name : strategy.naive.placedNames()) {
        if (maker.chance(4)) {
          distributor.release(name);
          strategy.naive.release(name);
        }
      }
    }
  }

  /** Asks random questions, several a turn, and holds every answer against the oracle. */
  private static final class Alternating implements PlacementStrategy {
    private final NaiveFleet naive = new NaiveFleet();
    private final ProblemMaker maker;
    private final Rubric[] rubrics;
    private int turns;
    private boolean gave;

    Alternating(ProblemMaker maker) {
      this.maker = maker;
      rubrics = new Rubric[] {maker.rubric(), maker.rubric()};
    }

    @Override
    public String name() {
      return "alternating";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      NodeOrder[] orders = {fleet.orderBy(rubrics[0]), fleet.orderBy(rubrics[1])};
      return (workload, candidates) -> {
        turns++;
        gave |= workload.requirements().asMap().values().stream().anyMatch(q -> q.signum() < 0);
        FleetNode answer = null;
        for (int i = maker.random.nextInt(3); i >= 0; i--) {
          answer = ask(fleet, orders, workload, candidates);
        }
        naive.place(workload, answer.index());
        return answer;
      };
    }

    private FleetNode ask(
        Fleet fleet, NodeOrder[] orders, Workload workload, Candidates candidates) {
      int which = maker.random.nextInt(2);
      int from = maker.random.nextInt(-1, fleet.size());
      return switch (maker.random.nextInt(7)) {
        case 0 -> same(candidates.first(), naive.first(workload, 0));
        case 1 -> {
          assertThat(fleet.lastPlaced()).isEqualTo(naive.lastPlaced());
          yield same(
              candidates.firstAfter(fleet.lastPlaced()),
              naive.first(workload, (naive.lastPlaced() + 1) % naive.size()));
        }
        case 2 ->
            same(candidates.firstAfter(from), naive.first(workload, (from + 1) % naive.size()));
        case 3 ->
            same(candidates.first(orders[which]), naive.first(workload, rubrics[which], false));
        case 4 ->
            same(
                candidates.first(orders[which].descending()),
                naive.first(workload, rubrics[which], true));
        case 5 ->
            same(candidates.best(orders[which]), naive.first(workload, rubrics[which], false));
        default -> {
          boolean friendly = !naive.averse(naive.first(workload, 0), workload);
          int node = -1;
          FleetNode last = null;
          for (FleetNode candidate : candidates) {
            node = naive.next(workload, node + 1, friendly);
            last = same(candidate, node);
          }
          assertThat(naive.next(workload, node + 1, friendly)).isEqualTo(NaiveFleet.NONE);
          yield last;
        }
      };
    }

    private FleetNode same(FleetNode found, int expected) {
      assertThat(found.index()).isEqualTo(expected);
      assertThat(found.name()).isEqualTo(naive.name(expected));
      return found;
    }
  }
}
