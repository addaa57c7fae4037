package io.lighthouse.kubernetes.cluster.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.kubernetes.cluster.device.DeviceExpression.Subject;
import io.lighthouse.kubernetes.cluster.device.DeviceExpression.Version;
import io.lighthouse.kubernetes.cluster.object.UnsupportedFieldException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceExpressionTest {
  /** A full GPU as NVIDIA's driver describes it, with some attributes of other domains. */
  static final Subject GPU =
      new Device(
          "gpu.nvidia.com",
          true,
          Map.of(
              "gpu.nvidia.com",
              Map.of(
                  "type",
                  "gpu",
                  "productName",
                  "NVIDIA A100-SXM4-40GB",
                  "architecture",
                  "Ampere",
                  "uuid",
                  "GPU-18db0e85",
                  "index",
                  3L,
                  "driverVersion",
                  new Version("550.54.15"),
                  "numaNode",
                  0L,
                  "healthy",
                  true),
              "gpu.intel.com",
              Map.of(
                  "family",
                  "Flex",
                  "model",
                  "A770",
                  "sriov",
                  false,
                  "pciId",
                  "0xe223",
                  "beta",
                  new Version("1.0.0-beta.2+build.7")),
              "test-driver.cdi.k8s.io",
              Map.of("preallocate", true),
              "dra.net",
              Map.of("rdma", true, "name", "eth\ud83d\ude00", "quoted", "a\"b'c\\d\n\t\r")),
          Map.of(
              "gpu.nvidia.com",
              Map.of("memory", new BigDecimal("42949672960")),
              "gpu.intel.com",
              Map.of("memory", new BigDecimal("17179869184.000"), "millicores", BigDecimal.ONE),
              "test-driver.cdi.k8s.io",
              Map.of("counters", new BigDecimal("2"))));

  /** Selectors of the drivers of NVIDIA and Intel, of their users, and of upstream's tests. */
  static final List<String> MATCHING_REAL =
      List.of(
          "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'",
          "device.driver == \"gpu.nvidia.com\" &&\n device.allowMultipleAllocations == true",
          "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'"
              + " && device.attributes['gpu.nvidia.com'].productName == 'NVIDIA A100-SXM4-40GB'",
          "device.attributes['gpu.nvidia.com'].numaNode == 0",
          "device.attributes['gpu.nvidia.com'].uuid == 'GPU-5' ||\n"
              + "device.attributes['gpu.nvidia.com'].uuid == 'GPU-18db0e85'",
          "device.attributes['gpu.nvidia.com'].index in [1, 3]",
          "device.attributes['gpu.nvidia.com'].architecture.lowerAscii() == 'ampere'",
          "device.attributes['gpu.nvidia.com'].driverVersion.compareTo(semver('550.0.0')) >= 0",
          "device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= 0",
          "device.attributes[\"gpu.intel.com\"].family == 'Flex'",
          "device.attributes[\"gpu.intel.com\"].sriov == false",
          "device.attributes[\"gpu.intel.com\"].model == \"A770\"",
          "device.attributes[\"gpu.intel.com\"].pciId == \"0xe223\"",
          "device.capacity[\"gpu.intel.com\"].memory.compareTo(quantity(\"16Gi\")) >= 0",
          "device.attributes[\"dra.net\"].rdma == true",
          "device.capacity['test-driver.cdi.k8s.io'].counters.compareTo(quantity('2')) >= 0 &&\n"
              + "device.attributes['test-driver.cdi.k8s.io'].preallocate",
          "!(\"x\" in device.capacity[\"dra.net\"]) ||"
              + " device.capacity[\"dra.net\"].x.isGreaterThan(quantity(\"1Ki\"))");

  static final List<String> MATCHING =
      List.of(
          "true",
          "!false",
          "! ! true",
          "device.attributes[device.driver].healthy",
          "device.attributes['gpu.nvidia.com']['healthy']",
          "has(device.attributes['gpu.nvidia.com'].type)",
          "!has(device.attributes['gpu.nvidia.com'].nothing)",
          "!has(device.attributes['no.such'].type)",
          "has(device.capacity['gpu.nvidia.com'].memory)",
          "'gpu.nvidia.com' in device.attributes",
          "!('no.such' in device.attributes)",
          "'memory' in device.capacity['gpu.nvidia.com']",
          "!('memory' in device.capacity['no.such'])",
          "device.driver in ['a', 'gpu.nvidia.com', ]",
          "!(device.attributes['gpu.nvidia.com'].index in [-3, 4])",
          "!(device.attributes['gpu.nvidia.com'].index in ['3'])",
          "device.allowMultipleAllocations in [true]",
          "device.attributes['dra.net'].quoted == 'a\\\"b\\'c\\\\d\\n\\t\\r'",
          "device.attributes['dra.net'].quoted == \"a\\\"b'c\\\\d\\n\\t\\r\"",
          "device.attributes['dra.net'].name.size() == 4",
          "device.attributes['dra.net'].name.startsWith('eth')",
          "device.attributes['dra.net'].name.endsWith('\ud83d\ude00')",
          "device.driver.contains('.nvidia.')",
          "'\u00c4bZ'.lowerAscii() == '\u00c4bz' && '\u00e4bZ'.upperAscii() == '\u00e4BZ'",
          "'\uffff' < '\ud83d\ude00' && 'B' < 'a' && 'a' < 'ab'",
          "false < true && -1 < 0 && 2 > 1 && 2 >= 2 && 2 <= 2",
          "device.attributes['gpu.nvidia.com'].index > -9223372036854775808",
          "device.attributes['gpu.nvidia.com'].index < 9223372036854775807",
          "007 == 7 && - 7 == -7",
          "1 < 2 == true",
          "true || true && false",
          "(true || true) && true",
          "!false && true",
          "!false == true",
          "false ? false : false ? false : true",
          "true ? true : device.attributes['a'].b",
          "(true ? 'a' : device.attributes['a'].b) == 'a'",
          "device.attributes['a'].b || true",
          "true || device.attributes['a'].b",
          "!(device.attributes['a'].b && false)",
          "!(false && device.attributes['a'].b)",
          "device.attributes['gpu.nvidia.com'].index || true",
          "device.attributes['gpu.nvidia.com'].index != '3'",
          "!(device.attributes['gpu.nvidia.com'].index == '3')",
          "!('550.54.15' == device.attributes['gpu.nvidia.com'].driverVersion)",
          "device.attributes['gpu.nvidia.com'].driverVersion != '550.54.15'",
          "device.capacity['gpu.intel.com'].memory == quantity('16Gi')",
          "device.capacity['gpu.intel.com'].memory != quantity('16G')",
          "quantity('1.5Gi').isGreaterThan(quantity('1536M')) &&"
              + " quantity('1m').isLessThan(quantity('1'))",
          "quantity('1').compareTo(quantity('1000m')) == 0",
          "semver('1.2.3').compareTo(semver('1.2.10')) == -1",
          "semver('1.2.3-rc.1').isLessThan(semver('1.2.3')) &&"
              + " semver('2.0.0').isGreaterThan(semver('1.9.9'))",
          "semver('1.0.0-alpha').isLessThan(semver('1.0.0-alpha.1'))",
          "device.attributes['gpu.intel.com'].beta == semver('1.0.0-beta.2')",
          "semver('1.0.0-a.1').isLessThan(semver('1.0.0-a.b'))");

  static final List<String> NOT_MATCHING =
      List.of(
          "false",
          "device.driver == 'a'",
          "device.attributes['gpu.nvidia.com'].type == 'mig'",
          "device.attributes['gpu.intel.com'].sriov",
          "true && false || false",
          "true ? false : true",
          "false && device.attributes['a'].b",
          "!(true || device.attributes['a'].b)",
          "device.attributes['gpu.nvidia.com'].index == '3'",
          "'nothing' in device.attributes['gpu.nvidia.com']",
          "has(device.attributes['gpu.nvidia.com'].nothing)");

  /** Errors, and values of other types. Neither they nor their negations match. */
  static final List<String> FAILING =
      List.of(
          "device.attributes['gpu.nvidia.com'].nothing",
          "device.attributes['no.such'].type == 'gpu'",
          "device.capacity['gpu.nvidia.com'].nothing != quantity('1')",
          "device.attributes['gpu.nvidia.com'].type",
          "device.attributes['gpu.nvidia.com'].index",
          "device.attributes['gpu.nvidia.com'].index < '4'",
          "device.attributes['gpu.nvidia.com'].driverVersion == '550.54.15'",
          "device.attributes['gpu.nvidia.com'].driverVersion.isGreaterThan(quantity('1'))",
          "device.attributes['gpu.nvidia.com'].driverVersion >="
              + " device.attributes['gpu.intel.com'].beta",
          "device.attributes['gpu.nvidia.com'].driverVersion in ['550.54.15']",
          "device.attributes['gpu.nvidia.com'].index.startsWith('3')",
          "device.attributes['gpu.nvidia.com'].type ? true : true",
          "device.attributes['gpu.nvidia.com'].index && true",
          "device.attributes['a'].b && true",
          "device.attributes['a'].b || false",
          "device.attributes['a'].b in [1, 2]",
          "device.attributes['a'].b == device.attributes['a'].b",
          "device.attributes['a'].b ? true : true");

  @ParameterizedTest
  @FieldSource({"MATCHING_REAL", "MATCHING"})
  void matches(String expression) {
    assertThat(DeviceExpression.parse(expression).matches(GPU)).isTrue();
    assertThat(DeviceExpression.parse("!(" + expression + ")").matches(GPU)).isFalse();
  }

  @ParameterizedTest
  @FieldSource("NOT_MATCHING")
  void doesNotMatch(String expression) {
    assertThat(DeviceExpression.parse(expression).matches(GPU)).isFalse();
    assertThat(DeviceExpression.parse("!(" + expression + ")").matches(GPU)).isTrue();
  }

  @ParameterizedTest
  @FieldSource("FAILING")
  void anErrorOrAnotherTypeDoesNotMatch(String expression) {
    assertThat(DeviceExpression.parse(expression).matches(GPU)).isFalse();
    assertThat(DeviceExpression.parse("!(" + expression + ")").matches(GPU)).isFalse();
  }

  @Nested
  class Refusing {
    static final String D = "device.attributes['d']";

    static final Map<String, String> UNSUPPORTED =
        Map.ofEntries(
            Map.entry(
                "device.attributes['gpu.nvidia.com'].productName.lowerAscii()"
                    + ".matches('^.*a100.*$')",
                "the function matches()"),
            Map.entry("cel.bind(d, " + D + ", d.name)", "'cel'"),
            Map.entry(D + ".exists(x, x == 'a')", "the function exists() of a map"),
            Map.entry("device.attributes.all(x, true)", "the function all() of a map"),
            Map.entry(D + ".a.includes('b')", "the function includes()"),
            Map.entry(D + ".a.filter(x, true)", "the function filter()"),
            Map.entry(D + ".a.split('.').size() == 2", "the function split()"),
            Map.entry(D + ".a.compareTo() == 0", "the function compareTo()"),
            Map.entry(D + ".a.startsWith('a', 'b')", "','"),
            Map.entry("quantity('1').asInteger() == 1", "the function asInteger()"),
            Map.entry("isQuantity('1')", "the function isQuantity()"),
            Map.entry("size('a') == 1", "the function size()"),
            Map.entry("quantity('1GiB') == quantity('1')", "quantity() of '1GiB'"),
            Map.entry("semver('v1.2') == semver('1.2.0')", "semver() of 'v1.2'"),
            Map.entry("semver('1.2', true) == semver('1.2.0')", "','"),
            Map.entry("quantity(" + D + ".a) == quantity('1')", "without a string literal"),
            Map.entry(D + ".a + 1 == 2", "arithmetic with '+'"),
            Map.entry(D + ".a % 2 == 0", "arithmetic with '%'"),
            Map.entry("-" + D + ".a == 2", "arithmetic with '-'"),
            Map.entry("true // always", "a comment"),
            Map.entry(D + ".a == 1.5", "a number that is not a decimal integer"),
            Map.entry(D + ".a == 1u", "a number that is not a decimal integer"),
            Map.entry(D + ".a == 0x1F", "a number that is not a decimal integer"),
            Map.entry(D + ".a == 9223372036854775808", "more than 64 bits"),
            Map.entry(D + ".a == r'\\d'", "'r'"),
            Map.entry(D + ".a == \"\"\"a\"\"\"", "a string in triple quotes"),
            Map.entry(D + ".a == '\\x41'", "an escape"),
            Map.entry(D + ".a == 'a", "a string without an end"),
            Map.entry(D + ".a == 'a\n'", "a string without an end"),
            Map.entry(D + ".a == null", "'n'"),
            Map.entry(D + ".a == [1]", "a list that does not follow 'in'"),
            Map.entry("1 in " + D + ".a", "'in' of one attribute"),
            Map.entry("1 in 'a'", "'in' without a list"),
            Map.entry("1 in []", "an empty list"),
            Map.entry("1 in [" + D + ".a]", "'d'"),
            Map.entry(D + " == " + D, "a map of the device as a value"),
            Map.entry(D + ".a.b == 1", "the field 'b' of a value"),
            Map.entry(D + "['a']['b'] == 1", "'['"),
            Map.entry(D + "[?'a'].orValue(1) == 1", "a key that is neither"),
            Map.entry("device.attributes[0].a", "a key that is neither"),
            Map.entry("has(" + D + "['a'])", "has() without the name"),
            Map.entry("has(device.driver)", "device.driver"),
            Map.entry("has(claim.a)", "has() without a field of the device"),
            Map.entry("device.name == 'a'", "device.name"),
            Map.entry("claim.name == 'a'", "'claim'"),
            Map.entry("device", "without its end"),
            Map.entry("", "without its end"),
            Map.entry("true &&", "without its end"),
            Map.entry("(true", "without its end"),
            Map.entry("true)", "')' as character 5"),
            Map.entry("true ? true ? true : true : true", "'?'"),
            Map.entry("true & true", "'&'"),
            Map.entry("true = true", "'='"),
            Map.entry("true true", "'t' as character 6"),
            Map.entry("true\0", "'\0' as character 5"),
            Map.entry("{'a': 1}", "'{'"),
            Map.entry("?!", "'?' as character 1"));

    static final List<Map.Entry<String, String>> CASES = List.copyOf(UNSUPPORTED.entrySet());

    @ParameterizedTest
    @FieldSource("CASES")
    void namesTheExpressionAndWhatIsNotSupported(Map.Entry<String, String> unsupported) {
      String expression = unsupported.getKey();
      assertThatThrownBy(() -> DeviceExpression.parse(expression))
          .isInstanceOf(UnsupportedFieldException.class)
          .hasMessageContaining(unsupported.getValue())
          .hasMessageEndingWith(
              " in the CEL expression '%s'", expression.strip().replaceAll("\\s+", " "));
    }

    @Test
    void theMessageIsShort() {
      assertThatThrownBy(() -> DeviceExpression.parse("device." + "x".repeat(9000)))
          .hasMessageStartingWith("device.xxx")
          .message()
          .hasSizeLessThan(300);
    }

    /** Half of a pair of surrogates is no character. */
    @Test
    void theMessageHasWholeCharacters() {
      String smile = "\ud83d\ude00";
      for (String text : List.of(smile, "'" + "x".repeat(98) + smile + "'.matches('a')")) {
        assertThatThrownBy(() -> DeviceExpression.parse(text))
            .isInstanceOf(UnsupportedFieldException.class)
            .extracting(Throwable::getMessage)
            .satisfies(
                message ->
                    assertThat(message)
                        .asString()
                        .isEqualTo(
                            new String(
                                message.toString().getBytes(StandardCharsets.UTF_8),
                                StandardCharsets.UTF_8)));
      }
    }

    @Test
    void theTextIsBounded() {
      String longest = "'" + "a".repeat(10 * 1024 - 7) + "'!='b'";
      assertThat(DeviceExpression.parse(longest).matches(GPU)).isTrue();
      assertThatThrownBy(() -> DeviceExpression.parse(longest + " "))
          .isInstanceOf(UnsupportedFieldException.class)
          .hasMessageStartingWith("more than 10240 characters");
    }

    @Test
    void theDepthIsBounded() {
      assertThat(DeviceExpression.parse(nested("(", 63)).matches(GPU)).isTrue();
      for (String open : List.of("(", "false?true:", "!(", "true==(", "'a'.contains(")) {
        assertThatThrownBy(() -> DeviceExpression.parse(nested(open, 64)))
            .isInstanceOf(UnsupportedFieldException.class)
            .hasMessageStartingWith("more than 64 levels");
      }
    }

    private static String nested(String open, int times) {
      return open.repeat(times) + "true" + (open.endsWith("(") ? ")".repeat(times) : "");
    }

    @ParameterizedTest
    @ValueSource(strings = {" == true", ".lowerAscii()"})
    void theLengthOfAChainIsBounded(String link) {
      DeviceExpression.parse("'a'" + link.repeat(8));
      assertThatThrownBy(() -> DeviceExpression.parse("'a'" + link.repeat(9)))
          .isInstanceOf(UnsupportedFieldException.class)
          .hasMessageStartingWith("more than 8 comparisons or calls in a row");
    }
  }

  /** The longest and the deepest expressions need little of a stack. */
  @ParameterizedTest
  @ValueSource(strings = {"true&&", "false||", "!!"})
  void longExpressionsAreEvaluated(String repeated) {
    String text = repeated.repeat(10_000 / repeated.length()) + "true";
    assertThat(DeviceExpression.parse(text).matches(GPU)).isTrue();
  }

  @Test
  void theDeepestExpressionsAreEvaluated() {
    String text = "true";
    for (int i = 0; i < 63; i++) {
      text = "(" + text + ")" + "==true".repeat(8) + "&&true||false?true:true";
    }
    assertThat(DeviceExpression.parse(text).matches(GPU)).isTrue();
  }

  @Test
  void equalTextsMakeEqualExpressions() {
    DeviceExpression expression = DeviceExpression.parse("true || false");
    assertThat(expression)
        .isEqualTo(DeviceExpression.parse("true || false"))
        .hasSameHashCodeAs(DeviceExpression.parse("true || false"))
        .isNotEqualTo(DeviceExpression.parse("true||false"))
        .hasToString("true || false");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1", "1.2", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3+", "v1.2.3", "1.2.3 "})
  void aVersionIsSemantic(String text) {
    assertThatThrownBy(() -> new Version(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }

  private record Device(
      String driver,
      boolean allowsMultipleAllocations,
      Map<String, Map<String, Object>> attributes,
      Map<String, Map<String, BigDecimal>> capacity)
      implements Subject {}
}
