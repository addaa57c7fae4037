package io.lighthouse.server.placement;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.Problem;
import io.lighthouse.json.Suggestion;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.json.write.ChoiceWriter;
import io.lighthouse.json.write.RemedyWriter;
import io.lighthouse.picture.ReasonText;
import io.lighthouse.picture.RemedyText;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.QueryParameters;
import io.lighthouse.server.placement.PlacementCall.Answer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Answers why one workload, named in the query, fits no node, or why it gets its node. */
final class ExplainedWorkload {
  /** The parameter that names the workload. */
  private static final String WORKLOAD = "workload";

  /** The parameter that names a workload that no remedy may move or release; may be repeated. */
  private static final String PROTECT = "protect";

  /** The parameter that requests why a workload gets its node and not another one. */
  private static final String SCORES = "scores";

  /** The parameter that requests the nodes that a workload fits. */
  private static final String FITTING = "fitting";

  /** The parameter that requests the texts of reasons. */
  private static final String WORDS = "words";

  static final QueryParameters PARAMETERS =
      QueryParameters.of(WORKLOAD, SCORES, WORDS, FITTING).withRepeatable(PROTECT);

  private ExplainedWorkload() {}

  /**
   * Explains the workload that the query names.
   *
   * @throws InvalidInputException if the query names none of the problem
   */
  static Answer answer(Distributor distributor, Request request, Exchange exchange) {
    boolean scored = exchange.isTrue(SCORES);
    boolean worded = exchange.isTrue(WORDS);
    boolean fitted = exchange.isTrue(FITTING);
    boolean remedied = request.document().flags().contains(PlacementCall.REMEDIES);
    List<String> spared = exchange.parameters(PROTECT);
    if (!spared.isEmpty() && !remedied) {
      throw new InvalidInputException(
          "query",
          PROTECT,
          "'" + spared.get(0) + "'",
          "the parameter with \"remedies\": true in the body, without which it has no effect");
    }
    for (String name : spared) {
      if (!request.problem().hasWorkload(name)) {
        throw new InvalidInputException(
            "query",
            PROTECT,
            "'" + name + "'",
            "the name of a workload of the problem"
                + Suggestion.question(name, request.problem().workloadNames()));
      }
    }
    List<Workload> workloads = new ArrayList<>(request.problem().workloads());
    String name = exchange.parameter(WORKLOAD).orElse("");
    Optional<String> holder = distributor.snapshot().nodeOf(name);
    if (holder.isPresent()) {
      // A workload that a node holds is explained as if it were placed now, before the batch.
      workloads.add(0, distributor.release(name));
    }
    int index = indexOf(name, workloads, request.problem());
    Workload asked = workloads.get(index);
    Explanation explanation = distributor.explain(index, workloads);
    List<String> missing = request.missingFromRubric();
    if (!missing.isEmpty()) {
      return new Answer(
          null,
          json -> {
            json.member("workload", explanation.workload());
            json.member("chosen", (String) null).names("missing_from_rubric", missing);
          });
    }
    List<String> fitting = fitted ? distributor.fitting(asked) : null;
    Choice choice = scored ? distributor.advisor().choice(index, workloads) : null;
    Remedies remedies = remedied ? remedies(distributor, workloads, index, spared) : null;
    return new Answer(
        null,
        json -> {
          write(json, explanation, worded);
          holder.ifPresent(node -> json.member("placed", node));
          if (fitting != null) {
            json.names("fitting", fitting);
          }
          if (choice != null) {
            json.object("choice", inside -> ChoiceWriter.write(inside, choice));
          }
          if (remedies != null) {
            json.object("remedies", inside -> write(inside, asked, remedies, worded));
          }
        });
  }

  private static int indexOf(String name, List<Workload> workloads, Problem problem) {
    for (int i = 0; i < workloads.size(); i++) {
      if (workloads.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new InvalidInputException(
        "query",
        WORKLOAD,
        name.isEmpty() ? "missing" : "'" + name + "'",
        "?workload=NAME, the name of a workload of the batch, or of one on a node"
            + Suggestion.question(name, problem.workloadNames()));
  }

  /**
   * Places the batch as far as possible; then the remedies for one of its workloads. Null where
   * that workload has a node.
   */
  private static Remedies remedies(
      Distributor distributor, List<Workload> workloads, int index, List<String> spared) {
    Workload asked = workloads.get(index);
    distributor.assign(workloads);
    Snapshot snapshot = distributor.snapshot();
    if (snapshot.nodeOf(asked.name()).isPresent()) {
      return null;
    }
    Set<String> placed = new HashSet<>(spared);
    placed.removeIf(name -> snapshot.nodeOf(name).isEmpty());
    return distributor.advisor().remedies(asked, placed);
  }

  private static void write(AnswerWriter json, Workload asked, Remedies remedies, boolean worded) {
    if (worded) {
      RemedyWriter.write(
          json,
          remedies,
          RemedyText::of,
          remedy -> String.join("; ", RemedyText.of(asked, remedy)),
          ReasonText::of);
    } else {
      RemedyWriter.write(json, remedies);
    }
  }

  private static void write(AnswerWriter json, Explanation explanation, boolean worded) {
    json.member("workload", explanation.workload());
    json.member("chosen", explanation.chosen().orElse(null));
    if (explanation.chosen().isEmpty() && worded) {
      json.refusal("refusal", explanation.summary(), ReasonText::of, ReasonText::of);
    } else if (explanation.chosen().isEmpty()) {
      json.refusal("refusal", explanation.summary());
    }
  }
}
