package io.lighthouse.json.read;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lighthouse.json.Fault;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemFormatException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Short ways to read a text in a test. */
public final class Reading {
  private Reading() {}

  public static ProblemDocument document(String text) {
    return ProblemReader.standard().read(text.getBytes(StandardCharsets.UTF_8));
  }

  public static Problem problem(String text) {
    return document(text).problem();
  }

  /** A problem of one node with these members, and no workloads. */
  public static Problem node(String members) {
    return problem("{\"nodes\":[{" + members + "}],\"workloads\":[]}");
  }

  /** A problem without nodes and of one workload with these members. */
  public static Problem workload(String members) {
    return problem("{\"nodes\":[],\"workloads\":[{" + members + "}]}");
  }

  public static List<Fault> faults(ProblemReader reader, byte[] text) {
    ProblemFormatException thrown =
        catchThrowableOfType(ProblemFormatException.class, () -> reader.read(text));
    return thrown == null ? List.of() : thrown.faults();
  }

  public static List<Fault> faults(String text) {
    return faults(ProblemReader.standard(), text.getBytes(StandardCharsets.UTF_8));
  }

  /** The message of the only fault of a text. */
  public static String fault(String text) {
    List<Fault> faults = faults(text);
    if (faults.size() != 1) {
      throw new AssertionError("not one fault but " + faults);
    }
    return faults.get(0).message();
  }
}
