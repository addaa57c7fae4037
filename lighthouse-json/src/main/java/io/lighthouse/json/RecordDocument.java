package io.lighthouse.json;

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
  /** Copies. */
  public RecordDocument {
    alterations = List.copyOf(alterations);
  }
}
