package io.lighthouse.cli.command;

import io.lighthouse.api.Change;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.error.Plural;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.page.Style;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.json.write.PlanWriter;
import io.lighthouse.picture.ObstacleText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A plan, for people and for programs. */
final class PlanPage {
  private PlanPage() {}

  /** Writes a plan to the standard output, in the form of the option. */
  static void write(String about, Plan plan, AnswerOption output, Terminal terminal)
      throws IOException {
    if (output.isTable()) {
      page(about, plan, terminal).print(terminal.out());
    } else {
      output.write(
          terminal, answer -> PlanWriter.write(answer, plan, ObstacleText::of), () -> rows(plan));
    }
  }

  private static TerminalPage page(String about, Plan plan, Terminal terminal) {
    TerminalPage page = new TerminalPage(terminal);
    page.title(
        about
            + ": "
            + Plural.of(plan.moves(), "move")
            + " in "
            + Plural.of(plan.waves().size(), "wave"));
    TerminalPage.Section moves = page.section("wave", "what is done");
    for (int wave = 0; wave < plan.waves().size(); wave++) {
      String label = String.valueOf(wave + 1);
      for (Change change : plan.waves().get(wave)) {
        moves.row(label, Style.PLAIN, change.toString());
        label = "";
      }
    }
    moves.end();
    TerminalPage.Section figures = page.section("", "before, after");
    figures.row(
        "placed in all", Style.PLAIN, plan.before().placed() + ", " + plan.after().placed());
    figures.row(
        "nodes in use", Style.PLAIN, plan.before().nodesInUse() + ", " + plan.after().nodesInUse());
    figures.row(
        "fullest share", Style.PLAIN, plan.before().fullest() + ", " + plan.after().fullest());
    figures.row("averse", Style.PLAIN, plan.before().averse() + ", " + plan.after().averse());
    figures.end();
    TerminalPage.Section proven = page.section();
    proven.row(
        "bound",
        Style.PLAIN,
        "no plan reaches a better '"
            + plan.bound().figure()
            + "' than "
            + plan.bound().best()
            + (plan.optimal() ? ", and this one does reach it" : ""));
    if (!plan.unmet().isEmpty()) {
      proven.row("not reached", Style.BOLD, plan.unmet(), ", ");
    }
    proven.end();
    TerminalPage.Section against = page.section("obstacle", "why, after the plan");
    for (Plan.Obstacle obstacle : plan.obstacles()) {
      String stays = obstacle.node().map(node -> "stays on " + node + ": ").orElse("");
      against.row(obstacle.workload().name(), Style.RED, stays + ObstacleText.of(obstacle));
    }
    if (plan.obstacles().size() == Plan.MOST_OBSTACLES) {
      against.row("...", Style.DIM, "at most " + Plan.MOST_OBSTACLES + " are listed");
    }
    against.end();
    return page;
  }

  private static List<List<String>> rows(Plan plan) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("wave", "workload", "from", "to"));
    for (int wave = 0; wave < plan.waves().size(); wave++) {
      for (Change change : plan.waves().get(wave)) {
        String number = String.valueOf(wave + 1);
        rows.add(change.match(new Row(number)));
      }
    }
    return rows;
  }

  /** The cells of a change that a plan can have. */
  private record Row(String wave) implements Change.SomeCases<List<String>> {
    @Override
    public List<String> move(Change.Move move) {
      return List.of(wave, move.workload(), move.from(), move.to());
    }

    @Override
    public List<String> assign(Change.Assign assign) {
      return List.of(wave, assign.workload().name(), "", assign.node());
    }

    @Override
    public List<String> other(Change other) {
      throw new IllegalArgumentException("no plan has the change " + other);
    }
  }
}
