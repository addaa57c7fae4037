package io.lighthouse.kubernetes.control;

import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.client.Kubeconfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** An API server that tests may break: the real one, or a fake that is to give the same results. */
public interface ControlPlane extends AutoCloseable {
  /** A client with all rights. */
  ApiServer admin();

  /** As the scheduler, with the rights of deploy/kubernetes. */
  default ClusterAccess scheduler() {
    return Kubeconfig.access(Optional.of(kubeconfig()), Optional.empty());
  }

  /** A kubeconfig file of the scheduler. */
  Path kubeconfig();

  /** A kubeconfig file for carrying plans out, with the rights of deploy/kubernetes. */
  Path planner() throws IOException;

  /** Ends the server without a word, and starts it again; what was written stays. */
  void restart() throws IOException, InterruptedException;

  /** Ends the store behind the server without a word, and starts it again; nothing is lost. */
  void restartStore() throws IOException, InterruptedException;

  /** Whether it is the fake. */
  boolean isFake();

  @Override
  void close();

  /**
   * The one that the build asks for: the system property {@code lighthouse.kubernetes} is {@code
   * real} under the profile {@code kubernetes}.
   */
  static ControlPlane start() throws Exception {
    return "real".equals(System.getProperty("lighthouse.kubernetes"))
        ? new RealControlPlane()
        : new FakeControlPlane();
  }

  /** The same, with PodGroups; the real one needs 1.36 for them. */
  static ControlPlane withPodGroups() throws Exception {
    return "real".equals(System.getProperty("lighthouse.kubernetes"))
        ? RealControlPlane.withPodGroups()
        : new FakeControlPlane();
  }
}
