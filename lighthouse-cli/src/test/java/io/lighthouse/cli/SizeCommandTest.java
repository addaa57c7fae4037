package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeCommandTest {
  private static final String FLEET =
      """
      {"nodes": [{"name": "n1", "resources": {"cpu": 3, "mem": 8}}],
       "workloads": [{"name": "web", "replicas": 5, "requirements": {"cpu": 2, "mem": 1}},
                     {"name": "db", "requirements": {"cpu": 1, "mem": 6}}]}
      """;

  private static final Path CA =
      Path.of(System.getProperty("lighthouse.root"))
          .resolve("../shared/data/autoscaler/ca-binpacking.json.gz");

  @TempDir private Path folder;

  @Test
  void findsTheCheapestMixAndProvesIt() {
    Run run =
        Run.reading(
            FLEET,
            "size",
            "-",
            "--offer",
            "large: cpu=8,mem=16,price=0.4",
            "--offer",
            "small: cpu=2,mem=4,price=0.11");

    assertThat(run.out())
        .startsWith("standard input: 1 node to add, for 0.4, by prioritized\n")
        .containsPattern("large +1, 0.4\n")
        .containsPattern("small +0, 0.11\n")
        .contains("optimal");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
  }

  @Test
  void takesOffersFromAFileWithLimitsAndWritesJson() throws IOException {
    Path offers = folder.resolve("offers.json");
    Files.writeString(
        offers,
        """
        [{"name": "large", "resources": {"cpu": 8, "mem": 16}, "price": 0.4, "limit": 0},
         {"name": "zoned", "resources": {"cpu": 4, "mem": 16}, "domains": {"zone": "a"}},
         "small: cpu=2,mem=4,price=0.11"]
        """);

    Run run =
        Run.reading(
            FLEET,
            "size",
            "-",
            "--without-nodes",
            "--strategy",
            "bin-pack",
            "--rubric",
            "cpu=1,mem=1",
            "--offers",
            offers,
            "-o",
            "json");

    assertThat(run.out())
        .startsWith(
            "{\"strategy\":\"bin-pack\",\"nodes\":[{\"offer\":\"large\",\"nodes\":0},{\"offer\":\"zoned\",\"nodes\":1},"
                + "{\"offer\":\"small\",\"nodes\":4}],\"price\":1.44,\"bound\":1.44,\"optimal\":true,"
                + "\"unplaced\":[],\"steps\":");
    assertThat(run.code()).isZero();
  }

  @Test
  void saysWhoCannotBePlaced() throws IOException {
    Run run = Run.reading(FLEET, "size", "-", "--offer", "thin: cpu=1,mem=1", "-o", "csv");

    assertThat(run.out()).isEqualTo("offer,nodes,price,file\r\nthin,0,1,standard input\r\n");
    Path file = Files.writeString(folder.resolve("one.json"), FLEET);
    assertThat(Run.reading(FLEET, "size", file, "-", "--offer", "thin: cpu=1", "-o", "csv").out())
        .isEqualTo(
            "offer,nodes,price,file\r\nthin,0,1," + file + "\r\nthin,0,1,standard input\r\n");
    assertThat(run.code()).isEqualTo(1);
    assertThat(Run.reading(FLEET, "size", "-", "--offer", "thin: cpu=1,mem=1").out())
        .contains("not all can be placed", "not placed");
  }

  @Test
  void addsNothingWhereAllFits() {
    Run run =
        Run.reading("{\"nodes\":[],\"workloads\":[]}", "size", "-", "--offer", "n: cpu=1,price=5");

    assertThat(run.out()).contains("0 nodes to add, for 0", "optimal");
  }

  /** The cluster-autoscaler's own problem; the folder is not part of the project. */
  @Test
  void packsTheProblemOfTheClusterAutoscalerOnTheKnownNumberOfNodes() {
    assumeTrue(Files.exists(CA), "the shared problems are not here");
    Run run =
        Run.of(
            "size",
            CA,
            "--without-nodes",
            "--strategy",
            "bin-pack",
            "--offer",
            "n: cpu=1000,mem=5000,pods=100",
            "-o",
            "json");

    assertThat(run.out()).contains("\"nodes\":2595", "\"bound\":2595,\"optimal\":true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "m5|--offer: text is 'm5'; allowed: as in NAME: cpu=2",
        "m5: cpu|--offer: offer 'm5': text is 'cpu'; allowed: NAME=VALUE, each name once",
        "m5: cpu=2,cpu=3|--offer: offer 'm5': text is 'cpu=3'; allowed: NAME=VALUE, each name once",
        "m5: cpu=x|--offer: offer 'm5': resources.cpu is 'x'; allowed: a JSON number",
        "m5: cpu=2,price=x|--offer: offer 'm5': price is 'x'; allowed: a JSON number",
        "m5: cpu=2,price=-1|--offer: offer 'm5': price is -1; allowed: a finite decimal, 0 or more",
        "m5: cpu=2,price=inf|--offer: offer 'm5': price is inf; allowed: a finite decimal",
        "m5: cpu=2,limit=-1|--offer: offer 'm5': limit is '-1'; allowed: a whole number",
        "m5: cpu=2 in node=a|--offer: offer 'm5': domains",
      })
  void namesTheWordOfAnOfferThatIsWrong(String offer, String message) {
    Run run = Run.reading(FLEET, "size", "-", "--offer", offer);

    assertThat(run.err()).contains(message);
    assertThat(run.code()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|the text is empty; allowed: an array of offers",
        "[{'name': 'a'}]|[0].resources is missing",
        "[{'name': 'a', 'resources': {}, 'price': -1}]|[0].price is -1; allowed: a finite decimal",
        "[{'name': 'a', 'resources': {}, 'size': 1}]|[0].size is an unknown field",
        "['a: cpu=1', {'name': 'a', 'resources': {}}]|[1].name is 'a', given before",
        "[{'name': 'a', 'resources': {}, 'limit': 1.5}]|[0].limit is 1.5; allowed: a whole number",
        "['a']|[0] is 'a'; allowed: as in NAME: cpu=2",
        "[] 1|something follows its end",
      })
  void namesThePlaceInAFileOfOffers(String json, String message) throws IOException {
    Path offers = folder.resolve("offers.json");
    Files.writeString(offers, json.replace('\'', '"'));

    Run run = Run.reading(FLEET, "size", "-", "--offers", offers);

    assertThat(run.err()).contains("--offers " + offers + ": line 1").contains(message);
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void namesTheOfferThatTheFleetCannotHold() {
    Run run = Run.reading(FLEET, "size", "-", "--offer", "a: cpu=8", "--offer", "b: cpu=1e400");

    assertThat(run.err()).contains(": offer 'b': resources.cpu is 1E+400; allowed: of 'cpu', ");
    assertThat(run.code()).isEqualTo(2);

    String never = "b: cpu=1e400,limit=0";
    assertThat(Run.reading(FLEET, "size", "-", "--offer", never).err()).contains(": offer 'b': ");
    String empty = FLEET.replaceAll("(?s)\"workloads\": .*", "\"workloads\": []}");
    Run none = Run.reading(empty, "size", "-", "--offer", never);
    assertThat(none.err()).isEmpty();
    assertThat(none.code()).isZero();
    Run apart = Run.reading(empty, "size", "-", "--offer", "a: x=4e18", "--offer", "b: x=1e-18");
    assertThat(apart.err()).isEmpty();
  }

  @Test
  void refusesWrongUse() {
    assertThat(Run.reading(FLEET, "size", "-").err()).contains("what is offered?");
    assertThat(Run.reading(FLEET, "size", "-", "--offer", "a: cpu=1", "--offer", "a: cpu=2").err())
        .contains("offer 'a': name is given twice");
    assertThat(Run.reading(FLEET, "size", "-", "--offer", "a: cpu=1", "--steps", "-1").err())
        .contains("'--steps': '-1' is not a whole number from 0");
    assertThat(Run.reading(FLEET, "headroom", "-").err()).contains("--shape");
    assertThat(Run.reading(FLEET, "headroom", "-", "--shape", "cpu").err())
        .contains("'cpu'", "[N x ]cpu=1,mem=4");
    assertThat(
            Run.reading(FLEET, "headroom", "-", "--shape", "cpu=1", "--shape", "2 x cpu=1").err())
        .contains("given twice");
  }

  @Test
  void saysThatTheSearchForRoomEnded() {
    Object[] command = new Object[52];
    command[0] = "headroom";
    command[1] = "-";
    for (int part = 0; part < 25; part++) {
      command[2 + 2 * part] = "--shape";
      command[3 + 2 * part] = "999999 x cpu=" + (1 + part);
    }
    Run run =
        Run.reading(
            "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"cpu\":1e12}}],\"workloads\":[]}",
            command);

    assertThat(run.out())
        .startsWith("standard input: room for at least 0 more of ")
        .contains(
            "at most   3076, by all that is left together\n",
            "next one  not known: the search ended before it\n");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void saysThatTheSearchForRoomEndedAtTheMostItTries() {
    String fleet = "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"cpu\":%s}}],\"workloads\":[]}";
    Run more = Run.reading(fleet.formatted(100_001), "headroom", "-", "--shape", "cpu=1");
    assertThat(more.out())
        .startsWith("standard input: room for at least 100000 more of cpu=1, by ")
        .contains(
            "at most   the search ends at 100000\n",
            "next one  not known: the search ended before it\n");

    Run most = Run.reading(fleet.formatted(100_000), "headroom", "-", "--shape", "cpu=1");
    assertThat(most.out()).startsWith("standard input: room for 100000 more of cpu=1, by ");
  }

  @Test
  void saysHowMuchMoreFits() {
    String empty = FLEET.replaceAll("(?s)\"workloads\": .*", "\"workloads\": []}");
    Run run = Run.reading(empty, "headroom", "-", "--shape", "cpu=0.5,mem=2");

    assertThat(run.out())
        .startsWith("standard input: room for 4 more of cpu=0.5,mem=2, by prioritized\n")
        .contains("4, which is proven", "runs out first  mem");
    assertThat(run.code()).isZero();

    Run mix =
        Run.reading(
            empty, "headroom", "-", "--shape", "2 x cpu=1", "--shape", "cpu=0.5", "-o", "json");
    assertThat(mix.out())
        .startsWith(
            "{\"strategy\":\"prioritized\",\"rounds\":1,\"at_most\":1,\"first\":\"cpu\",\"refusal\":{");
    assertThat(Run.reading(empty, "headroom", "-", "--shape", "gpu=1").code()).isEqualTo(1);
    assertThat(Run.reading(empty, "headroom", "-", "--shape", "cpu=1", "-o", "csv").out())
        .isEqualTo("file,rounds,at_most,first\r\nstandard input,3,3,cpu\r\n");
  }
}
