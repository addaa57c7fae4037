package io.lighthouse.benchmarks.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Problems that are not part of the project: {@code data/autoscaler} and {@code data/servers} of
 * the folder that the environment variable {@value #VARIABLE} names, or else of {@code shared}
 * beside the checkout.
 */
final class DataFiles {
  private static final String VARIABLE = "LIGHTHOUSE_SHARED";
  private static final List<String> FOLDERS = List.of("data/autoscaler", "data/servers");

  private DataFiles() {}

  /** The paths of the files, in order; none, with a word about it, where they are not there. */
  static List<String> find(Path root, PrintStream out) throws IOException {
    String given = System.getenv(VARIABLE);
    Path shared =
        given == null ? root.toAbsolutePath().normalize().resolveSibling("shared") : Path.of(given);
    List<String> files = new ArrayList<>();
    for (String folder : FOLDERS) {
      Path path = shared.resolve(folder);
      if (!Files.isDirectory(path)) {
        out.printf(
            "skipped: no folder %s beside the checkout; %s can name its place%n",
            "shared/" + folder, VARIABLE);
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
}
