package io.lighthouse.tests.referee;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * Judges one distributor from outside, call by call.
 *
 * <p><b>Assumes</b> that it is told every call that changes the distributor, in order. It believes
 * an answer as far as its books go: where a law is broken it says so and goes on from what was
 * answered. Cost of a call: the batch times the nodes times their workloads.
 */
public final class Referee {
  private final Books books = new Books();
  private final Conduct conduct;
  private List<Finding> findings = new ArrayList<>();

  /**
   * A referee of a new distributor.
   *
   * @param nodes the nodes that it was made from
   * @param lastPlaced the round-robin position that it was made with
   * @param conduct how its strategy goes about a batch
   */
  public Referee(List<Node> nodes, Optional<String> lastPlaced, Conduct conduct) {
    this.conduct = conduct;
    nodes.forEach(books::open);
    lastPlaced.ifPresent(node -> books.position = books.indexOf(node));
  }

  /**
   * Judges an answer, and keeps the books.
   *
   * @param call what was asked
   * @param answer what was answered, as {@link Call#on} returns it
   * @return the findings; empty where no law was broken
   */
  public List<Finding> judge(Call call, Object answer) {
    findings = new ArrayList<>();
    if (call instanceof Call.Assign assign) {
      judge(assign, (Assignments) answer);
    } else if (call instanceof Call.Release release) {
      judgeReleased(new ArrayList<>(new LinkedHashSet<>(release.names())), answer);
    } else if (call instanceof Call.ReleaseNode release) {
      judgeReleased(names(books.account(release.node()).placed), answer);
    } else if (call instanceof Call.ReleaseAll) {
      judgeReleased(
          books.accounts.stream().flatMap(account -> names(account.placed).stream()).toList(),
          answer);
    } else if (call instanceof Call.ShortForm form) {
      judge(form.change());
    } else if (call instanceof Call.Apply apply) {
      apply.changes().forEach(this::judge);
    }
    return findings;
  }

  /**
   * Compares the whole state with the books.
   *
   * @param snapshot the state of the distributor now
   * @return the findings; empty where both agree
   */
  public List<Finding> judge(Snapshot snapshot) {
    findings = new ArrayList<>();
    List<String> names = books.accounts.stream().map(account -> account.name).toList();
    expect(Law.BOOKS, "nodes", names, snapshot.nodes().stream().map(NodeState::name).toList());
    if (!findings.isEmpty()) {
      return findings;
    }
    int placed = 0;
    for (int i = 0; i < names.size(); i++) {
      Books.Account account = books.accounts.get(i);
      NodeState state = snapshot.nodes().get(i);
      String node = "node '" + account.name + "'";
      expect(Law.BOOKS, node + " capacity", account.capacityOfAll(), state.capacity());
      expect(Law.BOOKS, node + " left", account.leftOfAll(), state.left());
      expect(Law.BOOKS, node + " cordoned", account.cordoned, state.cordoned());
      expect(
          Law.BOOKS,
          node + " workloads",
          names(comparable(account.placed)),
          names(comparable(state.workloads())));
      for (Workload workload : account.placed) {
        expect(
            Law.BOOKS,
            "node of '" + workload.name() + "'",
            Optional.of(account.name),
            snapshot.nodeOf(workload.name()));
      }
      placed += account.placed.size();
    }
    expect(Law.BOOKS, "number of placed workloads", placed, snapshot.placedCount());
    if (conduct.order().isPresent()) {
      Optional<String> position = Optional.of(books.position).filter(at -> at >= 0).map(names::get);
      expect(Law.POSITION, "position", position, snapshot.lastPlaced());
    }
    return findings;
  }

  /**
   * What a refusal of a workload would have to say now.
   *
   * @param workload the workload
   * @return the true refusal
   */
  public Refusal refusal(Workload workload) {
    return Refusals.of(books, workload);
  }

