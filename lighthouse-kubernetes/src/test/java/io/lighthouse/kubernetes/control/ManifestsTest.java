package io.lighthouse.kubernetes.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.config.SettingsFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The files of {@code deploy/kubernetes} as texts: names that belong together, and rights. */
class ManifestsTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("lighthouse.root"), "deploy", "kubernetes");

  private static List<JsonNode> file(String name) throws IOException {
    return Manifests.read(Files.readString(FOLDER.resolve(name)));
  }

  private static List<JsonNode> ofKind(List<JsonNode> objects, String kind) {
    return objects.stream().filter(one -> one.path("kind").asString().equals(kind)).toList();
  }

  private static List<JsonNode> all() throws IOException {
    List<JsonNode> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(FOLDER)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".yaml")).toList()) {
        if (!file.endsWith("kustomization.yaml")) {
          all.addAll(Manifests.read(Files.readString(file)));
        }
      }
    }
    return all;
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asString();
  }

  private static Set<String> verbs(JsonNode role) {
    Set<String> verbs = new HashSet<>();
    role.path("rules")
        .forEach(rule -> rule.path("verbs").forEach(verb -> verbs.add(verb.asString())));
    return verbs;
  }

  @Test
  void theReaderMayListAndWatchAndNothingElse() throws IOException {
    JsonNode role = ofKind(file("shadow/reader.yaml"), "ClusterRole").get(0);
    assertThat(verbs(role)).containsExactlyInAnyOrder("list", "watch");
    Set<Resource> followed = EnumSet.copyOf(Resource.OF_PLACEMENT);
    followed.addAll(Resource.OF_DEFAULT_SPREAD);
    assertThat(read(role)).isEqualTo(paths(followed));
    // The roles of the extender are the same, wherever they are written.
    for (String other : List.of("extender.yaml", "extender/side-container.yaml")) {
      assertThat(read(ofKind(file(other), "ClusterRole").get(0)))
          .as(other)
          .isEqualTo(paths(Resource.OF_PLACEMENT));
    }
  }

  /** What it writes is read again by name where a call failed; all else is followed. */
  @Test
  void theSchedulerGetsByNameOnlyWhatItWrites() throws IOException {
    JsonNode role = ofKind(file("lighthouse.yaml"), "ClusterRole").get(0);
    Set<String> got = new HashSet<>();
    for (JsonNode rule : role.path("rules")) {
      if (rule.path("verbs").toString().contains("\"get\"")) {
        rule.path("resources").forEach(one -> got.add(one.asString()));
      }
    }
    assertThat(got)
        .containsExactlyInAnyOrder("pods", "persistentvolumeclaims", "persistentvolumes");
  }

  @Test
  void theRoleOfPodGroupsMayListAndWatchThemAndNothingElse() throws IOException {
    JsonNode role = ofKind(file("pod-groups.yaml"), "ClusterRole").get(0);
    assertThat(verbs(role)).containsExactlyInAnyOrder("list", "watch");
    assertThat(read(role)).isEqualTo(paths(Set.of(Resource.POD_GROUPS)));
  }

  @Test
  void theRoleOfResourceClaimsMayReadWhatIsFollowedAndWriteClaims() throws IOException {
    JsonNode role = ofKind(file("resource-claims.yaml"), "ClusterRole").get(0);
    assertThat(verbs(role))
        .containsExactlyInAnyOrder("get", "list", "watch", "patch", "create", "update", "delete");
    for (JsonNode rule : role.path("rules")) {
      boolean isOfClaims = rule.path("resources").toString().equals("[\"resourceclaims\"]");
      assertThat(rule.path("verbs").toString().contains("create")).isEqualTo(isOfClaims);
      assertThat(rule.path("verbs").toString().contains("delete")).isEqualTo(isOfClaims);
    }
    Set<String> wanted = paths(Resource.OF_DEVICES);
    wanted.add("resource.k8s.io/resourceclaims/status");
    wanted.add("resource.k8s.io/resourceclaims/binding");
    assertThat(read(role)).isEqualTo(wanted);
  }

  /** The groups and resources of a role. */
  private static Set<String> read(JsonNode role) {
    Set<String> read = new HashSet<>();
    for (JsonNode rule : role.path("rules")) {
      for (JsonNode group : rule.path("apiGroups")) {
        rule.path("resources").forEach(one -> read.add(group.asString() + "/" + one.asString()));
      }
    }
    return read;
  }

  /** The same of what is followed: /api/v1/pods, or /apis/apps/v1/replicasets. */
  private static Set<String> paths(Set<Resource> followed) {
    Set<String> paths = new HashSet<>();
    for (Resource resource : followed) {
      String[] path = resource.path().replaceFirst("[?].*", "").split("/");
      paths.add((path[1].equals("api") ? "" : path[2]) + "/" + path[path.length - 1]);
    }
    return paths;
  }

  @Test
  void everyPodHasAnAccountThatIsThereAndFewRights() throws IOException {
    Set<String> accounts = new HashSet<>();
    ofKind(all(), "ServiceAccount").forEach(account -> accounts.add(name(account)));
    List<JsonNode> deployments = ofKind(all(), "Deployment");
    assertThat(deployments).hasSize(3);
    for (JsonNode deployment : deployments) {
      JsonNode template = deployment.at("/spec/template");
      assertThat(accounts).contains(template.at("/spec/serviceAccountName").asString());
      assertThat(template.at("/metadata/labels"))
          .isEqualTo(deployment.at("/spec/selector/matchLabels"));
      assertThat(template.at("/spec/securityContext/runAsNonRoot").asBoolean()).isTrue();
      for (JsonNode container : template.at("/spec/containers")) {
        assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true))
            .isFalse();
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
      }
    }
  }

  @Test
  void everyContainerOfOurImageFitsItsDockerfile() throws IOException {
    String dockerfile = Files.readString(FOLDER.resolveSibling("image/Dockerfile"));
    int ours = 0;
    for (JsonNode deployment : ofKind(all(), "Deployment")) {
      JsonNode pod = deployment.at("/spec/template/spec");
      int user = pod.at("/securityContext/runAsUser").asInt();
      for (JsonNode container : pod.path("containers")) {
        if (container.path("image").asString().startsWith("lighthouse:")) {
          String command = container.at("/command/0").asString();
          assertThat(dockerfile)
              .contains("\nENTRYPOINT [\"" + command + "\"]\n", "\nUSER " + user + ":");
          assertThat(container.at("/securityContext/capabilities/drop/0").asString())
              .isEqualTo("ALL");
          assertThat(container.has("livenessProbe")).as(name(deployment)).isTrue();
          assertThat(container.has("readinessProbe")).as(name(deployment)).isTrue();
          ours++;
        }
      }
    }
    assertThat(ours).isEqualTo(3);
  }

  @Test
  void everyPolicyIsAboutPodsThatAreThereAndTheirPorts() throws IOException {
    List<JsonNode> deployments = ofKind(all(), "Deployment");
    List<JsonNode> policies = ofKind(all(), "NetworkPolicy");
    assertThat(policies).hasSize(2);
    for (JsonNode policy : policies) {
      JsonNode labels = policy.at("/spec/podSelector/matchLabels");
      JsonNode of =
          deployments.stream()
              .filter(one -> one.at("/spec/template/metadata/labels").equals(labels))
              .findFirst()
              .orElseThrow();
      assertThat(policy.at("/spec/ingress/0/ports/0/port"))
          .isEqualTo(of.at("/spec/template/spec/containers/0/ports/0/containerPort"));
    }
  }

  @Test
  void theConfigurationsAreRead() throws IOException {
    int read = 0;
    for (JsonNode config : ofKind(all(), "ConfigMap")) {
      for (String key : List.of("config.yaml", "lighthouse.yaml")) {
        if (config.path("data").has(key)) {
          SettingsFile.read(key, config.path("data").path(key).asString());
          read++;
        }
      }
    }
    assertThat(read).isEqualTo(3);
  }

  @Test
  void theExampleOfASideContainerNamesThePortThatLighthouseListensOn() throws IOException {
    JsonNode config = ofKind(file("extender/side-container.yaml"), "ConfigMap").get(0);
    JsonNode scheduler = Manifests.read(config.at("/data/scheduler.yaml").asString()).get(0);
    int port =
        SettingsFile.read("c", config.at("/data/lighthouse.yaml").asString()).extender().port();
    assertThat(scheduler.at("/extenders/0/urlPrefix").asString())
        .isEqualTo("http://127.0.0.1:" + port);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "shadow", "extender"})
  void kustomizeMakesTheSameObjects(String folder) throws Exception {
    Path of = FOLDER.resolve(folder);
    Process kubectl;
    try {
      kubectl = new ProcessBuilder("kubectl", "kustomize", of.toString()).start();
    } catch (IOException notThere) {
      Assumptions.abort("no kubectl here");
      return;
    }
    String made = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String wrong = new String(kubectl.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(kubectl.waitFor()).as(wrong).isZero();
    List<JsonNode> expected = new ArrayList<>();
    for (JsonNode resource :
        Manifests.read(Files.readString(of.resolve("kustomization.yaml")))
            .get(0)
            .path("resources")) {
      expected.addAll(Manifests.read(Files.readString(of.resolve(resource.asString()))));
    }
    assertThat(sorted(Manifests.read(made))).isEqualTo(sorted(expected));
  }

  private static List<String> sorted(List<JsonNode> objects) {
    List<String> texts = new ArrayList<>();
    objects.forEach(one -> texts.add(one.path("kind").asString() + " " + name(one)));
    Collections.sort(texts);
    return texts;
  }
}
