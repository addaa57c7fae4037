package io.lighthouse.tests.referee;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.referee.Books.Account;
import io.lighthouse.tests.referee.Books.Entry;
import io.lighthouse.tests.referee.Books.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Judges one distributor from outside, call by call.
 *
 * <p><b>Needs</b> every call that changes the distributor, in order, with its answer. Where an
 * answer breaks a law the referee reports a finding and enters the answer all the same. A batch
 * whose workloads take turns is judged turn by turn, a batch that is placed as a whole by its end.
 * Cost of a call: the batch times the nodes times all that is placed.
 */
public final class Referee {
  private final Books books;
  private final Conduct conduct;
  private Findings findings = new Findings();

  private final Cases<Call, Consumer<Object>> judges =
      Cases.<Call, Consumer<Object>>of(Call.class)
          .on(Call.Assign.class, assign -> answer -> judge(assign, (Assignments) answer))
          .on(
              Call.Release.class,
              release -> answer -> judgeReleased(new LinkedHashSet<>(release.names()), answer))
          .on(
              Call.ReleaseNode.class,
              release -> answer -> judgeReleased(placedOn(release.node()), answer))
          .on(Call.ReleaseAll.class, all -> answer -> judgeReleased(placed(), answer))
          .on(
              Call.Apply.class,
              apply -> answer -> apply.changes().forEach(change -> judge(change, true)))
          .on(Call.Attempt.class, attempt -> done -> judge(attempt.change(), (boolean) done))
          .on(Call.Explain.class, ask -> answer -> judge(ask.workload(), (Explanation) answer))
          .complete();

  /**
   * A referee of a new distributor.
   *
   * @param books the books of the fleet that it was made from; the referee goes on with them
   * @param lastPlaced the round-robin position that it was made with
   * @param conduct how its strategy goes about a batch
   */
  public Referee(Books books, Optional<String> lastPlaced, Conduct conduct) {
    this.books = books;
    this.conduct = conduct;
    lastPlaced.ifPresent(node -> books.position = books.nodes().indexOf(node));
  }

  /**
   * Judges an answer, and enters it.
   *
   * @param call the call
   * @param answer its answer, as {@link Call#on} returns it
   * @return the findings; empty where no law was broken
   */
  public List<Finding> judge(Call call, Object answer) {
    findings = new Findings();
    judges.apply(call).accept(answer);
    return findings.all();
  }

  // ---- batches ----

  private void judge(Call.Assign call, Assignments answer) {
    List<String> answered = new ArrayList<>();
    for (int i = 0; i < answer.size(); i++) {
      answered.add(answer.workload(i));
    }
    findings.expect(Law.ANSWER, "answered workloads", names(call.batch()), answered);
    if (!findings.isEmpty()) {
      return;
    }
    for (Workload workload : call.batch()) {
      Optional<String> node = answer.nodeOf(workload.name());
      if (node.isPresent() && books.find(node.get()).isEmpty()) {
        findings.find(Law.ANSWER, workload, "a node of the fleet", node.get());
        return;
      }
    }
    if (call.allOrNothing() && !answer.allPlaced()) {
      findings.expect(Law.ALL_OR_NOTHING, "number of placed workloads", 0, answer.placedCount());
      return;
    }
    boolean mayDecline = conduct.mayDecline();
    List<Refusal> refusals =
        conduct.order().isPresent()
            ? new TurnJudge(books, mayDecline, answer, findings)
                .judge(conduct.inTurn(call.batch(), books))
            : new WholeBatchJudge(books, mayDecline, findings).judge(call.batch(), answer);
    judgeRefusals(call, refusals, answer.refusals());
  }

  /** The refusals of a gang hold reasons of an attempt that was undone: they are not compared. */
  private void judgeRefusals(Call.Assign call, List<Refusal> expected, List<Refusal> found) {
    List<String> single =
        names(call.batch().stream().filter(one -> one.terms().gang().isEmpty()).toList());
    List<Refusal> inOrder = new ArrayList<>();
    if (call.options().contains(AssignOption.EXPLAIN)) {
      List<String> names = names(call.batch());
      inOrder.addAll(expected);
      inOrder.sort(Comparator.comparingInt(refusal -> names.indexOf(refusal.workload())));
    }
    findings.expectEach(
        Law.REASONS,
        "the refusal of ",
        Refusal::workload,
        inOrder,
        found.stream().filter(refusal -> single.contains(refusal.workload())).toList());
  }

  // ---- changes ----

  /** What was placed by a change must have fit, averse or not; what did not go must not fit. */
  private void judge(Change change, boolean done) {
    coming.apply(change).ifPresent(one -> judge(one, done));
    if (done) {
      books.carryOut(change);
    }
  }

  /** A workload that a change brings to a node. */
  private record Coming(Workload workload, String node) {}

  private final Cases<Change, Optional<Coming>> coming =
      Cases.<Change, Optional<Coming>>of(Change.class)
          .on(
              Change.Assign.class,
              assign -> Optional.of(new Coming(assign.workload(), assign.node())))
          .on(
              Change.Move.class,
              move -> Optional.of(new Coming(placed(move.workload()), move.to())))
          .others(change -> Optional.empty())
          .complete();

