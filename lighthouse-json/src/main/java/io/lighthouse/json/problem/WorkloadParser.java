package io.lighthouse.json.problem;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Place;
import io.lighthouse.json.PlacedWorkload;
import io.lighthouse.json.token.Exclusive;
import io.lighthouse.json.token.ObjectMembers;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonToken;

/** Reads lists of workloads, and writes replicas out. For one problem, in one thread. */
public final class WorkloadParser {
  private static final int NAME = 0;
  private static final int QUANTITIES = 1;
  private static final int IMMUNITIES = 2;
  private static final int AVERSION_GROUPS = 3;
  private static final int REPLICAS = 4;
  private static final int SHARED = 5;
  private static final int GROUPS = 6;
  private static final int WHERE = 7;
  private static final int RULES = 8;
  private static final int PREFERENCES = 9;
  private static final int GANG = 10;
  private static final int NODE = 11;

  private static final String WORKLOAD = "an object with a name and requirements";
  private static final List<String> OF_A_WORKLOAD =
      List.of(
          "name",
          "requirements",
          "immunities",
          "aversion_groups",
          "replicas",
          "shared",
          "groups",
          "where",
          "rules",
          "preferences",
          "gang");
  private static final List<String> OF_A_GIVEN_WORKLOAD =
      List.of(
          "requirements",
          "immunities",
          "aversion_groups",
          "shared",
          "groups",
          "where",
          "rules",
          "preferences",
          "gang",
          "node");
  private static final Map<String, List<String>> OF_A_GANG = new LinkedHashMap<>();

  static {
    OF_A_GANG.put("name", List.of("within"));
    OF_A_GANG.put("id", List.of("within"));
    OF_A_GANG.put("within", List.of("name", "id"));
  }

  private final Tokens tokens;
  private final Values values;
  private final ConditionParser conditions;
  private final RuleParser rules;
  private final Positions positions;
  private final ObjectMembers members;

  private final Set<String> names = new HashSet<>();

  /** The gangs of the batch, by name, as their first member says. */
  private final Map<String, Gang> gangs = new HashMap<>();

  /** Those on nodes and every replica included. */
  private long count;

  /** What the workload being read says. */
  private String name;

  private long namePosition;
  private int faultsBeforeName;
  private int replicas;
  private Resources requirements;
  private Set<String> immunities;
  private Set<String> aversionGroups;
  private Map<String, Resources> shared;
  private Set<String> groups;
  private List<Condition> where;
  private List<Rule> hard;
  private List<Rule> soft;
  private Gang gang;
  private Place gangAt;

  /** The name of the workload being read, where it stands outside of the text; else null. */
  private String givenName;

  /** The node that it says it is to come to; null where it says none. */
  private String node;

  public WorkloadParser(Tokens tokens, Values values, Positions positions) {
    this.tokens = tokens;
    this.values = values;
    this.positions = positions;
    this.conditions = new ConditionParser(tokens, values);
    this.rules = new RuleParser(tokens, values, conditions);
    this.members = new ObjectMembers(tokens, NODE + 1);
  }

  /** The reader of rules, which may stand at the top as well. */
  RuleParser rules() {
    return rules;
  }

  /** The next token and below: workloads, those that want a place or those on a node. */
  void read(List<Workload> into, boolean placed) {
    tokens.next();
    if (!tokens.isArray("an array of workloads")) {
      return;
    }
    for (int entry = 0; tokens.next() != JsonToken.END_ARRAY; entry++) {
      add(1);
      if (tokens.isObject(WORKLOAD)) {
        int before = tokens.faultCount();
        readOne(placed);
        boolean once = replicas < 0 && name != null;
        if (once && !isNew(name) || tokens.faultCount() > before) {
          continue;
        }
        keep(into, placed, entry);
      }
    }
  }

  /** Reads one workload, whose name is known, from the current token. */
  public PlacedWorkload readWanted(String wanted) {
    givenName = wanted;
    if (!tokens.isObject("an object with requirements")) {
      return null;
    }
    int before = tokens.faultCount();
    readOne(true);
    return tokens.faultCount() > before
        ? null
        : new PlacedWorkload(workload(), Optional.ofNullable(node));
  }

  /** Reads one workload from the object that comes. */
  public Workload readWhole() {
    tokens.next();
    if (!tokens.isObject(WORKLOAD)) {
      return null;
    }
    int before = tokens.faultCount();
    readOne(true);
    return tokens.faultCount() > before ? null : workload();
  }

  private Workload workload() {
    return new Workload(name, requirements, immunities, aversionGroups, values.shared(terms()));
  }

  private void add(long more) {
    int most = tokens.limits().workloads();
    count += more;
    if (count > most) {
      String found = more == 1 ? "one too many" : more + 1 + ", which makes " + count + " in all";
      throw tokens.stop(Fault.Kind.LIMIT, found, "at most " + most + " workloads");
    }
  }

