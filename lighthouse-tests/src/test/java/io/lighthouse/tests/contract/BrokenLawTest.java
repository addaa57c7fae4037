package io.lighthouse.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import org.junit.jupiter.api.Test;

class BrokenLawTest {
  private static Distributor fleet() {
    return Distributors.of("first", (workload, candidates) -> candidates.first())
        .nodes(Node.of("n1", Resources.none()), Node.of("n2", Resources.none()))
        .build();
  }

  @Test
  void ofTwoStatesOnlyThePartsThatDifferAreShown() {
    Distributor other = fleet();
    other.cordon("n2");

    assertThatExceptionOfType(BrokenLaw.class)
        .isThrownBy(() -> BrokenLaw.unlessAlike(Law.COPY, "the state", fleet(), other))
        .satisfies(
            broken ->
                assertThat(broken.findings())
                    .containsExactly(
                        new Finding(
                            Law.COPY,
                            "the state, node 'n2'",
                            fleet().node("n2").toString(),
                            other.node("n2").toString())));
    BrokenLaw.unlessAlike(Law.COPY, "the state", fleet(), fleet());
  }

  @Test
  void aPlacementAndAnotherNodeShow() {
    Distributor other = fleet();
    other.assign(Workload.of("w", Resources.none()));
    other.removeNode("n2");

    assertThatExceptionOfType(BrokenLaw.class)
        .isThrownBy(() -> BrokenLaw.unlessAlike(Law.COPY, "the state", fleet(), other))
        .satisfies(
            broken ->
                assertThat(broken.findings())
                    .extracting(Finding::about)
                    .containsExactly(
                        "the state, the nodes",
                        "the state, the node of the last placed workload",
                        "the state, the number of placed workloads",
                        "the state, node 'n1'",
                        "the state, node 'n2'"));
  }
}
