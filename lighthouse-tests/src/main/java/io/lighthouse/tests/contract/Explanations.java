package io.lighthouse.tests.contract;

import static io.lighthouse.tests.contract.BrokenLaw.unlessAlike;
import static io.lighthouse.tests.contract.BrokenLaw.unlessEqual;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import io.lighthouse.tests.referee.Referee;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Explanations of workloads that are not placed are true and change nothing. */
final class Explanations {
  /** The orders that the engine adds no terms to. */
  private static final Set<Choice.Order> BY_TERMS =
      EnumSet.of(
          Choice.Order.NODES, Choice.Order.TURN, Choice.Order.COMPARATOR, Choice.Order.STRATEGY);

  private Explanations() {}

  /**
   * Before every batch, each of its workloads that is in no gang is explained in every way; only
   * where workloads take turns.
   */
  static void check(ScenarioRun run) {
    if (run.subject.conduct().order().isEmpty()) {
      return;
    }
    Referee referee = run.subject.referee(run.scenario.fleet());
    run.calls(
        call -> {
          Map<String, Object> before = Subject.state(run.distributor);
          if (call instanceof Call.Assign assign && !assign.allOrNothing()) {
            run.record.add("to be explained: " + assign);
            for (int i = 0; i < assign.batch().size(); i++) {
              if (assign.batch().get(i).terms().gang().isEmpty()) {
                single(assign.batch().get(i), run, referee);
                inBatch(i, assign.batch(), run.distributor);
              }
            }
            Map<String, Object> after = Subject.state(run.distributor);
            unlessAlike(Law.REASONS, "the state after questions", before, after);
          }
          referee.judge(call, run.ask(call));
        });
  }

  /** After every batch, an earlier copy reports the choice of a node for its first workload. */
  static void terms(ScenarioRun run) {
    run.calls(
        call -> {
          Distributor before = run.distributor.copy();
          run.ask(call);
          if (call instanceof Call.Assign assign
              && !assign.batch().isEmpty()
              && assign.batch().get(0).terms().gang().isEmpty()) {
            terms(assign.batch(), before);
          }
        });
  }

  private static void terms(List<Workload> batch, Distributor distributor) {
    Choice choice;
    try {
      choice = distributor.advisor().choice(0, batch);
    } catch (UnsupportedOperationException withoutAdvice) {
      return;
    }
    Set<String> resources = new HashSet<>();
    distributor.snapshot().nodes().forEach(node -> resources.addAll(node.capacity().names()));
    String about = "the choice of a node for '" + choice.workload() + "', ";
    for (Choice.Candidate candidate : choice.candidates()) {
      Choice.Candidate first = choice.candidates().get(0);
      unlessEqual(
          Law.TERMS,
          about + "the terms of '" + candidate.node() + "'",
          names(first, resources),
          names(candidate, resources));
      boolean rival =
          choice.placed()
              && BY_TERMS.contains(choice.order())
              && candidate.averse() == first.averse()
              && candidate.excess().equals(first.excess());
      if (rival && Arrays.compare(values(candidate), values(first)) < 0) {
        throw new BrokenLaw(
            Law.TERMS,
            about + "the terms of '" + candidate.node() + "'",
            "none before those of the chosen node, " + first.terms(),
            candidate.terms());
      }
    }
  }

  /** The names of the strategy's own terms: the engine's have the names of resources. */
  private static List<String> names(Choice.Candidate candidate, Set<String> resources) {
    return candidate.terms().stream()
        .map(Choice.Term::name)
        .filter(name -> !resources.contains(name))
        .toList();
  }

  private static Quantity[] values(Choice.Candidate candidate) {
    return candidate.terms().stream().map(Choice.Term::value).toArray(Quantity[]::new);
  }

  private static void single(Workload workload, ScenarioRun run, Referee referee) {
    Distributor distributor = run.distributor;
    String about = "about '" + workload.name() + "', ";
    Optional<String> chosen = distributor.copy().assign(workload).node(0);
    run.record.add("asked " + about + "which would go to " + chosen.orElse("no node"));
    Explanation explanation = distributor.explain(workload);
    unlessEqual(Law.REASONS, about + "chosen", chosen, explanation.chosen());
    List<Finding> findings = referee.judge(new Call.Explain(workload), explanation);
    if (!findings.isEmpty()) {
      throw new BrokenLaw(findings);
    }
    List<String> fitting =
        explanation.nodes().stream().filter(NodeVerdict::fits).map(NodeVerdict::node).toList();
    unlessEqual(Law.REASONS, about + "fitting", fitting, distributor.fitting(workload));
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
