package io.lighthouse.json.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Resources;
import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Limits;
import io.lighthouse.json.MixWords;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.SuppositionWords;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The questions that stand beside a problem: changes, goals, offers and mixes. */
class BesideProblemTest {
  private static ProblemDocument read(ProblemReader reader, String member) {
    return reader.read(bytes(member));
  }

  private static List<Fault> faults(ProblemReader reader, String member) {
    return Reading.faults(reader, bytes(member));
  }

  private static byte[] bytes(String member) {
    String text = "{\"nodes\":[],\"workloads\":[]" + member + "}";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void offersAreTextsOrObjects() {
    ProblemDocument read =
        read(
            ProblemReader.standard().withOffers(),
            ",\"offers\":[\"a: cpu=2,price=0.5,limit=3 in zone=z\","
                + "{\"name\":\"b\",\"resources\":{\"cpu\":4}}]");

    assertThat(read.offers()).extracting(Offer::name).containsExactly("a", "b");
    assertThat(read.offers().get(0).price()).isEqualTo(Quantity.of("0.5"));
    assertThat(read.offers().get(1).price()).isEqualTo(Quantity.ONE);
    assertThat(read.mix()).isEmpty();
  }

  @Test
  void aMixIsTextsWithHowManyOfEach() {
    ProblemDocument read =
        read(ProblemReader.standard().withMix(), ",\"mix\":[\"cpu=1\",\"3 x cpu=2,mem=4\"]");

    assertThat(read.mix()).extracting(Headroom.Part::copies).containsExactly(1, 3);
    assertThat(read.mix().get(1).shape().requirements())
        .isEqualTo(Resources.of("cpu", 2, "mem", 4));
    assertThat(read.mix().get(1).shape().name()).isEqualTo("cpu=2,mem=4");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",\"mix\":3",
        ",\"mix\":[{}]",
        ",\"mix\":[\"cpu\"]",
        ",\"mix\":[\"0 x cpu=1\"]",
        ",\"mix\":[\"cpu=x\"]",
        ",\"mix\":[\"cpu=1\",\"2 x cpu=1\"]",
        ",\"mix\":[],\"mix\":[]",
        ",\"mix\":[],\"offers\":[]"
      })
  void whatIsNoMixIsRefused(String member) {
    assertThatThrownBy(() -> read(ProblemReader.standard().withMix(), member))
        .isInstanceOf(ProblemFormatException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "offers | a: cpu=x           | resources.cpu 'x'; allowed: a JSON number",
        "offers | a: text=x          | resources.text 'x'; allowed: a JSON number",
        "offers | a: cpu=1,price=-1  | price -1; allowed: a finite decimal, 0 or more",
        "offers | a: cpu=1,limit=x   | limit 'x'; allowed: a whole number",
        "offers | a: cpu             | 'cpu'; allowed: NAME=VALUE",
        "mix    | cpu=1,mem=8Gi      | requirements.mem '8Gi'; allowed: a number without a unit",
        "mix    | text=x             | requirements.text 'x'; allowed: a JSON number",
        "mix    | 0 x cpu=1          | copies '0'; allowed: a whole number",
        "mix    | cpu                | 'cpu'; allowed: [N x ]cpu=1,mem=4",
        "changes | remove-node       | missing a word; allowed: as in: remove-node NODE",
        "changes | release w1 w2     | 'w2', one word too many; allowed: as in: release WORKLOAD",
        "changes | add cpu           | amounts 'cpu'; allowed: NAME=QUANTITY",
        "changes | add text=x        | resources.text 'x'; allowed: a JSON number",
        "changes | ad cpu=1          | verb 'ad'; allowed: add, remove-node,"
      })
  void aWrongTextOfAQuestionIsReportedWithItsField(String member, String text, String found) {
    ProblemReader reader = ProblemReader.standard();
    ProblemReader asking =
        switch (member) {
          case "mix" -> reader.withMix();
          case "offers" -> reader.withOffers();
          default -> reader.withChanges();
        };
    assertThat(faults(asking, ",\"" + member + "\":[\"" + text + "\"]"))
        .singleElement()
        .extracting(Fault::message)
        .asString()
        .contains(member + "[0] is " + found);
  }

  @Test
  void changesAsObjectsHaveEveryVerbOfTheWords() {
    for (String verb : SuppositionWords.verbs()) {
      assertThat(changeFaults("{\"change\":\"" + verb + "\"}"))
          .as(verb)
          .extracting(fault -> fault.place().pointer())
          .isNotEmpty()
          .doesNotContain("/changes/0/change");
    }
  }

