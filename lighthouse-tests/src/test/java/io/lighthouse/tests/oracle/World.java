package io.lighthouse.tests.oracle;

import io.lighthouse.api.Domain;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The state of a fleet: nodes, declared domains, the rules at the top, the position. */
final class World {
  /** What an undeclared domain has. */
  private static final Account NOTHING = new Account(Resources.none(), Map.of(), false);

  final List<Spot> spots = new ArrayList<>();

  /** By level, then by name. */
  final Map<String, Map<String, Account>> declared = new TreeMap<>(Names.order());

  private final List<Rule> rules;

  /** What is got wrong here on purpose. */
  final Slip slip;

  /** The node that took the last placed workload; null before the first. */
  Spot last;

  World(Slip slip, List<Rule> rules, List<Domain> domains, List<Node> nodes) {
    this.slip = slip;
    this.rules = slip == Slip.FORGETS_THE_RULES_AT_THE_TOP ? List.of() : List.copyOf(rules);
    domains.forEach(this::declare);
    for (Node node : nodes) {
      Spot spot = add(node);
      // At the start what is given of a domain is what is left with all of them there.
      for (Workload workload : spot.placed) {
        workload
            .terms()
            .shared()
            .forEach((level, shared) -> account(level, spot.at(level)).include(shared));
      }
    }
  }

  World(World other) {
    slip = other.slip;
    rules = other.rules;
    for (Spot spot : other.spots) {
      Spot copy = new Spot(spot);
      spots.add(copy);
      if (spot == other.last) {
        last = copy;
      }
    }
    other.declared.forEach(
        (level, accounts) ->
            accounts.forEach((name, account) -> accounts(level).put(name, new Account(account))));
  }

  private Map<String, Account> accounts(String level) {
    return declared.computeIfAbsent(level, any -> new TreeMap<>(Names.order()));
  }

  static boolean isMember(Workload workload, String group) {
    return workload.terms().groups().contains(group) || workload.aversionGroups().contains(group);
  }

  /** The account of a domain; that of nothing where it is not declared. */
  Account account(String level, String domain) {
    return declared.getOrDefault(level, Map.of()).getOrDefault(domain, NOTHING);
  }

  Account declared(String level, String domain) {
    Account account = account(level, domain);
    require(account != NOTHING, "domain", domain);
    return account;
  }

  /** The hard rules of a workload, those at the top behind its own. */
  List<Rule> rulesOf(Workload workload) {
    List<Rule> all = new ArrayList<>(workload.terms().rules());
    for (Rule rule : rules) {
      if (isFor(rule, workload)) {
        all.add(rule);
      }
    }
    return all;
  }

  private static boolean isFor(Rule rule, Workload workload) {
    if (rule instanceof Rule.Most most) {
      return isMember(workload, most.group());
    }
    if (rule instanceof Rule.Least least) {
      return isMember(workload, least.group());
    }
    return !(rule instanceof Rule.Skew skew) || isMember(workload, skew.group());
  }

  int members(String group, String level, String domain) {
    int members = 0;
    for (Spot spot : spots) {
      if (spot.isIn(level, domain)) {
        for (Workload workload : spot.placed) {
          boolean counts =
              slip == Slip.COUNTS_NO_AVERSION_GROUPS
                  ? workload.terms().groups().contains(group)
                  : isMember(workload, group);
          members += counts ? 1 : 0;
        }
      }
    }
    return members;
  }

  void place(Workload workload, Spot spot) {
    spot.placed.add(workload);
    spot.account.take(workload.requirements());
    share(workload, spot, Account::take);
    last = spot;
  }

  void release(Workload workload, Spot spot) {
    spot.placed.remove(workload);
    spot.account.give(workload.requirements());
    if (slip != Slip.FORGETS_WHAT_IS_SHARED_ON_RELEASE) {
      share(workload, spot, Account::give);
    }
  }

  private void share(
      Workload workload, Spot spot, java.util.function.BiConsumer<Account, Resources> how) {
    workload
        .terms()
        .shared()
        .forEach((level, shared) -> how.accept(account(level, spot.at(level)), shared));
  }

