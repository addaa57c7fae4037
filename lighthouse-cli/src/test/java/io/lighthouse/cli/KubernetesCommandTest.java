package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesCommandTest {
  private static final Path OBJECTS = Examples.file("kubernetes/objects.json");

  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Path kubeconfig(String user) throws IOException {
    return file(
        "config",
        """
        clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
        users: [{name: u, user: %s}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(user));
  }

  @Test
  void printsAClusterAsAProblem() throws IOException {
    Run imported = Run.of("kubernetes", "export", "--objects", OBJECTS);
    assertThat(imported)
        .isEqualTo(new Run(0, Files.readString(Examples.file("kubernetes/cluster.json")), ""));
    Path problem = file("cluster.json", imported.out());
    assertThat(Run.of("check", problem).code()).isZero();
    assertThat(Run.inColumns(500, "assign", problem).out())
        .contains("1 placed now, 1 refused by spread");
    Run other = Run.of("kubernetes", "export", "--objects", OBJECTS, "--strategy", "RoundRobin");
    assertThat(other.out()).startsWith("{\"strategy\":\"round-robin\"");
  }

  @Test
  void refusesToExportWhatIsNoCluster() throws IOException {
    assertThat(Run.of("kubernetes").err())
        .contains("which command? give one of schedule, shadow, extend, plan, export");
    assertThat(Run.of("kubernetes", "export", "--objects", folder.resolve("none")))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.out()).isEmpty())
        .satisfies(run -> assertThat(run.err()).contains("kubernetes export: --objects is '"))
        .satisfies(run -> assertThat(run.err()).contains("a file that can be read"));
    assertThat(Run.of("kubernetes", "export", "--objects", file("bad", "{")).err())
        .contains("the text is no JSON");
    assertThat(Run.of("kubernetes", "export", "--objects", file("empty", "{}")).err())
        .contains("kubernetes export: " + folder.resolve("empty") + ": kind is ''")
        .contains("allowed: List, NodeList");
    assertThat(Run.of("kubernetes", "export", "--objects", OBJECTS, "--strategy", "spred"))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.out()).isEmpty())
        .satisfies(run -> assertThat(run.err()).contains("--strategy is 'spred'; allowed: "))
        .satisfies(run -> assertThat(run.err()).contains("did you mean spread?"))
        .satisfies(run -> assertThat(run.err()).contains("needs --plugins DIR"));
    Path config = kubeconfig("{token: t}");
    assertThat(Run.of("kubernetes", "export", "--objects", OBJECTS, "--kubeconfig", config).err())
        .contains("--objects and --kubeconfig do not go together");
    assertThat(Run.of("kubernetes", "export", "--kubeconfig", config))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.err()).contains("ConnectException"));
  }

  @Test
  void refusesToScheduleWithWhatIsNotUsable() throws IOException {
    Path config = kubeconfig("{token: t}");
    assertThat(Run.of("kubernetes", "schedule").err())
        .contains("cluster: kubeconfig is missing; allowed: --kubeconfig FILE, or a start inside");
    assertThat(Run.of("kubernetes", "schedule", "--kubeconfig", folder.resolve("none")))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.err()).contains("none: the file is not readable"));
    assertThat(Run.of("kubernetes", "schedule", "--kubeconfig", config, "--context", "y").err())
        .contains("contexts is without 'y'");
    Path provider = kubeconfig("{auth-provider: {name: oidc}}");
    assertThat(Run.of("kubernetes", "schedule", "--kubeconfig", provider).err())
        .contains("users.user.auth-provider is set, which is not supported");
    Path exec =
        kubeconfig(
            "{exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: ./no-program}}");
    assertThat(Run.of("kubernetes", "schedule", "--kubeconfig", exec).err())
        .contains("users.user.exec.command is './no-program', which is not there");
    Path sound = kubeconfig("{token: t}");
    Path settings = file("settings.yaml", "strategy: {name: best}");
    assertThat(Run.of("kubernetes", "schedule", "--kubeconfig", sound, "--config", settings).err())
        .contains("strategy is 'best'; allowed: ");
    Path port = file("port.yaml", "monitor: {port: 70000}");
    assertThat(Run.of("kubernetes", "schedule", "--kubeconfig", sound, "--config", port).err())
        .startsWith(
            "lighthouse: kubernetes schedule: --config " + port + ": monitor.port is '70000'");
    Path nowhere = file("extender.yaml", "extender: {address: 192.0.2.1}");
    assertThat(Run.of("kubernetes", "extend", "--kubeconfig", sound, "--config", nowhere))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.err()).contains("extender is 192.0.2.1:8089"));
  }

  @Test
  void refusesToShadowWithWhatIsNotUsable() throws IOException {
    Path config = kubeconfig("{token: t}");
    for (List<Object> shadow :
        List.<List<Object>>of(List.of("shadow"), List.of("schedule", "--shadow"))) {
      List<Object> words = new ArrayList<>(List.of("kubernetes"));
      words.addAll(shadow);
      words.addAll(List.of("--kubeconfig", config, "--report", folder.resolve("none/x.html")));
      assertThat(Run.of(words.toArray()))
          .satisfies(run -> assertThat(run.code()).isEqualTo(2))
          .satisfies(run -> assertThat(run.err()).contains("a file in a folder that is there"));
    }
    assertThat(Run.of("kubernetes", "shadow", "--kubeconfig", config, "--of", " ").err())
        .contains("scheduler is ' '; allowed: the schedulerName of some pods");
    assertThat(Run.of("kubernetes", "schedule", "--report", "x.html").err()).contains("--shadow");
  }

  @Test
  void refusesToPlanWhatIsNoGoalOrCannotBeReached() throws IOException {
    Path config = kubeconfig("{token: t}");
    assertThat(Run.of("kubernetes", "plan").err()).contains("Missing required parameter: 'GOAL'");
    assertThat(Run.of("kubernetes", "plan", "repair", "--kubeconfig", config))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(
            run -> assertThat(run.err()).contains("'repair'; allowed: drain or consolidate"));
    assertThat(Run.of("kubernetes", "plan", "drain", "--kubeconfig", config).err())
        .contains("allowed: drain NODE...");
    assertThat(Run.of("kubernetes", "plan", "consolidate", "n1", "--kubeconfig", config).err())
        .contains("allowed: consolidate alone");
    assertThat(Run.of("kubernetes", "plan", "consolidate", "--timeout", "0s").err())
        .contains("kubernetes plan: --timeout is 0s; allowed: 1s to 24h");
    assertThat(Run.of("kubernetes", "plan", "consolidate", "--timeout", "25h").err())
        .contains("--timeout is 25h; allowed: 1s to 24h");
    assertThat(Run.of("kubernetes", "plan", "consolidate", "--timeout", "300").err())
        .contains("'300' is not a time; allowed: a time such as 500ms, 10s, 5m or 1h");
    assertThat(Run.of("kubernetes", "plan", "drain", "n1", "--kubeconfig", config))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.out()).isEmpty())
        .satisfies(run -> assertThat(run.err()).contains("ConnectException"));
  }
}