  @Test
  void aDomainThatCannotBeDeclaredHasItsPlace() {
    String declare = "{\"change\":\"declare\",\"level\":\"%s\",\"domain\":\"x\",\"resources\":{}}";

    assertThat(changeFaults(declare.formatted("node")).get(0).message())
        .contains("changes[0].level is 'node'; allowed: another level");
    assertThat(changeFaults(declare.formatted("fleet")).get(0).message())
        .contains("changes[0].domain is 'x'; allowed: 'fleet'");
    assertThat(
            read(
                    ProblemReader.standard().withChanges(),
                    ",\"changes\":[" + declare.formatted("rack") + "]")
                .supposed())
        .containsExactly(
            new Supposition.Apply(new Change.Declare(Domain.of("rack", "x", Resources.none()))));
  }

  @Test
  void anUnknownChangeComesWithTheNearestVerb() {
    assertThat(changeFaults("{\"change\":\"remove\"}").get(0).allowed())
        .startsWith("one of add, remove-node,")
        .endsWith("; did you mean remove-node?");
  }

  @Test
  void anUnknownGoalComesWithTheNearestOne() {
    for (String goal : List.of("\"consolidat\"", "{\"goal\":\"consolidat\"}")) {
      assertThat(faults(ProblemReader.standard().withPlan(), ",\"goal\":" + goal))
          .singleElement()
          .extracting(Fault::allowed)
          .asString()
          .startsWith("one of place, drain,")
          .endsWith("; did you mean consolidate?");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"inf", "-inf"})
  void aBareTokenIsNoTextOfAQuestion(String token) {
    ProblemReader reader = ProblemReader.standard();
    for (List<Fault> faults :
        List.of(
            changeFaults(token),
            faults(reader.withOffers(), ",\"offers\":[" + token + "]"),
            faults(reader.withMix(), ",\"mix\":[" + token + "]"))) {
      assertThat(faults).singleElement().extracting(Fault::found).isEqualTo(token);
    }
  }

  private static List<Fault> changeFaults(String change) {
    return faults(ProblemReader.standard().withChanges(), ",\"changes\":[" + change + "]");
  }

  /** All nodes and replicas of a change are made in memory. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"scale w=%d\"",
        "\"add %d x cpu=1\"",
        "{\"change\":\"scale\",\"workload\":\"w\",\"replicas\":%d}",
        "{\"change\":\"add\",\"resources\":{\"cpu\":1},\"count\":%d}"
      })
  void oneChangeHasALimitOfWhatItMakes(String change) {
    ProblemReader changes = ProblemReader.standard().withChanges();
    String most = ",\"changes\":[" + change.formatted(9_999_999) + "]";
    assertThat(read(changes, most).supposed()).hasSize(1);
    assertThat(changeFaults(change.formatted(10_000_000)))
        .singleElement()
        .extracting(Fault::allowed)
        .asString()
        .endsWith(" to 9999999");
  }

  /** As in the objects that the texts stand for. */
  @Test
  void eachNameInATextHasTheLimitOfNames() {
    Limits limits = Limits.STANDARD.withLengths(8, 12);
    ProblemReader changes = ProblemReader.standard().withChanges().withLimits(limits);
    ProblemReader offers = ProblemReader.standard().withOffers().withLimits(limits);
    ProblemReader mix = ProblemReader.standard().withMix().withLimits(limits);

    String change = "[\"move 12345678 n\",\"scale w=1234567\"]";
    assertThat(read(changes, ",\"changes\":" + change).supposed()).hasSize(2);
    String offer = "[\"a: cpu=1.23456789,memory=2 in zone=abcdefgh\"]";
    assertThat(read(offers, ",\"offers\":" + offer).offers()).hasSize(1);
    assertThat(read(mix, ",\"mix\":[\"3 x cpu=1.23456789,memory=12\"]").mix()).hasSize(1);
    String numbers = "[\"resize n cpu=12345678901\",\"cordon zone=12345678\"]";
    assertThat(read(changes, ",\"changes\":" + numbers).supposed()).hasSize(2);
    for (String text : List.of("a: cpu= 123456789", "a: cpu=-Infinity")) {
      assertThat(faults(offers, ",\"offers\":[\"" + text + "\"]"))
          .singleElement()
          .extracting(Fault::kind)
          .isEqualTo(Fault.Kind.MEANING);
    }
    for (String text :
        List.of(
            "move 123456789 n",
            "cordon a=n23456789",
            "cordon zone=123456789",
            "cordon aaaa:bbbb",
            "release a=b,c=d:e",
            "scale 123456=89=1",
            "add cpu=1 in zone=123456789",
            "resize n abcdefghi=1")) {
      assertThat(faults(changes, ",\"changes\":[\"" + text + "\"]"))
          .singleElement()
          .satisfies(BesideProblemTest::isTooLong);
    }
    for (String text :
        List.of(
            "abcd efgh: cpu=1",
            "a: abcdefghi=1",
            "a: cpu=1 in abcdefghi=b",
            "a: cpu=1 in zone=aaa bb cc")) {
      assertThat(faults(offers, ",\"offers\":[\"" + text + "\"]"))
          .singleElement()
          .satisfies(BesideProblemTest::isTooLong);
    }
    assertThat(faults(mix, ",\"mix\":[\"abcdefghi=1\"]"))
        .singleElement()
        .satisfies(BesideProblemTest::isTooLong);
    assertThat(faults(offers, ",\"offers\":[\"a: cpu=1.23456789012 in a=b\"]"))
        .singleElement()
        .extracting(Fault::found)
        .isEqualTo("13 characters long");
    assertThat(faults(mix, ",\"mix\":[\"cpu=1.23456789012\"]"))
        .singleElement()
        .extracting(Fault::found)
        .isEqualTo("13 characters long");
  }

