package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.DeviceAuditor;
import io.lighthouse.kubernetes.control.DeviceObjects;
import io.lighthouse.kubernetes.control.Objects;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Tests with three nodes and a class of devices; each test adds the devices. */
abstract class OnDevices extends OnControlPlane {
  static DeviceObjects devices;

  /** The same settings, with claims to devices. */
  static final String QUICK = OnControlPlane.QUICK + "resourceClaims: {enabled: true}\n";

  private static final int NODES = 3;

  /** Within this time a pod would have been bound that did not wait. */
  private static final long MOMENT = 400;

  private static final boolean IS_REAL = "real".equals(System.getProperty("lighthouse.kubernetes"));
  private static final String MINOR = System.getenv().getOrDefault("KUBE_MINOR", "1.36");

  /** Whether classes may provide extended resources: by default from 1.36 on. */
  static final boolean HAS_EXTENDED_RESOURCES = !IS_REAL || MINOR.equals("1.36");

  @BeforeAll
  static void grantRights() throws IOException {
    Assumptions.assumeTrue(
        !IS_REAL || Set.of("1.34", "1.35", "1.36").contains(MINOR),
        "resource.k8s.io/v1 came with 1.34");
    DeviceObjects.grantRights(plane);
    devices = new DeviceObjects(bench);
  }

  /** Finds a device in two claims, and a pod that is bound before its claims. */
  DeviceAuditor auditor;

  @BeforeEach
  void addNodes() throws IOException {
    devices.clear();
    devices.addClass();
    for (int i = 0; i < NODES; i++) {
      bench.addNode("n" + i, "z" + i, "4", "8Gi", 30);
    }
    auditor = new DeviceAuditor(bench);
  }

  @AfterEach
  void stopWatching() {
    auditor.close();
  }

  static void addDevicesToAllNodes(int each) throws IOException {
    for (int i = 0; i < NODES; i++) {
      devices.addDevices("n" + i, each);
    }
  }

  /** Takes all processors of a node. */
  static void fill(String node) throws IOException {
    bench.add(Objects.pod("fills-" + node, "4", "64Mi"));
    bench.bind("fills-" + node, node);
  }

  static void assertStaysUnbound(String pod) throws Exception {
    TimeUnit.MILLISECONDS.sleep(MOMENT);
    assertThat(Bench.nodeOf(bench.pod(pod))).isEmpty();
  }
}
