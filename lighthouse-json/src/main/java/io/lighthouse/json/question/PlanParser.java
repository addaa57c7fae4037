package io.lighthouse.json.question;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.json.Fault;
import io.lighthouse.json.PlanRequest;
import io.lighthouse.json.PlanWords;
import io.lighthouse.json.Problem;
import io.lighthouse.json.Suggestion;
import io.lighthouse.json.token.ObjectMembers;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonToken;

/**
 * Reads what a plan is to reach and what it may do, beside the problem that it is for. What it
 * names is looked for when all is read. For one problem, in one thread.
 */
final class PlanParser {
  static final String GOAL = "goal";
  static final String LIMITS = "limits";

  private static final String GOALS = "one of " + String.join(", ", PlanWords.goals());
  private static final String A_GOAL =
      "a text such as 'drain n1', or an object with a goal, " + GOALS;
  private static final String AN_OBJECT = "an object of limits such as max_moves";

  private static final List<String> OF_A_GOAL = List.of(GOAL, "nodes", "level", "domain");
  private static final List<String> OF_LIMITS =
      List.of("max_moves", "max_moved", "pin", "avoid", "max_of_group");

  private static final ObjectMembers.Form GOAL_FORM = ObjectMembers.Form.of(OF_A_GOAL);

  private static final ObjectMembers.Form LIMITS_FORM = ObjectMembers.Form.of(OF_LIMITS);

  private final Tokens tokens;
  private final Values values;

  /** The goal as one text; null where it is none. */
  private String text;

  private String word;
  private Listed nodes;
  private String level;
  private String domain;
  private long goalAt;

  private PlanLimits limits = PlanLimits.NONE;
  private Listed pinned;
  private Listed avoided;

  /** Where the limits of moved amounts begin. */
  private long movedAt;

  /** Listed as they stand in a list, and where the list begins. */
  private record Listed(String member, List<String> list, long position) {}

  PlanParser(Tokens tokens, Values values) {
    this.tokens = tokens;
    this.values = values;
  }

  /** Reads the goal from the current token. */
  void readGoal() {
    goalAt = tokens.position();
    if (tokens.current() == JsonToken.VALUE_STRING) {
      for (String name : tokens.string().split("[\\s=]+")) {
        tokens.requireNameLength(name);
      }
      text = tokens.requireText(tokens.string());
      return;
    }
    if (!tokens.isObject(A_GOAL)) {
      return;
    }
    ObjectMembers object = new ObjectMembers(tokens, GOAL_FORM);
    String member;
    while ((member = object.next()) != null) {
      switch (member) {
        case "nodes" -> nodes = names("nodes", "the name of a node", tokens.limits().nodes());
        case "level" -> level = values.ownName("the name of a level");
        case "domain" -> domain = values.ownName("the name of a domain of that level");
        default -> word = values.ownName(GOALS);
      }
    }
    object.requireIfSound(GOAL, GOALS);
    if (object.isSound()) {
      checkMembers(object);
    }
  }

  private void checkMembers(ObjectMembers object) {
    if (!PlanWords.goals().contains(word)) {
      String meant = Suggestion.question(word, PlanWords.goals());
      object.wrong(GOAL, "'" + word + "'", GOALS + meant);
      return;
    }
    if (!PlanWords.isOfNodes(word)) {
      for (String member : OF_A_GOAL.subList(1, OF_A_GOAL.size())) {
        if (object.has(member)) {
          object.wrong(member, "given beside '" + word + "'", "no other field");
        }
      }
      return;
    }
    SuppositionParser.requireNodes(object, "nodes", "nodes, or a level and a domain");
  }

  /** Reads the limits from the current token. */
  void readLimits() {
    if (!tokens.isObject(AN_OBJECT)) {
      return;
    }
    ObjectMembers object = new ObjectMembers(tokens, LIMITS_FORM);
    String member;
    while ((member = object.next()) != null) {
      switch (member) {
        case "max_moves" -> limits = limits.withMoves(values.wholeNumber(0));
        case "max_moved" -> readMoved();
        case "max_of_group" -> limits = limits.withMostOfAGroup(values.wholeNumber(1));
        case "pin" -> {
          int most = tokens.limits().workloads();
          pinned = names(member, "the name of a workload on a node", most);
        }
        default -> avoided = names(member, "the name of a node", tokens.limits().nodes());
      }
    }
  }

