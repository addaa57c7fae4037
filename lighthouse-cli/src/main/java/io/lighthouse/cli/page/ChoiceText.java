package io.lighthouse.cli.page;

import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.advice.Choice.Candidate;
import io.lighthouse.api.advice.Choice.Order;
import io.lighthouse.api.advice.Choice.Term;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Says in words why a workload goes to one node and not to the next. */
public final class ChoiceText {
  /** The most candidates that are shown. */
  private static final int MOST = 10;

  private ChoiceText() {}

  /** Puts the choice on a page; nothing where the workload fits no node. */
  public static void write(TerminalPage page, Choice choice) {
    List<Candidate> candidates = choice.candidates();
    if (candidates.isEmpty()) {
      return;
    }
    TerminalPage.Section section = page.section("candidate", order(choice));
    for (Candidate candidate : candidates.subList(0, Math.min(MOST, candidates.size()))) {
      section.row(candidate.node(), Style.PLAIN, words(choice.order(), candidate), "; ");
    }
    if (candidates.size() > MOST) {
      section.row("", Style.PLAIN, "and " + (candidates.size() - MOST) + " more");
    }
    section.end();
    page.section().row("decided by", Style.BOLD, decider(choice)).end();
  }

  private static String order(Choice choice) {
    return switch (choice.order()) {
      case NODES -> "place in the order of nodes";
      case TURN -> "nodes from the last one placed on, wrapping round";
      case SCORE ->
          "score of what is left, the "
              + (choice.descending() ? "highest" : "lowest")
              + " first, then by name";
      case FULLEST -> "fullest share with it, in parts of 2^30, the least first";
      case VARIANCE -> "variance of the shares with it, in parts of 2^22, the least first";
      case COMPARATOR -> "in the order of the strategy's comparator";
      case STRATEGY -> "the strategy compares by itself";
      case BATCH -> "the strategy places whole batches at once; at the end of the batch";
    };
  }

  private static List<String> words(Order order, Candidate candidate) {
    List<String> words = new ArrayList<>();
    String terms =
        candidate.terms().stream()
            .map(term -> term(order, term))
            .collect(Collectors.joining(order == Order.SCORE ? " + " : ", "));
    String score = candidate.score().map(Quantity::toString).orElse("");
    if (order == Order.SCORE && !terms.isEmpty()) {
      words.add(score + " = " + terms);
    } else if (!score.isEmpty() && !terms.isEmpty()) {
      words.add(score + ": " + terms);
    } else if (!score.isEmpty() || !terms.isEmpty()) {
      words.add(score + terms);
    }
    if (candidate.averse()) {
      words.add("averse");
    }
    for (int i = 0; i < candidate.excess().size(); i++) {
      long excess = candidate.excess().get(i);
      words.add("preference " + (i + 1) + (excess == 0 ? " met" : " off by " + excess));
    }
    return words.isEmpty() ? List.of("fits") : words;
  }

  private static String term(Order order, Term term) {
    return switch (order) {
      case SCORE -> term.of() + " x " + term.amount() + " " + term.name();
      case FULLEST, VARIANCE -> term.amount() + " of " + term.of() + " " + term.name();
      default -> term.name() + " " + term.value();
    };
  }

  private static String decider(Choice choice) {
    List<Candidate> candidates = choice.candidates();
    return switch (choice.decider()) {
      case NOTHING ->
          choice.placed() ? "nothing: it fits no other node" : "nothing: no node was taken";
      case AVERSION -> candidates.get(1).node() + " is averse";
      case PREFERENCE -> "preference " + choice.detail();
      case SCORE -> "the score: " + scores(candidates);
      case NAME -> "the name, as the scores are equal";
      case NODES -> "the order of nodes";
      case COMPARATOR -> "the strategy's comparator";
      case TERM -> choice.detail();
      case STRATEGY -> "the strategy, which does not tell";
    };
  }

  private static String scores(List<Candidate> candidates) {
    return candidates.get(0).score().orElseThrow()
        + " before "
        + candidates.get(1).score().orElseThrow();
  }
}
