package io.lighthouse.json;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JsonToken;

/** Reads one problem from its tokens: the grammar of the format. For one use, in one thread. */
final class ProblemParser {
  private static final int NAME = 0;
  private static final int QUANTITIES = 1;
  private static final int WORKLOADS = 2;
  private static final int CORDONED = 3;
  private static final int DOMAINS = 4;

  private static final int STRATEGY = 0;
  private static final int RUBRIC = 1;
  private static final int NODES = 3;
  private static final int SETTINGS = 4;
  private static final int LAST_PLACED = 5;
  private static final int RULES = 6;
  private static final int DECLARED = 7;
  private static final int CHANGES = 8;
  private static final int GOAL = 9;
  private static final int LIMITS = 10;
  private static final int OFFERS = 11;
  private static final int MIX = 12;
  private static final int FLAGS = 13;

  /** Names that a message lists at most. */
  private static final int FEW = 10;

  private static final List<String> OF_A_GIVEN_NODE = List.of("resources", "cordoned", "domains");

  private static final String NODE = "an object with a name and resources";

  /** What a text is to hold. */
  enum Form {
    /** Nodes, and workloads that want a place. */
    PROBLEM,
    /** Nodes; nobody wants a place. */
    FLEET,
    /** Workloads that want a place, and nothing of the fleet. */
    BATCH
  }

  private final Tokens tokens;
  private final Values values;
  private final List<String> knownFlags;
  private final ProblemReader.Beside beside;
  private final Form form;

  private final ObjectMembers top;
  private final ObjectMembers node;

  private final Set<String> nodeNames = new HashSet<>();
  private final Positions positions = new Positions();
  private final WorkloadParser workloadParser;
  private final DomainParser domains;
  private final PlanParser plan;

  private String strategy;
  private Rubric rubric;
  private Map<String, String> settings = Map.of();
  private List<Rule> rules = List.of();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Workload> workloads = new ArrayList<>();
  private final Set<String> flags = new TreeSet<>();
  private final List<Rounding> roundings = new ArrayList<>();
  private List<Supposition> supposed = List.of();
  private List<Offer> offers = List.of();
  private List<Headroom.Part> mix = List.of();

  private String lastPlaced;
  private Place lastPlacedAt;
  private int nodeCount;

  /** The name of the node being read, where it stands outside of the text; else null. */
  private String givenName;

  /** Reads a text of a form, with flags at its top. */
  ProblemParser(Tokens tokens, Form form, List<String> knownFlags) {
    this(tokens, form, knownFlags, ProblemReader.Beside.NOTHING);
  }

  /** Reads a problem, and what may stand beside it. */
  ProblemParser(Tokens tokens, List<String> knownFlags, ProblemReader.Beside beside) {
    this(tokens, Form.PROBLEM, knownFlags, beside);
  }

  private ProblemParser(
      Tokens tokens, Form form, List<String> knownFlags, ProblemReader.Beside beside) {
    this.form = form;
    this.tokens = tokens;
    this.beside = beside;
    this.values = new Values(tokens);
    this.plan = new PlanParser(tokens, values);
    this.knownFlags = knownFlags;
    this.top = new ObjectMembers(tokens, FLAGS + knownFlags.size());
    this.node = new ObjectMembers(tokens, DOMAINS + 1);
    this.workloadParser = new WorkloadParser(tokens, values, positions);
    this.domains = new DomainParser(tokens, values, positions);
  }

  /** Reads the whole text. */
  ProblemDocument read() {
    if (tokens.next() == null) {
      throw tokens.stop(Fault.Kind.SYNTAX, "empty", "an object with nodes and workloads");
    }
    if (tokens.isObject("an object with nodes and workloads")) {
      readTop();
    }
    if (tokens.next() != null) {
      throw tokens.stop(Fault.Kind.SYNTAX, "no JSON: something follows its end", "one object");
    }
    return document();
  }

  /** Reads a problem within a text, from the object that comes. */
  ProblemDocument readInside() {
    tokens.next();
    if (tokens.isObject("an object with nodes and workloads")) {
      readTop();
    }
    return document();
  }

  /** Reads one node, whose name is known, from the current token. */
  Node readNode(String name) {
    givenName = name;
    if (tokens.isObject("an object with resources")) {
      readNode();
    }
    return nodes.isEmpty() ? null : nodes.get(0);
  }

