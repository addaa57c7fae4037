package io.lighthouse.tests.documents;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.tests.contract.RuleContract;
import io.lighthouse.tests.contract.StrategyContract;
import io.lighthouse.tests.documents.Document.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.jqwik.api.Property;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Projects of other authors, as the documents print them and as they are in {@code src/it}: each is
 * built by Maven in an empty folder, against the modules of this build. Those that test are built
 * by one process of Maven, which knows no more of each than its own POM. The number of laws that
 * ran is checked, as a build that runs none of them succeeds, too.
 */
@Tag("maven")
class ProjectsIT {
  private static final List<String> MODULES =
      List.of("lighthouse-api", "lighthouse-core", "lighthouse-strategies", "lighthouse-tests");
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>lighthouse-bom</artifactId>\\s*<version>(.*?)</version>");
  private static final Pattern RESULT =
      Pattern.compile("Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+)");

  /** Where Maven's output about the next project begins. */
  private static final Pattern PROJECT = Pattern.compile("(?m)^\\[INFO] -+< \\S+ >-+$");

  /** A line of Maven's summary. */
  private static final Pattern ENDED =
      Pattern.compile("(?m)^\\[INFO] .* \\.* (SUCCESS|FAILURE|SKIPPED)\\b");

  /** The page with the POM of all projects that the documents print. */
  private static final String KIT = "docs/contract-kit.md";

  private static final List<String> PAGES = List.of(KIT, "docs/writing-a-strategy.md");
  private static final List<String> SOURCES = List.of("emptiest-first", "near-data");
  private static final String BROKEN = "broken";

  /** The first line of a block that is a whole file: a comment with its name. */
  private static final Pattern FILE_NAME = Pattern.compile("(?:<!--|//) (\\S+)(?: -->)?\n");

  private static Path repository;

  /** How each project was built that has tests. */
  private static final Map<String, Build> BUILT = new LinkedHashMap<>();

  /** What Maven printed of a project, and whether it could build it. */
  private record Build(boolean success, String output) {
    /** The last result that Surefire printed, such as {@code Tests run: 30, Failures: 0, ...}. */
    MatchResult tests() {
      List<MatchResult> results = RESULT.matcher(output).results().toList();
      assertThat(results).as(output).isNotEmpty();
      return results.get(results.size() - 1);
    }
  }

  /** Builds all that have tests, each of whose laws is tried a few times only. */
  @BeforeAll
  static void build(@TempDir Path folder) throws IOException, InterruptedException {
    install();
    for (String page : PAGES) {
      writeProject(Document.of(page), Files.createDirectories(folder.resolve(name(page))));
    }
    writeBroken(Files.createDirectories(folder.resolve(BROKEN)));
    for (String source : SOURCES) {
      copyProject(source, folder.resolve(name(source)));
    }
    List<String> names =
        Stream.of(PAGES, List.of(BROKEN), SOURCES)
            .flatMap(List::stream)
            .map(ProjectsIT::name)
            .toList();
    Files.writeString(
        folder.resolve("pom.xml"),
        """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>all</groupId>
          <artifactId>all</artifactId>
          <version>1</version>
          <packaging>pom</packaging>
          <modules>
        """
            + names.stream().map(name -> "<module>" + name + "</module>\n").collect(joining())
            + "</modules></project>");
    String output =
        maven(
                folder,
                "--fail-at-end",
                "test",
                "-DargLine=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djqwik.tries.default=10")
            .output();
    // The last part and the last line are those of the aggregator.
    String[] parts = PROJECT.split(output);
    List<MatchResult> ended = ENDED.matcher(output).results().toList();
    assertThat(parts).as(output).hasSize(names.size() + 2);
    assertThat(ended).as(output).hasSize(names.size() + 1);
    for (int i = 0; i < names.size(); i++) {
      String part = parts[i + 1].replaceFirst("(?s)\\[INFO] Reactor Summary.*", "");
      BUILT.put(names.get(i), new Build(ended.get(i).group(1).equals("SUCCESS"), part));
    }
  }

  /** The folder of a project: the last part of its page or source. */
  private static String name(String project) {
    return SOURCES.contains(project)
        ? "it-" + project
        : project.replaceFirst(".*/", "").replace(".md", "");
  }

  /** A local repository with what is in the user's own, but with the modules of this build. */
  private static void install() throws IOException {
    repository = Path.of(System.getProperty("lighthouse.build"), "repository");
    Path users = Path.of(System.getProperty("lighthouse.repository"));
    linkAllBut("io", users, repository);
    linkAllBut("lighthouse", users.resolve("io"), repository.resolve("io"));
    Path root = Document.root();
    install("lighthouse-parent", root.resolve("pom.xml"), "pom");
    install("lighthouse-bom", root.resolve("lighthouse-bom/pom.xml"), "pom");
    Path tests = Path.of(System.getProperty("lighthouse.build"));
    Path target = root.resolve("lighthouse-tests").relativize(tests.toAbsolutePath().normalize());
    for (String module : MODULES) {
      install(module, root.resolve(module).resolve("pom.xml"), "pom");
      String jar = module + "-" + version() + ".jar";
      install(module, root.resolve(module).resolve(target).resolve(jar), "jar");
    }
  }

