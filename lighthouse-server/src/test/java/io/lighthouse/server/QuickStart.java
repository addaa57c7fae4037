package io.lighthouse.server;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Speeds up the start of service processes, for tests that start many short ones. Classes come from
 * an archive (class-data sharing) that a first process writes, SQLite's library is unpacked once,
 * and only the first of the two JIT compilers is used. The code that runs is the same. Made once
 * for all tests of a JVM.
 */
final class QuickStart {
  private static final String LIBRARY = System.mapLibraryName("sqlitejdbc");
  private static final String MAIN = ServiceProcess.class.getName().replace('.', '/') + ".class";

  /** Null until the first use. */
  private static List<String> made;

  private QuickStart() {}

  /** The options of a JVM, its class path among them. */
  static synchronized List<String> options() throws IOException, InterruptedException {
    if (made == null) {
      made = make();
    }
    return made;
  }

  private static List<String> make() throws IOException, InterruptedException {
    // Its own: the tests may run in several JVMs at a time.
    Path folder =
        Files.createDirectories(
            Path.of(
                System.getProperty("lighthouse.build"),
                "quick-start-" + ProcessHandle.current().pid()));
    List<String> options = new ArrayList<>();
    options.add("-XX:TieredStopAtLevel=1");
    options.add("-XX:+UseSerialGC");
    options.add("-Xlog:disable");
    options.add("-cp");
    options.add(jars() + File.pathSeparator + jar(folder));
    List<String> later = new ArrayList<>(options);
    Path archive = folder.resolve("classes.jsa");
    Files.deleteIfExists(archive);
    options.add("-XX:ArchiveClassesAtExit=" + archive);
    Path unpacked = Files.createTempDirectory(folder, "unpacked");
    options.add("-Dorg.sqlite.tmpdir=" + unpacked);
    options.add("-Dlighthouse.store=" + unpacked.resolve("fleets.db"));
    try (ServiceProcess first = ServiceProcess.startWith(options)) {
      use(TestService.at(first.uri()));
      try (DirectoryStream<Path> libraries = Files.newDirectoryStream(unpacked, "*" + LIBRARY)) {
        for (Path library : libraries) {
          Files.copy(library, folder.resolve(LIBRARY), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    // Where there is none, it goes without.
    if (Files.exists(archive)) {
      later.add("-XX:SharedArchiveFile=" + archive);
    }
    if (Files.exists(folder.resolve(LIBRARY))) {
      later.add("-Dorg.sqlite.lib.path=" + folder);
      later.add("-Dorg.sqlite.lib.name=" + LIBRARY);
    }
    return List.copyOf(later);
  }

  /** Loads what most calls of a fleet need. */
  private static void use(TestService service) {
    service.put("/fleets/f", "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":4}}]}");
    service.post(
        "/fleets/f/assign-workloads",
        "{\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}]}",
        "Idempotency-Key",
        "k");
    service.post("/fleets/f/release-workloads", "{\"workloads\":[\"w\"]}");
    service.get("/fleets/f/problem");
  }

  /** What this JVM runs from, without the folder of tests. */
  private static String jars() {
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(ServiceProcess.jars())
        .filter(one -> one.endsWith(".jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The process's own class in a jar: classes of a folder do not come into an archive. */
  private static Path jar(Path folder) throws IOException {
    Path jar = folder.resolve("service.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream in = ServiceProcess.class.getResourceAsStream("/" + MAIN)) {
      out.putNextEntry(new JarEntry(MAIN));
      in.transferTo(out);
      out.closeEntry();
    }
    return jar;
  }
}