  // What follows changes the fleet. It checks first, and then changes.

  private Spot add(Node node) {
    require(spots.stream().noneMatch(spot -> spot.name.equals(node.name())), "node", node.name());
    Set<String> names = new HashSet<>();
    spots.forEach(spot -> spot.placed.forEach(workload -> names.add(workload.name())));
    Spot spot = new Spot(node);
    for (Workload workload : spot.placed) {
      require(names.add(workload.name()), "workload", workload.name());
      workload
          .terms()
          .shared()
          .forEach(
              (level, shared) ->
                  require(
                      spot.at(level) != null && account(level, spot.at(level)).hasAll(shared),
                      "shared",
                      workload.name()));
    }
    spots.add(spot);
    return spot;
  }

  void addNode(Node node) {
    Spot spot = add(node);
    spot.placed.forEach(workload -> share(workload, spot, Account::take));
  }

  void removeNode(String name) {
    Spot spot = spot(name);
    require(spot.placed.isEmpty(), "node", name);
    int index = spots.indexOf(spot);
    if (spot == last) {
      last = index == 0 ? null : spots.get(index - 1);
    }
    spots.remove(spot);
  }

  void resize(String name, Resources to) {
    Spot spot = spot(name);
    List<Resources> taken = spot.placed.stream().map(Workload::requirements).toList();
    requireAll(to, taken);
    spot.account.resize(to, taken);
  }

  void declare(Domain domain) {
    require(account(domain.level(), domain.name()) == NOTHING, "domain", domain.name());
    accounts(domain.level())
        .put(domain.name(), new Account(domain.resources(), domain.units(), domain.cordoned()));
  }

  void undeclare(String level, String domain) {
    declared(level, domain);
    require(taken(level, domain).isEmpty(), "domain", domain);
    declared.get(level).remove(domain);
  }

  void resize(String level, String domain, Resources to) {
    Account account = declared(level, domain);
    requireAll(to, taken(level, domain));
    account.resize(to, taken(level, domain));
  }

  void regroup(String workload, Set<String> groups) {
    Spot spot = nodeOf(workload);
    require(spot != null, "workload", workload);
    if (slip == Slip.REGROUPS_NOBODY) {
      return;
    }
    spot.placed.replaceAll(
        placed ->
            placed.name().equals(workload)
                ? placed.withTerms(placed.terms().inGroups(groups))
                : placed);
  }

  /** What those in a domain share of it. */
  private List<Resources> taken(String level, String domain) {
    List<Resources> taken = new ArrayList<>();
    for (Spot spot : spots) {
      if (spot.isIn(level, domain)) {
        for (Workload workload : spot.placed) {
          Resources shared = workload.terms().shared().get(level);
          if (shared != null) {
            taken.add(shared);
          }
        }
      }
    }
    return taken;
  }

  private static void requireAll(Resources to, List<Resources> taken) {
    taken.forEach(some -> require(to.names().containsAll(some.names()), "capacity", to.toString()));
  }

  Spot spot(String name) {
    for (Spot spot : spots) {
      if (spot.name.equals(name)) {
        return spot;
      }
    }
    throw wrong("node", name);
  }

  /** The node of a placed workload; null where it is not placed. */
  Spot nodeOf(String workload) {
    for (Spot spot : spots) {
      if (spot.placed.stream().anyMatch(placed -> placed.name().equals(workload))) {
        return spot;
      }
    }
    return null;
  }

  Workload placed(String workload) {
    Spot spot = nodeOf(workload);
    require(spot != null, "workload", workload);
    return spot.placed.stream()
        .filter(one -> one.name().equals(workload))
        .findFirst()
        .orElseThrow();
  }

  Map<String, Resources> left() {
    Map<String, Resources> left = new HashMap<>();
    spots.forEach(spot -> left.put(spot.name, spot.account.leftNow()));
    return left;
  }

  static void require(boolean good, String what, String name) {
    if (!good) {
      throw wrong(what, name);
    }
  }

  private static InvalidInputException wrong(String what, String name) {
    return new InvalidInputException(what, "name", "'" + name + "'", "another");
  }
}
