package io.lighthouse.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The calls of clients on one fleet and their answers, checked against a model that applies the log
 * one entry after the other. It shares no code with what it checks, and trusts the log only where
 * the answers and the sums agree with it.
 *
 * <p>A history is accepted if the order of the generations is a valid order of all calls. Every
 * answer must be that of the model at its generation. A call that began after another had ended
 * must not come before it (linearizability: M. P. Herlihy and J. M. Wing, TOPLAS 12(3), 1990). The
 * service names the order, so that none has to be searched for.
 */
final class History {
  /**
   * One call, with all its repetitions.
   *
   * @param kind assign, release, where or sum
   * @param workload what it is about
   * @param need how much an assigned workload needs
   * @param start before it was sent first
   * @param end after its answer had come; the greatest number where there was none
   * @param status of the answer; 0 where there was none that is certain
   * @param body of the answer; null where there was none. A call that was refused while an earlier
   *     attempt was still under way has a second record, of status 0, with the body of the refusal
   */
  record Call(
      String kind, String workload, int need, long start, long end, int status, JsonNode body) {
    long generation() {
      return body == null ? -1 : body.path("generation").asLong(-1);
    }

    boolean changed() {
      return switch (kind) {
        case "assign" -> status == 200 && body.path("successful").asBoolean();
        case "release" -> status == 200;
        default -> false;
      };
    }
  }

  /** The fleet of the model after one entry. */
  private static final class Moment {
    final Map<String, Integer> left;
    final int workloads;

    Moment(Map<String, Integer> left, int workloads) {
      this.left = new HashMap<>(left);
      this.workloads = workloads;
    }
  }

  /** What an entry did that keeps a no for good. */
  private static final String NOTHING = "nothing";

  private final List<Call> calls;
  private final List<JsonNode> log;
  private final Map<String, Integer> capacity = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();

  /** By generation. */
  private final List<Moment> moments = new ArrayList<>();

  /** By workload: from which generation on it is where; an empty word for nowhere. */
  private final Map<String, TreeMap<Long, String>> places = new HashMap<>();

  private History(List<Call> calls, List<JsonNode> log) {
    this.calls = calls;
    this.log = log;
  }

  /** What is wrong with a history; empty where nothing is. */
  static List<String> faults(List<Call> calls, List<JsonNode> log) {
    History history = new History(calls, log);
    history.replay();
    if (history.faults.isEmpty()) {
      history.explain();
      history.inOrderOfTime();
    }
    return history.faults;
  }

  private void fault(String what) {
    if (faults.size() < 20) {
      faults.add(what);
    }
  }

  /** Carries the log out, and checks that each entry goes on what was before. */
  private void replay() {
    Map<String, Integer> left = new HashMap<>();
    Map<String, Integer> needs = new HashMap<>();
    moments.add(null); // Generations count from 1.
    for (int i = 0; i < log.size(); i++) {
      JsonNode entry = log.get(i);
      long generation = i + 1;
      if (entry.path("generation").asLong() != generation) {
        fault("entry " + generation + " of the log is " + entry.path("generation"));
        return;
      }
      if (i == 0) {
        for (JsonNode node : entry.path("problem").path("nodes")) {
          String name = node.path("name").asText();
          capacity.put(name, node.path("resources").path("cpu").asInt());
        }
        left.putAll(capacity);
      }
      for (JsonNode change : entry.path("changes")) {
        carryOut(generation, change, left, needs);
      }
      moments.add(new Moment(left, needs.size()));
    }
    if (capacity.isEmpty()) {
      fault("the log does not begin with a fleet");
    }
  }

  private void carryOut(
      long generation, JsonNode change, Map<String, Integer> left, Map<String, Integer> needs) {
    String kind = change.path("change").asText();
    if (kind.equals("assign")) {
      String workload = change.path("assigned").path("name").asText();
      int need = change.path("assigned").path("requirements").path("cpu").asInt();
      String node = change.path("node").asText();
      if (needs.put(workload, need) != null) {
        fault("generation " + generation + " places " + workload + " a second time");
      }
      if (left.merge(node, -need, Integer::sum) < 0) {
        fault("generation " + generation + " places more on " + node + " than it has");
      }
      places.computeIfAbsent(workload, none -> new TreeMap<>()).put(generation, node);
    } else if (kind.equals("release")) {
      String workload = change.path("workload").asText();
      Integer need = needs.remove(workload);
      if (need == null) {
        fault("generation " + generation + " releases " + workload + ", which is nowhere");
        return;
      }
      left.merge(places.get(workload).lastEntry().getValue(), need, Integer::sum);
      places.get(workload).put(generation, "");
    } else {
      fault("generation " + generation + " has a change that nobody asked for: " + change);
    }
  }

