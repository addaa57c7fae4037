package io.lighthouse.kubernetes.schedule;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.cluster.device.DeviceWork;
import io.lighthouse.kubernetes.cluster.device.ResourceClaim;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.schedule.Message.Found;
import io.lighthouse.kubernetes.schedule.ObjectWrites.NotWrittenException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the devices of claims before their pod is bound: a claim gets the finalizer, then its
 * devices together with the pod among those that it is reserved for. A claim of extended resources
 * is created before that, and the pod's status names it then. Where the pod is not bound after all,
 * what was written stays until its next turn. Thread-safe.
 */
final class DeviceWriter implements AutoCloseable {
  private final ObjectWrites writes;
  private final CallWorkers workers;
  private final Clock wall;

  /**
   * A writer.
   *
   * @param writes where it writes
   * @param workers its threads; they are closed with this
   * @param wall the time of allocations
   */
  DeviceWriter(ObjectWrites writes, CallWorkers workers, Clock wall) {
    this.writes = writes;
    this.workers = workers;
    this.wall = wall;
  }

  /** Writes in the background; the end is a message in the inbox. */
  void submit(Binding binding, DeviceWork work) {
    workers.submit(
        binding.priority(),
        () -> {
          List<Found> found = new ArrayList<>();
          try {
            for (DeviceWork.Write write : work.writes()) {
              DeviceWork.Write known = write;
              if (write.claim().uid().isEmpty()) {
                known = create(write);
                found.add(new Found(Resource.RESOURCE_CLAIMS, known.claim().json()));
              }
              found.add(new Found(Resource.RESOURCE_CLAIMS, reserve(known, binding)));
            }
            if (work.podStatus() != null) {
              found.add(new Found(Resource.PODS, write(binding, work.podStatus())));
            }
            return new Message.DevicesWritten(binding, found, "", false);
          } catch (NotWrittenException failed) {
            String failure = failed.getMessage();
            return end(
                failed,
                new Message.DevicesWritten(binding, found, failure, failed.mayHaveHappened()),
                () -> new Message.DevicesWritten(binding, claimsNow(work), failure, false));
          } catch (InvalidInputException unreadable) {
            return new Message.DevicesWritten(binding, found, unreadable.getMessage(), true);
          }
        });
  }

  private List<Found> claimsNow(DeviceWork work) throws NotWrittenException, InterruptedException {
    List<Found> found = new ArrayList<>();
    for (DeviceWork.Write write : work.writes()) {
      JsonNode now = writes.find(path(write.claim()));
      if (!now.isMissingNode()) {
        found.add(new Found(Resource.RESOURCE_CLAIMS, now));
      }
    }
    return found;
  }

  /** The end of a piece of work, by what the server has. */
  private interface LookUp {
    Message end() throws NotWrittenException, InterruptedException;
  }

  /**
   * The end of work whose write failed. If the write may still take effect, what has become of it
   * is looked up once it takes none any more. No thread waits until then.
   *
   * @param notDone the end where nothing is to be looked up, or it cannot be
   * @return null where it ends later
   */
  private Message end(NotWrittenException failed, Message notDone, LookUp lookUp) {
    boolean endsLater =
        failed.mayHaveHappened()
            && workers.submitAfter(
                workers.noEffectFrom() - System.nanoTime(),
                () -> {
                  try {
                    return lookUp.end();
                  } catch (NotWrittenException | InvalidInputException notToBeKnown) {
                    return notDone;
                  }
                });
    return endsLater ? null : notDone;
  }

  /** Has a claim give its devices back in the background; the end is a message in the inbox. */
  void free(String podUid, ResourceClaim claim) {
    workers.submit(
        CallWorkers.FIRST,
        () -> {
          try {
            JsonNode now = giveBack(claim);
            return new Message.DevicesFreed(podUid, claim, now, "");
          } catch (NotWrittenException failed) {
            String failure = failed.getMessage();
            return end(
                failed,
                new Message.DevicesFreed(podUid, claim, null, failure),
                () -> freedNow(podUid, claim, failure));
          } catch (InvalidInputException failed) {
            return new Message.DevicesFreed(podUid, claim, null, failed.getMessage());
          }
        });
  }

