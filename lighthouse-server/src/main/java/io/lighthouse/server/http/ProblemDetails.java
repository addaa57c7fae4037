package io.lighthouse.server.http;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Place;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.write.AnswerWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Why a request failed, in the form of RFC 9457. Immutable.
 *
 * @param status the HTTP status
 * @param type the last part of the problem type's URN, such as {@code limit}
 * @param title the type in words, always the same for a type
 * @param detail this case in words
 * @param faults the mistakes in the body, with their places; may be empty
 */
public record ProblemDetails(
    int status, String type, String title, String detail, List<Fault> faults) {
  /** The media type of problem details. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /** The prefix of all problem types. */
  public static final String TYPES = "urn:lighthouse:problem:";

  /** Copies. */
  public ProblemDetails {
    faults = List.copyOf(faults);
  }

  /**
   * A problem that is not about a place in the body.
   *
   * @param status the HTTP status
   * @param type the last part of the problem type's URN
   * @param title the type in words
   * @param detail this case in words
   * @return the problem details
   */
  public static ProblemDetails of(int status, String type, String title, String detail) {
    return new ProblemDetails(status, type, title, detail, List.of());
  }

  /**
   * A problem that there is no room now.
   *
   * @param detail this case in words
   * @return the problem details, 503
   */
  public static ProblemDetails busy(String detail) {
    return of(503, "overload", "The service is busy", detail);
  }

  /**
   * A problem that the client accepts no form of the answer.
   *
   * @param detail this case in words
   * @return the problem details, 406
   */
  public static ProblemDetails notAcceptable(String detail) {
    return of(406, "not-acceptable", "The answer has no form that is accepted", detail);
  }

  /**
   * A body that is not a valid problem: 400 for invalid JSON, 413 beyond a limit, 422 for invalid
   * content.
   *
   * @param wrong the exception of the reader
   * @return the problem details
   */
  public static ProblemDetails of(ProblemFormatException wrong) {
    List<Fault> faults = wrong.faults();
    String more = faults.size() == 1 ? "" : " (and " + (faults.size() - 1) + " more, see errors)";
    String detail = faults.get(0).message() + more;
    return switch (faults.get(0).kind()) {
      case SYNTAX -> new ProblemDetails(400, "syntax", "The body is not JSON", detail, faults);
      case LIMIT -> new ProblemDetails(413, "limit", "The body is beyond a limit", detail, faults);
      case UNKNOWN_MEMBER, MEANING -> nonsense(detail, faults);
    };
  }

  /**
   * A mistake that was found after the whole body was read.
   *
   * @param wrong the mistake; its subject is {@code query} if a parameter of the query is
   *     unreadable
   * @param place its place in the body, if known
   * @return the problem details, status 422, or 400 for the query
   */
  public static ProblemDetails of(InvalidInputException wrong, Optional<Fault> place) {
    if (wrong.subject().equals("query")) {
      return query(wrong.getMessage());
    }
    return nonsense(wrong.getMessage(), place.map(List::of).orElse(List.of()));
  }

  /** A query that cannot be read, status 400. */
  static ProblemDetails query(String detail) {
    return of(400, "query", "The query cannot be used", detail);
  }

  /**
   * A mistake at one place.
   *
   * @param place the place
   * @param found the value found there
   * @param allowed the allowed values
   * @return the problem details, status 422
   */
  public static ProblemDetails at(Place place, String found, String allowed) {
    Fault fault = new Fault(Fault.Kind.MEANING, place, found, allowed);
    return nonsense(
        place.path() + " is " + fault.found() + "; allowed: " + allowed, List.of(fault));
  }

  private static ProblemDetails nonsense(String detail, List<Fault> faults) {
    return new ProblemDetails(422, "meaning", "The JSON is not a valid problem", detail, faults);
  }

  /**
   * Their JSON.
   *
   * @return one line in UTF-8
   */
  public byte[] toJson() {
    return toJson(json -> {});
  }

  /**
   * Their JSON with more members.
   *
   * @param more writes the members after the detail
   * @return one line in UTF-8
   */
  public byte[] toJson(Consumer<AnswerWriter> more) {
    return AnswerWriter.toBytes(
        json -> {
          json.member("type", TYPES + type).member("title", title);
          json.member("status", status).member("detail", detail);
          more.accept(json);
          if (!faults.isEmpty()) {
            json.member("pointer", faults.get(0).place().pointer());
            json.objects("errors", faults, ProblemDetails::fault);
          }
        });
  }

  private static void fault(AnswerWriter json, Fault fault) {
    json.member(
        "detail", subject(fault) + " is " + fault.found() + "; allowed: " + fault.allowed());
    json.member("pointer", fault.place().pointer());
    json.member("line", fault.place().line()).member("column", fault.place().column());
    json.member("found", fault.found()).member("allowed", fault.allowed());
  }

  private static String subject(Fault fault) {
    return fault.place().path().isEmpty() ? "the text" : fault.place().path();
  }
}
