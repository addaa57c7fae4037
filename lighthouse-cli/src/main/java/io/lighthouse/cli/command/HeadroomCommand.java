package io.lighthouse.cli.command;

import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.ProblemOptions;
import io.lighthouse.cli.page.Doubts;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Style;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.json.MixWords;
import io.lighthouse.json.Problem;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.json.write.SizingWriter;
import io.lighthouse.picture.Reasons;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says how much more fits. */
@Command(
    name = "headroom",
    description = {
      "Count how many more copies of a shape, or of a mix, fit when the file's workloads are placed, "
          + "and show what runs out first."
    },
    footer = {
      "",
      "Exit code 1: none is known to fit.",
      "",
      "Examples:",
      "  lighthouse headroom --shape cpu=1,mem=4 fleet.json",
      "  lighthouse headroom --shape '3 x cpu=1,mem=4' --shape cpu=8 fleet.json"
    })
public final class HeadroomCommand extends ProblemsCommand {
  @Mixin private ProblemOptions options;
  @Mixin private AnswerOption output;

  @Option(
      names = "--shape",
      paramLabel = "[N x ]cpu=1,...",
      required = true,
      description = "What one copy requires, and how many there are in a mix. May be repeated.")
  private List<String> shapes = List.of();

  /** Made by {@link #prepare}. */
  private List<Headroom.Part> mix;

  public HeadroomCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void prepare() {
    options.check(terminal);
    mix = mix();
    options.asks(mix.stream().map(part -> part.shape().requirements()));
  }

  private List<Headroom.Part> mix() {
    List<Headroom.Part> mix = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String shape : shapes) {
      Headroom.Part part;
      try {
        part = MixWords.parse(shape);
      } catch (InvalidInputException refused) {
        throw options.wrong("--shape", refused);
      }
      String name = part.shape().name();
      if (!names.add(name)) {
        throw options.wrong(
            "--shape: '" + name + "' is given twice; allowed: once, as in '2 x " + name + "'");
      }
      mix.add(part);
    }
    return mix;
  }

  @Override
  int run(FleetFile file) throws IOException {
    LoadedFleet fleet;
    Headroom headroom;
    try (Progress progress = new Progress(terminal)) {
      fleet = LoadedFleet.read(file, options, terminal, progress);
      progress.says("placing the file's workloads");
      fleet.assign(List.of());
      progress.says("looking for room");
      headroom = fleet.distributor().advisor().headroom(mix);
    }
    if (output.isTable()) {
      page(fleet, headroom).print(terminal.out());
    } else {
      output.write(terminal, json -> write(json, fleet, headroom), () -> rows(file, headroom));
    }
    return headroom.rounds() > 0 ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private static void write(AnswerWriter json, LoadedFleet fleet, Headroom headroom) {
    json.member("strategy", fleet.strategy());
    SizingWriter.write(json, headroom);
  }

  private TerminalPage page(LoadedFleet fleet, Headroom headroom) {
    TerminalPage page = new TerminalPage(terminal);
    page.title(
        fleet.file().title()
            + (hasEnded(headroom) ? ": room for at least " : ": room for ")
            + headroom.rounds()
            + " more of "
            + words(mix)
            + ", by "
            + fleet.strategy());
    TerminalPage.Section section = page.section();
    section.row("at most", Style.PLAIN, atMost(headroom));
    headroom.first().ifPresent(first -> section.row("runs out first", Style.BOLD, first));
    headroom
        .refusal()
        .ifPresent(
            refusal -> {
              String none = refusal.workload() + " finds no node";
              if (refusal.nodes() == 0) {
                section.row("next one", Style.PLAIN, none + ": there are no nodes");
              } else {
                section.row("next one", Style.PLAIN, none + meant(fleet.problem()));
                section.row("", Style.PLAIN, Reasons.counts(refusal), "; ");
              }
            });
    if (hasEnded(headroom)) {
      section.row("next one", Style.PLAIN, "not known: the search ended before it");
    }
    section.end();
    return page;
  }

  /** The end of a sentence: the resource that was probably meant where no node has it. */
  private String meant(Problem problem) {
    Set<String> offered = Doubts.offered(problem);
    return mix.stream()
        .map(part -> Doubts.meant(part.shape(), offered))
        .filter(question -> !question.isEmpty())
        .findFirst()
        .orElse(":");
  }

  /** Whether the search ended before a round that may fit. */
  private static boolean hasEnded(Headroom headroom) {
    return headroom.refusal().isEmpty()
        && headroom.rounds() < headroom.atMost().orElse(Long.MAX_VALUE);
  }

  private static String atMost(Headroom headroom) {
    if (headroom.rounds() == Headroom.MOST) {
      return "the search ends at " + Headroom.MOST;
    }
    return headroom
        .atMost()
        .map(
            most ->
                most == headroom.rounds()
                    ? most + ", which is proven"
                    : most + ", by all that is left together")
        .orElse("nothing bounds it");
  }

  private static String words(List<Headroom.Part> mix) {
    List<String> words = new ArrayList<>();
    for (Headroom.Part part : mix) {
      words.add((part.copies() == 1 ? "" : part.copies() + " x ") + part.shape().name());
    }
    return String.join(" + ", words);
  }

  private static List<List<String>> rows(FleetFile file, Headroom headroom) {
    return List.of(
        List.of("file", "rounds", "at_most", "first"),
        List.of(
            file.title(),
            String.valueOf(headroom.rounds()),
            headroom.atMost().map(String::valueOf).orElse(""),
            headroom.first().orElse("")));
  }
}
