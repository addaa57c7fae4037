package io.lighthouse.core.engine;

import static io.lighthouse.core.engine.PlantedFleet.node;
import static io.lighthouse.core.engine.PlantedFleet.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Changes of a session beside rules of the turn are reported in an order that can be repeated. */
class ReplayOrderTest {
  private static final Rule BESIDE = new Rule.Least(1, "friends", Rule.NODE);
  private static final Rule SPREAD = new Rule.Skew(1, "friends", Rule.NODE, 1);

  private final List<Change> told = new ArrayList<>();

  private static Terms terms(Set<String> groups, Rule... rules) {
    return new Terms(Map.of(), groups, List.of(), List.of(rules), List.of(), Optional.empty());
  }

  private static final Workload FRIEND =
      workload("friend", "cpu", 1).withTerms(terms(Set.of("friends")));

  private static Workload guest(String name) {
    return workload(name, "cpu", 1).withTerms(terms(Set.of(), BESIDE));
  }

  private static Distributor fleet(Consumer<Session> search) {
    return Distributors.of(new PlantedFleet.Planted(false, all -> (BatchPlacer) search::accept))
        .nodes(node("n0", "cpu", 2, "disk", 1), node("n1", "cpu", 2))
        .build();
  }

  /** The nodes by workload after the reported changes have been repeated one by one. */
  private Map<String, String> placed(Consumer<Session> search, Workload... batch) {
    Distributor fleet = fleet(search);
    Distributor again = fleet(search);
    fleet.onChange((generation, changes) -> told.addAll(changes));
    fleet.assign(List.of(batch));
    told.forEach(change -> again.apply(List.of(change)));
    assertThat(again.snapshot().nodes()).isEqualTo(fleet.snapshot().nodes());
    Map<String, String> nodes = new TreeMap<>();
    told.forEach(
        change ->
            nodes.put(((Change.Assign) change).workload().name(), ((Change.Assign) change).node()));
    return nodes;
  }

  private static void letsAGuestInAndTakesTheFriend(Session session) {
    session.assign(0, 0);
    session.assign(1, 0);
    session.release(0);
  }

  @Test
  void whoWasCompanyComesFirstThoughItWasTakenAndPutBack() {
    assertThat(
            placed(
                session -> {
                  letsAGuestInAndTakesTheFriend(session);
                  session.assign(0, 0);
                },
                FRIEND,
                guest("guest")))
        .hasToString("{friend=n0, guest=n0}");
  }

  @Test
  void whoHasLostItsCompanyComesAnew() {
    assertThat(
            placed(
                session -> {
                  letsAGuestInAndTakesTheFriend(session);
                  session.assign(0, 1);
                },
                FRIEND,
                guest("guest")))
        .hasToString("{friend=n1, guest=n1}");
  }

  @Test
  void whoseCompanyHasNoRoomForItIsRefused() {
    assertThat(
            placed(
                session -> {
                  letsAGuestInAndTakesTheFriend(session);
                  session.assign(2, 1);
                  session.assign(0, 1);
                },
                FRIEND,
                guest("guest"),
                workload("other", "cpu", 1)))
        .hasToString("{friend=n1, other=n1}");
  }

  @Test
  void spreadsAreRepeatedInAnOrderThatKeepsThem() {
    Workload[] members = new Workload[4];
    for (int i = 0; i < 4; i++) {
      members[i] = workload("m" + i, "cpu", 1).withTerms(terms(Set.of("friends"), SPREAD));
    }
    assertThat(
            placed(
                session -> {
                  for (int i = 0; i < 4; i++) {
                    session.assign(i, i % 2);
                  }
                  session.release(0);
                  session.release(2);
                  session.assign(0, 0); // Last of all stand two beside each other, as told.
                  session.assign(2, 0);
                },
                members))
        .hasToString("{m0=n0, m1=n1, m2=n0, m3=n1}");
  }

  /**
   * A friendly node is no better where others were placed because of the workload that would move
   * to it.
   */
  @Test
  void whoIsCompanyMayStayOnAnAverseNode() {
    Workload averse =
        workload("friend", "cpu", 1).withAversionGroups("loud").withTerms(terms(Set.of("friends")));
    Workload rival = workload("rival", "disk", 1).withAversionGroups("loud");
    assertThat(
            placed(
                session -> {
                  session.assign(0, 0);
                  session.assign(1, 0);
                  session.assign(2, 0);
                },
                rival,
                averse,
                guest("guest")))
        .hasToString("{friend=n0, guest=n0, rival=n0}");
  }
}
