package io.lighthouse.kubernetes.control;

import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Kubeconfig;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real etcd and kube-apiserver on loopback, built and started by the scripts of {@code
 * control-plane}. The manifests of {@code deploy/kubernetes} are applied to it, and the scheduler
 * comes with a token of their service account: whatever their role does not grant is refused.
 */
public final class RealControlPlane implements ControlPlane {
  private static final Path ROOT = Path.of(System.getProperty("lighthouse.root"));
  private static final Path SCRIPTS = ROOT.resolve("lighthouse-kubernetes/control-plane");

  /** How the scripts end where Go is not installed. */
  private static final int NO_GO = 3;

  private final Map<String, String> variables;
  private final Map<String, String> environment;
  private final ApiServer admin;
  private final Path kubeconfig;

  /** As the scheduler's account. */
  private final ApiServer account;

  /** Starts one, which ends with this process. */
  public RealControlPlane() throws IOException, InterruptedException {
    this(Map.of());
  }

  /** The same with variables that the script reads. */
  public RealControlPlane(Map<String, String> variables) throws IOException, InterruptedException {
    this.variables = Map.copyOf(variables);
    environment =
        run(
            variables,
            SCRIPTS.resolve("start").toString(),
            "--with",
            Long.toString(ProcessHandle.current().pid()));
    admin =
        new ApiServer(
            Kubeconfig.access(
                Optional.of(Path.of(environment.get("KUBECONFIG"))), Optional.empty()),
            Duration.ofSeconds(30));
    new Manifests(admin).apply(ROOT.resolve("deploy/kubernetes/lighthouse.yaml"));
    kubeconfig = kubeconfig("lighthouse");
    account = new ApiServer(scheduler(), Duration.ofSeconds(30));
    awaitAnswers(() -> {});
  }

  /** One that serves PodGroups, with the rights of deploy/kubernetes/pod-groups.yaml. */
  public static RealControlPlane withPodGroups() throws IOException, InterruptedException {
    String gates = "--feature-gates=GenericWorkload=true";
    RealControlPlane plane =
        new RealControlPlane(
            Map.of(
                "KUBE_APISERVER_FLAGS",
                gates + " --runtime-config=scheduling.k8s.io/v1alpha2=true",
                "KUBE_SCHEDULER_FLAGS",
                gates + ",GangScheduling=true"));
    new Manifests(plane.admin).apply(ROOT.resolve("deploy/kubernetes/pod-groups.yaml"));
    return plane;
  }

  /** A kubeconfig file of the extender, with the rights of deploy/kubernetes/extender.yaml. */
  public Path extender() throws IOException {
    new Manifests(admin).apply(ROOT.resolve("deploy/kubernetes/extender.yaml"));
    return kubeconfig("lighthouse-extender");
  }

  @Override
  public Path planner() throws IOException {
    new Manifests(admin).apply(ROOT.resolve("deploy/kubernetes/planner.yaml"));
    return kubeconfig("lighthouse-planner");
  }

  /** A kubeconfig file of a reader, with the rights of deploy/kubernetes/shadow/reader.yaml. */
  public Path reader() throws IOException {
    new Manifests(admin).apply(ROOT.resolve("deploy/kubernetes/shadow/reader.yaml"));
    return kubeconfig("lighthouse-reader");
  }

