package io.lighthouse.tests.contract;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.tests.referee.Law;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Everything that a caller can get wrong in a given state: refused, with nothing changed. */
final class WrongCalls {
  private static final String UNKNOWN = "an unused name";
  private static final String LEVEL = "rack";
  private static final Change NEW_NODE = new Change.AddNode(Node.of(UNKNOWN, Resources.none()));

  private final Map<String, Consumer<Distributor>> calls = new LinkedHashMap<>();

  private WrongCalls() {}

  /** Makes all of these calls. */
  static void check(Distributor distributor) {
    Map<String, Object> before = Subject.state(distributor);
    WrongCalls wrong = new WrongCalls();
    wrong.ofAnyState();
    List<NodeState> nodes = distributor.snapshot().nodes();
    if (!nodes.isEmpty()) {
      wrong.aboutNode(nodes.get(nodes.size() - 1));
    }
    nodes.stream().filter(node -> !node.workloads().isEmpty()).forEach(wrong::aboutPlaced);
    distributor.snapshot().domains().forEach(domain -> wrong.aboutDomain(domain, nodes));
    wrong.calls.forEach(
        (what, call) -> {
          String answer = "an answer";
          try {
            call.accept(distributor);
          } catch (InvalidInputException expected) {
            answer = "";
          } catch (RuntimeException | Error thrown) {
            answer = thrown.toString();
          }
          BrokenLaw.unlessEqual(Law.WRONG_CALLS, what + " (other than refused)", "", answer);
          BrokenLaw.unlessAlike(
              Law.WRONG_CALLS, "the state after " + what, before, Subject.state(distributor));
        });
  }

  private void ofAnyState() {
    Workload sound = Workload.of("sound", Resources.none());
    Workload huge = Workload.of("huge", Resources.of("cpu", "5e18"));
    Workload fine = Workload.of("huge", Resources.of("cpu", "4611686018.427387904"));
    calls.put("a name twice in a batch", d -> d.assign(sound, sound));
    calls.put("a requirement of 2^62 and more", d -> d.assign(sound, huge));
    calls.put("a requirement of 2^62 and more at nine digits", d -> d.assign(sound, fine));
    calls.put("fitting of a requirement out of range", d -> d.fitting(huge));
    calls.put("an explanation of a requirement out of range", d -> d.explain(huge));
    calls.put("an explanation of an index beyond", d -> d.explain(1, List.of(sound)));
    calls.put("a release of what is not placed", d -> d.release(UNKNOWN));
    calls.put("a release of a node that is not there", d -> d.releaseNode(UNKNOWN));
    calls.put("the state of a node that is not there", d -> d.node(UNKNOWN));
    calls.put("a removal of a node that is not there", d -> d.removeNode(UNKNOWN));
    calls.put("a resize of a node that is not there", d -> d.resize(UNKNOWN, Resources.none()));
    calls.put("a cordon of a node that is not there", d -> d.cordon(UNKNOWN));
    calls.put("an uncordon of a node that is not there", d -> d.uncordon(UNKNOWN));
    changes("changes of a node that is not there", new Change.Cordon(UNKNOWN));
    changes(
        "changes, one of which does not go",
        NEW_NODE,
        new Change.Assign(sound, UNKNOWN),
        new Change.Assign(sound, UNKNOWN));
    changes(
        "an assignment to a node that misses a resource",
        NEW_NODE,
        new Change.Assign(Workload.of("short", Resources.of("cpu", 0)), UNKNOWN));
    List<Change> gone = List.of(new Change.RemoveNode(UNKNOWN));
    calls.put("a trial of what does not go", d -> d.tryOut(gone, tried -> tried));
    calls.put(
        "a new node out of range", d -> d.addNode(Node.of(UNKNOWN, Resources.of("cpu", "-5e18"))));
    calls.put(
        "a new node with a name twice on it",
        d -> d.addNode(Node.of(UNKNOWN, Resources.none()).withWorkloads(sound, sound)));
    calls.put("the state of a domain that is not there", d -> d.domain(LEVEL, UNKNOWN));
    changes("an end of a domain that is not there", new Change.Undeclare(LEVEL, UNKNOWN));
    changes(
        "a cordon of a domain that is not there", new Change.CordonDomain(LEVEL, UNKNOWN, true));
    changes(
        "a resize of a domain that is not there",
        new Change.ResizeDomain(LEVEL, UNKNOWN, Resources.none()));
    changes(
        "a new domain out of range",
        new Change.Declare(Domain.of(LEVEL, UNKNOWN, Resources.of("cpu", "-5e18"))));
    changes("other groups of what is not placed", new Change.Regroup(UNKNOWN, Set.of()));
  }

  private void changes(String what, Change... changes) {
    calls.put(what, d -> d.apply(changes));
  }

  private void aboutNode(NodeState node) {
    String name = node.name();
    calls.put("a node added twice", d -> d.addNode(Node.of(name, Resources.none())));
    Resources huge = node.capacity().with("cpu", "5e18");
    calls.put("a resize out of range", d -> d.resize(name, huge));
  }

  private void aboutDomain(DomainState domain, List<NodeState> nodes) {
    String level = domain.level();
    String name = domain.name();
    changes(
        "a domain declared twice", new Change.Declare(Domain.of(level, name, Resources.none())));
    changes(
        "a resize of a domain out of range",
        new Change.ResizeDomain(level, name, domain.capacity().with("cpu", "5e18")));
    boolean isNeeded =
        nodes.stream()
            .filter(node -> level.equals(Rule.FLEET) || name.equals(node.domains().get(level)))
            .flatMap(node -> node.workloads().stream())
            .anyMatch(workload -> needs(workload, level));
    if (isNeeded) {
      changes("an end of a domain in use", new Change.Undeclare(level, name));
      changes(
          "a resize of a domain without what is in use",
          new Change.ResizeDomain(level, name, Resources.none()));
    }
  }

  private static boolean needs(Workload workload, String level) {
    return workload.terms().shared().getOrDefault(level, Resources.none()).size() > 0;
  }

  private void aboutPlaced(NodeState node) {
    Workload placed = node.workloads().get(0);
    String name = node.name();
    Workload namesake = Workload.of(placed.name(), Resources.none());
    Workload sound = Workload.of("sound", Resources.none());
    calls.put("a batch with a name that is placed", d -> d.assign(sound, namesake));
    calls.put(
        "a new node with a workload that is placed",
        d -> d.addNode(Node.of(UNKNOWN, Resources.none()).withWorkloads(namesake)));
    calls.put(
        "a release of one placed and one not",
        d -> d.release(new ArrayList<>(List.of(placed.name(), UNKNOWN))));
    calls.put("a removal of a node that is not empty", d -> d.removeNode(name));
    changes("a move to where it is", new Change.Move(placed.name(), name, name));
    changes("a move from where it is not", NEW_NODE, new Change.Move(placed.name(), UNKNOWN, name));
    Set<String> needed = Set.copyOf(placed.requirements().names());
    if (!needed.isEmpty()) {
      calls.put("a resize without what is in use", d -> d.resize(name, Resources.none()));
      Change move = new Change.Move(placed.name(), name, UNKNOWN);
      changes("a move to a node that it does not fit", NEW_NODE, move);
    }
  }
}
