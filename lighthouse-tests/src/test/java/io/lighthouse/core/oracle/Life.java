package io.lighthouse.core.oracle;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.Problem;
import io.lighthouse.json.read.ProblemReader;
import io.lighthouse.json.write.ProblemWriter;
import io.lighthouse.tests.generate.Dice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** One life of a fleet in two engines, step by step. */
final class Life {
  private final long seed;
  private final Fault fault;
  private final Dice dice;
  private final Map<String, Integer> counts;
  private final String strategy;
  private final List<String> steps = new ArrayList<>();

  private Oracle oracle;
  private Distributor engine;

  Life(long seed, Map<String, Integer> counts) {
    this(seed, counts, Fault.NONE);
  }

  /** A life beside an oracle that gets something wrong. */
  Life(long seed, Map<String, Integer> counts, Fault fault) {
    this.seed = seed;
    this.fault = fault;
    this.counts = counts;
    this.dice = new Dice(seed);
    this.strategy = dice.one(List.of("prioritized", "round-robin", "bin-pack"));
  }

  /** Lives; answers with the first difference. */
  Optional<String> run() {
    try {
      Problem problem = Problems.drawn(dice);
      steps.add(text(problem));
      oracle = Problems.oracle(problem, strategy, fault);
      engine = Problems.distributor(problem, strategy);
      compareStates();
      for (int i = 6 + dice.below(10); i > 0; i--) {
        step();
        compareStates();
        audit();
        compareAnswers(dice.workload());
      }
      return Optional.empty();
    } catch (Difference different) {
      return Optional.of(told(different.getMessage()));
    } catch (RuntimeException failed) {
      java.io.StringWriter trace = new java.io.StringWriter();
      failed.printStackTrace(new java.io.PrintWriter(trace));
      String all = trace.toString();
      return Optional.of(told(all.substring(0, Math.min(1500, all.length()))));
    }
  }

  /** Recomputes what the engine derives from its accounts. */
  private void audit() {
    List<String> findings = EngineAudit.of(engine);
    if (!findings.isEmpty()) {
      throw new Difference("audit: " + findings);
    }
  }

  private String told(String difference) {
    return "seed " + seed + ", " + strategy + ":\n" + String.join("\n", steps) + "\n" + difference;
  }

  private void step() {
    switch (dice.below(21)) {
      case 0, 1 -> release();
      case 2 -> change("added node", new Change.AddNode(newNode()));
      case 3 -> change("removed node", new Change.RemoveNode(node()));
      case 4 -> change("resized node", new Change.Resize(node(), dice.node().resources()));
      case 5 -> change("cordoned node", new Change.Cordon(node()));
      case 6 -> change("uncordoned node", new Change.Uncordon(node()));
      case 7 -> change("declared", new Change.Declare(dice.domain()));
      case 8 -> ofADomain(dice.below(4));
      case 9 -> placed().ifPresent(one -> regroup(one.name()));
      case 10 -> placed().ifPresent(this::move);
      case 11 -> change("assigned to a node", new Change.Assign(dice.workload(), node()));
      case 12 -> {
        count("copied");
        steps.add("copy");
        Distributor left = engine;
        engine = engine.copy();
        oracle = oracle.copy();
        left.assign(dice.batch());
      }
      case 13 -> writeOut();
      case 14 -> allOrNothing();
      case 15 -> rollBack();
      case 16 -> tryOut();
      case 17 -> bringLateLevel();
      default -> assign(dice.batch());
    }
  }

  private String node() {
    List<NodeState> nodes = oracle.nodes();
    return nodes.isEmpty() ? "none" : dice.one(nodes).name();
  }

  private Node newNode() {
    List<Domain> declared = new ArrayList<>();
    oracle
        .domains()
        .forEach(state -> declared.add(Domain.of(state.level(), state.name(), state.capacity())));
    return dice.chance(2) ? dice.node() : dice.nodeWithWorkloads(declared);
  }

  private Optional<Workload> placed() {
    List<Workload> placed = new ArrayList<>();
    oracle.nodes().forEach(node -> placed.addAll(node.workloads()));
    return placed.isEmpty() ? Optional.empty() : Optional.of(dice.one(placed));
  }

  private void ofADomain(int what) {
    List<DomainState> domains = oracle.domains();
    if (domains.isEmpty()) {
      return;
    }
    DomainState domain = dice.one(domains);
    String level = domain.level();
    String name = domain.name();
    switch (what) {
      case 0 -> change("undeclared", new Change.Undeclare(level, name));
      case 1 ->
          change("resized domain", new Change.ResizeDomain(level, name, dice.domain().resources()));
      default -> change("cordoned domain", new Change.CordonDomain(level, name, dice.chance(2)));
    }
  }

  private void regroup(String workload) {
    change("regrouped", new Change.Regroup(workload, dice.groups()));
  }

  private void move(Workload workload) {
    move(workload, node());
  }

