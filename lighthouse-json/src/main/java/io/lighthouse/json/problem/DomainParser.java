package io.lighthouse.json.problem;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.Rounding;
import io.lighthouse.json.token.ObjectMembers;
import io.lighthouse.json.token.Stock;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonToken;

/** Reads the declared domains. For one problem, in one thread. */
public final class DomainParser {
  private static final ObjectMembers.Form FORM =
      ObjectMembers.Form.of("level", "name", "resources", "cordoned")
          .same("name", "id")
          .unlocated();
  private static final ObjectMembers.Form GIVEN =
      ObjectMembers.Form.of("resources", "cordoned").unlocated();

  private static final String DOMAIN = "an object with a level and a name";

  private final Tokens tokens;
  private final Values values;
  private final Positions positions;
  private ObjectMembers members;

  /** By level and name, in the order given. */
  private final Map<String, Map<String, Declared>> declared = new LinkedHashMap<>();

  private final List<Rounding> roundings = new ArrayList<>();
  private final List<Declared> all = new ArrayList<>();

  /** A domain, and what of its quantities was given as objects. */
  private record Declared(Domain domain, Map<String, Stock> stocks) {}

  public DomainParser(Tokens tokens, Values values, Positions positions) {
    this.tokens = tokens;
    this.values = values;
    this.positions = positions;
    this.members = new ObjectMembers(tokens, FORM);
  }

  /** The next token and below: the declared domains. */
  void read() {
    tokens.next();
    if (!tokens.isArray("an array of domains")) {
      return;
    }
    while (tokens.next() != JsonToken.END_ARRAY) {
      values.checkEntries(all.size() + 1);
      if (tokens.isObject(DOMAIN)) {
        readOne(null, null);
      }
    }
  }

  /** The current token and below: one domain alone; null where it is no object. */
  public Domain readWhole() {
    if (!tokens.isObject(DOMAIN)) {
      return null;
    }
    readOne(null, null);
    tokens.finish();
    return all.get(0).domain();
  }

  /** The same, with a level and a name that the text does not contain. */
  public Domain readNamed(String level, String name) {
    if (!tokens.isObject("an object with resources")) {
      return null;
    }
    readOne(level, name);
    tokens.finish();
    return all.get(0).domain();
  }

  private void readOne(String givenLevel, String givenName) {
    String level = givenLevel;
    String name = givenName;
    boolean named = givenName != null;
    Resources resources = Resources.none();
    Map<String, Stock> stocks = Map.of();
    boolean cordoned = false;
    if (named) {
      members = new ObjectMembers(tokens, GIVEN);
    }
    members.begin();
    String word;
    while ((word = members.next()) != null) {
      switch (word) {
        case "level" -> level = level();
        case "resources" -> {
          resources = values.resources(Values.Use.NODE);
          stocks = values.takeStocks();
        }
        case "cordoned" -> cordoned = values.flag();
        default -> name = values.ownName("the name of a domain");
      }
    }
    if (named) {
      members.require("resources", "an object with the capacity of the domain");
    } else {
      members.require("level", "the name of a level");
      members.require("name", "the name of a domain");
    }
    if (!named && members.isSound()) {
      checkName(level, name);
    }
    if (members.isSound()) {
      if (!named) {
        positions.domain(members.position());
      }
      Domain domain = new Domain(level, name, resources, Stock.units(stocks), cordoned);
      Declared one = new Declared(domain, stocks);
      all.add(one);
      declared.computeIfAbsent(level, any -> new HashMap<>()).put(name, one);
      roundings.addAll(Stock.roundings(stocks));
    }
  }

  private String level() {
    String level = values.ownName("the name of a level");
    if (Rule.NODE.equals(level)) {
      tokens.wrong("another level; nodes are declared as nodes");
      return null;
    }
    return level;
  }

  private void checkName(String level, String name) {
    Map<String, Declared> peers = declared.computeIfAbsent(level, any -> new HashMap<>());
    String found = null;
    String allowed = "a name that no other domain of level '" + level + "' has";
    if (level.equals(Rule.FLEET) && !name.equals(Rule.FLEET)) {
      found = "'" + name + "'";
      allowed = "'fleet', the only domain of its level";
    } else if (peers.containsKey(name)) {
      found = "'" + name + "', given before";
    }
    if (found != null) {
      tokens.note(tokens.trail().name(members.word("name")).at(members.position()), found, allowed);
    }
  }

  /**
   * Those on nodes may share only what is in their node's domains. The problem must be sound so
   * far.
   */
  void checkPlaced(List<Node> nodes) {
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get(i);
      for (int j = 0; j < node.workloads().size(); j++) {
        for (Map.Entry<String, Resources> shared :
            node.workloads().get(j).terms().shared().entrySet()) {
          checkPlaced(node, i, j, shared.getKey(), shared.getValue());
        }
      }
    }
  }

  private void checkPlaced(Node node, int index, int workload, String level, Resources shared) {
    Declared domain = of(node, level);
    for (int i = 0; i < shared.size(); i++) {
      String why;
      if (domain == null) {
        String name = nameOf(node, level);
        why =
            name == null
                ? "its node stands in no domain of level '" + level + "'"
                : "domain '" + name + "' of level '" + level + "' is not declared";
      } else if (domain.domain.resources().has(shared.name(i))) {
        continue;
      } else {
        why =
            "domain '"
                + domain.domain.name()
                + "' of level '"
                + level
                + "' "
                + ProblemParser.lacks(tokens, shared.name(i), domain.domain.resources());
      }
      tokens.note(
          positions.inPlaced(index, workload, "shared", level, shared.name(i)),
          shared.quantity(i).toString(),
          "nothing: " + why);
    }
  }

  private Declared of(Node node, String level) {
    String name = nameOf(node, level);
    return name == null ? null : declared.getOrDefault(level, Map.of()).get(name);
  }

  /** Null where the node stands nowhere at the level. */
  private static String nameOf(Node node, String level) {
    return level.equals(Rule.FLEET) ? Rule.FLEET : node.domains().get(level);
  }

  /** The domains, with what is left beside those on nodes where a capacity was given. */
  List<Domain> domains(List<Node> nodes) {
    Map<Declared, Resources> left = new IdentityHashMap<>();
    if (all.stream().anyMatch(one -> !one.stocks.isEmpty())) {
      for (Node node : nodes) {
        for (Workload workload : node.workloads()) {
          workload.terms().shared().forEach((level, shared) -> take(of(node, level), shared, left));
        }
      }
    }
    List<Domain> domains = new ArrayList<>();
    for (Declared one : all) {
      Domain given = one.domain;
      Resources rest = left.getOrDefault(one, given.resources());
      domains.add(new Domain(given.level(), given.name(), rest, given.units(), given.cordoned()));
    }
    return domains;
  }

  /**
   * Takes a shared requirement off a domain; ends the reading where the rest has too many digits.
   */
  private void take(Declared from, Resources shared, Map<Declared, Resources> left) {
    Resources before = left.getOrDefault(from, from.domain.resources());
    try {
      left.put(from, Stock.without(before, from.stocks, shared));
    } catch (InvalidInputException tooLong) {
      tokens.note(
          positions.inDomain(all.indexOf(from), "resources", tooLong.field()),
          tooLong.found(),
          tooLong.allowed());
      tokens.finish();
    }
  }

  List<Rounding> roundings() {
    return roundings;
  }
}
