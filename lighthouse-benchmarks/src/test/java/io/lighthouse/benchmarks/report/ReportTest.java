package io.lighthouse.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import io.lighthouse.benchmarks.quality.InstanceSet;
import io.lighthouse.benchmarks.run.Case;
import io.lighthouse.benchmarks.run.Facts;
import io.lighthouse.benchmarks.run.Measurement;
import io.lighthouse.benchmarks.run.Part;
import io.lighthouse.benchmarks.run.Profile;
import io.lighthouse.benchmarks.run.QualitySuite;
import io.lighthouse.benchmarks.run.Results;
import io.lighthouse.benchmarks.run.Suite;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    void comparesWithNothingThatIsZero() {
      assertThat(Figures.times(3.0 / 2)).isEqualTo("1.50 x");
      assertThat(Figures.times(0.0 / 2)).isEqualTo("0 x");
      assertThat(Figures.times(0.0 / 0)).isEmpty();
      assertThat(Figures.times(1.0 / 0)).isEmpty();
    }

    @Test
    void standsWithItsSpread() {
      Case of = Case.of("BatchBenchmark.assign");

      assertThat(Figures.spread(new Measurement(of, Fake.FACTS, 2e6, 1e6, 3e6, 40, Map.of())))
          .isEqualTo("2.00 ms (1.00 ms to 3.00 ms, 40)");
      assertThat(Figures.spread(new Measurement(of, Fake.FACTS, 2e6, 2e6, 2e6, 1, Map.of())))
          .isEqualTo("2.00 ms");
    }
  }

  @Nested
  class TheFacts {
    @Test
    void nameTheMachineThatThisIs() throws Exception {
      Facts now = Facts.now("run --quick", "abc");

      assertThat(now.values())
          .containsEntry("command", "`run --quick`")
          .containsEntry("commit", "abc")
          .containsEntry("date", LocalDate.now().toString());
      assertThat(now.values().get("JDK")).contains(System.getProperty("java.runtime.version"));
    }

    @Test
    void ofSeveralOccasionsStandTogether() {
      Case first = Case.of("a");
      Case second = Case.of("b");
      Facts later = new Facts(Map.of("date", "2026-01-03", "processor", "Abacus", "JDK", "17"));
      List<Measurement> measured =
          List.of(
              Fake.measurement(first),
              Fake.measurement(first),
              new Measurement(second, later, 1, 1, 1, 1, Map.of()));

      assertThat(Report.facts(measured))
          .contains("| date | 2026-01-02; 2026-01-03 |", "| processor | Abacus |");
      assertThat(Facts.lines(measured).lines())
          .hasSize(2)
          .allMatch(line -> line.contains("Abacus"))
          .anyMatch(line -> line.startsWith("Measured 2026-01-03"));
    }
  }

  @Nested
  class RawOnes {
    @Test
    void comeBackAsTheyWereWritten(@TempDir Path folder) throws Exception {
      Results results = new Results();
      new Suite(Profile.QUICK, List.of("a \"file\".json.gz"))
          .cases(Part.DATA)
          .forEach(wanted -> results.add(Fake.measurement(wanted)));
      results.add(
          new Measurement(Case.of("bare"), Fake.FACTS, 1.5, 1, 2e12, 1, Map.of("zero", -0.125)));
      Path file = folder.resolve("measurements.json");

      results.write(file);

      assertThat(Results.read(file).all()).isEqualTo(results.all());
      assertThat(Results.read(folder.resolve("none.json")).all()).isEmpty();
    }
  }

  @Nested
  class ThePage {
    private static final String GOALS = "<!-- begin goals -->\nold\n<!-- end goals -->\n";
    private static final String FACTS = "<!-- begin facts -->\nold\n<!-- end facts -->\n";

    /** A run of one part must not turn the goals of a whole run into "not measured". */
    @Test
    void keepsWhatIsAboutAllPartsWhenOneIsMeasured(@TempDir Path folder) throws Exception {
      Path page = folder.resolve("benchmarks.md");
      String churn = "<!-- begin churn -->\nold\n<!-- end churn -->\n";
      Files.writeString(page, GOALS + churn + FACTS);
      Suite suite = new Suite(Profile.QUICK, List.of());
      Results results = new Results();
      suite.cases(Part.CHURN).forEach(wanted -> results.add(Fake.measurement(wanted)));

      new Report(suite, results).document(folder, Part.Page.BENCHMARKS, Set.of(Part.CHURN), false);

      assertThat(Files.readString(page))
          .contains(GOALS, FACTS, "| prioritized | 10,000 |", "Measured 2026-01-02")
          .doesNotContain(churn);
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
      assertThat(svg.getElementsByTagName("title").item(0).getTextContent())
          .isEqualTo("At 100,000 nodes an attempt takes Lighthouse 525 ns, others up to 68 ms");
      assertThat(svg.getTextContent()).contains("10 \u00b5s").doesNotContain(" us");
    }

    /** Lines that end at the same point: their names stand below each other. */
    @Test
    void namesOfLinesDoNotCoverEachOther() throws Exception {
      Map<String, TreeMap<Integer, Double>> series = new TreeMap<>();
      for (String who : List.of("a", "b", "c", "d")) {
        series.put("Lighthouse, " + who, new TreeMap<>(Map.of(100, 80.0, 1_000, 500.0)));
      }
      var texts = parse(new Chart(series).svg()).getElementsByTagName("text");
      List<Double> heights = new ArrayList<>();
      for (int i = 0; i < texts.getLength(); i++) {
        Element text = (Element) texts.item(i);
        if (text.getTextContent().startsWith("Lighthouse, ")) {
          heights.add(Double.parseDouble(text.getAttribute("y")));
        }
      }
      assertThat(heights).hasSize(4);
      for (int i = 1; i < 4; i++) {
        assertThat(heights.get(i) - heights.get(i - 1)).isGreaterThanOrEqualTo(14);
      }
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
  class TheChartOfQuality {
    @Test
    void hasAPanelForEachKindAndALineForWhoSearches() throws Exception {
      Results results = new Results();
      Suite suite = new Suite(Profile.QUICK, List.of());
      suite.cases(Part.SERVERS).forEach(wanted -> results.add(Fake.measurement(wanted)));

      QualityChart chart = new QualityChart(results);

      assertThat(chart.isEmpty()).isFalse();
      Element svg = TheChart.parse(chart.svg());
      assertThat(svg.getTextContent())
          .contains("Servers C1 to C3", "Timefold", "BtrPlace", "pack", "100 ms")
          .doesNotContain("Vector packing,", "NaN");
      assertThat(new QualityChart(new Results()).isEmpty()).isTrue();
    }

    /** Searches are measured on a sample, the others on all instances. */
    @Test
    void showsSearchesOfVectorPacking() {
      Results results = new Results();
      new QualitySuite(Profile.QUICK, EnumSet.of(InstanceSet.VECTOR_PACKING))
          .cases(Part.VECTOR_PACKING)
          .forEach(wanted -> results.add(Fake.measurement(wanted)));

      String svg = new QualityChart(results).svg();

      assertThat(svg).contains("Vector packing,");
      assertThat(svg.split("stroke-width=\"2\"", -1)).as("7 curves").hasSize(8);
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
    @ParameterizedTest
    @CsvSource({"BENCHMARKS, facts goals growth picture", "QUALITY, quality-goals quality-picture"})
    void ofTheProjectHasEveryPart(Part.Page of, String others) throws Exception {
      Path root = Path.of(System.getProperty("lighthouse.root", ".."));
      Document page = new Document(Files.readString(root.resolve("docs").resolve(of.file())));

      for (Part part : of.parts()) {
        page.replace(part.toString(), "new");
      }
      for (String other : others.split(" ")) {
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
