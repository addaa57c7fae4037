package io.lighthouse.json.log;

import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.json.Problem;
import io.lighthouse.json.problem.DomainParser;
import io.lighthouse.json.problem.Positions;
import io.lighthouse.json.problem.ProblemParser;
import io.lighthouse.json.problem.WorkloadParser;
import io.lighthouse.json.token.ObjectMembers;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a list of effects. For one use, in one thread. */
final class EffectParser {
  /** The members of each change. */
  private static final Map<String, List<String>> FORMS = new LinkedHashMap<>();

  static {
    FORMS.put("assign", List.of("assigned", "node"));
    FORMS.put("release", List.of("workload"));
    FORMS.put("move", List.of("workload", "from", "to"));
    FORMS.put("add-node", List.of("added"));
    FORMS.put("remove-node", List.of("node"));
    FORMS.put("resize", List.of("node", "resources"));
    FORMS.put("cordon", List.of("node"));
    FORMS.put("uncordon", List.of("node"));
    FORMS.put("declare", List.of("declared"));
    FORMS.put("undeclare", List.of("level", "domain"));
    FORMS.put("resize-domain", List.of("level", "domain", "resources"));
    FORMS.put("cordon-domain", List.of("level", "domain"));
    FORMS.put("uncordon-domain", List.of("level", "domain"));
    FORMS.put("regroup", List.of("workload", "groups"));
  }

  private static final ObjectMembers.Form EFFECT =
      ObjectMembers.Form.of(List.of("v", "kind", "problem", "changes"));

  private static final ObjectMembers.Form CHANGE =
      ObjectMembers.Form.ofKinds("change", FORMS.values());

  private final Tokens tokens;
  private final Values values;
  private final WorkloadParser workloads;

  /** The change being read. */
  private final Map<String, String> texts = new HashMap<>();

  private Workload assigned;
  private Node added;
  private Domain declared;
  private Set<String> groups;
  private Resources resources;

  EffectParser(Tokens tokens) {
    this.tokens = tokens;
    this.values = new Values(tokens);
    this.workloads = new WorkloadParser(tokens, values, new Positions());
  }

  /** Reads the array that is the current token. */
  List<Effect> read() {
    List<Effect> effects =
        values.list("an array of effects", () -> tokens.isObject("an effect") ? effect() : null);
    tokens.finish();
    return effects;
  }

  private Effect effect() {
    ObjectMembers object = new ObjectMembers(tokens, EFFECT);
    int version = 0;
    String kind = null;
    Problem problem = null;
    List<Change> changes = List.of();
    String word;
    while ((word = object.next()) != null) {
      switch (word) {
        case "v" -> version = values.wholeNumber(1);
        case "kind" -> kind = values.ownName("the kind of the effect");
        case "problem" -> problem = fleet().readInside();
        default -> {
          tokens.next();
          changes =
              values.list(
                  "an array of changes", () -> tokens.isObject("a change") ? change() : null);
        }
      }
    }
    object.requireIfSound("v", "the version of the log's form");
    object.requireIfSound("kind", "the kind of the effect");
    if (object.has("v") && version != Effect.FORMAT) {
      object.wrong("v", String.valueOf(version), "" + Effect.FORMAT);
    }
    tokens.finish();
    return new Effect(kind, Optional.ofNullable(problem), changes);
  }

  private ProblemParser fleet() {
    return new ProblemParser(tokens, ProblemParser.Form.FLEET, List.of());
  }

  private Change change() {
    texts.clear();
    assigned = null;
    added = null;
    declared = null;
    groups = null;
    resources = null;
    ObjectMembers object = new ObjectMembers(tokens, CHANGE);
    String word;
    while ((word = object.next()) != null) {
      switch (word) {
        case "assigned" -> assigned = workloads.readWhole();
        case "added" -> added = fleet().readWholeNode();
        case "declared" -> {
          tokens.next();
          declared = new DomainParser(tokens, values, new Positions()).readWhole();
        }
        case "groups" -> groups = values.names("groups");
        case "resources" -> resources = values.resources(Values.Use.PLAIN);
        default -> texts.put(word, values.ownName("a name"));
      }
    }
    object.requireIfSound("change", "what was changed");
    List<String> form = FORMS.get(texts.getOrDefault("change", ""));
    if (object.has("change") && form == null) {
      object.wrong("change", "'" + texts.get("change") + "'", "a change that a log has");
    } else if (form != null) {
      form.forEach(
          member -> object.requireIfSound(member, "what '" + texts.get("change") + "' is about"));
    }
    tokens.finish();
    return made();
  }

  private Change made() {
    String node = texts.get("node");
    String workload = texts.get("workload");
    return switch (texts.get("change")) {
      case "assign" -> new Change.Assign(assigned, node);
      case "release" -> new Change.Release(workload);
      case "move" -> new Change.Move(workload, texts.get("from"), texts.get("to"));
      case "add-node" -> new Change.AddNode(added);
      case "remove-node" -> new Change.RemoveNode(node);
      case "resize" -> new Change.Resize(node, resources);
      case "cordon" -> new Change.Cordon(node);
      case "declare" -> new Change.Declare(declared);
      case "undeclare" -> new Change.Undeclare(texts.get("level"), texts.get("domain"));
      case "resize-domain" ->
          new Change.ResizeDomain(texts.get("level"), texts.get("domain"), resources);
      case "cordon-domain" ->
          new Change.CordonDomain(texts.get("level"), texts.get("domain"), true);
      case "uncordon-domain" ->
          new Change.CordonDomain(texts.get("level"), texts.get("domain"), false);
      case "regroup" -> new Change.Regroup(workload, groups);
      default -> new Change.Uncordon(node);
    };
  }
}
