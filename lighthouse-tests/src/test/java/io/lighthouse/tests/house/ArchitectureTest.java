package io.lighthouse.tests.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.lighthouse.tests.house.Houses.API;
import static io.lighthouse.tests.house.Houses.CLI;
import static io.lighthouse.tests.house.Houses.CORE;
import static io.lighthouse.tests.house.Houses.FLEETS;
import static io.lighthouse.tests.house.Houses.JETTY;
import static io.lighthouse.tests.house.Houses.JSON;
import static io.lighthouse.tests.house.Houses.KIT;
import static io.lighthouse.tests.house.Houses.KUBERNETES;
import static io.lighthouse.tests.house.Houses.PICTURE;
import static io.lighthouse.tests.house.Houses.SCHEDULER;
import static io.lighthouse.tests.house.Houses.SERVER;
import static io.lighthouse.tests.house.Houses.STRATEGIES;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.lighthouse.api.Distributor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which packages may depend on which, and how many types they have. */
class ArchitectureTest {
  private static final JavaClasses ALL = Houses.classes();

  /**
   * The packages of each module, the lowest first; an empty name is its root. Those of the api are
   * not in one order, see {@link Rooms#ofTheApiDependInOneDirection}.
   */
  private static final Map<String, List<String>> ROOMS =
      Map.of(
          "core",
          List.of(
              "account",
              "bitmap",
              "ledger",
              "demand",
              "index",
              "constraint",
              "order",
              "search",
              "share",
              "load",
              "registry",
              "view",
              "budget",
              "session",
              "engine",
              "bound",
              "plan",
              "question",
              ""),
          "json",
          List.of("", "token", "problem", "question", "read", "write", "log"),
          "cli",
          List.of("page", "file", "option", "simulate", "command", ""),
          "kubernetes",
          List.of(
              "config",
              "client",
              "monitor",
              "cluster.object",
              "watch",
              "cluster.device",
              "cluster.mirror",
              "cluster.preference",
              "cluster.volume",
              "cluster.decide",
              "cluster.problem",
              "profile",
              "schedule",
              "extender",
              "export",
              "plan",
              "shadow"),
          "scheduler",
          List.of("model", "port", "", "memory", "contract", "choice", "manager", "simulation"),
          "fleets",
          List.of("store", "", "live"),
          "server",
          List.of("http", "placement", "fleets", "monitor", ""),
          "strategies",
          List.of("packing", ""),
          "picture",
          List.of(""),
          "tests",
          List.of("referee", "generate", "contract"));

  /** The packages of the benchmarks, the lowest first. */
  private static final List<String> ROOMS_OF_BENCHMARKS =
      List.of("problem", "placer", "peer", "quality", "measure", "run", "report");

  /** The largest number of types that a package of these modules may have. */
  private static final int MOST_TYPES = 25;

  /** The same, for the scheduling manager. */
  private static final int MOST_TYPES_OF_SCHEDULER = 20;

  /** Without it, a rule over a package that is not there would hold for nothing. */
  @Test
  void seesTheClassesOfEveryModule() {
    assertThat(ALL.size()).isGreaterThanOrEqualTo(250);
    assertThat(seen(API)).isGreaterThanOrEqualTo(35);
    assertThat(seen(CORE)).isGreaterThanOrEqualTo(30);
    assertThat(seen(STRATEGIES)).isGreaterThanOrEqualTo(3);
    assertThat(seen(JSON)).isGreaterThanOrEqualTo(15);
    assertThat(seen(SCHEDULER)).isGreaterThanOrEqualTo(40);
    assertThat(seen(FLEETS)).isGreaterThanOrEqualTo(20);
    assertThat(seen(PICTURE)).isGreaterThanOrEqualTo(10);
    assertThat(seen(KUBERNETES)).isGreaterThanOrEqualTo(15);
    assertThat(seen(SERVER)).isGreaterThanOrEqualTo(30);
    assertThat(seen(CLI)).isGreaterThanOrEqualTo(30);
    assertThat(seen(KIT)).isGreaterThanOrEqualTo(25);
  }

