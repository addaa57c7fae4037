package io.lighthouse.server.placement;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.json.AnswerWriter;
import io.lighthouse.json.ProblemReader;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.Route;
import java.io.InputStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A call that takes a problem and answers with placements. Immutable and thread-safe. */
public final class PlacementCall implements Route.Action {
  /** The flag that asks why workloads were refused. */
  static final String EXPLAIN = "explain";

  private final boolean allOrNothing;
  private final ProblemReader reader;
  private final StrategyCatalog catalog;
  private final DecisionPool pool;
  private final Observer observer;

  private PlacementCall(
      boolean allOrNothing,
      ProblemReader reader,
      StrategyCatalog catalog,
      DecisionPool pool,
      Observer observer) {
    this.allOrNothing = allOrNothing;
    this.reader = reader;
    this.catalog = catalog;
    this.pool = pool;
    this.observer = observer;
  }

  /**
   * The documented call: all or nothing.
   *
   * @param reader reads problems, within limits
   * @param catalog the strategies
   * @param pool where decisions are made
   * @param observer who counts
   * @return the call
   */
  public static PlacementCall assign(
      ProblemReader reader, StrategyCatalog catalog, DecisionPool pool, Observer observer) {
    return new PlacementCall(true, reader, catalog, pool, observer);
  }

  /**
   * The call beside it, which places what can be placed, and explains where it is asked to.
   *
   * @param reader reads problems, within limits
   * @param catalog the strategies
   * @param pool where decisions are made
   * @param observer who counts
   * @return the call
   */
  public static PlacementCall tryAssign(
      ProblemReader reader, StrategyCatalog catalog, DecisionPool pool, Observer observer) {
    return new PlacementCall(false, reader.withFlags(EXPLAIN), catalog, pool, observer);
  }

  @Override
  public void answer(Exchange exchange, InputStream body) {
    pool.submit(new PlacementDecision(this, exchange, body));
  }

  ProblemReader reader() {
    return reader;
  }

  StrategyCatalog catalog() {
    return catalog;
  }

  Observer observer() {
    return observer;
  }

  /**
   * Places a problem, all or nothing where this call is so. Nothing is placed where a name is
   * missing that the rubric asks for.
   */
  Assignments place(Distributor distributor, Request request) {
    Set<AssignOption> options = EnumSet.noneOf(AssignOption.class);
    if (allOrNothing) {
      options.add(AssignOption.ALL_OR_NOTHING);
    }
    if (request.explain()) {
      options.add(AssignOption.EXPLAIN);
    }
    List<Workload> workloads = request.problem().workloads();
    Assignments found = distributor.assign(workloads, options.toArray(new AssignOption[0]));
    if (request.missingFromRubric().isEmpty()) {
      return found;
    }
    String[] names = workloads.stream().map(Workload::name).toArray(String[]::new);
    return Assignments.of(names, new String[names.length], List.of());
  }

  /** Writes an answer. */
  void write(AnswerWriter json, Assignments assignments, Request request) {
    List<String> missing = request.missingFromRubric();
    if (allOrNothing) {
      json.member("successful", missing.isEmpty() && assignments.allPlaced());
    } else {
      json.names("failures", assignments.refused());
    }
    json.placements("assignments", assignments);
    if (request.explain()) {
      json.refusals("refusals", assignments.refusals());
      if (!missing.isEmpty()) {
        json.names("missing_from_rubric", missing);
      }
    }
  }
}
