package io.lighthouse.cli.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.YamlUnicodeReader;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
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
   * @throws FleetFile.UnreadableException if it is no YAML, or uses what is not taken
   */
  static byte[] toJson(InputStream in) throws IOException {
    YamlText text = new YamlText();
    LoadSettings settings =
        LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).setParseComments(false).build();
    try {
      Reader characters = new YamlUnicodeReader(in);
      Parser events = new ParserImpl(settings, new StreamReader(settings, characters));
      while (events.hasNext()) {
        text.take(events.next());
      }
    } catch (MarkedYamlEngineException broken) {
      String where = broken.getProblemMark().map(YamlText::place).orElse("");
      throw new FleetFile.UnreadableException(where + "no YAML: " + broken.getProblem());
    } catch (YamlEngineException broken) {
      throw new FleetFile.UnreadableException("no YAML: " + broken.getMessage());
    }
    return text.json.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String place(Mark mark) {
    return "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ": ";
  }

  private static FleetFile.UnreadableException refused(Event event, String what) {
    return new FleetFile.UnreadableException(
        event.getStartMark().map(YamlText::place).orElse("") + what);
  }

  private void take(Event event) {
    switch (event.getEventId()) {
      case DocumentStart -> {
        if (++documents > 1) {
          throw refused(event, "a second document; allowed: one");
        }
      }
      case MappingStart -> begin(event, '{', true);
      case SequenceStart -> begin(event, '[', false);
      case MappingEnd -> end('}');
      case SequenceEnd -> end(']');
      case Scalar -> scalar((ScalarEvent) event);
      case Alias -> throw refused(event, "an alias; allowed: each value written out");
      default -> {}
    }
  }

  private void begin(Event event, char bracket, boolean object) {
    separate(event, false);
    json.append(bracket);
    open.push(new Open(object));
  }

  private void end(char bracket) {
    json.append(bracket);
    open.pop();
  }

  private void scalar(ScalarEvent event) {
    if (event.getTag().isPresent() && !event.isPlain()) {
      throw refused(event, "a tag; allowed: none");
    }
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
        throw refused(event, "a key that is no text; allowed: a text");
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
