package io.lighthouse.json.write;

import io.lighthouse.api.Assignments;
import java.util.List;

/**
 * Writes the members of the answer to a batch: whether or what was placed, where, and why the
 * others were refused. Calls with a problem and calls to a durable fleet answer with the same
 * members.
 */
public final class PlacementWriter {
  private PlacementWriter() {}

  /**
   * Writes {@code successful} or {@code failures}, and {@code assignments}. With {@code explain} it
   * also writes {@code refusals}, and {@code missing_from_rubric} where there is such a name.
   *
   * @param json the answer
   * @param allOrNothing whether the batch was to be placed as a whole
   * @param explain whether to write the reasons of the refused
   * @param found what was placed
   * @param missingFromRubric names that the rubric asks for and the problem has not; with one of
   *     them the batch has failed
   */
  public static void write(
      AnswerWriter json,
      boolean allOrNothing,
      boolean explain,
      Assignments found,
      List<String> missingFromRubric) {
    if (allOrNothing) {
      json.member("successful", missingFromRubric.isEmpty() && found.allPlaced());
    } else {
      json.names("failures", found.refused());
    }
    json.placements("assignments", found);
    if (explain) {
      json.refusals("refusals", found.refusals());
      if (!missingFromRubric.isEmpty()) {
        json.names("missing_from_rubric", missingFromRubric);
      }
    }
  }
}
