package io.lighthouse.cli.command;

import io.lighthouse.api.Budget;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Sizing;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.NumberOption;
import io.lighthouse.cli.option.ProblemOptions;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Style;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.json.OfferWords;
import io.lighthouse.json.read.ProblemReader;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.json.write.SizingWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds the cheapest nodes to add. */
@Command(
    name = "size",
    description = {
      "Find the cheapest nodes to add, of kinds that are offered, so that all workloads of a file "
          + "are placed by its strategy; and a bound that no list of nodes can beat."
    },
    footer = {
      "",
      "Exit code 1: not all can be placed.",
      "",
      "Examples:",
      "  lighthouse size --offer 'm5.large: cpu=2,mem=8,price=0.096' fleet.json",
      "  lighthouse size --offers prices.json --strategy pack fleet.json",
      "  lighthouse size --without-nodes --offer 'rack: cpu=64 in zone=a' fleet.json"
    })
public final class SizeCommand extends ProblemsCommand {
  private static final long DEFAULT_STEPS = 20_000_000;

  @Mixin private ProblemOptions options;
  @Mixin private AnswerOption output;

  @Option(
      names = "--offer",
      paramLabel = "OFFER",
      description =
          "A kind of node: NAME: cpu=2,mem=8[,price=0.096][,limit=10][ in zone=a,...]; the price is"
              + " 1 where none is given. May be repeated.")
  private List<String> words = List.of();

  @Option(
      names = "--offers",
      paramLabel = "FILE",
      description =
          "Offers from a file, before the others: an array of such texts, or of objects with name,"
              + " resources, price, limit, domains.")
  private String offers;

  @Option(
      names = "--without-nodes",
      description = "As if the file had no nodes: what a new fleet would take.")
  private boolean withoutNodes;

  @Option(
      names = "--steps",
      paramLabel = "N",
      converter = NumberOption.Steps.class,
      description = "How many steps the search may take (default: 20000000).")
  private long steps = DEFAULT_STEPS;

  /** Made by {@link #prepare}. */
  private List<Offer> kinds;

  public SizeCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void prepare() {
    options.check(terminal);
    checkReadOnce(offers);
    kinds = offered();
    if (kinds.isEmpty()) {
      throw options.wrong(
          "what is offered? give --offer 'NAME: cpu=2,mem=8,price=0.096' or --offers FILE");
    }
    options.asks(kinds.stream().map(kind -> kind.like().resources()));
  }

  private List<Offer> offered() {
    List<Offer> kinds =
        new ArrayList<>(
            options.listed("--offers", offers, terminal, ProblemReader.standard()::readOffers));
    try {
      words.forEach(word -> kinds.add(OfferWords.parse(word)));
    } catch (InvalidInputException unsound) {
      throw options.wrong("--offer", unsound);
    }
    Set<String> names = new HashSet<>();
    for (Offer kind : kinds) {
      if (!names.add(kind.name())) {
        throw options.wrong(
            "offer '" + kind.name() + "': name is given twice; allowed: each name once");
      }
    }
    return kinds;
  }

  @Override
  int run(FleetFile file) throws IOException {
    LoadedFleet fleet;
    Sizing sizing;
    try (Progress progress = new Progress(terminal)) {
      fleet =
          LoadedFleet.read(
              file,
              options,
              terminal,
              progress,
              problem -> withoutNodes ? problem.withoutNodes() : problem);
      progress.says("sizing");
      sizing =
          fleet
              .distributor()
              .advisor()
              .size(fleet.problem().workloads(), kinds, Budget.ofSteps(steps));
    }
    if (output.isTable()) {
      page(fleet, sizing).print(terminal.out());
    } else {
      output.write(terminal, json -> write(json, fleet, sizing), () -> rows(fleet.file(), sizing));
    }
    return sizing.unplaced().isEmpty() ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private static void write(AnswerWriter json, LoadedFleet fleet, Sizing sizing) {
    json.member("strategy", fleet.strategy());
    SizingWriter.write(json, sizing);
  }

  private TerminalPage page(LoadedFleet fleet, Sizing sizing) {
    TerminalPage page = new TerminalPage(terminal);
    page.title(
        fleet.file().title()
            + ": "
            + Plural.of(sizing.nodes(), "node")
            + " to add, for "
            + sizing.price()
            + ", by "
            + fleet.strategy()
            + (sizing.unplaced().isEmpty() ? "" : "; not all can be placed"));
    TerminalPage.Section counts = page.section("offer", "nodes, each at");
    for (int kind = 0; kind < kinds.size(); kind++) {
      Sizing.Count count = sizing.counts().get(kind);
      counts.row(count.offer(), Style.PLAIN, count.nodes() + ", " + kinds.get(kind).price());
    }
    counts.end();
    TerminalPage.Section proven = page.section();
    String held = sizing.unplaced().isEmpty() ? "all" : "all that can be placed";
    String bound = "no list of nodes that holds " + held + " costs less than " + sizing.bound();
    proven.row(
        "bound",
        Style.PLAIN,
        sizing.optimal()
            ? bound + ", so this one is optimal"
            : sizing.unplaced().isEmpty()
                ? bound + "; the gap is " + sizing.price().minus(sizing.bound())
                : bound);
    if (!sizing.unplaced().isEmpty()) {
      proven.row("not placed", Style.BOLD, sizing.unplaced(), ", ");
    }
    proven.end();
    return page;
  }

  private List<List<String>> rows(FleetFile file, Sizing sizing) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("offer", "nodes", "price", "file"));
    for (int kind = 0; kind < kinds.size(); kind++) {
      Sizing.Count count = sizing.counts().get(kind);
      rows.add(
          List.of(
              count.offer(),
              String.valueOf(count.nodes()),
              kinds.get(kind).price().toString(),
              file.title()));
    }
    return rows;
  }
}
