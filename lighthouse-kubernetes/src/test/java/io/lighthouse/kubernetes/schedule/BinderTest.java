package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import io.lighthouse.kubernetes.schedule.Binder.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Each answer that a binding may get, and what becomes of it. */
class BinderTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String BOUND = "{'metadata':{'uid':'u1'},'spec':{'nodeName':'%s'}}";
  private static final String UNBOUND = "{'metadata':{'uid':'u1'},'spec':{}}";
  private static final String GATED =
      "{'metadata':{'uid':'u1'},'spec':{'schedulingGates':[{'name':'g'}]}}";

  @AutoClose private final ScriptedServer server = new ScriptedServer();

  private static Binding binding() {
    WaitingPod pod = WaitingPods.of("u1", "p1");
    return new Binding(new Decision.Bind(pod, "n1", "spread", "hash"), "u1", System.nanoTime());
  }

  private static void threadFailed(Thread thread, Throwable cause) {
    throw new AssertionError(thread + " has ended", cause);
  }

  private Binder binder(CallWorkers workers, Predicate<String> nodeIsThere) throws Exception {
    return new Binder(server.client(LIMIT), workers, nodeIsThere, new SchedulerMetrics());
  }

  private static CallWorkers workers(
      int count, Duration limit, BlockingQueue<Message> inbox, BooleanSupplier mayAct) {
    return new CallWorkers("test", count, limit, inbox, mayAct, BinderTest::threadFailed);
  }

  private Message.BindingEnded ended(BooleanSupplier mayAct, boolean nodeIsThere) throws Exception {
    return ended(mayAct, nodeIsThere, Duration.ofSeconds(1));
  }

  private Message.BindingEnded ended(BooleanSupplier mayAct, boolean nodeIsThere, Duration limit)
      throws Exception {
    return ended(mayAct, node -> nodeIsThere, limit);
  }

  private Message.BindingEnded ended(
      BooleanSupplier mayAct, Predicate<String> nodeIsThere, Duration limit) throws Exception {
    BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    try (Binder binder = binder(workers(2, limit, inbox, mayAct), nodeIsThere)) {
      binder.submit(binding());
      Message ended = inbox.poll(30, TimeUnit.SECONDS);
      assertThat(ended).isInstanceOf(Message.BindingEnded.class);
      assertThat(server.left()).isZero();
      return (Message.BindingEnded) ended;
    }
  }

  private Outcome outcome() throws Exception {
    return ended(() -> true, true).outcome();
  }

  @Test
  void namesThePodByItsUid() throws Exception {
    server.then(201, "{}");
    assertThat(outcome()).isEqualTo(Outcome.BOUND);
    assertThat(server.calls())
        .containsExactly(
            "POST /api/v1/namespaces/default/pods/p1/binding?limited "
                + "{\"apiVersion\":\"v1\",\"kind\":\"Binding\","
                + "\"metadata\":{\"name\":\"p1\",\"uid\":\"u1\"},"
                + "\"target\":{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"n1\"}}");
  }

  @Test
  void aConflictIsLookedUp() throws Exception {
    server.then(409, "{'reason':'Conflict'}").then(200, BOUND.formatted("n1"));
    Message.BindingEnded bound = ended(() -> true, true);
    assertThat(bound.outcome()).isEqualTo(Outcome.BOUND);
    assertThat(bound.pod()).isNull();
    server.then(409, "{'reason':'Conflict'}").then(200, BOUND.formatted("n2"));
    Message.BindingEnded elsewhere = ended(() -> true, true);
    assertThat(elsewhere.outcome()).isEqualTo(Outcome.ELSEWHERE);
    assertThat(elsewhere.pod().at("/spec/nodeName").asString()).isEqualTo("n2");
    server.then(409, "{'reason':'Conflict'}").then(200, "{'metadata':{'uid':'u2'},'spec':{}}");
    assertThat(outcome()).isEqualTo(Outcome.GONE);
    server
        .then(409, "{'reason':'Conflict'}")
        .then(200, "{'metadata':{'uid':'u1','deletionTimestamp':'2026-11-22T12:00:00Z'}}");
    assertThat(outcome()).isEqualTo(Outcome.GONE);
    server.then(404, "{'reason':'NotFound'}").then(404, "{'reason':'NotFound'}");
    assertThat(outcome()).isEqualTo(Outcome.GONE);
    server.then(409, "{'reason':'Conflict'}").then(200, GATED);
    assertThat(outcome()).isEqualTo(Outcome.REFUSED);
  }

  @Test
  void anUnknownOutcomeIsLookedUpAndSentToTheSameNodeAgain() throws Exception {
    server.then(ScriptedServer.CUT, "").then(200, UNBOUND).then(201, "{}");
    assertThat(outcome()).isEqualTo(Outcome.BOUND);
    assertThat(server.calls()).hasSize(3);
    assertThat(server.calls().get(2)).isEqualTo(server.calls().get(0)).contains("\"n1\"");
    // The look-up is repeated, too, until there is an answer.
    server.then(500, "{}").then(503, "{}").then(ScriptedServer.CUT, "");
    server.then(200, BOUND.formatted("n1"));
    assertThat(outcome()).isEqualTo(Outcome.BOUND);
  }

  /** To ask on would hold a thread for ever. */
  @Test
  void withoutTheRightToReadPodsARefusalCountsAndALostAnswerIsNotKnown() throws Exception {
    withoutTheRightToReadPods(409, Outcome.REFUSED);
    withoutTheRightToReadPods(ScriptedServer.CUT, Outcome.UNKNOWN);
    withoutTheRightToReadPods(504, Outcome.UNKNOWN);
  }

  private void withoutTheRightToReadPods(int answer, Outcome outcome) throws Exception {
    server.then(answer, "{}").then(403, "{'reason':'Forbidden','message':'no right to get pods'}");
    Message.BindingEnded ended = ended(() -> true, true);
    assertThat(ended.outcome()).isEqualTo(outcome);
    assertThat(ended.detail()).contains("/binding", "; ", "no right to get pods");
  }

  @Test
  void anAnswerThatStaysAnErrorIsTakenAsOne() throws Exception {
    for (int i = 0; i < 4; i++) {
      server.then(500, "{'message':'target.name: Required value'}").then(200, UNBOUND);
    }
    server.then(200, UNBOUND);
    Message.BindingEnded ended = ended(() -> true, true, Duration.ofSeconds(5));
    assertThat(ended.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(ended.detail()).contains("Required value");
  }

  @Test
  void aBindingWithoutAnAnswerMayTakeEffectUntilTheServersLimitHasPassed() throws Exception {
    server.then(ScriptedServer.CUT, "").then(200, UNBOUND);
    for (int i = 0; i < 3; i++) {
      server.then(409, "{'reason':'Conflict'}").then(200, UNBOUND);
    }
    server.then(200, BOUND.formatted("n1"));
    assertThat(ended(() -> true, true, Duration.ofSeconds(5)).outcome()).isEqualTo(Outcome.BOUND);
  }

  @Test
  void aBindingThatFailedMayTakeEffectUntilTheServersLimitHasPassed() throws Exception {
    for (int i = 0; i < 4; i++) {
      server.then(504, "{}").then(200, UNBOUND);
    }
    server.then(200, BOUND.formatted("n1"));
    assertThat(ended(() -> true, true, Duration.ofSeconds(5)).outcome()).isEqualTo(Outcome.BOUND);
  }

  /** The node may come back before that. */
  @Test
  void aBindingToANodeThatHasGoneMayTakeEffectUntilTheServersLimitHasPassed() throws Exception {
    for (Outcome outcome : List.of(Outcome.BOUND, Outcome.WITHDRAWN)) {
      server.then(ScriptedServer.CUT, "").then(200, UNBOUND);
      server.then(200, outcome == Outcome.BOUND ? BOUND.formatted("n1") : UNBOUND);
      AtomicBoolean isThere = new AtomicBoolean(true);
      Message.BindingEnded ended =
          ended(() -> true, node -> isThere.getAndSet(false), Duration.ofSeconds(1));
      assertThat(ended.outcome()).isEqualTo(outcome);
    }
  }

  @Test
  void noThreadWaitsForTheServersLimit() throws Exception {
    BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    AtomicInteger checks = new AtomicInteger();
    Duration limit = Duration.ofSeconds(3);
    try (Binder binder =
        binder(
            workers(1, limit, inbox, () -> true),
            // It has gone when the first binding is to be sent again.
            node -> checks.incrementAndGet() != 2)) {
      server.then(ScriptedServer.CUT, "").then(200, UNBOUND).then(201, "{}").then(200, UNBOUND);
      binder.submit(binding());
      binder.submit(binding());
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Message ended = inbox.poll(30, TimeUnit.SECONDS);
        outcomes.add(((Message.BindingEnded) ended).outcome());
      }
      assertThat(outcomes).containsExactly(Outcome.BOUND, Outcome.WITHDRAWN);
    }
  }

  @Test
  void waitsWhileTheServerIsBusyHoweverOften() throws Exception {
    for (int i = 0; i < 6; i++) {
      server.then(429, "{'reason':'TooManyRequests'}");
    }
    server.then(201, "{}");
    assertThat(outcome()).isEqualTo(Outcome.BOUND);
    assertThat(server.calls()).hasSize(7).allMatch(call -> call.startsWith("POST"));
  }

  @Test
  void sendsNothingWhereItMayNotActOrTheNodeHasGone() throws Exception {
    assertThat(ended(() -> false, true).outcome()).isEqualTo(Outcome.WITHDRAWN);
    assertThat(ended(() -> true, false).outcome()).isEqualTo(Outcome.WITHDRAWN);
    assertThat(server.calls()).isEmpty();
  }

  @Test
  void bindsNothingThatIsQueuedWhenItIsClosed() throws Exception {
    server.then(201, "{}").then(201, "{}");
    assertThat(outcomesWhenClosed(2, LIMIT)).containsExactly(Outcome.BOUND, Outcome.WITHDRAWN);
    assertThat(server.calls()).hasSize(1);
  }

  /** Nothing looks it up any more, and another leader must not begin before. */
  @Test
  void closingLastsUntilABindingThatIsUnknownTakesNoEffectAnyMore() throws Exception {
    Duration limit = Duration.ofSeconds(3);
    server.then(504, "{}").then(200, GATED);
    long began = System.nanoTime();
    assertThat(outcomesWhenClosed(1, limit)).containsExactly(Outcome.UNKNOWN);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(limit);
  }

  /** The outcomes of some bindings, of which one is sent once the binder is being closed. */
  private List<Outcome> outcomesWhenClosed(int bindings, Duration limit) throws Exception {
    BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    CountDownLatch checked = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    Binder binder =
        binder(
            workers(1, limit, inbox, () -> true),
            node -> {
              checked.countDown();
              try {
                return goesOn.await(1, TimeUnit.MINUTES);
              } catch (InterruptedException ended) {
                return false;
              }
            });
    for (int i = 0; i < bindings; i++) {
      binder.submit(binding());
    }
    checked.await();
    Thread closing = new Thread(binder::close);
    closing.start();
    Bench.until(
        () -> closing.getState() == Thread.State.TIMED_WAITING, () -> "" + closing.getState());
    // As where a second reason to stop follows the first.
    closing.interrupt();
    goesOn.countDown();
    closing.join();
    assertThat(binder.inFlight()).isZero();
    return inbox.stream().map(message -> ((Message.BindingEnded) message).outcome()).toList();
  }

  @Test
  void doesNotKnowWhereItMayNotAskOn() throws Exception {
    boolean[] leads = {true};
    server.then(ScriptedServer.CUT, "").then(200, UNBOUND);
    Message.BindingEnded ended =
        ended(
            () -> {
              boolean now = leads[0];
              leads[0] = false;
              return now;
            },
            true);
    assertThat(ended.outcome()).isEqualTo(Outcome.UNKNOWN);
  }
}
