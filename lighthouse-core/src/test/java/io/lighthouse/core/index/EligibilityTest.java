package io.lighthouse.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.constraint.Cordons;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.demand.BatchOfOne;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.LedgerListener;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which rows a demand is given, and which nodes they admit together. */
class EligibilityTest {
  private final Ledger ledger = new Ledger();
  private final List<BitRow> rows = new ArrayList<>();
  private Demand demand;
  private Eligibility eligibility;
  private OpenNodes open;
  private Cordons cordons;

  private static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  private static Workload workload(String name, Object... requirements) {
    return Workload.of(name, Resources.of(requirements));
  }

  private void fleet(List<Node> nodes) {
    ledger.nodeChanges().add(nodes);
    eligibility = new Eligibility(ledger);
    open = new OpenNodes(ledger);
    cordons = new Cordons(ledger, open);
    ledger.listenToPlacements(
        (node, demand, sign) -> {
          for (int i = 0; i < demand.size(); i++) {
            long after =
                ledger.accounts().left(node, ledger.accounts().layout(node).slot(demand.id(i)));
            if ((after + sign * demand.need(i) ^ after) < 0) {
              eligibility.signChanged(node, demand.id(i), after < 0);
            }
          }
        });
    ledger.listen(
        new LedgerListener() {
          @Override
          public void cordonChanged(int node) {
            open.cordonChanged(node);
          }

          @Override
          public void nodeAdded(int node) {
            open.nodeAdded(node);
            eligibility.nodeAdded(node);
          }

          @Override
          public void nodeRemoving(int node) {
            open.nodeRemoving(node);
            eligibility.nodeRemoving(node);
          }

          @Override
          public void reshaped() {
            throw new AssertionError("no test here reshapes");
          }
        });
  }

  /** The first 64 nodes that are admitted, by the rows and one by one; no levels have a row. */
  private long admitted(Workload workload) {
    RowScan scan = rows(workload);
    long bits = 0;
    int slots = ledger.nodes().slotCount();
    for (int node = 0; node < Math.min(64, slots); node++) {
      bits |= admits(node) && cordons.mayAdmit(node) ? 1L << node : 0;
    }
    long all = slots >= 64 ? -1L : (1L << slots) - 1;
    assertThat(scan.word(0, scan.count()) & all).isEqualTo(bits);
    return bits;
  }

  private boolean admits(int node) {
    return rows.stream().allMatch(row -> row.has(node));
  }

  private RowScan rows(Workload workload) {
    demand = BatchOfOne.demand(ledger, workload);
    Levels none = new Levels(ledger, new NeedSample(ledger));
    rows.clear();
    eligibility.choose(demand, none, rows);
    RowScan scan = new RowScan();
    if (cordons.prepare(demand)) {
      cordons.addRows(scan);
    }
    rows.forEach(scan::add);
    return scan;
  }

  private void place(Workload workload, int node) {
    BatchOfOne.place(ledger, workload, node);
  }

  private void release(String name) {
    ledger.release(new int[] {ledger.placements().entryOf(name)});
  }