  private Workload placed(String workload) {
    return books.placed(workload);
  }

  private void judge(Coming coming, boolean done) {
    Workload workload = coming.workload();
    Entry to = books.entry(coming.node());
    List<Reason> reasons = books.without(workload, () -> new Fit(books, workload).reasons(to));
    if (done) {
      reasons.forEach(reason -> findings.misplaced(workload, to.name, reason));
    } else if (reasons.isEmpty()) {
      findings.find(Law.REFUSAL, workload, "on '" + to.name + "', for it fits", "refused");
    }
  }

  private List<String> placed() {
    return names(books.placed());
  }

  private List<String> placedOn(String node) {
    return names(books.placedOn(node));
  }

  private void judgeReleased(Iterable<String> names, Object answer) {
    List<Workload> expected = new ArrayList<>();
    names.forEach(name -> expected.add(books.release(name)));
    @SuppressWarnings("unchecked") // What Call.on answers for all three kinds of release.
    List<Workload> released = (List<Workload>) answer;
    findings.expect(Law.RELEASE, "released workloads", comparable(expected), comparable(released));
  }

  // ---- questions ----

  private void judge(Workload workload, Explanation answer) {
    String name = workload.name();
    List<NodeVerdict> verdicts = Refusals.verdicts(new Fit(books, workload), answer.chosen());
    findings.expect(Law.REASONS, "the explained workload", name, answer.workload());
    findings.expectEach(
        Law.REASONS,
        "the verdict on '" + name + "' of ",
        NodeVerdict::node,
        verdicts,
        answer.nodes());
    Refusal summary = Refusals.summary(name, verdicts);
    findings.expect(Law.REASONS, "the summary about '" + name + "'", summary, answer.summary());
  }

  // ---- states ----

  /**
   * Compares the whole state with the books.
   *
   * @param snapshot the state of the distributor now
   * @return the findings; empty where both agree
   */
  public List<Finding> judge(Snapshot snapshot) {
    findings = new Findings();
    List<String> found = snapshot.nodes().stream().map(NodeState::name).toList();
    findings.expect(Law.BOOKS, "nodes", books.nodes(), found);
    if (findings.isEmpty()) {
      snapshot.nodes().forEach(state -> judge(state, snapshot));
      findings.expect(
          Law.BOOKS, "number of placed workloads", books.placed().size(), snapshot.placedCount());
      judgePosition(snapshot.lastPlaced());
      judgeDomains(snapshot.domains());
    }
    return findings.all();
  }

  private void judge(NodeState state, Snapshot snapshot) {
    Entry entry = books.entry(state.name());
    String node = "node '" + entry.name + "' ";
    Account account = entry.account;
    Place place = new Place(Rule.NODE, entry.name);
    findings.expect(Law.BOOKS, node + "capacity", account.capacityOfAll(), state.capacity());
    findings.expect(Law.BOOKS, node + "left", books.leftOfAll(account, place), state.left());
    findings.expect(Law.BOOKS, node + "cordoned", account.cordoned, state.cordoned());
    findings.expect(Law.BOOKS, node + "domains", entry.domains, state.domains());
    findings.expect(Law.BOOKS, node + "units", account.units, state.units());
    findings.expect(
        Law.BOOKS, node + "workloads", comparable(entry.placed), comparable(state.workloads()));
    for (Workload workload : entry.placed) {
      findings.expect(
          Law.BOOKS,
          "node of '" + workload.name() + "'",
          Optional.of(entry.name),
          snapshot.nodeOf(workload.name()));
    }
  }

  /** Which workload of a whole batch was placed last is the strategy's choice. */
  private void judgePosition(Optional<String> found) {
    if (conduct.order().isPresent()) {
      Optional<String> expected =
          Optional.of(books.position).filter(at -> at >= 0).map(books.nodes()::get);
      findings.expect(Law.POSITION, "position", expected, found);
    }
  }

  private void judgeDomains(List<DomainState> states) {
    findings.expect(Law.BOOKS, "number of domains", books.declared.size(), states.size());
    for (DomainState state : states) {
      Place place = new Place(state.level(), state.name());
      Account account = books.declared.get(place);
      String domain = state.level() + " '" + state.name() + "' ";
      if (account == null) {
        findings.find(Law.BOOKS, domain, "nothing", "declared");
        continue;
      }
      Law law = Law.BOOKS;
      findings.expect(law, domain + "capacity", account.capacityOfAll(), state.capacity());
      findings.expect(law, domain + "left", books.leftOfAll(account, place), state.left());
      findings.expect(law, domain + "cordoned", account.cordoned, state.cordoned());
      findings.expect(law, domain + "units", account.units, state.units());
    }
  }

  /** In the order in which they came; by name where a batch placer left that open. */
  private List<Workload> comparable(List<Workload> workloads) {
    return conduct.order().isPresent()
        ? workloads
        : workloads.stream().sorted(Comparator.comparing(Workload::name)).toList();
  }

  private static List<String> names(List<Workload> workloads) {
    return workloads.stream().map(Workload::name).toList();
  }
}
