package io.lighthouse.json.write;

import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.advice.Sizing;

/** Writes how many nodes it takes, and how much more fits. */
public final class SizingWriter {
  private SizingWriter() {}

  /**
   * Writes a list of nodes to add: {@code nodes}, each with {@code offer} and {@code nodes}, {@code
   * price}, {@code bound}, {@code optimal}, {@code unplaced} and {@code steps}.
   *
   * @param json where to
   * @param sizing the list
   */
  public static void write(AnswerWriter json, Sizing sizing) {
    json.objects(
        "nodes",
        sizing.counts(),
        (inside, count) -> inside.member("offer", count.offer()).member("nodes", count.nodes()));
    json.member("price", sizing.price()).member("bound", sizing.bound());
    json.member("optimal", sizing.optimal()).names("unplaced", sizing.unplaced());
    json.member("steps", sizing.steps());
  }

  /**
   * Writes how much more fits: {@code rounds}, where known {@code at_most}, {@code first}, the
   * resource that runs out first, and the {@code refusal} of one more.
   *
   * @param json where to
   * @param headroom how much
   */
  public static void write(AnswerWriter json, Headroom headroom) {
    json.member("rounds", headroom.rounds());
    headroom.atMost().ifPresent(most -> json.member("at_most", most));
    json.member("first", headroom.first().orElse(null));
    headroom.refusal().ifPresent(refusal -> json.refusal("refusal", refusal));
  }
}
