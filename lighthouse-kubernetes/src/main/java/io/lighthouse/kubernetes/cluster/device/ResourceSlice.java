package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.UnsupportedFieldException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A ResourceSlice: some devices of a pool, or the counters that they share.
 *
 * @param name its name
 * @param driver the driver
 * @param pool the name of the pool
 * @param generation slices of an older generation do not count
 * @param count how many slices its generation of the pool has
 * @param devices the devices; those that say what is not supported are left out
 * @param counters by set and name, the shared counters
 * @param names the names of all its devices, left out or not
 * @param isComplete whether its nodes can be read, and no device is left out that takes of
 *     counters; a pool without it would not know what is left
 */
record ResourceSlice(
    String name,
    String driver,
    String pool,
    long generation,
    long count,
    List<Device> devices,
    Map<String, Map<String, BigDecimal>> counters,
    List<String> names,
    boolean isComplete) {

  static ResourceSlice of(JsonNode object) {
    JsonNode spec = object.path("spec");
    String driver = ObjectFields.text(spec, "driver");
    String pool = ObjectFields.text(spec.path("pool"), "name");
    List<Device> devices = new ArrayList<>();
    List<String> names = new ArrayList<>();
    Device.Reach reach = null;
    boolean isComplete = true;
    try {
      reach = Device.Reach.of(spec);
    } catch (UnsupportedFieldException unsupported) {
      isComplete = false;
    }
    for (JsonNode device : isComplete ? spec.path("devices") : List.<JsonNode>of()) {
      names.add(ObjectFields.text(device, "name"));
      try {
        devices.add(Device.of(driver, pool, reach, device));
      } catch (UnsupportedFieldException unsupported) {
        isComplete &= device.path("consumesCounters").isEmpty();
      }
    }
    return new ResourceSlice(
        ObjectFields.text(object.path("metadata"), "name"),
        driver,
        pool,
        spec.path("pool").path("generation").asLong(0),
        spec.path("pool").path("resourceSliceCount").asLong(0),
        List.copyOf(devices),
        Device.counters(spec.path("sharedCounters")),
        List.copyOf(names),
        isComplete);
  }
}
