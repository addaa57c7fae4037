package io.lighthouse.json.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Limits;
import io.lighthouse.json.Place;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemFaultsTest {

  @Nested
  class OfSyntax {
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t ", "\ufeff"})
    void anEmptyText(String text) {
      assertThat(Reading.fault(text))
          .contains("the text is empty; allowed: an object with nodes and workloads");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "hello | 1 | 1 | '' | it begins with 'hello', as YAML may; the command",
          "<html> | 1 | 1 | '' | unexpected character ('<'",
          "# a comment | 1 | 1 | '' | it has a comment, which JSON does not have",
          "{ | 1 | 2 | '' | it ends before all that was opened is closed",
          "{\"nodes\":[{\"name\":\"a\" | 1 | 22 | nodes[0].name | it ends before all that was opened is closed",
          "{\"nodes\":[{\"name\":\"a | 1 | 21 | nodes[0].name | it ends within a text whose closing quote is missing",
          "{\"nodes\":[],} | 1 | 13 | nodes | the comma before '}' is one too many",
          "{\"nodes\":[ {} {} ]} | 1 | 15 | nodes[1] | a comma is missing before '{'",
          "{\"nodes\" [] } | 1 | 10 | nodes | a colon is missing before '['",
          "{\"nodes\":[1 😀]} | 1 | 13 | nodes[1] | a comma is missing before '\\ud83d'",
          "{nodes: []} | 1 | 2 | '' | a name stands in double quotes",
          "{\"nodes\":[tru]} | 1 | 11 | nodes[0] | 'tru' is neither a number nor a text in double quotes",
          "{\"nodes\":\"\\x\"} | 1 | 12 | nodes | unrecognized character escape 'x'",
          "{\"nodes\":// no | 1 | 10 | nodes | it has a comment",
          "{'nodes':[]} | 1 | 2 | '' | it has single quotes; names and texts stand in double quotes",
          "{\"nodes\":['a']} | 1 | 11 | nodes[0] | it has single quotes",
          "{\"nodes\":[1,]} | 1 | 13 | nodes[1] | the comma before ']' is one too many",
          "{\"nodes\":[-]} | 1 | 12 | nodes[0] | unexpected character (']' (code 93)) in numeric value",
          "{\"nodes\":[1.]} | 1 | 12 | nodes[0] | unexpected character (']' (code 93)) in numeric value",
          "{\"nodes\":[1.#]} | 1 | 12 | nodes[0] | unexpected character ('#' (code 35)) in numeric value",
          "{\"nodes\":[\"\\u12/3\"]} | 1 | 16 | nodes[0] | unexpected character ('/' (code 47)): expected a hex",
          "1.x | 1 | 2 | '' | unexpected character ('x' (code 120)) in numeric value",
          "-# | 1 | 2 | '' | it begins with a hyphen, as YAML may",
          "{\"nodes\":[0x1]} | 1 | 12 | nodes[0] | unexpected character ('x' (code 120))",
          "{\"nodes\":[{inf:1}]} | 1 | 12 | nodes[0] | a name in it is a bare token",
          "{\"nodes\":[],\"loads\":[]}x | 1 | 24 | '' | something follows its end",
          "- name: n | 1 | 2 | '' | it begins with a hyphen, as YAML may",
          "--- | 1 | 2 | '' | it begins with a hyphen, as YAML may",
          "{\"explain\":True} | 1 | 12 | explain | it has 'True'; JSON has true and false",
          "{\"nodes\":None} | 1 | 10 | nodes | it has 'None', which no text has"
        })
    void textThatIsNoJson(String text, int line, int column, String path, String cause) {
      Fault fault = Reading.faults(text).get(0);

      assertThat(fault.kind()).isEqualTo(Fault.Kind.SYNTAX);
      assertThat(fault.place())
          .extracting(Place::line, Place::column, Place::path)
          .containsExactly(line, column, path.equals("''") ? "" : path);
      assertThat(fault.found()).startsWith("no JSON: " + cause);
      assertThat(fault.message()).doesNotContain("Feature").doesNotContain("REDACTED");
    }

    @Test
    void aLongBoundIsNotRepeatedInFull() {
      String cpu = "{\"total\":5,\"min\":1e999,\"max\":1e998}";
      assertThat(
              Reading.fault(
                  "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"cpu\":"
                      + cpu
                      + "}}],\"loads\":[]}"))
          .contains("min is 1000", "; allowed: at most max, which is 1000")
          .hasSizeLessThan(600);
    }

    @Test
    void theWholeMessage() {
      assertThat(Reading.fault("{\"nodes\":[{\"name\":\"a\"} {}]}"))
          .isEqualTo(
              "line 1, column 24: nodes[1] is no JSON: a comma is missing before '{'; allowed: JSON (RFC"
                  + " 8259) in UTF-8, and the bare tokens inf and -inf");
    }

    @ParameterizedTest
    @ValueSource(strings = {" x", "{}", " []", ",", "}", " null"})
    void anythingBehindTheObject(String more) {
      assertThat(Reading.fault("{\"nodes\":[],\"loads\":[]}" + more))
          .contains(": the text is no JSON: ");
    }

    @Test
    void bytesThatAreNoUtf8() {
      byte[] text = "{\n \"nodes\":[],\"x\u00e9\":1}".getBytes(StandardCharsets.ISO_8859_1);

      assertThat(Reading.faults(ProblemReader.standard(), text))
          .extracting(Fault::message)
          .containsExactly(
              "line 2, column 15: nodes is no UTF-8; allowed: JSON (RFC 8259) in UTF-8, and the"
                  + " bare tokens inf and -inf");
    }

    @Test
    void anotherEncoding() {
      assertThat(Reading.faults(ProblemReader.standard(), "{}".getBytes(StandardCharsets.UTF_16)))
          .extracting(Fault::found)
          .containsExactly("no UTF-8");
    }

    @Test
    void aBareInfinityForAName() {
      assertThat(Reading.fault("{\"nodes\":[],\"loads\":[],\"rubric\":{inf:1}}"))
          .contains(" is a bare token; allowed: a name in quotes");
    }
  }

  @Nested
  class OfMeaning {
    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "5", "\"nodes\"", "true", "-inf"})
    void aTextThatIsNoObject(String text) {
      assertThat(Reading.fault(text))
          .startsWith("line 1, column 1: the text is ")
          .endsWith("; allowed: an object with nodes and workloads");
    }

    @Test
    void whatIsMissing() {
      assertThat(Reading.faults("{\"nodes\":[ {}],\n\"workloads\":[{}]}"))
          .extracting(Fault::message)
          .containsExactly(
              "line 1, column 12: nodes[0].name is missing; allowed: the name of a node",
              "line 1, column 12: nodes[0].resources is missing; allowed: an object of names and"
                  + " quantities",
              "line 2, column 14: workloads[0].name is missing; allowed: the name of a workload",
              "line 2, column 14: workloads[0].requirements is missing; allowed: an object of names"
                  + " and quantities");
      assertThat(Reading.faults("{}"))
          .extracting(Fault::message)
          .containsExactly(
              "line 1, column 1: nodes is missing; allowed: an array of nodes",
              "line 1, column 1: workloads is missing; allowed: an array of workloads");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "\"strategy\":5 | strategy is 5; allowed: the name of a strategy",
          "\"strategy\":\"\" | strategy is ''; allowed: a name of at least one character",
          "\"rubric\":[] | rubric is an array; allowed: an object of names and quantities",
          "\"rubric\":{\"x\":\"inf\"} | rubric.x is 'inf'; allowed: 0, or a magnitude from 1e-30",
          "\"rubric\":{\"x\":1e31} | rubric.x is 1e31; allowed: 0, or a magnitude from 1e-30",
          "\"settings\":1 | settings is 1; allowed: an object of names and values",
          "\"settings\":{\"a\":-inf} | settings.a is -inf; allowed: a text in quotes",
          "\"settings\":{\"a\":{}} | settings.a is an object; allowed: a text, a number, true or",
          "\"settings\":{\"a\":1,\"a\":2} | settings.a is given twice; allowed: each name once",
          "\"settings\":{\"\":1} | settings[''] is ''; allowed: a name of at least one character",
          "\"last_placed\":\"m\" | last_placed is 'm'; allowed: the name of a node",
          "\"last_placed\":[] | last_placed is an array; allowed: the name of a node",
          "\"nodes\":[] | nodes is given twice; allowed: each key once",
          "\"node\":[] | node is an unknown field; allowed: the fields strategy, rubric, settings,",
          "\"explain\":true | explain is an unknown field; allowed: the fields strategy, rubric,"
        })
    void atTheTop(String member, String message) {
      assertThat(Reading.fault("{\"nodes\":[],\"workloads\":[]," + member + "}"))
          .startsWith("line 1, column ")
          .contains(": " + message);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "null | nodes[0] is null; allowed: an object with a name and resources",
          "\"n\" | nodes[0] is 'n'; allowed: an object with a name and resources",
          "{\"name\":\"\",\"resources\":{}} | nodes[0].name is ''; allowed: a name of at least one",
          "{\"name\":null,\"resources\":{}} | nodes[0].name is null; allowed: the name of a node",
          "{\"name\":inf,\"resources\":{}} | nodes[0].name is inf; allowed: a text in quotes",
          "{\"name\":7,\"resources\":{}} | nodes[0].name is 7; allowed: the name of a node",
          "{\"name\":\"\\ud800\",\"resources\":{}} | nodes[0].name is a text with the lone surr",
          "{\"name\":\"n\",\"resources\":null} | nodes[0].resources is null; allowed: an object of",
          "{\"name\":\"n\",\"resources\":{\"\":1}} | nodes[0].resources[''] is ''; allowed: a name",
          "{\"name\":\"n\",\"resources\":{\"a\":1,\"a\":1}} | nodes[0].resources.a is given twice;",
          "{\"name\":\"n\",\"resources\":{},\"cordoned\":1} | nodes[0].cordoned is 1; allowed: true",
          "{\"name\":\"n\",\"resources\":{},\"cpu\":1} | nodes[0].cpu is an unknown field; allowed:",
          "{\"name\":\"n\",\"resources\":{},\"name\":\"m\"} | nodes[0].name is given twice; allowed",
          "{\"name\":\"n\",\"resources\":{},\"workloads\":{}} | nodes[0].workloads is an object; al"
        })
    void ofANode(String node, String message) {
      assertThat(Reading.fault("{\"nodes\":[" + node + "],\"workloads\":[]}"))
          .startsWith("line 1, column ")
          .contains(": " + message);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "\"immunities\":\"x\" | workloads[0].immunities is 'x'; allowed: an array of names of re",
          "\"immunities\":[null] | workloads[0].immunities[0] is null; allowed: a name",
          "\"aversion_groups\":[\"g\",\"\"] | workloads[0].aversion_groups[1] is ''; allowed: a na",
          "\"aversion_groups\":[\"g\",[[1]]] | workloads[0].aversion_groups[1] is an array; allowed",
          "\"cordoned\":true | workloads[0].cordoned is an unknown field; allowed: the fields name"
        })
    void ofAWorkload(String member, String message) {
      assertThat(
              Reading.fault(
                  "{\"nodes\":[],\"workloads\":[{\"name\":\"w\",\"requirements\":{},"
                      + member
                      + "}]}"))
          .startsWith("line 1, column ")
          .contains(": " + message);
    }

    @Test
    void namesGivenTwice() {
      assertThat(
              Reading.faults(
                  """
                  {"nodes":[{"name":"a","resources":{},"workloads":[{"name":"p","requirements":{}}]},
                            {"name":"a","resources":{}}],
                   "workloads":[{"name":"w","requirements":{}},
                                {"name":"w","requirements":{}},
                                {"name":"p","requirements":{}}]}
                  """))
          .extracting(Fault::message)
          .containsExactly(
              "line 2, column 19: nodes[1].name is 'a', given before; allowed: a name that no other"
                  + " node has",
              "line 4, column 23: workloads[1].name is 'w', given before; allowed: a name that no"
                  + " other workload has",
              "line 5, column 23: workloads[2].name is 'p', given before; allowed: a name that no"
                  + " other workload has");
    }

    @Test
    void aNodeAndAWorkloadMayShareAName() {
      assertThat(
              Reading.faults(
                  "{\"nodes\":[{\"name\":\"a\",\"resources\":{}}],"
                      + "\"loads\":[{\"name\":\"a\",\"requirements\":{}}]}"))
          .isEmpty();
    }

    @Test
    void aPlacedWorkloadThatRequiresWhatItsNodeHasNot() {
      Fault fault =
          Reading.faults(
                  """
                  {"nodes":[
                     {"loads":[{"id":"p","requirements":{"x":1,"g/1":2}}],"id":"a","resources":{"x":1}}],
                   "workloads":[]}
                  """)
              .get(0);

      assertThat(fault.message())
          .isEqualTo(
              "line 2, column 4: nodes[0].loads[0].requirements['g/1'] is 2; allowed: nothing: its"
                  + " node has no such resource, only x");
      assertThat(fault.place().pointer()).isEqualTo("/nodes/0/loads/0/requirements/g~11");
    }

    @Test
    void aPlacedWorkloadOnANodeWithoutResources() {
      String placed = ",\"loads\":[{\"id\":\"p\",\"requirements\":{\"x\":1}}]";
      assertThat(
              Reading.fault(
                  "{\"nodes\":[{\"id\":\"n\",\"resources\":{}" + placed + "}],\"loads\":[]}"))
          .endsWith("requirements.x is 1; allowed: nothing: its node has no resources");
    }

    @Test
    void aCapacityThatLeavesMoreThanAQuantityHolds() {
      String nines = "9".repeat(Quantity.MAX_DIGITS);
      String total = "{\"x\":{\"total\":" + nines + "}}";
      String gives = "{\"x\":-" + nines + "}";
      String node =
          "{\"nodes\":[{\"id\":\"n\",\"resources\":"
              + total
              + ",\"loads\":[{\"id\":\"p\",\"requirements\":"
              + gives
              + "},{\"id\":\"q\",\"requirements\":"
              + gives
              + "}]}],\"loads\":[]}";
      String domain =
          "{\"domains\":[{\"level\":\"fleet\",\"name\":\"fleet\",\"resources\":"
              + total
              + "}],\"nodes\":[{\"id\":\"n\",\"resources\":{},\"loads\":[{\"id\":\"p\","
              + "\"requirements\":{},\"shared\":{\"fleet\":"
              + gives
              + "}}]}],\"loads\":[]}";

      assertThat(Reading.fault(node))
          .startsWith("line 1, column 11: nodes[0].resources.x is 9999")
          .endsWith(
              "; allowed: a capacity that leaves at most 1000 digits before the point beside the"
                  + " workloads placed there");
      assertThat(Reading.fault(domain))
          .startsWith("line 1, column 13: domains[0].resources.x is 9999");
    }

    @Test
    void listsNoMoreNamesThanOneReads() {
      StringBuilder resources = new StringBuilder("\"r0\":1");
      for (int i = 1; i < 5000; i++) {
        resources.append(",\"r").append(i).append("\":1");
      }
      String load = "{\"id\":\"p\",\"requirements\":{\"x\":1}}";

      assertThat(
              Reading.fault(
                  "{\"nodes\":[{\"id\":\"n\",\"resources\":{"
                      + resources
                      + "},\"loads\":["
                      + load
                      + "]}],\"loads\":[]}"))
          .endsWith("only r0, r1, r10, r100, r1000, r1001, r1002, r1003, r1004, r1005, ...");
    }

    @Test
    void allOfThemTogether() {
      assertThat(
              Reading.faults(
                  """
                  {"strategy":7,"nodes":[{"name":"a","resources":{"x":"many","y":true}}],
                   "loads":[{"id":"w","requirements":{"x":inf},"immunities":[1]},{"id":"w"}]}
                  """))
          .extracting(fault -> fault.place().pointer())
          .containsExactly(
              "/strategy",
              "/nodes/0/resources/x",
              "/nodes/0/resources/y",
              "/loads/0/requirements/x",
              "/loads/0/immunities/0",
              "/loads/1/id",
              "/loads/1/requirements");
    }

    @Test
    void arePutAsideForOneOfSyntax() {
      assertThat(Reading.faults("{\"strategy\":7,\"nodes\":[nope]}"))
          .extracting(Fault::kind)
          .containsExactly(Fault.Kind.SYNTAX);
    }
  }

  @Nested
  class OfLimits {
    private final Limits tight =
        Limits.STANDARD.withDepth(6).withLengths(5, 8).withCounts(2, 2, 3).withFaults(4);

    private List<Fault> faults(String text) {
      return Reading.faults(
          ProblemReader.standard().withLimits(tight), text.getBytes(StandardCharsets.UTF_8));
    }

    private String nodes(String resources) {
      return "{\"nodes\":[{\"id\":\"n\",\"resources\":{" + resources + "}}],\"loads\":[]}";
    }

    private void assertLimit(String text, String message) {
      List<Fault> faults = faults(text);

      assertThat(faults).extracting(Fault::kind).containsExactly(Fault.Kind.LIMIT);
      assertThat(faults.get(0).message()).isEqualTo(message);
    }

    @Test
    void theRulesOfAPlacedWorkloadHaveTenLevels() {
      String conditions = "[{\"level\":\"zone\",\"in\":[\"a\"]}]";
      for (int any = 0; any < 3; any++) {
        String text =
            "{\"nodes\":[{\"id\":\"n\",\"resources\":{},\"loads\":[{\"id\":\"p\",\"requirements\":{},"
                + "\"preferences\":[{\"where\":"
                + conditions
                + "}]}]}],\"loads\":[]}";
        ProblemReader reader = ProblemReader.standard();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int levels = 10 + 3 * any;

        assertThat(Reading.faults(reader.withLimits(tight.withDepth(levels)), bytes)).isEmpty();
        assertThat(Reading.faults(reader.withLimits(tight.withDepth(levels - 1)), bytes))
            .extracting(Fault::kind)
            .containsExactly(Fault.Kind.LIMIT);
        conditions = "[{\"any\":[" + conditions + "]}]";
      }
    }

    @Test
    void letPassWhatJustReachesThem() {
      assertThat(faults(nodes("\"abcde\":12345678,\"b\":\"12345678\",\"c\":0"))).isEmpty();
      assertThat(
              faults(
                  """
                  {"nodes":[{"id":"12345","resources":{}},{"id":"n","resources":{}}],
                   "workloads":[{"id":"v","requirements":{},"aversion_groups":["a","b","c"]},
                                {"id":"w","requirements":{}}]}
                  """))
          .isEmpty();
    }

    @Test
    void endTheReadingAtALongName() {
      assertLimit(
          nodes("\"abcdef\":1"),
          "line 1, column 34: nodes[0].resources.abcdef is 6 characters long; allowed: at most 5"
              + " characters");
      assertLimit(
          "{\"nodes\":[{\"id\":\"abcdef\"",
          "line 1, column 17: nodes[0].id is 6 characters long; allowed: at most 5 characters");
    }

    @Test
    void endTheReadingAtALongNumber() {
      assertLimit(
          nodes("\"a\":123456789"),
          "line 1, column 38: nodes[0].resources.a is 9 characters long; allowed: at most 8"
              + " characters");
      assertLimit(
          nodes("\"a\":\"123456789\""),
          "line 1, column 38: nodes[0].resources.a is 9 characters long; allowed: at most 8"
              + " characters");
    }

    @Test
    void endTheReadingAtOneTooMany() {
      assertLimit(
          nodes("\"a\":1,\"b\":1,\"c\":1,\"d\":1"),
          "line 1, column 56: nodes[0].resources.d is one too many; allowed: at most 3 entries");
      assertLimit(
          "{\"nodes\":[{\"id\":\"a\",\"resources\":{}},{\"id\":\"b\",\"resources\":{}},{",
          "line 1, column 63: nodes[2] is one too many; allowed: at most 2 nodes");
      assertLimit(
          "{\"loads\":[{\"id\":\"a\",\"requirements\":{}}],\"nodes\":[{\"id\":\"n\",\"loads\":["
              + "{\"id\":\"b\",\"requirements\":{}},{",
          "line 1, column 98: nodes[0].loads[1] is one too many; allowed: at most 2 workloads");
      assertLimit(
          "{\"nodes\":[],\"loads\":[{\"id\":\"w\",\"tolerations\":[\"a\",\"a\",\"a\",\"a\"",
          "line 1, column 59: loads[0].tolerations[3] is one too many; allowed: at most 3 entries");
      assertLimit(
          "{\"settings\":{\"a\":1,\"b\":1,\"c\":1,\"d\":1",
          "line 1, column 36: settings.d is one too many; allowed: at most 3 entries");
    }

    @Test
    void endTheReadingBelowTheDeepestLevel() {
      assertThat(faults("{\"a\":[[[[[1]]]]],\"nodes\":[],\"loads\":[]}"))
          .extracting(Fault::kind)
          .containsExactly(Fault.Kind.UNKNOWN_MEMBER);
      assertLimit(
          "{\"a\":[[[[[[1]]]]]]}",
          "line 1, column 11: a[0][0][0][0][0] is deeper than that; allowed: at most 6 levels");
    }

    @Test
    void endTheReadingAtTooManyFaults() {
      assertThat(faults("{\"nodes\":[1,2]")).hasSize(1);
      assertThat(
              Reading.faults("{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"nodes\":[],\"loads\":[]}"))
          .hasSize(5);
      assertThat(faults("{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"nodes\":[],\"loads\":[]}"))
          .hasSize(4);
    }

    @Test
    void holdWhateverComes() {
      String number = "9".repeat(1_000_000);
      for (String text :
          List.of(
              nodes("\"x\":" + number),
              nodes("\"x\":-0." + number),
              nodes("\"x\":1e" + number),
              nodes("\"x\":\"" + number + "\""),
              nodes("\"" + number + "\":1"),
              "[".repeat(100_000),
              "{\"nodes\":" + "[".repeat(100_000),
              "{\"a\":".repeat(100_000),
              "{\"strategy\":\"" + number + "\"}")) {
        for (ProblemReader reader :
            List.of(ProblemReader.standard(), ProblemReader.standard().withLimits(tight))) {
          List<Fault> faults = Reading.faults(reader, text.getBytes(StandardCharsets.UTF_8));

          assertThat(faults).hasSize(1);
          assertThat(faults.get(0).message()).hasSizeLessThan(1000);
          assertThat(faults.get(0).kind()).isEqualTo(Fault.Kind.LIMIT);
        }
      }
    }

    @Test
    void areRefusedWhereTheyMakeNoSense() {
      assertThatThrownBy(() -> Limits.STANDARD.withDepth(0))
          .isInstanceOf(InvalidInputException.class)
          .hasMessage("limits: depth is 0; allowed: 1 to 1100");
      assertThatThrownBy(() -> Limits.STANDARD.withDepth(1101))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> Limits.STANDARD.withFaults(-1))
          .isInstanceOf(InvalidInputException.class);
    }
  }

  /** Up to 16 names are compared one by one, more by a table: the change from one to the other. */
  @Test
  void aNameThatIsRepeatedIsFoundWhereverItStoodFirst() {
    for (int names : new int[] {2, 15, 16, 17, 18, 33, 40}) {
      for (int first = 0; first < names; first++) {
        StringBuilder members = new StringBuilder();
        for (int i = 0; i < names; i++) {
          members.append("\"r").append(i).append("\":1,");
        }
        members.append("\"r").append(first).append("\":1");
        assertThat(
                Reading.fault(
                    "{\"nodes\":[{\"name\":\"n\",\"resources\":{"
                        + members
                        + "}}],\"workloads\":[]}"))
            .as("the %d. of %d names again", first + 1, names)
            .contains("nodes[0].resources.r" + first + " is given twice");
      }
    }
  }

  @Test
  void whatSitsOnACordonedNodeIsCheckedAsElsewhere() {
    for (String cordoned : new String[] {"", ",\"cordoned\":false", ",\"cordoned\":true"}) {
      assertThat(
              Reading.fault(
                  "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"cpu\":1}"
                      + cordoned
                      + ",\"workloads\":[{\"name\":\"p\",\"requirements\":{\"gpu\":1}}]}],"
                      + "\"workloads\":[]}"))
          .contains("nodes[0].workloads[0].requirements.gpu is 1")
          .contains("its node has no such resource, only cpu");
    }
  }
}
