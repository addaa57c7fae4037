package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which pods are bound together, and when. */
class DeviceWritesTest {
  private final DeviceWrites writes = new DeviceWrites();

  private static Binding binding(String gang, String name) {
    WaitingPod pod = WaitingPods.of(name, name);
    return new Binding(new Decision.Bind(pod, "n1", "spread", "hash"), gang, 0);
  }

  @Test
  void aGangEndsWithItsLastWrite() {
    Binding p = binding("g", "p");
    Binding q = binding("g", "q");
    Binding r = binding("g", "r");
    writes.begin("g", List.of(p, q), List.of(r));
    assertThat(writes.waiting()).isEqualTo(1);
    assertThat(writes.end(q, "")).isEmpty();
    assertThat(writes.waiting()).isEqualTo(2);
    DeviceWrites.Group ended = writes.end(p, "refused").orElseThrow();
    assertThat(ended.ready()).containsExactly(r, q);
    assertThat(ended.failures()).isEqualTo(Map.of(p, "refused"));
    assertThat(writes.waiting()).isZero();
  }

  @Test
  void aPodThatComesLaterWaitsForItsGang() {
    Binding p = binding("g", "p");
    Binding late = binding("g", "late");
    writes.begin("g", List.of(p), List.of());
    assertThat(writes.isOpen("g")).isTrue();
    writes.begin("g", List.of(), List.of(late));
    assertThat(writes.end(p, "").orElseThrow().ready()).containsExactly(late, p);
    assertThat(writes.isOpen("g")).isFalse();
  }

  @Test
  void anotherGangIsNotWaitedFor() {
    Binding p = binding("g", "p");
    Binding q = binding("h", "q");
    writes.begin("g", List.of(p), List.of());
    writes.begin("h", List.of(q), List.of());
    assertThat(writes.end(q, "").orElseThrow().ready()).containsExactly(q);
    assertThat(writes.isOpen("g")).isTrue();
  }
}
