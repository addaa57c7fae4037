package io.lighthouse.json.read;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Place;
import io.lighthouse.json.PlanRequest;
import io.lighthouse.json.Problem;
import io.lighthouse.json.Rounding;
import io.lighthouse.json.Suggestion;
import io.lighthouse.json.problem.ParsedProblem;
import io.lighthouse.json.problem.Positions;
import io.lighthouse.json.question.Questions;
import io.lighthouse.json.token.Trail;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A problem as it was read, and where its parts stand in the text. Immutable and thread-safe. */
public final class ProblemDocument {
  /** Before the name of a setting in the field of a mistake about a rule. */
  private static final String WITH = "with.";

  /** The field of a mistake about one rule of a workload. */
  private static final Pattern RULE = Pattern.compile("(rules|preferences)\\[([0-9]{1,9})]");

  /** How the subject of a mistake in a change begins. */
  private static final Pattern CHANGE = Pattern.compile("change ([0-9]{1,9}) of [0-9]+ \\(");

  private final Problem problem;

  /** What the text holds of the problem: all of it, or only the workloads to place. */
  private final Problem written;

  /** In the order of names. */
  private final Set<String> flags;

  private final List<Supposition> supposed;

  /** Null where the reader does not ask for one. */
  private final PlanRequest plan;

  private final List<Offer> offers;
  private final List<Headroom.Part> mix;

  /** Where each change, offer or part of the mix stands, in order. */
  private final List<Long> asked;

  private final Positions positions;

  /** Those of capacities given as inventories. */
  private final List<Rounding> ofInventories;

  /**
   * A problem and the questions beside it; the text may hold only a part of the problem. Nothing
   * may be wrong so far, and a plan that does not suit the problem is noted.
   */
  ProblemDocument(Problem problem, ParsedProblem parsed, Questions questions) {
    this.problem = problem;
    this.written = parsed.problem();
    this.flags = Collections.unmodifiableSet(parsed.flags());
    this.positions = parsed.positions();
    this.ofInventories = List.copyOf(parsed.roundings());
    this.supposed = List.copyOf(questions.supposed());
    this.offers = List.copyOf(questions.offers());
    this.mix = List.copyOf(questions.mix());
    this.asked = questions.positions();
    this.plan = questions.plan(problem);
  }

  /**
   * The problem.
   *
   * @return the problem; of a reader {@link ProblemReader#on on a fleet} that fleet, with the
   *     workloads of the text
   */
  public Problem problem() {
    return problem;
  }

  /**
   * The flags, asked for with {@link ProblemReader#withFlags}, that the text says are true.
   *
   * @return their words; unmodifiable
   */
  public Set<String> flags() {
    return flags;
  }

  /**
   * What the text supposes of the fleet, asked for with {@link ProblemReader#withChanges}.
   *
   * @return in the order given; unmodifiable
   */
  public List<Supposition> supposed() {
    return supposed;
  }

  /**
   * What the text asks of a plan, asked for with {@link ProblemReader#withPlan}.
   *
   * @return the goal and the limits; nothing where the reader does not ask
   */
  public Optional<PlanRequest> plan() {
    return Optional.ofNullable(plan);
  }

  /**
   * The kinds of nodes that the text offers, asked for with {@link ProblemReader#withOffers}.
   *
   * @return in the order given; unmodifiable
   */
  public List<Offer> offers() {
    return offers;
  }

  /**
   * What is to fit beside the rest, asked for with {@link ProblemReader#withMix}.
   *
   * @return in the order given; unmodifiable
   */
  public List<Headroom.Part> mix() {
    return mix;
  }

  /**
   * The quantities that a ledger rounds: those with more than {@link Quantity#LEDGER_DIGITS} digits
   * after the point.
   *
   * @return those of the domains, then of the nodes, each with the workloads on it, then of the
   *     workloads to place; last those of inventories. The order within them is that of the problem
   *     and of the resources' names. What a workload shares of domains comes after its
   *     requirements. Each place is there once, also for replicas. Unmodifiable
   */
  public List<Rounding> roundings() {
    List<Rounding> roundings = new ArrayList<>();
    for (int i = 0; i < written.domains().size(); i++) {
      int domain = i;
      round(
          written.domains().get(i).resources(),
          RoundingMode.FLOOR,
          roundings,
          resource -> positions.inDomain(domain, "resources", resource));
    }
    for (int i = 0; i < written.nodes().size(); i++) {
      int index = i;
      Node node = written.nodes().get(i);
      round(
          node.resources(),
          RoundingMode.FLOOR,
          roundings,
          resource -> positions.inNode(index, "resources", resource));
      for (int j = 0; j < node.workloads().size(); j++) {
        int on = j;
        round(node.workloads().get(j), roundings, steps -> positions.inPlaced(index, on, steps));
      }
    }
    for (int i = 0; i < written.workloads().size(); i++) {
      int index = i;
      round(written.workloads().get(i), roundings, steps -> positions.inWorkload(index, steps));
    }
    roundings.addAll(ofInventories);
    return roundings.stream().distinct().toList(); // Replicas have one place together.
  }

