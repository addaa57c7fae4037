package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.strategy.PlacementStrategy;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Makes directories of plug-ins. */
public final class PluginFolder {
  private PluginFolder() {}

  /**
   * A directory of plug-ins with one jar.
   *
   * @param directory where it is made
   * @param service the interface that the class implements
   * @param name the name of the class, which is in no package
   * @param source the text of the class
   */
  public static Path of(Path directory, Class<?> service, String name, String source)
      throws Exception {
    Path text = Files.writeString(directory.resolve(name + ".java"), source);
    Path api =
        Path.of(
            PlacementStrategy.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    int code =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                "-proc:none",
                "-cp",
                api.toString(),
                text.toString())
            .inheritIO()
            .start()
            .waitFor();
    assertThat(code).isZero();
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    try (OutputStream out = Files.newOutputStream(plugins.resolve(name + ".jar"));
        JarOutputStream jar = new JarOutputStream(out)) {
      jar.putNextEntry(new JarEntry("META-INF/services/" + service.getName()));
      jar.write(name.getBytes(StandardCharsets.UTF_8));
      jar.putNextEntry(new JarEntry(name + ".class"));
      jar.write(Files.readAllBytes(directory.resolve(name + ".class")));
    }
    return plugins;
  }
}
