package io.lighthouse.kubernetes.control;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Does what a replica set, the kubelets and the disruption controller do for some pods of a test.
 * It keeps the wanted number of pods, runs those on nodes, ends deleted ones after a while, and
 * keeps the budget up to date.
 */
public final class Replicas implements AutoCloseable {
  private static final String SETS = "/apis/apps/v1/namespaces/default/replicasets";
  private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

  private final Bench bench;
  private final String name;
  private final ObjectNode template;
  private final JsonNode set;
  private final int wanted;
  private final Thread thread = new Thread(this::follow, "replicas");
  private volatile boolean closed;
  private volatile boolean makesNone;

  /** The fewest that are to run, by a budget; none below 0. */
  private volatile int fewest = -1;

  private int made;

  /** Creates the set, and keeps this number of pods like the template. */
  public Replicas(Bench bench, String name, ObjectNode template, int wanted) throws IOException {
    this.bench = bench;
    this.set =
        bench
            .admin()
            .post(
                SETS,
                Objects.json(
                    "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'%s'},'spec':{"
                        + "'replicas':%d,'selector':{'matchLabels':{'set':'%s'}},"
                        + "'template':{'metadata':{'labels':{'set':'%s'}},"
                        + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}",
                    name, wanted, name, name));
    this.name = name;
    this.template = template;
    this.wanted = wanted;
    thread.setDaemon(true);
    thread.start();
  }

  /** From now on no pod is made. */
  public void makeNone() {
    makesNone = true;
  }

  /** Adds or changes a budget, which lets pods go while at least this number runs. */
  public void budget(int running) throws IOException {
    if (fewest < 0) {
      bench
          .admin()
          .post(
              BUDGETS,
              Objects.json(
                  "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{'name':'%s'},"
                      + "'spec':{'minAvailable':%d,'selector':{'matchLabels':{'set':'%s'}}}}",
                  name, running, name));
    }
    fewest = running;
    budgetIsLookedAt();
  }

  /** Removes the budget. */
  public void noBudget() throws IOException {
    fewest = -1;
    Bench.delete(bench.admin(), BUDGETS + "/" + name);
  }

  private void budgetIsLookedAt() throws IOException {
    int running = 0;
    for (JsonNode pod : bench.pods()) {
      boolean runs = pod.path("status").path("phase").asString("").equals("Running");
      running += isOurs(pod) && runs && !pod.path("metadata").has("deletionTimestamp") ? 1 : 0;
    }
    int least = fewest;
    if (least >= 0) {
      bench
          .admin()
          .patch(
              BUDGETS + "/" + name + "/status",
              Objects.json(
                  "{'status':{'disruptionsAllowed':%d,'currentHealthy':%d,'desiredHealthy':%d,"
                      + "'expectedPods':%d,'observedGeneration':9}}",
                  Math.max(0, running - least), running, least, wanted));
    }
  }

  private boolean isOurs(JsonNode pod) {
    return pod.path("metadata").path("labels").path("set").asString("").equals(name);
  }

  private void follow() {
    while (!closed) {
      try {
        int there = 0;
        for (JsonNode pod : bench.pods()) {
          if (isOurs(pod)) {
            there += tend(pod) ? 1 : 0;
          }
        }
        while (there++ < wanted && !makesNone && !closed) {
          make();
        }
        if (fewest >= 0) {
          budgetIsLookedAt();
        }
        TimeUnit.MILLISECONDS.sleep(100);
      } catch (IOException cleared) {
        // The test has removed what was looked at; the next look knows.
      } catch (InterruptedException stopped) {
        return;
      }
    }
  }

  /** Whether it counts among those wanted. */
  private boolean tend(JsonNode pod) throws IOException {
    if (pod.path("metadata").has("deletionTimestamp")) {
      bench.deletePod(Bench.name(pod));
      return false;
    }
    boolean runs = pod.path("status").path("phase").asString("").equals("Running");
    if (!Bench.nodeOf(pod).isEmpty() && !runs) {
      bench.patchStatus(
          Bench.name(pod),
          Objects.json(
              "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}"));
    }
    return true;
  }

  private void make() throws IOException {
    ObjectNode pod = template.deepCopy();
    ObjectNode metadata = pod.withObjectProperty("metadata").put("name", name + "-" + made++);
    metadata.withObjectProperty("labels").put("set", name);
    metadata.set(
        "ownerReferences",
        Objects.json(
                "{'x':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'%s','controller':true,"
                    + "'uid':'%s'}]}",
                name, set.at("/metadata/uid").asString())
            .get("x"));
    bench.add(pod);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    thread.interrupt();
    try {
      thread.join(10_000);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
    Bench.delete(bench.admin(), SETS + "/" + name);
  }

  /** How many are wanted. */
  public int wanted() {
    return wanted;
  }
}