  private static long seen(String packages) {
    return ALL.stream().filter(resideInAPackage(packages)).count();
  }

  @Nested
  class Dependencies {
    @Test
    void theApiKnowsTheJdkAlone() {
      knowsOnly(API);
    }

    @Test
    void coreKnowsTheApi() {
      knowsOnly(CORE, API);
    }

    @Test
    void strategiesKnowTheApiAloneLikeAnybodysPlugIn() {
      knowsOnly(STRATEGIES, API, "com.google.auto.service..");
    }

    @Test
    void jsonKnowsTheApiAndTheDoorOfCore() {
      knowsOnly(JSON, API, "io.lighthouse.core", "tools.jackson.core..");
    }

    @Test
    void theSchedulerKnowsTheApiAndCore() {
      knowsOnly(SCHEDULER, API, CORE);
    }

    @Test
    void theFleetsKnowTheApiAndTheProblemFormat() {
      knowsOnly(FLEETS, API, JSON, "org.sqlite..");
      knowsOnly("io.lighthouse.fleets.store..", "org.sqlite..");
    }

    @Test
    void theKubernetesSchedulerKnowsTheApiCoreThePicturesAndTheProblemFormat() {
      knowsOnly(
          KUBERNETES,
          API,
          CORE,
          JSON,
          PICTURE,
          "tools.jackson..",
          "org.apache.hc.core5..",
          "io.prometheus.metrics..",
          "org.snakeyaml.engine.v2..",
          "com.sun.net.httpserver..",
          "javax.net.ssl..",
          "jdk.net..");
      knowsOnly("io.lighthouse.kubernetes.cluster..", API, CORE, JSON, "tools.jackson..");
    }

    @Test
    void onlyTheCommandLineKnowsTheKubernetesScheduler() {
      knownOnlyBy(KUBERNETES, CLI);
    }

    @Test
    void thePicturesKnowTheApiAlone() {
      knowsOnly(PICTURE, API);
    }

    @Test
    void theServiceKnowsTheApiCoreFleetsPicturesAndTheProblemFormat() {
      knowsOnly(SERVER, API, CORE, JSON, FLEETS, PICTURE, JETTY, "io.prometheus.metrics..");
    }

    @Test
    void theCommandLineKnowsApplicationsThroughTheirDoors() {
      knowsOnly(
          CLI,
          API,
          CORE,
          JSON,
          FLEETS,
          PICTURE,
          "io.lighthouse.server",
          "io.lighthouse.kubernetes.config",
          "io.lighthouse.kubernetes.export",
          "io.lighthouse.kubernetes.extender",
          "io.lighthouse.kubernetes.plan",
          "io.lighthouse.kubernetes.schedule",
          "io.lighthouse.kubernetes.shadow",
          SCHEDULER,
          "picocli..",
          "org.snakeyaml.engine.v2..",
          "tools.jackson.core..");
    }

    @Test
    void theKitKnowsTheApiAndCore() {
      knowsOnly(KIT, API, CORE, "net.jqwik.api..");
    }

    @Test
    void theRefereeSharesNoCodeWithCore() {
      knowsOnly("io.lighthouse.tests.referee..", API);
    }

    @Test
    void theGeneratorsShareNoCodeWithCore() {
      knowsOnly(
          "io.lighthouse.tests.generate..",
          API,
          "io.lighthouse.tests.referee..",
          "net.jqwik.api..");
    }

    @Test
    void nobodyKnowsTheCommandLine() {
      knownOnlyBy(CLI);
    }

    @Test
    void onlyTheCommandLineKnowsTheService() {
      knownOnlyBy(SERVER, CLI);
    }

    @Test
    void onlyTheServiceAndTheCommandLineKnowTheFleets() {
      knownOnlyBy(FLEETS, SERVER, CLI);
    }

