package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.UnsupportedFieldException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A DeviceClass.
 *
 * @param name its name
 * @param selectors what its devices are like: all of them match
 * @param config what its driver gets with the devices
 * @param unsupported what of it is not supported; empty for nothing
 */
record DeviceClass(
    String name, List<DeviceExpression> selectors, JsonNode config, String unsupported) {

  static DeviceClass of(JsonNode object) {
    String name = ObjectFields.text(object.path("metadata"), "name");
    JsonNode spec = object.path("spec");
    try {
      ObjectFields.requireKnown(spec, "", "selectors", "config", "extendedResourceName");
      return new DeviceClass(name, selectors(spec), spec.path("config"), "");
    } catch (UnsupportedFieldException found) {
      String what = "device class " + name + ": " + found.getMessage();
      return new DeviceClass(name, List.of(), spec.path("config"), what);
    }
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
