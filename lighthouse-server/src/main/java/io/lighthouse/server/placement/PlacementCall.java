package io.lighthouse.server.placement;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
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

  /** Places a problem, all or nothing where this call is so. */
  Assignments place(Distributor distributor, Request request) {
    Set<AssignOption> options = EnumSet.noneOf(AssignOption.class);
    if (allOrNothing) {
      options.add(AssignOption.ALL_OR_NOTHING);
    }
    if (request.explain()) {
      options.add(AssignOption.EXPLAIN);
    }
    return distributor.assign(request.problem().workloads(), options.toArray(new AssignOption[0]));
  }

  /** Writes an answer. A name that the rubric asks for and that is missing makes it a no. */
  void write(AnswerWriter json, Assignments assignments, Request request) {
    List<String> missing = request.missingFromRubric();
    if (allOrNothing) {
      boolean successful = missing.isEmpty() && assignments.allPlaced();
      json.member("successful", successful);
      if (successful) {
        json.placements("assignments", assignments);
      } else {
        json.object("assignments", nothing -> {});
      }
      return;
    }
    if (missing.isEmpty()) {
      json.names("failures", assignments.refused());
      json.placements("assignments", assignments);
    } else {
      json.names("failures", assignments.asMap().keySet());
      json.object("assignments", nothing -> {});
    }
    if (request.explain()) {
      json.refusals("refusals", missing.isEmpty() ? assignments.refusals() : List.of());
      if (!missing.isEmpty()) {
        json.names("missing_from_rubric", missing);
      }
    }
  }
}