    @Test
    void onlyTheApplicationsKnowThePictures() {
      knownOnlyBy(PICTURE, KUBERNETES, SERVER, CLI);
    }

    @Test
    void onlyTheCommandLineKnowsTheScheduler() {
      knownOnlyBy(SCHEDULER, CLI);
    }

    @Test
    void theRoomsOfTheServiceKnowFew() {
      String http = "io.lighthouse.server.http..";
      String placement = "io.lighthouse.server.placement..";
      knowsOnly(http, API, JSON, JETTY);
      knowsOnly(placement, API, CORE, JSON, PICTURE, "io.lighthouse.fleets", http);
      knowsOnly("io.lighthouse.server.fleets..", API, JSON, FLEETS, http, placement);
      knowsOnly(
          "io.lighthouse.server.monitor..",
          API,
          JSON,
          FLEETS,
          http,
          placement,
          JETTY,
          "io.prometheus.metrics..");
    }
  }

  @Nested
  class Rooms {
    static Set<String> modules() {
      return ROOMS.keySet();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void standInOneOrder(String module) {
      assertThat(ROOMS.get(module))
          .containsExactlyInAnyOrderElementsOf(typesByRoom(module).keySet());
      assertThat(upward(module, ROOMS.get(module))).isEmpty();
    }

    @Test
    void inAnotherOrderAreFound() {
      assertThat(upward("core", List.of("ledger", "account"))).containsExactly("ledger to account");
      assertThat(upward("kubernetes", List.of("watch", "client")))
          .containsExactly("watch to client");
      assertThat(upward("scheduler", List.of("manager", "choice")))
          .containsExactly("manager to choice");
    }

    /** The benchmarks are compiled after these tests, so their sources are read. */
    @Test
    void ofTheBenchmarksStandInOneOrder() throws IOException {
      Map<String, List<Path>> sources = benchmarks();
      assertThat(ROOMS_OF_BENCHMARKS).containsExactlyInAnyOrderElementsOf(sources.keySet());
      sources.forEach((room, types) -> assertThat(types).as(room).hasSizeBetween(1, MOST_TYPES));
      assertThat(upward(sources, ROOMS_OF_BENCHMARKS)).isEmpty();
      assertThat(upward(sources, List.of("report", "run"))).containsExactly("report to run");
    }

    /** The sources of the benchmarks by package. */
    private static Map<String, List<Path>> benchmarks() throws IOException {
      Path root =
          Path.of(System.getProperty("lighthouse.root"))
              .resolve("lighthouse-benchmarks/src/main/java/io/lighthouse/benchmarks");
      try (Stream<Path> files = Files.walk(root)) {
        return files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(file -> !file.endsWith("package-info.java"))
            .collect(
                Collectors.groupingBy(
                    file -> root.relativize(file.getParent()).toString().replace('/', '.')));
      }
    }

    /** The dependencies from a room on one that stands later in a list, by their sources. */
    private static Set<String> upward(Map<String, List<Path>> sources, List<String> rooms)
        throws IOException {
      Set<String> upward = new HashSet<>();
      for (int from = 0; from < rooms.size(); from++) {
        for (Path source : sources.get(rooms.get(from))) {
          String text = Files.readString(source);
          for (String to : rooms.subList(from + 1, rooms.size())) {
            if (text.contains("io.lighthouse.benchmarks." + to + ".")) {
              upward.add(rooms.get(from) + " to " + to);
            }
          }
        }
      }
      return upward;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void haveFewTypes(String module) {
      hasAtMost(
          module.equals("scheduler") ? MOST_TYPES_OF_SCHEDULER : MOST_TYPES, typesByRoom(module));
    }

    /** The first package of the api has a limit of its own, see below. */
    @Test
    void ofTheApiHaveFewTypes() {
      Map<String, List<String>> api = typesByRoom("api");
      assertThat(api.remove("")).isNotEmpty();
      hasAtMost(MOST_TYPES, api);
    }

    private static void hasAtMost(int most, Map<String, List<String>> rooms) {
      assertThat(rooms).isNotEmpty();
      rooms.forEach((room, types) -> assertThat(types).as(room).hasSizeBetween(1, most));
    }

    /** The types of each package of a module, by its last name; the root's is empty. */
    private static Map<String, List<String>> typesByRoom(String module) {
      return ALL.stream()
          .filter(resideInAPackage(all(module)))
          .filter(type -> type.isTopLevelClass() && !type.getSimpleName().endsWith("-info"))
          .collect(
              Collectors.groupingBy(
                  type -> room(module, type),
                  Collectors.mapping(JavaClass::getSimpleName, Collectors.toList())));
    }

    private static String all(String module) {
      return "io.lighthouse." + module + "..";
    }

    private static String room(String module, JavaClass type) {
      return type.getPackageName().replaceFirst("io\\.lighthouse\\." + module + "\\.?", "");
    }

    /** The dependencies from a room on one that stands later in a list. */
    private static Set<String> upward(String module, List<String> rooms) {
      return ALL.stream()
          .filter(resideInAPackage(all(module)))
          .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
          .filter(to -> resideInAPackage(all(module)).test(to.getTargetClass()))
          .map(to -> List.of(room(module, to.getOriginClass()), room(module, to.getTargetClass())))
          .filter(to -> rooms.containsAll(to))
          .filter(to -> rooms.indexOf(to.get(0)) < rooms.indexOf(to.get(1)))
          .map(to -> to.get(0) + " to " + to.get(1))
          .collect(Collectors.toSet());
    }

    @Test
    void ofTheApiDependInOneDirection() {
      String nouns = "io.lighthouse.api";
      String error = "io.lighthouse.api.error";
      String quantity = "io.lighthouse.api.quantity";
      String advice = "io.lighthouse.api.advice";
      String strategy = "io.lighthouse.api.strategy";
      knowsOnly(error);
      knowsOnly(quantity, error);
      knowsOnly(advice, nouns, quantity, error);
      knowsOnly(strategy, nouns, advice, quantity, error);
      knowsOnly("io.lighthouse.api.rule", nouns, strategy, quantity, error);
      Set<String> upwards =
          ALL.stream()
              .filter(resideInAPackage(nouns))
              .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
              .filter(to -> resideInAPackage(API).test(to.getTargetClass()))
              .filter(to -> !resideInAnyPackage(nouns, quantity, error).test(to.getTargetClass()))
              .map(
                  to ->
                      to.getOriginClass().getSimpleName()
                          + " to "
                          + to.getTargetClass().getSimpleName())
              .collect(Collectors.toSet());
      assertThat(upwards)
          .containsExactlyInAnyOrder(
              "Distributor to Advisor", "Distributor to StrategyDescription");
    }

    /** What a caller meets first has to be readable at once; decision 129 has the number. */
    @Test
    void theFirstPackageOfTheApiAndTheDistributorStaySmall() {
      List<String> types =
          ALL.stream()
              .filter(resideInAPackage("io.lighthouse.api"))
              .filter(type -> type.isTopLevelClass() && !type.getSimpleName().endsWith("-info"))
              .map(JavaClass::getSimpleName)
              .toList();
      assertThat(types).contains("Distributor", "Node", "Workload").hasSizeBetween(20, 30);
      assertThat(Distributor.class.getDeclaredMethods()).hasSizeBetween(20, 30);
    }
  }

  private static void knownOnlyBy(String packages, String... others) {
    noClasses()
        .that(resideInAPackage(packages).or(resideInAnyPackage(others)).negate())
        .should()
        .dependOnClassesThat()
        .resideInAPackage(packages)
        .check(ALL);
  }

  private static void knowsOnly(String packages, String... others) {
    classes()
        .that()
        .resideInAPackage(packages)
        .should()
        .onlyDependOnClassesThat(
            resideInAPackage(packages)
                .or(resideInAPackage("java.."))
                .or(resideInAnyPackage(others)))
        .check(ALL);
  }
}
