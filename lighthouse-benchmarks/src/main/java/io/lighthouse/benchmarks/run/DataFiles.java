package io.lighthouse.benchmarks.run;

import io.lighthouse.benchmarks.quality.InstanceSet;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Problems that are not part of the project: {@code data/autoscaler} and {@code data/servers} of
 * the folder that the environment variable {@value #VARIABLE} names, or else of {@code shared}
 * beside the checkout.
 */
public final class DataFiles {
  private static final String VARIABLE = "LIGHTHOUSE_SHARED";
  private static final List<String> FOLDERS = List.of("data/autoscaler", "data/servers");

  private DataFiles() {}

  /** The paths of the files, in order; none, with a word about it, where they are not there. */
  public static List<String> find(Path root, PrintStream out) throws IOException {
    Path shared = folder(root);
    List<String> files = new ArrayList<>();
    for (String folder : FOLDERS) {
      Path path = shared.resolve(folder);
      if (!Files.isDirectory(path)) {
        missing(folder, out);
        continue;
      }
      try (Stream<Path> found = Files.list(path)) {
        found
            .map(Path::toString)
            .filter(name -> name.endsWith(".json.gz"))
            .sorted()
            .forEach(files::add);
      }
    }
    return files;
  }

  /** Where they would be. */
  public static Path folder(Path root) {
    String given = System.getenv(VARIABLE);
    return given == null
        ? root.toAbsolutePath().normalize().resolveSibling("shared")
        : Path.of(given);
  }

  /** The sets of instances that are there or generated; a word about those that are not. */
  public static Set<InstanceSet> sets(Path root, PrintStream out) {
    Set<InstanceSet> sets = EnumSet.allOf(InstanceSet.class);
    Set<String> missing = new TreeSet<>();
    sets.removeIf(
        set -> {
          boolean absent =
              set.folder() != null && !Files.isDirectory(folder(root).resolve(set.folder()));
          if (absent && missing.add(set.folder())) {
            missing(set.folder(), out);
          }
          return absent;
        });
    return sets;
  }

  private static void missing(String folder, PrintStream out) {
    out.printf(
        "skipped: no folder %s beside the checkout; %s can name its place%n",
        "shared/" + folder, VARIABLE);
  }
}
