package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Problem;
import io.lighthouse.json.log.DecisionRecord;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.RandomGenerator;

/**
 * Random decisions of all strategies, made again by processes that differ; {@code
 * -Dlighthouse.records} says how many.
 */
class ReplayIT {
  private static final int RECORDS = Integer.getInteger("lighthouse.records", 300);

  /** Locale, time zone, character set, how identity hashes are made, and the JIT compilers. */
  private static final List<List<String>> DIFFERENCES =
      List.of(
          List.of(
              "-Duser.language=tr",
              "-Duser.timezone=Pacific/Kiritimati",
              "-XX:hashCode=0",
              "-XX:TieredStopAtLevel=1"),
          List.of(
              "-Duser.language=ar",
              "-Duser.timezone=America/St_Johns",
              "-Dfile.encoding=ISO-8859-1",
              "-XX:hashCode=2"));

  @Example
  void allAreTheSameInOtherProcesses() throws IOException, InterruptedException {
    Path folder = Path.of(System.getProperty("lighthouse.build"), "records");
    Files.createDirectories(folder);
    List<String> files = write(folder);
    for (String java : javas()) {
      for (List<String> difference : DIFFERENCES) {
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(
            List.of("-XX:+UnlockExperimentalVMOptions", "-XX:+IgnoreUnrecognizedVMOptions"));
        command.add("-XX:+UseSerialGC");
        command.addAll(difference);
        command.addAll(List.of("--module-path", modules()));
        command.addAll(List.of("--module", "io.lighthouse.cli/io.lighthouse.cli.Main"));
        command.addAll(List.of("replay", "-o", "csv"));
        command.addAll(files);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s %s: %s", java, difference, out).isZero();
        assertThat(out).isEqualTo("file,workload,node,on_record\r\n");
      }
    }
  }

  private static List<String> write(Path folder) throws IOException {
    Random random = new Random(5);
    RandomGenerator<Scenario> scenarios = Scenarios.of(6, 8, 8).generator(1000);
    RandomGenerator<List<Workload>> batches =
        Scenarios.workloads().list().ofMaxSize(8).generator(1000);
    List<String> strategies =
        Distributors.installed().strategies().stream().map(StrategyDescription::name).toList();
    assertThat(strategies).hasSizeGreaterThanOrEqualTo(6);
    List<String> files = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      String strategy = strategies.get(i % strategies.size());
      Distributor played = Fleets.played(scenarios.next(random).value(), "prioritized");
      List<Workload> batch = Fleets.named("batch", batches.next(random).value());
      Problem state = Problem.of(played);
      Problem problem =
          Problem.of(state.nodes(), batch)
              .withDomains(state.domains())
              .withRules(state.rules())
              .withStrategy(strategy)
              .withRubric(Rubric.of("cpu", random.nextInt(3), "mem", 0.1));
      Distributors.Builder builder =
          Distributors.of(Distributors.installed().find(strategy))
              .nodes(problem.nodes())
              .domains(problem.domains())
              .rules(problem.rules());
      problem.rubric().ifPresent(builder::rubric);
      boolean all = random.nextInt(4) == 0;
      Assignments answer =
          all
              ? builder.build().assign(batch, AssignOption.ALL_OR_NOTHING)
              : builder.build().assign(batch);
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      new DecisionRecord(Map.of("strategy", "ours"), all, problem, answer).write(text);
      Path file = folder.resolve("record-" + i + ".json");
      Files.write(file, text.toByteArray());
      files.add(file.toString().replace('\\', '/'));
    }
    return files;
  }

  /** This Java, and another one where there is one. */
  private static List<String> javas() {
    List<String> javas = new ArrayList<>();
    javas.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String other = System.getenv("JAVA_HOME_25");
    if (other != null) {
      javas.add(Path.of(other, "bin", "java").toString());
    }
    return javas;
  }

  private static String modules() {
    Path build = Path.of(System.getProperty("lighthouse.build"));
    Path root = Path.of(System.getProperty("lighthouse.root"));
    Path target = root.resolve("lighthouse-tests").relativize(build);
    File modules = root.resolve("lighthouse-cli").resolve(target).resolve("modules").toFile();
    assertThat(modules).isDirectory();
    return modules.toString();
  }
}
