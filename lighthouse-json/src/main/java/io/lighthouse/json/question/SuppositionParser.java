package io.lighthouse.json.question;

import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Suggestion;
import io.lighthouse.json.SuppositionWords;
import io.lighthouse.json.token.ObjectMembers;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads what a list supposes of a fleet. For one list, in one thread. */
final class SuppositionParser {
  private static final String CHANGE =
      "a text such as 'remove-node n1', or an object with a change";

  /** The members of a change. The first {@code required} of them must come. */
  private record Form(int required, List<String> members) {}

  private static final Map<String, Form> FORMS = new LinkedHashMap<>();

  static {
    FORMS.put("add", new Form(1, List.of("resources", "count", "name", "domains")));
    FORMS.put("remove-node", new Form(1, List.of("node")));
    FORMS.put("resize", new Form(2, List.of("node", "resources")));
    FORMS.put("declare", new Form(3, List.of("level", "domain", "resources")));
    FORMS.put("resize-domain", new Form(3, List.of("level", "domain", "resources")));
    FORMS.put("cordon", new Form(0, List.of("node", "level", "domain")));
    FORMS.put("uncordon", new Form(0, List.of("node", "level", "domain")));
    FORMS.put("release", new Form(1, List.of("workload")));
    FORMS.put("move", new Form(2, List.of("workload", "to")));
    FORMS.put("scale", new Form(2, List.of("workload", "replicas")));
  }

  private static final String VERBS = "one of " + String.join(", ", FORMS.keySet());

  /** All members. The form of a change says which of them it takes. */
  private static final ObjectMembers.Form FORM =
      ObjectMembers.Form.ofKinds("change", FORMS.values().stream().map(Form::members).toList());

  private final Tokens tokens;
  private final Values values;

  /** The changes that were sound. */
  private final List<Supposition> supposed;

  /** How many nodes the changes add. */
  private long nodes;

  /** How many replicas the changes ask for. */
  private long workloads;

  /** The object being read. */
  private final Map<String, String> texts = new LinkedHashMap<>();

  private Resources resources;
  private Map<String, String> domains;
  private int count;
  private int replicas;

  SuppositionParser(Tokens tokens, Values values, List<Supposition> supposed) {
    this.tokens = tokens;
    this.values = values;
    this.supposed = supposed;
  }

  /** Reads an entry from the current token. */
  void read() {
    if (tokens.isText()) {
      words();
    } else if (tokens.isObject(CHANGE)) {
      object();
    }
  }

  /** Keeps a change; what comes is bounded as what is read. */
  private void keep(Supposition step) {
    supposed.add(step);
    nodes += step instanceof Supposition.AddNodes add ? add.count() : 0;
    workloads += step instanceof Supposition.Scale scale ? scale.replicas() : 0;
    if (nodes > tokens.limits().nodes() || workloads > tokens.limits().workloads()) {
      throw tokens.stop(
          Fault.Kind.LIMIT,
          "too many in all",
          "at most "
              + Plural.of(tokens.limits().nodes(), "node")
              + " and "
              + Plural.of(tokens.limits().workloads(), "replica")
              + " in all changes");
    }
  }

  private void words() {
    Supposition made;
    try {
      made = SuppositionWords.parse(supposed.size() + 1, tokens.string());
    } catch (InvalidInputException wrong) {
      tokens.wrong(Questions.found(wrong), wrong.allowed());
      return;
    }
    requireLengths(made, tokens.string());
    keep(made);
  }

  private void requireLengths(Supposition made, String text) {
    List<String> words = List.of(text.strip().split("\\s+"));
    if (made instanceof Supposition.AddNodes add) {
      tokens.requireNodeLengths(add.like(), text);
    } else if (made instanceof Supposition.Resize resize) {
      tokens.requireNameLength(resize.node());
      tokens.requireAmountLengths(resize.amounts(), words.get(2));
    } else if (made instanceof Supposition.Scale scale) {
      tokens.requireNameLength(scale.workload());
    } else if (made instanceof Supposition.Apply apply
        && apply.change() instanceof Change.CordonDomain cordon) {
      tokens.requireNameLength(cordon.level());
      tokens.requireNameLength(cordon.domain());
    } else {
      words.subList(1, words.size()).forEach(tokens::requireNameLength);
    }
  }