  private Message freedNow(String podUid, ResourceClaim claim, String failure)
      throws NotWrittenException, InterruptedException {
    JsonNode now = writes.read(path(claim));
    return ResourceClaim.of(now).allocation() == null
        ? new Message.DevicesFreed(podUid, claim, now, "")
        : new Message.DevicesFreed(podUid, claim, null, failure);
  }

  /** Deletes a claim in the background; the end is a message in the inbox. */
  void delete(String podUid, ResourceClaim claim) {
    workers.submit(
        CallWorkers.FIRST,
        () -> {
          try {
            JsonNode now = claim.json();
            if (claim.allocation() != null || !claim.reservedFor().isEmpty()) {
              now = giveBack(claim);
            }
            if (ResourceClaim.hasFinalizer(now)) {
              JsonNode free = withoutFinalizer(now);
              writes.replace(path(claim), free, after -> !ResourceClaim.hasFinalizer(after));
            }
            writes.delete(path(claim), claim.uid());
            return new Message.DevicesFreed(podUid, claim, null, "");
          } catch (NotWrittenException failed) {
            Message notDeleted = new Message.DevicesFreed(podUid, claim, null, failed.getMessage());
            // The pod gets no node before this ends: the claim may still go.
            return end(failed, notDeleted, () -> notDeleted);
          } catch (InvalidInputException failed) {
            return new Message.DevicesFreed(podUid, claim, null, failed.getMessage());
          }
        });
  }

  private JsonNode giveBack(ResourceClaim claim) throws NotWrittenException, InterruptedException {
    ObjectNode patch = patch(claim.json());
    patch.putObject("status").putNull("allocation").putNull("reservedFor");
    return write(claim, "/status", patch, one -> one.allocation() == null);
  }

  /** The same claim without our finalizer. It names the version that was read. */
  private static JsonNode withoutFinalizer(JsonNode claim) {
    ObjectNode free = (ObjectNode) claim.deepCopy();
    free.withObjectProperty("metadata").set("finalizers", otherFinalizers(claim));
    return free;
  }

  private static ArrayNode otherFinalizers(JsonNode claim) {
    ArrayNode others = JsonNodeFactory.instance.arrayNode();
    for (JsonNode one : claim.path("metadata").path("finalizers")) {
      if (!one.asString("").equals(ResourceClaim.FINALIZER)) {
        others.add(one);
      }
    }
    return others;
  }

  /** Creates a claim, or finds the same one if it was created before. */
  private DeviceWork.Write create(DeviceWork.Write write)
      throws NotWrittenException, InterruptedException {
    ResourceClaim wanted = write.claim();
    JsonNode created =
        writes.create(
            collection(wanted),
            path(wanted),
            wanted.json(),
            object -> {
              ResourceClaim now = ResourceClaim.of(object);
              return now.isOfExtendedResources()
                  && now.controller().equals(wanted.controller())
                  && now.constraints().isEmpty()
                  && now.json().path("spec").path("devices").path("config").isEmpty()
                  && now.requests().equals(wanted.requests())
                  && now.allocation() == null
                  && !now.deleting();
            });
    return new DeviceWork.Write(ResourceClaim.of(created), write.allocation(), write.isNew());
  }

  /**
   * Writes fields of a pod's status, and returns the pod. A server without the feature drops them.
   */
  private JsonNode write(Binding binding, ObjectNode status)
      throws NotWrittenException, InterruptedException {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", binding.uid());
    patch.set("status", status);
    Predicate<JsonNode> isDone =
        pod -> ObjectFields.uid(pod).equals(binding.uid()) && has(pod.path("status"), status);
    JsonNode written = writes.write(binding.path(), "/status", patch, isDone);
    if (!isDone.test(written)) {
      throw new NotWrittenException("the server does not keep " + status, false);
    }
    return written;
  }

  /** Whether an object has some fields as they are; one that is null has to be missing. */
  private static boolean has(JsonNode object, ObjectNode fields) {
    return fields.properties().stream()
        .allMatch(
            field ->
                field.getValue().isNull()
                    ? !object.has(field.getKey())
                    : field.getValue().equals(object.get(field.getKey())));
  }

