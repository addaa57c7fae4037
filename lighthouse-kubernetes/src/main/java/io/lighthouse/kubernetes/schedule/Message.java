package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.device.ResourceClaim;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.volume.VolumeWork;
import io.lighthouse.kubernetes.watch.WatchEvent;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** A message from another thread to the scheduling loop. */
@FunctionalInterface
interface Message {
  /** Hands itself to a term, in the thread of its loop. */
  void arriveAt(Term term);

  /** An event of a list or a watch. */
  record Watched(WatchEvent event) implements Message {
    @Override
    public void arriveAt(Term term) {
      term.watched(this);
    }
  }

  /**
   * A binding has ended.
   *
   * @param pod the pod where it is on another node; null otherwise
   * @param detail the server's message; empty if the binding succeeded
   */
  record BindingEnded(Binding binding, Binder.Outcome outcome, JsonNode pod, String detail)
      implements Message {
    @Override
    public void arriveAt(Term term) {
      term.bindingEnded(this);
    }
  }

  /** An object that was read outside of list and watch. */
  record Found(Resource resource, JsonNode object) {}

  /**
   * The claims and volumes of a pod were written, or could not be.
   *
   * @param work what was written, with the objects as the server has them now
   * @param found the objects that the server answered with
   * @param failure the server's message; empty if all was written
   */
  record VolumesWritten(Binding binding, VolumeWork work, List<Found> found, String failure)
      implements Message {
    @Override
    public void arriveAt(Term term) {
      term.volumesWritten(this);
    }
  }

  /**
   * The claims of a pod to devices were written, or could not be.
   *
   * @param binding the pod that waits for it
   * @param found the claims that the server answered with
   * @param failure the server's message; empty if all was written
   * @param isUnknown whether a write was sent whose outcome is not known
   */
  record DevicesWritten(Binding binding, List<Found> found, String failure, boolean isUnknown)
      implements Message {
    @Override
    public void arriveAt(Term term) {
      term.devicesWritten(this);
    }
  }

  /**
   * A claim has given its devices back, or was deleted, or could not be.
   *
   * @param podUid the uid of the refused pod that this may help
   * @param claim the claim as it was
   * @param now the claim as the server answered; null where it did not, or the claim was deleted
   * @param failure the server's message; empty if it has given them back
   */
  record DevicesFreed(String podUid, ResourceClaim claim, JsonNode now, String failure)
      implements Message {
    @Override
    public void arriveAt(Term term) {
      term.devicesFreed(this);
    }
  }

  /**
   * A preemption has ended.
   *
   * @param pods the nominated pod and the victims as the server answered them, where it did
   * @param evicted the uids of the victims that end or have gone
   * @param detail why it failed; empty if it did not
   */
  record PreemptionEnded(
      Decision.Preempt decision,
      Preemptor.Outcome outcome,
      List<JsonNode> pods,
      Set<String> evicted,
      String detail)
      implements Message {
    @Override
    public void arriveAt(Term term) {
      term.preemptionEnded(this);
    }
  }
}
