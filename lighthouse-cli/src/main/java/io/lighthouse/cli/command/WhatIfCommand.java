package io.lighthouse.cli.command;

import io.lighthouse.api.Node;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.advice.WhatIf;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.ProblemOptions;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Style;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.json.SuppositionWords;
import io.lighthouse.json.read.ProblemReader;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.json.write.WhatIfWriter;
import io.lighthouse.picture.Reasons;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what would be if something of a fleet were otherwise. */
@Command(
    name = "what-if",
    description = {
      "Show what changes of the fleet would place, refuse and move.",
      "Nothing is changed. The changes, one after the other:",
      "",
      "  add [N x] cpu=8,mem=32 [in zone=a,...]  nodes come, named new-1, new-2, ...",
      "  remove-node NODE                        a node goes; others take its workloads",
      "  resize NODE cpu=16,...                  other amounts of these resources",
      "  cordon, uncordon NODE|LEVEL=DOMAIN      it takes no new work, or does again",
      "  release WORKLOAD                        a workload goes",
      "  move WORKLOAD NODE                      a placed workload stands there",
      "  scale WORKLOAD=N                        N replicas, WORKLOAD-1 to WORKLOAD-N"
    },
    footer = {
      "",
      "A change is as many words as it has, or one word in quotes. Exit code 1: some would be"
          + " refused.",
      "",
      "Examples:",
      "  lighthouse what-if remove-node n1 fleet.json",
      "  lighthouse what-if add 3 x cpu=8,mem=32 scale web=40 fleet.json",
      "  lighthouse what-if --changes tonight.json fleet.json"
    })
public final class WhatIfCommand extends FileCommand {
  @Mixin private ProblemOptions options;
  @Mixin private AnswerOption output;

  @Parameters(
      paramLabel = "CHANGE... FILE",
      hideParamSyntax = true,
      arity = "1..*",
      description =
          "The changes, as above, and a problem in JSON or YAML, gzipped or not; - is standard"
              + " input.")
  private List<String> words = List.of();

  @Option(
      names = "--changes",
      paramLabel = "FILE",
      description = "Changes from a file, before the others: an array of texts or objects.")
  private String changes;

  @Option(
      names = "--afresh",
      description =
          "Decide the file's workloads anew (default: what has a node now keeps it, unless it is"
              + " taken from it).")
  private boolean afresh;

  /** Set by {@link #prepare}. */
  private String file;

  /** The changes of the file; read by {@link #prepare}. */
  private List<Supposition> listed;

  /** All changes; made by {@link #run}. */
  private List<Supposition> supposed;

  public WhatIfCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void prepare() {
    file = last(words, "CHANGE... FILE");
    options.check(terminal);
    checkReadOnce(changes);
    listed = options.listed("--changes", changes, terminal, ProblemReader.standard()::readChanges);
    List<Supposition> all = supposed(Set.of());
    if (all.isEmpty()) {
      throw options.wrong(
          "what is supposed? give a change, one of "
              + String.join(", ", SuppositionWords.verbs())
              + ", or --changes");
    }
    options.asks(of(Supposition.AddNodes.class, all).map(added -> added.like().resources()));
    options.asks(of(Supposition.Resize.class, all).map(Supposition.Resize::amounts));
  }

  private static <S extends Supposition> Stream<S> of(Class<S> kind, List<Supposition> all) {
    return all.stream().filter(kind::isInstance).map(kind::cast);
  }

  @Override
  List<String> files() {
    return List.of(file);
  }

  /** The changes of the file and the words; words that name one of the nodes mean that node. */
  private List<Supposition> supposed(Set<String> nodes) {
    List<Supposition> all = new ArrayList<>(listed);
    try {
      all.addAll(SuppositionWords.parse(words.subList(0, words.size() - 1), nodes));
    } catch (InvalidInputException unsound) {
      throw options.wrong(unsound.getMessage());
    }
    return all;
  }

  @Override
  int run(FleetFile from) throws IOException {
    LoadedFleet fleet;
    WhatIf answer;
    try (Progress progress = new Progress(terminal)) {
      fleet = LoadedFleet.read(from, options, terminal, progress);
      supposed =
          supposed(fleet.problem().nodes().stream().map(Node::name).collect(Collectors.toSet()));
      progress.says("trying it out");
      answer = answer(fleet);
    }
    if (output.isTable()) {
      page(fleet, answer).print(terminal.out());
    } else {
      output.write(terminal, json -> write(json, fleet, answer), () -> rows(answer));
    }
    return answer.then().refused() == 0 ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private WhatIf answer(LoadedFleet fleet) {
    WhatIf.Placing placing = afresh ? WhatIf.Placing.AFRESH : WhatIf.Placing.GOING_ON;
    try {
      return fleet.distributor().advisor().whatIf(fleet.problem().workloads(), supposed, placing);
    } catch (InvalidInputException wrong) {
      throw SuppositionWords.hinted(wrong, fleet.problem());
    }
  }

  private void write(AnswerWriter json, LoadedFleet fleet, WhatIf answer) {
    json.member("strategy", fleet.strategy());
    json.names("changes", supposed.stream().map(Supposition::toString).toList());
    WhatIfWriter.write(json, answer);
  }

  private static List<List<String>> rows(WhatIf answer) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("workload", "what", "now", "then"));
    for (WhatIf.Fate fate : answer.fates()) {
      rows.add(
          List.of(
              fate.workload(),
              WhatIfWriter.word(fate.kind()),
              fate.now().orElse(""),
              fate.then().orElse("")));
    }
    return rows;
  }

  private TerminalPage page(LoadedFleet fleet, WhatIf answer) {
    TerminalPage page = new TerminalPage(terminal);
    String said = supposed.stream().map(Supposition::toString).collect(Collectors.joining("; "));
    page.title(fleet.file().title() + ", what if: " + said + "; by " + fleet.strategy());
    WhatIf.Figures now = answer.now();
    WhatIf.Figures then = answer.then();
    TerminalPage.Section figures = page.section("fleet", cells("now", "then"));
    figures.set("nodes", cells(now.nodes(), then.nodes()));
    figures.set("nodes in use", cells(now.nodesInUse(), then.nodesInUse()));
    figures.set("placed in all", cells(now.placed(), then.placed()));
    figures.set("refused", cells(now.refused(), then.refused()));
    figures.end();
    TerminalPage.Section fates = page.section("workload", "what becomes of it");
    for (WhatIf.Fate fate : answer.fates()) {
      boolean bad = fate.then().isEmpty() && fate.kind() != WhatIf.Kind.GONE;
      fates.row(fate.workload(), bad ? Style.RED : Style.PLAIN, said(fate));
    }
    fates.end();
    TerminalPage.Section refused =
        page.section("refused", "on how many nodes what stands against it");
    for (Refusal refusal : answer.refusals()) {
      refused.row(refusal.workload(), Style.PLAIN, Reasons.counts(refusal), "; ");
    }
    refused.end();
    return page;
  }

  private static String said(WhatIf.Fate fate) {
    String now = fate.now().orElse("");
    String then = fate.then().orElse("");
    return switch (fate.kind()) {
      case MOVED -> "moves from " + now + " to " + then;
      case PLACED -> "is placed on " + then + ", and refused now";
      case REFUSED -> "is refused, and on " + now + " now";
      case GONE -> now.isEmpty() ? "is gone, and refused now" : "is gone from " + now;
      case NEW -> then.isEmpty() ? "is new, and refused" : "is new, on " + then;
    };
  }

  private static String cells(Object now, Object then) {
    return String.format("%9s%9s", now, then);
  }
}
