package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.advice.Remedies.Kind;
import io.lighthouse.api.advice.Remedies.Prospect;
import io.lighthouse.api.advice.Remedies.Remedy;
import io.lighthouse.api.advice.Shortage;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.RandomGenerator;

/** Each remedy works when it is carried out; those said to be exact have none cheaper. */
class RemediesProperties {
  private static final int REFUSALS = 2000;

  /** A workload that finds no node on a fleet. */
  private record Case(Distributor fleet, Workload workload, Set<String> spared) {}

  private interface Check {
    void check(Case one, Random random);
  }

  private static void each(int count, Arbitrary<Scenario> scenarios, Random random, Check check) {
    RandomGenerator<Scenario> fleets = scenarios.generator(1000);
    RandomGenerator<Workload> workloads = Scenarios.workloads().generator(1000);
    int refused = 0;
    while (refused < count) {
      Distributor fleet = Fleets.played(fleets.next(random).value(), "prioritized");
      for (int i = 0; i < 6 && refused < count; i++) {
        Workload workload = workloads.next(random).value().named("newcomer");
        if (fleet.fitting(workload).isEmpty()) {
          Set<String> spared = new HashSet<>();
          for (NodeState node : fleet.snapshot().nodes()) {
            node.workloads().stream()
                .filter(one -> random.nextInt(4) == 0)
                .forEach(one -> spared.add(one.name()));
          }
          check.check(new Case(fleet, workload, spared), random);
          refused++;
        }
      }
    }
  }

  @Example
  void everyRemedyOfTwoThousandRefusalsWorks() {
    Map<Kind, Integer> seen = new EnumMap<>(Kind.class);
    each(
        REFUSALS,
        Scenarios.of(6, 8, 8),
        new Random(41),
        (one, random) -> {
          Snapshot before = one.fleet.snapshot();
          Remedies remedies = one.fleet.advisor().remedies(one.workload, one.spared);
          assertThat(one.fleet.snapshot().nodes()).isEqualTo(before.nodes());
          assertThat(one.fleet.generation()).isEqualTo(before.generation());
          assertThat(broken(one, remedies)).as("%s of %s", remedies, one).isEmpty();
          remedies.remedies().forEach(remedy -> seen.merge(remedy.kind(), 1, Integer::sum));
        });
    assertThat(seen).containsOnlyKeys(Kind.values());
  }

  /** What is wrong with remedies when they are carried out; empty where nothing is. */
  private static String broken(Case one, Remedies remedies) {
    Kind last = null;
    for (Remedy remedy : remedies.remedies()) {
      if (last != null && last.compareTo(remedy.kind()) >= 0) {
        return "the order of kinds";
      }
      last = remedy.kind();
      Distributor changed = one.fleet.copy();
      try {
        changed.apply(remedy.changes());
        changed.apply(new Change.Assign(remedy.workload(), remedy.node()));
      } catch (InvalidInputException doesNotGo) {
        return remedy.kind() + " does not work: " + doesNotGo.getMessage();
      }
      for (String name : one.spared) {
        if (!changed.snapshot().nodeOf(name).equals(one.fleet.snapshot().nodeOf(name))) {
          return remedy.kind() + " touches " + name;
        }
      }
      boolean otherWorkload = remedy.kind() == Kind.CUT || remedy.kind() == Kind.TOLERATE;
      if (remedy.kind() != Kind.COMBINED
          && otherWorkload == remedy.workload().equals(one.workload)) {
        return remedy.kind() + " asks for " + remedy.workload();
      }
    }
    Distributor empty = one.fleet.copy();
    empty.releaseAll();
    boolean never =
        empty.fitting(one.workload).isEmpty() && (last == null || last.compareTo(Kind.MOVE) < 0);
    return remedies.prospect() == (never ? Prospect.NEVER : Prospect.NOT_NOW) ? "" : "prospect";
  }

  @Example
  void noneIsCheaperThanOneThatIsExactOnTinyFleets() {
    Map<Kind, Integer> seen = new EnumMap<>(Kind.class);
    each(
        500,
        Scenarios.tiny(),
        new Random(42),
        (one, random) -> {
          Remedies remedies = one.fleet.advisor().remedies(one.workload, one.spared);
          assertThat(beaten(one, remedies)).as("%s of %s", remedies, one).isEmpty();
          remedies.remedies().stream()
              .filter(Remedy::exact)
              .forEach(remedy -> seen.merge(remedy.kind(), 1, Integer::sum));
        });
    assertThat(seen)
        .containsKeys(Kind.UNCORDON, Kind.TOLERATE, Kind.TAG, Kind.CUT, Kind.GROW, Kind.RELEASE);
  }

