package io.lighthouse.cli.option;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option that says whom the output is for. */
public final class OutputOption {
  private static final List<String> WORDS = List.of("table", "json");

  /** Whom the output is for. */
  enum Form {
    /** People. */
    TABLE,
    /** Programs. */
    JSON
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "Print a table for people, or json for programs (default: table).",
      converter = Words.class,
      completionCandidates = Words.class)
  private Form form = Form.TABLE;

  public boolean isJson() {
    return form == Form.JSON;
  }

  /** The words that are typed. */
  static final class Words implements ITypeConverter<Form>, Iterable<String> {
    @Override
    public Form convert(String word) {
      if (!WORDS.contains(word)) {
        throw new TypeConversionException("'" + word + "' is neither table nor json");
      }
      return Form.valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public Iterator<String> iterator() {
      return WORDS.iterator();
    }
  }
}
