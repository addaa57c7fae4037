package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.LogPlace;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.LogEvent;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.Retention;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Limits;
import io.lighthouse.json.PlacedWorkload;
import io.lighthouse.json.Problem;
import io.lighthouse.json.read.FleetReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetsTest {
  private final Steps steps = new Steps();
  private final List<Integer> groups = new ArrayList<>();
  private final MemoryJournal store =
      new MemoryJournal() {
        @Override
        public synchronized void append(Head before, List<Entry> entries, Head after)
            throws StoreException {
          groups.add(entries.size());
          super.append(before, entries, after);
        }
      };

  static Problem problem() {
    return Engine.problem(
        "{'strategy':'prioritized','nodes':[{'name':'n1','resources':{'cpu':4}},"
            + "{'name':'n2','resources':{'cpu':4}}],'workloads':[]}");
  }

  private Fleets open(FleetLimits limits, long snapshotAfter) throws StoreException {
    return new Fleets(
        store, Engine::of, limits, FleetObserver.NONE, Clock.systemUTC(), steps, snapshotAfter);
  }

  private Fleets open() throws StoreException {
    Fleets fleets = open(FleetLimits.STANDARD, 1 << 20);
    if (fleets.list().isEmpty()) {
      fleets.create("f", problem(), "", false).join();
    }
    return fleets;
  }

  static Command assign(String name, int cpu) {
    return FleetCommands.assign(List.of(Workload.of(name, Resources.of("cpu", cpu))));
  }

  static String text(CompletableFuture<Answer> answer) {
    return new String(answer.join().body(), StandardCharsets.UTF_8);
  }

  static Kind kind(CompletableFuture<Answer> answer) {
    try {
      answer.join();
      throw new AssertionError("it was answered");
    } catch (CompletionException refused) {
      return ((FleetException) refused.getCause()).kind();
    }
  }

  /** They would be beyond the limits of a fleet, or ignored where the node is there. */
  @Test
  void aNodeIsPutWithoutWorkloads() {
    Resources one = Resources.of("cpu", 1);
    Node node = new Node("n", one, List.of(Workload.of("w", one)), false);
    assertThatThrownBy(() -> NodeCommands.put(node))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "node 'n': workloads is 1 workload; allowed: none; put them when the node is there");
  }

  /** A fleet may have more nodes than the limit since the service was started with a lower one. */
  @Test
  void aRefusedNodeIsReportedWithTheLimit() throws StoreException {
    open();
    FleetLimits lower =
        new FleetLimits(
            1, 1, 1, 1, 1, 1, Duration.ofDays(1), Duration.ofDays(1), 1, Duration.ofDays(1));
    Fleets fleets = open(lower, 1 << 20);
    CompletableFuture<Answer> put =
        fleets.submit("f", FleetCall.of(NodeCommands.put(Node.of("n3", Resources.none()))));
    steps.go();
    assertThatThrownBy(put::join).hasMessageEndingWith("the fleet's limit of 1 node is reached");
  }

  @Test
  void whatWaitsIsOneGroupAndAnsweredTogether() throws StoreException {
    Fleets fleets = open();
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      answers.add(fleets.submit("f", FleetCall.of(assign("w" + i, 1))));
    }
    CompletableFuture<Answer> asked = fleets.submit("f", FleetCall.of(FleetQuestions.summary()));
    assertThat(answers).noneMatch(CompletableFuture::isDone);
    assertThat(fleets.waiting()).isEqualTo(6);
    steps.go();
    assertThat(groups).containsExactly(1, 5);
    assertThat(fleets.waiting()).isZero();
    assertThat(text(answers.get(4)))
        .isEqualTo("{\"successful\":true,\"assignments\":{\"w4\":\"n2\"},\"generation\":6}");
    assertThat(text(asked)).contains("\"workloads\":5").endsWith("\"generation\":6}");
  }

  @Test
  void theNextTurnGoesOnWhileTheAnswersOfOneAreGiven() throws StoreException {
    Fleets fleets = open();
    List<Runnable> answering = new ArrayList<>();
    fleets.threads().answerBy(answering::add);
    CompletableFuture<Answer> first = fleets.submit("f", FleetCall.of(assign("a", 1)));
    steps.go();
    CompletableFuture<Answer> second = fleets.submit("f", FleetCall.of(assign("b", 1)));
    steps.go();
    assertThat(groups).containsExactly(1, 1, 1);
    assertThat(first).isNotDone();
    assertThat(second).isNotDone();
    answering.forEach(Runnable::run);
    assertThat(text(first)).endsWith("\"generation\":2}");
    assertThat(text(second)).endsWith("\"generation\":3}");
  }

  @Test
  void theTurnAnswersItselfWhereNobodyElseDoes() throws StoreException {
    Fleets fleets = open();
    for (Throwable none : List.of(new RejectedExecutionException(), new OutOfMemoryError())) {
      fleets
          .threads()
          .answerBy(
              work -> {
                if (none instanceof Error error) {
                  throw error;
                }
                throw (RuntimeException) none;
              });
      CompletableFuture<Answer> answer = fleets.submit("f", FleetCall.of(assign("" + none, 1)));
      steps.go();
      assertThat(text(answer)).contains("\"successful\":true");
    }
  }

  @Test
  void whateverCouldBeWrittenIsReadAgain() throws StoreException {
    String longest = "w".repeat(20_000);
    for (long snapshotAfter : new long[] {1 << 20, 1}) {
      Fleets fleets = open(FleetLimits.STANDARD, snapshotAfter);
      String fleet = "f" + snapshotAfter;
      fleets.create(fleet, problem(), "", false).join();
      fleets.submit(
          fleet, FleetCall.of(NodeCommands.put(Node.of("n" + longest, Resources.none()))));
      fleets.submit(fleet, FleetCall.of(assign(longest, 1)));
      steps.go();
      CompletableFuture<Answer> found =
          open(FleetLimits.STANDARD, 1 << 20)
              .submit(fleet, FleetCall.of(FleetQuestions.workload(longest)));
      steps.go();
      assertThat(text(found)).contains("\"node\":\"n1\"");
    }
  }

  /** Conditions on where a workload may be, as deep as {@code levels} allow. */
  private static String where(int levels) {
    int lists = (levels - 3) / 3;
    return "'where':["
        + "{'any':[[".repeat(lists)
        + "{'level':'zone','absent':true}"
        + "]]}".repeat(lists)
        + "]";
  }

  private static InputStream json(String text) {
    return new ByteArrayInputStream(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The deepest bodies of calls, with the longest numbers, and one level more, which is refused.
   */
  @ParameterizedTest
  @ValueSource(ints = {64, 1000})
  void whateverTheLimitsOfAServiceLetInIsReadAgain(int depth) throws Exception {
    FleetReader reader = new FleetReader(Limits.STANDARD.withDepth(depth));
    String number = "5." + "1".repeat(1000);
    String fleet =
        "{'strategy':'bin-pack','rubric':{'cpu':1},'nodes':[{'name':'n','resources':{'cpu':"
            + number
            + "},'workloads':[{'name':'a','requirements':{},%s}]}]}";
    String batch = "{'workloads':[{'name':'b','requirements':{'cpu':1e-1000},%s}]}";
    String workload = "{'requirements':{},%s}";
    assertThatThrownBy(() -> reader.workload(json(workload.formatted(where(depth + 2))), "c"))
        .hasMessageContaining("at most " + depth + " levels");
    for (long snapshotAfter : new long[] {1 << 20, 1}) {
      String name = "f" + snapshotAfter;
      Fleets fleets = open(FleetLimits.STANDARD, snapshotAfter);
      Problem created = reader.fleet(json(fleet.formatted(where(depth - 4)))).problem();
      fleets.create(name, created, "", false).join();
      fleets.submit(
          name,
          FleetCall.of(
              FleetCommands.assign(
                  reader.batch(json(batch.formatted(where(depth - 2)))).problem().workloads())));
      fleets.submit(
          name,
          FleetCall.of(
              FleetCommands.put(reader.workload(json(workload.formatted(where(depth))), "c"))));
      steps.go();
      CompletableFuture<Answer> found =
          open(FleetLimits.STANDARD, 1 << 20)
              .submit(name, FleetCall.of(FleetQuestions.workload("c")));
      steps.go();
      assertThat(text(found)).contains("\"node\":\"n\"").endsWith("\"generation\":3}");
    }
    assertThat(store.snapshots(2)).isNotEmpty();
  }

  /** A fleet that was made in Java may be deeper than any text: it is refused, not lost. */
  @Test
  void whatIsTooDeepToBeReadAgainIsNotWritten() throws StoreException {
    Fleets fleets = open();
    Condition deep = new Condition.Nowhere("zone");
    for (int i = 0; i < 400; i++) {
      deep = new Condition.Any(List.of(List.of(deep)));
    }
    Workload workload = Workload.of("deep", Resources.none()).withTerms(Terms.NONE.where(deep));
    CompletableFuture<Answer> refused =
        fleets.submit("f", FleetCall.of(FleetCommands.assign(List.of(workload))));
    steps.go();
    assertThatThrownBy(refused::join);
    assertThat(store.head(1).orElseThrow().generation()).isEqualTo(1);
  }

  @Test
  void aGroupIsNoLargerThanATurn() throws StoreException {
    Fleets fleets = open(FleetLimits.STANDARD.withTurns(2, 3, Duration.ofSeconds(1)), 1 << 20);
    fleets.create("f", problem(), "", false).join();
    for (int i = 0; i < 3; i++) {
      fleets.submit("f", FleetCall.of(assign("w" + i, 1)));
    }
    assertThatThrownBy(() -> fleets.submit("f", FleetCall.of(assign("w3", 1))))
        .isInstanceOfSatisfying(
            FleetException.class, full -> assertThat(full.kind()).isEqualTo(Kind.OVERLOAD));
    steps.go();
    assertThat(groups).containsExactly(1, 2, 1);
  }

  @Test
  void nobodyIsAnsweredBeforeTheCommitNotEvenWhoOnlyAsks() throws StoreException {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    List<Boolean> answeredBefore = new ArrayList<>();
    MemoryJournal watched =
        new MemoryJournal() {
          @Override
          public synchronized void append(Head before, List<Entry> entries, Head after)
              throws StoreException {
            answers.forEach(answer -> answeredBefore.add(answer.isDone()));
            super.append(before, entries, after);
          }
        };
    Fleets fleets = Engine.fleets(watched, steps, 1 << 20);
    fleets.create("f", problem(), "", false).join();
    answers.add(fleets.submit("f", FleetCall.of(FleetQuestions.node("n1"))));
    answers.add(fleets.submit("f", FleetCall.of(assign("w", 1))));
    answers.add(fleets.submit("f", FleetCall.of(FleetQuestions.workload("w"))));
    steps.go();
    assertThat(answeredBefore).containsExactly(false, false, false);
    assertThat(text(answers.get(2))).contains("\"node\":\"n1\"");
  }

  @Test
  void oneKeyIsOneEffectAlsoWithinAGroup() throws StoreException {
    Fleets fleets = open();
    FleetCall call = FleetCall.of(assign("w", 1)).withKey("k", new byte[] {1});
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      answers.add(fleets.submit("f", call));
    }
    CompletableFuture<Answer> other =
        fleets.submit("f", FleetCall.of(assign("v", 1)).withKey("k", new byte[] {2}));
    steps.go();
    assertThat(groups).containsExactly(1, 1);
    assertThat(answers).extracting(FleetsTest::text).containsOnly(text(answers.get(0)));
    assertThat(answers).filteredOn(answer -> !answer.join().replayed()).hasSize(1);
    assertThat(kind(other)).isEqualTo(Kind.KEY_REUSED);
  }

  @Test
  void whatIsWrongOrDoesNotFitChangesNothing() throws StoreException {
    Fleets fleets = open();
    CompletableFuture<Answer> twice =
        fleets.submit(
            "f",
            FleetCall.of(
                FleetCommands.assign(
                    List.of(
                        Workload.of("a", Resources.of("cpu", 1)),
                        Workload.of("a", Resources.of("cpu", 1))))));
    CompletableFuture<Answer> large =
        fleets.submit(
            "f",
            FleetCall.of(
                FleetCommands.put(
                    new PlacedWorkload(
                        Workload.of("b", Resources.of("cpu", 9)), Optional.of("n1")))));
    steps.go();
    assertThatThrownBy(twice::join).hasCauseInstanceOf(InvalidInputException.class);
    assertThat(kind(large)).isEqualTo(Kind.NO_ROOM);
    assertThat(fleets.list().get(0).generation()).isEqualTo(1);
  }

  @Test
  void aFleetThatIsGoneLetsItsNameGo() throws StoreException {
    Fleets fleets = open();
    CompletableFuture<Answer> gone =
        fleets.submit("f", FleetCall.of(NodeCommands.deleteFleet()).at(1));
    CompletableFuture<Answer> late = fleets.submit("f", FleetCall.of(assign("w", 1)));
    FleetLog log = fleets.log("f");
    steps.go();
    assertThat(gone.join().outcome()).isEqualTo(Outcome.EMPTY);
    assertThat(kind(late)).isEqualTo(Kind.NO_SUCH_FLEET);
    assertThat(log.page(new LogPlace(1, ""), 9, Long.MAX_VALUE)).hasSize(1);
    assertThat(fleets.create("f", problem(), "", false).join().outcome())
        .isEqualTo(Outcome.CREATED);
    assertThat(open().list()).hasSize(1);
    assertThat(store.heads()).extracting(Head::gone).containsExactly(true, false);
  }

  @Test
  void aDeletionIsRepeatedWithinItsTurnAndAfterIt() throws StoreException {
    Fleets fleets = open(FleetLimits.STANDARD.withTurns(2, 9, Duration.ofSeconds(1)), 1 << 20);
    fleets.create("f", problem(), "", false).join();
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      FleetCall delete = FleetCall.of(NodeCommands.deleteFleet()).withKey("k", new byte[] {1});
      answers.add(fleets.submit("f", delete));
    }
    CompletableFuture<Answer> other =
        fleets.submit("f", FleetCall.of(NodeCommands.deleteFleet()).withKey("j", new byte[] {1}));
    steps.go();
    assertThat(answers).extracting(answer -> answer.join().generation()).containsOnly(2L);
    assertThat(answers)
        .extracting(answer -> answer.join().replayed())
        .containsExactly(false, true, true, true);
    assertThat(kind(other)).isEqualTo(Kind.NO_SUCH_FLEET);
  }

  @Test
  void aDeletionThatNamesALaterFleetRepeatsNone() throws StoreException {
    Fleets fleets = open();
    FleetCall delete = FleetCall.of(NodeCommands.deleteFleet()).withKey("k", new byte[] {1});
    CompletableFuture<Answer> first = fleets.submit("f", delete);
    steps.go();
    assertThat(first.join().replayed()).isFalse();
    Answer again = fleets.create("f", problem(), "", false).join();
    CompletableFuture<Answer> repeated = fleets.submit("f", delete.at(1));
    CompletableFuture<Answer> second = fleets.submit("f", delete.at(1, again.life()));
    steps.go();
    assertThat(repeated.join().replayed()).isTrue();
    assertThat(second.join().replayed()).isFalse();
    assertThat(fleets.list()).isEmpty();
  }

  @Test
  void aFleetThatIsDeletedWhileItIsPutIsCreatedAgain() throws StoreException {
    Fleets fleets = open();
    fleets.submit("f", FleetCall.of(assign("w", 1)));
    fleets.submit("f", FleetCall.of(NodeCommands.deleteFleet()));
    CompletableFuture<Answer> put = fleets.create("f", problem(), "", false);
    CompletableFuture<Answer> tried = fleets.create("f", problem(), "", true);
    steps.go();
    assertThat(put.join().outcome()).isEqualTo(Outcome.CREATED);
    assertThat(tried.join().outcome()).isEqualTo(Outcome.DONE);
    assertThat(fleets.list()).containsExactly(new Fleets.Listed("f", 1, 2, 0));
  }

  @Test
  void aSnapshotIsWrittenAndRecoveredFrom() throws StoreException {
    Fleets fleets = open(FleetLimits.STANDARD, 100);
    fleets.create("f", problem(), "", false).join();
    for (int i = 0; i < 8; i++) {
      fleets.submit("f", FleetCall.of(assign("w" + i, 1)));
      steps.go();
    }
    assertThat(store.snapshots(1)).hasSize(2);
    long newest = store.snapshots(1).get(0).generation();
    int[] carriedOut = new int[1];
    Fleets again =
        new Fleets(
            store,
            Engine::of,
            FleetLimits.STANDARD,
            new FleetObserver() {
              @Override
              public void recovered(int entries, long nanos) {
                carriedOut[0] = entries;
              }
            },
            Clock.systemUTC(),
            steps,
            1 << 20);
    assertThat(again.list().get(0).workloads()).isEqualTo(8);
    assertThat(carriedOut[0]).isEqualTo((int) (9 - newest)).isLessThan(8);
  }

  /** Of a large store, what belongs to a head is read long after it. */
  @Test
  void aFleetThatIsWrittenToWhileItIsVerifiedOrExportedIsSound() throws StoreException {
    Runnable[] meanwhile = {() -> {}};
    MemoryJournal journal =
        new MemoryJournal() {
          @Override
          public List<Head> heads() throws StoreException {
            List<Head> heads = super.heads();
            Runnable once = meanwhile[0];
            meanwhile[0] = () -> {};
            once.run();
            return heads;
          }

          @Override
          public synchronized void save(Saved snapshot, Retention retention) throws StoreException {
            super.save(snapshot, new Retention(Long.MAX_VALUE, 0, Long.MAX_VALUE));
          }
        };
    Fleets fleets = Engine.fleets(journal, 1);
    fleets.create("f", problem(), "", false).join();
    Runnable writes =
        () -> {
          for (int i = 0; i < 12; i++) {
            fleets.submit("f", FleetCall.of(assign("w", 1))).join();
            fleets.submit("f", FleetCall.of(FleetCommands.release("w"))).join();
          }
        };
    Verification verification = new Verification(journal, Engine::of);
    meanwhile[0] = writes;
    assertThat(verification.verify()).allSatisfy(found -> assertThat(found.faults()).isEmpty());
    assertThat(journal.oldest(1).orElseThrow()).isGreaterThan(1);
    meanwhile[0] = writes;
    assertThat(verification.export("f").nodes()).hasSize(2);
  }

  @Test
  void aDamagedFleetIsDeletedAndItsNameIsFreeAgain() throws StoreException {
    boolean[] damaged = {false};
    MemoryJournal journal =
        new MemoryJournal() {
          @Override
          public synchronized List<Entry> entries(long fleet, long after, int most)
              throws StoreException {
            List<Entry> found = new ArrayList<>(super.entries(fleet, after, most));
            found.replaceAll(one -> damaged[0] && fleet == 1 ? one.chained(one.hash()) : one);
            return found;
          }
        };
    Engine.fleets(journal, 1 << 20).create("f", problem(), "", false).join();
    damaged[0] = true;
    Fleets fleets = Engine.fleets(journal, 1 << 20);
    FleetCall delete = FleetCall.of(NodeCommands.deleteFleet());
    assertThat(kind(fleets.submit("f", FleetCall.of(FleetQuestions.summary()))))
        .isEqualTo(Kind.DAMAGED);
    assertThat(kind(fleets.submit("f", delete.asDryRun()))).isEqualTo(Kind.DAMAGED);
    assertThat(kind(fleets.submit("f", delete.at(7)))).isEqualTo(Kind.GENERATION);
    Answer gone = fleets.submit("f", delete.withKey("k", new byte[] {1})).join();
    assertThat(gone.outcome()).isEqualTo(Outcome.EMPTY);
    assertThat(gone.generation()).isEqualTo(2);
    assertThat(fleets.list()).isEmpty();
    assertThat(fleets.create("f", problem(), "", false).join().outcome())
        .isEqualTo(Outcome.CREATED);
    assertThat(fleets.submit("f", delete.withKey("k", new byte[] {1})).join().replayed()).isTrue();
    assertThat(Engine.fleets(journal, 1 << 20).list())
        .containsExactly(new Fleets.Listed("f", 1, 2, 0));
  }

  @Test
  void aSecondWriterCommitsNothingAndIsToldSo() throws StoreException {
    Fleets one = open();
    Fleets two = open();
    one.submit("f", FleetCall.of(assign("a", 1)));
    steps.go();
    CompletableFuture<Answer> stale = two.submit("f", FleetCall.of(assign("b", 1)));
    steps.go();
    assertThat(kind(stale)).isIn(Kind.STORE, Kind.OUTCOME_UNKNOWN);
    CompletableFuture<Answer> later = two.submit("f", FleetCall.of(assign("b", 1)));
    steps.go();
    assertThat(later.join().generation()).isEqualTo(3);
  }

  @Test
  void theLogIsReadBehindAGeneration() throws StoreException {
    Fleets fleets = open();
    fleets.submit("f", FleetCall.of(assign("a", 1)));
    fleets.submit("f", FleetCall.of(assign("b", 1)));
    steps.go();
    FleetLog log = fleets.log("f");
    assertThat(log.page(new LogPlace(1, ""), 9, Long.MAX_VALUE))
        .extracting(LogEvent::generation)
        .containsExactly(2L, 3L);
    assertThat(log.page(new LogPlace(3, ""), 9, Long.MAX_VALUE)).isEmpty();
    assertThatThrownBy(() -> log.page(new LogPlace(4, ""), 9, Long.MAX_VALUE))
        .hasMessageContaining("which is before 4");
    fleets.submit("f", FleetCall.of(NodeCommands.deleteFleet()));
    steps.go();
    store.forget(1);
    assertThatThrownBy(() -> log.page(new LogPlace(1, ""), 9, Long.MAX_VALUE))
        .isInstanceOfSatisfying(
            FleetException.class, gone -> assertThat(gone.kind()).isEqualTo(Kind.GONE));
  }
}
