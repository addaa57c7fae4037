package io.lighthouse.cli.option;

import io.lighthouse.cli.file.YamlWriter;
import io.lighthouse.json.write.AnswerWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Writes an answer for programs: JSON, or the same as YAML; and rows as CSV (RFC 4180). */
final class AnswerFormat {
  private AnswerFormat() {}

  /** Writes one JSON object in a line. */
  static void json(OutputStream out, Consumer<AnswerWriter> members) throws IOException {
    AnswerWriter.write(out, members);
    out.write('\n');
  }

  /** Writes one YAML document, which begins with three hyphens so that others may follow. */
  static void yaml(OutputStream out, Consumer<AnswerWriter> members) throws IOException {
    YamlWriter.write(AnswerWriter.toBytes(members), out);
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
  }
}
