package io.lighthouse.kubernetes.export;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.watch.ClusterLists;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a cluster at one time, as a {@link KubernetesImport}. */
public final class ClusterReader {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private ClusterReader() {}

  /**
   * Asks a server for its nodes, namespaces, pods and storage. The lists are taken one after the
   * other, so a pod may be on a node that came between them.
   *
   * @param kubeconfig the kubeconfig file; empty inside a pod
   * @param context the context; that of the file where it is empty
   * @param strategy the strategy that the problem is to name
   * @return the cluster
   * @throws InvalidInputException if the file is not usable
   * @throws IOException if the server refuses, or does not answer
   */
  public static KubernetesImport ofServer(
      Optional<Path> kubeconfig, Optional<String> context, String strategy) throws IOException {
    try (ApiServer server =
        new ApiServer(Kubeconfig.access(kubeconfig, context), ClusterLists.LIMIT)) {
      return KubernetesImport.of(ClusterLists.read(server), strategy);
    }
  }

  /**
   * Reads what {@code kubectl get nodes,pods,namespaces -A -o json} prints. Where pods use claims,
   * {@code pvc,pv,sc} belong to the list.
   *
   * @param files the files, of one list each; nodes must be among them
   * @param strategy the strategy that the problem is to name
   * @return the cluster
   * @throws InvalidInputException if one cannot be read, is no JSON, or no such list
   */
  public static KubernetesImport ofFiles(List<Path> files, String strategy) {
    return KubernetesImport.of(files.stream().map(ClusterReader::list).toList(), strategy);
  }

  private static JsonNode list(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return KubernetesImport.checked(MAPPER.readTree(in), file.toString());
    } catch (IOException unreadable) {
      throw new InvalidInputException(
          "export", "--objects", "'" + file + "'", "a file that can be read");
    } catch (JacksonException broken) {
      throw new InvalidInputException(
          file.toString(), "the text", "no JSON", "JSON (" + broken.getOriginalMessage() + ")");
    }
  }
}
