package io.lighthouse.cli.option;

import io.lighthouse.json.write.AnswerWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for the form of the output. */
public final class OutputOption {
  private static final List<String> WORDS = List.of("table", "json", "yaml");

  /** A form of the output. */
  enum Form {
    /** For people. */
    TABLE,
    /** For programs. */
    JSON,
    /** The same as JSON, as YAML. */
    YAML
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "Print a table for people, or json or yaml for programs (default: table).",
      converter = Words.class,
      completionCandidates = Words.class)
  private Form form = Form.TABLE;

  public boolean isTable() {
    return form == Form.TABLE;
  }

  /**
   * Writes one event for programs: a line of JSON, or a YAML document.
   *
   * @param members writes it as JSON, from which YAML is made
   */
  public void write(OutputStream out, Consumer<AnswerWriter> members) throws IOException {
    if (form == Form.YAML) {
      AnswerFormat.yaml(out, members);
    } else {
      AnswerWriter.write(out, members);
      out.write('\n');
    }
  }

  /** The words that are typed. */
  static final class Words implements ITypeConverter<Form>, Iterable<String> {
    @Override
    public Form convert(String word) {
      if (!WORDS.contains(word)) {
        throw new TypeConversionException("'" + word + "' is none of " + String.join(", ", WORDS));
      }
      return Form.valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public Iterator<String> iterator() {
      return WORDS.iterator();
    }
  }
}
