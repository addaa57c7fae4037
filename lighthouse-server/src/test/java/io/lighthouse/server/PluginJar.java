package io.lighthouse.server;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Plug-ins of strangers, compiled and packed as a test needs them. */
final class PluginJar {
  private static final String SERVICE = "io.lighthouse.api.strategy.PlacementStrategy";

  private static final String RULE = "io.lighthouse.api.rule.PlacementRule";

  private PluginJar() {}

  /** A directory with one jar for each strategy: its name, and the body of its {@code choose}. */
  static Path directory(Path under, String... namesAndBodies) {
    try {
      Path plugins = Files.createDirectories(under.resolve("plugins"));
      for (int i = 0; i < namesAndBodies.length; i += 2) {
        write(under, plugins, "Plugin" + i, namesAndBodies[i], namesAndBodies[i + 1]);
      }
      return plugins;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Adds a jar with a rule to a directory: its name, and the body of its {@code judge}. */
  static void addRule(Path under, Path plugins, String name, String body) {
    String type = "Rule" + name;
    String text =
        """
        package stranger;
        import io.lighthouse.api.rule.*;
        import io.lighthouse.api.strategy.*;
        import java.util.Set;
        public class %s implements PlacementRule {
          public String name() { return "%s"; }
          public Set<Reads> reads() { return Set.of(Reads.NODE); }
          public RuleCheck newCheck(Fleet fleet, Settings with) {
            return (workload, node) -> { %s };
          }
        }
        """
            .formatted(type, name, body);
    try {
      pack(under, plugins, RULE, type, name, text);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static void write(Path under, Path plugins, String type, String name, String body)
      throws IOException {
    String text =
        """
        package stranger;
        import io.lighthouse.api.Workload;
        import io.lighthouse.api.strategy.*;
        public class %s implements PlacementStrategy {
          public String name() { return "%s"; }
          public Placer newPlacer(Fleet fleet, Settings settings) {
            return (workload, candidates) -> { %s };
          }
        }
        """
            .formatted(type, name, body);
    pack(under, plugins, SERVICE, type, name, text);
  }

  private static void pack(
      Path under, Path plugins, String service, String type, String name, String text)
      throws IOException {
    Path source = Files.createDirectories(under.resolve(type)).resolve(type + ".java");
    Files.writeString(source, text);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Path api =
        Path.of(
            URI.create(
                io.lighthouse.api.Workload.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toString()));
    int result =
        compiler.run(null, null, null, "-proc:none", "-cp", api.toString(), source.toString());
    if (result != 0) {
      throw new IOException("the plug-in " + name + " does not compile");
    }
    try (OutputStream out = Files.newOutputStream(plugins.resolve(name + ".jar"));
        JarOutputStream jar = new JarOutputStream(out)) {
      jar.putNextEntry(new JarEntry("META-INF/services/" + service));
      jar.write(("stranger." + type).getBytes(StandardCharsets.UTF_8));
      try (var classes = Files.list(source.getParent())) {
        for (Path file : classes.filter(one -> one.toString().endsWith(".class")).toList()) {
          jar.putNextEntry(new JarEntry("stranger/" + file.getFileName()));
          jar.write(Files.readAllBytes(file));
        }
      }
    }
  }

  /** Strategies that misbehave: names and bodies for {@link #directory}. */
  static List<String> misbehaving() {
    return List.of(
        "looping", "while (true) { Thread.onSpinWait(); }",
        "sleeping",
            "try { Thread.sleep(500); } catch (InterruptedException e) { } "
                + "return candidates.first();",
        "throwing", "throw new IllegalStateException(\"out of luck\");",
        "asking",
            "while (workload.name().equals(\"w\")) { candidates.first(); } "
                + "return candidates.first();",
        "interrupting",
            "FleetNode node = candidates.first(); Thread.currentThread().interrupt(); return node;");
  }
}
