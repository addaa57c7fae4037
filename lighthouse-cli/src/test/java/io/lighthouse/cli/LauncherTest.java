package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launchers: mostly that of a checkout, in a checkout that has nothing but the launcher. */
class LauncherTest {
  private static final List<String> TOOLS =
      List.of("bash", "readlink", "mkdir", "find", "head", "tail", "cat", "sleep", "rm", "date");

  @TempDir private Path directory;
  private Path root;
  private Path tools;

  @BeforeEach
  void makeCheckout() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    root = Files.createDirectories(directory.resolve("checkout"));
    Files.copy(
        Path.of(System.getProperty("lighthouse.root"), "lighthouse"), root.resolve("lighthouse"));
    tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool : TOOLS) {
      addTool(tool);
    }
  }

  private void addTool(String name) throws IOException {
    for (String folder : List.of("/bin", "/usr/bin")) {
      Path tool = Path.of(folder, name);
      if (Files.isExecutable(tool)) {
        addTool(name, "exec " + tool + " \"$@\"");
        return;
      }
    }
  }

  private void addTool(String name, String script) throws IOException {
    addTool(tools, name, script);
  }

  private static void addTool(Path folder, String name, String script) throws IOException {
    Path tool = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Run run(List<String> before) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of("/bin/bash", root.resolve("lighthouse").toString(), "--version"));
    return run(command, System.getProperty("java.home"));
  }

  private Run run(List<String> command, String javaHome) throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().putAll(Map.of("PATH", tools.toString(), "JAVA_HOME", javaHome));
    Process process = builder.start();
    boolean ended = process.waitFor(1, TimeUnit.MINUTES);
    process.destroyForcibly();
    assertThat(ended).as("it ends").isTrue();
    return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  @Test
  void saysOnceThatItCannotWriteWhereSourcesAreNewer() throws IOException, InterruptedException {
    Path launch = Files.createDirectories(root.resolve("target/launcher/app.1")).getParent();
    Path current = Files.writeString(launch.resolve("current"), "app.1\n");
    Files.setLastModifiedTime(current, FileTime.fromMillis(0));
    Files.writeString(launch.resolve("lock"), "");
    Files.writeString(root.resolve("pom.xml"), "");
    List<String> asNobody = closeToTheUser(launch);

    assertCannotWrite(run(asNobody), launch);
    addTool("flock");
    assertCannotWrite(run(asNobody), launch);
  }

  @Test
  void saysOnceThatTheLockFileCannotBeWritten() throws IOException, InterruptedException {
    Path launch = Files.createDirectories(root.resolve("target/launcher"));
    Files.createDirectory(launch.resolve("lock"));
    addTool("flock");

    Run run = run(List.of());

    assertThat(run.err()).isEqualTo("lighthouse: cannot lock " + launch + "\n");
    assertThat(run.code()).isEqualTo(2);
  }

  private static void assertCannotWrite(Run run, Path launch) {
    assertThat(run.err()).contains("you cannot write to " + launch).hasLineCount(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(2);
  }

  /** Closes the folder, and returns what stands before a command that is to find it closed. */
  private static List<String> closeToTheUser(Path launch) throws IOException {
    Files.setPosixFilePermissions(launch, PosixFilePermissions.fromString("r-xr-xr-x"));
    if (!Files.isWritable(launch)) {
      return List.of();
    }
    // Root writes everywhere, so another user has to try.
    Path setpriv = Path.of("/usr/bin/setpriv");
    assumeTrue(Files.isExecutable(setpriv), "root, and no setpriv to be somebody else");
    return List.of(setpriv.toString(), "--reuid=65534", "--regid=65534", "--clear-groups");
  }

  @Test
  void buildsWithUtf8WhereThereIsNoLocale() throws IOException, InterruptedException {
    addTool("mvn", "echo \"LC_CTYPE is $LC_CTYPE\"; exit 1");

    Run run = run(List.of());

    assertThat(run.err()).contains("LC_CTYPE is C.UTF-8\n", "the build failed");
    assertThat(run.code()).isEqualTo(2);
  }

  /** Java takes the number of a closed stream for a file of its own, and reads that as input. */
  @ParameterizedTest
  @ValueSource(strings = {"<&-", ">&-", "2>&-", "<&- >&- 2>&-"})
  void javaGetsEachStreamOpenWhereTheCallerClosedIt(String closed)
      throws IOException, InterruptedException {
    Path seen = directory.resolve("seen");
    String check = "{ true 3<&0; } && { true 3>&1; } && { true 3>&2; } && echo \"$1\" >" + seen;
    Path java = Files.createDirectories(directory.resolve("jdk/bin"));
    addTool(java, "java", check);
    addTool(java, "javac", "exit 1");
    Files.writeString(java.resolveSibling("release"), "JAVA_VERSION=\"17\"\n");

    for (List<String> launcher : List.of(builtCheckout(), distribution(java.getParent()))) {
      List<String> command =
          new ArrayList<>(List.of("/bin/bash", "-c", "exec \"$0\" \"$1\" assign " + closed));
      command.addAll(launcher);
      Run run = run(command, directory.resolve("jdk").toString());

      assertThat(run).isEqualTo(new Run(0, "", ""));
      assertThat(seen).hasContent("-XX:+UseSerialGC");
      Files.delete(seen);
    }
  }

  /** A checkout in which nothing has changed since it was built. */
  private List<String> builtCheckout() throws IOException {
    Files.writeString(root.resolve("pom.xml"), "");
    Files.writeString(
        Files.createDirectories(root.resolve("lighthouse-bom")).resolve("pom.xml"), "");
    Path launch = Files.createDirectories(root.resolve("target/launcher/app.1")).getParent();
    Files.writeString(launch.resolve("current"), "app.1\n");
    return List.of("/bin/bash", root.resolve("lighthouse").toString());
  }

  private List<String> distribution(Path runtime) throws IOException {
    Path bin = Files.createDirectories(directory.resolve("distribution/bin"));
    Files.createSymbolicLink(bin.resolveSibling("runtime"), runtime);
    Path script =
        Path.of(System.getProperty("lighthouse.root"), "lighthouse-cli/src/dist/bin/lighthouse");
    return List.of("/bin/sh", Files.copy(script, bin.resolve("lighthouse")).toString());
  }
}
