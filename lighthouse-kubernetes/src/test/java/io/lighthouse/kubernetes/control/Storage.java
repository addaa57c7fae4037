package io.lighthouse.kubernetes.control;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Storage objects for tests, and what the volume controllers do with them: by hand, or in a thread
 * that also looks for pods that were bound before their claims.
 */
public final class Storage implements AutoCloseable {
  private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
  private static final String VOLUMES = "/api/v1/persistentvolumes";
  private static final String CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
  private static final String SELECTED = "volume.kubernetes.io/selected-node";
  private static final String COMPLETED = "pv.kubernetes.io/bind-completed";

  private final ApiServer admin;
  private final String storageClass;
  private final Queue<String> findings = new ConcurrentLinkedQueue<>();
  private Thread thread;
  private volatile boolean closed;

  /** With a class of its own, whose claims wait for a pod's node. */
  public Storage(ApiServer admin, String storageClass, String provisioner) throws IOException {
    this.admin = admin;
    this.storageClass = storageClass;
    admin.post(
        CLASSES,
        Objects.json(
            "{'apiVersion':'storage.k8s.io/v1','kind':'StorageClass','metadata':{'name':'%s'},"
                + "'provisioner':'%s','volumeBindingMode':'WaitForFirstConsumer'}",
            storageClass, provisioner));
  }

  /** Creates a claim for a gigabyte. */
  public void addClaim(String name) throws IOException {
    admin.post(
        CLAIMS,
        Objects.json(
            "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'%s',"
                + "'namespace':'default'},'spec':{'storageClassName':'%s','accessModes':"
                + "['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}",
            name, storageClass));
  }

  /** Creates a volume that some nodes reach. */
  public void addVolume(String name, String... nodes) throws IOException {
    ObjectNode volume =
        Objects.json(
            "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'%s'},'spec':{"
                + "'storageClassName':'%s','accessModes':['ReadWriteOnce'],'capacity':"
                + "{'storage':'1Gi'},'csi':{'driver':'example.com','volumeHandle':'%s'},"
                + "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':["
                + "{'key':'kubernetes.io/hostname','operator':'In','values':['%s']}]}]}}}}",
            name, storageClass, name, String.join("','", nodes));
    admin.post(VOLUMES, volume);
    JsonNode available = Objects.json("{'status':{'phase':'Available'}}");
    admin.patch(VOLUMES + "/" + name + "/status", available);
  }

  /** A pod of our scheduler with a claim. */
  public static ObjectNode pod(String name, String claim) {
    ObjectNode pod = Objects.pod(name, "100m", "64Mi");
    pod.withObjectProperty("spec")
        .putArray("volumes")
        .addObject()
        .put("name", "data")
        .putObject("persistentVolumeClaim")
        .put("claimName", claim);
    return pod;
  }

  /** A claim as the server has it. */
  public JsonNode claim(String name) throws IOException {
    return admin.get(CLAIMS + "/" + name);
  }

  /** A volume as the server has it. */
  public JsonNode volume(String name) throws IOException {
    return admin.get(VOLUMES + "/" + name);
  }

  /** The node that a claim's volume is to be made for; empty while there is none. */
  public String selectedNode(String claim) throws IOException {
    return claim(claim).path("metadata").path("annotations").path(SELECTED).asString("");
  }

  /** Waits until a node is selected for a claim; answers which. */
  public String awaitSelected(String claim) throws Exception {
    Bench.until(() -> !selectedNode(claim).isEmpty(), () -> "no node selected for " + claim);
    return selectedNode(claim);
  }

  /** Waits until a volume is for a claim. */
  public void awaitReference(String volume, String claim) throws Exception {
    Bench.until(
        () -> reference(volume).path("name").asString("").equals(claim),
        () -> volume + " is for no claim");
  }

  /** The claim that a volume is for. */
  public JsonNode reference(String volume) throws IOException {
    return volume(volume).path("spec").path("claimRef");
  }

  /** What a provisioner does that fails. */
  public void unselect(String claim) throws IOException {
    admin.patch(
        CLAIMS + "/" + claim, Objects.json("{'metadata':{'annotations':{'%s':null}}}", SELECTED));
  }

  /** What the volume controller does in the end. */
  public void bind(String claim, String volume) throws IOException {
    admin.patch(
        CLAIMS + "/" + claim,
        Objects.json(
            "{'metadata':{'annotations':{'%s':'yes'}},'spec':{'volumeName':'%s'}}",
            COMPLETED, volume));
  }

  /** What a provisioner does that succeeds. */
  public void provision(String claim, String node) throws IOException {
    String name = "made-for-" + claim;
    addVolume(name, node);
    JsonNode uid = claim(claim).path("metadata").path("uid");
    admin.patch(
        VOLUMES + "/" + name,
        Objects.json(
            "{'spec':{'claimRef':{'kind':'PersistentVolumeClaim','namespace':'default',"
                + "'name':'%s','uid':'%s'}}}",
            claim, uid.asString()));
    bind(claim, name);
  }

  /** Carries on as the controllers do, each step a moment late. */
  public void run() {
    thread = new Thread(this::control, "volume-controllers");
    thread.setDaemon(true);
    thread.start();
  }

  private void control() {
    while (!closed) {
      try {
        TimeUnit.MILLISECONDS.sleep(40);
        List<JsonNode> pods = Bench.list(admin, "/api/v1/namespaces/default/pods");
        Map<String, JsonNode> claims = new TreeMap<>();
        Bench.list(admin, CLAIMS).forEach(claim -> claims.put(Bench.name(claim), claim));
        look(pods, claims);
        for (JsonNode volume : Bench.list(admin, VOLUMES)) {
          String of = volume.path("spec").path("claimRef").path("name").asString("");
          if (claims.containsKey(of) && !isBound(claims.get(of))) {
            bind(of, Bench.name(volume));
          }
        }
        for (JsonNode claim : claims.values()) {
          String node = claim.path("metadata").path("annotations").path(SELECTED).asString("");
          if (!node.isEmpty() && !isBound(claim)) {
            provision(Bench.name(claim), node);
          }
        }
      } catch (ApiException again) {
        // It exists, or has changed: the next turn looks anew.
      } catch (IOException | InterruptedException over) {
        return;
      }
    }
  }

  private void look(List<JsonNode> pods, Map<String, JsonNode> claims) {
    for (JsonNode pod : pods) {
      for (JsonNode volume : pod.path("spec").path("volumes")) {
        String name = volume.path("persistentVolumeClaim").path("claimName").asString("");
        JsonNode claim = claims.get(name);
        if (!Bench.nodeOf(pod).isEmpty() && claim != null && !isBound(claim)) {
          findings.add(Bench.name(pod) + " is bound before " + name);
        }
      }
    }
  }

  /** Pods that were bound before their claims. */
  public List<String> findings() {
    return List.copyOf(findings);
  }

  private static boolean isBound(JsonNode claim) {
    return claim.path("metadata").path("annotations").has(COMPLETED);
  }

  @Override
  public void close() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
    }
  }
}
