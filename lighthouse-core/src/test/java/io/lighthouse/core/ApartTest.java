package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Node;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rule {@link Rule.Apart}, case by case. */
class ApartTest {
  private static final Rule APART = new Rule.Apart("db", "zone");

  /** Nodes a1 and a2 in zone a, b1 in zone b, and x in no zone. */
  private static Distributor fleet(Workload... onA1) {
    Resources room = Resources.of("cpu", 9);
    return Distributors.of("first", (workload, nodes) -> nodes.first())
        .nodes(
            List.of(
                Node.of("a1", room).withWorkloads(onA1).in("zone", "a"),
                Node.of("a2", room).in("zone", "a"),
                Node.of("b1", room).in("zone", "b"),
                Node.of("x", room)))
        .build();
  }

  private static Workload plain(String name, String... groups) {
    return Workload.of(name, Resources.of("cpu", 1)).withTerms(Terms.NONE.inGroups(groups));
  }

  private static Workload apart(String name, String... groups) {
    Workload plain = plain(name, groups);
    return plain.withTerms(plain.terms().rules(APART));
  }

  private static List<Reason> reasons(Distributor fleet, Workload workload, String node) {
    Explanation explanation = fleet.explain(workload);
    return explanation.nodes().stream()
        .filter(verdict -> verdict.node().equals(node))
        .findFirst()
        .orElseThrow()
        .reasons();
  }

  @Test
  void avoidsDomainsThatHoldAMember() {
    Distributor fleet = fleet(plain("old", "db"));

    assertThat(fleet.assign(apart("web"))).hasToString("{web: b1}");
    assertThat(reasons(fleet, apart("more"), "a2"))
        .containsExactly(new Reason.Crowded("db", "zone", "a", 1, 0, 1, 0, Optional.empty()));
  }

  @Test
  void keepsLaterMembersAway() {
    Distributor fleet = fleet(apart("web"));

    assertThat(fleet.assign(plain("db-1", "db"), plain("db-2", "db"), plain("other")))
        .hasToString("{db-1: b1, db-2: b1, other: a1}");
    assertThat(reasons(fleet, plain("db-3", "db"), "a2"))
        .containsExactly(new Reason.Crowded("db", "zone", "a", 0, 0, 1, -1, Optional.of("web")));
  }

  @Test
  void doesNotCountTheWorkloadItself() {
    Distributor fleet = fleet();

    assertThat(fleet.assign(apart("db-1", "db"), apart("db-2", "db")))
        .hasToString("{db-1: a1, db-2: b1}");
    assertThat(fleet.assign(plain("db-3", "db"), plain("db-4", "db")))
        .hasToString("{db-3: x, db-4: x}");
    assertThat(reasons(fleet, apart("db-5", "db"), "a1"))
        .containsExactly(new Reason.Crowded("db", "zone", "a", 1, 1, 1, 0, Optional.empty()));
  }

  @Test
  void aMemberIsKeptAwayByAnotherHolderThatIsNone() {
    Distributor fleet = fleet(apart("web"));

    assertThat(reasons(fleet, apart("db-1", "db"), "a1"))
        .containsExactly(new Reason.Crowded("db", "zone", "a", 0, 0, 1, -1, Optional.of("web")));
  }

  @Test
  void followsTheGroupsOfItsHolder() {
    Distributor fleet = fleet(apart("web"));

    fleet.apply(new Change.Regroup("web", Set.of("db")));
    assertThat(reasons(fleet, plain("db-1", "db"), "a2"))
        .containsExactly(new Reason.Crowded("db", "zone", "a", 1, 1, 1, -1, Optional.of("web")));
    fleet.apply(new Change.Regroup("web", Set.of()));
    assertThat(reasons(fleet, plain("db-1", "db"), "a2"))
        .containsExactly(new Reason.Crowded("db", "zone", "a", 0, 0, 1, -1, Optional.of("web")));
    fleet.release(List.of("web"));
    assertThat(fleet.assign(plain("db-1", "db"))).hasToString("{db-1: a1}");
  }

  @Test
  void aPreferenceBindsNobodyElse() {
    Distributor fleet = fleet(plain("old", "db"));
    Workload web = plain("web").withTerms(Terms.NONE.preferring(APART));

    assertThat(fleet.assign(web)).hasToString("{web: b1}");
    assertThat(fleet.assign(plain("db-2", "db"))).hasToString("{db-2: a1}");
    assertThat(fleet.assign(plain("db-3", "db"))).hasToString("{db-3: a1}");
  }

  @Test
  void atNodeLevelItExcludesHolders() {
    Distributor fleet = fleet(plain("old", "db"));
    Rule byNode = new Rule.Apart("db", Rule.NODE);

    assertThat(fleet.assign(plain("web").withTerms(Terms.NONE.rules(byNode))))
        .hasToString("{web: a2}");
    assertThat(fleet.assign(plain("db-2", "db"), plain("db-3", "db")))
        .hasToString("{db-2: a1, db-3: a1}");
  }
}