  private static void round(
      Workload workload, List<Rounding> into, Function<Object[], Place> place) {
    round(
        workload.requirements(),
        RoundingMode.CEILING,
        into,
        resource -> place.apply(new Object[] {"requirements", resource}));
    workload
        .terms()
        .shared()
        .forEach(
            (level, shared) ->
                round(
                    shared,
                    RoundingMode.CEILING,
                    into,
                    resource -> place.apply(new Object[] {"shared", level, resource})));
  }

  private static void round(
      Resources resources,
      RoundingMode mode,
      List<Rounding> into,
      Function<String, Place> placeOf) {
    for (int i = 0; i < resources.size(); i++) {
      Quantity given = resources.quantity(i);
      if (given.scale() > Quantity.LEDGER_DIGITS) {
        into.add(new Rounding(placeOf.apply(resources.name(i)), given, given.rounded(mode)));
      }
    }
  }

  /**
   * Finds the place of a mistake that a distributor found in this problem, such as a quantity out
   * of range. Cost: a walk over the names.
   *
   * @param mistake the exception of a distributor or its builder
   * @return the same with its place; nothing where it is not about a node, a workload, the rubric,
   *     a setting, a change, an offer or the mix of this text
   */
  public Optional<Fault> locate(InvalidInputException mistake) {
    return place(mistake)
        .map(place -> new Fault(Fault.Kind.MEANING, place, mistake.found(), mistake.allowed()));
  }

  private Optional<Place> place(InvalidInputException mistake) {
    String subject = mistake.subject();
    String field = mistake.field();
    if (subject.equals("distributor") && field.equals("strategy")
        || subject.startsWith("strategy '") && field.equals("rubric")) {
      return Optional.of(positions.inMember(field));
    }
    if (subject.equals("rubric") || subject.equals("settings")) {
      return Optional.of(positions.inMember(subject, Suggestion.unquoted(field)));
    }
    return placeInQuestion(subject)
        .or(() -> mistake.thing().flatMap(thing -> placeOf(thing, field)));
  }

  /** The place of what a question is about, by the subject of a mistake in it. */
  private Optional<Place> placeInQuestion(String subject) {
    Matcher change = CHANGE.matcher(subject);
    if (change.lookingAt() && !supposed.isEmpty()) {
      return placeOfAsked("changes", Integer.parseInt(change.group(1)) - 1);
    }
    if (subject.equals("headroom")) {
      return Optional.of(positions.inMember("mix"));
    }
    List<String> kinds = offers.stream().map(offer -> "offer '" + offer.name() + "'").toList();
    List<String> shapes = mix.stream().map(part -> "shape '" + part.shape().name() + "'").toList();
    return placeOfAsked("offers", kinds.indexOf(subject))
        .or(() -> placeOfAsked("mix", shapes.indexOf(subject)));
  }

  private Optional<Place> placeOfAsked(String member, int index) {
    return index < 0 || index >= asked.size()
        ? Optional.empty()
        : Optional.of(new Trail().name(member).index(index).at(asked.get(index)));
  }

  private Optional<Place> placeOf(Thing thing, String field) {
    return switch (thing.kind()) {
      case NODE -> placeInNode(thing.name(), steps(field));
      case WORKLOAD -> placeInWorkload(thing.name(), field);
      case DOMAIN -> placeInDomain(thing, steps(field));
      case RULE -> placeOfRule(thing, field);
    };
  }

  private Optional<Place> placeInDomain(Thing thing, Object... steps) {
    for (int i = 0; i < written.domains().size(); i++) {
      Domain domain = written.domains().get(i);
      if (domain.level().equals(thing.level()) && domain.name().equals(thing.name())) {
        return Optional.of(positions.inDomain(i, steps));
      }
    }
    return Optional.empty();
  }

