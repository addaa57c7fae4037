package io.lighthouse.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every relative link of every page leads somewhere. */
class LinksTest {

  @Test
  void everyLinkLeadsToAFile() throws IOException {
    List<String> broken = new ArrayList<>();
    List<Path> pages = pages();
    for (Path page : pages) {
      for (String link : Document.of(Document.root().relativize(page).toString()).links()) {
        if (!Files.exists(page.resolveSibling(link))) {
          broken.add(Document.root().relativize(page) + " -> " + link);
        }
      }
    }

    assertThat(pages).hasSizeGreaterThan(8);
    assertThat(broken).isEmpty();
  }

  @Test
  void everyPageHasATextAndEveryPlaceInAPageIsThere() throws IOException {
    List<String> broken = new ArrayList<>();
    int places = 0;
    for (Path page : pages()) {
      Document document = Document.of(Document.root().relativize(page).toString());
      assertThat(document.text().strip()).as(page.toString()).startsWith("#");
      for (String place : document.places()) {
        int mark = place.indexOf('#');
        Path target = mark == 0 ? page : page.resolveSibling(place.substring(0, mark));
        if (target.toString().endsWith(".md") && Files.exists(target)) {
          places++;
          Document there = Document.of(Document.root().relativize(target.normalize()).toString());
          if (!there.anchors().contains(place.substring(mark + 1))) {
            broken.add(Document.root().relativize(page) + " -> " + place);
          }
        }
      }
    }

    assertThat(places).isGreaterThan(60);
    assertThat(broken).isEmpty();
  }

  @Test
  void everyPageIsOnTheMap() throws IOException {
    Path docs = Document.root().resolve("docs");
    List<Path> listed = new ArrayList<>();
    for (String link : Document.of("docs/README.md").links()) {
      listed.add(docs.resolve(link).normalize());
    }
    List<Path> there = new ArrayList<>();
    for (Path folder : List.of(docs, docs.resolve("tutorials"))) {
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(there::add);
      }
    }
    there.remove(docs.resolve("README.md"));

    assertThat(there).hasSizeGreaterThan(20);
    assertThat(listed).containsAll(there);
  }

  @Test
  void everyDecisionStandsInTheirIndex() throws IOException {
    List<String> listed = Document.of("docs/decisions/README.md").links();
    try (Stream<Path> files = Files.list(Document.root().resolve("docs/decisions"))) {
      List<String> there =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.equals("README.md"))
              .sorted()
              .collect(Collectors.toList());

      assertThat(there).hasSizeGreaterThan(5).isEqualTo(listed);
    }
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (Path folder : List.of(Document.root(), Document.root().resolve("docs"))) {
      int depth = folder.equals(Document.root()) ? 1 : 3;
      try (Stream<Path> files = Files.walk(folder, depth)) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages;
  }
}
