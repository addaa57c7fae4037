package io.lighthouse.json.problem;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Place;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.Rounding;
import io.lighthouse.json.token.ObjectMembers;
import io.lighthouse.json.token.Stock;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Trail;
import io.lighthouse.json.token.Values;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JsonToken;

/** Reads one problem from its tokens: the grammar of the format. For one use, in one thread. */
public final class ProblemParser {
  /** Names that a message lists at most. */
  private static final int FEW = 10;

  private static final List<String> OF_A_PROBLEM =
      List.of(
          "strategy",
          "rubric",
          "settings",
          "nodes",
          "workloads",
          "last_placed",
          "domains",
          "rules");
  private static final ObjectMembers.Form NODE_FORM =
      ObjectMembers.Form.of("name", "resources", "workloads", "cordoned", "domains")
          .same("name", "id")
          .same("workloads", "loads")
          .unlocated();
  private static final ObjectMembers.Form GIVEN_NODE =
      ObjectMembers.Form.of("resources", "cordoned", "domains").unlocated();

  private static final String NODE = "an object with a name and resources";

  /** What a text is to hold. */
  public enum Form {
    /** Nodes, and workloads that want a place. */
    PROBLEM("an object with nodes and workloads"),
    /** Nodes, and no workloads to place. */
    FLEET("an object with nodes"),
    /** Workloads that want a place, and nothing of the fleet. */
    BATCH("an object with workloads"),
    /** The same, but the workloads may be missing. */
    QUESTION("an object");

    private final String allowed;

    Form(String allowed) {
      this.allowed = allowed;
    }

    /** What such a text must be, for messages. */
    public String allowed() {
      return allowed;
    }

    boolean hasFleet() {
      return this == PROBLEM || this == FLEET;
    }
  }

  private final Tokens tokens;
  private final Values values;
  private final Beside beside;
  private final Form form;

  private final ObjectMembers top;
  private ObjectMembers node;

  private final Set<String> nodeNames = new HashSet<>();
  private final Positions positions = new Positions();
  private final WorkloadParser workloadParser;
  private final DomainParser domains;

  private String strategy;
  private Rubric rubric;
  private Map<String, String> settings = Map.of();
  private List<Rule> rules = List.of();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Workload> workloads = new ArrayList<>();
  private final Set<String> flags = new TreeSet<>();
  private final List<Rounding> roundings = new ArrayList<>();

  private String lastPlaced;
  private Place lastPlacedAt;
  private int nodeCount;

  /** The name of the node being read, where it stands outside of the text; else null. */
  private String givenName;

  /** Members at the top that are no part of the problem; another grammar reads them. */
  public interface Beside {
    /** There is none. */
    Beside NOTHING =
        new Beside() {
          @Override
          public Map<String, String> required() {
            return Map.of();
          }

          @Override
          public List<String> members() {
            return List.of();
          }

          @Override
          public void read(String member) {
            throw new IllegalArgumentException(member);
          }
        };

    /** The members. */
    List<String> members();

    /** What those that must be there are to be, by member. */
    Map<String, String> required();

    /** Reads the value that comes. */
    void read(String member);
  }

  /** Reads a text of a form, with flags at its top. */
  public ProblemParser(Tokens tokens, Form form, List<String> knownFlags) {
    this(tokens, new Values(tokens), form, knownFlags, Beside.NOTHING);
  }

  /** Reads a text of a form, with flags and other members at its top. */
  public ProblemParser(
      Tokens tokens, Values values, Form form, List<String> knownFlags, Beside beside) {
    this.form = form;
    this.tokens = tokens;
    this.beside = beside;
    this.values = values;
    this.top =
        new ObjectMembers(
            tokens,
            ObjectMembers.Form.of(form.hasFleet() ? OF_A_PROBLEM : List.of("workloads"))
                .same("workloads", "loads")
                .plus(knownFlags)
                .plus(beside.members())
                .unlocated());
    this.node = new ObjectMembers(tokens, NODE_FORM);
    this.workloadParser = new WorkloadParser(tokens, values, positions);
    this.domains = new DomainParser(tokens, values, positions);
  }

