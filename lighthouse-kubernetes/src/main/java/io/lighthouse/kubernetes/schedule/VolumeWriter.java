package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import io.lighthouse.kubernetes.cluster.volume.VolumeWork;
import io.lighthouse.kubernetes.schedule.Message.Found;
import io.lighthouse.kubernetes.schedule.ObjectWrites.NotWrittenException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells the volume controllers where the claims of a pod are needed: a volume gets its claim, and a
 * claim for which a volume is made gets its node. What was written stays, also where the pod goes
 * elsewhere later, as in the stock scheduler. Thread-safe.
 */
final class VolumeWriter implements AutoCloseable {
  private static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  private final ObjectWrites writes;
  private final CallWorkers workers;

  /**
   * A writer.
   *
   * @param writes where it writes
   * @param workers its threads; they are closed with this
   */
  VolumeWriter(ObjectWrites writes, CallWorkers workers) {
    this.writes = writes;
    this.workers = workers;
  }

  /** Writes in the background; the end is a message in the inbox. */
  void submit(Binding binding, VolumeWork work) {
    workers.submit(binding.priority(), () -> carryOut(binding, work));
  }

  private Message.VolumesWritten carryOut(Binding binding, VolumeWork work)
      throws InterruptedException {
    List<Found> found = new ArrayList<>();
    List<VolumeWork.Match> matches = new ArrayList<>();
    List<ClaimFacts> provisions = new ArrayList<>();
    String failure = "";
    try {
      for (VolumeWork.Match match : work.matches()) {
        matches.add(new VolumeWork.Match(match.claim(), written(match, found)));
      }
      for (ClaimFacts claim : work.provisions()) {
        provisions.add(written(claim, work.node(), found));
      }
    } catch (NotWrittenException failed) {
      failure = failed.getMessage();
    }
    VolumeWork written = new VolumeWork(work.node(), matches, provisions);
    return new Message.VolumesWritten(binding, written, found, failure);
  }

  private VolumeFacts written(VolumeWork.Match match, List<Found> found)
      throws NotWrittenException, InterruptedException {
    VolumeFacts volume = match.volume();
    ClaimFacts claim = match.claim();
    if (volume.claim().equals(claim.key()) && volume.claimUid().equals(claim.uid())) {
      return volume;
    }
    ObjectNode patch = ObjectWrites.patch(volume.version());
    if (!volume.isFor(claim)) {
      annotate(patch, BOUND_BY_CONTROLLER, "yes");
    }
    patch
        .putObject("spec")
        .putObject("claimRef")
        .put("apiVersion", "v1")
        .put("kind", "PersistentVolumeClaim")
        .put("namespace", claim.namespace())
        .put("name", claim.name())
        .put("uid", claim.uid())
        .put("resourceVersion", claim.version());
    JsonNode now =
        writes.write(
            "/api/v1/persistentvolumes/" + volume.name(),
            "",
            patch,
            object -> VolumeFacts.of(object).claimUid().equals(claim.uid()));
    found.add(new Found(Resource.VOLUMES, now));
    return VolumeFacts.of(now);
  }

  private ClaimFacts written(ClaimFacts claim, String node, List<Found> found)
      throws NotWrittenException, InterruptedException {
    if (node.equals(claim.selectedNode())) {
      return claim;
    }
    ObjectNode patch = ObjectWrites.patch(claim.version());
    annotate(patch, ClaimFacts.SELECTED_NODE, node);
    JsonNode now =
        writes.write(
            "/api/v1/namespaces/" + claim.namespace() + "/persistentvolumeclaims/" + claim.name(),
            "",
            patch,
            object -> isSelected(ClaimFacts.of(object), claim, node));
    found.add(new Found(Resource.CLAIMS, now));
    return ClaimFacts.of(now);
  }

  private static boolean isSelected(ClaimFacts now, ClaimFacts claim, String node) {
    return now.uid().equals(claim.uid()) && node.equals(now.selectedNode());
  }

  private static void annotate(ObjectNode patch, String name, String value) {
    patch.withObjectProperty("metadata").putObject("annotations").put(name, value);
  }

  /** The pieces of work that have not ended. */
  int inFlight() {
    return workers.inFlight();
  }

  /** Sends nothing more; no write of it takes effect any more. */
  @Override
  public void close() {
    workers.close();
  }
}
