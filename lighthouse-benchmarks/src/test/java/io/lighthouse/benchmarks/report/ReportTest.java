package io.lighthouse.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class ReportTest {
  @Nested
  class AFigure {
    @Test
    void hasThreeSignificantDigits() {
      assertThat(Figures.rounded(0.012345)).isEqualTo("0.01");
      assertThat(Figures.rounded(1.2345)).isEqualTo("1.23");
      assertThat(Figures.rounded(12.345)).isEqualTo("12.3");
      assertThat(Figures.rounded(1234567)).isEqualTo("1,230,000");
      assertThat(Figures.rounded(0)).isEqualTo("0");
    }

    @Test
    void ofTimeHasTheUnitThatAPersonReads() {
      assertThat(Figures.nanos(155)).isEqualTo("155 ns");
      assertThat(Figures.nanos(1_550)).isEqualTo("1.55 us");
      assertThat(Figures.nanos(41_000_000)).isEqualTo("41.0 ms");
      assertThat(Figures.nanos(25.4e9)).isEqualTo("25.4 s");
    }

    @Test
    void standsWithItsSpread() {
      Case of = Case.of("BatchBenchmark.assign");

      assertThat(Figures.spread(new Measurement(of, 2e6, 1e6, 3e6, 40, Map.of())))
          .isEqualTo("2.00 ms (1.00 ms to 3.00 ms, 40)");
      assertThat(Figures.spread(new Measurement(of, 2e6, 2e6, 2e6, 1, Map.of())))
          .isEqualTo("2.00 ms");
    }
  }

  @Nested
  class TheGrowth {
    @Test
    void isTheSlopeOfTheLogarithms() {
      assertThat(Growth.slope(100, 5, 10_000, 500)).isCloseTo(1, within(1e-12));
      assertThat(Growth.slope(100, 5, 10_000, 50)).isCloseTo(0.5, within(1e-12));
      assertThat(Growth.slope(100, 5, 10_000, 5)).isCloseTo(0, within(1e-12));
    }

    @Test
    void isThatOfTheMainProblemOnly() {
      Results results = new Results();
      for (int nodes : new int[] {100, 1_000}) {
        results.add(Fake.measurement(Suite.batch(Contestant.BIN_PACK, ProblemSpec.plain(nodes))));
        results.add(Fake.measurement(Suite.batch(Contestant.BIN_PACK, Suite.fewShapes(nodes))));
      }
      Growth growth = new Growth(results);

      assertThat(growth.series()).containsOnlyKeys("Lighthouse, bin-pack");
      assertThat(growth.table())
          .contains("| Lighthouse, bin-pack | 100 | 1,000 |")
          .contains("0.00");
    }
  }

  @Nested
  class TheChart {
    @Test
    void isWellFormedAndHasALineForEach() throws Exception {
      Map<String, TreeMap<Integer, Double>> series = new TreeMap<>();
      series.put("Lighthouse, a", new TreeMap<>(Map.of(100, 80.0, 100_000, 525.0)));
      series.put("naive, a", new TreeMap<>(Map.of(100, 8e3, 100_000, 6.8e7)));

      Element svg = parse(new Chart(series).svg());

      assertThat(svg.getTagName()).isEqualTo("svg");
      assertThat(svg.getTextContent()).contains("Lighthouse, a", "naive, a", "100,000", "10 ms");
      assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(4);
    }

    @Test
    void drawsASinglePoint() throws Exception {
      String svg = new Chart(Map.of("a", new TreeMap<>(Map.of(100, 100.0)))).svg();

      assertThat(parse(svg).getElementsByTagName("circle").getLength()).isEqualTo(1);
      assertThat(svg).doesNotContain("NaN").doesNotContain("Infinity");
    }

    private static Element parse(String svg) throws Exception {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
          .getDocumentElement();
    }
  }

  @Nested
  class TheDocument {
    @Test
    void keepsWhatIsWrittenByHand() {
      Document document =
          new Document("By hand.\n<!-- begin a -->\nold\n<!-- end a -->\nBy hand, too.\n");

      document.replace("a", "new");

      assertThat(document.toString())
          .isEqualTo("By hand.\n<!-- begin a -->\n\nnew\n<!-- end a -->\nBy hand, too.\n");
    }

    /** Else a run of minutes would end without its tables. */
    @Test
    void ofTheProjectHasEveryPart() throws Exception {
      Path root = Path.of(System.getProperty("lighthouse.root", ".."));
      Document page = new Document(Files.readString(root.resolve("docs/benchmarks.md")));

      for (Part part : Part.values()) {
        page.replace(part.toString(), "new");
      }
      for (String other : new String[] {"facts", "goals", "growth", "picture"}) {
        page.replace(other, "new");
      }

      assertThat(page.toString()).contains("new");
    }

    @Test
    void withoutThePartIsRefused() {
      assertThatThrownBy(() -> new Document("By hand.").replace("a", "new"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'a'");
    }
  }

  @Nested
  class ATable {
    @Test
    void refusesARowOfAnotherWidth() {
      assertThatThrownBy(() -> new Table(1, "a", "b").row("only one"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 cells");
    }
  }
}
