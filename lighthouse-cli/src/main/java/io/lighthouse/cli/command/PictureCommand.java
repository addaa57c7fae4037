package io.lighthouse.cli.command;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.cli.file.FileRun;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.file.SavedFile;
import io.lighthouse.cli.option.OutPath;
import io.lighthouse.cli.option.ProblemOptions;
import io.lighthouse.cli.option.QuietOption;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Style;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.json.Problem;
import io.lighthouse.picture.Picture;
import io.lighthouse.picture.PictureScene;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Draws a fleet. */
@Command(
    name = "picture",
    aliases = "draw",
    description = {
      "Draw the fleet of a file, its workloads placed, as SVG or as a page of HTML.",
      "Two files are drawn as before and after, each as it is: nothing is placed. An arrow shows"
          + " each workload that has another node."
    },
    footer = {
      "",
      "More than 60 nodes are drawn in groups, by domain or by what they have. Exit code 1: some"
          + " workloads of one file are refused.",
      "",
      "Examples:",
      "  lighthouse picture --out fleet.svg fleet.json",
      "  lighthouse picture --out moves.html monday.json tuesday.json",
      "  lighthouse picture --level rack --out racks.svg fleet.json"
    })
public final class PictureCommand implements Callable<Integer> {
  private Terminal terminal;

  /** A file, and what is drawn of it. */
  private record Drawn(String file, PictureScene scene) {}

  @Spec private CommandSpec command;
  @Mixin private ProblemOptions options;
  @Mixin private QuietOption quiet;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = {
        "A problem in JSON or YAML, gzipped or not, or two: before and after. - is standard input."
      })
  private List<String> files = List.of();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      converter = OutPath.class,
      description = "The drawing: NAME.svg, or NAME.html for a page that needs nothing else.")
  private Path out;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description =
          "The level whose domains are drawn (default: where most nodes stand; of these, the one"
              + " with the fewest domains, from two on).")
  private String level;

  public PictureCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    terminal = quiet.applied(terminal);
    boolean html = isHtml();
    List<String> given = FileRun.given(files, terminal, command);
    if (given.size() > 2) {
      throw options.wrong(
          "takes one FILE, or two: before and after; " + given.size() + " are given");
    }
    options.check(terminal);
    List<Drawn> drawn = new ArrayList<>();
    int read =
        FileRun.each(given, terminal, file -> read(file, titles(given), given.size() == 1, drawn));
    if (read != ExitCode.DONE) {
      return read;
    }
    String last = given.get(given.size() - 1);
    return FileRun.each(List.of(last), terminal, file -> draw(drawn, html));
  }

  private boolean isHtml() {
    String name = out.toString().toLowerCase(Locale.ROOT);
    if (!name.endsWith(".svg") && !name.endsWith(".html")) {
      throw options.wrong("--out is '" + out + "'; allowed: a name that ends in .svg or .html");
    }
    return name.endsWith(".html");
  }

  /** The files by their names alone, unless two have the same. */
  private static UnaryOperator<String> titles(List<String> files) {
    Set<String> names = new HashSet<>();
    files.forEach(file -> names.add(name(file)));
    return names.size() == files.size() ? PictureCommand::name : UnaryOperator.identity();
  }

  private static String name(String file) {
    try {
      Path name = Path.of(file).getFileName();
      return name == null ? file : name.toString();
    } catch (InvalidPathException unnameable) {
      return file; // It is reported where it is read.
    }
  }

  private int read(FleetFile file, UnaryOperator<String> titles, boolean place, List<Drawn> drawn) {
    try (Progress progress = new Progress(terminal)) {
      LoadedFleet fleet = LoadedFleet.read(file, options, terminal, progress);
      Problem problem = fleet.problem();
      String title = titles.apply(file.title());
      if (!place) {
        drawn.add(
            new Drawn(
                file.title(),
                PictureScene.asItIs(title, fleet.distributor().snapshot(), problem.workloads())));
        return ExitCode.DONE;
      }
      progress.says("placing the workloads of " + file.title());
      Assignments assignments = fleet.assign(List.of());
      PictureScene scene =
          new PictureScene(
              title,
              fleet.strategy(),
              fleet.distributor().snapshot(),
              problem.workloads(),
              assignments);
      drawn.add(new Drawn(file.title(), scene));
      return ExitCode.DONE;
    }
  }

  private int draw(List<Drawn> drawn, boolean html) throws IOException {
    boolean alone = drawn.size() == 1;
    PictureScene last = drawn.get(drawn.size() - 1).scene();
    Optional<String> wanted = Optional.ofNullable(level);
    Picture picture;
    try {
      picture = alone ? Picture.of(last, wanted) : Picture.of(drawn.get(0).scene(), last, wanted);
    } catch (InvalidInputException wrong) {
      throw new InvalidInputException("--level", wrong.field(), wrong.found(), wrong.allowed());
    }
    String content =
        html ? picture.html() : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + picture.svg();
    SavedFile.save(out, to -> to.write(content.getBytes(StandardCharsets.UTF_8)));
    TerminalPage page = new TerminalPage(terminal);
    page.title(
        drawn.stream().map(Drawn::file).collect(Collectors.joining(", "))
            + ": "
            + picture.summary());
    TerminalPage.Section section = page.section();
    section.row("drawn", Style.PLAIN, picture.groups() + ", to " + out);
    section.row("hot", Style.PLAIN, PictureScene.listed(last.hot()));
    section.row("stranded", Style.PLAIN, PictureScene.listed(last.stranded()));
    section.end();
    page.print(terminal.out());
    return !alone || last.refused().isEmpty() ? ExitCode.DONE : ExitCode.REFUSED;
  }
}