  private void readMoved() {
    int before = tokens.faultCount();
    tokens.next();
    movedAt = tokens.position();
    Resources moved = values.currentResources(Values.Use.PLAIN);
    for (int i = 0; moved != null && i < moved.size(); i++) {
      if (moved.quantity(i).signum() < 0) {
        tokens.note(
            tokens.trail().name(moved.name(i)).at(movedAt),
            moved.quantity(i).toString(),
            "0 or more");
      }
    }
    if (tokens.faultCount() == before) {
      limits = limits.withMoved(moved);
    }
  }

  private Listed names(String member, String allowed, int most) {
    tokens.next();
    List<String> list = new ArrayList<>();
    Listed names = new Listed(member, list, tokens.position());
    if (!tokens.isArray("an array; " + allowed + " each")) {
      return names;
    }
    while (tokens.next() != JsonToken.END_ARRAY) {
      if (list.size() == most) {
        throw tokens.stop(Fault.Kind.LIMIT, "one too many", "at most " + Plural.of(most, "entry"));
      }
      String name = null;
      if (tokens.current() == JsonToken.VALUE_STRING) {
        name = tokens.requireName(tokens.string());
      } else {
        tokens.wrong(allowed);
      }
      list.add(name);
    }
    return names;
  }

  /** Makes the request at the end of a sound text. Null where it notes a fault. */
  PlanRequest request(Problem problem) {
    int before = tokens.faultCount();
    Set<String> known = new LinkedHashSet<>();
    Set<String> placed = new LinkedHashSet<>();
    for (Node node : problem.nodes()) {
      known.add(node.name());
      node.workloads().stream().map(Workload::name).forEach(placed::add);
    }
    if (avoided != null) {
      check(LIMITS, avoided, known, "the name of a node");
      limits = tokens.faultCount() > before ? limits : limits.withAvoided(set(avoided));
    }
    if (pinned != null) {
      check(LIMITS, pinned, placed, "the name of a workload on a node");
      limits = tokens.faultCount() > before ? limits : limits.withPinned(set(pinned));
    }
    if (!limits.mostMoved().isEmpty()) {
      checkMoved(problem.resourceNames());
    }
    PlanGoal goal = text == null ? goal(problem, known) : parsed(problem);
    return tokens.faultCount() > before ? null : new PlanRequest(goal, limits);
  }

  private static Set<String> set(Listed names) {
    return new LinkedHashSet<>(names.list);
  }

  private PlanGoal parsed(Problem problem) {
    try {
      return PlanWords.parse(text, problem);
    } catch (InvalidInputException wrong) {
      String found = wrong.found().startsWith("'") ? "" : wrong.field() + " ";
      tokens.note(tokens.trail().name(GOAL).at(goalAt), found + wrong.found(), wrong.allowed());
      return null;
    }
  }

  private PlanGoal goal(Problem problem, Set<String> known) {
    List<String> of = List.of();
    if (nodes != null) {
      check(GOAL, nodes, known, "the name of a node");
      of = nodes.list;
    } else if (level != null) {
      of = PlanWords.nodesOf(level, domain, problem);
      if (of.isEmpty()) {
        tokens.note(
            tokens.trail().name(GOAL).name("domain").at(goalAt),
            "'" + domain + "'",
            "a domain of level '" + level + "' that has nodes");
      }
    }
    return PlanWords.ofNodes(word, of, problem);
  }

  private void checkMoved(Set<String> known) {
    for (String name : limits.mostMoved().names()) {
      if (!known.contains(name)) {
        tokens.note(
            tokens.trail().name(LIMITS).name("max_moved").name(name).at(movedAt),
            "an unknown resource",
            PlanWords.LIMITED + tokens.suggestion(name, known));
      }
    }
  }

  private void check(String at, Listed names, Set<String> known, String allowed) {
    for (int i = 0; i < names.list.size(); i++) {
      if (!known.contains(names.list.get(i))) {
        tokens.note(
            tokens.trail().name(at).name(names.member).index(i).at(names.position),
            "'" + names.list.get(i) + "'",
            allowed + tokens.suggestion(names.list.get(i), known));
      }
    }
  }
}
