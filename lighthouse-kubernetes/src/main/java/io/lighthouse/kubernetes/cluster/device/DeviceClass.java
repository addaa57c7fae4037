package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.UnsupportedFieldException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A DeviceClass.
 *
 * @param name its name
 * @param created when it was made, as text; later times are greater
 * @param extendedResource the extended resource that it names; empty for none
 * @param selectors what its devices are like: all of them match
 * @param config what its driver gets with the devices
 * @param unsupported what of it is not supported; empty for nothing
 */
record DeviceClass(
    String name,
    String created,
    String extendedResource,
    List<DeviceExpression> selectors,
    JsonNode config,
    String unsupported) {
  /** Each class provides the resource that is called this and its name. */
  private static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";

  static DeviceClass of(JsonNode object) {
    String name = ObjectFields.text(object.path("metadata"), "name");
    String created = ObjectFields.text(object.path("metadata"), "creationTimestamp");
    JsonNode spec = object.path("spec");
    String resource = ObjectFields.text(spec, "extendedResourceName");
    try {
      ObjectFields.requireKnown(spec, "", "selectors", "config", "extendedResourceName");
      return new DeviceClass(name, created, resource, selectors(spec), spec.path("config"), "");
    } catch (UnsupportedFieldException found) {
      String what = "device class " + name + ": " + found.getMessage();
      return new DeviceClass(name, created, resource, List.of(), spec.path("config"), what);
    }
  }

  /** The class that provides each extended resource: the newest that names it. */
  static Map<String, DeviceClass> byResource(Collection<DeviceClass> classes) {
    List<DeviceClass> sorted = new ArrayList<>(classes);
    sorted.sort(
        Comparator.comparing(DeviceClass::created)
            .thenComparing(DeviceClass::name, Comparator.reverseOrder()));
    Map<String, DeviceClass> found = new HashMap<>();
    for (DeviceClass one : sorted) {
      found.put(IMPLICIT + one.name(), one);
      if (!one.extendedResource().isEmpty()) {
        found.put(one.extendedResource(), one);
      }
    }
    return found;
  }

  /**
   * Reads the selectors of a class or request.
   *
   * @throws UnsupportedFieldException if one of them is not supported
   */
  static List<DeviceExpression> selectors(JsonNode object) {
    List<DeviceExpression> selectors = new ArrayList<>();
    for (JsonNode selector : object.path("selectors")) {
      ObjectFields.requireKnown(selector, "selectors", "cel");
      selectors.add(DeviceExpression.parse(ObjectFields.text(selector.path("cel"), "expression")));
    }
    return List.copyOf(selectors);
  }
}
