package io.lighthouse.server;

import io.lighthouse.api.Assignments;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Problem;
import io.lighthouse.json.read.ProblemReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Services to be measured, problems for them, and what the library in this JVM says to these. */
final class Load {
  private static final String[] STRATEGIES = {"prioritized", "round-robin", "bin-pack"};

  private static final String LISTENS = "lighthouse listens on ";

  private Load() {}

  /** Where a service listens that was just started: the first thing that it says. */
  static URI address(Process service) throws IOException {
    BufferedReader out =
        new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    if (line == null || !line.startsWith(LISTENS)) {
      throw new IOException("the service did not start: " + line);
    }
    return URI.create(line.substring(LISTENS.length()));
  }

  /** A problem; the same seed makes the same text. */
  static String problem(long seed, int nodes, int workloads) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(64 * (nodes + workloads));
    text.append("{\"strategy\":\"").append(STRATEGIES[random.nextInt(3)]);
    text.append("\",\"rubric\":{\"cpu\":1,\"mem\":0.25},\"nodes\":[");
    for (int i = 0; i < nodes; i++) {
      text.append(i == 0 ? "" : ",").append("{\"id\":\"node-").append(i);
      text.append("\",\"resources\":{\"cpu\":").append(2 + random.nextInt(15));
      text.append(",\"mem\":").append(4 + random.nextInt(61)).append("}}");
    }
    text.append("],\"workloads\":[");
    for (int i = 0; i < workloads; i++) {
      text.append(i == 0 ? "" : ",").append("{\"id\":\"w-").append(i);
      text.append("\",\"requirements\":{\"cpu\":").append(1 + random.nextInt(40) / 10.0);
      text.append(",\"mem\":").append(1 + random.nextInt(12)).append("}}");
    }
    return text.append("]}").toString();
  }

  /** The answer of /try-assign-workloads, made by the library without the service. */
  static String answer(String text) {
    Problem problem =
        ProblemReader.standard().read(text.getBytes(StandardCharsets.UTF_8)).problem();
    Assignments assignments = place(problem);
    StringBuilder failures = new StringBuilder();
    StringBuilder placed = new StringBuilder();
    for (int i = 0; i < assignments.size(); i++) {
      String workload = "\"" + assignments.workload(i) + "\"";
      if (assignments.node(i).isEmpty()) {
        failures.append(failures.isEmpty() ? "" : ",").append(workload);
      } else {
        placed.append(placed.isEmpty() ? "" : ",").append(workload).append(":\"");
        placed.append(assignments.node(i).get()).append('"');
      }
    }
    return "{\"failures\":[" + failures + "],\"assignments\":{" + placed + "}}";
  }

  static Assignments place(Problem problem) {
    return Distributors.installed()
        .strategy(problem.strategy().orElseThrow())
        .rubric(problem.rubric().orElseThrow())
        .nodes(problem.nodes())
        .build()
        .assign(problem.workloads());
  }
}
