package io.lighthouse.json.write;

import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.advice.Choice.Candidate;

/**
 * Writes a choice. Its members are {@code order} and {@code decider} as words, {@code descending},
 * {@code placed}, {@code detail} where there is one, and {@code candidates}. Each candidate has
 * {@code node}, {@code averse}, {@code excess} by preference, {@code score} where there is one, and
 * {@code terms}. Each term has {@code name}, {@code amount}, {@code of} and {@code value}.
 */
public final class ChoiceWriter {
  private ChoiceWriter() {}

  /**
   * Writes the members of a choice.
   *
   * @param json where to
   * @param choice the choice; all of its candidates are written
   */
  public static void write(AnswerWriter json, Choice choice) {
    json.member("order", RemedyWriter.word(choice.order()));
    json.member("descending", choice.descending()).member("placed", choice.placed());
    json.member("decider", RemedyWriter.word(choice.decider()));
    if (!choice.detail().isEmpty()) {
      json.member("detail", choice.detail());
    }
    json.objects("candidates", choice.candidates(), ChoiceWriter::write);
  }

  private static void write(AnswerWriter json, Candidate candidate) {
    json.member("node", candidate.node()).member("averse", candidate.averse());
    json.numbers("excess", candidate.excess());
    candidate.score().ifPresent(score -> json.member("score", score));
    json.objects(
        "terms",
        candidate.terms(),
        (inside, term) -> {
          inside.member("name", term.name()).member("amount", term.amount());
          inside.member("of", term.of()).member("value", term.value());
        });
  }
}
