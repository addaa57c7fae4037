package io.lighthouse.cli.option;

import io.lighthouse.cli.page.Terminal;
import io.lighthouse.json.Suggestion;
import io.lighthouse.json.write.AnswerWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option that says whom the answer is for. */
public final class AnswerOption {
  static final List<String> WORDS = List.of("table", "json", "yaml", "csv");

  /** Whom the output is for. */
  enum Form {
    /** People. */
    TABLE,
    /** Programs. */
    JSON,
    /** Programs, and people who read YAML. */
    YAML,
    /** Spreadsheets. */
    CSV
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "Print a table for people, or json, yaml or csv for programs (default: table).",
      converter = Words.class,
      completionCandidates = Words.class)
  private Form form = Form.TABLE;

  /** Whether CSV has its heads: they stand once above the rows of all files. */
  private boolean headed;

  public boolean isTable() {
    return form == Form.TABLE;
  }

  public boolean isCsv() {
    return form == Form.CSV;
  }

  /**
   * Writes one of many events for programs: a line of JSON, or a YAML document.
   *
   * @param members writes it as JSON, from which YAML is made
   */
  public void writeEvent(OutputStream out, Consumer<AnswerWriter> members) throws IOException {
    if (form == Form.YAML) {
      AnswerFormat.yaml(out, members);
    } else {
      AnswerFormat.json(out, members);
    }
  }

  /**
   * Writes an answer for programs.
   *
   * @param members writes it as JSON, from which YAML is made
   * @param rows its rows as CSV, the first of them the heads
   */
  public void write(
      Terminal terminal, Consumer<AnswerWriter> members, Supplier<List<List<String>>> rows)
      throws IOException {
    if (isCsv()) {
      writeRows(terminal, rows.get());
    } else {
      writeEvent(terminal.out(), members);
      terminal.out().flush();
    }
  }

  /** Writes an answer as CSV; the first of its rows has the heads, which are written once. */
  public void writeRows(Terminal terminal, List<List<String>> rows) throws IOException {
    AnswerFormat.csv(terminal.out(), headed ? rows.subList(1, rows.size()) : rows);
    headed = true;
    terminal.out().flush();
  }

  /** The words that are typed. */
  static final class Words implements ITypeConverter<Form>, Iterable<String> {
    @Override
    public Form convert(String word) {
      if (!WORDS.contains(word)) {
        throw new TypeConversionException(
            "'"
                + word
                + "' is none of "
                + String.join(", ", WORDS)
                + Suggestion.question(word, WORDS));
      }
      return Form.valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public Iterator<String> iterator() {
      return WORDS.iterator();
    }
  }
}
