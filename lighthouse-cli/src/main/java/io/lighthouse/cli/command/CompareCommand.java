package io.lighthouse.cli.command;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.advice.Bounds;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.PluginOptions;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemDistributor;
import io.lighthouse.json.Suggestion;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.picture.FleetText;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs every installed strategy on a problem. */
@Command(
    name = "compare",
    description = "Place the workloads of each file with every installed strategy, side by side.",
    footer = {
      "",
      "left is what is left on the nodes in use, of the resource of which the most is left."
          + " Strategies take their default settings, and the file's where it names them.",
      "",
      "Exit codes: 0 done, even if some strategies refuse the problem; 2 all refuse it, a strategy is"
          + " broken, or wrong use or bad input.",
      "",
      "Examples:",
      "  lighthouse compare fleet.json",
      "  lighthouse compare --price euros fleet.json"
    })
public final class CompareCommand extends ProblemsCommand {
  private static final List<String> HEADS =
      List.of("strategy", "placed", "refused", "nodes", "left %", "cost", "ms");

  @Mixin private PluginOptions plugins;
  @Mixin private AnswerOption output;

  @Option(
      names = "--price",
      paramLabel = "RESOURCE",
      description = "The resource whose capacity is a node's price (default: each node costs 1).")
  private String price;

  /** Found by {@link #prepare}. */
  private Distributors installed;

  public CompareCommand(Terminal terminal) {
    super(terminal);
  }

  /** What came of one strategy; a text instead where it refused the problem. */
  private record Row(
      String strategy,
      int placed,
      int refused,
      int nodes,
      BigDecimal left,
      BigDecimal cost,
      long millis,
      Optional<String> failure) {
    List<String> cells() {
      return failure.isPresent()
          ? List.of(strategy, "", "", "", "", "", "")
          : List.of(
              strategy,
              String.valueOf(placed),
              String.valueOf(refused),
              String.valueOf(nodes),
              left.toPlainString(),
              cost.stripTrailingZeros().toPlainString(),
              String.valueOf(millis));
    }
  }

  @Override
  void prepare() {
    installed = plugins.checked(terminal, command, null);
  }

  @Override
  int run(FleetFile file) throws IOException {
    List<Row> rows = new ArrayList<>();
    boolean broken = false;
    Optional<Bounds> bounds = Optional.empty();
    Problem problem;
    try (Progress progress = new Progress(terminal)) {
      problem = file.read(terminal, progress).problem();
      checkPrice(problem);
      for (StrategyDescription strategy : installed.strategies()) {
        progress.says("placing with " + strategy.name());
        boolean own = problem.strategy().equals(Optional.of(strategy.name()));
        Problem asked = own ? problem : problem.withSettings(Map.of());
        try {
          Distributor fleet = ProblemDistributor.of(installed.strategy(strategy.name()), asked);
          if (bounds.isEmpty()) {
            bounds = Optional.of(fleet.advisor().bounds(problem.workloads()));
          }
          rows.add(row(strategy.name(), fleet, problem));
        } catch (InvalidInputException refused) {
          rows.add(failed(strategy.name(), plugins.hinted(refused)));
        } catch (LighthouseException failure) {
          broken = true;
          rows.add(failed(strategy.name(), failure));
        }
      }
    }
    write(file, rows, bounds);
    boolean none = rows.stream().allMatch(row -> row.failure().isPresent());
    if (!broken && !none) {
      return ExitCode.DONE;
    }
    for (Row row : rows) {
      row.failure().ifPresent(why -> complainIfQuiet(file, row.strategy() + ": " + why));
    }
    return ExitCode.FAILED;
  }

  private static Row failed(String strategy, RuntimeException why) {
    return new Row(strategy, 0, 0, 0, null, null, 0, Optional.of(why.getMessage()));
  }

  private void checkPrice(Problem problem) {
    Set<String> known = new TreeSet<>();
    problem.nodes().forEach(node -> known.addAll(node.resources().names()));
    if (price != null && !known.isEmpty() && !known.contains(price)) {
      throw new InvalidInputException(
          "--price",
          "'" + price + "'",
          "a resource of no node",
          "a resource that a node has" + Suggestion.question(price, known));
    }
  }

