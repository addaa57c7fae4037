package io.lighthouse.cli.page;

import io.lighthouse.api.Change;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.advice.Remedies.Remedy;
import io.lighthouse.api.advice.Shortage;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.write.RemedyWriter;
import io.lighthouse.picture.FleetText;
import io.lighthouse.picture.ReasonText;
import java.util.ArrayList;
import java.util.List;

/** Says remedies in words. */
public final class RemedyText {
  private RemedyText() {}

  /** Puts them on a page. */
  public static void write(TerminalPage page, Workload asked, Remedies remedies) {
    TerminalPage.Section hope = page.section();
    hope.row(
        "prospect",
        Style.BOLD,
        switch (remedies.prospect()) {
          case FITS -> "it has a node, or fits one, when all is placed";
          case NOT_NOW -> "not now: it would fit if others were gone or elsewhere";
          case NEVER -> "never: it fits no node of this fleet, even empty";
        });
    hope.end();
    TerminalPage.Section section = page.section("remedy", "each has been tried out");
    for (Remedy remedy : remedies.remedies()) {
      List<String> words = words(asked, remedy);
      section.row(RemedyWriter.word(remedy.kind()), Style.PLAIN, words, "; ");
    }
    section.end();
    TerminalPage.Section waits =
        page.section("wait", "what else stands alone in the way somewhere");
    String label = "for";
    for (Reason reason : remedies.waits()) {
      waits.row(label, Style.PLAIN, ReasonText.of(reason));
      label = "";
    }
    waits.end();
  }

  /** What refused workloads lack, grouped. */
  public static TerminalPage shortages(Terminal terminal, List<Shortage> shortages) {
    TerminalPage page = new TerminalPage(terminal);
    TerminalPage.Section section = page.section("lacking", "would do for all of them");
    for (Shortage shortage : shortages) {
      int count = shortage.workloads().size();
      section.row(
          String.join(", ", shortage.resources()),
          Style.PLAIN,
          FleetText.plural(count, "workload")
              + (count == 1 ? " lacks it: " : " lack it: ")
              + String.join(", ", FleetText.quantities(shortage.more()))
              + " more would do");
    }
    section.end();
    return page;
  }

  private static List<String> words(Workload asked, Remedy remedy) {
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
      words.add(change.toString());
    }
    words.add(
        "then it fits " + remedy.node() + (remedy.exact() ? "" : " (there may be a cheaper one)"));
    return words;
  }
}
