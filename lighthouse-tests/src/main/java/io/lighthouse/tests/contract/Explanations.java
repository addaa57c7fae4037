package io.lighthouse.tests.contract;

import static io.lighthouse.tests.contract.BrokenLaw.unlessEqual;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Law;
import io.lighthouse.tests.referee.Referee;
import java.util.List;
import java.util.Optional;

/** Explanations of workloads that are not placed are true and change nothing. */
final class Explanations {
  private final Subject subject;
  private final Minutes minutes;

  Explanations(Subject subject, Minutes minutes) {
    this.subject = subject;
    this.minutes = minutes;
  }

  /** Before every batch, each of its workloads that is in no gang is explained in every way. */
  void check(Scenario scenario) {
    Trial trial = new Trial(subject, scenario, minutes);
    Referee referee = subject.referee(scenario);
    trial.calls(
        call -> {
          List<Object> before = Subject.state(trial.distributor);
          if (call instanceof Call.Assign assign && !assign.allOrNothing()) {
            for (int i = 0; i < assign.batch().size(); i++) {
              if (assign.batch().get(i).terms().gang().isEmpty()) {
                single(assign.batch().get(i), trial.distributor, referee);
                inBatch(i, assign.batch(), trial.distributor);
              }
            }
            List<Object> after = Subject.state(trial.distributor);
            unlessEqual(Law.REASONS, "the state after questions", before, after);
          }
          referee.judge(call, trial.ask(call));
        });
  }

  private void single(Workload workload, Distributor distributor, Referee referee) {
    String about = "about '" + workload.name() + "', ";
    Assignments ordinary = distributor.copy().assign(workload);
    Explanation explanation = distributor.explain(workload);
    Optional<String> chosen = ordinary.node(0);
    Explanation expected = referee.explanation(workload, chosen);
    List<String> fitting =
        expected.nodes().stream().filter(NodeVerdict::fits).map(NodeVerdict::node).toList();
    minutes.add("asked " + about + "which would go to " + chosen.orElse("no node"));
    unlessEqual(Law.REASONS, about + "fitting", fitting, distributor.fitting(workload));
    unlessEqual(Law.REASONS, about + "chosen", chosen, explanation.chosen());
    unlessEqual(Law.REASONS, about + "verdicts", expected.nodes(), explanation.nodes());
    unlessEqual(Law.REASONS, about + "summary", expected.summary(), explanation.summary());
  }

  private static void inBatch(int index, List<Workload> batch, Distributor distributor) {
    Optional<String> expected = distributor.copy().assign(batch).node(index);
    Explanation explanation = distributor.explain(index, batch);
    unlessEqual(
        Law.REASONS,
        "chosen for '" + batch.get(index).name() + "' in its batch",
        expected,
        explanation.chosen());
  }
}