  /** Reads one node, with its name and its workloads, from the object that comes. */
  Node readWholeNode() {
    tokens.next();
    if (tokens.isObject(NODE)) {
      readNode();
    }
    return nodes.isEmpty() ? null : nodes.get(0);
  }

  private ProblemDocument document() {
    if (lastPlaced != null && !nodeNames.contains(lastPlaced)) {
      tokens.note(lastPlacedAt, "'" + lastPlaced + "'", "the name of a node");
    }
    tokens.finish();
    domains.checkPlaced(nodes);
    tokens.finish();
    roundings.addAll(domains.roundings());
    Problem problem = Problem.of(nodes, workloads).withSettings(settings);
    problem = problem.withDomains(domains.domains(nodes)).withRules(rules);
    problem = strategy == null ? problem : problem.withStrategy(strategy);
    problem = rubric == null ? problem : problem.withRubric(rubric);
    problem = lastPlaced == null ? problem : problem.withLastPlaced(lastPlaced);
    PlanRequest request = beside == ProblemReader.Beside.PLAN ? plan.request(problem) : null;
    tokens.finish();
    return new ProblemDocument(
        problem, flags, supposed, request, offers, mix, positions, roundings);
  }

  private void readTop() {
    top.begin();
    String word;
    while ((word = tokens.nextName()) != null) {
      switch (form == Form.BATCH && !isWorkloads(word) ? "" : word) {
        case "strategy" -> {
          if (top.first(STRATEGY, word)) {
            strategy = values.ownName("the name of a strategy");
          }
        }
        case "rubric" -> {
          if (top.first(RUBRIC, word)) {
            Resources weights = values.resources(Values.Use.WEIGHT);
            rubric = weights == null ? null : new Rubric(weights);
          }
        }
        case "settings" -> {
          if (top.first(SETTINGS, word)) {
            settings = values.settings();
          }
        }
        case "nodes" -> {
          if (top.first(NODES, word)) {
            readNodes();
          }
        }
        case "workloads", "loads" -> {
          if (top.first(WORKLOADS, word)) {
            positions.topWord(word);
            workloadParser.read(workloads, false);
          }
        }
        case "domains" -> {
          if (top.first(DECLARED, word)) {
            domains.read();
          }
        }
        case "rules" -> {
          if (top.first(RULES, word)) {
            rules = workloadParser.rules().rules(false);
          }
        }
        case "last_placed" -> {
          if (top.first(LAST_PLACED, word)) {
            lastPlaced = values.ownName("the name of a node");
            lastPlacedAt = tokens.trail().at(tokens.position());
          }
        }
        default -> readFlag(word);
      }
    }
    if (form != Form.BATCH) {
      top.require(NODES, "nodes", "an array of nodes");
    }
    if (form != Form.FLEET) {
      top.require(WORKLOADS, "workloads", "an array of workloads");
    } else if (!workloads.isEmpty()) {
      tokens.note(
          tokens.trail().name(top.word(WORKLOADS)).at(top.position()),
          workloads.size() + " that want a place",
          "none: they are assigned to the fleet when it is there");
    }
    if (beside == ProblemReader.Beside.PLAN) {
      top.require(GOAL, PlanParser.GOAL, "what the plan is to reach");
    }
    if (beside == ProblemReader.Beside.OFFERS) {
      top.require(OFFERS, ProblemReader.OFFERS, "an array of offers");
    }
    if (beside == ProblemReader.Beside.MIX) {
      top.require(MIX, ProblemReader.MIX, "an array of shapes");
    }
  }

  private static boolean isWorkloads(String word) {
    return word.equals("workloads") || word.equals("loads");
  }

  private void readFlag(String word) {
    int flag = knownFlags.indexOf(word);
    if (besides().contains(word)) {
      readBeside(word);
    } else if (flag < 0) {
      List<String> more = new ArrayList<>(knownFlags);
      more.addAll(besides());
      String fields =
          form == Form.BATCH
              ? "workloads"
              : "strategy, rubric, settings, nodes, workloads, last_placed, domains, rules";
      top.unknown(more.isEmpty() ? fields : fields + ", " + String.join(", ", more));
    } else if (top.first(FLAGS + flag, word) && values.flag()) {
      flags.add(word);
    }
  }

  /** The members that are no part of the problem, and no flags. */
  private List<String> besides() {
    return switch (beside) {
      case NOTHING -> List.of();
      case CHANGES -> List.of(ProblemReader.CHANGES);
      case PLAN -> List.of(PlanParser.GOAL, PlanParser.LIMITS);
      case OFFERS -> List.of(ProblemReader.OFFERS);
      case MIX -> List.of(ProblemReader.MIX);
    };
  }

