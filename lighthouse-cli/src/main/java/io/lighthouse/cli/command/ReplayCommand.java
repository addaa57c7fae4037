package io.lighthouse.cli.command;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.PluginOptions;
import io.lighthouse.cli.option.ProblemOptions;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Style;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemDistributor;
import io.lighthouse.json.log.DecisionRecord;
import io.lighthouse.json.log.RecordDocument;
import io.lighthouse.json.write.AnswerWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Makes recorded decisions again and compares. */
@Command(
    name = "replay",
    description = {
      "Make recorded decisions again, and compare them with the records.",
      "The exit code is 0 where all are the same, and 1 where one differs or was altered."
    },
    footer = {
      "",
      "Examples:",
      "  lighthouse assign --record tuesday.json fleet.json",
      "  lighthouse replay tuesday.json"
    })
public final class ReplayCommand extends FileCommand {
  /** Differences that a table lists at most. */
  private static final int MOST = 20;

  @Mixin private PluginOptions plugins;
  @Mixin private AnswerOption output;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Records in JSON or YAML, gzipped or not; - is standard input.")
  private List<String> files = List.of();

  /** Found by {@link #prepare}. */
  private Distributors installed;

  public ReplayCommand(Terminal terminal) {
    super(terminal);
  }

  /** A workload that has another node than on record. */
  private record Difference(String workload, Optional<String> now, Optional<String> recorded) {}

  /**
   * What came of one record.
   *
   * @param strategy the name of the strategy
   * @param maker what makes the decision now
   * @param hash of the decision that is made now
   */
  private record Replay(
      String strategy,
      RecordDocument document,
      Map<String, String> maker,
      String hash,
      List<Difference> differences) {
    boolean same() {
      return differences.isEmpty() && document.alterations().isEmpty();
    }

    /** What has another version or origin than on record. */
    List<String> others() {
      Map<String, String> made = document.record().madeBy();
      return maker.keySet().stream()
          .filter(part -> !Objects.equals(maker.get(part), made.get(part)))
          .toList();
    }
  }

  @Override
  void prepare() {
    installed = plugins.checked(terminal, command, null);
  }

  @Override
  List<String> files() {
    return files;
  }

  @Override
  int run(FleetFile file) throws IOException {
    Replay replay;
    try (Progress progress = new Progress(terminal)) {
      RecordDocument document = file.read(terminal, progress, RecordDocument::read);
      progress.says("deciding again");
      try {
        replay = decided(document);
      } catch (InvalidInputException unknown) {
        throw plugins.hinted(unknown);
      }
    }
    if (output.isTable()) {
      page(file, replay).print(terminal.out());
    } else {
      output.write(terminal, json -> write(json, file, replay), () -> rows(file, replay));
    }
    return replay.same() ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private Replay decided(RecordDocument document) {
    DecisionRecord record = document.record();
    Problem problem = record.problem();
    String strategy = problem.strategy().orElse(ProblemOptions.DEFAULT_STRATEGY);
    Distributor fleet = ProblemDistributor.of(installed.strategy(strategy), problem);
    AssignOption[] options =
        record.allOrNothing()
            ? new AssignOption[] {AssignOption.ALL_OR_NOTHING}
            : new AssignOption[0];
    Assignments now = fleet.assign(problem.workloads(), options);
    Map<String, Optional<String>> recorded = record.answer().asMap();
    List<Difference> differences = new ArrayList<>();
    for (int i = 0; i < now.size(); i++) {
      String workload = now.workload(i);
      Optional<String> before = recorded.getOrDefault(workload, Optional.empty());
      if (!now.node(i).equals(before)) {
        differences.add(new Difference(workload, now.node(i), before));
      }
    }
    DecisionRecord made = DecisionRecord.of(fleet.strategy(), record.allOrNothing(), problem, now);
    return new Replay(strategy, document, made.madeBy(), made.hash(), differences);
  }

  private TerminalPage page(FleetFile file, Replay replay) {
    TerminalPage page = new TerminalPage(terminal);
    int workloads = replay.document().record().answer().size();
    page.title(
        file.title()
            + ": "
            + (replay.same() ? "the same decision about " : "not the same decision about ")
            + Plural.of(workloads, "workload")
            + ", by "
            + replay.strategy());
    TerminalPage.Section about = page.section();
    about.row("hash", Style.PLAIN, replay.hash());
    if (!replay.same()) {
      about.row("on record", Style.PLAIN, replay.document().record().hash());
      Map<String, String> made = replay.document().record().madeBy();
      for (String part : replay.others()) {
        about.row(
            part,
            Style.PLAIN,
            replay.maker().get(part) + "; on record " + made.getOrDefault(part, "nothing"));
      }
      if (!replay.differences().isEmpty() && replay.document().alterations().isEmpty()) {
        about.row("why", Style.PLAIN, why(replay));
      }
    }
    about.end();
    TerminalPage.Section altered = page.section("altered", "what does not agree with its digest");
    for (int i = 0; i < replay.document().alterations().size(); i++) {
      altered.row(String.valueOf(i + 1), Style.RED, replay.document().alterations().get(i));
    }
    altered.end();
    TerminalPage.Section differences = page.section("workload", "goes to");
    replay.differences().stream()
        .limit(MOST)
        .forEach(
            one ->
                differences.row(
                    one.workload(),
                    Style.RED,
                    one.now().orElse("no node")
                        + "; on record "
                        + one.recorded().orElse("no node")));
    if (replay.differences().size() > MOST) {
      differences.row("...", Style.PLAIN, replay.differences().size() - MOST + " more");
    }
    differences.end();
    return page;
  }

  private static String why(Replay replay) {
    List<String> others = replay.others();
    if (others.contains("strategy")) {
      return "the strategy comes from elsewhere";
    }
    return others.contains("lighthouse")
        ? "another version of Lighthouse"
        : "nothing on record is different: the strategy is not deterministic, or was changed in"
            + " place";
  }

  private static void write(AnswerWriter json, FleetFile file, Replay replay) {
    json.member("file", file.title()).member("strategy", replay.strategy());
    json.member("same", replay.same());
    json.member(DecisionRecord.DECISION, replay.hash());
    json.member("on_record", replay.document().record().hash());
    json.names("altered", replay.document().alterations());
    json.objects(
        "differences",
        replay.differences(),
        (inside, one) ->
            inside
                .member("workload", one.workload())
                .member("node", one.now().orElse(null))
                .member("on_record", one.recorded().orElse(null)));
    json.names("others", replay.others());
  }

  private static List<List<String>> rows(FleetFile file, Replay replay) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("file", "workload", "node", "on_record"));
    for (Difference one : replay.differences()) {
      rows.add(
          List.of(file.title(), one.workload(), one.now().orElse(""), one.recorded().orElse("")));
    }
    return rows;
  }
}
