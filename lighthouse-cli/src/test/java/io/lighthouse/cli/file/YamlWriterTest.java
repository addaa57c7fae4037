package io.lighthouse.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What is written as YAML is read back as the same value, whatever its texts look like. */
class YamlWriterTest {
  private static final List<String> NASTY =
      List.of(
          "",
          " ",
          "null",
          "Null",
          "~",
          "yes",
          "No",
          "on",
          "OFF",
          "y",
          "N",
          "true",
          "FALSE",
          "1e3",
          "1_000",
          "0x1",
          "0o7",
          "017",
          "190:20:30",
          "2026-11-24",
          ".inf",
          "-.INF",
          ".nan",
          "=",
          "<<",
          "-",
          "- a",
          "?",
          "? a",
          ":",
          ": ",
          "a: b",
          "a:",
          "#",
          " #",
          "a #b",
          "|",
          ">",
          "&a",
          "*a",
          "!a",
          "%a",
          "@a",
          "`a",
          "'",
          "\"",
          "\\",
          "[",
          "]",
          "{",
          "}",
          ",",
          "---",
          "...",
          "--- a",
          " leading",
          "trailing ",
          "\ttab",
          "a\nb",
          "a\n\n b\n",
          "\n",
          "a\r\nb",
          "\r",
          "\u0000",
          "\u0007",
          "\u001b",
          "\u007f",
          "\u0085",
          "\u00a0",
          "\u00e9",
          "\u2028",
          "\u2029",
          "\ufeff",
          "\ufffe",
          "\u65e5\u672c",
          "\ud83d\ude00",
          "a".repeat(2_000),
          "a b ".repeat(100),
          "n-1.example_x");

  /** How YAML 1.1 resolves a plain scalar that is no text (the types bool, int, float, null...). */
  private static final Pattern NO_TEXT_IN_YAML_1_1 =
      Pattern.compile(
          "(?i)true|false|yes|no|on|off|y|n|null|~||=|<<|[-+]?[.](inf|nan)"
              + "|[-+]?[0-9][0-9_.:xobea-f+-]*|[-+]?[.][0-9_]+.*");

  private static String yaml(String json) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      YamlWriter.write(json.getBytes(StandardCharsets.UTF_8), out);
    } catch (java.io.IOException impossible) {
      throw new AssertionError(impossible);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** A quantity has up to 1000 digits before the point, and as many after it. */
  @Test
  void keepsEveryDigitOfTheLongestQuantity() {
    String number = "1".repeat(1000) + "." + "2".repeat(1000);

    assertThat(yaml("{\"cpu\":" + number + "}")).isEqualTo("---\ncpu: " + number + "\n");
  }

  private static Object read(String yaml) {
    return new Load(LoadSettings.builder().setAllowDuplicateKeys(false).build())
        .loadFromString(yaml);
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    text.chars().forEach(c -> json.append(String.format("\\u%04x", c)));
    return json.append('"').toString();
  }

  /** JSON of a value of maps, lists and texts. */
  private static String json(Object value) {
    List<String> parts = new ArrayList<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, part) -> parts.add(quoted((String) name) + ":" + json(part)));
      return "{" + String.join(",", parts) + "}";
    }
    if (value instanceof List<?> list) {
      list.forEach(part -> parts.add(json(part)));
      return "[" + String.join(",", parts) + "]";
    }
    return value instanceof String text ? quoted(text) : String.valueOf(value);
  }

  private static String text(Random random) {
    String text = NASTY.get(random.nextInt(NASTY.size()));
    return random.nextInt(3) > 0 ? text : text + NASTY.get(random.nextInt(NASTY.size()));
  }

  private static Object value(Random random, int depth) {
    int kind = random.nextInt(depth > 3 ? 5 : 8);
    if (kind < 5) {
      return kind == 0
          ? Boolean.valueOf(random.nextBoolean())
          : kind == 1
              ? Integer.valueOf(random.nextInt(2_000) - 1_000)
              : kind == 2 && random.nextBoolean() ? null : text(random);
    }
    if (kind == 5) {
      List<Object> list = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        list.add(value(random, depth + 1));
      }
      return list;
    }
    return map(random, depth);
  }

  private static Map<String, Object> map(Random random, int depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      map.put(text(random), value(random, depth + 1));
    }
    return map;
  }

  @Test
  void everyNastyTextIsReadBackAsValueAndAsName() {
    for (String text : NASTY) {
      Map<String, Object> value = Map.of(text, List.of(text, Map.of(text, text)));
      assertThat(read(yaml(json(value)))).as("%s", quoted(text)).isEqualTo(value);
    }
  }

  @Test
  void everyValueIsReadBackInItsOrder() {
    for (int seed = 0; seed < 2_000; seed++) {
      Map<String, Object> value = map(new Random(seed), 0);
      Object read = read(yaml(json(value)));
      assertThat(read).as("seed %d", seed).isEqualTo(value);
      assertThat(((Map<?, ?>) read).keySet().toArray()).isEqualTo(value.keySet().toArray());
    }
  }

  @Test
  void noTextIsPlainWhereYaml11ReadsAnotherType() {
    for (String text : NASTY) {
      String line = yaml("[" + quoted(text) + "]").substring("---\n  - ".length());
      boolean plain = !line.startsWith("\"");
      assertThat(plain && NO_TEXT_IN_YAML_1_1.matcher(line.strip()).matches())
          .as("%s is written as %s", quoted(text), line)
          .isFalse();
    }
  }

  /** Readers of YAML 1.1 reject the controls, and take the others for the end of a line. */
  @Test
  void controlsAndTheLineBreaksOfYaml11AreEscaped() {
    for (int c = 0; c < 0x3000; c++) {
      boolean lineBreak = c == 0x85 || c == 0x2028 || c == 0x2029;
      if (lineBreak || Character.isISOControl(c)) {
        String written = yaml("[" + quoted("a" + (char) c + "b") + "]");
        assertThat(written.strip().substring("---\n".length()))
            .as("U+%04x", c)
            .matches(c == '\t' ? "  - \"a.+b\"" : "  - \"a\\\\[0-9A-Za-z]+b\"");
        assertThat(read(written)).isEqualTo(List.of("a" + (char) c + "b"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.10", "0.000000001", "1e400", "-0", "123456789012345678901234567890"})
  void numbersKeepTheirDigits(String number) {
    assertThat(yaml("{\"a\":" + number + "}")).isEqualTo("---\na: " + number + "\n");
  }

  @Test
  void partsAreIndentedByTwoAndTheEmptyOnesAreInTheirLine() {
    assertThat(
            yaml(
                "{\"a\":[{\"b\":1,\"c\":null},[\"x\"],\"true\"],\"d\":{},\"e\":[],\"f\":{\"g h\":true}}"))
        .isEqualTo(
            """
            ---
            a:
              - b: 1
                c: null
              -   - x
              - "true"
            d: {}
            e: []
            f:
              "g h": true
            """);
  }
}
