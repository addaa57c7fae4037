package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.ScriptedServer;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LeaderElectionTest {
  private static final String LEASE =
      "{'metadata':{'name':'l','namespace':'n','resourceVersion':'1'},"
          + "'spec':{'holderIdentity':'%s','leaseDurationSeconds':3600}}";

  @AutoClose private final ScriptedServer server = new ScriptedServer();

  private LeaderElection one() throws IOException {
    Duration call = Duration.ofMinutes(1);
    Duration lease = Duration.ofHours(1);
    return new LeaderElection(server.client(call), "n", "l", "one", lease, call, Clock.systemUTC());
  }

  /** As where it got a label. */
  @Test
  void aLeaseThatChangesDuringItsRenewalIsStillOurs() throws IOException {
    LeaderElection one = one();
    server.then(404, "{}").then(201, LEASE.formatted("one"));
    assertThat(one.attempt()).isTrue();
    BooleanSupplier tenure = one.tenure();
    String ours = LEASE.formatted("one");
    server.then(200, ours).then(409, "{}").then(200, ours);
    assertThat(one.attempt()).isTrue();
    assertThat(tenure.getAsBoolean()).isTrue();
    server.then(200, ours).then(409, "{}").then(200, LEASE.formatted("two"));
    assertThat(one.attempt()).as("another one took it").isFalse();
    assertThat(tenure.getAsBoolean()).isFalse();
  }

  @Test
  void theSlowerOfTwoThatTakeALeaseDoesNotLead() throws IOException {
    LeaderElection one = one();
    server.then(404, "{}").then(409, "{}");
    assertThat(one.attempt()).isFalse();
    server.then(200, LEASE.formatted("")).then(409, "{}");
    assertThat(one.attempt()).isFalse();
    assertThat(one.mayAct()).isFalse();
  }
}
