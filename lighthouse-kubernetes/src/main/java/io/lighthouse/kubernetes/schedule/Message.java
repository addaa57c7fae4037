package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.device.ResourceClaim;
import io.lighthouse.kubernetes.cluster.volume.VolumeWork;
import io.lighthouse.kubernetes.watch.Resource;
import io.lighthouse.kubernetes.watch.WatchEvent;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A message from another thread to the scheduling loop. {@link Cases} has all kinds that the
 * scheduler sends; tests send one of their own, which reads the cluster.
 */
interface Message {
  /** Calls the case for this kind of message. */
  <R> R match(Cases<R> cases);

  /** One function for each kind of message. */
  interface Cases<R> {
    R watched(Watched message);

    R bindingEnded(BindingEnded message);

    R volumesWritten(VolumesWritten message);

    R devicesWritten(DevicesWritten message);

    R devicesFreed(DevicesFreed message);

    R preemptionEnded(PreemptionEnded message);
  }

  /** An event of a list or a watch. */
  record Watched(WatchEvent event) implements Message {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.watched(this);
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
    public <R> R match(Cases<R> cases) {
      return cases.bindingEnded(this);
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
    public <R> R match(Cases<R> cases) {
      return cases.volumesWritten(this);
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
    public <R> R match(Cases<R> cases) {
      return cases.devicesWritten(this);
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
    public <R> R match(Cases<R> cases) {
      return cases.devicesFreed(this);
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
    public <R> R match(Cases<R> cases) {
      return cases.preemptionEnded(this);
    }
  }
}