  /** Where a plug-in's rule is wrong; the member {@code rules} where the text has no such rule. */
  private Optional<Place> placeOfRule(Thing thing, String field) {
    Predicate<Rule.Named> named = rule -> rule.rule().equals(thing.name());
    Optional<Place> place =
        field.startsWith(WITH)
            ? placeOfSetting(thing, named, field.substring(WITH.length()))
            : placeOfFirst(named, "rule");
    return place.or(() -> Optional.of(positions.inMember("rules")));
  }

  /**
   * In the equal rule. A thing may tell no settings: then in the first rule that gives this one.
   */
  private Optional<Place> placeOfSetting(Thing thing, Predicate<Rule.Named> named, String key) {
    Optional<Place> place =
        placeOfFirst(new Rule.Named(thing.name(), thing.with())::equals, "with", key);
    return thing.with().isEmpty()
        ? place.or(() -> placeOfFirst(named.and(rule -> rule.with().containsKey(key)), "with", key))
        : place;
  }

  /**
   * The place in the first rule of a plug-in that matches: of a workload that wants a place, of the
   * fleet, or of a workload on a node.
   */
  private Optional<Place> placeOfFirst(Predicate<Rule.Named> matches, Object... steps) {
    for (int i = 0; i < written.workloads().size(); i++) {
      int index = i;
      Workload workload = written.workloads().get(i);
      Optional<Place> place =
          placeIn(workload, matches, steps, at -> positions.inWorkload(index, at));
      if (place.isPresent()) {
        return place;
      }
    }
    int rule = indexOf(written.rules(), matches);
    if (rule >= 0) {
      return Optional.of(positions.inMember("rules", behind(steps, rule)));
    }
    for (int i = 0; i < written.nodes().size(); i++) {
      List<Workload> placed = written.nodes().get(i).workloads();
      for (int j = 0; j < placed.size(); j++) {
        int node = i;
        int on = j;
        Optional<Place> place =
            placeIn(placed.get(j), matches, steps, at -> positions.inPlaced(node, on, at));
        if (place.isPresent()) {
          return place;
        }
      }
    }
    return Optional.empty();
  }

  /** The place in the first rule or preference of a workload that matches. */
  private static Optional<Place> placeIn(
      Workload workload,
      Predicate<Rule.Named> matches,
      Object[] steps,
      Function<Object[], Place> within) {
    int rule = indexOf(workload.terms().rules(), matches);
    if (rule >= 0) {
      return Optional.of(within.apply(behind(steps, "rules", rule)));
    }
    int preference = indexOf(workload.terms().preferences(), matches);
    return preference < 0
        ? Optional.empty()
        : Optional.of(within.apply(behind(steps, "preferences", preference)));
  }

  private static Object[] behind(Object[] last, Object... first) {
    return Stream.concat(Stream.of(first), Stream.of(last)).toArray();
  }

  private static int indexOf(List<Rule> rules, Predicate<Rule.Named> matches) {
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i) instanceof Rule.Named named && matches.test(named)) {
        return i;
      }
    }
    return -1;
  }

  private static Object[] steps(String field) {
    int point = field.indexOf('.');
    return point < 0
        ? new Object[] {field}
        : new Object[] {field.substring(0, point), field.substring(point + 1)};
  }

  private Optional<Place> placeInNode(String name, Object... steps) {
    for (int i = 0; i < written.nodes().size(); i++) {
      if (written.nodes().get(i).name().equals(name)) {
        return Optional.of(positions.inNode(i, steps));
      }
    }
    return Optional.empty();
  }

  private Optional<Place> placeInWorkload(String name, String field) {
    for (int i = 0; i < written.workloads().size(); i++) {
      if (written.workloads().get(i).name().equals(name)) {
        return Optional.of(positions.inWorkload(i, steps(written.workloads().get(i), field)));
      }
    }
    for (int i = 0; i < written.nodes().size(); i++) {
      List<Workload> placed = written.nodes().get(i).workloads();
      for (int j = 0; j < placed.size(); j++) {
        if (placed.get(j).name().equals(name)) {
          return Optional.of(positions.inPlaced(i, j, steps(placed.get(j), field)));
        }
      }
    }
    return Optional.empty();
  }

  /** What a workload shares of a level has the level between: a name may have points itself. */
  private static Object[] steps(Workload workload, String field) {
    Matcher rule = RULE.matcher(field);
    if (rule.matches()) {
      return new Object[] {rule.group(1), Integer.valueOf(rule.group(2))};
    }
    for (String level : workload.terms().shared().keySet()) {
      String before = "shared." + level + ".";
      if (field.startsWith(before)) {
        return new Object[] {"shared", level, field.substring(before.length())};
      }
    }
    return steps(field);
  }
}
