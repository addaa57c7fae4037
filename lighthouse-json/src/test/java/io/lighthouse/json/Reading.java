package io.lighthouse.json;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Short ways to read a text in a test. */
final class Reading {
  private Reading() {}

  static ProblemDocument document(String text) {
    return ProblemReader.standard().read(text.getBytes(StandardCharsets.UTF_8));
  }

  static Problem problem(String text) {
    return document(text).problem();
  }

  /** A problem of one node with these members, and no workloads. */
  static Problem node(String members) {
    return problem("{\"nodes\":[{" + members + "}],\"workloads\":[]}");
  }

  /** A problem without nodes and of one workload with these members. */
  static Problem workload(String members) {
    return problem("{\"nodes\":[],\"workloads\":[{" + members + "}]}");
  }

  static List<Fault> faults(ProblemReader reader, byte[] text) {
    ProblemFormatException thrown =
        catchThrowableOfType(ProblemFormatException.class, () -> reader.read(text));
    return thrown == null ? List.of() : thrown.faults();
  }

  static List<Fault> faults(String text) {
    return faults(ProblemReader.standard(), text.getBytes(StandardCharsets.UTF_8));
  }

  /** The message of the only fault of a text. */
  static String fault(String text) {
    List<Fault> faults = faults(text);
    if (faults.size() != 1) {
      throw new AssertionError("not one fault but " + faults);
    }
    return faults.get(0).message();
  }
}
