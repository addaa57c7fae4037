package io.lighthouse.json.problem;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.Plural;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Place;
import io.lighthouse.json.PlacedWorkload;
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
  private static final String WORKLOAD = "an object with a name and requirements";
  private static final List<String> TERMS =
      List.of("shared", "groups", "where", "rules", "preferences", "gang");
  private static final ObjectMembers.Form FORM =
      ObjectMembers.Form.of("name", "requirements", "immunities", "aversion_groups", "replicas")
          .plus(TERMS)
          .same("name", "id")
          .same("immunities", "tolerations")
          .unlocated();
  private static final ObjectMembers.Form GIVEN =
      ObjectMembers.Form.of("requirements", "immunities", "aversion_groups")
          .plus(TERMS)
          .plus(List.of("node"))
          .same("immunities", "tolerations")
          .unlocated();
  private static final Map<String, List<String>> OF_A_GANG = new LinkedHashMap<>();

  static {
    OF_A_GANG.put("name", List.of("within"));
    OF_A_GANG.put("id", List.of("within"));
    OF_A_GANG.put("within", List.of("name", "id"));
  }

  private static final ObjectMembers.Form GANG_FORM = ObjectMembers.Form.exclusive(OF_A_GANG);

  private final Tokens tokens;
  private final Values values;
  private final ConditionParser conditions;
  private final RuleParser rules;
  private final Positions positions;
  private ObjectMembers members;

  private final Set<String> names = new HashSet<>();

  /** The gangs of the batch, by name, as their first member says. */
  private final Map<String, Gang> gangs = new HashMap<>();

  /** Those on nodes and every replica included. */
  private long count;

  /** How many stand on the nodes of a fleet outside of the text. */
  private long outside;

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
    this.members = new ObjectMembers(tokens, FORM);
  }

  /** Counts workloads that stand outside of the text. */
  void countOutside(long workloads) {
    outside = workloads;
    count += workloads;
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
        readOne(placed);
        boolean once = replicas < 0 && name != null;
        if (once && !isNew(name) || !members.isSound()) {
          continue;
        }
        keep(into, placed, entry);
      }
    }
  }

  /** Reads one workload, whose name is known, from the current token. */
  public PlacedWorkload readWanted(String wanted) {
    givenName = wanted;
    members = new ObjectMembers(tokens, GIVEN);
    if (!tokens.isObject("an object with requirements")) {
      return null;
    }
    readOne(true);
    return members.isSound() ? new PlacedWorkload(workload(), Optional.ofNullable(node)) : null;
  }

  /** Reads one workload from the object that comes. */
  public Workload readWhole() {
    tokens.next();
    if (!tokens.isObject(WORKLOAD)) {
      return null;
    }
    readOne(true);
    return members.isSound() ? workload() : null;
  }

  private Workload workload() {
    return new Workload(name, requirements, immunities, aversionGroups, values.shared(terms()));
  }

  private void add(long more) {
    int most = tokens.limits().workloads();
    count += more;
    if (count > most) {
      String found = more == 1 ? "one too many" : more + 1 + ", which makes " + count + " in all";
      String beside = outside == 0 ? "" : ", with the " + outside + " on the fleet's nodes";
      throw tokens.stop(Fault.Kind.LIMIT, found, "at most " + Plural.of(most, "workload") + beside);
    }
  }

  private void readOne(boolean placed) {
    begin();
    String word;
    while ((word = members.next()) != null) {
      readMember(word, placed);
    }
    if (givenName == null) {
      members.require("name", "the name of a workload");
    }
    members.require("requirements", "an object of names and quantities");
  }

  private void readMember(String word, boolean placed) {
    switch (word) {
      case "name", "id" -> {
        name = values.ownName("the name of a workload");
        namePosition = tokens.position();
        faultsBeforeName = tokens.faultCount();
      }
      case "requirements" -> requirements = values.resources(Values.Use.REQUIREMENT);
      case "immunities", "tolerations" -> immunities = values.names("resources");
      case "aversion_groups" -> aversionGroups = values.names("aversion groups");
      case "replicas" -> readReplicas(placed);
      case "shared" -> shared = values.shared();
      case "groups" -> groups = values.names("groups");
      case "where" -> where = conditions.conditions();
      case "rules" -> hard = rules.rules(false);
      case "preferences" -> soft = rules.rules(true);
      case "gang" -> gang = readGang();
      default -> node = values.ownName("the name of a node");
    }
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
    ObjectMembers object = new ObjectMembers(tokens, GANG_FORM);
    String gangName = null;
    String level = null;
    String word;
    while ((word = object.next()) != null) {
      if (word.equals("within")) {
        level = values.ownName("the name of a level");
      } else {
        gangName = values.ownName("the name of a gang");
      }
    }
    if (!object.has("id")) {
      object.requireIfSound("name", "the name of a gang");
    }
    gangAt = object.has("within") ? object.place("within") : tokens.trail().at(object.position());
    return object.isSound() ? new Gang(gangName, Optional.ofNullable(level)) : null;
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
      tokens.requireNameLength(replica);
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
        tokens.trail().name(members.word("name")).at(namePosition),
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
