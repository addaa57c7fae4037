package io.lighthouse.json.token;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The characters of a UTF-8 text, without a byte order mark. Strings of the same length stand for
 * the bare tokens {@code inf} and {@code -inf}: a JSON parser takes them, and its columns stay
 * true.
 *
 * <p>The swapped strings hold surrogates that stand alone. No decoder lets such a thing through, so
 * a text can only come near by escapes, which are longer ({@link #bareToken}).
 *
 * <p>Bytes that are no UTF-8 fail with a {@link CharacterCodingException} when everything before
 * them was read, no earlier. Not thread-safe; closing it leaves the bytes open.
 */
final class ProblemText extends Reader {
  /** What the strings hold that stand for {@code inf} and {@code -inf}. */
  private static final String INF = "\udfff";

  private static final String MINUS_INF = "\udfff\udfff";

  /** The longest token, and what must stand behind it. */
  private static final int LOOK_AHEAD = "-inf".length() + 1;

  /** How many bytes there is room for at a time: for a short text little, which costs less. */
  private static final int LEAST_ROOM = 1 << 8;

  private static final int MOST_ROOM = 1 << 14;

  private final InputStream in;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);
  private ByteBuffer bytes = ByteBuffer.allocate(0);

  /**
   * Decoded characters, from its position to its limit; those up to {@link #ready} are looked at.
   */
  private CharBuffer chars = CharBuffer.allocate(0);

  private int ready;

  /** Whether the last bytes that came took all the room there was. */
  private boolean filled;

  private boolean started;
  private boolean ended;
  private boolean inString;
  private boolean escaped;
  private char before = ' ';

  /** Why the bytes cannot be decoded any further; null while they can. */
  private CharacterCodingException malformed;

  ProblemText(InputStream in) {
    this.in = in;
  }

  /** Whether a string read by a parser looks like one that was swapped in. */
  static boolean standsForBareToken(String content) {
    return content.equals(INF) || content.equals(MINUS_INF);
  }

  /** The bare token that a string read by a parser stands for, or null if it is none. */
  static String bareToken(String content, long rawLength) {
    if (content.equals(MINUS_INF) && rawLength == "-inf".length()) {
      return "-inf";
    }
    return content.equals(INF) && rawLength == "inf".length() ? "inf" : null;
  }

  @Override
  public int read(char[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (ready == chars.position()) {
      if (ended && !chars.hasRemaining()) {
        if (malformed != null) {
          throw malformed;
        }
        return -1;
      }
      fill();
      look();
    }
    int count = Math.min(length, ready - chars.position());
    chars.get(target, offset, count);
    return count;
  }

  @Override
  public void close() {
    // The bytes are their opener's.
  }

  /** Decodes more characters behind those that wait. */
  private void fill() throws IOException {
    if (ended) {
      return;
    }
    makeRoom();
    chars.compact();
    ready = 0;
    int had = chars.position();
    while (!ended && chars.position() == had) {
      bytes.compact();
      int count = in.read(bytes.array(), bytes.position(), bytes.remaining());
      filled = count == bytes.remaining();
      bytes.position(bytes.position() + Math.max(count, 0)).flip();
      decode(count < 0);
    }
    chars.flip();
    if (!started && chars.hasRemaining()) {
      started = true;
      if (chars.get(0) == '\ufeff') {
        chars.get();
        ready = 1;
      }
    }
  }

  /**
   * For a short text and one byte more, so that its end is seen; for another as soon as it shows.
   */
  private void makeRoom() {
    int had = bytes.capacity();
    if (had == MOST_ROOM || had > 0 && !filled) {
      return;
    }
    int room = had > 0 ? MOST_ROOM : Math.max(LEAST_ROOM, Math.min(available(), MOST_ROOM - 1) + 1);
    bytes = ByteBuffer.allocate(room).put(bytes).flip();
    chars = CharBuffer.allocate(room).put(chars).flip();
  }

  /** How many bytes can be read at once; 0 for a pipe that was opened as a file (JDK 17). */
  private int available() {
    try {
      return in.available();
    } catch (IOException unknown) {
      return 0;
    }
  }

  private void decode(boolean last) {
    CoderResult result = decoder.decode(bytes, chars, last);
    ended = last && result.isUnderflow();
    if (result.isError()) {
      ended = true;
      try {
        result.throwException();
      } catch (CharacterCodingException found) {
        malformed = found;
      }
    }
  }

  /** Looks at the characters behind {@link #ready}, and swaps bare tokens. */
  private void look() {
    char[] text = chars.array();
    int end = chars.limit();
    int at = ready;
    while (at < end) {
      char c = text[at];
      if (inString) {
        inString = escaped || c != '"';
        escaped = !escaped && c == '\\';
      } else if (c == '"') {
        inString = true;
      } else if ((c == '-' || c == 'i') && !isPartOfWord(before)) {
        if (end - at < LOOK_AHEAD && !ended) {
          break; // Its end is not here yet.
        }
        at += swap(text, at, end);
        before = text[at++];
        continue;
      }
      before = c;
      at++;
    }
    ready = at;
  }

  /** Swaps a bare token; answers how far behind {@code at} its last character stands. */
  private int swap(char[] text, int at, int end) {
    int word = text[at] == '-' ? at + 1 : at;
    int behind = word + 3;
    if (behind > end
        || text[word] != 'i'
        || text[word + 1] != 'n'
        || text[word + 2] != 'f'
        || (behind < end && isPartOfWord(text[behind]))) {
      return 0;
    }
    String content = word == at ? INF : MINUS_INF;
    text[at] = '"';
    content.getChars(0, content.length(), text, at + 1);
    text[behind - 1] = '"';
    return behind - 1 - at;
  }

  private static boolean isPartOfWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c == '+' || c == '-' || c == '.';
  }
}
