package io.lighthouse.fleets;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.fleets.FleetException.Kind;
import java.util.List;
import java.util.Set;

/** The commands about declared domains and groups. Each is for one call. */
public final class DomainCommands {

  private DomainCommands() {}

  /**
   * One declared domain.
   *
   * @param level its level
   * @param name its name
   * @return answers {@code level}, {@code id}, {@code capacity}, {@code left}, {@code units} where
   *     it has some, and {@code cordoned}
   */
  public static Command domain(String level, String name) {
    return new FleetCommands.Question(fleet -> reply(Outcome.DONE, declared(fleet, level, name)));
  }

  /**
   * Declares or changes a domain, with this capacity, open or cordoned.
   *
   * @param wanted the domain, its capacity as its resources
   * @return answers the domain: {@link Outcome#CREATED} where it was not declared, else {@link
   *     Outcome#DONE}
   */
  public static Command put(Domain wanted) {
    return new FleetCommands.Plain(
        "domain-put",
        fleet -> {
          Distributor distributor = fleet.distributor();
          String level = wanted.level();
          String name = wanted.name();
          DomainState there = find(distributor, level, name);
          if (there == null) {
            NodeCommands.change(distributor, List.of(new Change.Declare(wanted)));
            return reply(Outcome.CREATED, distributor.domain(level, name));
          }
          if (!there.units().equals(wanted.units())) {
            throw new FleetException(
                Kind.STANDS_OTHERWISE,
                "domain '"
                    + name
                    + "' of level '"
                    + level
                    + "' has other units, which stay as long as it is declared; remove it and put"
                    + " it anew");
          }
          NodeCommands.change(
              distributor,
              List.of(
                  new Change.ResizeDomain(level, name, wanted.resources()),
                  new Change.CordonDomain(level, name, wanted.cordoned())));
          return reply(Outcome.DONE, distributor.domain(level, name));
        });
  }

  /**
   * Cordons or opens a declared domain, and changes nothing else of it.
   *
   * @param level its level
   * @param name its name
   * @param cordoned whether it is to be cordoned
   * @return answers the domain
   */
  public static Command cordon(String level, String name, boolean cordoned) {
    return new FleetCommands.Plain(
        cordoned ? "domain-cordoned" : "domain-opened",
        fleet -> {
          declared(fleet, level, name);
          Distributor distributor = fleet.distributor();
          NodeCommands.change(distributor, List.of(new Change.CordonDomain(level, name, cordoned)));
          return reply(Outcome.DONE, distributor.domain(level, name));
        });
  }

  /**
   * Removes the declaration of a domain that no workload shares. Nodes still name the domain.
   *
   * @param level its level
   * @param name its name
   * @return answers {@link Outcome#EMPTY}
   */
  public static Command remove(String level, String name) {
    return new FleetCommands.Plain(
        "domain-removed",
        fleet -> {
          declared(fleet, level, name);
          try {
            NodeCommands.change(fleet.distributor(), List.of(new Change.Undeclare(level, name)));
          } catch (InvalidInputException shared) {
            throw new FleetException(Kind.IN_USE, shared.getMessage());
          }
          return Command.Reply.EMPTY;
        });
  }

  /**
   * Makes a placed workload a member of these groups. It stays on its node.
   *
   * @param workload its name
   * @param groups the groups
   * @return answers {@code workload} and {@code groups}
   */
  public static Command regroup(String workload, Set<String> groups) {
    return new FleetCommands.Plain(
        "regrouped",
        fleet -> {
          String node = FleetQuestions.nodeOf(fleet, workload);
          Change.Regroup change = new Change.Regroup(workload, groups);
          if (!FleetQuestions.placed(fleet, node, workload).terms().groups().equals(groups)) {
            NodeCommands.change(fleet.distributor(), List.of(change));
          }
          return new Command.Reply(
              Outcome.DONE,
              json ->
                  json.member("workload", workload).names("groups", List.copyOf(change.groups())));
        });
  }

  /** A declared domain of the fleet. */
  private static DomainState declared(Command.View fleet, String level, String name) {
    DomainState there = find(fleet.distributor(), level, name);
    if (there == null) {
      throw new FleetException(
          Kind.NO_SUCH_DOMAIN,
          "the fleet has declared no domain '"
              + InvalidInputException.shortened(name)
              + "' of level '"
              + InvalidInputException.shortened(level)
              + "'");
    }
    return there;
  }

  private static DomainState find(Distributor distributor, String level, String name) {
    try {
      return distributor.domain(level, name);
    } catch (InvalidInputException unknown) {
      return null;
    }
  }

  private static Command.Reply reply(Outcome outcome, DomainState domain) {
    return new Command.Reply(
        outcome,
        json -> {
          json.member("level", domain.level()).member("id", domain.name());
          json.member("capacity", domain.capacity()).member("left", domain.left());
          json.units(domain.units()).member("cordoned", domain.cordoned());
        });
  }
}