  /** The pieces of work that have not ended. */
  int inFlight() {
    return workers.inFlight();
  }

  /**
   * Another pod may write to the claim at the same time: what is not done is tried again. The
   * attempts are counted from the last change of the claim by another writer.
   */
  private JsonNode reserve(DeviceWork.Write write, Binding binding)
      throws NotWrittenException, InterruptedException {
    ResourceClaim decided = write.claim();
    JsonNode now = decided.json();
    int tries = 0;
    while (true) {
      ResourceClaim claim = ResourceClaim.of(now);
      require(decided.uid().equals(claim.uid()) && !claim.deleting(), decided, "has gone");
      if (claim.allocation() != null) {
        boolean isSame = claim.allocation().hasDevicesOf(write.allocation());
        require(isSame, decided, "got other devices in the meantime");
        if (claim.reservedFor().contains(binding.uid())) {
          return now;
        }
      } else {
        require(write.isNew(), decided, "has lost its devices in the meantime");
      }
      tries++;
      try {
        return reserve(claim, write, binding);
      } catch (NotWrittenException failed) {
        if (tries == ObjectWrites.TRIES || failed.mayHaveHappened()) {
          throw failed;
        }
        JsonNode before = now;
        now = writes.read(path(decided));
        if (!ObjectFields.version(now).equals(ObjectFields.version(before))) {
          tries = 0;
        }
      }
    }
  }

  private static void require(boolean isTrue, ResourceClaim claim, String otherwise)
      throws NotWrittenException {
    if (!isTrue) {
      throw new NotWrittenException("resource claim " + claim.key() + " " + otherwise, false);
    }
  }

  /** Reserves a claim for a pod, from the state in which it was read. */
  private JsonNode reserve(ResourceClaim claim, DeviceWork.Write write, Binding binding)
      throws NotWrittenException, InterruptedException {
    JsonNode json = claim.json();
    boolean lacksDevices = claim.allocation() == null;
    if (lacksDevices && !ResourceClaim.hasFinalizer(json)) {
      ObjectNode patch = patch(json);
      ArrayNode all = otherFinalizers(json).add(ResourceClaim.FINALIZER);
      patch.withObjectProperty("metadata").set("finalizers", all);
      json = writes.write(path(claim), "", patch, ResourceClaim::hasFinalizer);
    }
    ObjectNode patch = patch(json);
    ObjectNode status = patch.putObject("status");
    if (lacksDevices) {
      // kube-scheduler adds a missing time to every allocation, which the server then refuses.
      ObjectNode allocation = (ObjectNode) write.allocation().json().deepCopy();
      allocation.put(
          "allocationTimestamp", wall.instant().truncatedTo(ChronoUnit.SECONDS).toString());
      status.set("allocation", allocation);
    }
    ArrayNode reservedFor = status.putArray("reservedFor");
    json.path("status").path("reservedFor").forEach(reservedFor::add);
    WaitingPod pod = binding.decision().pod();
    reservedFor.addObject().put("resource", "pods").put("name", pod.name()).put("uid", pod.uid());
    return write(
        claim,
        "/status",
        patch,
        now -> now.allocation() != null && now.reservedFor().contains(pod.uid()));
  }

  private JsonNode write(
      ResourceClaim claim, String part, JsonNode patch, Predicate<ResourceClaim> isDone)
      throws NotWrittenException, InterruptedException {
    return writes.write(path(claim), part, patch, object -> isDone.test(ResourceClaim.of(object)));
  }

  private static ObjectNode patch(JsonNode claim) {
    return ObjectWrites.patch(ObjectFields.version(claim));
  }

  private static String path(ResourceClaim claim) {
    return collection(claim) + "/" + claim.name();
  }

  private static String collection(ResourceClaim claim) {
    return "/apis/resource.k8s.io/v1/namespaces/" + claim.namespace() + "/resourceclaims";
  }

  /** Sends nothing more; no write of it takes effect any more. */
  @Override
  public void close() {
    workers.close();
  }
}