  private void move(Workload workload, String to) {
    String from =
        oracle.nodes().stream()
            .filter(node -> node.workloads().contains(workload))
            .findFirst()
            .orElseThrow()
            .name();
    change("moved", new Change.Move(workload.name(), from, to));
  }

  private void release() {
    placed().ifPresent(one -> change("released", new Change.Release(one.name())));
  }

  /** A placed workload's rule names a level before a node does; then both get company there. */
  private void bringLateLevel() {
    count("late level");
    String level = "late-" + steps.size();
    String group = dice.one(List.of("a", "b", "c"));
    Rule rule =
        dice.chance(2) ? new Rule.Most(dice.below(3), group, level) : new Rule.Apart(group, level);
    Workload drawn = dice.workload();
    Workload holder = drawn.withTerms(drawn.terms().rules(rule));
    assign(List.of(holder));
    Node node = newNode().in(level, "there");
    change("added node", new Change.AddNode(node));
    change("assigned to a node", new Change.Assign(dice.workload(), node.name()));
    if (oracle.nodes().stream().anyMatch(each -> each.workloads().contains(holder))) {
      move(holder, node.name());
      compareStates();
    }
  }

  /** Both take it, or both refuse it. */
  private void change(String title, Change change) {
    steps.add(change.toString() + (change instanceof Change.AddNode add ? text(add.node()) : ""));
    boolean taken = true;
    try {
      oracle.apply(change);
    } catch (InvalidInputException refused) {
      taken = false;
    }
    String refusal = null;
    try {
      engine.apply(change);
    } catch (InvalidInputException refused) {
      refusal = refused.getMessage();
    }
    same("taken: " + change + " " + refusal, taken, refusal == null);
    count(taken ? title : "refused change");
    if (taken) {
      countKind(change);
    }
  }

  private void countKind(Object value) {
    count(value.getClass().getSimpleName());
  }

  private void countKinds(Terms terms) {
    Stream.of(terms.rules(), terms.preferences(), terms.where())
        .flatMap(List::stream)
        .forEach(this::countKind);
  }

  private void assign(List<Workload> batch) {
    batch.forEach(workload -> countKinds(workload.terms()));
    steps.add("assign " + text(Problem.of(List.of(), batch)));
    Outcome outcome = oracle.copy().assign(batch);
    for (int tries = 2; tries > 0; tries--) {
      int index = dice.below(batch.size());
      Explanation explanation = engine.explain(index, batch);
      String name = batch.get(index).name();
      Optional<String> placed = Optional.ofNullable(outcome.placed().get(name));
      same("chosen for " + name, placed, explanation.chosen());
      same("chosen of all for " + name, placed, engine.advisor().choice(index, batch).chosen());
      same(
          "gang of " + name,
          Optional.ofNullable(outcome.gangs().get(name)),
          explanation.summary().gang());
      if (batch.get(index).terms().gang().isEmpty() && outcome.why().containsKey(name)) {
        same("why not " + name, outcome.why().get(name), broken(explanation));
      }
    }
    List<Refusal> refusals = oracle.refusals(batch, outcome);
    oracle.assign(batch);
    Assignments answer = engine.assign(batch, AssignOption.EXPLAIN);
    same("placed", outcome.placed(), Problems.placed(answer));
    outcome.placed().values().forEach(node -> count(node == null ? "refused" : "placed"));
    same("refusals", refusals, answer.refusals());
    countGangs(batch, outcome);
  }

  private void countGangs(List<Workload> batch, Outcome outcome) {
    for (Workload workload : batch) {
      if (workload.terms().gang().isEmpty()) {
        continue;
      }
      GangRefusal gang = outcome.gangs().get(workload.name());
      boolean within = workload.terms().gang().get().within().isPresent();
      if (gang == null) {
        count(within ? "gang placed in a domain" : "gang placed");
        if (within && outcome.attempts().getOrDefault(workload.name(), 1) > 1) {
          count("gang placed in another domain than the first");
        }
      } else {
        count("gang undone");
        if (gang.tried() == 0) {
          count("gang whose first member found nothing");
        } else if (gang.tried() > 1) {
          count("gang undone in every domain");
        }
      }
    }
  }

  private void allOrNothing() {
    count("all or nothing");
    List<Workload> batch = dice.batch();
    steps.add("all or nothing " + text(Problem.of(List.of(), batch)));
    Outcome outcome = oracle.assignAllOrNone(batch);
    boolean all = outcome.placed().values().stream().allMatch(Objects::nonNull);
    Assignments answer = engine.assign(batch, AssignOption.ALL_OR_NOTHING);
    same("all placed", all, answer.allPlaced());
  }