  /** A kubeconfig file with a token of a service account in kube-system. */
  private Path kubeconfig(String account) throws IOException {
    JsonNode request =
        JsonMapper.builder()
            .build()
            .readTree(
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\","
                    + "\"spec\":{\"expirationSeconds\":7200}}");
    String token =
        admin
            .post("/api/v1/namespaces/kube-system/serviceaccounts/" + account + "/token", request)
            .path("status")
            .path("token")
            .asString("");
    Path file = folder().resolve("account-" + account + ".conf");
    return Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: local, cluster: {server: "%s", certificate-authority: "%s"}}]
        users: [{name: lighthouse, user: {token: "%s"}}]
        contexts: [{name: local, context: {cluster: local, user: lighthouse}}]
        current-context: local
        """
            .formatted(environment.get("KUBE_SERVER"), environment.get("KUBE_CA"), token));
  }

  /** Adds the stock scheduler, for pods that do not name another. */
  public void startStockScheduler() throws IOException, InterruptedException {
    startStockScheduler("");
  }

  /** The same with more lines of configuration. */
  public void startStockScheduler(String configuration) throws IOException, InterruptedException {
    Map<String, String> all = new HashMap<>(variables);
    all.put("KUBE_SCHEDULER_CONFIG", configuration);
    run(all, SCRIPTS.resolve("start").toString(), "--into", folder().toString(), "--scheduler");
  }

  /** Adds kubelets, which are KWOK's, for nodes with the label {@code kubelet}. */
  public void startKubelets() throws IOException, InterruptedException {
    add("--kubelets");
  }

  /** Adds the controllers of Kubernetes, of nodes where there are kubelets. */
  public void startControllers() throws IOException, InterruptedException {
    add("--controllers");
  }

  private void add(String option) throws IOException, InterruptedException {
    run(Map.of(), SCRIPTS.resolve("start").toString(), "--into", folder().toString(), option);
  }

  /** Ends the stock scheduler. */
  public void stopStockScheduler() throws IOException {
    Path file = folder().resolve("pids/kube-scheduler");
    ProcessHandle stock =
        ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).orElseThrow();
    stock.destroyForcibly();
    stock.onExit().join();
    Files.delete(file);
  }

  /** The folder with the process ids and logs. */
  public Path folder() {
    return Path.of(environment.get("KUBE_DIR"));
  }

  /** Processor time that one of the programs has used. */
  public Duration processorTime(String program) throws IOException {
    String pid = Files.readString(folder().resolve("pids").resolve(program)).strip();
    return ProcessHandle.of(Long.parseLong(pid))
        .flatMap(handle -> handle.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  private static Map<String, String> run(Map<String, String> variables, String... command)
      throws IOException, InterruptedException {
    File err = File.createTempFile("control-plane", ".err");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(err);
    builder.environment().putAll(variables);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    boolean ended = process.waitFor(20, TimeUnit.MINUTES);
    if (ended && process.exitValue() == NO_GO) {
      throw new TestAbortedException("no real control plane: " + Files.readString(err.toPath()));
    }
    if (!ended || process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + Files.readString(err.toPath()));
    }
    Files.delete(err.toPath());
    Map<String, String> values = new HashMap<>();
    out.lines()
        .filter(line -> line.contains("="))
        .forEach(
            line ->
                values.put(
                    line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1)));
    return values;
  }

  @Override
  public ApiServer admin() {
    return admin;
  }

  @Override
  public Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public boolean isFake() {
    return false;
  }

  /** Kills the API server, and starts it with the words that it was started with. */
  @Override
  public void restart() throws IOException, InterruptedException {
    killAndStart("kube-apiserver");
  }

  @Override
  public void restartStore() throws IOException, InterruptedException {
    killAndStart("etcd");
  }

  /** Kills a program and starts it again; waits until the API server is ready. */
  private void killAndStart(String program) throws IOException, InterruptedException {
    Path file = folder().resolve("pids").resolve(program);
    long pid = Long.parseLong(Files.readString(file).strip());
    List<String> command = new ArrayList<>();
    for (String word : Files.readString(Path.of("/proc/" + pid + "/cmdline")).split("\0")) {
      command.add(word);
    }
    ProcessHandle old = ProcessHandle.of(pid).orElseThrow();
    old.destroyForcibly();
    old.onExit().join();
    File log = folder().resolve(program + "-again.log").toFile();
    Process again =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start();
    Files.writeString(file, again.pid() + "\n");
    awaitAnswers(
        () -> {
          if (!again.isAlive()) {
            throw new IllegalStateException(program + " ended: " + Files.readString(log.toPath()));
          }
        });
  }

  /**
   * Waits until the server answers, and grants the scheduler's account its rights: of roles it
   * learns a moment after it begins to answer.
   */
  private void awaitAnswers(Check alive) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (true) {
      try {
        admin.get("/version");
        admin.get("/api/v1/namespaces/default");
        account.get("/api/v1/pods?limit=1");
        return;
      } catch (IOException notYet) {
        alive.check();
        if (System.nanoTime() > end) {
          throw new IOException("the API server is not ready in time", notYet);
        }
        TimeUnit.MILLISECONDS.sleep(200);
      }
    }
  }

  private interface Check {
    void check() throws IOException;
  }

  @Override
  public void close() {
    account.close();
    try {
      Process stop =
          new ProcessBuilder(SCRIPTS.resolve("stop").toString(), folder().toString())
              .inheritIO()
              .start();
      stop.waitFor(1, TimeUnit.MINUTES);
    } catch (IOException | InterruptedException left) {
      throw new IllegalStateException("the control plane was not stopped", left);
    }
  }
}
