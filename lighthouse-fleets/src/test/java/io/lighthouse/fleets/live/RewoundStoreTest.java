package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.PostgresJournal;
import io.lighthouse.fleets.store.Sql;
import io.lighthouse.fleets.store.StoreException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Several services on a database that has lost what they had answered. */
class RewoundStoreTest extends SharedStore {
  @Test
  void aStoreThatLostWhatItHadSaidIsNoticed() throws StoreException {
    Fleets one = replica();
    // As when a standby is promoted that was one entry behind: its row and log are sound.
    createAndKeepRows(one);
    FleetLog log = one.log("f");
    lose(3);
    assertThat(ask(one, "f", FleetCall.of(FleetQuestions.summary()))).endsWith("\"generation\":2}");
    assertThat(log.rewinds()).isEqualTo(1);
    assertThat(ask(one, "f", assign("c"))).contains("\"c\":\"n2\"", "\"generation\":3");
    judge(3);
  }

  @Test
  void aStoreThatLostWhatItHadSaidIsNoticedAlsoWhereAWriteComesFirst() throws StoreException {
    Fleets one = replica();
    createAndKeepRows(one);
    FleetLog log = one.log("f");
    lose(3);
    // Another goes on from what is there, past the generation that the first one knows.
    Fleets other = replica();
    ask(other, "f", assign("c"));
    ask(other, "f", assign("d"));
    assertThat(ask(one, "f", assign("e"))).contains("\"generation\":5");
    assertThat(log.rewinds()).isEqualTo(1);
    assertThat(other.log("f").rewinds()).isZero();
    judge(5);
  }

  @Test
  void aFleetThatTheStoreLostIsGoneAndAnotherOfItsNumberIsNotTakenForIt() throws StoreException {
    Fleets one = replica();
    one.create("a", problem(), "", false).join();
    ask(one, "a", assign("w"));
    loseAll();
    assertThat(kind(one, "a", assign("x"))).isEqualTo(Kind.NO_SUCH_FLEET);
    one.create("a", problem(), "", false).join();
    loseAll();
    Fleets other = replica();
    other.create("b", problem(), "", false).join();
    assertThat(kind(one, "a", assign("y"))).isEqualTo(Kind.NO_SUCH_FLEET);
    assertThat(ask(one, "b", assign("z"))).contains("\"generation\":2");
    assertThat(whole(other, "b")).contains("\"z\"").doesNotContain("\"y\"");
    judge(2);
  }

  @Test
  void aFleetIsCreatedAgainInAStoreThatLostAll() throws StoreException {
    Fleets one = replica();
    one.create("a", problem(), "", false).join();
    loseAll();
    assertThat(one.create("a", problem(), "", false).join().outcome()).isEqualTo(Outcome.CREATED);
    loseAll();
    one.create("b", problem(), "", false).join();
    assertThat(ask(one, "b", assign("w"))).contains("\"generation\":2");
    assertThat(replica().list()).containsExactly(new Fleets.Listed("b", 2, 2, 1));
    judge(2);
  }

  @Test
  void aStoreThatLosesAllWhileAFleetIsCreatedHasNoGap() throws StoreException {
    AtomicBoolean loses = new AtomicBoolean();
    Fleets one =
        replica(
            step -> {
              if (step.startsWith("before INSERT") && loses.getAndSet(false)) {
                loseAll();
              }
            },
            1 << 20);
    one.create("a", problem(), "", false).join();
    loses.set(true);
    assertThat(one.create("b", problem(), "", false).join().outcome()).isEqualTo(Outcome.CREATED);
    assertThat(loses).isFalse();
    assertThat(replica().list()).extracting(Fleets.Listed::name).containsExactly("b");
    judge(1);
  }

  /** The snapshot of a turn is stored later, when the store has gone back behind that turn. */
  @Test
  void aSnapshotOfALostPastIsNotStored() throws StoreException {
    Deque<Runnable> works = new ArrayDeque<>();
    try (Fleets one = Engine.fleets(PostgresJournal.open(url), works::add, 1)) {
      create(one, works);
      CompletableFuture<Answer> lost = goingBack(() -> one.submit("f", assign("lost")), works);
      assertThat(lost.join().generation()).isEqualTo(2);
      works.remove().run();
      assertThat(Sql.number(url, "SELECT count(*) FROM snapshot")).isZero();
      goOn();
      judge(3);
    }
  }

  /** As an earlier version has left it. */
  @Test
  void aSnapshotOfALostPastThatIsThereIsNotUsed() throws StoreException {
    Deque<Runnable> works = new ArrayDeque<>();
    Fleets one = replica(step -> {}, 1);
    one.create("f", problem(), "", false).join();
    goingBack(() -> one.submit("f", assign("lost")), works);
    assertThat(Sql.number(url, "SELECT generation FROM snapshot")).isEqualTo(2);
    goOn();
    try (PostgresJournal journal = PostgresJournal.openToRead(url)) {
      assertThat(new Verification(journal, Engine::of).verify().get(0).faults())
          .containsExactly(
              "the snapshot at generation 2 is of another entry than the log has there; it is not"
                  + " used");
    }
  }

  @Test
  void aFleetThatWasDamagedIsUsedAgainWhenABackupWasRestored() throws StoreException {
    Fleets one = replica();
    createAndKeepRows(one);
    Sql.execute(url, "UPDATE entry SET at = at + 1 WHERE generation = 3");
    Fleets other = replica();
    assertThat(kind(other, "f", assign("c"))).isEqualTo(Kind.DAMAGED);
    assertThat(kind(other, "f", assign("c"))).isEqualTo(Kind.DAMAGED);
    lose(3);
    assertThat(ask(other, "f", assign("c"))).contains("\"generation\":3");
    judge(3);
  }

  /** A call makes generation 2, and the store loses its entry, but not its snapshot. */
  private CompletableFuture<Answer> goingBack(
      Supplier<CompletableFuture<Answer>> call, Deque<Runnable> works) {
    keepRows();
    CompletableFuture<Answer> answer = call.get();
    if (!works.isEmpty()) {
      works.remove().run();
    }
    lose(2);
    return answer;
  }

  /** Others make generations 2 and 3, and a new service takes the fleet. */
  private void goOn() throws StoreException {
    Fleets other = replica();
    ask(other, "f", assign("a"));
    ask(other, "f", assign("b"));
    assertThat(whole(replica(), "f")).contains("\"a\"", "\"b\"").doesNotContain("lost");
  }

  /** A fleet at generation 3, whose row at generation 2 is kept. */
  private void createAndKeepRows(Fleets one) {
    one.create("f", problem(), "", false).join();
    ask(one, "f", assign("a"));
    keepRows();
    ask(one, "f", assign("b"));
  }

  private void keepRows() {
    Sql.execute(url, "CREATE TABLE row_before AS SELECT * FROM fleet");
  }

  /** The store loses the entries of a generation, and has the rows again that were kept. */
  private void lose(int generation) {
    Sql.execute(url, "DELETE FROM entry WHERE generation = " + generation);
    Sql.execute(
        url,
        "UPDATE fleet SET generation = b.generation, hash = b.hash, digest = b.digest"
            + " FROM row_before AS b WHERE fleet.id = b.id");
  }

  /** As when a backup from before the first fleet is restored. */
  private void loseAll() {
    Sql.execute(url, "DELETE FROM entry");
    Sql.execute(url, "DELETE FROM fleet");
  }
}