  /** Some changes of which the last is wrong: nothing may be left of them. */
  private void rollBack() {
    count("rolled back");
    steps.add("changes that are rolled back");
    List<Change> changes = someOfEveryKind();
    changes.add(new Change.Regroup("nobody", dice.groups()));
    String refusal = null;
    try {
      engine.apply(changes);
    } catch (InvalidInputException refused) {
      refusal = refused.getMessage();
    }
    same("refused", true, refusal != null);
  }

  /** A few steps of the life in a trial, in which both agree as well; then all is as before. */
  private void tryOut() {
    count("tried out");
    Oracle before = oracle;
    Distributor outer = engine;
    Oracle then = oracle.copy();
    List<Change> changes = new ArrayList<>();
    for (Change change : someOfEveryKind()) {
      try {
        then.apply(change);
        changes.add(change);
      } catch (InvalidInputException doesNotGo) {
        count("refused change");
      }
    }
    steps.add("try out " + changes);
    long generation = outer.generation();
    outer.tryOut(
        changes,
        tried -> {
          oracle = then;
          engine = tried;
          try {
            compareStates();
            for (int i = dice.below(5); i > 0; i--) {
              step();
              compareStates();
            }
            compareAnswers(dice.workload());
            return null;
          } finally {
            oracle = before;
            engine = outer;
          }
        });
    steps.add("end of the trial");
    same("generation", generation, outer.generation());
  }

  private List<Change> someOfEveryKind() {
    List<Change> changes = new ArrayList<>();
    placed().ifPresent(one -> changes.add(new Change.Release(one.name())));
    changes.add(new Change.AddNode(newNode()));
    if (!oracle.domains().isEmpty()) {
      DomainState domain = dice.one(oracle.domains());
      changes.add(new Change.ResizeDomain(domain.level(), domain.name(), domain.capacity()));
      changes.add(new Change.CordonDomain(domain.level(), domain.name(), !domain.cordoned()));
    }
    changes.add(new Change.Declare(Domain.of("new", "one", dice.domain().resources())));
    return changes;
  }

  /** What is written out and read again goes on alike. */
  private void writeOut() {
    count("written out and read");
    steps.add("write out, read");
    Problem written = Problem.of(engine);
    Problem read =
        ProblemReader.standard().read(text(written).getBytes(StandardCharsets.UTF_8)).problem();
    same("written and read", written, read);
    engine = Problems.distributor(read, strategy);
  }

  private void compareStates() {
    same("nodes", oracle.nodes(), engine.snapshot().nodes());
    same("domains", oracle.domains(), engine.snapshot().domains());
    same("position", oracle.lastPlaced(), engine.snapshot().lastPlaced());
  }

  /** What both say of a workload that comes now. */
  private void compareAnswers(Workload workload) {
    steps.add("ask for " + text(Problem.of(List.of(), List.of(workload))));
    same("fitting", oracle.fitting(workload), engine.fitting(workload));
    Explanation explanation = engine.explain(workload);
    Explanation expected = oracle.explanation(workload);
    Map<String, List<Reason>> reasons = broken(expected);
    same("reasons", reasons, broken(explanation));
    same("verdicts", expected.nodes(), explanation.nodes());
    same("explanation", expected, explanation);
    List<String> best = oracle.candidates(workload);
    for (NodeVerdict verdict : explanation.nodes()) {
      verdict.reasons().forEach(this::countKind);
      boolean candidate =
          verdict.fits()
              && verdict.reasons().stream().allMatch(reason -> reason instanceof Reason.Later);
      same("candidate " + verdict.node(), best.contains(verdict.node()), candidate);
    }
    if (best.size() < oracle.fitting(workload).size()
        && !workload.terms().preferences().isEmpty()) {
      count("preference narrowed");
    }
    reasons.values().forEach(all -> all.forEach(this::count));
    steps.remove(steps.size() - 1);
  }

  private static Map<String, List<Reason>> broken(Explanation explanation) {
    Map<String, List<Reason>> broken = new LinkedHashMap<>();
    for (NodeVerdict verdict : explanation.nodes()) {
      broken.put(verdict.node(), verdict.fits() ? List.of() : verdict.reasons());
    }
    return broken;
  }

  private void count(Reason reason) {
    String kind = reason.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
    boolean byAnother = reason instanceof Reason.Crowded crowded && crowded.by().isPresent();
    count(kind + (reason instanceof Reason.At ? " at" : byAnother ? " by another" : ""));
  }

  private void count(String title) {
    counts.merge(title, 1, Integer::sum);
  }

  private void same(String what, Object expected, Object found) {
    if (!Objects.equals(expected, found)) {
      throw new Difference(what + "\n  expected " + expected + "\n  found    " + found);
    }
  }

  private static String text(Node node) {
    return " " + text(Problem.of(List.of(node), List.of()));
  }

  private static String text(Problem problem) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ProblemWriter.write(problem, out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toString(StandardCharsets.UTF_8).replace("\n", "");
  }

  /** Two engines that say two things. */
  private static final class Difference extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Difference(String message) {
      super(message);
    }
  }
}
