package io.lighthouse.kubernetes.cluster.object;

import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A port of the host that a pod takes.
 *
 * @param protocol such as {@code TCP}
 * @param address {@link #EVERY} or one address
 * @param port from 1
 */
public record HostPort(String protocol, String address, int port) {
  /** All addresses of the host. */
  public static final String EVERY = "0.0.0.0";

  /** Those of the containers, and of init containers that go on running. */
  static Set<HostPort> of(JsonNode spec) {
    Set<HostPort> ports = new LinkedHashSet<>();
    for (JsonNode container : spec.path("containers")) {
      add(ports, container);
    }
    for (JsonNode container : spec.path("initContainers")) {
      if (ObjectFields.text(container, "restartPolicy").equals("Always")) {
        add(ports, container);
      }
    }
    return ports;
  }

  private static void add(Set<HostPort> ports, JsonNode container) {
    for (JsonNode port : container.path("ports")) {
      int number = port.path("hostPort").asInt(0);
      if (number > 0) {
        String address = ObjectFields.text(port, "hostIP");
        String protocol = ObjectFields.text(port, "protocol");
        ports.add(
            new HostPort(
                protocol.isEmpty() ? "TCP" : protocol,
                address.isEmpty() ? EVERY : address,
                number));
      }
    }
  }

  /** The same port at all addresses. */
  public HostPort atEveryAddress() {
    return new HostPort(protocol, EVERY, port);
  }

  /** The group of all that take the port, at whatever address. */
  public String group() {
    return "port:" + protocol + ":" + port;
  }

  /** The group of all that take the port at an address. */
  public String groupAt(String of) {
    return group() + "@" + of;
  }
}
