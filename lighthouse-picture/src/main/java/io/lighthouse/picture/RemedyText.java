package io.lighthouse.picture;

import io.lighthouse.api.Change;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Remedies.Prospect;
import io.lighthouse.api.advice.Remedies.Remedy;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;

/** Remedies in words, for people. */
public final class RemedyText {
  private RemedyText() {}

  /**
   * Whether a workload can get a node, in words.
   *
   * @param prospect the prospect
   * @return a sentence without a capital letter and without a full stop
   */
  public static String of(Prospect prospect) {
    return switch (prospect) {
      case FITS -> "it has a node, or fits one, when all is placed";
      case NOT_NOW -> "not now: it would fit if others were gone or elsewhere";
      case NEVER -> "never: it fits no node of this fleet, even empty";
    };
  }

  /**
   * A remedy in words.
   *
   * @param asked the workload that was refused
   * @param remedy a remedy for it
   * @return its steps in order, and what follows from them
   */
  public static List<String> of(Workload asked, Remedy remedy) {
    List<String> words = new ArrayList<>();
    Resources needs = remedy.workload().requirements();
    for (int i = 0; i < needs.size(); i++) {
      Quantity before = asked.requirements().get(needs.name(i)).orElseThrow();
      if (!before.equals(needs.quantity(i))) {
        words.add("require " + needs.quantity(i) + " " + needs.name(i) + " instead of " + before);
      }
    }
    for (String immunity : remedy.workload().immunities()) {
      if (!asked.immunities().contains(immunity)) {
        words.add("be immune to " + immunity);
      }
    }
    for (Change change : remedy.changes()) {
      words.add(
          change instanceof Change.Declare declare
              ? change + " with " + declare.domain().resources()
              : change.toString());
    }
    words.add(
        "then it fits " + remedy.node() + (remedy.exact() ? "" : " (there may be a cheaper one)"));
    return words;
  }
}
