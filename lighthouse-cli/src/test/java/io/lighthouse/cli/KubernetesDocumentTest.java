package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of docs/kubernetes.md, one block after the other, on a real API server of its own:
 * where Go has built one and kubectl is there, with {@code -Dlighthouse.kubernetes=real}. In place
 * of {@code ./lighthouse} a script runs the same command of this build, with ports of its own; the
 * home folder is the test's.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes", matches = "real")
class KubernetesDocumentTest {
  private static final Path ROOT = Path.of(System.getProperty("lighthouse.root"));
  private static final Path SCRIPTS = ROOT.resolve("lighthouse-kubernetes/control-plane");
  private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)```\n", Pattern.DOTALL);

  /** How the scripts end where Go is not installed. */
  private static final int NO_GO = 3;

  @TempDir private Path home;
  private final List<Process> services = new ArrayList<>();
  private String folder = "";

  private record Ended(int code, String out) {}

  @BeforeEach
  void start() throws Exception {
    Assumptions.assumeTrue(run("command -v kubectl").code == 0, "no kubectl here");
    Ended started = script("start", "--with", Long.toString(ProcessHandle.current().pid()));
    Assumptions.assumeTrue(started.code != NO_GO, started.out);
    assertThat(started.code).as(started.out).isZero();
    folder = value(started.out, "KUBE_DIR");
    Files.createDirectories(home.resolve(".kube"));
    Files.copy(Path.of(value(started.out, "KUBECONFIG")), home.resolve(".kube/config"));
    for (String name : List.of("n1", "n2")) {
      Path node = home.resolve(name + ".json");
      Files.writeString(
          node,
          """
          {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":
          {"kubernetes.io/hostname":"%s"}},"status":{"allocatable":
          {"cpu":"4","memory":"8Gi","pods":"20"},"capacity":{"cpu":"4","memory":"8Gi","pods":"20"}}}
          """
              .formatted(name, name));
      done("kubectl create -f " + node);
    }
    done("kubectl taint nodes --all node.kubernetes.io/not-ready:NoSchedule-");
    Path config = home.resolve("settings.yaml");
    Files.writeString(
        config, "{leaderElection: {enabled: false}, monitor: {port: -1}, extender: {port: 0}}");
    Path command = home.resolve("lighthouse");
    Files.writeString(
        command,
        """
        #!/usr/bin/env bash
        case "$1 $2" in "kubernetes --kubeconfig") set -- "$@" --config '%s' ;; esac
        exec '%s' -cp '%s' %s io.lighthouse.cli.Main "$@"
        """
            .formatted(
                config,
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("jdk.module.path", "")
                    + File.pathSeparator
                    + System.getProperty("java.class.path", ""),
                "-XX:TieredStopAtLevel=1"));
    assertThat(command.toFile().setExecutable(true)).isTrue();
  }

  @AfterEach
  void stop() throws Exception {
    services.forEach(KubernetesDocumentTest::end);
    if (!folder.isEmpty()) {
      script("stop", folder);
    }
  }

  private static void end(Process service) {
    service.destroy();
    service.onExit().join();
  }

  private static String value(String lines, String name) {
    return lines
        .lines()
        .filter(line -> line.startsWith(name + "="))
        .findFirst()
        .orElseThrow()
        .substring(name.length() + 1);
  }

  private ProcessBuilder shell(String script) {
    String ours = script.replace("./lighthouse ", home.resolve("lighthouse") + " ");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-ec", ours.replace("-f deploy/", "-f " + ROOT + "/deploy/"));
    builder.directory(home.toFile()).redirectErrorStream(true);
    builder.environment().put("HOME", home.toString());
    builder.environment().remove("KUBECONFIG");
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder;
  }

  /** A script of the control plane, at home: what was built once is there. */
  private static Ended script(String name, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(SCRIPTS.resolve(name).toString()));
    command.addAll(List.of(words));
    return ended(new ProcessBuilder(command).redirectErrorStream(true));
  }

  private Ended run(String script) throws IOException, InterruptedException {
    return ended(shell(script));
  }

  private static Ended ended(ProcessBuilder builder) throws IOException, InterruptedException {
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), out);
  }

  private String done(String script) throws IOException, InterruptedException {
    Ended ended = run(script);
    assertThat(ended.code).as("%s: %s", script, ended.out).isZero();
    return ended.out;
  }

  /** Starts what does not end by itself, and waits for its first words. */
  private Process service(String script, String words) throws Exception {
    Path log = Files.createTempFile(home, "service", ".log");
    Process service = shell("exec " + script).redirectOutput(log.toFile()).start();
    services.add(service);
    until(() -> Files.readString(log).contains(words), () -> Files.readString(log));
    return service;
  }

  private interface Asked<T> {
    T ask() throws Exception;
  }

  private static void until(Asked<Boolean> asked, Asked<String> found) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!asked.ask()) {
      assertThat(System.nanoTime()).as(found.ask()).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  @Test
  void theCommandsOfThePageDoWhatItSays() throws Exception {
    Matcher block = BLOCK.matcher(Files.readString(ROOT.resolve("docs/kubernetes.md")));
    Process scheduler = null;
    int blocks = 0;
    while (block.find()) {
      String script = block.group(1);
      blocks++;
      if (script.startsWith("./lighthouse kubernetes schedule") && blocks == 1) {
        scheduler = service(script, "lighthouse schedules for https://127.0.0.1:");
      } else if (script.startsWith("kubectl apply -f - <<'POD'")) {
        done(script);
        String events = "kubectl get events --field-selector involvedObject.name=web-1";
        until(
            () -> run(events).out.contains("Successfully assigned default/web-1 to n"),
            () -> run("kubectl get pod web-1 -o yaml").out);
        assertThat(run(events).out).contains("strategy spread", "decision ");
      } else if (script.contains("kubernetes extend")) {
        end(scheduler);
        service(script, "lighthouse answers at http://127.0.0.1:");
      } else if (script.contains("plan drain n1 --evict")) {
        done("kubectl delete pod owned --grace-period=0 --force");
        assertThat(done(script)).contains("cordoned n1", "0 of 0 pods evicted; cordoned: n1");
        assertThat(done("kubectl get node n1")).contains("SchedulingDisabled");
      } else if (script.contains("plan drain n1")) {
        done("kubectl delete pod web-1 --grace-period=0 --force");
        done("kubectl taint node n1 example.com/lighthouse:NoSchedule-");
        done(
            """
            kubectl create -f - <<'POD'
            apiVersion: v1
            kind: Pod
            metadata:
              name: owned
              ownerReferences:
                - {apiVersion: apps/v1, kind: ReplicaSet, name: o, uid: u-1, controller: true}
            spec:
              nodeName: n1
              containers: [{name: web, image: nginx}]
            POD
            """);
        assertThat(done(script)).contains("move 'default/owned' from 'n1' to 'n2'");
      } else {
        done(script);
      }
    }
    assertThat(blocks).isEqualTo(9);
    assertThat(Files.readString(home.resolve("cluster.json"))).contains("\"name\":\"n2\"");
  }
}