  private Row row(String strategy, Distributor fleet, Problem problem) {
    long began = System.nanoTime();
    Assignments answer = fleet.assign(problem.workloads());
    long millis = (System.nanoTime() - began) / 1_000_000;
    int nodes = 0;
    BigDecimal cost = BigDecimal.ZERO;
    Map<String, BigDecimal> capacity = new HashMap<>();
    Map<String, BigDecimal> left = new HashMap<>();
    for (NodeState node : fleet.snapshot().nodes()) {
      if (node.workloads().isEmpty()) {
        continue;
      }
      nodes++;
      cost = cost.add(price(node));
      for (String name : node.capacity().names()) {
        Quantity all = node.capacity().get(name).orElseThrow();
        if (!all.isInfinite() && all.signum() > 0) {
          capacity.merge(name, all.toBigDecimal(), BigDecimal::add);
          left.merge(name, node.left().get(name).orElseThrow().toBigDecimal(), BigDecimal::add);
        }
      }
    }
    BigDecimal most = BigDecimal.ZERO.setScale(1);
    for (Map.Entry<String, BigDecimal> all : capacity.entrySet()) {
      most = most.max(FleetText.percent(left.get(all.getKey()), all.getValue(), 1));
    }
    return new Row(
        strategy,
        answer.placedCount(),
        answer.refusedCount(),
        nodes,
        most,
        cost,
        millis,
        Optional.empty());
  }

  private BigDecimal price(NodeState node) {
    return price == null
        ? BigDecimal.ONE
        : node.capacity()
            .get(price)
            .filter(quantity -> !quantity.isInfinite())
            .map(Quantity::toBigDecimal)
            .orElse(BigDecimal.ZERO);
  }

  private void write(FleetFile file, List<Row> rows, Optional<Bounds> bounds) throws IOException {
    if (!output.isTable()) {
      output.write(
          terminal,
          answer -> {
            answer.objects("strategies", rows, CompareCommand::write);
            bounds.ifPresent(
                proven ->
                    answer.object(
                        "bounds",
                        inside ->
                            inside
                                .member("most_placed", proven.mostPlaced())
                                .member("fewest_nodes", proven.fewestNodes())));
          },
          () -> {
            List<List<String>> lines = new ArrayList<>();
            lines.add(longer(HEADS, "file", "error"));
            rows.forEach(
                row -> lines.add(longer(row.cells(), file.title(), row.failure().orElse(""))));
            return lines;
          });
      return;
    }
    TerminalPage page = new TerminalPage(terminal);
    page.title(file.title());
    TerminalPage.Section section = page.section(HEADS.get(0), line(HEADS));
    rows.forEach(
        row ->
            section.set(
                row.strategy(),
                row.failure().map(FleetText::printable).orElseGet(() -> line(row.cells()))));
    bounds.ifPresent(
        proven ->
            section.set(
                "at best",
                line(
                    List.of(
                        "",
                        String.valueOf(proven.mostPlaced()),
                        "",
                        String.valueOf(proven.fewestNodes())))));
    section.end();
    page.print(terminal.out());
  }

  private static List<String> longer(List<String> cells, String... more) {
    List<String> all = new ArrayList<>(cells);
    Collections.addAll(all, more);
    return all;
  }

  /** The cells behind the first, in columns. */
  private static String line(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (String cell : cells.subList(1, cells.size())) {
      line.append(" ".repeat(Math.max(1, 9 - cell.length()))).append(cell);
    }
    return line.toString();
  }

  private static void write(AnswerWriter answer, Row row) {
    answer.member("strategy", row.strategy());
    if (row.failure().isPresent()) {
      answer.member("error", row.failure().get());
      return;
    }
    answer
        .member("placed", row.placed())
        .member("refused", row.refused())
        .member("nodes_used", row.nodes())
        .member("left_percent", Quantity.of(row.left()))
        .member("cost", Quantity.of(row.cost()))
        .member("milliseconds", row.millis());
  }
}
