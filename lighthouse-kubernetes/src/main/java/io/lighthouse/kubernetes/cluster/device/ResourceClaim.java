package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.UnsupportedFieldException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A ResourceClaim.
 *
 * @param namespace its namespace
 * @param name its name
 * @param uid its uid; empty until it is created
 * @param deleting whether it is being deleted
 * @param controller the uid of the controlling owner; empty where there is none
 * @param requests what it asks for; empty where that is not supported
 * @param constraints what its devices have to have in common
 * @param unsupported what of it is not supported; empty for nothing
 * @param allocation its devices; null where it has none
 * @param reservedFor the uids of the pods that it is reserved for
 * @param json the object
 */
public record ResourceClaim(
    String namespace,
    String name,
    String uid,
    boolean deleting,
    String controller,
    List<DeviceRequest> requests,
    List<ResourceClaim.Constraint> constraints,
    String unsupported,
    Allocation allocation,
    Set<String> reservedFor,
    JsonNode json) {
  /** With this, a claim is kept until its devices are given back. */
  public static final String FINALIZER = "resource.kubernetes.io/delete-protection";

  /** A claim can be reserved for this many pods (Kubernetes: ResourceClaimReservedForMaxSize). */
  static final int MOST_RESERVED = 256;

  /** A claim has at most this many devices (Kubernetes: AllocationResultsMaxSize). */
  static final int MOST_DEVICES = 32;

  /**
   * Devices have to have an attribute, and the same value of it.
   *
   * @param requests the requests that it is about; empty for all
   * @param attribute the full name of the attribute
   */
  record Constraint(Set<String> requests, String attribute) {
    /** Whether it is about the devices of an alternative of a request. */
    boolean isAbout(DeviceRequest request, DeviceRequest.Option option) {
      return requests.isEmpty()
          || requests.contains(request.name())
          || requests.contains(option.name());
    }
  }

  /** Reads a claim. */
  public static ResourceClaim of(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    JsonNode devices = object.path("spec").path("devices");
    List<DeviceRequest> requests = new ArrayList<>();
    List<Constraint> constraints = new ArrayList<>();
    String unsupported = "";
    try {
      ObjectFields.requireKnown(object.path("spec"), "spec", "devices");
      ObjectFields.requireKnown(devices, "devices", "requests", "constraints", "config");
      devices.path("requests").forEach(request -> requests.add(DeviceRequest.of(request)));
      int least = requests.stream().mapToInt(DeviceRequest::leastDevices).sum();
      if (least > MOST_DEVICES) {
        throw new UnsupportedFieldException("more than " + MOST_DEVICES + " devices");
      }
      for (JsonNode one : devices.path("constraints")) {
        ObjectFields.requireKnown(one, "constraints", "requests", "matchAttribute");
        constraints.add(
            new Constraint(
                Set.copyOf(ObjectFields.texts(one.path("requests"))),
                ObjectFields.text(one, "matchAttribute")));
      }
    } catch (UnsupportedFieldException found) {
      requests.clear();
      unsupported =
          "resource claim " + ObjectFields.text(metadata, "name") + ": " + found.getMessage();
    }
    JsonNode status = object.path("status");
    Set<String> reservedFor = new LinkedHashSet<>();
    status.path("reservedFor").forEach(one -> reservedFor.add(ObjectFields.text(one, "uid")));
    return new ResourceClaim(
        ObjectFields.text(metadata, "namespace"),
        ObjectFields.text(metadata, "name"),
        ObjectFields.text(metadata, "uid"),
        ObjectFields.isDeleting(object),
        ObjectFields.controller(metadata),
        List.copyOf(requests),
        List.copyOf(constraints),
        unsupported,
        status.path("allocation").isObject() ? Allocation.of(status.path("allocation")) : null,
        reservedFor,
        object);
  }

  /** Whether a claim is kept until its devices are given back. */
  public static boolean hasFinalizer(JsonNode claim) {
    return ObjectFields.texts(claim.path("metadata").path("finalizers")).contains(FINALIZER);
  }

  /** Whether it was made for one pod, and goes with it. */
  boolean isOfOnePod() {
    JsonNode owner = ObjectFields.controllerOf(json.path("metadata"));
    return ObjectFields.text(owner, "kind").equals("Pod");
  }

  /** Whether a scheduler has made it for a pod that requests extended resources. */
  public boolean isOfExtendedResources() {
    JsonNode annotations = json.path("metadata").path("annotations");
    return ObjectFields.text(annotations, ExtendedClaim.ANNOTATION).equals("true");
  }

  /** Namespace and name. */
  public String key() {
    return namespace + "/" + name;
  }
}