  /** The text is about a known fleet, whose workloads count for the limit of workloads. */
  public ProblemParser about(Problem fleet) {
    workloadParser.countOutside(
        fleet.nodes().stream().mapToLong(placed -> placed.workloads().size()).sum());
    return this;
  }

  /** Reads the current token and all below it; the problem is made by {@link #parsed}. */
  public ProblemParser read() {
    if (tokens.isObject(form.allowed())) {
      readTop();
      if (lastPlaced != null && !nodeNames.contains(lastPlaced)) {
        tokens.note(
            lastPlacedAt,
            "'" + lastPlaced + "'",
            "the name of a node" + tokens.suggestion(lastPlaced, nodeNames));
      }
    }
    return this;
  }

  /** Reads a problem within a text, from the object that comes. */
  public Problem readInside() {
    tokens.next();
    read();
    tokens.finish();
    return parsed().problem();
  }

  /** Reads one node, whose name is known, from the current token. */
  public Node readNode(String name) {
    givenName = name;
    node = new ObjectMembers(tokens, GIVEN_NODE);
    if (tokens.isObject("an object with resources")) {
      readNode();
    }
    return nodes.isEmpty() ? null : nodes.get(0);
  }

  /** Reads one node, with its name and its workloads, from the object that comes. */
  public Node readWholeNode() {
    tokens.next();
    if (tokens.isObject(NODE)) {
      readNode();
    }
    return nodes.isEmpty() ? null : nodes.get(0);
  }

  /** Makes the problem; nothing may be wrong so far. */
  public ParsedProblem parsed() {
    domains.checkPlaced(nodes);
    tokens.finish();
    roundings.addAll(domains.roundings());
    Problem problem =
        new Problem(
            Optional.ofNullable(strategy),
            Optional.ofNullable(rubric),
            settings,
            rules,
            domains.domains(nodes),
            nodes,
            workloads,
            Optional.ofNullable(lastPlaced));
    return new ParsedProblem(problem, flags, positions, roundings);
  }

  private void readTop() {
    top.begin();
    String word;
    while ((word = tokens.nextName()) != null) {
      if (word.equals("lighthouse_record")) {
        throw tokens.wrongSort(
            "a record of a decision", form.allowed() + "; lighthouse replay takes records");
      }
      if (top.takes(word)) {
        readMember(word);
      }
    }
    if (form.hasFleet()) {
      top.require("nodes", "an array of nodes");
    }
    if (form == Form.PROBLEM || form == Form.BATCH) {
      top.require("workloads", "an array of workloads");
    } else if (form == Form.FLEET && !workloads.isEmpty()) {
      tokens.note(
          positions.inMember(top.word("workloads")),
          "an array of " + workloads.size(),
          "no workloads; assign them when the fleet is there");
    }
    beside.required().forEach(top::require);
  }

  private void readMember(String word) {
    positions.member(word, tokens.position());
    switch (word) {
      case "strategy" -> {
        strategy = values.ownName("the name of a strategy");
        positions.member(word, tokens.position());
      }
      case "rubric" -> {
        Resources weights = values.resources(Values.Use.WEIGHT);
        rubric = weights == null ? null : new Rubric(weights);
      }
      case "settings" -> settings = values.settings();
      case "nodes" -> readNodes();
      case "workloads", "loads" -> {
        positions.topWord(word);
        workloadParser.read(workloads, false);
      }
      case "domains" -> domains.read();
      case "rules" -> rules = workloadParser.rules().rules(false);
      case "last_placed" -> {
        lastPlaced = values.ownName("the name of a node");
        lastPlacedAt = tokens.trail().at(tokens.position());
      }
      default -> {
        if (beside.members().contains(word)) {
          beside.read(word);
        } else if (values.flag()) {
          flags.add(word);
        }
      }
    }
  }

