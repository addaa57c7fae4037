package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.choice.Chooser;
import io.lighthouse.scheduler.memory.InMemoryQueue;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Group;
import net.jqwik.api.Property;

/** The invariants of a pass, over random passes; and that their judge notices wrong managers. */
class PassProperties {
  private static List<String> findings(
      long seed, BiFunction<SchedulingPorts, SchedulingPolicy, SchedulingManager> make) {
    RandomPass random = new RandomPass(seed);
    SchedulingManager manager = make.apply(random.cluster.ports, random.cluster.policy);
    SchedulingReport report = manager.runPass(random.cluster.client, NOW);
    return PassJudge.judge(random, report);
  }

  @Property(tries = 3000)
  void everyPassHoldsTheInvariants(@ForAll long seed) {
    assertThat(findings(seed, SchedulingManager::new)).isEmpty();
  }

  @Property(tries = 500)
  void theSameInputGivesTheSamePass(@ForAll long seed) {
    RandomPass one = new RandomPass(seed);
    RandomPass other = new RandomPass(seed);
    SchedulingReport first = one.cluster.pass();
    SchedulingReport second = other.cluster.pass();
    assertThat(withoutFailures(second)).isEqualTo(withoutFailures(first));
    assertThat(other.cluster.client.launched).isEqualTo(one.cluster.client.launched);
    assertThat(other.cluster.client.declined).isEqualTo(one.cluster.client.declined);
  }

  /** Exceptions have no equality. */
  private static SchedulingReport withoutFailures(SchedulingReport report) {
    return new SchedulingReport(
        report.when(),
        report.outcome(),
        report.queue(),
        report.running(),
        report.sent(),
        List.of());
  }

  /** The judge finds a wrong manager out within 2,000 passes, by the right finding. */
  @Group
  class TheJudgeNotices {
    private void assertNoticed(
        String finding, BiFunction<SchedulingPorts, SchedulingPolicy, SchedulingManager> wrong) {
      boolean noticed = false;
      for (long seed = 0; seed < 2000 && !noticed; seed++) {
        noticed = findings(seed, wrong).stream().anyMatch(each -> each.contains(finding));
      }
      assertThat(noticed).as("notices: %s", finding).isTrue();
    }

    @Example
    void aForgottenDecline() {
      assertNoticed(
          "was used 0 times",
          (ports, policy) ->
              new SchedulingManager(ports, policy) {
                @Override
                void declineRest(Pass pass, List<ResourceOffer> strays) {}
              });
    }

    @Example
    void aDeclineOfWhatWasAccepted() {
      assertNoticed(
          "was used 2 times",
          (ports, policy) ->
              new SchedulingManager(ports, policy) {
                @Override
                void declineRest(Pass pass, List<ResourceOffer> strays) {
                  List<ResourceOffer> all = new ArrayList<>(strays);
                  pass.nodes.values().forEach(node -> all.addAll(node.allocatedOffers()));
                  super.declineRest(pass, all);
                }
              });
    }

    @Example
    void newWorkWhileASystemTaskWaits() {
      assertNoticed(
          "new work was placed although",
          (ports, policy) ->
              new SchedulingManager(ports, policy) {
                @Override
                boolean placeSystemTasks(Pass pass) {
                  super.placeSystemTasks(pass);
                  return true;
                }
              });
    }

    @Example
    void newWorkBesideWaitingWork() {
      assertNoticed(
          "where something waits",
          (ports, policy) ->
              new SchedulingManager(ports, policy) {
                @Override
                void placeWaiting(Pass pass) {
                  super.placeWaiting(pass);
                  pass.fulfilled.addAll(pass.nodes.values());
                }
              });
    }

    @Example
    void aBackfilledReservation() {
      assertNoticed(
          "is behind",
          (ports, policy) ->
              new SchedulingManager(ports, policy) {
                @Override
                QueueWalk newWalk(Pass pass) {
                  return new QueueWalk(
                      pass,
                      ports,
                      policy,
                      Chooser.of(policy.nodeChoice()),
                      new Avoidance(policy.refusals())) {
                    @Override
                    void close(int node) {}
                  };
                }
              });
    }

    @Example
    void aTypeWithoutItsLimit() {
      assertNoticed(
          "grew beyond its limit",
          (ports, policy) ->
              new SchedulingManager(ports, policy) {
                @Override
                QueueWalk newWalk(Pass pass) {
                  return new QueueWalk(
                      pass,
                      ports,
                      policy,
                      Chooser.of(policy.nodeChoice()),
                      new Avoidance(policy.refusals())) {
                    @Override
                    void countRoom() {
                      super.countRoom();
                      room.clear();
                      pass.log.queue.excluded.clear();
                    }
                  };
                }
              });
    }

    @Example
    void aTypeThatIsCountedTwice() {
      assertNoticed(
          "was refused at",
          (ports, policy) ->
              new SchedulingManager(ports, policy) {
                @Override
                QueueWalk newWalk(Pass pass) {
                  return new QueueWalk(
                      pass,
                      ports,
                      policy,
                      Chooser.of(policy.nodeChoice()),
                      new Avoidance(policy.refusals())) {
                    @Override
                    void countRoom() {
                      super.countRoom();
                      room.replaceAll((type, left) -> left - 1);
                    }
                  };
                }
              });
    }

    @Example
    void devicesThatARollBackLeaks() {
      assertNoticed(
          "has devices and does not run",
          (ports, policy) ->
              new SchedulingManager(ports, policy) {
                @Override
                void rollBack(QueueWalk walk) {}
              });
    }

    @Example
    void anEntryThatIsForgotten() {
      assertNoticed(
          "is in 0 places", (ports, policy) -> new SchedulingManager(forgetful(ports), policy));
    }

    @Example
    void workThatIsLeftAlthoughItFits() {
      assertNoticed(
          "would fit on",
          (ports, policy) ->
              new SchedulingManager(ports, policy) {
                @Override
                QueueWalk newWalk(Pass pass) {
                  Chooser lazy =
                      (index, entry, allowed) ->
                          entry.id().hashCode() % 2 == 0
                              ? Chooser.NOWHERE
                              : index.best(entry.request(), allowed);
                  return new QueueWalk(pass, ports, policy, lazy, new Avoidance(policy.refusals()));
                }
              });
    }

    @Example
    void moreThanTheOffersHold() {
      assertNoticed(
          "exceeds its offers",
          (ports, policy) ->
              new SchedulingManager(ports, policy) {
                @Override
                void declineRest(Pass pass, List<ResourceOffer> strays) {
                  super.declineRest(pass, strays);
                  for (SchedulingNode node : pass.nodes.values()) {
                    node.acceptSystemTask(
                        Task.system("extra", "extra", Resources.of("cpus", "0.25")));
                  }
                }
              });
    }

    /** A store that removes what it commits from the queue, and forgets it. */
    private SchedulingPorts forgetful(SchedulingPorts all) {
      return all.withStore(
          (placed, cancelled, when) -> {
            List<PendingExecution> gone = new ArrayList<>(cancelled);
            for (Placement placement : placed) {
              gone.add(placement.execution().asCancelled());
            }
            gone.forEach(entry -> ((InMemoryQueue) all.queue()).remove(entry.id()));
            return List.of();
          });
    }
  }
}
