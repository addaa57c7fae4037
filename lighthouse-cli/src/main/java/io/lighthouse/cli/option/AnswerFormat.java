package io.lighthouse.cli.option;

import io.lighthouse.json.write.AnswerWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Writes an answer for programs: JSON, or the same as YAML; and rows as CSV (RFC 4180). */
final class AnswerFormat {
  private static final JsonFactory JSON = new JsonFactory();

  private AnswerFormat() {}

  /** Writes one JSON object in a line. */
  static void json(OutputStream out, Consumer<AnswerWriter> members) throws IOException {
    AnswerWriter.write(out, members);
    out.write('\n');
    out.flush();
  }

  /** Writes one YAML document, which begins with three hyphens so that others may follow. */
  static void yaml(OutputStream out, Consumer<AnswerWriter> members) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    AnswerWriter.write(text, members);
    StringBuilder yaml = new StringBuilder("---\n");
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text.toByteArray())) {
      parser.nextToken();
      object(parser, yaml, "");
    }
    out.write(yaml.toString().getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static void object(JsonParser parser, StringBuilder yaml, String indent) {
    String margin = "";
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      yaml.append(margin).append(quoted(name)).append(':');
      parser.nextToken();
      value(parser, yaml, indent + "  ");
      margin = indent;
    }
  }

  private static void value(JsonParser parser, StringBuilder yaml, String indent) {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      int before = yaml.append('\n').append(indent).length();
      object(parser, yaml, indent);
      if (yaml.length() == before) {
        yaml.setLength(before - indent.length() - 1);
        yaml.append(" {}\n");
      }
    } else if (token == JsonToken.START_ARRAY) {
      boolean empty = true;
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        yaml.append(empty ? "\n" : "").append(indent).append('-');
        empty = false;
        if (parser.currentToken() == JsonToken.START_OBJECT) {
          yaml.append(' ');
          object(parser, yaml, indent + "  ");
        } else {
          value(parser, yaml, indent + "  ");
        }
      }
      yaml.append(empty ? " []\n" : "");
    } else {
      String text = parser.getString();
      yaml.append(' ').append(token == JsonToken.VALUE_STRING ? quoted(text) : text).append('\n');
    }
  }

  /** A text as YAML takes it, whatever it looks like: in double quotes where it has to be. */
  private static String quoted(String text) {
    if (text.matches("[A-Za-z_][A-Za-z0-9_.-]*")
        && !text.matches("(?i)true|false|null|yes|no|on|off|y|n")) {
      return text;
    }
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029 || c == 0xfeff) {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** Writes rows of CSV, the first of them the heads. */
  static void csv(OutputStream out, List<List<String>> rows) throws IOException {
    StringBuilder csv = new StringBuilder();
    for (List<String> row : rows) {
      List<String> cells = new ArrayList<>();
      for (String cell : row) {
        boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        cells.add(plain ? cell : '"' + cell.replace("\"", "\"\"") + '"');
      }
      csv.append(String.join(",", cells)).append("\r\n");
    }
    out.write(csv.toString().getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
