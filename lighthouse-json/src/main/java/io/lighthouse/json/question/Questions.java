package io.lighthouse.json.question;

import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.MixWords;
import io.lighthouse.json.PlanRequest;
import io.lighthouse.json.Problem;
import io.lighthouse.json.problem.ProblemParser;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonToken;

/** Reads the questions beside a problem. For one use, in one thread. */
public final class Questions implements ProblemParser.Beside {
  private static final String CHANGES = "changes";
  private static final String OFFERS = "offers";
  private static final String MIX = "mix";
  private static final String A_PART = "'3 x cpu=1,mem=4'";

  /** The sorts of questions, with the members of each. */
  public enum Sort {
    /** No question. */
    NONE(List.of(), Map.of()),
    /** What is supposed of the fleet. */
    CHANGES(List.of(Questions.CHANGES), Map.of()),
    /** The goal and the limits of a plan. */
    PLAN(
        List.of(PlanParser.GOAL, PlanParser.LIMITS),
        Map.of(PlanParser.GOAL, "what the plan is to reach")),
    /** Kinds of nodes that are offered. */
    OFFERS(List.of(Questions.OFFERS), Map.of(Questions.OFFERS, "an array of offers")),
    /** What is to fit beside the problem. */
    MIX(List.of(Questions.MIX), Map.of(Questions.MIX, "an array of shapes"));

    private final List<String> members;
    private final Map<String, String> required;

    Sort(List<String> members, Map<String, String> required) {
      this.members = members;
      this.required = required;
    }
  }

  private final Tokens tokens;
  private final Values values;
  private final Sort sort;
  private final PlanParser plan;

  /** Where each entry of the list that is the question stands, in order. */
  private final List<Long> positions = new ArrayList<>();

  private final List<Supposition> supposed = new ArrayList<>();
  private final List<Offer> offers = new ArrayList<>();
  private final List<Headroom.Part> mix = new ArrayList<>();

  /** Reads questions of a sort. */
  public Questions(Tokens tokens, Values values, Sort sort) {
    this.tokens = tokens;
    this.values = values;
    this.sort = sort;
    this.plan = new PlanParser(tokens, values);
  }

  @Override
  public List<String> members() {
    return sort.members;
  }

  @Override
  public Map<String, String> required() {
    return sort.required;
  }

  @Override
  public void read(String member) {
    tokens.next();
    readValue(member);
  }

  /** Reads the value of the sort's only member from the current token. */
  public void readCurrent() {
    readValue(sort.members.get(0));
  }

  private void readValue(String member) {
    switch (member) {
      case PlanParser.GOAL -> plan.readGoal();
      case PlanParser.LIMITS -> plan.readLimits();
      case OFFERS ->
          readList("an array of offers", offers, new OfferParser(tokens, values, offers)::read);
      case MIX -> {
        Set<String> names = new HashSet<>();
        readList("an array of texts such as " + A_PART, mix, () -> readPart(names));
      }
      default ->
          readList(
              "an array of changes",
              supposed,
              new SuppositionParser(tokens, values, supposed)::read);
    }
  }

  /** Reads a list, and keeps the place of each entry; those that are sound are added to it. */
  private void readList(String allowed, List<?> sound, Runnable entry) {
    if (tokens.isArray(allowed)) {
      while (tokens.next() != JsonToken.END_ARRAY) {
        values.checkEntries(sound.size() + 1);
        positions.add(tokens.position());
        entry.run();
      }
    }
  }

  /**
   * What is wrong in a text: the value found, and before it the field of the text that has it. The
   * field {@code text} is the whole; a resource of that name is {@code resources.text}.
   */
  static String found(InvalidInputException wrong) {
    return (wrong.field().equals("text") ? "" : wrong.field() + " ") + wrong.found();
  }

  /** Reads a part of a mix, a text as {@link MixWords} understands it; each shape comes once. */
  private void readPart(Set<String> names) {
    if (!tokens.isText()) {
      tokens.wrong("a text such as " + A_PART);
      return;
    }
    Headroom.Part part;
    try {
      part = MixWords.parse(tokens.string());
    } catch (InvalidInputException wrong) {
      tokens.wrong(found(wrong), wrong.allowed());
      return;
    }
    String name = part.shape().name();
    tokens.requireAmountLengths(part.shape().requirements(), tokens.string());
    if (names.add(name)) {
      mix.add(part);
    } else {
      tokens.wrong("'" + name + "', given before", "each shape once, as in '2 x cpu=1'");
    }
  }

  /** Where each entry of the list that is the question stands, in order; unmodifiable. */
  public List<Long> positions() {
    return List.copyOf(positions);
  }

  /** What is supposed, in order. */
  public List<Supposition> supposed() {
    return supposed;
  }

  /** The kinds of nodes that are offered, in order. */
  public List<Offer> offers() {
    return offers;
  }

  /** What is to fit beside the problem, in order. */
  public List<Headroom.Part> mix() {
    return mix;
  }

  /** The request for a plan of the problem. Null where the text has none, or a wrong one. */
  public PlanRequest plan(Problem problem) {
    return sort == Sort.PLAN ? plan.request(problem) : null;
  }
}
