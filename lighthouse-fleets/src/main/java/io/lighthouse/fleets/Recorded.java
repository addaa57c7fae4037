package io.lighthouse.fleets;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.json.Problem;
import io.lighthouse.json.log.DecisionRecord;
import io.lighthouse.json.write.AnswerWriter;
import java.util.List;
import java.util.function.Consumer;

/** The part of a decision record that an answer contains. */
public enum Recorded {
  /** Nothing. */
  NOT,
  /** The hash of the decision. */
  HASH,
  /** The whole decision (the fleet before it, the batch and the answer) and its hash. */
  WHOLE;

  /** The problem that is about to be decided; null where no record is requested. */
  Problem before(Distributor distributor, List<Workload> batch) {
    if (this == NOT) {
      return null;
    }
    return Problem.of(distributor).withWorkloads(batch);
  }

  /** Writes the record after the other members of the answer. */
  Consumer<AnswerWriter> members(
      Distributor distributor, boolean allOrNothing, Problem before, Assignments found) {
    if (this == NOT) {
      return json -> {};
    }
    DecisionRecord record = DecisionRecord.of(distributor.strategy(), allOrNothing, before, found);
    String hash = record.hash();
    return json -> record.write(json, hash, this == WHOLE);
  }
}