  private void object() {
    texts.clear();
    resources = null;
    domains = Map.of();
    count = 1;
    replicas = 0;
    ObjectMembers object = new ObjectMembers(tokens, FORM);
    String word;
    while ((word = object.next()) != null) {
      member(word);
    }
    object.requireIfSound("change", VERBS);
    if (!object.isSound()) {
      return;
    }
    String verb = texts.get("change");
    Form form = FORMS.get(verb);
    if (form == null) {
      String meant = Suggestion.question(verb, FORMS.keySet());
      object.wrong("change", "'" + verb + "'", VERBS + meant);
      return;
    }
    for (String member : FORM.names()) {
      if (object.has(member) && !member.equals("change") && !form.members.contains(member)) {
        object.wrong(
            member, "given beside '" + verb + "'", "only " + String.join(", ", form.members));
      }
    }
    for (String member : form.members.subList(0, form.required)) {
      object.requireIfSound(member, "what '" + verb + "' is about");
    }
    if (form.required == 0) {
      requireNodes(object, "node", "a node, or a level and a domain");
    }
    if (!object.isSound()) {
      return;
    }
    Supposition made;
    try {
      made = made(verb);
    } catch (InvalidInputException wrong) { // A domain that cannot be declared.
      String member = wrong.field().equals("level") ? "level" : "domain";
      object.wrong(member, wrong.found(), wrong.allowed());
      return;
    }
    keep(made);
  }

  private void member(String word) {
    switch (word) {
      case "resources" -> resources = values.resources(Values.Use.PLAIN);
      case "domains" -> domains = values.domains();
      case "count" -> count = values.wholeNumber(1, SuppositionWords.MOST);
      case "replicas" -> replicas = values.wholeNumber(0, SuppositionWords.MOST);
      default -> texts.put(word, values.ownName("a name"));
    }
  }

  /** Requires a member for nodes, or the level and name of a domain; {@code allowed} says so. */
  static void requireNodes(ObjectMembers object, String nodes, String allowed) {
    if (object.has(nodes)) {
      for (String word : List.of("level", "domain")) {
        if (object.has(word)) {
          object.wrong(word, "given beside '" + nodes + "'", allowed);
        }
      }
    } else {
      object.requireOneOf(allowed, nodes, "level");
      if (object.has("level")) {
        object.requireIfSound("domain", "the name of a domain of that level");
      }
    }
  }

  private Supposition made(String verb) {
    String node = texts.get("node");
    boolean closed = verb.equals("cordon");
    return switch (verb) {
      case "add" ->
          new Supposition.AddNodes(
              count,
              new Node(
                  texts.getOrDefault("name", SuppositionWords.NEW),
                  resources,
                  List.of(),
                  false,
                  domains,
                  Map.of()));
      case "remove-node" -> new Supposition.RemoveNode(node);
      case "resize" -> new Supposition.Resize(node, resources);
      case "declare" ->
          new Supposition.Apply(
              new Change.Declare(Domain.of(texts.get("level"), texts.get("domain"), resources)));
      case "resize-domain" ->
          new Supposition.Apply(
              new Change.ResizeDomain(texts.get("level"), texts.get("domain"), resources));
      case "release" -> new Supposition.Release(texts.get("workload"));
      case "move" -> new Supposition.Move(texts.get("workload"), texts.get("to"));
      case "scale" -> new Supposition.Scale(texts.get("workload"), replicas);
      default ->
          new Supposition.Apply(
              node == null
                  ? new Change.CordonDomain(texts.get("level"), texts.get("domain"), closed)
                  : closed ? new Change.Cordon(node) : new Change.Uncordon(node));
    };
  }
}
