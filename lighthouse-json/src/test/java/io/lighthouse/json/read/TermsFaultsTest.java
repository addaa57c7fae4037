package io.lighthouse.json.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.json.Fault;
import io.lighthouse.json.Limits;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every wrong word of domains, rules, gangs, replicas and inventories, with its whole message. */
class TermsFaultsTest {
  private static String atTop(String members) {
    return Reading.fault("{\"nodes\":[],\"workloads\":[]," + members + "}");
  }

  private static String ofANode(String members) {
    return Reading.fault(
        "{\"nodes\":[{\"name\":\"n\",\"resources\":{}," + members + "}],\"workloads\":[]}");
  }

  private static String ofAWorkload(String members) {
    return Reading.fault(
        "{\"nodes\":[],\"workloads\":[{\"name\":\"w\",\"requirements\":{}," + members + "}]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | domains is an object; allowed: an array of domains",
        "[7] | domains[0] is 7; allowed: an object with a level and a name",
        "[{\"name\":\"r\"}] | domains[0].level is missing; allowed: the name of a level",
        "[{\"level\":\"rack\"}] | domains[0].name is missing; allowed: the name of a domain",
        "[{\"level\":\"rack\",\"name\":\"\"}] | domains[0].name is ''; allowed: a name of at least"
            + " one character",
        "[{\"level\":\"node\",\"name\":\"n\"}] | domains[0].level is 'node'; allowed: another"
            + " level; nodes are declared as nodes",
        "[{\"level\":\"fleet\",\"name\":\"mine\"}] | domains[0].name is 'mine'; allowed: 'fleet',"
            + " the only domain of its level",
        "[{\"level\":\"rack\",\"name\":\"r\"},{\"name\":\"r\",\"level\":\"rack\"}] | domains[1]"
            + ".name is 'r', given before; allowed: a name that no other domain of level 'rack' has",
        "[{\"level\":\"rack\",\"name\":\"r\",\"size\":1}] | domains[0].size is an unknown field;"
            + " allowed: the fields level, name, resources, cordoned",
        "[{\"level\":\"rack\",\"name\":\"r\",\"cordoned\":0}] | domains[0].cordoned is 0; allowed:"
            + " true or false",
        "[{\"level\":\"rack\",\"name\":\"r\",\"resources\":{\"power\":\"much\"}}] | domains[0]"
            + ".resources.power is 'much'; allowed: a JSON number, inf, +inf or -inf, of at"
            + " most 1000 digits before and after the point"
      })
  void ofDeclaredDomains(String domains, String message) {
    assertThat(atTop("\"domains\":" + domains))
        .startsWith("line 1, column ")
        .endsWith(": " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | nodes[0].domains is an array; allowed: an object of levels and names of domains",
        "{\"node\":\"n\"} | nodes[0].domains.node is 'node'; allowed: a level but node and fleet,"
            + " where all stand",
        "{\"fleet\":\"fleet\"} | nodes[0].domains.fleet is 'fleet'; allowed: a level but node and"
            + " fleet, where all stand",
        "{\"rack\":1} | nodes[0].domains.rack is 1; allowed: the name of a domain",
        "{\"rack\":\"\"} | nodes[0].domains.rack is ''; allowed: a name of at least one character",
        "{\"\":\"r\"} | nodes[0].domains[''] is ''; allowed: a name of at least one character",
        "{\"rack\":\"r\",\"rack\":\"s\"} | nodes[0].domains.rack is given twice; allowed: each name"
            + " once"
      })
  void ofTheDomainsOfANode(String domains, String message) {
    assertThat(ofANode("\"domains\":" + domains))
        .startsWith("line 1, column ")
        .endsWith(": " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | is an object without left or total; allowed: one of the two",
        "{\"min\":1} | is an object without left or total; allowed: one of the two",
        "{\"left\":1,\"total\":2} | .total is given beside 'left'; allowed: only reserved, ratio,"
            + " min, max, step beside it",
        "{\"left\":1,\"left\":2} | .left is given twice; allowed: each key once",
        "{\"reserved\":1} | .total is missing; allowed: what there is in all, which reserved and"
            + " ratio are of",
        "{\"ratio\":2,\"max\":1} | .total is missing; allowed: what there is in all, which reserved"
            + " and ratio are of",
        "{\"left\":1,\"reserved\":1} | .reserved is given beside 'left'; allowed: only total,"
            + " ratio, min, max, step beside it",
        "{\"ratio\":1,\"left\":1} | .left is given beside 'ratio'; allowed: only min, max, step"
            + " beside it",
        "{\"total\":1,\"reserved\":\"inf\"} | .reserved is 'inf'; allowed: a finite decimal",
        "{\"total\":1,\"ratio\":0} | .ratio is 0; allowed: a finite number above 0",
        "{\"total\":1,\"ratio\":-2} | .ratio is -2; allowed: a finite number above 0",
        "{\"left\":1,\"min\":0} | .min is 0; allowed: a finite number above 0",
        "{\"left\":1,\"max\":\"inf\"} | .max is 'inf'; allowed: a finite number above 0",
        "{\"left\":1,\"step\":-0.5} | .step is -0.5; allowed: a finite number above 0",
        "{\"left\":1,\"min\":5,\"max\":4} | .min is 5; allowed: at most max, which is 4",
        "{\"total\":18,\"reserved\":6,\"ratio\":1e999} | .total is 18; allowed: a total of which (total"
            + " - reserved) x ratio has at most 1000 digits before the point",
        "{\"total\":{\"left\":1}} | .total is an object; allowed: a JSON number, or 'inf', '+inf' or"
            + " '-inf', of at most 1000 digits before and after the point",
        "{\"of\":1} | .of is an unknown field; allowed: the fields left, total, reserved, ratio,"
            + " min, max, step"
      })
  void ofInventories(String inventory, String message) {
    String text =
        "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"cpu\":" + inventory + "}}],\"workloads\":[]}";

    assertThat(Reading.fault(text))
        .startsWith("line 1, column ")
        .endsWith(": nodes[0].resources.cpu" + (message.startsWith(".") ? message : " " + message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | .shared is an array; allowed: an object of levels, each with an object of names and"
            + " quantities",
        "{\"node\":{\"cpu\":1}} | .shared.node is 'node'; allowed: a level but node, whose"
            + " resources are its requirements",
        "{\"rack\":{\"power\":\"inf\"}} | .shared.rack.power is 'inf'; allowed: a finite decimal",
        "{\"rack\":{\"power\":\"NaN\"}} | .shared.rack.power is 'NaN'; allowed: a JSON number, inf, +inf"
            + " or -inf, of at most 1000 digits before and after the point",
        "{\"rack\":2} | .shared.rack is 2; allowed: an object of names and quantities",
        "{\"rack\":{},\"rack\":{}} | .shared.rack is given twice; allowed: each name once"
      })
  void ofWhatIsShared(String shared, String message) {
    assertThat(ofAWorkload("\"shared\":" + shared))
        .startsWith("line 1, column ")
        .endsWith(": workloads[0]" + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"groups\":{} | .groups is an object; allowed: an array of names of groups",
        "\"groups\":[1] | .groups[0] is 1; allowed: a name",
        "\"groups\":[\"\"] | .groups[0] is ''; allowed: a name of at least one character"
      })
  void ofGroups(String member, String message) {
    assertThat(ofAWorkload(member)).endsWith(": workloads[0]" + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} |  is an object; allowed: an array of conditions",
        "[7] | [0] is 7; allowed: an object with level, resource or any",
        "[{}] | [0] is an object without level, resource or any; allowed: a condition",
        "[{\"absent\":true}] | [0] is an object without level, resource or any; allowed: a"
            + " condition",
        "[{\"in\":[\"a\"]}] | [0].level is missing; allowed: the name of a level",
        "[{\"most\":1}] | [0].resource is missing; allowed: the name of a resource",
        "[{\"level\":\"z\",\"in\":\"a\"}] | [0].in is 'a'; allowed: an array of names of domains",
        "[{\"level\":\"z\",\"in\":[],\"not_in\":[]}] | [0].not_in is given beside 'in'; allowed:"
            + " only level beside it",
        "[{\"level\":\"z\",\"in\":[],\"absent\":true}] | [0].absent is given beside 'in'; allowed:"
            + " only level, resource beside it",
        "[{\"level\":\"z\",\"least\":1}] | [0].least is given beside 'level'; allowed: only"
            + " resource, most beside it",
        "[{\"resource\":\"r\",\"level\":\"z\"}] | [0].level is given beside 'resource'; allowed:"
            + " only in, not_in, absent beside it",
        "[{\"resource\":\"r\",\"absent\":true,\"most\":1}] | [0].most is given beside 'absent';"
            + " allowed: only resource, least beside it",
        "[{\"level\":\"z\",\"any\":[]}] | [0].any is given beside 'level'; allowed: no other field"
            + " beside it",
        "[{\"resource\":\"r\",\"least\":\"x\"}] | [0].least is 'x'; allowed: a JSON number, inf, +inf"
            + " or -inf, of at most 1000 digits before and after the point",
        "[{\"level\":\"z\",\"absent\":\"yes\"}] | [0].absent is 'yes'; allowed: true or false",
        "[{\"any\":[{}]}] | [0].any[0] is an object; allowed: an array of conditions",
        "[{\"any\":[[],[{\"any\":[[{\"levels\":1}]]}]]}] | [0].any[1][0].any[0][0].levels is an"
            + " unknown field; allowed: the fields level, in, not_in, resource, least, most, absent,"
            + " any; did you mean level?"
      })
  void ofConditions(String where, String message) {
    String path = message.startsWith("[") ? "where" : "where ";
    assertThat(ofAWorkload("\"where\":" + where))
        .startsWith("line 1, column ")
        .endsWith(": workloads[0]." + path + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | is an object without most, least, skew, apart or rule; allowed: a rule",
        "{\"group\":\"g\"} | is an object without most, least, skew, apart or rule; allowed: a rule",
        "{\"most\":1,\"least\":1,\"group\":\"g\"} | .least is given beside 'most'; allowed: only"
            + " group, level beside it",
        "{\"most\":1} | .group is missing; allowed: the name of a group",
        "{\"most\":-1,\"group\":\"g\"} | .most is -1; allowed: a whole number from 0 to 2147483647",
        "{\"most\":1.5,\"group\":\"g\"} | .most is 1.5; allowed: a whole number from 0 to"
            + " 2147483647",
        "{\"most\":\"1\",\"group\":\"g\"} | .most is '1'; allowed: a whole number from 0 to"
            + " 2147483647",
        "{\"most\":2147483648,\"group\":\"g\"} | .most is 2147483648; allowed: a whole number from"
            + " 0 to 2147483647",
        "{\"least\":0,\"group\":\"g\"} | .least is 0; allowed: a whole number from 1 to 2147483647",
        "{\"skew\":0,\"group\":\"g\"} | .skew is 0; allowed: a whole number from 1 to 2147483647",
        "{\"skew\":1,\"group\":\"g\",\"min_domains\":0} | .min_domains is 0; allowed: a whole"
            + " number from 1 to 2147483647",
        "{\"most\":1,\"group\":\"g\",\"min_domains\":1} | .min_domains is given beside 'most';"
            + " allowed: only skew, group, level beside it",
        "{\"group\":\"g\",\"min_domains\":1} | .skew is missing; allowed: a whole number from 1",
        "{\"apart\":false,\"group\":\"g\"} | .apart is false; allowed: true",
        "{\"apart\":\"g\"} | .apart is 'g'; allowed: true",
        "{\"apart\":true} | .group is missing; allowed: the name of a group",
        "{\"apart\":true,\"group\":\"g\",\"most\":1} | .most is given beside 'apart'; allowed:"
            + " only group, level beside it",
        "{\"where\":[]} | .where is given in rules; allowed: in preferences, or as where of the"
            + " workload",
        "{\"rule\":\"near\",\"group\":\"g\"} | .group is given beside 'rule'; allowed: only most,"
            + " least, skew, apart, level, min_domains beside it",
        "{\"rule\":7} | .rule is 7; allowed: the name of a rule",
        "{\"with\":{}} | .rule is missing; allowed: the name of a rule",
        "{\"rule\":\"near\",\"with\":{\"a\":[]}} | .with.a is an array; allowed: a text, a number,"
            + " true or false",
        "{\"most\":1,\"group\":\"g\",\"weight\":1} | .weight is an unknown field; allowed: the"
            + " fields most, least, skew, apart, group, level, min_domains, where, rule, with"
      })
  void ofRules(String rule, String message) {
    String rest = message.startsWith(".") ? message : " " + message;
    assertThat(ofAWorkload("\"rules\":[" + rule + "]"))
        .startsWith("line 1, column ")
        .endsWith(": workloads[0].rules[0]" + rest);
    assertThat(atTop("\"rules\":[" + rule + "]")).endsWith(": rules[0]" + rest);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | is an object without most, least, skew, apart, where or rule; allowed: a preference",
        "{\"skew\":-1,\"group\":\"g\"} | .skew is -1; allowed: a whole number from 0 to 2147483647",
        "{\"where\":[],\"most\":1} | .most is given beside 'where'; allowed: only group, level"
            + " beside it",
        "{\"least\":0,\"group\":\"g\"} | .least is 0; allowed: a whole number from 1 to 2147483647",
        "[] | is an array; allowed: an object with most, least, skew, apart, where or rule"
      })
  void ofPreferences(String preference, String message) {
    String rest = message.startsWith(".") ? message : " " + message;
    assertThat(ofAWorkload("\"preferences\":[" + preference + "]"))
        .endsWith(": workloads[0].preferences[0]" + rest);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"shop\" | is 'shop'; allowed: an object with a name, and within where it stands in one"
            + " domain",
        "{} | .name is missing; allowed: the name of a gang",
        "{\"name\":\"\"} | .name is ''; allowed: a name of at least one character",
        "{\"name\":\"g\",\"within\":1} | .within is 1; allowed: the name of a level",
        "{\"name\":\"g\",\"min\":1} | .min is an unknown field; allowed: the fields name, id,"
            + " within"
      })
  void ofGangs(String gang, String message) {
    String rest = message.startsWith(".") ? message : " " + message;
    assertThat(ofAWorkload("\"gang\":" + gang)).endsWith(": workloads[0].gang" + rest);
  }

  @Test
  void ofAGangWithTwoLevels() {
    String text =
        """
        {"nodes":[],"workloads":[
        {"name":"a","requirements":{},"gang":{"name":"g","within":"rack"}},
        {"name":"b","requirements":{},"gang":{"within":"zone","name":"g"}},
        {"name":"c","requirements":{},"gang":{"name":"h"}}]}""";

    assertThat(Reading.fault(text))
        .isEqualTo(
            "line 3, column 39: workloads[1].gang.within is 'zone'; allowed: within 'rack', as its"
                + " gang's first member");
    assertThat(Reading.fault(text.replace("\"within\":\"zone\",", "")))
        .isEqualTo(
            "line 3, column 38: workloads[1].gang is without within; allowed: within 'rack', as its"
                + " gang's first member");
    assertThat(Reading.fault(text.replace("\"g\",\"within\":\"rack\"", "\"g\"")))
        .contains("is 'zone'; allowed: no within, as its gang's first member");
    assertThat(Reading.faults(text.replace("zone", "rack"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "-1 | is -1; allowed: a whole number from 0 to 2147483647",
        "0.5 | is 0.5; allowed: a whole number from 0 to 2147483647",
        "\"2\" | is '2'; allowed: a whole number from 0 to 2147483647",
        "3000000000 | is 3000000000; allowed: a whole number from 0 to 2147483647",
        "1e1001 | is 1e1001; allowed: a whole number from 0 to 2147483647"
      })
  void ofReplicas(String replicas, String message) {
    assertThat(ofAWorkload("\"replicas\":" + replicas))
        .endsWith(": workloads[0].replicas " + message);
  }

  @Test
  void ofReplicasOnANode() {
    assertThat(ofANode("\"workloads\":[{\"name\":\"w\",\"requirements\":{},\"replicas\":1}]"))
        .endsWith(
            ": nodes[0].workloads[0].replicas is 1; allowed: nothing: a workload on a node is one");
  }

  @Test
  void ofNamesThatCollideOnceReplicasAreWrittenOut() {
    String text =
        """
        {"nodes":[],"workloads":[
        {"name":"web","requirements":{},"replicas":3},
        {"name":"web-2","requirements":{}},
        {"replicas":2,"id":"web","requirements":{}},
        {"name":"web","requirements":{}}]}""";

    assertThat(Reading.faults(text))
        .extracting(Fault::message)
        .containsExactly(
            "line 3, column 9: workloads[1].name is 'web-2', given before; allowed: a name that no"
                + " other workload has",
            "line 4, column 20: workloads[2].id is 'web-1', the name of a replica, given before;"
                + " allowed: a name that no other workload has");
  }

  @Test
  void ofMoreReplicasThanTheLimitsLetIn() {
    ProblemReader reader =
        ProblemReader.standard().withLimits(Limits.STANDARD.withCounts(10, 5, 100));
    String text =
        """
        {"nodes":[],"workloads":[{"name":"a","requirements":{},"replicas":2},
        {"name":"b","requirements":{},"replicas":%d}]}""";

    assertThat(Reading.faults(reader, text.formatted(3).getBytes(StandardCharsets.UTF_8)))
        .isEmpty();
    assertThat(Reading.faults(reader, text.formatted(4).getBytes(StandardCharsets.UTF_8)))
        .extracting(Fault::kind, Fault::message)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                Fault.Kind.LIMIT,
                "line 2, column 42: workloads[1].replicas is 4, which makes 6 in all; allowed: at"
                    + " most 5 workloads"));
    assertThat(Reading.faults(reader, text.formatted(2000000000).getBytes(StandardCharsets.UTF_8)))
        .extracting(Fault::kind)
        .containsExactly(Fault.Kind.LIMIT);
  }

  @Test
  void ofNamesOfReplicasThatAreTooLong() {
    ProblemReader reader = ProblemReader.standard().withLimits(Limits.STANDARD.withLengths(5, 99));
    String text =
        "{\"nodes\":[],\"workloads\":[{\"name\":\"abc\",\"requirements\":{},\"replicas\":%d}]}";

    assertThat(Reading.faults(reader, text.formatted(9).getBytes(StandardCharsets.UTF_8)))
        .isEmpty();
    assertThat(Reading.faults(reader, text.formatted(10).getBytes(StandardCharsets.UTF_8)))
        .extracting(Fault::kind)
        .containsExactly(Fault.Kind.LIMIT);
  }

  @Test
  void ofWorkloadsBroughtAlongThatTakeWhatIsNotThere() {
    String text =
        """
        {"domains":[{"level":"rack","name":"r1","resources":{"cool":1}}],
        "nodes":[
        {"name":"a","resources":{},"domains":{"rack":"r1","zone":"z"},"workloads":[
         {"name":"v","requirements":{},"shared":{"rack":{"cool":1}}},
         {"name":"w","requirements":{},"shared":{"rack":{"power":2}}},
         {"name":"x","requirements":{},"shared":{"zone":{"power":2}}},
         {"name":"y","requirements":{},"shared":{"pool":{"power":2}}}]},
        {"name":"b","resources":{},"loads":[
         {"name":"z","requirements":{},"shared":{"fleet":{"licence":-1}}}]}],
        "workloads":[]}""";

    assertThat(Reading.faults(text))
        .extracting(Fault::message)
        .containsExactly(
            "line 3, column 1: nodes[0].workloads[1].shared.rack.power is 2; allowed: nothing:"
                + " domain 'r1' of level 'rack' has no such resource, only cool",
            "line 3, column 1: nodes[0].workloads[2].shared.zone.power is 2; allowed: nothing:"
                + " domain 'z' of level 'zone' is not declared",
            "line 3, column 1: nodes[0].workloads[3].shared.pool.power is 2; allowed: nothing: its"
                + " node stands in no domain of level 'pool'",
            "line 8, column 1: nodes[1].loads[0].shared.fleet.licence is -1; allowed: nothing:"
                + " domain 'fleet' of level 'fleet' is not declared");
  }

  @Test
  void allOfThemTogether() {
    assertThat(
            Reading.faults(
                """
                {"domains":[{"level":"node","name":"x"}],"rules":[{"most":-1,"group":"g"}],
                "nodes":[{"name":"n","resources":{"cpu":{"total":1,"left":1}},"domains":[]}],
                "workloads":[{"name":"w","requirements":{},"replicas":-1,"where":[{}],
                "gang":{},"preferences":5}]}"""))
        .extracting(fault -> fault.place().pointer())
        .containsExactly(
            "/domains/0/level",
            "/rules/0/most",
            "/nodes/0/resources/cpu/left",
            "/nodes/0/domains",
            "/workloads/0/replicas",
            "/workloads/0/where/0",
            "/workloads/0/gang/name",
            "/workloads/0/preferences");
  }
}
