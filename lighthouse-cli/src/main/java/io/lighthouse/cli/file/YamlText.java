package io.lighthouse.cli.file;

import io.lighthouse.json.Fault;
import io.lighthouse.json.Place;
import io.lighthouse.json.ProblemFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.YamlUnicodeReader;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * A problem in YAML 1.2, as the same problem in JSON, every value on the line where it stands in
 * the YAML: so messages about lines are true. Numbers keep their digits. One document; no aliases
 * and no tags, which the format has no use for.
 */
final class YamlText {
  private static final String ALLOWED = "YAML 1.2 in UTF-8, of one document";

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?");
  private static final Pattern INFINITY = Pattern.compile("([-+]?)[.](inf|Inf|INF)");

  private final StringBuilder json = new StringBuilder();

  /** The open arrays and objects. */
  private final Deque<Open> open = new ArrayDeque<>();

  private int line;
  private int documents;

  private YamlText() {}

  /**
   * The JSON of a YAML text.
   *
   * @throws ProblemFormatException if it is no YAML, or uses what is not taken
   */
  static byte[] toJson(InputStream in) throws IOException {
    YamlText text = new YamlText();
    LoadSettings settings =
        LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).setParseComments(false).build();
    String characters = decoded(in.readAllBytes());
    try {
      Parser events = new ParserImpl(settings, new StreamReader(settings, characters));
      while (events.hasNext()) {
        text.take(events.next());
      }
    } catch (MarkedYamlEngineException broken) {
      throw wrong(broken.getProblemMark(), "no YAML: " + broken.getProblem(), ALLOWED);
    } catch (ReaderException broken) {
      int at = Math.min(broken.getPosition(), characters.codePointCount(0, characters.length()));
      String before = characters.substring(0, characters.offsetByCodePoints(0, at));
      throw wrong(before, "no YAML: " + broken.getMessage());
    } catch (YamlEngineException broken) {
      throw wrong("", "no YAML 1.2");
    }
    return text.json.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The characters of the bytes, in UTF-8 or as a byte order mark says, without that mark. */
  private static String decoded(byte[] bytes) throws IOException {
    YamlUnicodeReader marked = new YamlUnicodeReader(new ByteArrayInputStream(bytes));
    marked.read(new char[1], 0, 0); // Finds the encoding.
    Charset charset = marked.getEncoding();
    CharBuffer characters = CharBuffer.allocate(bytes.length);
    CoderResult end = charset.newDecoder().decode(ByteBuffer.wrap(bytes), characters, true);
    String decoded = characters.flip().toString();
    decoded = decoded.startsWith("\ufeff") ? decoded.substring(1) : decoded;
    if (end.isError()) {
      throw wrong(decoded, "no " + charset);
    }
    return decoded;
  }

  private static ProblemFormatException wrong(String before, String found) {
    String[] lines = before.split("\r\n?|\n", -1);
    String last = lines[lines.length - 1];
    return wrong(lines.length, last.codePointCount(0, last.length()) + 1, found, ALLOWED);
  }

  private static ProblemFormatException wrong(Event event, String found, String allowed) {
    return wrong(event.getStartMark(), found, allowed);
  }

  private static ProblemFormatException wrong(Optional<Mark> at, String found, String allowed) {
    return wrong(
        at.map(Mark::getLine).orElse(0) + 1, at.map(Mark::getColumn).orElse(0) + 1, found, allowed);
  }

  private static ProblemFormatException wrong(int line, int column, String found, String allowed) {
    Place place = new Place(line, column, "", "");
    return new ProblemFormatException(List.of(new Fault(Fault.Kind.SYNTAX, place, found, allowed)));
  }

  private void take(Event event) {
    switch (event.getEventId()) {
      case DocumentStart -> {
        if (++documents > 1) {
          throw wrong(event, "more than one document", "one document");
        }
      }
      case MappingStart -> begin((CollectionStartEvent) event, '{', true);
      case SequenceStart -> begin((CollectionStartEvent) event, '[', false);
      case MappingEnd -> end('}');
      case SequenceEnd -> end(']');
      case Scalar -> scalar((ScalarEvent) event);
      case Alias -> throw wrong(event, "no plain YAML: it has an alias", "each value written out");
      default -> {}
    }
  }

  private void begin(CollectionStartEvent event, char bracket, boolean object) {
    requireNoTag(event, event.getTag());
    separate(event, false);
    json.append(bracket);
    open.push(new Open(object));
  }

  private void end(char bracket) {
    json.append(bracket);
    open.pop();
  }

  private void scalar(ScalarEvent event) {
    requireNoTag(event, event.getTag());
    boolean key = separate(event, true);
    String value = event.getValue();
    if (!key && event.getScalarStyle() == ScalarStyle.PLAIN && isJson(value)) {
      json.append(value.isEmpty() || value.equals("~") ? "null" : value);
    } else if (!key && event.isPlain() && INFINITY.matcher(value).matches()) {
      json.append(value.startsWith("-") ? "\"-inf\"" : "\"inf\"");
    } else {
      quoted(value);
    }
  }

  private static void requireNoTag(Event event, Optional<?> tag) {
    if (tag.isPresent()) {
      throw wrong(event, "no plain YAML: it has a tag", "no tags");
    }
  }

  private static boolean isJson(String value) {
    return switch (value) {
      case "", "~", "null", "true", "false" -> true;
      default -> NUMBER.matcher(value).matches();
    };
  }

  /** What stands before a value: comma or colon, and line feeds; answers whether it is a key. */
  private boolean separate(Event event, boolean scalar) {
    boolean key = false;
    if (!open.isEmpty()) {
      Open inside = open.peek();
      key = inside.object && inside.count % 2 == 0;
      if (key && !scalar) {
        throw wrong(event, "no plain YAML: it has a key that is no text", "a text");
      }
      json.append(inside.count == 0 ? "" : inside.object && !key ? ":" : ",");
      inside.count++;
    }
    Optional<Mark> mark = event.getStartMark();
    while (mark.isPresent() && line < mark.get().getLine()) {
      json.append('\n');
      line++;
    }
    return key;
  }

  private void quoted(String value) {
    json.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }

  /** An array or object, and how many scalars and parts it has so far. */
  private static final class Open {
    private final boolean object;
    private int count;

    Open(boolean object) {
      this.object = object;
    }
  }
}
