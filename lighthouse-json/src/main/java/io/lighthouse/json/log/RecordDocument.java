package io.lighthouse.json.log;

import io.lighthouse.json.Limits;
import io.lighthouse.json.token.TextReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * A record of a decision as it was read, and what of it is not as it was written. Immutable and
 * thread-safe.
 *
 * @param record the record, as it stands there
 * @param alterations where it was altered, each in a sentence that names the line; empty where it
 *     is as it was written
 */
public record RecordDocument(DecisionRecord record, List<String> alterations) {
  private static final TextReader READER = new TextReader(Limits.WRITTEN);

  /** Copies. */
  public RecordDocument {
    alterations = List.copyOf(alterations);
  }

  /**
   * Reads a record of a decision, and checks it against its hashes.
   *
   * @param in JSON in UTF-8; read to its end where it is sound, and left open
   * @return the record, and where it was altered
   * @throws io.lighthouse.json.ProblemFormatException if the text is no sound record
   * @throws IOException if the bytes cannot be read
   */
  public static RecordDocument read(InputStream in) throws IOException {
    return READER.read(
        in, RecordParser.RECORD, tokens -> new RecordParser(tokens).read()::document);
  }
}
