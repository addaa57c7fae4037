package io.lighthouse.json.question;

import io.lighthouse.api.Change;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.Plural;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Place;
import io.lighthouse.json.WantedPlan;
import io.lighthouse.json.problem.ProblemParser;
import io.lighthouse.json.token.ObjectMembers;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Trail;
import io.lighthouse.json.token.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonToken;

/**
 * Reads a plan as an answer has it, beside the workloads that it places. For one use, in one
 * thread.
 */
public final class WantedPlanParser implements ProblemParser.Beside {
  private static final String GENERATION = "generation";
  private static final String WAVES = "waves";

  /** The first two are read; the others say what the plan is for, and change nothing. */
  private static final List<String> MEMBERS =
      List.of(GENERATION, WAVES, "goal", "unmet", "before", "after", "bound", "obstacles");

  private static final ObjectMembers.Form WAVE = ObjectMembers.Form.of("changes");
  private static final ObjectMembers.Form CHANGE = ObjectMembers.Form.of("workload", "from", "to");

  /** A change and where it begins; {@code from} is null where it places a new workload. */
  private record Step(String workload, String from, String to, int wave, int index, long position) {
    Place place() {
      Trail trail = new Trail().name(WAVES).index(wave).name("changes").index(index);
      return trail.name("workload").at(position);
    }
  }

  private final Tokens tokens;
  private final Values values;
  private final List<Step> steps = new ArrayList<>();
  private long generation;
  private int wave;

  /** Reads a plan from these tokens. */
  public WantedPlanParser(Tokens tokens, Values values) {
    this.tokens = tokens;
    this.values = values;
  }

  @Override
  public List<String> members() {
    return MEMBERS;
  }

  @Override
  public Map<String, String> required() {
    Map<String, String> required = new LinkedHashMap<>();
    required.put(GENERATION, "the generation of the fleet that the plan was made for");
    required.put(WAVES, "an array of waves, as a plan has them");
    return required;
  }

  @Override
  public void read(String member) {
    switch (member) {
      case GENERATION -> generation = values.generation();
      case WAVES -> readWaves();
      default -> {
        tokens.next();
        tokens.skip();
      }
    }
  }

  private void readWaves() {
    tokens.next();
    if (!tokens.isArray("an array of waves")) {
      return;
    }
    for (wave = 0; tokens.next() != JsonToken.END_ARRAY; wave++) {
      if (!tokens.isObject("an object with changes")) {
        continue;
      }
      ObjectMembers members = new ObjectMembers(tokens, WAVE);
      String member;
      while ((member = members.next()) != null) {
        readChanges();
      }
      members.requireIfSound("changes", "an array of changes");
    }
  }

  private void readChanges() {
    tokens.next();
    if (!tokens.isArray("an array of changes")) {
      return;
    }
    for (int index = 0; tokens.next() != JsonToken.END_ARRAY; index++) {
      if (!tokens.isObject("an object with workload, to, and where it is a move from")) {
        continue;
      }
      if (steps.size() == tokens.limits().workloads()) {
        throw tokens.stop(
            Fault.Kind.LIMIT,
            "one too many",
            "at most " + Plural.of(tokens.limits().workloads(), "change"));
      }
      readChange(index);
    }
  }

  private void readChange(int index) {
    long position = tokens.position();
    ObjectMembers change = new ObjectMembers(tokens, CHANGE);
    Map<String, String> names = new HashMap<>();
    String member;
    while ((member = change.next()) != null) {
      names.put(member, values.ownName("a name"));
    }
    change.requireIfSound("workload", "the name of a workload");
    change.requireIfSound("to", "the name of a node");
    if (change.isSound()) {
      steps.add(
          new Step(
              names.get("workload"), names.get("from"), names.get("to"), wave, index, position));
    }
  }

  /** Makes the plan at the end of a sound text; notes each new workload that is not there. */
  public WantedPlan plan(List<Workload> batch) {
    Map<String, Workload> named = new HashMap<>();
    batch.forEach(one -> named.put(one.name(), one));
    List<Change> changes = new ArrayList<>();
    for (Step step : steps) {
      if (step.from != null) {
        changes.add(new Change.Move(step.workload, step.from, step.to));
      } else if (named.containsKey(step.workload)) {
        changes.add(new Change.Assign(named.get(step.workload), step.to));
      } else {
        tokens.note(
            step.place(),
            "'" + step.workload + "'",
            "the name of one of workloads, or a move with from");
      }
    }
    return new WantedPlan(generation, changes);
  }
}
