package io.lighthouse.tests.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The POMs: what is published has all that Maven Central demands, and needs nothing that is not.
 */
class PublicationTest {
  private static final Path ROOT = Path.of(System.getProperty("lighthouse.root")).normalize();
  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
  private static final Pattern ARTIFACT =
      Pattern.compile("<artifactId>(lighthouse-.*?)</artifactId>");
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>.*?</dependency>", Pattern.DOTALL);

  private static String pom(String module) throws IOException {
    return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(result -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The modules in the BOM: those, the BOM and the parent are published. */
  private static Set<String> published() throws IOException {
    String bom = pom("lighthouse-bom");
    return found(ARTIFACT, bom.substring(bom.indexOf("<dependencyManagement>")));
  }

  @Test
  void whatIsInTheBomIsPublishedAndNothingElse() throws IOException {
    Set<String> modules = found(MODULE, pom(""));
    modules.remove("lighthouse-bom");
    Set<String> deployed = new TreeSet<>();
    for (String module : modules) {
      if (!pom(module).contains("<maven.deploy.skip>true</maven.deploy.skip>")) {
        deployed.add(module);
      }
    }

    assertThat(deployed).isNotEmpty().isEqualTo(published());
  }

  @Test
  void eachPublishedModuleHasWhatCentralDemands() throws IOException {
    for (String module : published()) {
      assertThat(pom(module))
          .as(module)
          .contains("<artifactId>lighthouse-parent</artifactId>", "<name>", "<description>")
          .doesNotContain("<maven.javadoc.skip>", "<maven.source.skip>");
    }
    for (String module : List.of("", "lighthouse-bom")) {
      assertThat(pom(module).split("<dependencyManagement>")[0])
          .as(module)
          .contains("<name>", "<description>", "<licenses>", "<developers>", "<connection>")
          .containsPattern("</description>\\s*<url>")
          .containsPattern("<scm[^>]*>\\s*<connection>[^<]*</connection>\\s*<url>");
    }
  }

  @Test
  void thePublishedModulesNeedNoOthers() throws IOException {
    Set<String> published = published();
    for (String module : published) {
      Set<String> needed = new TreeSet<>();
      DEPENDENCY
          .matcher(pom(module))
          .results()
          .map(result -> result.group())
          .filter(dependency -> !dependency.contains("<scope>test</scope>"))
          .forEach(dependency -> needed.addAll(found(ARTIFACT, dependency)));

      assertThat(published).as(module).containsAll(needed);
    }
  }

  @Test
  void theBomRepeatsTheParent() throws IOException {
    for (String tag : List.of("version", "lighthouse.home")) {
      Pattern value = Pattern.compile("<" + tag + ">(.*?)</" + tag + ">");
      assertThat(value.matcher(pom("lighthouse-bom")).results().findFirst().orElseThrow().group())
          .isEqualTo(value.matcher(pom("")).results().findFirst().orElseThrow().group());
    }
  }

  @Test
  void skippedTestsAreAlsoSkippedIntegrationTests() throws IOException {
    assertThat(pom("")).contains("<skipITs>${skipTests}</skipITs>");
  }
}
