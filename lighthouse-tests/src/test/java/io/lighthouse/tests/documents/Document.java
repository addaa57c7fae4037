package io.lighthouse.tests.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A Markdown page and the code on it. Under one heading, the blocks marked {@code java} are one
 * program, and the blocks marked {@code text} are together what it prints. A block of nothing but
 * imports holds for the whole page; a block that begins with {@code package} or {@code module} is a
 * source file of its own.
 *
 * @param path where the page is
 * @param text all of it
 */
record Document(Path path, String text) {
  private static final Pattern FENCED =
      Pattern.compile("^```(\\w*)\\R(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern HEADING = Pattern.compile("^#+ ", Pattern.MULTILINE);
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]+)(#[^)]*)?\\)");

  private static final Pattern PLACE = Pattern.compile("\\]\\(((?:[^)#:\\s]+)?#[^)\\s]+)\\)");
  private static final Pattern TITLE = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);

  /** A page of the checkout, by its path from the root. */
  static Document of(String path) {
    Path file = root().resolve(path);
    try {
      return new Document(file, Files.readString(file));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static Path root() {
    return Path.of(System.getProperty("lighthouse.root", "..")).toAbsolutePath().normalize();
  }

  /** A block of code: its mark, what stands in it, and the line of the page where it begins. */
  record Block(String mark, String code, int line) {
    boolean isSourceFile() {
      return mark.equals("java") && code.matches("(?s)(package|module) .*");
    }

    boolean isContractTest() {
      return isSourceFile() && code.contains(" extends StrategyContract ");
    }

    boolean isImportsOnly() {
      return mark.equals("java")
          && code.lines().allMatch(line -> line.isBlank() || line.startsWith("import "));
    }

    boolean isStatements() {
      return mark.equals("java") && !isSourceFile() && !isImportsOnly();
    }

    long linesOfCode() {
      return code.lines().filter(line -> !line.isBlank()).count();
    }
  }

  /** The statements under one heading, and what the page says that they print. */
  record Program(String heading, String code, String printed) {}

  /** Links to a heading of this or another page: {@code page.md#heading}. */
  List<String> places() {
    return PLACE
        .matcher(FENCED.matcher(text).replaceAll(""))
        .results()
        .map(result -> result.group(1))
        .toList();
  }

  /** What links to its headings name, as GitHub and most renderers make it. */
  Set<String> anchors() {
    Set<String> anchors = new HashSet<>();
    Matcher title = TITLE.matcher(FENCED.matcher(text).replaceAll(""));
    while (title.find()) {
      String anchor =
          title
              .group(1)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      String numbered = anchor;
      for (int again = 1; !anchors.add(numbered); again++) {
        numbered = anchor + "-" + again;
      }
    }
    return anchors;
  }

  List<Block> blocks() {
    return blocks(0, text.length());
  }

  private List<Block> blocks(int from, int to) {
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = FENCED.matcher(text).region(from, to);
    while (matcher.find()) {
      int line = 1 + (int) text.substring(0, matcher.start()).lines().count();
      blocks.add(new Block(matcher.group(1), matcher.group(2), line));
    }
    return blocks;
  }

  /** The source files on the page, in order, but those that use the contract kit. */
  List<String> sourceFiles() {
    return blocks().stream()
        .filter(block -> block.isSourceFile() && !block.isContractTest())
        .map(Block::code)
        .collect(Collectors.toUnmodifiableList());
  }

  /** The contract tests on the page, in order. */
  List<String> contractTests() {
    return blocks().stream()
        .filter(Block::isContractTest)
        .map(Block::code)
        .collect(Collectors.toUnmodifiableList());
  }

  /** The programs on the page, in order. */
  List<Program> programs() {
    String imports =
        blocks().stream()
            .filter(Block::isImportsOnly)
            .map(Block::code)
            .collect(Collectors.joining());
    List<Program> programs = new ArrayList<>();
    List<Integer> headings =
        HEADING
            .matcher(text)
            .results()
            .map(result -> result.start())
            .filter(start -> !inBlock(start))
            .collect(Collectors.toCollection(ArrayList::new));
    headings.add(text.length());
    for (int i = 0; i + 1 < headings.size(); i++) {
      List<Block> blocks = blocks(headings.get(i), headings.get(i + 1));
      String code =
          blocks.stream()
              .filter(Block::isStatements)
              .map(Block::code)
              .collect(Collectors.joining());
      String printed =
          blocks.stream()
              .filter(block -> block.mark().equals("text"))
              .map(Block::code)
              .collect(Collectors.joining());
      if (!code.isEmpty()) {
        String heading = text.substring(headings.get(i)).lines().findFirst().orElseThrow();
        programs.add(new Program(heading, imports + code, printed));
      }
    }
    return programs;
  }

  private boolean inBlock(int index) {
    return FENCED.matcher(text).results().anyMatch(r -> r.start() < index && index < r.end());
  }

  /** The targets of relative links, as written. */
  List<String> links() {
    String prose = FENCED.matcher(text).replaceAll("");
    return LINK.matcher(prose)
        .results()
        .map(result -> result.group(1))
        .collect(Collectors.toUnmodifiableList());
  }
}