  /** Whether a problem has a member of this name. */
  public static boolean isMember(String word) {
    return OF_A_PROBLEM.contains(word) || word.equals("loads");
  }

  private void readNodes() {
    tokens.next();
    if (!tokens.isArray("an array of nodes")) {
      return;
    }
    while (tokens.next() != JsonToken.END_ARRAY) {
      if (++nodeCount > tokens.limits().nodes()) {
        throw tooMany("node", tokens.limits().nodes());
      }
      if (tokens.isObject(NODE)) {
        readNode();
      }
    }
  }

  private void readNode() {
    String name = givenName;
    Resources resources = null;
    List<Workload> placed = List.of();
    boolean cordoned = false;
    Map<String, Stock> stocks = Map.of();
    Map<String, String> standsIn = Map.of();
    node.begin();
    String word;
    while ((word = node.next()) != null) {
      switch (word) {
        case "resources" -> {
          resources = values.resources(Values.Use.NODE);
          stocks = values.takeStocks();
        }
        case "workloads", "loads" -> {
          placed = new ArrayList<>();
          workloadParser.read(placed, true);
        }
        case "cordoned" -> cordoned = values.flag();
        case "domains" -> standsIn = values.domains();
        default -> name = values.uniqueName(nodeNames, "node", "the name of a node");
      }
    }
    if (givenName == null) {
      node.require("name", "the name of a node");
    }
    node.require("resources", "an object of names and quantities");
    if (node.isSound()) {
      checkPlaced(placed, resources);
    }
    if (node.isSound()) {
      positions.node(node.position(), givenName == null ? node.word("workloads") : null);
      if (!stocks.isEmpty()) {
        resources = left(resources, stocks, placed);
        roundings.addAll(Stock.roundings(stocks));
      }
      nodes.add(new Node(name, resources, placed, cordoned, standsIn, Stock.units(stocks)));
    }
  }

  /** What is left beside the workloads on a node; notes a fault where that has too many digits. */
  private Resources left(Resources given, Map<String, Stock> stocks, List<Workload> placed) {
    Resources left = given;
    for (Workload workload : placed) {
      try {
        left = Stock.without(left, stocks, workload.requirements());
      } catch (InvalidInputException tooLong) {
        tokens.note(
            tokens.trail().name("resources").name(tooLong.field()).at(node.position()),
            tooLong.found(),
            tooLong.allowed());
        return left;
      }
    }
    return left;
  }

  /** Those on a node may require only what the node has. */
  private void checkPlaced(List<Workload> placed, Resources resources) {
    for (int i = 0; i < placed.size(); i++) {
      Resources requirements = placed.get(i).requirements();
      for (int j = 0; j < requirements.size(); j++) {
        if (!resources.has(requirements.name(j))) {
          Quantity required = requirements.quantity(j);
          Trail trail = tokens.trail().name(node.word("workloads")).index(i);
          tokens.note(
              trail.name("requirements").name(requirements.name(j)).at(node.position()),
              required.toString(),
              "nothing: its node " + lacks(tokens, requirements.name(j), resources));
        }
      }
    }
  }

  /** That a node or domain lacks a resource, the first that it has, and the one probably meant. */
  static String lacks(Tokens tokens, String meant, Resources present) {
    if (present.isEmpty()) {
      return "has no resources";
    }
    List<String> names = present.names();
    List<String> first = names.subList(0, Math.min(FEW, names.size()));
    return "has no such resource, only "
        + String.join(", ", first)
        + (first.size() < names.size() ? ", ..." : "")
        + tokens.suggestion(meant, names);
  }

  private ProblemFormatException tooMany(String kind, int most) {
    return tokens.stop(Fault.Kind.LIMIT, "one too many", "at most " + Plural.of(most, kind));
  }
}