  private String where(String workload, long generation) {
    Map.Entry<Long, String> place =
        places.getOrDefault(workload, new TreeMap<>()).floorEntry(generation);
    return place == null ? "" : place.getValue();
  }

  /**
   * Checks that every answer is that of the model at its generation, and every entry has one call.
   */
  private void explain() {
    Map<Long, Call> by = new HashMap<>();
    Map<String, Long> perhapsBehind = new HashMap<>();
    Set<Long> noes = new HashSet<>();
    for (Call call : calls) {
      if (call.status == 0) {
        perhapsBehind.put(call.kind + " " + call.workload, call.generation());
        continue;
      }
      if (call.generation() < 1 || call.generation() >= moments.size()) {
        fault("the log has no generation of the answer " + call);
        continue;
      }
      if (call.changed()) {
        Call other = by.put(call.generation(), call);
        if (other != null) {
          fault("one generation for two calls: " + call + " and " + other);
        }
      }
      if (call.kind.equals("assign") && !call.changed()) {
        noes.add(call.generation());
      }
      String said = said(call);
      String is = is(call);
      if (!said.equals(is)) {
        fault("answered '" + said + "', and it was '" + is + "': " + call);
      }
    }
    for (int generation = 2; generation < moments.size(); generation++) {
      if (by.containsKey((long) generation)) {
        continue;
      }
      String done = done(log.get(generation - 1));
      Long behind = perhapsBehind.remove(done);
      if (done.equals(NOTHING) ? !noes.contains((long) generation) : behind == null) {
        fault("generation " + generation + " did '" + done + "', which nobody asked for");
      } else if (behind != null && generation <= behind) {
        fault("generation " + generation + " did '" + done + "', and it was told no at " + behind);
      }
    }
  }

  private static String done(JsonNode entry) {
    if (entry.path("kind").asText().equals("unchanged")) {
      return NOTHING;
    }
    JsonNode change = entry.path("changes").path(0);
    return change.path("change").asText().equals("assign")
        ? "assign " + change.path("assigned").path("name").asText()
        : "release " + change.path("workload").asText();
  }

  private static String said(Call call) {
    return switch (call.kind) {
      case "assign" ->
          call.changed()
              ? call.workload + " to " + call.body.at("/assignments/" + call.workload).asText()
              : "no room for " + call.need;
      case "release" -> call.status == 200 ? "released" : "nowhere";
      case "where" -> call.status == 200 ? call.body.path("node").asText() : "nowhere";
      case "sum" ->
          call.body.path("workloads").asInt() + " and " + call.body.at("/left/cpu").asInt();
      default -> throw new IllegalArgumentException(call.kind);
    };
  }

  /** What it was at the generation of the answer. */
  private String is(Call call) {
    long generation = call.generation();
    String before = where(call.workload, generation - 1);
    String now = where(call.workload, generation);
    Moment moment = moments.get((int) generation);
    switch (call.kind) {
      case "assign":
        if (call.changed()) {
          return call.workload + " to " + (before.isEmpty() ? now : "where it was before");
        }
        boolean room = moment.left.values().stream().anyMatch(left -> left >= call.need);
        return room ? "room for " + call.need : "no room for " + call.need;
      case "release":
        boolean released = !before.isEmpty() && now.isEmpty();
        return call.status == 200
            ? (released ? "released" : "not released")
            : (now.isEmpty() ? "nowhere" : now);
      case "where":
        return now.isEmpty() ? "nowhere" : now;
      default:
        return moment.workloads
            + " and "
            + moment.left.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /**
   * Checks that a call that began after another had ended has the same generation or a later one.
   */
  private void inOrderOfTime() {
    Call[] answered = calls.stream().filter(call -> call.status != 0).toArray(Call[]::new);
    Call[] byEnd = answered.clone();
    Arrays.sort(answered, (a, b) -> Long.compare(a.start, b.start));
    Arrays.sort(byEnd, (a, b) -> Long.compare(a.end, b.end));
    Call newest = null;
    int ended = 0;
    for (Call call : answered) {
      while (ended < byEnd.length && byEnd[ended].end < call.start) {
        if (newest == null || byEnd[ended].generation() > newest.generation()) {
          newest = byEnd[ended];
        }
        ended++;
      }
      if (newest != null
          && (call.generation() < newest.generation()
              || call.changed() && call.generation() == newest.generation())) {
        fault(
            "told of an older fleet than one who had been answered before: "
                + call
                + ", "
                + newest);
      }
    }
  }
}
