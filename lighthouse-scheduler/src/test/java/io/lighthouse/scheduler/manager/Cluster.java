package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.pending;
import static io.lighthouse.scheduler.Fixtures.type;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.Fixtures.TestClient;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.memory.InMemoryPorts;
import io.lighthouse.scheduler.memory.Maintenance;
import io.lighthouse.scheduler.memory.OfferBook;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A small cluster in memory, whose nodes are ready for everything until told otherwise. */
final class Cluster {
  final OfferBook book = new OfferBook();
  final InMemoryPorts memory = new InMemoryPorts(book, Maintenance.NONE, Step::main);
  final TestClient client = new TestClient();
  final List<TestNode> nodes = new ArrayList<>();
  SchedulingPorts ports;
  SchedulingPolicy policy = SchedulingPolicy.DEFAULT;
  private SchedulingManager manager;

  /** Every offer ever made. */
  final List<ResourceOffer> made = new ArrayList<>();

  private int offers;

  Cluster() {
    SchedulingPorts all = memory.ports();
    ports = all.withNodes(() -> nodes);
    memory.catalogue().put(type("type"));
  }

  TestNode node(String name) {
    TestNode node = new TestNode(name);
    nodes.add(node);
    return node;
  }

  void offers(String agent, Resources resources) {
    offers(agent, resources, NOW);
  }

  void offers(String agent, Resources resources, Instant received) {
    ResourceOffer offer =
        new ResourceOffer("o" + offers++, agent, client.session, resources, received);
    made.add(offer);
    book.offer(List.of(offer));
  }

  void queue(String id, int priority, Resources request) {
    memory.queue().add(pending(id, priority, request));
  }

  /** An execution that runs on a node; its only task was launched. */
  RunningExecution runs(String id, int priority, TestNode node, Resources request) {
    RunningExecution execution = committed(id, priority, node, request);
    Task task = execution.startNextTask().orElseThrow();
    memory.tasks().launched(List.of(task), NOW);
    return execution;
  }

  /** An execution that was given a node and has not started. */
  RunningExecution committed(String id, int priority, TestNode node, Resources request) {
    PendingExecution origin = pending(id, priority, request);
    RunningExecution execution =
        new RunningExecution(
            new Placement(origin, node.name(), node.agent()), NOW, Step.main(origin));
    memory.executions().add(List.of(execution));
    return execution;
  }

  SchedulingManager manager() {
    if (manager == null) {
      manager = new SchedulingManager(ports, policy);
    }
    return manager;
  }

  SchedulingReport pass() {
    return pass(NOW);
  }

  SchedulingReport pass(Instant when) {
    return manager().runPass(client, when);
  }
}