  private void readOne(boolean placed) {
    begin();
    String word;
    while ((word = tokens.nextName()) != null) {
      switch (givenName != null && (word.equals("name") || word.equals("id")) ? "" : word) {
        case "name", "id" -> {
          if (members.first(NAME, word)) {
            name = values.ownName("the name of a workload");
            namePosition = tokens.position();
            faultsBeforeName = tokens.faultCount();
          }
        }
        case "requirements" -> {
          if (members.first(QUANTITIES, word)) {
            requirements = values.resources(Values.Use.REQUIREMENT);
          }
        }
        case "immunities", "tolerations" -> {
          if (members.first(IMMUNITIES, word)) {
            immunities = values.names("resources");
          }
        }
        case "aversion_groups" -> {
          if (members.first(AVERSION_GROUPS, word)) {
            aversionGroups = values.names("aversion groups");
          }
        }
        default -> readTerm(word, placed);
      }
    }
    if (givenName == null) {
      members.require(NAME, "name", "the name of a workload");
    }
    members.require(QUANTITIES, "requirements", "an object of names and quantities");
  }

  private void begin() {
    members.begin();
    name = givenName;
    node = null;
    replicas = -1;
    requirements = null;
    immunities = Set.of();
    aversionGroups = Set.of();
    shared = Map.of();
    groups = Set.of();
    where = List.of();
    hard = List.of();
    soft = List.of();
    gang = null;
  }

  private void readTerm(String word, boolean placed) {
    int member =
        switch (word) {
          case "replicas" -> REPLICAS;
          case "shared" -> SHARED;
          case "groups" -> GROUPS;
          case "where" -> WHERE;
          case "rules" -> RULES;
          case "preferences" -> PREFERENCES;
          case "gang" -> GANG;
          default -> -1;
        };
    if (givenName != null && word.equals("node")) {
      if (members.first(NODE, word)) {
        node = values.ownName("the name of a node");
      }
    } else if (member < 0 || givenName != null && member == REPLICAS) {
      members.unknown(givenName != null ? OF_A_GIVEN_WORKLOAD : OF_A_WORKLOAD);
    } else if (members.first(member, word)) {
      switch (member) {
        case REPLICAS -> readReplicas(placed);
        case SHARED -> shared = values.shared();
        case GROUPS -> groups = values.names("groups");
        case WHERE -> where = conditions.conditions();
        case RULES -> hard = rules.rules(false);
        case PREFERENCES -> soft = rules.rules(true);
        default -> gang = readGang();
      }
    }
  }

  private void readReplicas(boolean placed) {
    if (placed) {
      tokens.next();
      tokens.wrong("nothing: a workload on a node is one");
      return;
    }
    replicas = values.wholeNumber(0);
    add(replicas - 1L);
  }

  private Gang readGang() {
    tokens.next();
    if (!tokens.isObject("an object with a name, and within where it stands in one domain")) {
      return null;
    }
    int before = tokens.faultCount();
    Exclusive object = new Exclusive(tokens, OF_A_GANG);
    String gangName = null;
    String level = null;
    String word;
    while ((word = tokens.nextName()) != null) {
      if (!object.takes(word)) {
        continue;
      }
      if (word.equals("within")) {
        level = values.ownName("the name of a level");
      } else {
        gangName = values.ownName("the name of a gang");
      }
    }
    if (!object.has("id")) {
      object.require("name", "the name of a gang");
    }
    gangAt = object.has("within") ? object.place("within") : tokens.trail().at(object.position());
    return before == tokens.faultCount() ? new Gang(gangName, Optional.ofNullable(level)) : null;
  }

  /** Adds what was read, once or as often as it says. */
  private void keep(List<Workload> into, boolean placed, int entry) {
    if (gang != null && !placed && !agrees()) {
      return;
    }
    Workload workload = workload();
    if (replicas < 0) {
      keep(into, workload, placed, entry);
      return;
    }
    for (int i = 1; i <= replicas && i > 0; i++) {
      String replica = name + "-" + i;
      tokens.requireLength(replica.length(), tokens.limits().nameLength());
      if (!isNew(replica)) {
        return;
      }
      keep(into, workload.named(replica), placed, entry);
    }
  }

  private void keep(List<Workload> into, Workload workload, boolean placed, int entry) {
    into.add(workload);
    if (!placed) {
      positions.workload(members.position(), entry);
    }
  }

  private boolean isNew(String taken) {
    if (names.add(taken)) {
      return true;
    }
    String found = "'" + taken + "'" + (replicas < 0 ? "" : ", the name of a replica");
    tokens.note(
        faultsBeforeName,
        tokens.trail().name(members.word(NAME)).at(namePosition),
        found + ", given before",
        "a name that no other workload has");
    return false;
  }

  private boolean agrees() {
    Gang first = gangs.putIfAbsent(gang.name(), gang);
    if (first == null || first.equals(gang)) {
      return true;
    }
    tokens.note(
        gangAt,
        gang.within().map(level -> "'" + level + "'").orElse("without within"),
        first
            .within()
            .map(level -> "within '" + level + "', as its gang's first member")
            .orElse("no within, as its gang's first member"));
    return false;
  }

  private Terms terms() {
    return shared.isEmpty()
            && groups.isEmpty()
            && where.isEmpty()
            && hard.isEmpty()
            && soft.isEmpty()
            && gang == null
        ? Terms.NONE
        : new Terms(shared, groups, where, hard, soft, Optional.ofNullable(gang));
  }
}