  /** Which exact remedy is beaten, or missing though there is one; empty where none is. */
  private static String beaten(Case one, Remedies remedies) {
    Map<Kind, Remedy> said =
        remedies.remedies().stream().collect(Collectors.toMap(Remedy::kind, remedy -> remedy));
    Map<Kind, Quantity> least = new EnumMap<>(Kind.class);
    least.put(Kind.UNCORDON, fewestOpened(one));
    least.put(Kind.TOLERATE, fewestTolerated(one));
    least.put(Kind.CUT, leastCut(one));
    least.put(Kind.GROW, fewestGrown(one));
    least.put(Kind.RELEASE, fewestReleased(one));
    for (Map.Entry<Kind, Quantity> entry : least.entrySet()) {
      Remedy remedy = said.get(entry.getKey());
      if (remedy == null && entry.getValue() != null) {
        return "no " + entry.getKey() + ", though one costs " + entry.getValue();
      }
      if (remedy != null && remedy.exact() && !remedy.cost().equals(entry.getValue())) {
        return remedy + " costs more than " + entry.getValue();
      }
    }
    return "";
  }

  private static List<String> fits(Case one, Workload as, Change... changes) {
    Distributor changed = one.fleet.copy();
    changed.apply(changes);
    return changed.fitting(as);
  }

  private static Quantity fewestOpened(Case one) {
    for (NodeState node : one.fleet.snapshot().nodes()) {
      if (node.cordoned() && !fits(one, one.workload, new Change.Uncordon(node.name())).isEmpty()) {
        return Quantity.of(1);
      }
    }
    return null;
  }

  /** Sets of resource names, the small ones first. */
  private static List<Set<String>> sets(Set<String> names) {
    List<Set<String>> sets = new ArrayList<>(List.of(Set.of()));
    for (String name : names) {
      for (Set<String> set : List.copyOf(sets)) {
        Set<String> more = new LinkedHashSet<>(set);
        more.add(name);
        sets.add(more);
      }
    }
    sets.sort((a, b) -> Integer.compare(a.size(), b.size()));
    return sets.subList(1, sets.size());
  }

  /** Of those that are below 0 on a node; to be immune to what is only short is no toleration. */
  private static Quantity fewestTolerated(Case one) {
    Integer best = null;
    for (NodeState node : one.fleet.snapshot().nodes()) {
      Set<String> negative =
          node.left().names().stream()
              .filter(name -> node.left().get(name).orElseThrow().signum() < 0)
              .collect(Collectors.toSet());
      for (Set<String> set : sets(negative)) {
        Set<String> immune = new HashSet<>(one.workload.immunities());
        immune.addAll(set);
        Workload tolerant = one.workload.withImmunities(immune.toArray(new String[0]));
        if (one.fleet.fitting(tolerant).contains(node.name())) {
          best = best == null ? set.size() : Math.min(best, set.size());
          break;
        }
      }
    }
    return best == null ? null : Quantity.of(best);
  }

  /** Every cut down to what some node has left, of every set of requirements. */
  private static Quantity leastCut(Case one) {
    Resources needs = one.workload.requirements();
    BigDecimal best = null;
    for (NodeState node : one.fleet.snapshot().nodes()) {
      for (Set<String> set : sets(new HashSet<>(needs.names()))) {
        Map<String, Quantity> cut = new TreeMap<>();
        BigDecimal part = BigDecimal.ZERO;
        boolean sound = true;
        for (String name : needs.names()) {
          Quantity need = needs.get(name).orElseThrow();
          Quantity left = node.left().get(name).orElse(need);
          boolean cutting = set.contains(name);
          sound &= !cutting || left.signum() >= 0 && left.compareTo(need) < 0;
          cut.put(name, cutting ? left : need);
          if (cutting && sound) {
            BigDecimal all = need.toBigDecimal();
            part = part.max(all.subtract(left.toBigDecimal()).divide(all, 9, RoundingMode.CEILING));
          }
        }
        if (sound && (best == null || part.compareTo(best) < 0)) {
          Workload less =
              new Workload(
                  one.workload.name(),
                  Resources.of(cut),
                  one.workload.immunities(),
                  one.workload.aversionGroups());
          if (one.fleet.fitting(less).contains(node.name())) {
            best = part;
          }
        }
      }
    }
    return best == null ? null : Quantity.of(best);
  }

  /** With a million more of each resource of a set; a required resource may be missing. */
  private static Quantity fewestGrown(Case one) {
    Integer best = null;
    for (NodeState node : one.fleet.snapshot().nodes()) {
      Set<String> names = new HashSet<>(one.workload.requirements().names());
      names.addAll(node.capacity().names());
      names.removeIf(
          name ->
              node.capacity().get(name).filter(Quantity::isInfinite).isPresent()
                  || isTag(one.workload, node, name));
      for (Set<String> set : sets(names)) {
        Map<String, Quantity> grown = new TreeMap<>();
        node.capacity().names().forEach(n -> grown.put(n, node.capacity().get(n).orElseThrow()));
        set.forEach(name -> grown.merge(name, Quantity.of(1_000_000), Quantity::plus));
        Change change = new Change.Resize(node.name(), Resources.of(grown));
        if (fits(one, one.workload, change).contains(node.name())) {
          best = best == null ? set.size() : Math.min(best, set.size());
          break;
        }
      }
    }
    return best == null ? null : Quantity.of(best);
  }