  /**
   * What every node would have to say to a workload now.
   *
   * @param workload the workload
   * @param chosen the node that it goes to, or nothing
   * @return the true verdicts, in the order of nodes
   */
  public List<NodeVerdict> verdicts(Workload workload, Optional<String> chosen) {
    return Refusals.verdicts(books, workload, chosen);
  }

  /** A change that was carried out: what was placed by it must have fit, averse or not. */
  private void judge(Change change) {
    if (change instanceof Change.AddNode add) {
      books.open(add.node());
    } else if (change instanceof Change.RemoveNode remove) {
      books.close(remove.node());
    } else if (change instanceof Change.Resize resize) {
      books.resize(resize.node(), resize.capacity());
    } else if (change instanceof Change.Cordon cordon) {
      books.account(cordon.node()).cordoned = true;
    } else if (change instanceof Change.Uncordon uncordon) {
      books.account(uncordon.node()).cordoned = false;
    } else if (change instanceof Change.Release release) {
      books.remove(release.workload());
    } else if (change instanceof Change.Assign assign) {
      put(assign.workload(), assign.node());
      books.position = books.indexOf(assign.node());
    } else if (change instanceof Change.Move move) {
      put(books.remove(move.workload()), move.to());
    } else {
      throw new IllegalArgumentException("this referee knows nothing of: " + change);
    }
  }

  private void put(Workload workload, String node) {
    Books.Account account = books.account(node);
    for (Reason reason : account.against(workload)) {
      find(lawOf(reason), workload, "a node that it fits", "placed on '" + node + "': " + reason);
    }
    account.placed.add(workload);
  }

  private void judge(Call.Assign call, Assignments answer) {
    List<String> answered = new ArrayList<>();
    for (int i = 0; i < answer.size(); i++) {
      answered.add(answer.workload(i));
    }
    expect(Law.ANSWER, "answered workloads", names(call.batch()), answered);
    if (!findings.isEmpty()) {
      return;
    }
    for (int i = 0; i < answer.size(); i++) {
      if (answer.node(i).filter(node -> books.indexOf(node) < 0).isPresent()) {
        find(Law.ANSWER, call.batch().get(i), "a node of the fleet", answer.node(i).get());
        return;
      }
    }
    if (call.allOrNothing() && !answer.allPlaced()) {
      expect(Law.ALL_OR_NOTHING, "number of placed workloads", 0, answer.placedCount());
      return;
    }
    List<Refusal> refusals = new ArrayList<>();
    if (conduct.order().isPresent()) {
      for (Workload workload : books.inTurn(call.batch(), conduct.order().get())) {
        answer
            .nodeOf(workload.name())
            .ifPresentOrElse(node -> place(workload, node), () -> refuse(workload, refusals));
      }
    } else {
      judgeWhole(call.batch(), answer, refusals);
    }
    if (call.options().contains(AssignOption.EXPLAIN)) {
      List<String> inOrder = names(call.batch());
      refusals.sort(Comparator.comparingInt(refusal -> inOrder.indexOf(refusal.workload())));
    } else {
      refusals.clear();
    }
    expect(Law.REASONS, "refusals", refusals, answer.refusals());
  }

  private void place(Workload workload, String node) {
    judgeAversion(workload, books.account(node));
    put(workload, node);
    books.position = books.indexOf(node);
  }

  private void refuse(Workload workload, List<Refusal> refusals) {
    List<String> fitting = books.fitting(workload).stream().map(account -> account.name).toList();
    if (!conduct.mayDecline() && !fitting.isEmpty()) {
      find(Law.REFUSAL, workload, "a node, for it fits " + fitting, "none");
    }
    refusals.add(refusal(workload));
  }

