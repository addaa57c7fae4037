package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lighthouse.cli.page.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The distribution that {@code mvn -Pdist package} makes, unpacked to a folder of its own and run
 * with an environment that knows no Java. Without the profile there is nothing to test.
 */
class DistributionIT {
  @TempDir private static Path directory;
  private static Path command;

  @BeforeAll
  static void unpack() throws IOException, InterruptedException {
    Path build = Path.of(System.getProperty("lighthouse.build"));
    Path archive;
    try (Stream<Path> files = Files.list(build)) {
      archive = files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElse(null);
    }
    assumeTrue(archive != null, "no distribution: it is made with -Pdist");
    Path folder = Files.createDirectory(directory.resolve("a folder with blanks"));
    assertThat(
            new ProcessBuilder("tar", "-C", folder.toString(), "-xzf", archive.toString())
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
    try (Stream<Path> unpacked = Files.list(folder)) {
      command = unpacked.findFirst().orElseThrow().resolve("bin/lighthouse");
    }
  }

  private static Run run(String input, String... words) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(command.toString()));
    all.addAll(List.of(words));
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(all).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().clear();
    // What a shell script needs, and nothing of a JDK.
    Path tools = directory.resolve("tools");
    Files.createDirectories(tools);
    for (String tool : List.of("readlink")) {
      Path link = tools.resolve(tool);
      if (Files.notExists(link)) {
        Files.createSymbolicLink(link, Path.of("/usr/bin", tool));
      }
    }
    builder.environment().put("PATH", tools.toString());
    Process process = builder.start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  @Test
  void tellsItsVersion() throws IOException, InterruptedException {
    Run run = run("", "--version");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("lighthouse ");
    assertThat(run.code()).isZero();
  }

  @Test
  void hasAReadmeOfItsOwnThatSaysWhatIsThere() throws IOException, InterruptedException {
    Path root = command.getParent().getParent();
    String readme = Files.readString(root.resolve("README.md"));
    List<String> named =
        Pattern.compile("(?m)^\\| `(.*?)`")
            .matcher(readme)
            .results()
            .map(row -> row.group(1))
            .toList();
    assertThat(named).hasSize(5).allMatch(file -> Files.exists(root.resolve(file)));

    Matcher problem = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL).matcher(readme);
    assertThat(problem.find()).isTrue();
    Run run = run(problem.group(1), "assign", "--output", "json", "-");
    assertThat(run.out()).contains("\"w\":\"n1\"");
    assertThat(run.code()).isZero();
  }

  @Test
  void placesTheExampleAndAPipe() throws IOException, InterruptedException {
    Run file = run("", "assign", Examples.file("fleet.json").toString());
    assertThat(file.err()).isEmpty();
    assertThat(file.out().replaceAll("\\s+", " "))
        .contains("1 placed before, 25 placed now, 0 refused by bin-pack");
    assertThat(file.code()).isZero();
    Run pipe = run(Files.readString(Examples.file("semaphore.json")), "assign", "-o", "yaml");
    assertThat(pipe.err()).isEmpty();
    assertThat(pipe.out()).startsWith("---\nstrategy: prioritized\n");
  }

  @Test
  void knowsEveryStrategyAndHasTheService() throws IOException, InterruptedException {
    assertThat(run("", "strategies").out()).contains("bin-pack", "prioritized", "round-robin");
    Run busy = run("", "serve", "--bind", "192.0.2.1", "--port", "1");
    assertThat(busy.err()).contains("cannot listen on 192.0.2.1:1");
    assertThat(busy.code()).isEqualTo(3);
  }

  @Test
  void hasAManualPageOfEachCommand() throws IOException {
    Map<String, String> pages = pages();
    Set<String> names = new TreeSet<>();
    addPages(Main.commandLine(Terminal.ofProcess()), "lighthouse", names);
    assertThat(pages.keySet()).isEqualTo(names);
    String date = dateOfTheVersion();
    pages.forEach(
        (name, page) -> {
          String title = name.substring(0, name.length() - 2).toUpperCase(Locale.ROOT);
          // Comments, the title, and a date that no clock and no file gave.
          assertThat(page.lines().dropWhile(line -> line.matches("(\\.|')\\\\\".*")).findFirst())
              .hasValueSatisfying(
                  line ->
                      assertThat(line.replace("\\-", "-"))
                          .startsWith(".TH \"" + title + "\" \"1\" \"" + date + "\" "));
        });
  }

  private static String dateOfTheVersion() throws IOException {
    String pom = Files.readString(Path.of(System.getProperty("lighthouse.root"), "pom.xml"));
    Matcher date = Pattern.compile("<lighthouse.date>(.*)</lighthouse.date>").matcher(pom);
    assertThat(date.find()).as("the POM has the date of the version").isTrue();
    return date.group(1);
  }

  /** The page of a command and those of its subcommands, which have none under their aliases. */
  private static void addPages(CommandLine command, String name, Set<String> names) {
    names.add(name + ".1");
    command
        .getSubcommands()
        .forEach(
            (word, inner) -> {
              if (word.equals(inner.getCommandName())) {
                addPages(inner, name + "-" + word, names);
              }
            });
  }

  @Test
  void hasEveryOptionInTheSynopsisOfItsPage() throws IOException {
    pages()
        .forEach(
            (name, page) -> {
              String text = page.replaceAll("\\\\f.", "").replace("\\-", "-");
              int end = text.indexOf(".SH \"DESCRIPTION\"");
              String synopsis = text.substring(text.indexOf(".SH \"SYNOPSIS\""), end);
              List<String> options =
                  Pattern.compile("(?m)^(?:-., )?(--[a-z-]+)=")
                      .matcher(text.substring(end))
                      .results()
                      .map(option -> option.group(1))
                      .toList();
              for (String option : options) {
                String known = option.equals("--output") ? "-o=" : option + "=";
                assertThat(synopsis).as(name).contains(known);
              }
              assertThat(synopsis).as(name).doesNotContain("_", "*");
            });
    assertThat(pages().get("lighthouse-assign.1")).contains("NAME=WEIGHT[,...]");
  }

  @Test
  void hasPagesThatGroffRenders() throws IOException, InterruptedException {
    Path groff = Path.of("/usr/bin/groff");
    assumeTrue(Files.isExecutable(groff), "no groff");
    for (String name : pages().keySet()) {
      Path out = directory.resolve("page");
      Path err = directory.resolve("warnings");
      Process process =
          new ProcessBuilder(
                  groff.toString(), "-man", "-Tascii", "-P-cbou", manual().resolve(name).toString())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(name).isZero();
      assertThat(Files.readString(err)).as(name).isEmpty();
      String command = name.substring(0, name.length() - 2);
      assertThat(Files.readString(out))
          .as(name)
          .contains("NAME\n       " + command + " - ", "SYNOPSIS\n       lighthouse");
    }
  }

  private static Path manual() {
    return command.resolveSibling("../share/man/man1");
  }

  private static Map<String, String> pages() throws IOException {
    Map<String, String> pages = new TreeMap<>();
    try (Stream<Path> files = Files.list(manual())) {
      for (Path file : files.toList()) {
        pages.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return pages;
  }
}
