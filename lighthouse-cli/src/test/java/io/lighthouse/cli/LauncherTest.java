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

/** The launcher of a checkout, in a checkout that has nothing but the launcher. */
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
    Path tool = Files.writeString(tools.resolve(name), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Run run(List<String> before) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of("/bin/bash", root.resolve("lighthouse").toString(), "--version"));
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(Map.of("PATH", tools.toString(), "JAVA_HOME", System.getProperty("java.home")));
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
}
