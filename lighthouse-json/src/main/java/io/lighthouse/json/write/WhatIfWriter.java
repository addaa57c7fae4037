package io.lighthouse.json.write;

import io.lighthouse.api.advice.WhatIf;
import java.util.Locale;

/**
 * Writes a what-if beside what is. {@code now} and {@code then} have {@code nodes}, {@code
 * nodes_in_use}, {@code placed} and {@code refused} each. The changed {@code workloads} have {@code
 * workload}, {@code what}, {@code now} and {@code then}. Then come {@code refusals}.
 */
public final class WhatIfWriter {
  private WhatIfWriter() {}

  /**
   * Writes the members of an answer.
   *
   * @param json where to
   * @param answer the answer
   */
  public static void write(AnswerWriter json, WhatIf answer) {
    json.object("now", inside -> write(inside, answer.now()));
    json.object("then", inside -> write(inside, answer.then()));
    json.objects("workloads", answer.fates(), WhatIfWriter::write);
    json.refusals("refusals", answer.refusals());
  }

  /**
   * The word for what becomes of a workload.
   *
   * @param kind what becomes of it
   * @return such as {@code moved}
   */
  public static String word(WhatIf.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static void write(AnswerWriter json, WhatIf.Figures figures) {
    json.member("nodes", figures.nodes());
    json.member("nodes_in_use", figures.nodesInUse());
    json.member("placed", figures.placed());
    json.member("refused", figures.refused());
  }

  private static void write(AnswerWriter json, WhatIf.Fate fate) {
    json.member("workload", fate.workload());
    json.member("what", word(fate.kind()));
    json.member("now", fate.now().orElse(null));
    json.member("then", fate.then().orElse(null));
  }
}
