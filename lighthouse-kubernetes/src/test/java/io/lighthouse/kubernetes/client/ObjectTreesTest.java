package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Trees come out of texts as they went in, and as Jackson's mapper reads and writes them. */
class ObjectTreesTest {
  private static JsonNode read(String text) {
    return ObjectTrees.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String written(JsonNode tree) {
    return new String(ObjectTrees.write(tree), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "{\"a\":[1,-2,{\"b\":[]},true,false,null],\"c\":{\"d\":\"\"}}",
        "[2147483647,2147483648,-9223372036854775808,9223372036854775808]",
        "[1.5,0.1,100.250]",
        "\"é \uD83D\uDE00 \\\" \\\\ \\n\"",
      })
  void areWrittenAsTheyWereRead(String text) {
    assertThat(written(read(text))).isEqualTo(text);
  }

  @Test
  void haveNumbersOfTheirSize() {
    JsonNode numbers = read("[1,3000000000,1.10,1e3]");
    assertThat(numbers.get(0).isInt()).isTrue();
    assertThat(numbers.get(1).longValue()).isEqualTo(3_000_000_000L);
    assertThat(numbers.get(2).decimalValue()).isEqualByComparingTo("1.1");
    assertThat(numbers.get(3).decimalValue()).isEqualByComparingTo("1000");
  }

  @Test
  void leaveOutWhoHasSetWhichField() {
    JsonNode pod = read("{\"metadata\":{\"managedFields\":[{\"f:a\":{}}],\"name\":\"p\"}}");
    assertThat(written(pod)).isEqualTo("{\"metadata\":{\"name\":\"p\"}}");
  }

  @Test
  void anEmptyTextHoldsNothing() {
    assertThat(read("").isMissingNode()).isTrue();
    assertThatThrownBy(() -> ObjectTrees.write(JsonNodeFactory.instance.missingNode()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{} {}", "{}x", "[1,]", "<html>", "{\"a\":1,}"})
  void whatIsNoJsonIsRefused(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(JacksonException.class);
  }
}
