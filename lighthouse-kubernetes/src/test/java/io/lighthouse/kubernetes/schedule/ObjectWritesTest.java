package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import io.lighthouse.kubernetes.schedule.ObjectWrites.NotWrittenException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What becomes of a write by the answers that it gets. */
class ObjectWritesTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String DONE = "{'metadata':{'resourceVersion':'8'},'done':true}";
  private static final String NOT_DONE = "{'metadata':{'resourceVersion':'8'}}";

  @AutoClose private final ScriptedServer server = new ScriptedServer();

  private JsonNode write(BooleanSupplier mayAct) throws Exception {
    return write(mayAct, LIMIT);
  }

  private JsonNode write(BooleanSupplier mayAct, Duration limit) throws Exception {
    return write(writes(mayAct, limit));
  }

  private static JsonNode write(ObjectWrites writes)
      throws NotWrittenException, InterruptedException {
    return writes.write(
        "/apis/x/v1/things/t",
        "/status",
        ObjectWrites.patch("7"),
        object -> object.path("done").asBoolean(false));
  }

  private ObjectWrites writes(BooleanSupplier mayAct, Duration limit) throws Exception {
    CallWorkers workers =
        new CallWorkers(
            "test",
            1,
            limit,
            new LinkedBlockingQueue<>(),
            mayAct,
            (thread, thrown) -> thrown.printStackTrace());
    return new ObjectWrites(server.client(LIMIT), workers, new SchedulerMetrics(), "device");
  }

  /** A call that is not a patch. */
  private interface Call<T> {
    T send(ObjectWrites writes) throws NotWrittenException, InterruptedException;
  }

  private <T> T send(Call<T> call) throws Exception {
    return call.send(writes(() -> true, LIMIT));
  }

  private JsonNode create() throws Exception {
    return send(
        writes ->
            writes.create(
                "/apis/x/v1/things",
                "/apis/x/v1/things/t",
                Objects.json("{'new':1}"),
                object -> object.path("done").asBoolean(false)));
  }

  private NotWrittenException failure(BooleanSupplier mayAct) {
    return catchThrowableOfType(NotWrittenException.class, () -> write(mayAct));
  }

  /** Leads for some calls. */
  private static BooleanSupplier leadsFor(int calls) {
    AtomicInteger left = new AtomicInteger(calls);
    return () -> left.getAndDecrement() > 0;
  }

  @Test
  void namesTheVersionThatWasDecidedOn() throws Exception {
    server.then(200, DONE);
    assertThat(write(() -> true).path("done").asBoolean()).isTrue();
    assertThat(server.calls())
        .containsExactly(
            "PATCH /apis/x/v1/things/t/status?limited "
                + "{\"metadata\":{\"resourceVersion\":\"7\"}}");
  }

  @Test
  void aCutWriteThatHasHappenedIsFound() throws Exception {
    server.then(ScriptedServer.CUT, "").then(200, DONE);
    assertThat(write(() -> true).path("done").asBoolean()).isTrue();
    assertThat(server.left()).isZero();
  }

  @Test
  void aConflictHasNotHappened() {
    server.then(409, "{'reason':'Conflict','message':'modified'}").then(200, NOT_DONE);
    NotWrittenException failed = failure(() -> true);
    assertThat(failed.getMessage()).contains("modified");
    assertThat(failed.mayHaveHappened()).isFalse();
  }

  @Test
  void aCutWriteMayTakeEffectUntilTheServersLimitHasPassed() {
    for (Duration limit : List.of(Duration.ofHours(1), Duration.ofMillis(1))) {
      server.then(ScriptedServer.CUT, "").then(200, NOT_DONE);
      server.then(409, "{'reason':'Conflict','message':'modified'}").then(200, NOT_DONE);
      NotWrittenException failed =
          catchThrowableOfType(NotWrittenException.class, () -> write(() -> true, limit));
      assertThat(failed.getMessage()).contains("modified");
      assertThat(failed.mayHaveHappened()).isEqualTo(limit.toHours() == 1);
      assertThat(server.left()).isZero();
    }
  }

  @Test
  void whatWasNotSentHasNotHappened() {
    assertThat(failure(() -> false).mayHaveHappened()).isFalse();
    assertThat(server.calls()).isEmpty();
  }

  @Test
  void whatWasNotCreatedIsCreatedOnceMore() throws Exception {
    server.then(ScriptedServer.CUT, "").then(404, "{'reason':'NotFound'}").then(201, DONE);
    assertThat(create().path("done").asBoolean()).isTrue();
    assertThat(server.calls())
        .containsExactly(
            "POST /apis/x/v1/things?limited {\"new\":1}",
            "GET /apis/x/v1/things/t",
            "POST /apis/x/v1/things?limited {\"new\":1}");
  }

  @Test
  void whatWasCreatedByACutCallIsFound() throws Exception {
    server.then(ScriptedServer.CUT, "").then(200, DONE);
    assertThat(create().path("done").asBoolean()).isTrue();
    assertThat(server.left()).isZero();
  }

  @Test
  void anotherObjectOfTheNameIsNotTheOneThatWasToBeCreated() {
    server.then(409, "{'reason':'AlreadyExists','message':'exists'}").then(200, NOT_DONE);
    NotWrittenException failed = catchThrowableOfType(NotWrittenException.class, () -> create());
    assertThat(failed.getMessage()).contains("exists");
    assertThat(failed.mayHaveHappened()).isFalse();
  }

  private void delete() throws Exception {
    send(
        writes -> {
          writes.delete("/apis/x/v1/things/t", "u");
          return null;
        });
  }

  @Test
  void aDeletionNamesTheUid() throws Exception {
    server.then(200, "{}");
    delete();
    assertThat(server.calls())
        .containsExactly(
            "DELETE /apis/x/v1/things/t?limited {\"apiVersion\":\"v1\","
                + "\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":\"u\"}}");
  }

  @Test
  void whatHasGoneNeedNotBeDeleted() throws Exception {
    server.then(404, "{'reason':'NotFound'}").then(404, "{'reason':'NotFound'}");
    delete();
    server.then(409, "{'reason':'Conflict'}").then(200, "{'metadata':{'uid':'other'}}");
    delete();
    server.then(500, "{}").then(200, "{'metadata':{'uid':'u'}}").then(200, "{}");
    delete();
    assertThat(server.left()).isZero();
  }

  @Test
  void aCutWriteThatCannotBeLookedUpMayHaveHappened() {
    server.then(ScriptedServer.CUT, "");
    assertThat(failure(leadsFor(1)).mayHaveHappened()).as("the process leads no more").isTrue();
    server.then(ScriptedServer.CUT, "").then(200, NOT_DONE);
    assertThat(failure(leadsFor(2)).mayHaveHappened()).as("it is not sent again").isTrue();
    server.then(ScriptedServer.CUT, "").then(403, "{'reason':'Forbidden'}");
    assertThat(failure(() -> true).mayHaveHappened()).as("it may not read").isTrue();
    server.then(ScriptedServer.CUT, "").then(404, "{'reason':'NotFound'}");
    assertThat(failure(() -> true).mayHaveHappened()).as("it has gone").isFalse();
  }
}
