package io.lighthouse.json.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemTextTest {

  /** All characters of a text, read in pieces of a size, from bytes that come in such pieces. */
  private static String read(byte[] bytes, int piece) throws IOException {
    InputStream slow =
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, piece));
          }
        };
    StringBuilder all = new StringBuilder();
    try (ProblemText text = new ProblemText(slow)) {
      char[] target = new char[piece];
      int count;
      while ((count = text.read(target, 0, piece)) >= 0) {
        all.append(target, 0, count);
      }
    }
    return all.toString();
  }

  /** The text with the swapped tokens made readable. */
  private static String swapped(String text, int piece) throws IOException {
    return read(text.getBytes(StandardCharsets.UTF_8), piece)
        .replace("\"\udfff\udfff\"", "<MI>")
        .replace("\"\udfff\"", "<I>");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 100_000})
  void swapsTokensWhereverABufferEnds(int piece) throws IOException {
    assertThat(swapped("{\"a\":inf,\"b\" : -inf}", piece)).isEqualTo("{\"a\":<I>,\"b\" : <MI>}");
    assertThat(swapped("[inf,-inf , inf]", piece)).isEqualTo("[<I>,<MI> , <I>]");
    assertThat(swapped("inf", piece)).isEqualTo("<I>");
    assertThat(swapped("-inf", piece)).isEqualTo("<MI>");
    for (int blanks = 16_370; blanks < 16_390; blanks++) {
      String before = " ".repeat(blanks);
      assertThat(swapped(before + "-inf", 100_000)).isEqualTo(before + "<MI>");
      assertThat(swapped(before + "inf,", 100_000)).isEqualTo(before + "<I>,");
      assertThat(swapped(before + "-info", 100_000)).isEqualTo(before + "-info");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"inf\"",
        "\" -inf \"",
        "\"\\\"inf\"",
        "\"\\\\\" \"inf\"",
        "info",
        "-info",
        "in",
        "-in",
        "-",
        "-1",
        "1inf",
        "+inf",
        "--inf",
        "inf1",
        "inf-",
        "inf.",
        "Inf",
        "-Inf",
        "infinf",
        "_inf",
        "x-inf",
        "\u00e9inf"
      })
  void leavesEverythingElseAsItIs(String text) throws IOException {
    assertThat(swapped(text, 1)).isEqualTo(text);
    assertThat(swapped(text, 1000)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100_000})
  void decodesCharactersOfEveryLength(int piece) throws IOException {
    String text = "{\"a\u00e9\u20ac\ud83d\udd26\": \"\u0000\uffff\"}";

    assertThat(swapped(text, piece)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 100_000})
  void givesEverythingBeforeItFailsOnBytesThatAreNoUtf8(int piece) throws IOException {
    byte[] bytes = "abc\u20acdef".getBytes(StandardCharsets.UTF_8);
    bytes[5] = 'x';
    try (ProblemText text = new ProblemText(new ByteArrayInputStream(bytes))) {
      char[] target = new char[3];

      assertThat(text.read(target, 0, 3)).isEqualTo(3);
      assertThat(target).containsExactly('a', 'b', 'c');
      assertThatThrownBy(() -> text.read(target, 0, 3))
          .isInstanceOf(CharacterCodingException.class);
    }
    byte[] cut = java.util.Arrays.copyOf("abc\u20ac".getBytes(StandardCharsets.UTF_8), 5);
    assertThatThrownBy(() -> read(cut, piece)).isInstanceOf(CharacterCodingException.class);
  }

  /** Streams that know how much is there, that do not, and that say too much. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 40, 1_000_000})
  void isTheSameWhateverTheBytesSayOfTheirNumber(int available) throws IOException {
    for (int length : new int[] {0, 1, 254, 255, 256, 257, 16_382, 16_383, 16_384, 40_000}) {
      String text = "\u20ac-inf ".repeat(length / 6 + 1).substring(0, length);
      InputStream vague =
          new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int available() {
              return available < 0 ? super.available() : available;
            }
          };
      StringBuilder all = new StringBuilder();
      try (ProblemText read = new ProblemText(vague)) {
        char[] target = new char[100];
        for (int n = read.read(target, 0, 100); n >= 0; n = read.read(target, 0, 100)) {
          all.append(target, 0, n);
        }
      }
      assertThat(all.toString().replace("\"\udfff\udfff\"", "-inf")).isEqualTo(text);
    }
  }

  /** As a pipe does that is opened as a file, with JDK 17. */
  @Test
  void isReadFromBytesThatCannotSayTheirNumber() throws IOException {
    InputStream pipe =
        new FilterInputStream(new ByteArrayInputStream("inf".getBytes(StandardCharsets.UTF_8))) {
          @Override
          public int available() throws IOException {
            throw new IOException("Illegal seek");
          }
        };
    try (ProblemText text = new ProblemText(pipe)) {
      assertThat(text.read(new char[10], 0, 10)).isEqualTo(3);
    }
  }

  /** A text that is short takes little memory, however many of them come. */
  @Test
  void takesNoMoreRoomForAShortTextThanItNeeds() throws IOException {
    byte[] bytes = new byte[300];
    java.util.Arrays.fill(bytes, (byte) ' ');
    int[] most = new int[1];
    InputStream asked =
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int read(byte[] target, int offset, int length) {
            most[0] = Math.max(most[0], target.length);
            return super.read(target, offset, length);
          }
        };
    try (ProblemText text = new ProblemText(asked)) {
      char[] target = new char[100];
      while (text.read(target, 0, 100) >= 0) {
        assertThat(most[0]).isEqualTo(301);
      }
    }
  }

  @Test
  void hasNoSwapThatBytesCouldSpell() throws IOException {
    // U+DFFF as three bytes: the decoder does not let it through.
    byte[] forged = {'"', (byte) 0xed, (byte) 0xbf, (byte) 0xbf, '"'};

    assertThatThrownBy(() -> read(forged, 5)).isInstanceOf(CharacterCodingException.class);
    assertThat(ProblemText.bareToken("\udfff", "\"\\udfff\"".length())).isNull();
    assertThat(ProblemText.bareToken("\udfff", 3)).isEqualTo("inf");
    assertThat(ProblemText.bareToken("\udfff\udfff", 4)).isEqualTo("-inf");
  }
}
