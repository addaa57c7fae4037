package io.lighthouse.json.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.json.Problem;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordDocumentTest {
  /** A service may let in more levels and longer names than are the rule. */
  @Test
  void readsWhateverARecordMayHold() throws IOException {
    String longest = "w".repeat(100_000);
    Condition deep = new Condition.Nowhere("zone");
    for (int i = 0; i < 330; i++) {
      deep = new Condition.Any(List.of(List.of(deep)));
    }
    Workload workload = Workload.of(longest, Resources.none()).withTerms(Terms.NONE.where(deep));
    Problem problem = Problem.of(List.of(Node.of("n", Resources.none())), List.of(workload));
    DecisionRecord written =
        new DecisionRecord(
            Map.of("java", "17"),
            true,
            problem,
            Assignments.of(new String[] {longest}, new String[] {"n"}, List.of()));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    written.write(text);

    RecordDocument read = RecordDocument.read(new ByteArrayInputStream(text.toByteArray()));

    assertThat(read.alterations()).isEmpty();
    assertThat(read.record().problem()).isEqualTo(problem);
    assertThat(DecisionRecord.hashIn(text.toByteArray())).contains(written.hash());
  }
}
