package io.lighthouse.tests.documents;

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
import java.util.List;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Projects of other authors, as the documents print them and as they are in {@code src/it}: each is
 * built by Maven in an empty folder, against the modules of this build. The number of laws that ran
 * is checked, as a build that runs none of them succeeds, too.
 */
@Tag("maven")
class ProjectsIT {
  private static final List<String> MODULES =
      List.of("lighthouse-api", "lighthouse-core", "lighthouse-strategies", "lighthouse-tests");
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>lighthouse-bom</artifactId>\\s*<version>(.*?)</version>");
  private static final Pattern RESULT =
      Pattern.compile("Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+)");

  /** The first line of a block that is a whole file: a comment with its name. */
  private static final Pattern FILE_NAME = Pattern.compile("(?:<!--|//) (\\S+)(?: -->)?\n");

  private static Path repository;

  @TempDir private Path folder;

  /** What Maven printed to its end, and its exit code. */
  private record Build(int code, String output) {
    /** The last result that Surefire printed, such as {@code Tests run: 30, Failures: 0, ...}. */
    MatchResult tests() {
      List<MatchResult> results = RESULT.matcher(output).results().toList();
      assertThat(results).as(output).isNotEmpty();
      return results.get(results.size() - 1);
    }
  }

  /** A local repository with what is in the user's own, but with the modules of this build. */
  @BeforeAll
  static void install() throws IOException {
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
  @ValueSource(strings = {"docs/contract-kit.md", "docs/writing-a-strategy.md"})
  void aProjectOfADocumentKeepsEveryLaw(String page) throws IOException, InterruptedException {
    writeProject(Document.of(page));

    assertKept(test(), StrategyContract.class);
  }

  @Test
  void theKitsPageSaysHowManyLawsThereAre() {
    assertThat(Document.of("docs/contract-kit.md").text())
        .contains("there are " + laws(StrategyContract.class) + " laws");
  }

  @Test
  void aBrokenStrategyFailsTheBuild() throws IOException, InterruptedException {
    writeProject(Document.of("docs/contract-kit.md"));
    Path strategy = folder.resolve("src/main/java/org/example/EmptiestFirst.java");
    String code = Files.readString(strategy);
    String broken = code.replace("candidates.first(emptiest)", "candidates.decline()");
    assertThat(broken).isNotEqualTo(code);
    Files.writeString(strategy, broken);

    Build build = test();

    assertThat(build.code()).as(build.output()).isNotZero();
    assertThat(build.tests().group(1)).isEqualTo(laws(StrategyContract.class));
    assertThat(Integer.parseInt(build.tests().group(2))).as(build.output()).isPositive();
  }

  @Test
  void theStrategyOfAnotherAuthorKeepsEveryLaw() throws IOException, InterruptedException {
    copyProject("emptiest-first");

    assertKept(test(), StrategyContract.class);
  }

  @Test
  void theRuleOfAnotherAuthorKeepsEveryLaw() throws IOException, InterruptedException {
    copyProject("near-data");

    assertKept(test(), RuleContract.class);
  }

  /** {@code TutorialsIT} builds the same sources without Maven, and runs the program. */
  @Test
  void theProjectOfTheJavaTutorialIsBuilt() throws IOException, InterruptedException {
    for (Block block : Document.of("docs/tutorials/java.md").blocks()) {
      Matcher name = FILE_NAME.matcher(block.code());
      if (name.lookingAt()) {
        boolean source = name.group(1).endsWith(".java");
        Path file = folder.resolve(source ? "src/main/java" : "").resolve(name.group(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, block.code());
      }
    }

    Build build = maven("compile");

    assertThat(build.code()).as(build.output()).isZero();
    assertThat(folder.resolve("target/classes/module-info.class")).exists();
    assertThat(folder.resolve("target/classes/shop/Shop.class")).exists();
  }

  private static void assertKept(Build build, Class<?> contract) {
    assertThat(build.code()).as(build.output()).isZero();
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

  /** The POM and all source files of a page, each where the page says that it belongs. */
  private void writeProject(Document page) throws IOException {
    List<Block> poms =
        page.blocks().stream().filter(block -> block.code().contains("<project ")).toList();
    assertThat(poms).hasSize(1);
    Files.writeString(folder.resolve("pom.xml"), poms.get(0).code());
    for (String source : page.sourceFiles()) {
      write("src/main/java", source);
    }
    assertThat(page.contractTests()).isNotEmpty();
    for (String test : page.contractTests()) {
      write("src/test/java", test);
    }
  }

  private void write(String sources, String code) throws IOException {
    Path file = folder.resolve(sources).resolve(Workbench.fileName(code));
    Files.createDirectories(file.getParent());
    Files.writeString(file, code);
  }

  private void copyProject(String name) throws IOException {
    Path project = Document.root().resolve("lighthouse-tests/src/it").resolve(name);
    try (Stream<Path> files = Files.walk(project)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = folder.resolve(project.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  /** Runs the tests of the project, each law a few times only. */
  private Build test() throws IOException, InterruptedException {
    return maven("test", "-DargLine=-Djqwik.tries.default=10");
  }

  private Build maven(String... words) throws IOException, InterruptedException {
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
    Process process = maven.start();
    if (!process.waitFor(5, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    return new Build(process.exitValue(), Files.readString(output));
  }
}
