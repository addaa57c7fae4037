package io.lighthouse.cli.file;

import io.lighthouse.json.Limits;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.StreamDataWriter;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.emitter.Emitter;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ImplicitTuple;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.events.StreamStartEvent;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes JSON as the same value in YAML. Numbers keep their digits. A text is quoted if a reader of
 * YAML 1.1 or 1.2 might take it for anything else.
 */
public final class YamlWriter {
  /** Reads whatever Lighthouse has written. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Limits.WRITTEN.depth())
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private static final DumpSettings SETTINGS =
      DumpSettings.builder()
          .setIndent(2)
          .setIndicatorIndent(2)
          .setIndentWithIndicator(true)
          .setSplitLines(false)
          .build();

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

  /** The booleans and the null of YAML 1.1. */
  private static final Pattern CONSTANT = Pattern.compile("(?i)true|false|null|yes|no|on|off|y|n");

  private static final ImplicitTuple NO_TAG = new ImplicitTuple(true, true);

  private YamlWriter() {}

  /**
   * Writes one document with a line feed at its end.
   *
   * @param json one JSON value in UTF-8
   * @param out takes UTF-8; flushed, and left open
   */
  public static void write(byte[] json, OutputStream out) throws IOException {
    Writer characters = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    Emitter emitter = new Emitter(SETTINGS, new Characters(characters));
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
      emitter.emit(new StreamStartEvent());
      emitter.emit(new DocumentStartEvent(true, Optional.empty(), Map.of()));
      while (parser.nextToken() != null) {
        emitter.emit(event(parser));
      }
      emitter.emit(new DocumentEndEvent(false));
      emitter.emit(new StreamEndEvent());
      characters.flush();
    } catch (UncheckedIOException wrapped) {
      throw wrapped.getCause();
    }
  }

  private static Event event(JsonParser parser) {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT ->
          new MappingStartEvent(Optional.empty(), Optional.empty(), true, FlowStyle.BLOCK);
      case START_ARRAY ->
          new SequenceStartEvent(Optional.empty(), Optional.empty(), true, FlowStyle.BLOCK);
      case END_OBJECT -> new MappingEndEvent();
      case END_ARRAY -> new SequenceEndEvent();
      case PROPERTY_NAME, VALUE_STRING -> scalar(parser.getString(), styleOf(parser.getString()));
      default -> scalar(parser.getString(), ScalarStyle.PLAIN);
    };
  }

  private static Event scalar(String text, ScalarStyle style) {
    return new ScalarEvent(Optional.empty(), Optional.empty(), NO_TAG, text, style);
  }

  private static ScalarStyle styleOf(String text) {
    return PLAIN.matcher(text).matches() && !CONSTANT.matcher(text).matches()
        ? ScalarStyle.PLAIN
        : ScalarStyle.DOUBLE_QUOTED;
  }

  /**
   * The emitter's output as characters. YAML 1.1 has three line breaks that YAML 1.2 has not. The
   * emitter writes them as they are, always within double quotes; here they are escaped.
   */
  private record Characters(Writer out) implements StreamDataWriter {
    @Override
    public void write(String text) {
      try {
        out.write(
            text.replace("\u0085", "\\u0085")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029"));
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    @Override
    public void write(String text, int from, int length) {
      write(text.substring(from, from + length));
    }
  }
}