  @Test
  void whoHasAllNamesIsAdmittedWhateverTheSet() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      nodes.add(Node.of("n" + i, tags(i)));
    }
    fleet(nodes);
    for (int set = 0; set < 64; set++) {
      long expected = 0;
      for (int node = 0; node < 64; node++) {
        expected |= (node & set) == set ? 1L << node : 0;
      }
      assertThat(admitted(Workload.of("w", tags(set)))).isEqualTo(expected);
    }
  }

  private static Map<String, Object> tags(int set) {
    Map<String, Object> tags = new LinkedHashMap<>();
    for (int bit = 0; bit < 6; bit++) {
      if ((set >> bit & 1) == 1) {
        tags.put("tag-" + bit, 0);
      }
    }
    return tags;
  }

  @Test
  void rowsFollowSignsAndCordons() {
    fleet(
        List.of(
            node("a", "cpu", 2),
            node("b", "cpu", 2, "debt", -1),
            node("c", "cpu", 2, "ward", "-inf")));
    Workload plain = workload("w", "cpu", 1);
    assertThat(admitted(plain)).isEqualTo(0b001);
    assertThat(admitted(plain.withImmunities("ward"))).isEqualTo(0b101);
    assertThat(admitted(plain.withImmunities("ward", "debt", "x"))).isEqualTo(0b111);
    place(workload("repays", "debt", -1), 1);
    assertThat(admitted(plain)).isEqualTo(0b011);
    place(workload("drives-below", "cpu", 3).withImmunities("cpu"), 0);
    assertThat(admitted(workload("v"))).as("not the first").isEqualTo(0b010);
    assertThat(admitted(workload("v").withImmunities("cpu"))).isEqualTo(0b011);
    release("repays");
    release("drives-below");
    assertThat(admitted(plain)).isEqualTo(0b001);
    ledger.nodeChanges().cordon(0, true);
    assertThat(admitted(plain.withImmunities("ward"))).isEqualTo(0b100);
    ledger.nodeChanges().cordon(0, false);
    assertThat(admitted(plain.withImmunities("ward"))).isEqualTo(0b101);
  }

  @Test
  void whoRequiresWhatIsNegativeIsNotKeptAwayByIt() {
    fleet(List.of(node("a", "cpu", 2, "debt", -5), node("b", "cpu", 2, "debt", 5)));
    assertThat(admitted(workload("w", "cpu", 1))).isEqualTo(0b10);
    assertThat(admitted(workload("w", "debt", -7))).as("what is left decides").isEqualTo(0b11);
  }

  @Test
  void rowsAreOnlyThereWhereTheyNarrowSomething() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      nodes.add(node("n" + i, "cpu", 2));
    }
    fleet(nodes);
    Workload plain = workload("w", "cpu", 1);
    assertThat(rows(plain).count()).as("all are eligible").isZero();
    ledger.nodeChanges().cordon(69, true);
    assertThat(rows(plain).count()).isEqualTo(1);
    assertThat(rows(plain).word(0, 1)).isEqualTo(-1L);
    assertThat(rows(plain).word(1, 1)).isEqualTo(0b011111);
    ledger.nodeChanges().cordon(69, true);
    ledger.nodeChanges().cordon(3, true);
    ledger.nodeChanges().cordon(69, false);
    assertThat(rows(plain).word(0, 1)).isEqualTo(~0b1000L);
    assertThat(rows(plain).word(1, 1)).isEqualTo(0b111111);
    ledger.nodeChanges().cordon(3, false);
    assertThat(rows(plain).count()).as("all are eligible again").isZero();
  }

  @Test
  void whatTheLevelsHaveARowForNeedsNoneHere() {
    fleet(List.of(node("a", "cpu", 2), node("b", "mem", 2)));
    Batch batch = Batch.open(ledger, List.of(workload("w", "cpu", 1)));
    NeedSample sample = new NeedSample(ledger);
    sample.take(batch);
    Levels levels = new Levels(ledger, sample);
    demand = batch.demand(0);
    batch.close();
    rows.clear();
    eligibility.choose(demand, levels, rows);
    assertThat(admits(1)).as("the row of the level says so").isTrue();
    assertThat(rows(workload("w", "cpu", 1)).count()).as("no level, so a row").isEqualTo(1);
    assertThat(admits(1)).isFalse();
  }

  @Test
  void rareNamesShareOneRowOfWhichWhoBearsOneGetsACopy() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      nodes.add(
          i == 7 ? node("n7", "cpu", 2, "ward-7", "-inf", "debt-7", -1) : node("n" + i, "cpu", 2));
    }
    fleet(nodes);
    Workload plain = workload("w", "cpu", 1);
    assertThat(admitted(plain)).isEqualTo(~(1L << 7));
    assertThat(admitted(plain.withImmunities("ward-7"))).as("the debt").isEqualTo(~(1L << 7));
    assertThat(admitted(workload("w", "ward-7", 0))).as("the debt").isEqualTo(~(1L << 7));
    assertThat(admitted(plain.withImmunities("ward-7", "debt-7"))).isEqualTo(-1L);
    assertThat(admitted(workload("w", "debt-7", -1).withImmunities("ward-7"))).isEqualTo(-1L);
    place(workload("repays", "debt-7", -1), 7);
    assertThat(admitted(plain)).as("still the ward").isEqualTo(~(1L << 7));
    assertThat(admitted(plain.withImmunities("ward-7"))).as("a new copy").isEqualTo(-1L);
    release("repays");
    assertThat(admitted(plain)).isEqualTo(~(1L << 7));
    assertThat(admitted(plain.withImmunities("ward-7"))).isEqualTo(~(1L << 7));
  }

  @Test
  void copiesForManySetsOfNamesAreToldApart() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      nodes.add(i < 40 ? node("n" + i, "ward-" + i, "-inf") : node("n" + i));
    }
    fleet(nodes);
    long others = -1L << 40;
    assertThat(admitted(workload("w"))).isEqualTo(others);
    for (int round = 0; round < 2; round++) {
      for (int a = 0; a < 40; a++) {
        int b = a * 7 % 40;
        assertThat(admitted(workload("w").withImmunities("ward-" + a, "ward-" + b, "nobody-has")))
            .isEqualTo(others | 1L << a | 1L << b);
      }
    }
  }

  @Test
  void eachCommonNameThatIsNegativeSomewhereTakesARow() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      String[] wards = {"ward-" + i % 10, "ward-" + i % 12};
      nodes.add(
          i == 63
              ? node("n63", "cpu", 1)
              : wards[0].equals(wards[1])
                  ? node("n" + i, "cpu", 1, wards[0], -1)
                  : node("n" + i, "cpu", 1, wards[0], -1, wards[1], -1));
    }
    fleet(nodes);
    Workload plain = workload("w", "cpu", 1);
    assertThat(admitted(plain)).isEqualTo(1L << 63);
    assertThat(rows(plain).count()).isEqualTo(12);
    for (int ward = 0; ward < 12; ward++) {
      long expected = 1L << 63;
      for (int i = 0; i < 63; i++) {
        boolean borne = i % 10 == ward && i % 12 == ward;
        boolean first = i % 10 == 3 && (i % 12 == ward || i % 12 == 3);
        boolean second = i % 12 == 3 && (i % 10 == ward || i % 10 == 3);
        expected |= borne || first || second ? 1L << i : 0;
      }
      String name = "ward-" + ward;
      assertThat(admitted(plain.withImmunities(name, "ward-3"))).as(name).isEqualTo(expected);
      assertThat(admitted(workload("w", "cpu", 1, name, -1).withImmunities("ward-3")) & expected)
          .as("who repays one bears it; but only where it is there")
          .isEqualTo(expected & having(name));
    }
    place(workload("repays", "ward-0", -1), 0);
    assertThat(admitted(plain)).isEqualTo(1L << 63 | 1);
    release("repays");
    assertThat(admitted(plain)).isEqualTo(1L << 63);
  }

  private long having(String name) {
    long having = 0;
    for (int node = 0; node < 64; node++) {
      having |= ledger.accounts().lefts(node).has(name) ? 1L << node : 0;
    }
    return having;
  }

  @Test
  void theRowOfSoundNodesIsLeftOutOnceNothingIsNegative() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      nodes.add(i == 7 ? node("n7", "cpu", 2, "debt-7", -1) : node("n" + i, "cpu", 2));
    }
    fleet(nodes);
    Workload plain = workload("w", "cpu", 1);
    assertThat(admitted(plain)).isEqualTo(~(1L << 7));
    place(workload("repays", "debt-7", -1), 7);
    assertThat(admitted(plain)).isEqualTo(-1L);
    assertThat(rows(plain).count()).isZero();
    release("repays");
    assertThat(admitted(plain)).isEqualTo(~(1L << 7));
  }

  @Test
  void aZeroBesideANegativeIsEnough() {
    fleet(
        List.of(
            node("a", "cpu", 1, "mem", 0, "debt", -1), node("b", "cpu", 1, "mem", -1, "debt", -1)));
    Workload borne = workload("w", "cpu", 1).withImmunities("debt");
    assertThat(admitted(borne)).isEqualTo(0b01);
    place(workload("repays", "mem", -1), 1);
    assertThat(admitted(borne)).isEqualTo(0b11);
  }

  @Test
  void anyNumberOfNamesAndOfDebtsIsTold() {
    Map<String, Object> tags = new LinkedHashMap<>();
    Map<String, Object> debts = new LinkedHashMap<>();
    for (int i = 0; i < 20; i++) {
      tags.put("tag-" + (10 + i), 0);
      debts.put("debt-" + (10 + i), -1);
    }
    Map<String, Object> both = new LinkedHashMap<>(tags);
    both.putAll(debts);
    fleet(List.of(Node.of("tagged", tags), Node.of("indebted", debts), Node.of("both", both)));
    Workload wants = Workload.of("w", tags);
    assertThat(admitted(workload("w"))).isEqualTo(0b001);
    assertThat(admitted(wants)).isEqualTo(0b001);
    List<String> immunities = new ArrayList<>(debts.keySet());
    assertThat(admitted(immune(wants, immunities))).isEqualTo(0b101);
    assertThat(admitted(immune(workload("w"), immunities))).isEqualTo(0b111);
    for (String name : debts.keySet()) {
      immunities.remove(name);
      assertThat(admitted(immune(wants, immunities))).as("not " + name).isEqualTo(0b001);
      immunities.add(name);
    }
  }

  private void add(Node node) {
    ledger.nodeChanges().add(List.of(node));
    audit();
  }

  private void remove(int node) {
    ledger.nodeChanges().remove(node);
    audit();
  }

  private void audit() {
    Audit audit = new Audit();
    eligibility.audit(audit);
    assertThat(audit.findings()).isEmpty();
  }

  /** A name of the first nodes is common; one that comes later is rare until the next index. */
  @Test
  void rowsFollowNodesThatComeWithNegativeAmountsAndGo() {
    fleet(
        List.of(
            node("a", "cpu", 2), node("b", "cpu", 2, "debt", -1), node("c", "cpu", 2, "lent", 1)));
    Workload plain = workload("w", "cpu", 1);
    assertThat(admitted(plain)).isEqualTo(0b101);
    add(node("d", "cpu", 2, "debt", -1, "lent", -1, "ward", "-inf"));
    assertThat(admitted(plain)).isEqualTo(0b0101);
    assertThat(admitted(plain.withImmunities("debt", "lent"))).isEqualTo(0b0111);
    assertThat(admitted(plain.withImmunities("debt", "ward"))).isEqualTo(0b0111);
    assertThat(admitted(plain.withImmunities("debt", "lent", "ward"))).isEqualTo(0b1111);
    for (int i = 4; i < 60; i++) {
      add(node("n" + i, "cpu", 2, "ward", "-inf"));
    }
    long wards = (1L << 60) - (1L << 4);
    assertThat(admitted(plain)).isEqualTo(0b0101);
    assertThat(admitted(plain.withImmunities("ward"))).isEqualTo(wards | 0b0101);
    for (int i = 3; i < 60; i++) {
      remove(i);
    }
    remove(1);
    assertThat(admitted(plain.withImmunities("ward", "debt"))).isEqualTo(0b101);
    assertThat(rows(plain).count()).as("one of open nodes, for the dead slots").isEqualTo(1);
  }

  private void fleetOfHundred() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      nodes.add(node("n" + i, "cpu", 2));
    }
    fleet(nodes);
  }

  @Test
  void rareNamesAreOutdatedOnceOneIsOnManyNodes() {
    fleetOfHundred();
    for (int i = 0; i < 16; i++) {
      add(node("warded-" + i, "cpu", 2, "ward", "-inf"));
    }
    assertThat(eligibility.rareNames().isOutdated()).isFalse();
    add(node("warded", "cpu", 2, "ward", "-inf"));
    assertThat(eligibility.rareNames().isOutdated()).isTrue();
    assertThat(new RareNames(ledger).isOutdated()).isFalse();
  }

  @Test
  void rareNamesAreOutdatedOnceThereAreMoreThanTwiceAsManyNodes() {
    fleetOfHundred();
    for (int i = 0; i < 100; i++) {
      add(node("more-" + i, "cpu", 2));
    }
    assertThat(eligibility.rareNames().isOutdated()).isFalse();
    add(node("one-more", "cpu", 2));
    assertThat(eligibility.rareNames().isOutdated()).isTrue();
    assertThat(new RareNames(ledger).isOutdated()).isFalse();
  }

  @Test
  void anIdThatIsFreeAgainHasNothingOfItsFormerName() {
    fleet(List.of(node("a", "cpu", 2), node("b", "cpu", 2, "debt", -1)));
    Workload plain = workload("w", "cpu", 1);
    assertThat(admitted(plain)).isEqualTo(0b01);
    int id = ledger.resources().resourceId("debt");
    remove(1);
    ledger.resources().dropUnused();
    add(node("c", "cpu", 2, "fresh", -2));
    assertThat(ledger.resources().resourceId("fresh")).isEqualTo(id);
    assertThat(admitted(plain)).isEqualTo(0b001);
    assertThat(admitted(plain.withImmunities("debt"))).isEqualTo(0b001);
    assertThat(admitted(plain.withImmunities("fresh"))).isEqualTo(0b101);
    place(workload("repays", "fresh", -2), 2);
    audit();
    assertThat(admitted(plain)).isEqualTo(0b101);
    release("repays");
    ledger.nodeChanges().resize(2, Resources.of("cpu", 2, "fresh", 1));
    audit();
    assertThat(admitted(plain)).isEqualTo(0b101);
  }

  private static Workload immune(Workload workload, List<String> names) {
    return workload.withImmunities(names.toArray(String[]::new));
  }

  @Test
  void aDebtThatHasBeenPaidTakesNoRow() {
    fleet(List.of(node("a", "cpu", 2, "debt", -1), node("b", "cpu", 2)));
    Workload plain = workload("w", "cpu", 1);
    assertThat(rows(plain).count()).isEqualTo(1);
    place(workload("repays", "debt", -1), 0);
    assertThat(rows(plain).count()).isZero();
    release("repays");
    assertThat(rows(plain).count()).isEqualTo(1);
    assertThat(rows(workload("w", "debt", -1)).count()).as("but one for the name").isEqualTo(1);
    assertThat(rows(plain.withImmunities("debt")).count()).isZero();
  }
}
