package io.lighthouse.scheduler.world;

import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.port.CapacityBook;
import io.lighthouse.scheduler.port.Catalogue;
import io.lighthouse.scheduler.port.ClusterClient;
import io.lighthouse.scheduler.port.ExecutionStore;
import io.lighthouse.scheduler.port.NodeDirectory;
import io.lighthouse.scheduler.port.PendingQueue;
import io.lighthouse.scheduler.port.RunningExecutions;
import io.lighthouse.scheduler.port.SchedulingEvents;
import io.lighthouse.scheduler.port.SystemTasks;
import io.lighthouse.scheduler.port.TaskRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Random;

/** Ports that fail now and then, and in whose calls other things may happen. */
final class Chaos {
  private final Random random;
  private final Runnable meanwhile;

  /** How many calls of a thousand fail. */
  int failing;

  /** In how many calls of a thousand something else happens. */
  int interrupting;

  Chaos(Random random, Runnable meanwhile) {
    this.random = random;
    this.meanwhile = meanwhile;
  }

  SchedulingPorts around(SchedulingPorts all) {
    return new SchedulingPorts(
        failing(NodeDirectory.class, all.nodes()),
        failing(CapacityBook.class, all.book()),
        failing(PendingQueue.class, all.queue()),
        failing(ExecutionStore.class, all.store()),
        failing(RunningExecutions.class, all.running()),
        failing(TaskRegistry.class, all.tasks()),
        failing(SystemTasks.class, all.systemTasks()),
        failing(Catalogue.class, all.catalogue()),
        failing(SchedulingEvents.class, all.events()),
        all.devices(),
        all.filter());
  }

  ClusterClient around(ClusterClient client) {
    return failing(ClusterClient.class, client);
  }

  private <T> T failing(Class<T> port, T target) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              if (random.nextInt(1000) < interrupting) {
                meanwhile.run();
              }
              int fate = random.nextInt(1000);
              if (fate < failing) {
                throw new IllegalStateException(method.getName() + " fails before its work");
              }
              Object answer;
              try {
                answer = method.invoke(target, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
              // Of these it cannot be known whether they did their work.
              boolean unsure =
                  method.getName().equals("launched") || method.getName().equals("add");
              if (unsure && fate >= 1000 - failing) {
                throw new IllegalStateException(method.getName() + " fails after its work");
              }
              return answer;
            }));
  }
}