  private void readBeside(String word) {
    switch (word) {
      case PlanParser.GOAL -> {
        if (top.first(GOAL, word)) {
          plan.readGoal();
        }
      }
      case PlanParser.LIMITS -> {
        if (top.first(LIMITS, word)) {
          plan.readLimits();
        }
      }
      case ProblemReader.OFFERS -> {
        if (top.first(OFFERS, word)) {
          offers = new OfferParser(tokens, values).readList();
        }
      }
      case ProblemReader.MIX -> {
        if (top.first(MIX, word)) {
          mix = new MixParser(tokens, values).read();
        }
      }
      default -> {
        if (top.first(CHANGES, word)) {
          supposed = new SuppositionParser(tokens, values).read();
        }
      }
    }
  }

  private void readNodes() {
    tokens.next();
    if (!tokens.isArray("an array of nodes")) {
      return;
    }
    while (tokens.next() != JsonToken.END_ARRAY) {
      if (++nodeCount > tokens.limits().nodes()) {
        throw tooMany("nodes", tokens.limits().nodes());
      }
      if (tokens.isObject(NODE)) {
        readNode();
      }
    }
  }

  private void readNode() {
    int before = tokens.faultCount();
    String name = givenName;
    Resources resources = null;
    List<Workload> placed = List.of();
    boolean cordoned = false;
    Map<String, Stock> stocks = Map.of();
    Map<String, String> standsIn = Map.of();
    node.begin();
    String word;
    while ((word = tokens.nextName()) != null) {
      switch (givenName != null && !OF_A_GIVEN_NODE.contains(word) ? "" : word) {
        case "name", "id" -> {
          if (node.first(NAME, word)) {
            name = values.uniqueName(nodeNames, "node");
          }
        }
        case "resources" -> {
          if (node.first(QUANTITIES, word)) {
            resources = values.resources(Values.Use.NODE);
            stocks = values.takeStocks();
          }
        }
        case "workloads", "loads" -> {
          if (node.first(WORKLOADS, word)) {
            placed = new ArrayList<>();
            workloadParser.read(placed, true);
          }
        }
        case "cordoned" -> {
          if (node.first(CORDONED, word)) {
            cordoned = values.flag();
          }
        }
        case "domains" -> {
          if (node.first(DOMAINS, word)) {
            standsIn = values.domains();
          }
        }
        default ->
            node.unknown(
                givenName != null
                    ? String.join(", ", OF_A_GIVEN_NODE)
                    : "name, resources, workloads, cordoned, domains");
      }
    }
    if (givenName == null) {
      node.require(NAME, "name", "the name of a node");
    }
    node.require(QUANTITIES, "resources", "an object of names and quantities");
    if (tokens.faultCount() == before) {
      checkPlaced(placed, resources);
    }
    if (tokens.faultCount() == before) {
      positions.node(node.position(), node.word(WORKLOADS));
      if (!stocks.isEmpty()) {
        for (Workload workload : placed) {
          resources = Stock.without(resources, stocks, workload.requirements());
        }
        roundings.addAll(Stock.roundings(stocks));
      }
      nodes.add(new Node(name, resources, placed, cordoned, standsIn, Stock.units(stocks)));
    }
  }

  /** Those on a node may require only what the node has. */
  private void checkPlaced(List<Workload> placed, Resources resources) {
    for (int i = 0; i < placed.size(); i++) {
      Resources requirements = placed.get(i).requirements();
      for (int j = 0; j < requirements.size(); j++) {
        if (!resources.has(requirements.name(j))) {
          Quantity required = requirements.quantity(j);
          Trail trail = tokens.trail().name(node.word(WORKLOADS)).index(i);
          tokens.note(
              trail.name("requirements").name(requirements.name(j)).at(node.position()),
              required.toString(),
              "nothing: its node has no such resource, only " + some(resources.names()));
        }
      }
    }
  }

  static String some(List<String> names) {
    List<String> first = names.subList(0, Math.min(FEW, names.size()));
    return String.join(", ", first) + (first.size() < names.size() ? ", ..." : "");
  }

  private ProblemFormatException tooMany(String kind, int most) {
    return tokens.stop(Fault.Kind.LIMIT, "one too many", "at most " + most + " " + kind);
  }
}
