package io.lighthouse.kubernetes.client;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the section {@code exec} of a user in a kubeconfig as an {@link ExecPlugin}. */
final class ExecSection {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final List<String> MODES = List.of("Never", "IfAvailable");

  private ExecSection() {}

  /**
   * Reads a section.
   *
   * @param cluster the section of the cluster, for plug-ins that want to know it
   * @throws io.lighthouse.api.error.InvalidInputException if it says what is not supported, or
   *     there is no such program
   */
  static ExecPlugin read(KubeconfigSection exec, KubeconfigSection cluster) {
    String version = exec.required("apiVersion");
    if (!ExecPlugin.VERSIONS.contains(version)) {
      throw exec.wrong("apiVersion", "'" + version + "'", String.join(" or ", ExecPlugin.VERSIONS));
    }
    boolean mayBeLeftOut = version.endsWith("v1beta1");
    String mode = exec.text("interactiveMode").orElse(mayBeLeftOut ? "IfAvailable" : "");
    if (!MODES.contains(mode)) {
      String found = mode.isEmpty() ? "missing" : "'" + mode + "'";
      throw exec.wrong(
          "interactiveMode", found, String.join(" or ", MODES) + ", without a terminal");
    }
    String hint = exec.text("installHint").orElse("");
    List<String> command = new ArrayList<>();
    command.add(program(exec, hint));
    for (Object argument : exec.list("args")) {
      if (!(argument instanceof String text)) {
        throw exec.wrong("args", "not all texts", "texts, in quotes if they are numbers");
      }
      command.add(text);
    }
    return new ExecPlugin(
        List.copyOf(command),
        environment(exec),
        version,
        exec.isTrue("provideClusterInfo") ? info(cluster) : null,
        hint,
        ExecPlugin.LIMIT);
  }

  private static Map<String, String> environment(KubeconfigSection exec) {
    Map<String, String> environment = new LinkedHashMap<>();
    for (Object entry : exec.list("env")) {
      boolean isPair =
          entry instanceof Map<?, ?> map
              && map.get("name") instanceof String
              && map.get("value") instanceof String;
      if (!isPair) {
        throw exec.wrong("env", "not of pairs", "a list of {name: ..., value: ...}");
      }
      Map<?, ?> pair = (Map<?, ?>) entry;
      environment.put((String) pair.get("name"), (String) pair.get("value"));
    }
    return environment;
  }

  /**
   * The program. A name without a folder is looked up in {@code PATH}; a path counts from the
   * folder of the kubeconfig. Where there is no such program, the message has the hint how to
   * install it.
   */
  private static String program(KubeconfigSection exec, String hint) {
    String command = exec.required("command");
    boolean isPath = command.contains("/") || command.contains(File.separator);
    String program = isPath ? exec.beside(command).toString() : command;
    // On Windows, only the system knows which endings of names are programs.
    if (File.separatorChar == '/' && !(isPath ? isProgram(Path.of(program)) : isOnPath(program))) {
      throw exec.wrong(
          "command",
          "'" + command + "', which is not there",
          "a program" + (hint.isEmpty() ? "" : "; " + hint.strip()));
    }
    return program;
  }

  private static boolean isOnPath(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String folder : path.split(File.pathSeparator)) {
      if (isProgram(Path.of(folder.isEmpty() ? "." : folder, program))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  /** The description of the cluster, with the plug-in's own part of the kubeconfig. */
  private static ObjectNode info(KubeconfigSection cluster) {
    ObjectNode info = NODES.objectNode();
    info.put("server", cluster.required("server"));
    cluster.text("tls-server-name").ifPresent(name -> info.put("tls-server-name", name));
    if (cluster.isTrue("insecure-skip-tls-verify")) {
      info.put("insecure-skip-tls-verify", true);
    }
    cluster
        .pem("certificate-authority")
        .map(pem -> pem.getBytes(StandardCharsets.ISO_8859_1))
        .ifPresent(
            pem -> info.put("certificate-authority-data", Base64.getEncoder().encodeToString(pem)));
    cluster.text("proxy-url").ifPresent(proxy -> info.put("proxy-url", proxy));
    for (Object entry : cluster.list("extensions")) {
      if (entry instanceof Map<?, ?> map
          && "client.authentication.k8s.io/exec".equals(map.get("name"))) {
        try {
          info.set("config", new JsonMapper().valueToTree(map.get("extension")));
        } catch (JacksonException nameless) {
          throw cluster.wrong("extensions", "no JSON", "objects whose names are texts");
        }
      }
    }
    return info;
  }
}