  private static void linkAllBut(String own, Path from, Path into) throws IOException {
    Files.createDirectories(into.resolve(own));
    try (Stream<Path> groups = Files.list(from)) {
      for (Path group : groups.toList()) {
        Path link = into.resolve(group.getFileName());
        if (Files.notExists(link)) {
          Files.createSymbolicLink(link, group);
        }
      }
    }
  }

  private static void install(String module, Path file, String kind) throws IOException {
    Path into = repository.resolve(Path.of("io", "lighthouse", module, version()));
    Files.createDirectories(into);
    Files.copy(
        file,
        into.resolve(module + "-" + version() + "." + kind),
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** The version of this build, which the printed projects must name. */
  private static String version() throws IOException {
    String bom = Files.readString(Document.root().resolve("lighthouse-bom/pom.xml"));
    return VERSION.matcher(bom).results().findFirst().orElseThrow().group(1);
  }

  @ParameterizedTest
  @FieldSource("PAGES")
  void aProjectOfADocumentKeepsEveryLaw(String page) {
    assertKept(BUILT.get(name(page)), StrategyContract.class);
  }

  @Test
  void theKitsPageSaysHowManyLawsThereAre() {
    assertThat(Document.of(KIT).text())
        .contains("there are " + laws(StrategyContract.class) + " laws");
  }

  @Test
  void aBrokenStrategyFailsTheBuild() {
    Build build = BUILT.get(BROKEN);

    assertThat(build.success()).as(build.output()).isFalse();
    assertThat(build.tests().group(1)).isEqualTo(laws(StrategyContract.class));
    assertThat(Integer.parseInt(build.tests().group(2))).as(build.output()).isPositive();
  }

  @Test
  void theStrategyOfAnotherAuthorKeepsEveryLaw() {
    assertKept(BUILT.get(name("emptiest-first")), StrategyContract.class);
  }

  @Test
  void theRuleOfAnotherAuthorKeepsEveryLaw() {
    assertKept(BUILT.get(name("near-data")), RuleContract.class);
  }

  /** {@code TutorialsIT} builds the same sources without Maven, and runs the program. */
  @Test
  void theProjectOfTheJavaTutorialIsBuilt(@TempDir Path folder)
      throws IOException, InterruptedException {
    for (Block block : Document.of("docs/tutorials/java.md").blocks()) {
      Matcher name = FILE_NAME.matcher(block.code());
      if (name.lookingAt()) {
        boolean source = name.group(1).endsWith(".java");
        Path file = folder.resolve(source ? "src/main/java" : "").resolve(name.group(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, block.code());
      }
    }

    Build build = maven(folder, "compile");

    assertThat(build.success()).as(build.output()).isTrue();
    assertThat(folder.resolve("target/classes/module-info.class")).exists();
    assertThat(folder.resolve("target/classes/shop/Shop.class")).exists();
  }

  private static void assertKept(Build build, Class<?> contract) {
    assertThat(build.success()).as(build.output()).isTrue();
    assertThat(build.tests().group(1)).isEqualTo(laws(contract));
    assertThat(build.tests().group(2)).isEqualTo("0");
    assertThat(build.tests().group(3)).isEqualTo("0");
    assertThat(build.tests().group(4)).isEqualTo("0");
  }

  private static String laws(Class<?> contract) {
    return Arrays.stream(contract.getMethods())
            .filter(method -> method.isAnnotationPresent(Property.class))
            .count()
        + "";
  }

  /** The POM of the kit under the name of the folder, and all source files of a page. */
  private static void writeProject(Document page, Path folder) throws IOException {
    List<Block> poms =
        Document.of(KIT).blocks().stream()
            .filter(block -> block.code().contains("<project "))
            .toList();
    assertThat(poms).hasSize(1);
    Files.writeString(folder.resolve("pom.xml"), poms.get(0).code());
    replace(folder.resolve("pom.xml"), ">emptiest-first<", ">" + folder.getFileName() + "<");
    for (String source : page.sourceFiles()) {
      write(folder.resolve("src/main/java"), source);
    }
    assertThat(page.contractTests()).isNotEmpty();
    for (String test : page.contractTests()) {
      write(folder.resolve("src/test/java"), test);
    }
  }

  /** The project of the kit's page with a strategy that declines all. */
  private static void writeBroken(Path folder) throws IOException {
    writeProject(Document.of(KIT), folder);
    replace(
        folder.resolve("src/main/java/org/example/EmptiestFirst.java"),
        "candidates.first(emptiest)",
        "candidates.decline()");
  }

  private static void replace(Path file, String before, String after) throws IOException {
    String text = Files.readString(file);
    assertThat(text).contains(before);
    Files.writeString(file, text.replace(before, after));
  }

  private static void write(Path sources, String code) throws IOException {
    Path file = sources.resolve(Workbench.fileName(code));
    Files.createDirectories(file.getParent());
    Files.writeString(file, code);
  }

  private static void copyProject(String name, Path folder) throws IOException {
    Path project = Document.root().resolve("lighthouse-tests/src/it").resolve(name);
    try (Stream<Path> files = Files.walk(project)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = folder.resolve(project.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  private static Build maven(Path folder, String... words)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp"));
    command.add("-Dmaven.repo.local=" + repository);
    command.addAll(List.of(words));
    ProcessBuilder maven =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    maven.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    Process process = maven.start();
    if (!process.waitFor(30, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    return new Build(process.exitValue() == 0, Files.readString(output));
  }
}