  private void judgeAversion(Workload workload, Books.Account account) {
    if (account.shared(workload).isEmpty()) {
      return;
    }
    List<String> friendly =
        books.fitting(workload).stream()
            .filter(other -> other.shared(workload).isEmpty())
            .map(other -> other.name)
            .toList();
    if (!friendly.isEmpty()) {
      find(
          Law.AVERSION,
          workload,
          "one of the friendly nodes " + friendly,
          "placed on '" + account.name + "' beside " + account.shared(workload));
    }
  }

  /** A batch that was placed at once: its placements must be possible in some order. */
  private void judgeWhole(List<Workload> batch, Assignments answer, List<Refusal> refusals) {
    for (Books.Account account : books.accounts) {
      List<Workload> here =
          batch.stream()
              .filter(workload -> answer.nodeOf(workload.name()).equals(Optional.of(account.name)))
              .toList();
      List<Workload> waiting = new ArrayList<>(here);
      if (!fillInSomeOrder(account, waiting)) {
        for (Workload workload : here) {
          for (Reason reason : account.against(workload)) {
            find(
                lawOf(reason), workload, "a node that it fits", "placed on '" + account.name + "'");
          }
          account.placed.add(workload);
        }
      }
    }
    for (Workload workload : batch) {
      Books.Account account = answer.nodeOf(workload.name()).map(books::account).orElse(null);
      if (account == null) {
        refuse(workload, refusals);
      } else if (couldLeave(workload, account, batch)) {
        judgeAversion(workload, account);
      }
    }
  }

  /** Whether the others of the batch on a node could stand there, in some order, without one. */
  private static boolean couldLeave(
      Workload workload, Books.Account account, List<Workload> batch) {
    if (account.shared(workload).isEmpty()) {
      return true;
    }
    List<Workload> placed = List.copyOf(account.placed);
    List<Workload> others = new ArrayList<>(placed);
    others.retainAll(batch);
    others.remove(workload);
    account.placed.removeAll(batch);
    boolean could = fillInSomeOrder(account, others);
    account.placed.clear();
    account.placed.addAll(placed);
    return could;
  }

  private static boolean fillInSomeOrder(Books.Account account, List<Workload> waiting) {
    if (waiting.isEmpty()) {
      return true;
    }
    for (Workload next : List.copyOf(waiting)) {
      if (account.fits(next)) {
        account.placed.add(next);
        waiting.remove(next);
        if (fillInSomeOrder(account, waiting)) {
          return true;
        }
        account.placed.remove(next);
        waiting.add(next);
      }
    }
    return false;
  }

  private void judgeReleased(List<String> names, Object answer) {
    List<Workload> expected = new ArrayList<>();
    for (String name : names) {
      for (Books.Account account : books.accounts) {
        account.placed.stream().filter(load -> load.name().equals(name)).forEach(expected::add);
        account.placed.removeIf(workload -> workload.name().equals(name));
      }
    }
    @SuppressWarnings("unchecked") // What Call.on answers for all three kinds of release.
    List<Workload> released = (List<Workload>) answer;
    expect(Law.RELEASE, "released workloads", comparable(expected), comparable(released));
  }

  /** In the order in which they came; by name where a batch placer left that open. */
  private List<Workload> comparable(List<Workload> workloads) {
    return conduct.order().isPresent()
        ? workloads
        : workloads.stream().sorted(Comparator.comparing(Workload::name)).toList();
  }

  private static Law lawOf(Reason reason) {
    return switch (reason.kind()) {
      case CORDONED -> Law.CORDON;
      case MISSING -> Law.NAMES;
      case SHORT -> Law.ROOM;
      default -> Law.NEGATIVES;
    };
  }

  private void find(Law law, Workload workload, String expected, String found) {
    findings.add(new Finding(law, "workload '" + workload.name() + "'", expected, found));
  }

  private void expect(Law law, String about, Object expected, Object found) {
    if (!expected.equals(found)) {
      findings.add(new Finding(law, about, expected.toString(), found.toString()));
    }
  }

  private static List<String> names(List<Workload> workloads) {
    return workloads.stream().map(Workload::name).toList();
  }
}
