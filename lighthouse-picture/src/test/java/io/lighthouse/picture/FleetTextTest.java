package io.lighthouse.picture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FleetTextTest {
  @Test
  void escapesControlAndFormatCharactersAndNoOthers() {
    assertThat(FleetText.printable("n\u202e1\n")).isEqualTo("n\\u202e1\\u000a");
    // A tag: invisible, and beyond the basic plane.
    String tag = Character.toString(0xe0041);
    assertThat(FleetText.printable("n" + tag + "1")).isEqualTo("n\\udb40\\udc411");
    String rocket = Character.toString(0x1f680);
    assertThat(FleetText.printable(tag + rocket)).isEqualTo("\\udb40\\udc41" + rocket);
    assertThat(FleetText.printable(rocket)).isSameAs(rocket);
  }
}
