package io.lighthouse.cli.page;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.advice.Remedies.Remedy;
import io.lighthouse.api.advice.Shortage;
import io.lighthouse.api.error.Plural;
import io.lighthouse.json.write.RemedyWriter;
import io.lighthouse.picture.FleetText;
import io.lighthouse.picture.ReasonText;
import io.lighthouse.picture.RemedyText;
import java.util.List;

/** Remedies and shortages on a page. */
public final class RemedyPage {
  private RemedyPage() {}

  /** Puts them on a page. */
  public static void write(TerminalPage page, Workload asked, Remedies remedies) {
    TerminalPage.Section hope = page.section();
    hope.row("prospect", Style.BOLD, RemedyText.of(remedies.prospect()));
    if (asked.terms().gang().isPresent()) {
      hope.row("gang", Style.PLAIN, "not considered here: the remedies are for it alone");
    }
    hope.end();
    TerminalPage.Section section = page.section("remedy", "each has been tried out");
    for (Remedy remedy : remedies.remedies()) {
      List<String> words = RemedyText.of(asked, remedy);
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
          Plural.of(count, "workload")
              + (count == 1 ? " lacks it: " : " lack it: ")
              + String.join(", ", FleetText.quantities(shortage.more()))
              + " more would do");
    }
    section.end();
    return page;
  }
}
