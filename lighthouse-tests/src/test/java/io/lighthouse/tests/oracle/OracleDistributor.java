package io.lighthouse.tests.oracle;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.generate.RandomFleet;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The oracle as a distributor, as far as the laws of clusters ask one: an engine that is sound, or
 * wrong in one way.
 */
public final class OracleDistributor {
  private OracleDistributor() {}

  /** A distributor for a fleet, that gets something wrong. */
  public static Distributor of(RandomFleet cluster, String strategy, Slip slip) {
    return of(new Oracle(Problems.of(cluster), strategy, slip));
  }

  private static Distributor of(Oracle oracle) {
    return (Distributor)
        Proxy.newProxyInstance(
            OracleDistributor.class.getClassLoader(),
            new Class<?>[] {Distributor.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "assign" -> assigned(oracle, workloads(arguments[0]));
                  case "apply" -> {
                    oracle.apply((Change) ((Object[]) arguments[0])[0]);
                    yield 0L;
                  }
                  case "release" -> {
                    for (Object name : (Iterable<?>) arguments[0]) {
                      oracle.apply(new Change.Release((String) name));
                    }
                    yield List.of();
                  }
                  case "explain" -> explained(oracle, (Workload) arguments[0]);
                  case "snapshot" ->
                      new State(oracle.nodes(), oracle.domains(), oracle.lastPlaced());
                  case "copy" -> of(oracle.copy());
                  default -> throw new UnsupportedOperationException(method.toString());
                });
  }

  private static List<Workload> workloads(Object given) {
    List<Workload> workloads = new ArrayList<>();
    for (Object one : given instanceof Object[] array ? List.of(array) : (List<?>) given) {
      workloads.add((Workload) one);
    }
    return workloads;
  }

  private static Assignments assigned(Oracle oracle, List<Workload> batch) {
    Outcome outcome = oracle.assign(batch);
    List<Refusal> refusals = new ArrayList<>();
    outcome
        .placed()
        .forEach(
            (workload, node) -> {
              if (node == null) {
                refusals.add(
                    new Refusal(
                        workload,
                        oracle.nodes().size(),
                        List.of(),
                        List.of(),
                        Optional.ofNullable(outcome.gangs().get(workload))));
              }
            });
    return Assignments.of(
        outcome.placed().keySet().toArray(String[]::new),
        outcome.placed().values().toArray(String[]::new),
        refusals);
  }

  private static Explanation explained(Oracle oracle, Workload workload) {
    List<NodeVerdict> verdicts = new ArrayList<>();
    Map<String, List<Reason>> reasons = oracle.reasons(workload);
    reasons.forEach((node, all) -> verdicts.add(new NodeVerdict(node, all.isEmpty(), all)));
    return new Explanation(
        workload.name(),
        verdicts,
        new Refusal(workload.name(), verdicts.size(), List.of(), List.of()));
  }

  private record State(
      List<NodeState> nodes, List<DomainState> domains, Optional<String> lastPlaced)
      implements Snapshot {
    @Override
    public List<Rule> rules() {
      return List.of();
    }

    @Override
    public long generation() {
      return 0;
    }

    @Override
    public int placedCount() {
      return nodes.stream().mapToInt(node -> node.workloads().size()).sum();
    }

    @Override
    public Optional<String> nodeOf(String workload) {
      return nodes.stream()
          .filter(node -> node.workloads().stream().anyMatch(one -> one.name().equals(workload)))
          .map(NodeState::name)
          .findFirst();
    }
  }
}
