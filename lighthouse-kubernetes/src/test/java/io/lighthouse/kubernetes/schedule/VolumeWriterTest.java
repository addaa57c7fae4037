package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.cluster.volume.VolumeWork;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The order in which the volumes of pods are written. */
class VolumeWriterTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
  @AutoClose private final ScriptedServer server = new ScriptedServer();

  private static Binding binding(String name, int priority) {
    WaitingPod pod = WaitingPods.of(name, name, priority);
    return new Binding(new Decision.Bind(pod, "n1", "spread", "hash"), name, 0);
  }

  private static VolumeWork work(String claim) {
    ClaimFacts facts =
        ClaimFacts.of(
            Objects.json(
                "{'metadata':{'name':'%s','namespace':'default','uid':'%s',"
                    + "'resourceVersion':'7'},'spec':{}}",
                claim, claim));
    return new VolumeWork("n1", List.of(), List.of(facts));
  }

  @Test
  void theVolumesOfTheMostUrgentPodAreWrittenFirst() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    server.thenFrom(first, 200, "{}").then(200, "{}").then(200, "{}").then(200, "{}");
    CallWorkers workers =
        new CallWorkers(
            "test", 1, LIMIT, inbox, () -> true, (thread, thrown) -> thrown.printStackTrace());
    ObjectWrites writes =
        new ObjectWrites(server.client(LIMIT), workers, new SchedulerMetrics(), "volume");
    List<String> written = new ArrayList<>();
    try (VolumeWriter writer = new VolumeWriter(writes, workers)) {
      writer.submit(binding("first", 1), work("first"));
      Bench.until(() -> !server.calls().isEmpty(), () -> "nothing was sent");
      writer.submit(binding("later", 1), work("later"));
      writer.submit(binding("latest", 1), work("latest"));
      writer.submit(binding("urgent", 2), work("urgent"));
      first.countDown();
      for (int i = 0; i < 4; i++) {
        Message.VolumesWritten end = (Message.VolumesWritten) inbox.poll(1, TimeUnit.MINUTES);
        written.add(end.binding().uid());
      }
    }
    assertThat(written).containsExactly("first", "urgent", "later", "latest");
  }
}