  private static void isTooLong(Fault fault) {
    assertThat(fault.kind()).isEqualTo(Fault.Kind.LIMIT);
    assertThat(fault.message()).endsWith("9 characters long; allowed: at most 8 characters");
  }

  @Test
  void whoDoesNotAskForThemDoesNotKnowThem() {
    assertThatThrownBy(() -> read(ProblemReader.standard(), ",\"offers\":[]"))
        .isInstanceOf(ProblemFormatException.class)
        .hasMessageContaining("unknown");
  }

  @ParameterizedTest
  @ValueSource(strings = {" 3 x cpu=1", "\t3 x cpu=1 ", "3 x cpu=1\n", "3x cpu=1"})
  void blanksAroundAPartAreOfNoAccount(String words) {
    assertThat(MixWords.parse(words)).isEqualTo(MixWords.parse("3 x cpu=1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "2 x", "2 x cpu", "cpu=1,cpu=2", "0 x cpu=1", "9999999 x cpu=1"})
  void whatIsNoPartIsRefused(String words) {
    assertThatThrownBy(() -> MixWords.parse(words)).isInstanceOf(InvalidInputException.class);
  }

  /** It was taken for a part of the name of a resource. */
  @ParameterizedTest
  @ValueSource(strings = {"-1", "+2", "1.5", ".5", "1e3", "0", "1_000"})
  void aNumberOfCopiesThatCannotBeIsNamed(String copies) {
    assertThatThrownBy(() -> MixWords.parse(copies + " x cpu=1"))
        .hasMessage("shape: copies is '" + copies + "'; allowed: a whole number from 1 to 999999");
  }

  /** It was taken for a part of the name of a resource. */
  @ParameterizedTest
  @ValueSource(strings = {"-1", "+3", "1.5", ".5", "-.5", "3.", "1.2.3", "1e3", "2E-1", "0"})
  void aNumberOfCopiesThatCannotBeIsNamedWithoutABlankToo(String copies) {
    assertThatThrownBy(() -> MixWords.parse(copies + "x cpu=1"))
        .hasMessage("shape: copies is '" + copies + "'; allowed: a whole number from 1 to 999999");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3 x cpu=1",
        "3x cpu=1",
        "cpu=1",
        "x=1",
        "a x b=1",
        "1 x a x b=1",
        "x x cpu=1",
        "x cpu=1",
        "three x cpu=1",
        "2xx=1",
        "2x-gpu=1",
        "-1x=1",
        "2xx cpu=1",
        "1box cpu=1",
        "2ex cpu=1",
        "5g=1,y x z=2",
        "5g=1,2x z=2"
      })
  void aNameMayHaveAnX(String words) {
    String shape = words.replaceFirst("^[13] ?x ", "");
    assertThat(MixWords.parse(words).shape().name()).isEqualTo(shape);
  }
}