  /** A missing resource of which 0 is required, as a ledger rounds it, is given as a tag. */
  private static boolean isTag(Workload workload, NodeState node, String name) {
    return !node.capacity().has(name)
        && workload
            .requirements()
            .get(name)
            .filter(need -> need.toBigDecimal().setScale(9, RoundingMode.CEILING).signum() == 0)
            .isPresent();
  }

  private static Quantity fewestReleased(Case one) {
    Set<String> free = new LinkedHashSet<>();
    for (NodeState node : one.fleet.snapshot().nodes()) {
      node.workloads().forEach(held -> free.add(held.name()));
    }
    free.removeAll(one.spared);
    for (Set<String> set : sets(free)) {
      Change[] released = set.stream().map(Change.Release::new).toArray(Change[]::new);
      if (!fits(one, one.workload, released).isEmpty()) {
        return Quantity.of(set.size());
      }
    }
    return null;
  }

  /** When a shortage is remedied, its workloads have nodes, and the added quantities match. */
  @Example
  void everyShortagePlacesItsGroupWithWhatItSays() {
    Random random = new Random(44);
    RandomGenerator<Scenario> fleets = Scenarios.of(6, 8, 8).generator(1000);
    RandomGenerator<Workload> workloads = Scenarios.workloads().generator(1000);
    int groups = 0;
    for (int i = 0; i < 400; i++) {
      Distributor fleet = Fleets.played(fleets.next(random).value(), "prioritized");
      List<Workload> batch = new ArrayList<>();
      for (int n = 0; n < 6; n++) {
        batch.add(workloads.next(random).value().named("newcomer-" + n));
      }
      Set<String> refused = new HashSet<>(fleet.assign(batch).refused());
      batch.removeIf(one -> !refused.contains(one.name()));
      Snapshot before = fleet.snapshot();
      List<Shortage> shortages = fleet.advisor().shortages(batch);
      assertThat(fleet.snapshot().nodes()).isEqualTo(before.nodes());
      Set<String> seen = new HashSet<>();
      for (Shortage shortage : shortages) {
        Distributor grown = fleet.copy();
        grown.apply(shortage.changes());
        for (String name : shortage.workloads()) {
          assertThat(grown.snapshot().nodeOf(name)).as("%s", shortage).isPresent();
          assertThat(seen.add(name)).isTrue();
        }
        for (String name : shortage.more().names()) {
          BigDecimal came = sum(grown, name).subtract(sum(fleet, name));
          assertThat(shortage.more().get(name)).contains(Quantity.of(came));
        }
        assertThat(shortage.resources()).as("%s", shortage).isNotEmpty();
        groups += shortage.workloads().size() > 1 ? 1 : 0;
      }
    }
    assertThat(groups).isGreaterThan(20);
  }

  private static BigDecimal sum(Distributor fleet, String resource) {
    return fleet.snapshot().nodes().stream()
        .map(node -> node.capacity().get(resource).orElse(Quantity.ZERO))
        .filter(capacity -> !capacity.isInfinite())
        .map(Quantity::toBigDecimal)
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** Wrong in one way each. */
  private enum Planted {
    RELEASES_ONE_MORE(
        one -> one.kind() == Kind.RELEASE ? with(one, one.cost().plus(Quantity.of(1))) : one),
    CUTS_TOO_MUCH(
        one -> one.kind() == Kind.CUT ? with(one, one.cost().plus(Quantity.of("0.1"))) : one),
    GROWS_NOTHING(
        one ->
            one.kind() == Kind.GROW
                ? new Remedy(
                    one.kind(), one.node(), one.workload(), List.of(), one.cost(), one.exact())
                : one),
    KEEPS_THE_WORKLOAD(
        one ->
            one.kind() == Kind.TOLERATE
                ? new Remedy(
                    one.kind(),
                    one.node(),
                    one.workload().withImmunities(),
                    one.changes(),
                    one.cost(),
                    one.exact())
                : one),
    SAYS_NOTHING_OF_CORDONS(one -> one.kind() == Kind.UNCORDON ? null : one);

    private final Function<Remedy, Remedy> wrong;

    Planted(Function<Remedy, Remedy> wrong) {
      this.wrong = wrong;
    }

    private static Remedy with(Remedy one, Quantity cost) {
      return new Remedy(one.kind(), one.node(), one.workload(), one.changes(), cost, one.exact());
    }
  }

  @Example
  void catchesEveryPlantedFault() {
    Set<Planted> caught = new LinkedHashSet<>();
    each(
        300,
        Scenarios.tiny(),
        new Random(43),
        (one, random) -> {
          Remedies right = one.fleet.advisor().remedies(one.workload, one.spared);
          for (Planted planted : Planted.values()) {
            List<Remedy> wrong = new ArrayList<>();
            right.remedies().stream()
                .map(planted.wrong)
                .filter(remedy -> remedy != null)
                .forEach(wrong::add);
            Remedies said = new Remedies(right.workload(), right.prospect(), wrong, right.waits());
            if (!broken(one, said).isEmpty() || !beaten(one, said).isEmpty()) {
              caught.add(planted);
            }
          }
        });
    assertThat(caught).containsExactlyInAnyOrder(Planted.values());
  }
}
