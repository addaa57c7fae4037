package io.lighthouse.core;

import static io.lighthouse.core.SmallFleets.state;
import static io.lighthouse.core.SmallFleets.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.ResourceTable;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Level;
import io.lighthouse.core.ledger.Topology;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory may end where an inverse is added to the log, or a domain to a level. The call has then
 * changed nothing, and the same call succeeds afterwards.
 */
class FullLogTest {
  /** The inverses of a log, without room for one of them. */
  private static final class Full extends ArrayList<Runnable> {
    private static final long serialVersionUID = 1L;
    private int left;
    private boolean fired;

    Full(int left) {
      this.left = left;
    }

    @Override
    public boolean add(Runnable inverse) {
      if (left-- == 0) {
        fired = true;
        throw new OutOfMemoryError("planted");
      }
      return super.add(inverse);
    }
  }

  private static Full fill(LedgerDistributor fleet, int left) throws ReflectiveOperationException {
    Full full = new Full(left);
    set(fleet.operations.ledger.log, "inverses", full);
    return full;
  }

  static Stream<Arguments> calls() {
    Stream<Arguments> changes =
        ExhaustedStackTest.changes().stream()
            .map(change -> call(change.toString(), fleet -> fleet.apply(change)));
    List<Workload> batch =
        List.of(
            workload("b", "cpu", 2).withAversionGroups("g"),
            workload("c", "cpu", 1).withAversionGroups("g"),
            workload("large", "cpu", 99).withAversionGroups("h"));
    return Stream.concat(
        changes,
        Stream.of(
            call("assign", fleet -> fleet.assign(batch)),
            call("tryOut", fleet -> fleet.tryOut(List.of(), tried -> tried.assign(batch))),
            call("releaseAll", Distributor::releaseAll),
            call(
                "apply",
                fleet ->
                    fleet.apply(
                        new Change.Cordon("n0"),
                        new Change.Assign(batch.get(0), "n1"),
                        new Change.Release("a"),
                        new Change.RemoveNode("n0")))));
  }

  private static Arguments call(String name, Consumer<Distributor> call) {
    return arguments(name, call);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void aCallThatFindsNoRoomForAnInverseChangesNothing(String name, Consumer<Distributor> call)
      throws ReflectiveOperationException {
    List<Object> before = state(ExhaustedStackTest.domains());
    LedgerDistributor whole = ExhaustedStackTest.domains();
    call.accept(whole);
    List<Object> after = state(whole);
    boolean fired = true;
    int inverses = -1;
    for (int at = 0; fired; at++) {
      inverses++;
      LedgerDistributor fleet = ExhaustedStackTest.domains();
      Full full = fill(fleet, at);
      Throwable thrown = catchThrowable(() -> call.accept(fleet));
      fired = full.fired;
      assertThat(thrown != null).as("inverse %s", at).isEqualTo(fired);
      assertThat(state(fleet)).as("inverse %s", at).isEqualTo(fired ? before : after);
      if (fired) {
        call.accept(fleet);
        assertThat(state(fleet)).as("after inverse %s", at).isEqualTo(after);
      }
      assertThat(fleet.operations.audit()).as("inverse %s", at).isEmpty();
    }
    assertThat(inverses > 0).as("it has an inverse").isEqualTo(!name.startsWith("move "));
  }

  /** A log of this size cannot grow: the array would be longer than any can be. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void placementsThatFindNoRoomInTheLogAreNotCharged(int count)
      throws ReflectiveOperationException {
    Ledger ledger = new Ledger();
    ledger.nodeChanges().add(List.of(Node.of("n0", Resources.of("cpu", 9))));
    List<Workload> alike = new ArrayList<>();
    Resources required = Resources.of("cpu", 2);
    for (int i = 0; i < count; i++) {
      alike.add(Workload.of("w" + i, required));
    }
    Batch batch = Batch.open(ledger, alike);
    Object before = get(ledger.log, "size");
    set(ledger.log, "size", Integer.MAX_VALUE - 4 * count);
    assertThatThrownBy(() -> batch.placeRun(0, count, 0, batch.demand(0)))
        .isInstanceOf(OutOfMemoryError.class);
    set(ledger.log, "size", before);
    Audit audit = new Audit();
    ledger.audit(audit);
    assertThat(audit.findings()).isEmpty();
    assertThat(batch.placeRun(0, count, 0, batch.demand(0))).isEqualTo(count);
  }

  /** A domain whose name equals that of another by its hash code. */
  private static final Change DOMAIN =
      new Change.AddNode(Node.of("n9", Resources.of("cpu", 2)).in("rack", "BB"));

  /** Its name is looked up, and then added; memory ends where it is added. */
  @Test
  void aDomainThatFindsNoRoomForItsNameIsNotThere() throws ReflectiveOperationException {
    LedgerDistributor halted = ExhaustedStackTest.domains();
    halted.addNode(Node.of("n8", Resources.of("cpu", 2)).in("rack", "Aa"));
    NodeTable racks = racks(halted).domains();
    AtomicInteger left = new AtomicInteger(2);
    IntFunction<String> full =
        domain -> {
          if (left.decrementAndGet() == 0) {
            throw new OutOfMemoryError("planted");
          }
          return racks.nodeName(domain);
        };
    set(get(racks, "byName"), "names", full);
    assertIsAddedAfterwards(halted);
  }

  @Test
  void aDomainThatFindsNoRoomForItsAccountsIsNotThere() throws ReflectiveOperationException {
    LedgerDistributor halted = ExhaustedStackTest.domains();
    ResourceTable resources = racks(halted).resources();
    Map<Object, Object> full = new HashMap<>((Map<?, ?>) get(resources, "layouts"));
    set(
        resources,
        "layouts",
        new HashMap<>(full) {
          private static final long serialVersionUID = 1L;
          private boolean fired;

          @Override
          public Object computeIfAbsent(Object wanted, Function<? super Object, ?> made) {
            if (!fired) {
              fired = true;
              throw new OutOfMemoryError("planted");
            }
            return super.computeIfAbsent(wanted, made);
          }
        });
    assertIsAddedAfterwards(halted);
  }

  private static void assertIsAddedAfterwards(LedgerDistributor halted) {
    assertThatThrownBy(() -> halted.apply(DOMAIN)).isInstanceOf(OutOfMemoryError.class);
    halted.apply(DOMAIN);
    assertThat(halted.node("n9").domains()).containsEntry("rack", "BB");
    assertThat(halted.operations.audit()).isEmpty();
  }

  private static Level racks(LedgerDistributor fleet) {
    Topology topology = fleet.operations.ledger.topology();
    return topology.level(topology.levelIndex("rack"));
  }

  private static Object get(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  private static void set(Object of, String name, Object value)
      throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    field.set(of, value);
  }
}
