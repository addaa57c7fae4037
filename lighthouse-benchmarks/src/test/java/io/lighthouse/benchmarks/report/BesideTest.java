package io.lighthouse.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lighthouse.benchmarks.run.Part;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BesideTest {
  @Test
  void readsTheTimeAndParts() {
    Beside.Asked asked = Beside.Asked.of("abc", "rules", "--seconds", "3", "batch");

    assertThat(asked.base()).isEqualTo("abc");
    assertThat(asked.seconds()).isEqualTo(3);
    assertThat(asked.parts()).containsExactly(Part.BATCH, Part.RULES);
    assertThat(Beside.Asked.of("abc").parts()).contains(Part.BATCH, Part.SCHEDULING);
  }

  @ParameterizedTest
  @CsvSource({
    "abc --seconds x, --seconds is 'x'; allowed: a whole number from 1 to 9999",
    "abc --seconds 0, --seconds is '0'; allowed: a whole number",
    "abc --seconds, --seconds is ''; allowed: a whole number",
    "abc --seconds 99999999999, --seconds is '99999999999'; allowed: a whole number",
    "abc nosuch, part is 'nosuch'; allowed: [batch",
    "abc data, part is 'data'; allowed: [batch",
  })
  void saysWhatIsWrong(String words, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Beside.Asked.of(words.split(" ")))
        .withMessageContaining(message);
  }
}
