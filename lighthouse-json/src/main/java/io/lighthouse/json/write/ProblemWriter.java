package io.lighthouse.json.write;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.Problem;
import io.lighthouse.json.problem.PartWriter;
import io.lighthouse.json.token.Json;
import java.io.IOException;
import java.io.OutputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.util.MinimalPrettyPrinter;

/**
 * Writes problems as JSON in UTF-8. What was written and read again is equal to what was written.
 *
 * <p>Equal problems give equal bytes: strategy, rubric, settings, rules, domains, nodes, workloads,
 * last_placed, in this order, what is empty left out where the format lets it. Every rule at the
 * top, domain, node and workload has a line of its own. Infinities are strings, so that any JSON
 * parser reads the text.
 */
public final class ProblemWriter {
  private ProblemWriter() {}

  /**
   * Writes a problem, and a line feed behind it.
   *
   * @param problem the problem
   * @param out where to; flushed and left open
   * @throws IOException if it cannot be written
   * @throws InvalidInputException if it has more levels of objects and arrays than a reader takes;
   *     what was written until then is no problem
   */
  public static void write(Problem problem, OutputStream out) throws IOException {
    try (JsonGenerator json = Json.generator(out, new LinePerEntry())) {
      json.writeStartObject();
      PartWriter.members(json, problem);
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (JacksonIOException wrapped) {
      throw wrapped.getCause();
    } catch (StreamConstraintsException tooDeep) {
      throw new InvalidInputException(
          "problem",
          "depth",
          "more than " + Json.MOST_LEVELS + " levels of objects and arrays",
          "at most that: fewer conditions within one another");
    }
    out.flush();
  }

  /** A line for each member at the top, and for each node and workload. */
  private static final class LinePerEntry extends MinimalPrettyPrinter {
    private static final long serialVersionUID = 1L;

    /**
     * The levels whose entries have lines of their own: the problem's members, and their lists'.
     */
    private static final int MEMBERS = 1;

    private static final int ENTRIES = 2;

    @Override
    public void writeObjectEntrySeparator(JsonGenerator json) throws JacksonException {
      json.writeRaw(level(json) == MEMBERS ? ",\n" : ",");
    }

    @Override
    public void beforeArrayValues(JsonGenerator json) throws JacksonException {
      breakLine(json);
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator json) throws JacksonException {
      json.writeRaw(level(json) == ENTRIES ? ",\n" : ",");
    }

    @Override
    public void writeEndArray(JsonGenerator json, int entries) throws JacksonException {
      if (entries > 0) {
        breakLine(json);
      }
      json.writeRaw(']');
    }

    private static void breakLine(JsonGenerator json) {
      if (level(json) == ENTRIES) {
        json.writeRaw('\n');
      }
    }

    private static int level(JsonGenerator json) {
      return json.streamWriteContext().getNestingDepth();
    }
  }
}
