package io.lighthouse.tests.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.strategy.PlacementStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Which packages may depend on which, and what no class may use. */
class ArchitectureTest {
  private static final JavaClasses ALL = Houses.classes();

  private static final String API = "io.lighthouse.api..";
  private static final String CORE = "io.lighthouse.core..";
  private static final String STRATEGIES = "io.lighthouse.strategies..";
  private static final String JSON = "io.lighthouse.json..";
  private static final String SCHEDULER = "io.lighthouse.scheduler..";
  private static final String FLEETS = "io.lighthouse.fleets..";
  private static final String PICTURE = "io.lighthouse.picture..";
  private static final String KUBERNETES = "io.lighthouse.kubernetes..";
  private static final String SERVER = "io.lighthouse.server..";
  private static final String CLI = "io.lighthouse.cli..";
  private static final String JETTY = "org.eclipse.jetty..";
  private static final String KIT = "io.lighthouse.tests..";

  /** The packages of core, the lowest first; the last is core's own. */
  private static final List<String> ROOMS_OF_CORE =
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
          "plan",
          "question",
          "");

  /** The packages of the problem format, the lowest first; the first is its root. */
  private static final List<String> ROOMS_OF_JSON =
      List.of("", "token", "problem", "question", "read", "write", "log");

  /** The packages of the command line, the lowest first; the last is its root. */
  private static final List<String> ROOMS_OF_CLI =
      List.of("page", "file", "option", "simulate", "command", "");

  /** The packages of the Kubernetes scheduler, the lowest first. */
  private static final List<String> ROOMS_OF_KUBERNETES =
      List.of(
          "config",
          "client",
          "monitor",
          "watch",
          "cluster.object",
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
          "shadow");

  /** The packages of the scheduling manager, the lowest first. */
  private static final List<String> ROOMS_OF_SCHEDULER =
      List.of("model", "port", "", "memory", "contract", "choice", "manager", "simulation");

  /** The packages of durable fleets, the lowest first. */
  private static final List<String> ROOMS_OF_FLEETS = List.of("store", "", "live");

  /** The packages of the service, the lowest first; the last is its root. */
  private static final List<String> ROOMS_OF_SERVER =
      List.of("http", "placement", "fleets", "monitor", "");

  /** The packages of our strategies, the lowest first; the last is their root. */
  private static final List<String> ROOMS_OF_STRATEGIES = List.of("packing", "");

  /** The packages of the contract kit, the lowest first. */
  private static final List<String> ROOMS_OF_THE_KIT = List.of("referee", "generate", "contract");

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

  /** A simple name must identify its class. */
  @Test
  void noTwoClassesHaveOneSimpleName() {
    assertThat(namesakes(ALL.stream())).isEmpty();
    assertThat(namesakes(Stream.concat(ALL.stream(), ALL.stream()))).isNotEmpty();
  }

  private static List<String> namesakes(Stream<JavaClass> classes) {
    Map<String, List<JavaClass>> byName =
        classes
            .filter(one -> one.isTopLevelClass() && !one.getSimpleName().endsWith("-info"))
            .collect(Collectors.groupingBy(JavaClass::getSimpleName));
    return byName.values().stream()
        .filter(of -> of.size() > 1)
        .map(of -> of.stream().map(JavaClass::getName).sorted().toList().toString())
        .sorted()
        .toList();
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
    void theRoomsOfTheServiceStandInOneOrder() {
      standInOneOrder("server", ROOMS_OF_SERVER);
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

    @Test
    void theRoomsOfCoreStandInOneOrder() {
      standInOneOrder("core", ROOMS_OF_CORE);
      assertThat(upward("core", List.of("ledger", "account"))).containsExactly("ledger to account");
    }

    @Test
    void theRoomsOfTheProblemFormatStandInOneOrder() {
      standInOneOrder("json", ROOMS_OF_JSON);
    }

    @Test
    void theRoomsOfTheCommandLineStandInOneOrder() {
      standInOneOrder("cli", ROOMS_OF_CLI);
    }

    @Test
    void theRoomsOfTheKubernetesSchedulerStandInOneOrder() {
      standInOneOrder("kubernetes", ROOMS_OF_KUBERNETES);
      assertThat(upward("kubernetes", List.of("watch", "client")))
          .containsExactly("watch to client");
    }

    @Test
    void theRoomsOfTheSchedulingManagerStandInOneOrder() {
      standInOneOrder("scheduler", ROOMS_OF_SCHEDULER);
      assertThat(upward("scheduler", List.of("manager", "choice")))
          .containsExactly("manager to choice");
    }

    @Test
    void theRoomsOfDurableFleetsStandInOneOrder() {
      standInOneOrder("fleets", ROOMS_OF_FLEETS);
    }

    @Test
    void thePicturesAreOneRoom() {
      standInOneOrder("picture", List.of(""));
    }

    @Test
    void theRoomsOfTheStrategiesStandInOneOrder() {
      standInOneOrder("strategies", ROOMS_OF_STRATEGIES);
    }

    @Test
    void theRoomsOfTheKitStandInOneOrder() {
      standInOneOrder("tests", ROOMS_OF_THE_KIT);
    }

    /** The benchmarks are compiled after these tests, so their sources are read. */
    @Test
    void theRoomsOfTheBenchmarksStandInOneOrder() throws IOException {
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

    private static void standInOneOrder(String module, List<String> rooms) {
      assertThat(rooms).containsExactlyInAnyOrderElementsOf(typesByRoom(module).keySet());
      assertThat(upward(module, rooms)).isEmpty();
    }

    @Test
    void noRoomOfTheseHasTooManyTypes() {
      for (String module :
          List.of(
              "core",
              "json",
              "cli",
              "kubernetes",
              "fleets",
              "picture",
              "server",
              "strategies",
              "tests")) {
        hasAtMost(MOST_TYPES, typesByRoom(module));
      }
      hasAtMost(MOST_TYPES_OF_SCHEDULER, typesByRoom("scheduler"));
      // The first package of the api has a limit of its own, see below.
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
    void thePackagesOfTheApiDependInOneDirection() {
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

  @Nested
  class Exactness {
    private static final String[] EXACT = {CORE, STRATEGIES, "io.lighthouse.tests.referee.."};

    @Test
    void noFieldIsInBinaryFloatingPoint() {
      fields()
          .that()
          .areDeclaredInClassesThat(resideInAnyPackage(EXACT))
          .should(new NoFloatingPoint<>(field -> Set.of(field.getRawType())))
          .check(ALL);
    }

    @Test
    void noMethodTakesOrReturnsBinaryFloatingPoint() {
      methods()
          .that()
          .areDeclaredInClassesThat(resideInAnyPackage(EXACT))
          .should(
              new NoFloatingPoint<>(
                  method -> {
                    Set<JavaClass> types = new HashSet<>(method.getRawParameterTypes());
                    types.add(method.getRawReturnType());
                    return types;
                  }))
          .check(ALL);
    }

    @Test
    void nothingThatIsCalledTakesOrReturnsBinaryFloatingPoint() {
      noClasses()
          .that()
          .resideInAnyPackage(EXACT)
          .should()
          .accessTargetWhere(
              describe(
                  "the target takes or returns binary floating point",
                  access ->
                      access
                              .getTarget()
                              .getFullName()
                              .matches("java\\.lang\\.(Strict)?Math\\.(pow|sqrt|log|exp|rint)\\(.*")
                          || access
                              .getTarget()
                              .getFullName()
                              .matches(".*\\((.*, )?(double|float)(, .*)?\\)")
                          || access.getTarget().getName().matches("(double|float)Value")))
          .check(ALL);
    }
  }

  @Nested
  class SameInputSameAnswer {
    /** A table of names salts its hashes against flooding; ids are given in order of arrival. */
    private static final String SALTED = "io.lighthouse.core.account.NameTable";

    @Test
    void noClockAndNoChanceDecide() {
      noClasses()
          .that()
          .resideInAnyPackage(API, CORE, STRATEGIES)
          .and()
          .doNotHaveFullyQualifiedName(SALTED)
          // A caller may give a search a time limit; its answer may then differ, as Budget says.
          .and()
          .doNotHaveFullyQualifiedName("io.lighthouse.api.Budget")
          .and()
          .doNotHaveFullyQualifiedName("io.lighthouse.core.budget.StepBudget")
          .should()
          .accessTargetWhere(
              describe(
                  "the target is a clock or makes random numbers",
                  access -> {
                    String owner = access.getTargetOwner().getFullName();
                    String name = access.getTarget().getName();
                    return owner.matches("java\\.util\\.(Random|SplittableRandom|UUID)")
                        || owner.matches(
                            "java\\.util\\.(random\\..*|concurrent\\.ThreadLocalRandom)")
                        || owner.startsWith("java.time.")
                        || name.matches("currentTimeMillis|nanoTime|identityHashCode|random");
                  }))
          .check(ALL);
    }

    @Test
    void nothingIsPrinted() {
      noClasses()
          .that()
          .resideInAnyPackage(API, CORE, STRATEGIES, JSON)
          .should()
          .accessTargetWhere(
              describe(
                  "the target is a standard stream",
                  access ->
                      access.getTargetOwner().isEquivalentTo(System.class)
                          && access.getTarget().getName().matches("out|err|in")))
          .check(ALL);
    }
  }

  @Nested
  class Shape {
    @Test
    void everyStrategyOfOursIsFinalAndSaysWhatItDoes() {
      classes()
          .that()
          .implement(PlacementStrategy.class)
          .and()
          .resideInAPackage(STRATEGIES)
          .should()
          .bePublic()
          .andShould()
          .haveModifier(JavaModifier.FINAL)
          .check(ALL);
    }

    @Test
    void noClassIsNamedForWantOfAName() {
      noClasses().should().haveSimpleNameEndingWith("Impl").check(ALL);
      noClasses().should().haveSimpleNameEndingWith("Util").check(ALL);
      noClasses().should().haveSimpleNameEndingWith("Utils").check(ALL);
      noClasses().should().haveSimpleNameEndingWith("Helper").check(ALL);
    }
  }

  /** The rules can fail: each is held against something that breaks it. */
  @Test
  void theRulesSeeWhatTheyForbid() {
    ArchRule coreKnowsOnlyItself =
        classes()
            .that()
            .resideInAPackage(CORE)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(CORE, "java.."));
    assertThatThrownBy(() -> coreKnowsOnlyItself.check(ALL))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("io.lighthouse.api");
    ArchRule apiHasNoDouble =
        methods()
            .that()
            .areDeclaredInClassesThat(resideInAPackage(API))
            .should(new NoFloatingPoint<>(method -> Set.copyOf(method.getRawParameterTypes())));
    assertThatThrownBy(() -> apiHasNoDouble.check(ALL))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Quantity.of(double)");
  }

  private static DescribedPredicate<JavaAccess<?>> describe(
      String what, Predicate<JavaAccess<?>> predicate) {
    return DescribedPredicate.describe(what, predicate);
  }
}
